// The compiled targets on which `everywhere` runs programs, where the build has LLVM.
#include "lang/everywhere.hpp"
#include "ordo/cpu.hpp"

namespace {
const bool listed = [] {
  using namespace ordo;
  everywhere::ways().push_back({"host", cpu::host()});
  if (const Target old = cpu::named("x86-64-v2"); cpu::runs_here(old)) everywhere::ways().push_back({"x86-64-v2", old});
  return true;
}();
}  // namespace
