#pragma once
#include "ordo/ir/printer.hpp"
#include "ordo/ir/spelling.hpp"
#include "ordo/ir/text.hpp"

namespace ordo::ir {
ORDO_INLINE void Printer::shape(const TensorInfo& t) {
  say(std::string(": ") + ordo::name_of(t.type));
  if (t.shape.empty()) return;
  say("[");
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    if (d > 0) say(", ");
    expression(t.shape[d]);
  }
  say("]");
}
ORDO_INLINE void Printer::definition(const Definition& d) {
  const TensorInfo& t = program_->tensors[static_cast<std::size_t>(d.tensor)];
  std::vector<Ref> roots;
  for (std::size_t k = 0; k < d.axes.size(); ++k)
    if (extent_of(d.axes[k]) != t.shape[k]) roots.push_back(extent_of(d.axes[k]));
  roots.insert(roots.end(), t.shape.begin(), t.shape.end());
  roots.push_back(d.value);
  begin_line(roots);
  say(spelled(tensors_[static_cast<std::size_t>(d.tensor)]));
  for (std::size_t k = 0; k < d.axes.size(); ++k) {
    say(k == 0 ? "[" : ", ");
    axis(d.axes[k]);
    if (extent_of(d.axes[k]) == t.shape[k]) continue;
    say(" < ");
    expression(extent_of(d.axes[k]), 4);
  }
  if (!d.axes.empty()) say("]");
  shape(t);
  say(" = ");
  expression(d.value);
  say("\n");
  flush();
}
ORDO_INLINE void Printer::program_text() {
  const Program& p = *program_;
  for (std::size_t d = 0; d < p.dims.size(); ++d)
    if (p.dims[d].argument >= static_cast<int>(p.inputs.size())) say("dim " + spelled(dims_[d]) + "\n");
  for (const int number : p.inputs) {
    const TensorInfo& t = p.tensors[static_cast<std::size_t>(number)];
    begin_line(t.shape);
    say("input " + spelled(tensors_[static_cast<std::size_t>(number)]));
    shape(t);
    say("\n");
    flush();
  }
  for (const Definition& d : p.definitions) definition(d);
  for (const SizeCheck& c : p.checks) {
    begin_line({c.left, c.right});
    say("check ");
    expression(c.left, 4);
    say(" == ");
    expression(c.right, 4);
    say(": " + spelled(c.left_name) + ", " + spelled(c.right_name) + "\n");
    flush();
  }
  for (std::size_t k = 0; k < p.outputs.size(); ++k)
    say((k == 0 ? "output " : ", ") + spelled(tensors_[static_cast<std::size_t>(p.outputs[k])]));
  say("\n");
  flush();
}

ORDO_INLINE std::string print(const Program& program) {
  Printer printer(&program);
  printer.program_text();
  return std::move(printer.text);
}
ORDO_INLINE std::string print(Ref expression) {
  if (expression == nullptr) return "nothing";
  Printer printer(nullptr);
  printer.expression(expression);
  printer.flush();
  return std::move(printer.text);
}
}  // namespace ordo::ir
