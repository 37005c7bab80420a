#include <doctest/doctest.h>
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "walk_target.hpp"
using namespace ordo;

namespace {
struct Row {
  Tensor<float, 1> A{"A"}, C{"C"};
  Index i{"i"};
  Row() { C(i) = A(i) * 3 + 1; }
};
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("texts: a kernel shows its program, its loops, its statements and its code") {
  Row r;
  Schedule s{r.C};
  auto [io, ii] = s.split(r.i, 8);
  s.vectorize(ii);
  const auto kernel = compile(s, inputs(r.A), outputs(r.C), cpu::host(), walk_target::no_disk());
  CHECK(std::string(kernel.text()) == Program(inputs(r.A), outputs(r.C)).text());
  const std::string all = kernel.explain();
  CHECK(has(all, kernel.text()));
  CHECK(has(all, "target host"));
  CHECK(has(all, "for i.1 0..8, vectorized"));
  CHECK(has(all, "kernel C"));
  CHECK(has(kernel.ir(), "define"));
  CHECK(has(kernel.assembly(), "ret"));
  CHECK(kernel.ir() == kernel.ir());             // one text, made once
}
TEST_CASE("texts: the interpreter has no code to show") {
  Row r;
  const auto kernel = compile(inputs(r.A), outputs(r.C), interpreter());
  CHECK(std::string(kernel.ir()) == "the interpreter runs the program itself: there is no code\n");
  CHECK(has(kernel.explain(), "target interpreter"));
}
TEST_CASE("texts: ORDO_DEBUG=time tells the steps, ORDO_DUMP_DIR keeps the texts") {
  char folder[] = "/tmp/ordo-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string log = std::string(folder) + "/stderr";
  const pid_t child = fork();
  if (child == 0) {
    setenv("ORDO_DEBUG", "other,time", 1);
    setenv("ORDO_DUMP_DIR", folder, 1);
    if (std::freopen(log.c_str(), "w", stderr) == nullptr) _exit(1);
    Row r;
    CompileOptions options = walk_target::no_disk();
    options.executor = serial();
    (void)compile(inputs(r.A), outputs(r.C), cpu::host(), options);
    std::fflush(stderr);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  std::string text(4096, '\0');
  if (std::FILE* const f = std::fopen(log.c_str(), "r")) {
    text.resize(std::fread(text.data(), 1, text.size(), f));
    std::fclose(f);
  }
  for (const char* step :
       {"ordo: snapshot", "ordo: stages", "ordo: nest", "ordo: plan", "ordo: lower", "ordo: generate", "ordo: load", " us\n"})
    CHECK(has(text, step));
  int ll = 0, s = 0;
  DIR* const d = opendir(folder);
  REQUIRE(d != nullptr);
  while (const dirent* e = readdir(d)) {
    const std::string name = e->d_name;
    ll += name.size() > 3 && name.substr(name.size() - 3) == ".ll";
    s += name.size() > 2 && name.substr(name.size() - 2) == ".s";
    if (name[0] != '.') unlink((std::string(folder) + "/" + name).c_str());
  }
  closedir(d);
  rmdir(folder);
  CHECK(ll == 1);
  CHECK(s == 1);
}
TEST_CASE("texts: a kernel and its program tell the order of an element's terms, by handles and by names") {
  Dim M{"M"}, N{"N"};
  Tensor<float, 2> X{"X", {M, N}};
  Tensor<float, 1> y{"y"};
  Index i{"i"};
  Lanes<2> l{"l"};
  y(i) = sum(l, X(i, l));
  const Program program(inputs(X), outputs(y));
  const auto kernel = compile(inputs(X), outputs(y), interpreter());
  const char* const want =
      "y[7] = sum(lanes<2> l < 3, X[7, l])\n"
      "  step    s = s + X[7, l], from s = 0.0\n"
      "  p0      t0 + t2\n"
      "  p1      t1\n"
      "  order   p0 + p1\n";
  CHECK(std::string(program.explain({7}, {{N, 3}})) == want);
  CHECK(std::string(program.explain("y", {7}, {{"N", 3}})) == want);
  CHECK(std::string(kernel.explain(y, {7}, {{N, 3}})) == want);
  CHECK(kernel.explain({7}, {{N, 3}}) == kernel.explain(y, {7}, {{"N", 3}}));      // one text, made once
}
