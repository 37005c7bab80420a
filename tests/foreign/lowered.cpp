#include "foreign/lowered.hpp"
#include <cstring>
#include "ordo/auto/schedule.hpp"
#include "ordo/ir/simplify.hpp"

namespace foreign {
using namespace ordo;

Setting::Setting(const plan::Plan& plan, const std::vector<Argument>& arguments) {
  for (const ir::DimInfo& d : plan.nest.program.dims) dims.push_back(arguments[static_cast<std::size_t>(d.argument)].shape[d.dimension]);
  strides.resize(arguments.size() * max_rank);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    int unit = -1;
    for (int d = 0; d < arguments[k].rank; ++d) {
      strides[k * max_rank + static_cast<std::size_t>(d)] = arguments[k].stride[d];
      if (arguments[k].stride[d] == 1) unit = d;
    }
    layout.push_back(unit);
  }
  for (const plan::Workspace& w : plan.workspaces)
    workspaces.push_back(static_cast<std::size_t>(ir::evaluate(w.elements, dims.data()) * bytes_of(w.type)) + 64);
}
plan::Plan plan_of(const ir::Program& staged, const nest::Trace* trace, const Target& target) {
  nest::Nest nest = nest::make(ir::copy(staged));
  nest::apply(nest, trace != nullptr ? *trace : default_schedule(nest, target));
  return plan::make(std::move(nest));
}

namespace {
Memory memory_of(const Argument& a, i64& first_byte) {
  i64 low = 0, high = 1;
  for (int d = 0; d < a.rank; ++d) {
    if (a.shape[d] == 0) return first_byte = 0, Memory{};
    (a.stride[d] < 0 ? low : high) += (a.shape[d] - 1) * a.stride[d];
  }
  const unsigned char* const data = static_cast<const unsigned char*>(a.data);
  first_byte = -low * bytes_of(a.type);
  return {{data - first_byte, data + high * bytes_of(a.type)}, true};
}
}  // namespace

Job lowered(Batch& batch, const plan::Plan& plan, const std::vector<Argument>& arguments, const kernel::Planted& planted) {
  const Setting setting(plan, arguments);
  Job job;
  Launch launch;
  launch.dims = setting.dims;
  launch.strides = setting.strides;
  const auto add = [&](Memory memory, i64 first_byte) {
    launch.data.insert(launch.data.end(), {static_cast<i64>(job.memory.size()), first_byte});
    job.memory.push_back(std::move(memory));
  };
  for (const Argument& a : arguments) {
    i64 first_byte = 0;
    Memory m = memory_of(a, first_byte);
    add(std::move(m), first_byte);
  }
  for (const std::size_t bytes : setting.workspaces) add({std::vector<unsigned char>(bytes, 0xfb), false}, 0);
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    launch.entry = batch.add(kernel::lower(plan, static_cast<int>(g), setting.layout, batch.target(), planted));
    job.launches.push_back(launch);
  }
  return job;
}
}  // namespace foreign
