// How a stage that other stages read is stored: its dimensions in another order, outermost first; one may be cut in blocks of a
// constant size, whose number and whose elements have places of their own.
//   before: T[n, c, h, w]                           after: T:                            layout({n, c / 16, h, w, c % 16})
//                                                            stored as [n, c / 16, h, w, c % 16]
// Keeps: every value. Whoever reads it finds it there; a last block that is not full is stored whole.
#pragma once
#include <algorithm>
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_layout {
inline Refusal no(const Edit& e, const char* code, const std::string& why, const std::string& help) {
  return {code, cannot(e.directive) + ": " + why, help, -1};
}
// "c / 16" -> the loop that the axis was made with, what is done with it, and by how much; false: something else.
inline bool parse(const std::string& text, std::string& name, char& op, i64& factor) {
  const std::size_t space = text.find(' ');
  name = text.substr(0, space);
  op = '\0';
  factor = 0;
  if (space == std::string::npos) return !name.empty();
  if (text.size() < space + 4 || text.size() > space + 12 || text[space + 2] != ' ') return false;
  op = text[space + 1];
  for (std::size_t k = space + 3; k < text.size(); ++k) {
    if (text[k] < '0' || text[k] > '9') return false;
    factor = factor * 10 + (text[k] - '0');
  }
  return op == '/' || op == '%';
}
inline Refusal read(const Edit& e, std::vector<Stored>& order) {
  const ir::Definition& d = definition_of(e.nest, e.stage);
  std::vector<std::string> names(d.axes.size());
  for (const Root& root : e.stage.roots)
    for (std::size_t k = 0; k < d.axes.size(); ++k)
      if (root.axis == d.axes[k]) names[k] = e.stage.loop(root.loop).name;
  const std::string help = "list " + listed(names) + " once each, or one as `x / 16` and `x % 16`";
  std::vector<const Stored*> seen(d.axes.size() * 3, nullptr);
  order.reserve(e.directive.factors.size());
  for (const std::string& text : e.directive.factors) {
    std::string name;
    char op = '\0';
    i64 factor = 0;
    const bool plain = parse(text, name, op, factor);
    const auto it = std::find(names.begin(), names.end(), name);
    if (!plain || it == names.end())
      return no(e, "layout.dimension", ticked(text) + " is neither a dimension of " + ticked(e.stage.name) + " nor a part of one", help);
    if (op != '\0' && (factor < 2 || factor > most_block))
      return no(e, "layout.block", "a block has from 2 to " + std::to_string(most_block) + " elements", help);
    const std::size_t dimension = static_cast<std::size_t>(it - names.begin());
    order.push_back({static_cast<int>(dimension),
                     op == '\0'  ? Stored::Part::whole
                     : op == '/' ? Stored::Part::block
                                 : Stored::Part::element,
                     factor});
    const Stored*& slot = seen[dimension * 3 + static_cast<std::size_t>(order.back().part)];
    if (slot != nullptr) return no(e, "layout.dimension", ticked(text) + " is listed twice", help);
    slot = &order.back();
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Stored *whole = seen[k * 3], *block = seen[k * 3 + 1], *element = seen[k * 3 + 2];
    const bool parts = block != nullptr && element != nullptr && block->factor == element->factor;
    if (whole == nullptr ? parts : block == nullptr && element == nullptr) continue;
    return no(e, "layout.dimension",
              whole == nullptr && block == nullptr && element == nullptr
                  ? ticked(names[k]) + " is not listed"
                  : "places are one to one only where " + ticked(names[k]) + " is listed whole, or as its blocks and the elements of those",
              help);
  }
  return {};
}
}  // namespace detail_layout

ORDO_INLINE Refusal directive::layout(Edit& e) {
  using namespace detail_layout;
  const ir::Definition& d = definition_of(e.nest, e.stage);
  if (e.nest.program.tensors[static_cast<std::size_t>(d.tensor)].output)
    return no(e, "layout.output", "it is an output, and the caller says where each of its elements lies",
              "index it so in the algorithm: " + e.stage.name +
                  "(n, co, h, w, ci) = X(n, co * 16 + ci, h, w); or pass a view with other strides");
  if (!e.stage.layout.empty())
    return no(e, "layout.twice", "it has a layout already (" + at_line("layout", e.stage.laid_out) + ")", "list all dimensions in one");
  std::vector<Stored> order;
  if (Refusal r = read(e, order)) return r;
  e.stage.layout = std::move(order);
  e.stage.laid_out = e.directive.at;
  return {};
}

ORDO_INLINE std::string print_layout(const Stage& stage, const ir::Definition& definition) {
  std::string text;
  for (const Stored& s : stage.layout) {
    text += (text.empty() ? "[" : ", ") + std::string(definition.axes[static_cast<std::size_t>(s.dimension)]->name);
    if (s.part != Stored::Part::whole) text += (s.part == Stored::Part::block ? " / " : " % ") + std::to_string(s.factor);
  }
  return text + "]";
}

ORDO_INLINE void layout(const StageHandle* s, const ir::Ref* places, int count, Where at) {
  Call call(s, "layout", at);
  for (int k = 0; k < count; ++k) call.place(places[k]);
  call.apply();
}
}  // namespace ordo::nest
