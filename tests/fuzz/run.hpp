// Runs a program in three ways on the same random inputs: interpreter, `walk` of the lowered kernels, machine code.
#pragma once
#include <string>
#include <vector>
#include "fuzz/guarded.hpp"
#include "fuzz/random.hpp"
#include "ordo/base/argument.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/nest/nest.hpp"
#include "ordo/runtime/calls.hpp"

namespace fuzz {
// Arguments of one call: inputs filled with ordinary and special values, outputs poisoned.
class Data {
 public:
  Data(const ordo::ir::Program& program, Random& random);
  std::vector<ordo::Argument> arguments() const { return arguments_; }
  void poison();
  std::string outputs() const;           // bytes of all outputs, in order
  std::string sizes() const;             // "N0=3 N1=7"

 private:
  const ordo::ir::Program& program_;
  std::vector<ordo::i64> dims_;
  std::vector<Guarded> bytes_;
  std::vector<ordo::Argument> arguments_;
};
void interpret_all(const ordo::ir::Program& program, Data& data);
void walk_all(const ordo::ir::Program& staged, const ordo::nest::Trace& trace, const ordo::Target& target,
              const ordo::kernel::Planted& planted, Data& data);
void run_all(const ordo::ir::Program& program, const ordo::nest::Trace& trace, bool by_default, const ordo::Target& target, int threads,
             Data& data);
// Metrics and picture of the scheduled nest; with sizes, all of them numbers.
void describe(const ordo::ir::Program& staged, const ordo::nest::Trace& trace);
// Written as JSON and read again it is the same, and its groups have the same keys, so the same machine code.
void replay(const ordo::ir::Program& staged, const ordo::nest::Trace& trace);
}  // namespace fuzz
