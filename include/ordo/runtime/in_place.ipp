#pragma once
#include <unordered_set>
#include <utility>
#include "ordo/runtime/in_place.hpp"

namespace ordo::runtime {
namespace detail_in_place {
struct Use { std::size_t definition; bool own; };        // own: read at exactly the left axes
using Uses = std::vector<std::vector<Use>>;              // by tensor

inline void collect(const ir::Program& p, std::size_t definition, Uses& uses) {
  const ir::Definition& d = p.definitions[definition];
  std::unordered_set<ir::Ref> seen{d.value};
  std::vector<ir::Ref> open{d.value};
  while (!open.empty()) {
    const ir::Ref at = open.back();
    open.pop_back();
    if (at->op == ir::Op::Load) uses[static_cast<std::size_t>(at->src[0]->arg)].push_back({definition, ir::reads_own_place(d, at)});
    for (u32 k = 0; k < at->count; ++k)
      if (seen.insert(at->src[k]).second) open.push_back(at->src[k]);
  }
}
}  // namespace detail_in_place

ORDO_INLINE InPlace::InPlace(const ir::Program& program)
    : outputs_(program.outputs.size()), allowed_(program.inputs.size() * program.outputs.size(), false) {
  const std::size_t definitions = program.definitions.size();
  detail_in_place::Uses uses(program.tensors.size());
  for (std::size_t d = 0; d < definitions; ++d) detail_in_place::collect(program, d, uses);
  std::vector<bool> beside(definitions);         // computed at an element only for the output's element of that place
  const auto only_beside = [&](int tensor) {
    for (const detail_in_place::Use& u : uses[static_cast<std::size_t>(tensor)])
      if (!u.own || !beside[u.definition]) return false;
    return true;
  };
  for (std::size_t o = 0; o < outputs_; ++o) {
    beside.assign(definitions, false);
    for (std::size_t d = definitions; d-- > 0;) {
      const int tensor = program.definitions[d].tensor;
      beside[d] = tensor == program.outputs[o] || (!uses[static_cast<std::size_t>(tensor)].empty() && only_beside(tensor));
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i) allowed_[i * outputs_ + o] = only_beside(program.inputs[i]);
  }
}
}  // namespace ordo::runtime
