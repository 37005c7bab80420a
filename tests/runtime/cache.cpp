// Code of kernels in memory and on disk, through compile: what is made, what is found again, what is not believed.
#include <doctest/doctest.h>
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "ordo/runtime/disk_cache.hpp"
#include "ordo/runtime/memory_cache.hpp"
using namespace ordo;

namespace {
std::atomic<int> generated{0}, loaded{0};
const codegen::Backend counted = {
    "counted", codegen::llvm::version,
    [](const kernel::Kernel& k, const Target& t, bool texts) { ++generated; return codegen::llvm::generate(k, t, texts); },
    [](const std::string& object, const char* name) { ++loaded; return codegen::llvm::load(object, name); },
    codegen::llvm::entry, codegen::llvm::unload, cpu::runs_here};

struct Folder {
  std::string path;
  Folder() {
    char name[] = "/tmp/ordo-test-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path = name;
  }
  ~Folder() {
    for (const std::string& f : files()) unlink(f.c_str());
    rmdir(path.c_str());
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    DIR* const d = opendir(path.c_str());
    if (d == nullptr) return names;
    while (const dirent* e = readdir(d))
      if (e->d_name[0] != '.') names.push_back(path + "/" + e->d_name);
    closedir(d);
    return names;
  }
};
Target target() {
  Target t = cpu::host();
  t.backend = &counted;
  return t;
}
struct Change {                  // what differs from the first program, none of it in the second compile
  double factor = 3;
  const char* name = "A";
  bool split = false;
  bool promise = false;
};
int difference(const char* folder, const Change& change = {}, const Target& t = target()) {
  const int before = generated;
  CompileOptions options;
  options.cache = folder;
  Dim N{"N"};
  Tensor<float, 1> A{change.name, {N}}, C{"C"};
  Index i{change.name};
  C(i) = A(i) * change.factor + 1;
  Schedule s{C};
  if (change.split) s.split(i, 8);
  if (change.promise) s.align(A, 4);
  const auto kernel = compile(s, inputs(A), outputs(C), t, options);
  float a[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, c[9] = {};
  kernel(view(a, {9}), view(c, {9}));
  CHECK(c[8] == 8 * static_cast<float>(change.factor) + 1);
  return generated - before;
}
void forget() { runtime::drop_unused_code(); }
void damage(const std::string& path, long at) {
  std::FILE* const f = std::fopen(path.c_str(), "r+b");
  REQUIRE(f != nullptr);
  std::fseek(f, at, SEEK_SET);
  const int byte = std::fgetc(f);
  std::fseek(f, at, SEEK_SET);
  std::fputc(byte ^ 1, f);
  std::fclose(f);
}
}  // namespace

TEST_CASE("cache: a kernel is made once, found in memory, and on disk when memory has lost it") {
  const Folder folder;
  CHECK(difference(folder.path.c_str()) == 1);
  const int loads = loaded;
  CHECK(difference(folder.path.c_str()) == 0);
  CHECK(loaded == loads);
  forget();
  CHECK(difference(folder.path.c_str()) == 0);
  CHECK(loaded == loads + 1);
  CHECK(folder.files().size() == 1);
  forget();
}
TEST_CASE("cache: names do not reach the key, constants, schedules, promises, targets and layouts do") {
  const Folder folder;
  CHECK(difference(folder.path.c_str()) == 1);
  Change other;
  other.name = "other";
  CHECK(difference(folder.path.c_str(), other) == 0);
  other.factor = 2.5;
  CHECK(difference(folder.path.c_str(), other) == 1);
  other.split = true;
  CHECK(difference(folder.path.c_str(), other) == 1);
  other.promise = true;
  CHECK(difference(folder.path.c_str(), other) == 1);
  Target narrower = target();
  narrower.vector_registers /= 2;
  CHECK(difference(folder.path.c_str(), other, narrower) == 1);
  CHECK(folder.files().size() == 5);
  forget();
}
TEST_CASE("cache: a damaged entry is made again and repaired") {
  const Folder folder;
  CHECK(difference(folder.path.c_str()) == 1);
  for (const long at : {3L, 20L, 30L, 60L, 300L}) {
    damage(folder.files().at(0), at);
    forget();
    CHECK(difference(folder.path.c_str()) == 1);
    forget();
    CHECK(difference(folder.path.c_str()) == 0);
  }
  CHECK(truncate(folder.files().at(0).c_str(), 100) == 0);
  forget();
  CHECK(difference(folder.path.c_str()) == 1);
  forget();
}
TEST_CASE("cache: a sound entry that cannot be linked is made again") {
  const Folder folder;
  CHECK(difference(folder.path.c_str()) == 1);
  const std::string path = folder.files().at(0), name = path.substr(path.rfind('/') + 1, 32);
  ir::Digest key;
  REQUIRE(std::sscanf(name.c_str(), "%16lx%16lx", &key.high, &key.low) == 2);
  runtime::write_entry(folder.path, key, "sound, but no object code");
  forget();
  CHECK(difference(folder.path.c_str()) == 1);
  forget();
  CHECK(difference(folder.path.c_str()) == 0);
  forget();
}
TEST_CASE("cache: without a folder, or with one that cannot be, kernels run") {
  CHECK(difference("") == 1);
  forget();
  CHECK(difference("") == 1);
  forget();
  const pid_t child = fork();            // the one warning of a process is spent there
  if (child == 0) {
    CHECK(std::freopen("/dev/null", "w", stderr) != nullptr);
    _exit(difference("/proc/ordo") == 1 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}
TEST_CASE("cache: equal launches of a program are one piece of code") {
  const int before = generated;
  Tensor<float, 2> A{"A"}, B{"B"}, Y{"Y"}, Z{"Z"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Y(i, j) = sum(k, A(i, k) * A(k, j)) + 1;
  Z(i, j) = sum(k, B(i, k) * B(k, j)) + 1;
  CompileOptions options;
  options.cache = "";
  const auto kernel = compile(inputs(A, B), outputs(Z, Y), target(), options);
  CHECK(generated - before == 1);
  float a[4] = {1, 2, 3, 4}, b[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2}, y[4], z[9];
  kernel(view(a, {2, 2}), view(b, {3, 3}), view(z, {3, 3}), view(y, {2, 2}));
  CHECK(y[3] == 23);
  CHECK(z[8] == 5);
  CHECK(z[1] == 1);
  forget();
}
TEST_CASE("cache: eight processes that start at once all get the right code") {
  const Folder folder;
  std::vector<pid_t> children;
  for (int p = 0; p < 8; ++p) {
    const pid_t child = fork();
    if (child == 0) {
      Tensor<float, 1> A{"A"}, C{"C"};
      Index i{"i"};
      C(i) = A(i) * 7 - 2;
      CompileOptions options;
      options.cache = folder.path.c_str();
      options.executor = serial();
      const auto kernel = compile(inputs(A), outputs(C), target(), options);
      float a[5] = {0, 1, 2, 3, 4}, c[5] = {};
      kernel(view(a, {5}), view(c, {5}));
      _exit(c[4] == 26 && c[0] == -2 ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(folder.files().size() == 1);
}
