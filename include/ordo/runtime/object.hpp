// Object files for a linker, for any instruction set that the back-end knows.
#pragma once
#include <string>
#include <vector>
#include "ordo/base/machine.hpp"
#include "ordo/lang/program.hpp"
#include "ordo/nest/schedule.hpp"

namespace ordo {
struct ObjectFile {
  std::string bytes;             // relocatable; besides `entry` it names nothing but the routines of codegen/llvm/routines.hpp
  std::string entry;             // the symbol of a kernel::Entry
};
// The launches of a program, in order. They are called with one kernel::Frame, of row-major arguments.
struct ObjectCode {
  std::vector<ObjectFile> launches;
  std::string frame;             // what it holds, a line each: data by slot, Dims by number, the size of each workspace
};
namespace runtime {
ObjectCode object_code(const ir::Program& program, const nest::Body* schedule, const Target& target, const Machine* machine, const char* name,
                       Where at);
}
// Symbols begin with `name`. Without a schedule the default one is taken. Codes target.*: the interpreter
// has none; a target that was edited says what cannot be.
inline ObjectCode object_code(const Program& program, const Target& target, const char* name, Where at = Where::current()) {
  return runtime::object_code(program.snapshot(), nullptr, target, nullptr, name, at);
}
// Scheduled for another machine than this one. Code machine.value.
inline ObjectCode object_code(const Program& program, const Target& target, const Machine& machine, const char* name,
                              Where at = Where::current()) {
  return runtime::object_code(program.snapshot(), nullptr, target, &machine, name, at);
}
inline ObjectCode object_code(const Schedule& schedule, const Program& program, const Target& target, const char* name,
                              Where at = Where::current()) {
  return runtime::object_code(program.snapshot(), schedule.body(), target, nullptr, name, at);
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/object.ipp"
#endif
