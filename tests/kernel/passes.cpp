#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include "kernel/lowered.hpp"

using namespace ordo;
using namespace lowered;

namespace {
// What lowering says on stderr, in a process of its own.
std::string told(const char* debug, const nest::Trace& trace) {
  char path[] = "/tmp/ordo-test-XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("ORDO_DEBUG", debug, 1);
    dup2(file, 2);
    (void)kernel::lower(planned(matmul(4, 8, 5), trace), 0, {1, 1, 1}, four_lanes());
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  std::string text(1 << 16, '\0');
  text.resize(static_cast<std::size_t>(pread(file, text.data(), text.size(), 0)));
  close(file);
  unlink(path);
  return text;
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("passes: ORDO_DEBUG=passes prints the kernel after each pass that changed it") {
  const std::string plain = told("time,passes", {});
  CHECK(plain.rfind("ordo: after place\nkernel C\n", 0) == 0);
  CHECK(!has(plain, "ordo: after vectorize"));
  CHECK(!has(plain, "ordo: after unroll"));
  CHECK(has(told("passes", {directive("split", {"j"}, {"4"}), directive("reorder", {"k", "j.1"}), directive("vectorize", {"j.1"})}),
            "ordo: after vectorize\nkernel C\n"));
  CHECK(has(told("passes", {directive("split", {"i"}, {"2"}), directive("reorder", {"i.0", "j", "i.1"}), directive("unroll", {"i.1"})}),
            "ordo: after unroll\nkernel C\n"));
}
TEST_CASE("passes: nothing is printed unless asked for by its whole name") {
  CHECK(told("", {}).empty());
  CHECK(told("time,pass,passes2", {}).empty());
}
