// Recurrences: of one tensor and of two, that read themselves at their own place, elsewhere, or summed up.
#include "fuzz/program.hpp"

namespace fuzz {
using namespace ordo;
using namespace ordo::ir;

// Y a few steps before; its other indices are those of the reader, turned round, shifted, or under a guard.
Ref Generator::before(const Tensor& y, Type t, const std::vector<Axis>& axes, std::size_t time) {
  std::vector<Ref> at;
  bool guarded = false;
  const bool own = random_.chance(50);
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const Axis& a = axes[d];
    if (d == time) {
      at.push_back(b_.binary(Op::Sub, a.node, integer(random_.chance(75) ? 1 : random_.between(2, 9))));
      continue;
    }
    const i64 kind = own ? 9 : random_.below(6);
    if (kind == 0) at.push_back(b_.binary(Op::Sub, b_.binary(Op::Sub, a.extent, integer(1)), a.node));
    else if (kind == 1) at.push_back(b_.binary(Op::FloorMod, b_.binary(Op::Add, a.node, integer(1)), a.extent));
    else if (kind == 2) at.push_back(integer(0));
    else if (kind == 3) at.push_back(b_.binary(Op::Sub, a.node, integer(1))), guarded = true;
    else at.push_back(a.node);
    if (kind == 2 && a.extent->op != Op::Const) at.back() = a.node;  // there may be no element 0
  }
  const Ref l = b_.load(y.node, at.data(), static_cast<int>(at.size()), {});
  if (!guarded) return l;
  Ref inside = nullptr;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    if (d == time) continue;
    const Ref here = b_.binary(Op::Ge, at[d], integer(0));
    inside = inside == nullptr ? here : b_.binary(Op::And, inside, here);
  }
  return b_.ternary(Op::Select, inside, l, number(t));
}

// What a step makes of earlier ones.
Ref Generator::earlier(const Tensor& y, Type t, const std::vector<Axis>& axes, std::size_t time) {
  const auto damped = [&](Ref x) { return is_float(t) ? b_.binary(Op::Mul, x, b_.constant(t, 0.5, {})) : x; };
  const i64 kind = random_.below(8);
  if (kind < 3) return damped(before(y, t, axes, time));
  if (kind == 3) return b_.binary(random_.chance(50) ? Op::Max : Op::Min, before(y, t, axes, time), expression(t, axes, 1));
  if (kind == 4) return b_.binary(Op::Add, damped(before(y, t, axes, time)), damped(damped(before(y, t, axes, time))));
  if (kind == 5) return b_.ternary(Op::Select, condition(axes, 1), before(y, t, axes, time), expression(t, axes, 1));
  std::vector<Axis> inner = axes;  // one of its axes runs inside a sum
  const std::size_t over = static_cast<std::size_t>(random_.below(static_cast<i64>(axes.size())));
  if (over == time) return damped(before(y, t, axes, time));
  const Ref k = axis_of(random_.of(std::vector<Order>{Order::chain, Order::lanes, Order::blocks}), axes[over].extent);
  inner[over] = {k, axes[over].extent};
  std::vector<Ref> at;
  for (std::size_t d = 0; d < axes.size(); ++d) at.push_back(d == time ? b_.binary(Op::Sub, axes[d].node, integer(1)) : inner[d].node);
  std::vector<Axis> all = axes;
  all.push_back(inner[over]);
  const Ref l = b_.load(y.node, at.data(), static_cast<int>(at.size()), {});
  const Ref term = random_.chance(70) ? b_.binary(Op::Mul, l, read(t, all)) : l;
  return damped(
      b_.fold(random_.chance(80) ? Fold::sum : Fold::max, t, &k, 1, term, random_.chance(20) ? condition(all, 1) : nullptr, nullptr, {}));
}

Ref Generator::start(Type t, std::vector<Axis> axes, std::size_t time) {
  if (random_.chance(15)) return b_.cast(t, b_.binary(Op::Add, axes[time].node, integer(2)));
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(time));
  return axes.empty() || random_.chance(30) ? number(t) : expression(t, axes, 1);
}

void Generator::recurrence() {
  const Type t = compute();
  std::vector<Axis> axes;
  const std::size_t rank = static_cast<std::size_t>(random_.between(1, 3)),
                    time = static_cast<std::size_t>(random_.below(static_cast<i64>(rank)));
  std::vector<Ref> at, shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const Ref e = extent();
    axes.push_back({b_.axis(name(d == time ? "t" : "i").c_str(), d == time ? Order::scan : Order::free, 1, 0, e, {}), e});
    at.push_back(axes.back().node);
    shape.push_back(e);
  }
  const auto tensor = [&](const char* stem) {
    const Type stored = storage(t);
    return Tensor{b_.tensor(name(stem).c_str(), stored, static_cast<int>(rank), nullptr, {}), stored, shape};
  };
  const auto here = [&](const Tensor& y) { return b_.load(y.node, at.data(), static_cast<int>(rank), {}); };
  const Ref now = axes[time].node;
  const Tensor y = tensor("Y");
  const i64 kind = random_.below(10);
  if (kind < 5) {
    b_.define(here(y), b_.scan(now, start(t, axes, time), b_.binary(Op::Add, earlier(y, t, axes, time), expression(t, axes, 1)), {}));
  } else if (kind < 8) {  // something between two steps that is no scan
    const Tensor g = tensor("G");
    b_.define(here(g), b_.binary(Op::Add, earlier(y, t, axes, time), expression(t, axes, 1)));
    const Ref again = random_.chance(50) ? earlier(y, t, axes, time) : expression(t, axes, 1);
    b_.define(here(y), b_.scan(now, start(t, axes, time), b_.binary(Op::Sub, here(g), again), {}));
    stages_.push_back(g);
  } else {  // each reads the other
    const Tensor z = tensor("Z");
    b_.define(here(z), b_.scan(now, start(t, axes, time), b_.binary(Op::Sub, earlier(y, t, axes, time), expression(t, axes, 1)), {}));
    const Ref other = random_.chance(50) ? here(z) : earlier(z, t, axes, time);
    b_.define(here(y), b_.scan(now, start(t, axes, time), b_.binary(Op::Add, other, earlier(y, t, axes, time)), {}));
    stages_.push_back(z);
  }
  stages_.push_back(y);
  if (!random_.chance(40)) return;
  axes[time].node = b_.axis(name("i").c_str(), Order::free, 1, 0, axes[time].extent, {});  // a stage that reads the last steps
  at[time] = axes[time].node;
  const Tensor w = tensor("W");
  const Ref last = here(y);
  at[time] = b_.binary(Op::Sub, axes[time].node, integer(1));
  const Ref first = b_.binary(Op::Gt, axes[time].node, integer(0)), before = b_.ternary(Op::Select, first, here(y), number(t));
  at[time] = axes[time].node;
  b_.define(here(w), b_.binary(Op::Add, random_.chance(70) ? b_.binary(Op::Sub, last, before) : last, expression(t, axes, 1)));
  stages_.push_back(w);
}
}  // namespace fuzz
