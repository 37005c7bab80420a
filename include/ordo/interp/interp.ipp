#pragma once
#include <cstring>
#include <string>
#include "ordo/interp/check.hpp"
#include "ordo/interp/interp.hpp"
#include "ordo/interp/machine.hpp"

namespace ordo {
namespace interp::detail_interp {
[[noreturn]] inline void refuse(const ir::Program& program, const Machine& machine, const Failure& f, Where at) {
  const std::string name = program.tensors[f.tensor].name, file = f.at.file;
  std::string more;
  if (f.at.line != 0) more = "  read at " + file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(f.at.line);
  fail("run.index", at,
       ("index " + std::to_string(f.value) + " of dimension " + std::to_string(f.dimension) + " of `" + name +
        "` is out of range: its extent is " + std::to_string(machine.array(static_cast<int>(f.tensor)).shape[f.dimension]))
           .c_str(),
       more.c_str());
}
inline void write(const Array& from, const Argument& to) {
  const std::size_t bytes = static_cast<std::size_t>(bytes_of(from.type));
  i64 index[max_rank] = {};
  for (i64 at = 0; at < from.elements; ++at) {
    i64 offset = 0;
    for (int d = 0; d < from.rank; ++d) offset += index[d] * to.stride[d];
    std::memcpy(static_cast<u8*>(to.data) + offset * static_cast<i64>(bytes), from.own.data() + static_cast<std::size_t>(at) * bytes,
                bytes);
    for (int d = from.rank; d-- > 0;) {
      if (++index[d] < from.shape[d]) break;
      index[d] = 0;
    }
  }
}
}  // namespace interp::detail_interp

ORDO_INLINE void interpret(const ir::Program& program, const Argument* arguments, int count, Where at) {
  const std::vector<i64> dims = interp::check(program, arguments, count, at);
  interp::Machine machine(program, arguments, dims.data(), at);
  machine.run();
  for (const int tensor : program.outputs)
    for (const u32 failed : machine.array(tensor).failed)
      if (failed != 0) interp::detail_interp::refuse(program, machine, machine.failure(failed), at);
  for (std::size_t k = 0; k < program.outputs.size(); ++k)
    interp::detail_interp::write(machine.array(program.outputs[k]), arguments[program.inputs.size() + k]);
}
}  // namespace ordo
