#pragma once
#include "ordo/auto/schedule.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/runtime/environment.hpp"
#include "ordo/runtime/facts.hpp"
#include "ordo/runtime/object.hpp"

namespace ordo::runtime {
namespace detail_object_code {
inline std::string frame(const plan::Plan& plan) {
  const ir::Program& p = plan.nest.program;
  std::string text;
  std::size_t slot = 0;
  const auto data = [&](const std::string& what) { text += "data[" + std::to_string(slot++) + "] " + what + "\n"; };
  std::vector<int> arguments = p.inputs;
  arguments.insert(arguments.end(), p.outputs.begin(), p.outputs.end());
  for (const int number : arguments) {
    const ir::TensorInfo& t = p.tensors[static_cast<std::size_t>(number)];
    std::string shape;
    for (const ir::Ref extent : t.shape) shape += (shape.empty() ? "" : ", ") + ir::print(extent);
    const nest::Promise* promise = nest::promise_of(plan.nest, number);
    data(std::string(t.name) + ": " + name_of(t.type) + "[" + shape + "]" +
         (promise != nullptr ? ", it and its rows " + std::to_string(promise->bytes) + "-byte aligned" : ""));
  }
  for (const plan::Workspace& w : plan.workspaces)
    data(w.name + ": workspace, " + name_of(w.type) + "[" + ir::print(w.elements) + "], 64-byte aligned");
  for (std::size_t d = 0; d < p.dims.size(); ++d) text += "dims[" + std::to_string(d) + "] " + p.dims[d].name + "\n";
  return text + "strides[" + std::to_string(max_rank) + " * slot + dimension], in elements\n";
}
inline bool is_symbol(const char* name) {
  if (name == nullptr || (*name >= '0' && *name <= '9')) return false;
  const char* at = name;
  while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_') ++at;
  return at != name && *at == '\0';
}
}  // namespace detail_object_code

ORDO_INLINE ObjectCode object_code(const ir::Program& program, const nest::Body* schedule, const Target& target, const Machine* machine, const char* name,
                                   Where at) {
  const EnvironmentScope environment;
  if (target.backend != &codegen::llvm::backend())
    fail("target.object", at, (std::string("there are no object files for `") + target.name + "`").c_str(),
         "  help: a target of cpu::, as cpu::named(\"aarch64-neon\")");
  check_facts(target, at);
  if (machine != nullptr) check(*machine, at);
  if (!codegen::llvm::knows(target))
    fail("target.triple", at,
         (std::string("no code is made for the triple `") + target.triple + "` of the target `" + target.name + "`").c_str(),
         ("  help: " + codegen::llvm::known_triples() + ", as cpu::named(...) gives it").c_str());
  if (!detail_object_code::is_symbol(name))
    fail("target.symbol", at, (std::string("`") + (name != nullptr ? name : "") + "` cannot be the name of an entry").c_str(),
         "  help: a name as C has them: letters, digits and _, no digit first");
  nest::Nest nest = nest::make(ir::stages(program));
  nest::apply(nest, schedule != nullptr ? nest::trace_of(schedule) : default_schedule(nest, machine != nullptr ? *machine : detect(target)));
  if (!nest.variants.empty())
    fail("target.specialize", at,
         ("object files hold one schedule, and this one has another for `" + nest.variants[0].nest.special_for + "`").c_str(),
         "  help: make object code of each, and call the one that fits");
  const plan::Plan plan = plan::make(std::move(nest));
  kernel::Layout row_major;
  for (const std::vector<int>* list : {&plan.nest.program.inputs, &plan.nest.program.outputs})
    for (const int number : *list)
      row_major.push_back(static_cast<int>(plan.nest.program.tensors[static_cast<std::size_t>(number)].shape.size()) - 1);
  ObjectCode code;
  code.frame = detail_object_code::frame(plan);
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const std::string entry = std::string(name) + "_" + std::to_string(g);
    const kernel::Kernel k = kernel::lower(plan, static_cast<int>(g), row_major, target);
    code.launches.push_back({codegen::llvm::unsealed_code(k, target, entry.c_str(), false).object, entry});
  }
  return code;
}
}  // namespace ordo::runtime
