// Promises where an argument lies: its first byte, and so the strides of all dimensions but the last, are multiples of some bytes.
//   before: C:                                      after: C:                            align(A, 64)
//             for i, for k                                   A at multiples of 64 bytes
//                                                            for i, for k
// Keeps: every value. Each call is checked before it touches memory; vectors that begin at such a multiple are read and stored as aligned.
#pragma once
#include <algorithm>
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_align {
inline constexpr i64 most_bytes = 4096;
inline Refusal no(const Edit& e, const char* code, const std::string& why, const std::string& help) {
  return {code, cannot(e.directive) + ": " + why, help, -1};
}
inline Refusal find_tensor(const Edit& e, int& tensor) {
  std::vector<int> known = reads_through(e.nest, e.number);
  known.push_back(definition_of(e.nest, e.stage).tensor);
  std::vector<std::string> names;
  for (const int t : known)
    if (const ir::TensorInfo& info = e.nest.program.tensors[static_cast<std::size_t>(t)]; info.input || info.output)
      names.push_back(e.nest.names[static_cast<std::size_t>(t)]);
  const std::string near = did_you_mean(e.directive.tensor, names), by = ticked(e.stage.name);
  const std::string help = !near.empty()   ? near
                           : names.empty() ? "leave it out"
                                           : "arguments that " + by + " reads or writes: " + listed(names);
  const auto it = std::find(e.nest.names.begin(), e.nest.names.end(), e.directive.tensor);
  if (it == e.nest.names.end()) return no(e, "align.tensor", ticked(e.directive.tensor) + " is no tensor of this program", help);
  tensor = static_cast<int>(it - e.nest.names.begin());
  const ir::TensorInfo& t = e.nest.program.tensors[static_cast<std::size_t>(tensor)];
  if (!t.input && !t.output)
    return no(e, "align.tensor", "it is no argument of a call, but made here: its memory begins at a multiple of 64 bytes", help);
  if (std::find(known.begin(), known.end(), tensor) == known.end()) return no(e, "align.tensor", by + " neither reads nor writes it", help);
  return {};
}
}  // namespace detail_align

ORDO_INLINE Refusal directive::align(Edit& e) {
  using namespace detail_align;
  int tensor = -1;
  if (Refusal r = find_tensor(e, tensor)) return r;
  const std::string& text = e.directive.factors[0];
  const i64 least = bytes_of(e.nest.program.tensors[static_cast<std::size_t>(tensor)].type);
  i64 bytes = 0;
  for (const char c : text.size() <= 4 ? text : "") bytes = c >= '0' && c <= '9' && bytes >= 0 ? bytes * 10 + (c - '0') : -1;
  if (e.directive.factors.size() != 1 || bytes < least || bytes > most_bytes || (bytes & (bytes - 1)) != 0)
    return no(e, "align.bytes",
              "a promise is a power of two from " + std::to_string(least) + ", the size of an element, to " + std::to_string(most_bytes),
              "align(" + e.directive.tensor + ", 64)");
  for (const Promise& p : e.stage.promises)
    if (p.tensor == tensor)
      return no(e, "align.twice", "its multiple is promised already (" + at_line("align", p.line) + ")", "promise the larger one");
  e.stage.promises.push_back({tensor, bytes, e.directive.at});
  return {};
}

ORDO_INLINE const Promise* promise_of(const Nest& nest, int tensor) {
  const Promise* most = nullptr;
  for (const Stage& s : nest.stages)
    for (const Promise& p : s.promises)
      if (p.tensor == tensor && (most == nullptr || p.bytes > most->bytes)) most = &p;
  return most;
}

ORDO_INLINE void align(const StageHandle* s, ir::Ref raw_tensor, i64 bytes, Where at) {
  Call call(s, "align", at);
  call.tensor(raw_tensor);
  call.directive.factors.push_back(std::to_string(bytes));
  call.apply();
}
}  // namespace ordo::nest
