#pragma once
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_marks {
inline constexpr i64 most_unrolled_copies = 4096;
}

ORDO_INLINE Refusal too_long(const Edit& e, int loop, i64 most, const char* code) {
  const i64 extent = constant_extent(e.stage.loop(loop));
  if (extent >= 1 && extent <= most) return {};
  if (extent == 0) return {code, cannot(e.directive) + ": its extent is 0", "leave it as it is: it has no turns", loop};
  const std::string size = print_size(e.stage.loop(loop).extent);
  return {code, cannot(e.directive) + ": its extent " + size + (extent < 0 ? " is no constant" : " is more than " + std::to_string(most)),
          "split it first and " + e.directive.name + " the inner part: split(" + e.stage.loop(loop).name + ", 8)", loop};
}

ORDO_INLINE Refusal too_many_copies(const Edit& e, const std::vector<int>& order, const std::vector<Mark>& marks, int loop) {
  i64 copies = constant_extent(e.stage.loop(loop));
  std::vector<std::string> others;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[k] != loop && marks[k] == Mark::unrolled) {
      copies *= constant_extent(e.stage.loop(order[k]));
      others.push_back(e.stage.loop(order[k]).name);
      if (copies > detail_marks::most_unrolled_copies) break;
    }
  if (copies <= detail_marks::most_unrolled_copies) return {};
  return {"unroll.size",
          cannot(e.directive) + ": together with " + listed(others) + " that makes more than " +
              std::to_string(detail_marks::most_unrolled_copies) + " copies of the loop body",
          "unroll fewer or shorter loops", loop};
}

ORDO_INLINE std::vector<int> serial_inside(const std::vector<int>& order, const std::vector<Mark>& marks, int loop) {
  std::vector<int> found;
  bool inside = false;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (inside && marks[k] != Mark::unrolled) found.push_back(order[k]);
    inside = inside || order[k] == loop;
  }
  return found;
}

ORDO_INLINE Refusal not_copied(const Edit& e, int loop) {
  const Pack& pack = e.stage.packs[static_cast<std::size_t>(e.pack)];
  std::vector<std::string> names;
  for (const int n : pack.order) names.push_back(e.stage.loop(n).name);
  return {"schedule.copy", cannot(e.directive) + ": " + name_of(e.stage, loop) + " is no loop of the copy",
          "its loops are " + listed(names), loop};
}

ORDO_INLINE Refusal not_innermost(const Edit& e, const std::vector<int>& order, const std::vector<Mark>& marks, int loop) {
  std::vector<int> serial = serial_inside(order, marks, loop);
  if (serial.empty()) return {};
  std::vector<std::string> names;
  for (const int n : serial) names.push_back(e.stage.loop(n).name);
  serial.push_back(loop);
  return {"vectorize.inside",
          cannot(e.directive) + ": " + listed(names) + (names.size() == 1 ? " runs inside it and is" : " run inside it and are") +
              " not unrolled",
          call_of(e.stage, "reorder", serial) + " first, or unroll what is inside", loop};
}

// A copy has no order to keep: any of its loops may be unrolled, vectorized or run in parallel.
ORDO_INLINE Refusal directive::mark_copy(Edit& e) {
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  Pack& pack = e.stage.packs[static_cast<std::size_t>(e.pack)];
  bool known = false;
  for (const int n : pack.order) known = known || n == loop;
  if (!known) return not_copied(e, loop);
  for (const PackMark& mark : pack.asked)
    if (mark.loop == loop)
      return {"schedule.marked",
              cannot(e.directive) + ": it is " + word_of(mark.mark) + " (" + at_line(verb_of(mark.mark), mark.line) + ")",
              "a loop has one mark", loop};
  if (!e.directive.factors.empty())
    return {"parallel.grain", cannot(e.directive) + ": threads take the turns of a copy one by one", "split the loop before it is copied",
            loop};
  const Mark mark = e.directive.name == "unroll" ? Mark::unrolled : e.directive.name == "vectorize" ? Mark::vectorized : Mark::parallel;
  if (mark == Mark::unrolled) {
    if (Refusal r = too_long(e, loop, 64, "unroll.extent")) return r;
    if (Refusal r = too_many_copies(e, pack.order, pack.marks, loop)) return r;
  }
  if (mark == Mark::vectorized) {
    if (Refusal r = too_long(e, loop, 256, "vectorize.extent")) return r;
    for (const PackMark& other : pack.asked)
      if (other.mark == Mark::vectorized)
        return {
            "vectorize.twice",
            cannot(e.directive) + ": " + name_of(e.stage, other.loop) + " is vectorized already (" + at_line("vectorize", other.line) + ")",
            "vectorize one loop of a copy", loop};
    if (Refusal r = not_innermost(e, pack.order, pack.marks, loop)) return r;
  }
  pack.asked.push_back({loop, mark, e.directive.at});
  return {};
}
}  // namespace ordo::nest
