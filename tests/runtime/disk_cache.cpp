#include <doctest/doctest.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <string>
#include <vector>
#include "ordo/runtime/disk_cache.hpp"
using namespace ordo;
using namespace ordo::runtime;

namespace {
std::string fresh_folder() {
  char name[] = "/tmp/ordo-test-XXXXXX";
  REQUIRE(mkdtemp(name) != nullptr);
  return name;
}
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const d = opendir(folder.c_str());
  if (d == nullptr) return names;
  while (const dirent* e = readdir(d))
    if (e->d_name[0] != '.') names.push_back(folder + "/" + e->d_name);
  closedir(d);
  return names;
}
void remove_folder(const std::string& folder) {
  for (const std::string& f : files_in(folder)) unlink(f.c_str());
  rmdir(folder.c_str());
}
std::string contents(const std::string& path) {
  std::string bytes(1 << 16, '\0');
  const int f = open(path.c_str(), O_RDONLY);
  const ssize_t n = f < 0 ? 0 : read(f, bytes.data(), bytes.size());
  if (f >= 0) close(f);
  bytes.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return bytes;
}
void overwrite(const std::string& path, const std::string& bytes) {
  const int f = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  REQUIRE(f >= 0);
  REQUIRE(write(f, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  close(f);
}
// What a child process wrote to stderr while it ran `body`.
template <class F> std::string stderr_of(F body) {
  const std::string path = fresh_folder() + "/stderr";
  const pid_t child = fork();
  if (child == 0) {
    const int f = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(f, 2);
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  const std::string text = contents(path);
  remove_folder(path.substr(0, path.rfind('/')));
  CHECK(status == 0);
  return text;
}
const ir::Digest key{0x0123456789abcdef, 0xfedcba9876543210}, other{1, 2};
const std::string object = "object code of a kernel, with a zero \0 inside and some length to it";
}  // namespace

TEST_CASE("disk cache: gives back what was written, under its key only") {
  const std::string folder = fresh_folder();
  std::string got;
  CHECK_FALSE(read_entry(folder, key, got));
  write_entry(folder, key, object);
  CHECK(read_entry(folder, key, got));
  CHECK(got == object);
  CHECK_FALSE(read_entry(folder, other, got));
  CHECK(files_in(folder).size() == 1);           // no temporary is left behind
  remove_folder(folder);
}
TEST_CASE("disk cache: makes its folder, for its owner only") {
  const std::string base = fresh_folder(), folder = base + "/deep/er";
  write_entry(folder, key, object);
  std::string got;
  CHECK(read_entry(folder, key, got));
  struct stat facts;
  REQUIRE(stat(folder.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0700);
  remove_folder(folder);
  remove_folder(base + "/deep");
  remove_folder(base);
}
TEST_CASE("disk cache: an entry of which any byte is changed, lost or added is no entry, and is written anew") {
  const std::string folder = fresh_folder();
  write_entry(folder, key, object);
  const std::string path = files_in(folder).at(0), sound = contents(path);
  std::string got;
  for (std::size_t k = 0; k < sound.size(); ++k) {
    std::string bad = sound;
    bad[k] = static_cast<char>(bad[k] ^ 1 << k % 8);
    overwrite(path, bad);
    CHECK_FALSE(read_entry(folder, key, got));
    overwrite(path, sound.substr(0, k));
    CHECK_FALSE(read_entry(folder, key, got));
  }
  overwrite(path, sound + "x");
  CHECK_FALSE(read_entry(folder, key, got));
  overwrite(path, "\x7f" "ELF something else entirely");
  CHECK_FALSE(read_entry(folder, key, got));
  write_entry(folder, key, object);
  CHECK(read_entry(folder, key, got));
  CHECK(got == object);
  remove_folder(folder);
}
TEST_CASE("disk cache: an entry under the name of another, and a folder in its place, are no entries") {
  const std::string folder = fresh_folder();
  write_entry(folder, other, "code of another kernel");
  const std::string foreign = contents(files_in(folder).at(0));
  write_entry(folder, key, object);
  std::string mine;
  for (const std::string& f : files_in(folder))
    if (contents(f) != foreign) mine = f;
  overwrite(mine, foreign);
  std::string got;
  CHECK_FALSE(read_entry(folder, key, got));
  unlink(mine.c_str());
  REQUIRE(mkdir(mine.c_str(), 0700) == 0);
  CHECK_FALSE(read_entry(folder, key, got));
  const std::string said = stderr_of([&] { write_entry(folder, key, object); return !read_entry(folder, key, got); });
  CHECK(said.find("ordo: warning: ") == 0);
  rmdir(mine.c_str());
  remove_folder(folder);
}
TEST_CASE("disk cache: a folder that cannot be written costs one warning") {
  const std::string said = stderr_of([] {
    for (int k = 0; k < 3; ++k) write_entry("/proc/ordo/cache", key, object);
    std::string got;
    return !read_entry("/proc/ordo/cache", key, got);
  });
  CHECK(said.find("ordo: warning: cannot write to the cache in /proc/ordo/cache (") == 0);
  CHECK(said.find('\n') == said.size() - 1);
}
TEST_CASE("disk cache: a full disk costs one warning and leaves nothing behind") {
  const std::string folder = fresh_folder();
  const std::string said = stderr_of([&] {
    signal(SIGXFSZ, SIG_IGN);            // a limit on file size stands for a full disk: write gives an error
    const rlimit none{20, 20};
    setrlimit(RLIMIT_FSIZE, &none);
    const std::string large(1 << 20, 'x');
    for (int k = 0; k < 3; ++k) write_entry(folder, key, large);
    std::string got;
    return !read_entry(folder, key, got);
  });
  CHECK(files_in(folder).empty());
  CHECK(said.size() <= 20);              // the warning itself meets the limit
  remove_folder(folder);
}
TEST_CASE("disk cache: eight processes that write and read one entry all get it whole") {
  const std::string folder = fresh_folder();
  std::vector<pid_t> children;
  for (int p = 0; p < 8; ++p) {
    const pid_t child = fork();
    if (child == 0) {
      bool good = true;
      for (int k = 0; k < 50; ++k) {
        write_entry(folder, key, object);
        std::string got;
        good = good && read_entry(folder, key, got) && got == object;
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(files_in(folder).size() == 1);
  remove_folder(folder);
}
TEST_CASE("disk cache: the folder comes from ORDO_CACHE_DIR, then XDG_CACHE_HOME, then HOME") {
  const std::string said = stderr_of([] {
    setenv("HOME", "/home/u", 1);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("ORDO_CACHE_DIR");
    bool good = user_cache_folder() == "/home/u/.cache/ordo";
    setenv("XDG_CACHE_HOME", "relative", 1);     // to be ignored, says the XDG page
    good = good && user_cache_folder() == "/home/u/.cache/ordo";
    setenv("XDG_CACHE_HOME", "/var/c", 1);
    good = good && user_cache_folder() == "/var/c/ordo";
    setenv("ORDO_CACHE_DIR", "/mine", 1);
    good = good && user_cache_folder() == "/mine";
    setenv("ORDO_CACHE_DIR", "", 1);
    return good && user_cache_folder().empty();
  });
  CHECK(said.empty());
}
