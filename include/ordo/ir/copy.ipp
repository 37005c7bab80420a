#pragma once
#include "ordo/ir/form.hpp"
#include "ordo/ir/free_axes.hpp"
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/program.hpp"

namespace ordo::ir {
namespace detail_copy {
class Copier {
 public:
  explicit Copier(Arena& to) : to_(to) {}
  Ref operator()(Ref expression) {
    if (expression == nullptr) return nullptr;
    post_order(
        expression, [this](Ref e) { return made_.find(e) != nullptr; }, [this](Ref e) { made_.insert(e, rebuilt(e)); });
    return *made_.find(expression);
  }

 private:
  Ref rebuilt(Ref e) {
    sources_.clear();
    for (u32 k = 0; k < e->count; ++k) sources_.push_back(*made_.find(e->src[k]));
    return to_.make(e->op, e->type, sources_.data(), e->count, e->arg, e->name, e->at, e->lanes);
  }
  Arena& to_;
  RefMap<Ref> made_;
  std::vector<Ref> sources_;
};
}  // namespace detail_copy

ORDO_INLINE Ref copy(Ref expression, Arena& to) { return detail_copy::Copier(to)(expression); }

ORDO_INLINE Program copy(const Program& program) {
  Program made;
  detail_copy::Copier copier(made.arena);
  made.at = program.at;
  made.inputs = program.inputs;
  made.outputs = program.outputs;
  made.dims = program.dims;
  for (DimInfo& d : made.dims) d.name = made.arena.intern(d.name), d.node = copier(d.node);
  made.tensors = program.tensors;
  for (TensorInfo& t : made.tensors) {
    t.name = made.arena.intern(t.name);
    t.node = copier(t.node);
    for (Ref& size : t.shape) size = copier(size);
  }
  made.definitions = program.definitions;
  for (Definition& d : made.definitions) {
    for (Ref& axis : d.axes) axis = copier(axis);
    d.value = copier(d.value);
    for (Handle& h : d.handles) h.axis = copier(h.axis);
  }
  made.checks = program.checks;
  for (SizeCheck& c : made.checks) {
    c = {copier(c.left), copier(c.right), made.arena.intern(c.left_name), made.arena.intern(c.right_name), c.at};
  }
  return made;
}

ORDO_INLINE bool mentions(Ref expression, Ref node) {
  RefMap<bool> seen;
  bool found = false;
  post_order(
      expression, [&](Ref e) { return found || seen.find(e) != nullptr; },
      [&](Ref e) {
        found = found || e == node;
        seen.insert(e, true);
      });
  return found;
}

ORDO_INLINE std::vector<Ref> free_axes(Ref expression) { return FreeAxes().of(expression); }
}  // namespace ordo::ir
