#pragma once
#include "ordo/ir/draft.hpp"

namespace ordo::ir {
namespace detail_gather {
// Calls `met(tensor)` for the tensors that an expression mentions, in reading order. `visited` outlives the call:
// stamps of earlier ones do not count.
template <class Met>
void tensors_of(Ref root, RefMap<u32>& visited, u32 stamp, std::vector<Ref>& stack, Met met) {
  stack.push_back(root);
  while (!stack.empty()) {
    const Ref node = stack.back();
    stack.pop_back();
    if (u32* seen = visited.find(node)) {
      if (*seen == stamp) continue;
      *seen = stamp;
    } else {
      visited.insert(node, stamp);
    }
    if (node->op == Op::Tensor) met(node);
    for (u32 k = node->count; k-- > 0;) stack.push_back(node->src[k]);
  }
}
inline std::string quoted(Ref named) { return std::string("`") + named->name + "`"; }
inline bool listed(Ref tensor, const Ref* list, int count) {
  for (int k = 0; k < count; ++k)
    if (list[k] == tensor) return true;
  return false;
}
inline void check_arguments(const char* what, const Ref* list, int count, Where at) {
  for (int k = 0; k < count; ++k) {
    if (list[k] == nullptr || list[k]->op != Op::Tensor)
      fail("lang.input", at, (std::string(what) + " " + std::to_string(k) + " is no tensor").c_str());
    if (listed(list[k], list, k)) fail("lang.input", at, (quoted(list[k]) + " is listed twice among the " + what + "s").c_str());
  }
}
}  // namespace detail_gather

ORDO_INLINE void Draft::gather(const Ref* inputs, int input_count, const Ref* outputs, int output_count) {
  using namespace detail_gather;
  check_arguments("input", inputs, input_count, program.at);
  check_arguments("output", outputs, output_count, program.at);
  for (int k = 0; k < input_count; ++k)
    if (const RawDefinition* d = definition_of(inputs[k]))
      fail("lang.input", program.at,
           (quoted(inputs[k]) + " is listed as an input and defined at line " + std::to_string(d->at.line)).c_str(),
           "  help: leave it out of the inputs, or define another tensor");
  RefMap<u32> met;
  const auto meet = [&](Ref tensor) {
    if (met.find(tensor) != nullptr) return;
    met.insert(tensor, 0);
    if (const RawDefinition* raw = definition_of(tensor)) {
      definition_of_raw.insert(tensor, static_cast<u32>(definitions.size()));
      definitions.emplace_back();
      definitions.back().tensor = tensor;
      definitions.back().raw = raw;
    } else if (!listed(tensor, inputs, input_count)) {
      open.push_back(tensor);
    }
  };
  std::vector<Ref> stack;
  for (int k = 0; k < output_count; ++k) {
    if (definition_of(outputs[k]) == nullptr)
      fail("lang.undefined", program.at, (quoted(outputs[k]) + " is listed as an output and has no definition").c_str(),
           ("  help: " + std::string(outputs[k]->name) + "(...) = ...;").c_str());
    meet(outputs[k]);
  }
  for (std::size_t d = 0; d < definitions.size(); ++d) {
    const RawDefinition* raw = definitions[d].raw;
    const Ref tensor = definitions[d].tensor;
    std::vector<Ref> reads;
    const auto read = [&](Ref t) {
      reads.push_back(t);
      meet(t);
    };
    ++stamp_;
    for (int k = 0; k < rank_of(tensor); ++k) tensors_of(raw->axes[k], visited_, stamp_, stack, read);
    for (u32 k = 0; k < tensor->count; ++k) tensors_of(tensor->src[k], visited_, stamp_, stack, read);
    tensors_of(raw->value, visited_, stamp_, stack, read);
    definitions[d].reads = reads;
  }
  for (int k = 0; k < input_count; ++k) {  // a shape may mention the extent of a tensor
    ++stamp_;
    for (u32 s = 0; s < inputs[k]->count; ++s) tensors_of(inputs[k]->src[s], visited_, stamp_, stack, meet);
  }
}
}  // namespace ordo::ir
