// Which functions are correctly rounded, over how many inputs; and the worst error of the others.
//   build/release/tests/functions_report [--stride N] [--pairs N] [--doubles N] [--target NAME] [--no-f32] [--assembly] [FUNCTION...]
// By default all 2^32 inputs of f32 functions of one operand, 10^8 pairs of f32, 10^7 inputs of f64.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "functions/kernel.hpp"
#include "functions/sweep.hpp"

namespace {
bool line(const char* name, const char* type, const functions::Found& found, double seconds) {
  std::printf("%-14s %-4s inputs=%-11llu wrong=%-6llu worst_ulp=%-9.4g %s  (%.0f s)\n", name, type, found.tried, found.wrong, found.worst,
              found.examples.empty() ? "" : found.examples[0].c_str(), seconds);
  for (std::size_t k = 1; k < found.examples.size(); ++k) std::printf("    %s\n", found.examples[k].c_str());
  std::fflush(stdout);
  return found.wrong == 0;
}
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
}  // namespace

int main(int count, char** argument) {
  unsigned long long stride = 1, pairs = 100'000'000, doubles = 10'000'000;
  ordo::Target target = ordo::cpu::host();
  bool assembly = false, singles = true, good = true;
  std::vector<std::string> names;
  for (int k = 1; k < count; ++k) {
    const auto is = [&](const char* option) { return std::strcmp(argument[k], option) == 0; };
    if (is("--stride")) stride = std::strtoull(argument[++k], nullptr, 10);
    else if (is("--pairs")) pairs = std::strtoull(argument[++k], nullptr, 10);
    else if (is("--doubles")) doubles = std::strtoull(argument[++k], nullptr, 10);
    else if (is("--target")) target = ordo::cpu::named(argument[++k]);
    else if (is("--no-f32")) singles = false;
    else if (is("--assembly")) assembly = true;
    else names.emplace_back(argument[k]);
  }
  if (names.empty())
    for (const oracle::Function& f : oracle::functions()) names.emplace_back(f.name);
  for (const std::string& name : names) {
    const oracle::Function& f = oracle::named(name);
    if (assembly) {
      std::fputs(functions::Compiled<float>(f, target).assembly(), stdout);
      continue;
    }
    try {
      if (singles) {
        const double begin = now();
        const functions::Found found = f.binary() ? functions::pairs(f, target, pairs, 1) : functions::sweep(f, target, 0, stride);
        good &= line(f.name, "f32", found, now() - begin);
        if (name == "pow") good &= line("pow, exact", "f32", functions::exact_powers(f, target, stride > 1 ? 61 : 1), now() - begin);
      }
      if (doubles > 0 && name.compare(0, 6, "approx") != 0) {
        const double begin = now();
        const functions::Found found = functions::doubles(f, target, doubles, 1);
        good &= line(f.name, "f64", found, now() - begin);
      }
    } catch (const std::exception& e) {
      std::printf("%-14s %s\n", f.name, e.what());
      good = false;
    }
  }
  return good ? 0 : 1;
}
