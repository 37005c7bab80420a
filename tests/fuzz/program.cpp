#include "fuzz/program.hpp"

namespace fuzz {
using namespace ordo;
using namespace ordo::ir;

Ref Generator::extent() {
  if (dims_.empty() || (dims_.size() < 3 && random_.chance(40))) dims_.push_back(b_.dim(name("N").c_str()));
  const Ref d = random_.of(dims_);
  switch (random_.below(6)) {
    case 0: return integer(random_.between(1, 20));
    case 1: return b_.binary(Op::Add, d, integer(random_.between(1, 3)));
    default: return d;
  }
}

// A new input indexed by affine functions of some of the axes, as large as they reach.
Ref Generator::read(Type t, const std::vector<Axis>& axes) {
  const Type stored = storage(t);
  std::vector<Ref> shape, at;
  for (const Axis& a : axes) {
    if (random_.chance(25)) continue;
    const i64 by = random_.chance(15) ? 2 : 1, offset = random_.chance(25) ? random_.between(1, 2) : 0;
    Ref i = by == 1 ? a.node : b_.binary(Op::Mul, a.node, integer(by));
    Ref e = by == 1 ? a.extent : b_.binary(Op::Mul, a.extent, integer(by));
    if (offset > 0) {
      i = b_.binary(Op::Add, i, integer(offset));
      e = b_.binary(Op::Add, e, integer(offset));
    }
    at.push_back(i);
    shape.push_back(e);
  }
  if (at.size() > 1 && random_.chance(30)) {
    std::swap(at.front(), at.back());
    std::swap(shape.front(), shape.back());
  }
  const Ref x = b_.tensor(name("X").c_str(), stored, static_cast<int>(at.size()), shape.data(), {});
  inputs_.push_back({x, stored, shape});
  return b_.load(x, at.data(), static_cast<int>(at.size()), {});
}

Ref Generator::input(Type t, const std::vector<Ref>& shape, const std::vector<Ref>& at) {
  const Type stored = storage(t);
  const Ref x = b_.tensor(name("X").c_str(), stored, static_cast<int>(at.size()), shape.data(), {});
  inputs_.push_back({x, stored, shape});
  return b_.load(x, at.data(), static_cast<int>(at.size()), {});
}
Ref Generator::otherwise(Ref load, Type t) { return b_.ternary(Op::Select, b_.inside(load), load, number(t)); }

// Two axes in one index, as a convolution reads; padded and guarded, or of an input that is large enough.
Ref Generator::window(Type t, const std::vector<Axis>& axes) {
  const Axis a = random_.of(axes), c = random_.of(axes);
  const i64 by = random_.between(1, 2);
  const Ref i = b_.binary(Op::Add, b_.binary(Op::Mul, a.node, integer(by)), c.node);
  if (random_.chance(50)) return input(t, {b_.binary(Op::Add, b_.binary(Op::Mul, a.extent, integer(by)), c.extent)}, {i});
  return otherwise(input(t, {a.extent}, {b_.binary(Op::Sub, i, integer(random_.between(0, 2)))}), t);
}

Ref Generator::divided(Type t, const std::vector<Axis>& axes) {
  const Axis a = random_.of(axes);
  const i64 by = random_.between(2, 5);
  const Ref quotient = b_.binary(random_.chance(50) ? Op::FloorDiv : Op::Div, a.node, integer(by));
  const Ref rest = b_.binary(random_.chance(50) ? Op::FloorMod : Op::Mod, a.node, integer(by));
  return random_.chance(50) ? input(t, {a.extent, integer(by)}, {quotient, rest}) : input(t, {integer(by)}, {rest});
}

// Data says where: brought into range, guarded, or left to the test of each element.
Ref Generator::gather(Type t, const std::vector<Axis>& axes) {
  const Ref whole = random_.chance(70) ? integer(random_.between(1, 12)) : extent();
  Ref i = b_.cast(Type::i64, random_.chance(80) ? read(Type::i32, axes) : expression(Type::i32, axes, 1));
  const i64 kind = random_.below(10);
  if (kind < 5) i = b_.binary(Op::FloorMod, i, whole);
  else if (kind < 7) i = b_.binary(Op::Max, b_.binary(Op::Min, i, b_.binary(Op::Sub, whole, integer(1))), integer(0));
  const Axis a = random_.of(axes);
  const Ref l = random_.chance(50) ? input(t, {whole}, {i}) : input(t, {whole, a.extent}, {i, a.node});
  return kind < 9 ? otherwise(l, t) : l;
}

// An earlier stage, read where it is in range: at axes of its own extents, clipped, or under a guard.
Ref Generator::read_stage(Type t, const std::vector<Axis>& axes) {
  std::vector<Tensor> fit;
  for (const Tensor& s : stages_)
    if (compute_type(s.type) == t) fit.push_back(s);
  if (fit.empty() || axes.empty()) return read(t, axes);
  const Tensor s = random_.of(fit);
  std::vector<Ref> at;
  bool guarded = false;
  for (const Ref e : s.shape) {
    Ref i = nullptr;
    for (const Axis& a : axes)
      if (a.extent == e && random_.chance(80)) i = a.node;
    if (i == nullptr) {
      i = b_.binary(Op::Add, random_.of(axes).node, integer(random_.between(-1, 1)));
      guarded = true;
    }
    at.push_back(i);
  }
  const Ref l = b_.load(s.node, at.data(), static_cast<int>(at.size()), {});
  return guarded ? b_.ternary(Op::Select, b_.inside(l), l, number(t)) : l;
}

Ref Generator::leaf(Type t, const std::vector<Axis>& axes) {
  const i64 pick = random_.below(10);
  if (pick < 2) return number(t);
  if (pick == 2 && !axes.empty()) return t == Type::i64 ? random_.of(axes).node : b_.cast(t, random_.of(axes).node);
  if (pick < 6 && !stages_.empty()) return read_stage(t, axes);
  if (inputs_.size() > 5) return number(t);
  if (axes.empty() || random_.chance(60)) return read(t, axes);
  const i64 other = random_.below(3);
  return other == 0 ? window(t, axes) : other == 1 ? divided(t, axes) : gather(t, axes);
}

Ref Generator::condition(const std::vector<Axis>& axes, int depth) {
  const Type t = random_.chance(50) && !axes.empty() ? Type::i64 : compute();
  const Op compare[] = {Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne};
  const Ref a = t == Type::i64 && !axes.empty() ? random_.of(axes).node : expression(t, axes, depth - 1);
  const Ref c =
      b_.binary(compare[random_.below(6)], a, t == Type::i64 && !axes.empty() && random_.chance(50) ? random_.of(axes).node : number(t));
  if (depth <= 0 || random_.chance(70)) return c;
  return random_.chance(50) ? b_.unary(Op::Not, c) : b_.binary(random_.chance(50) ? Op::And : Op::Or, c, condition(axes, depth - 1));
}

// A left axis is what data says: a scatter, a histogram.
Ref Generator::destination(const std::vector<Axis>& axes, std::size_t left) {
  const Ref to = axes[static_cast<std::size_t>(scatters_.below(static_cast<i64>(left)))].node;
  const Type t = scatters_.of(std::vector<Type>{Type::i64, Type::i32, Type::u32, Type::u8, Type::i8});
  std::vector<Axis> of{axes.back()};
  if (scatters_.chance(40)) of.push_back(scatters_.of(axes));
  const Ref place = b_.cast(Type::i64, read(compute_type(t) == Type::i64 ? Type::i32 : compute_type(t), of));
  const Ref a = t == Type::i64 ? place : b_.cast(t, place), c = t == Type::i64 ? to : b_.cast(t, to);
  const Ref equal = scatters_.chance(50) ? b_.binary(Op::Eq, a, c) : b_.binary(Op::Eq, c, a);
  return scatters_.chance(70) ? equal : b_.binary(Op::And, equal, condition(axes, 1));
}

Ref Generator::function(Ref x) {
  std::vector<Op> all;
  for (int k = 0; k < ir::op_count; ++k)
    if (const Op o = static_cast<Op>(k); ir::is_function(o) && !(ir::is_approx(o) && x->type != Type::f32)) all.push_back(o);
  const Op o = functions_.of(all);
  return class_of(o) == ir::OpClass::binary ? b_.binary(o, x, x) : b_.unary(o, x);
}

Ref Generator::expression(Type t, const std::vector<Axis>& axes, int depth) {
  if (depth <= 0 || random_.chance(20)) return leaf(t, axes);
  const auto sub = [&] { return expression(t, axes, depth - 1); };
  if (random_.chance(12)) return b_.ternary(Op::Select, condition(axes, depth - 1), sub(), sub());
  if (random_.chance(12)) return converted(t, axes, depth - 1);
  if (is_float(t)) {
    if (functions_.chance(4)) return function(sub());
    switch (random_.below(12)) {
      case 0: return b_.ternary(Op::Fma, sub(), sub(), sub());
      case 1: return b_.unary(Op::Sqrt, b_.unary(Op::Abs, sub()));
      case 2: return b_.unary(random_.of(std::vector<Op>{Op::Neg, Op::Abs, Op::Floor, Op::Ceil, Op::Trunc, Op::Round}), sub());
      case 3: return b_.binary(random_.of(std::vector<Op>{Op::Max, Op::Min, Op::Fmax, Op::Fmin, Op::Copysign}), sub(), sub());
      case 4: return b_.binary(Op::Div, sub(), sub());
      case 5: return b_.binary(Op::Sub, sub(), sub());
      default: return b_.binary(random_.chance(50) ? Op::Mul : Op::Add, sub(), sub());
    }
  }
  return integers(t, axes, depth - 1);
}

Ref Generator::axis_of(Order o, Ref extent) {
  const i64 lanes = i64{1} << random_.between(1, 4);
  const i64 block = random_.chance(50) ? lanes * random_.between(1, 3) : random_.between(1, 7);
  const u32 l = o == Order::lanes || (o == Order::blocks && block % lanes == 0) ? static_cast<u32>(lanes) : 1;
  return b_.axis(name("k").c_str(), o, l, o == Order::blocks ? static_cast<u32>(block) : 0, extent, {});
}

// A mean and a count: where both are joined, each decides about the other.
Ref Generator::mean_reduction(Type t, const std::vector<Axis>& axes, const std::vector<Ref>& over) {
  const Ref state[] = {b_.placeholder(t), b_.placeholder(t)}, other[] = {b_.placeholder(t), b_.placeholder(t)};
  const Ref one = b_.constant(t, i64{1}, {}), n = b_.binary(Op::Add, state[0], one), both = b_.binary(Op::Add, state[0], other[0]);
  const auto moved = [&](Ref to, Ref by, Ref of) {
    return b_.binary(Op::Add, state[1], b_.binary(Op::Div, b_.binary(Op::Mul, b_.binary(Op::Sub, to, state[1]), by), of));
  };
  const Ref step[] = {n, moved(expression(t, axes, 1), one, n)}, merged[] = {both, moved(other[1], other[0], both)};
  const Ref init[] = {b_.constant(t, i64{0}, {}), number(t)};
  const Ref r = b_.reduce(over.data(), static_cast<int>(over.size()), 2, init, state, step, other, merged,
                          random_.chance(30) ? condition(axes, 1) : nullptr, {});
  return b_.field(r, random_.chance(80) ? 1 : 0);
}

// One member mentions fewer indices of the output than the other, which reads it.
Ref Generator::online_reduction(Type t, const std::vector<Axis>& axes, std::size_t left, const std::vector<Ref>& over) {
  std::vector<Axis> fewer = axes;
  fewer.erase(fewer.begin() + random_.below(static_cast<i64>(left)));
  const Ref m[] = {b_.placeholder(t), b_.placeholder(t)}, o[] = {b_.placeholder(t), b_.placeholder(t)};
  const Ref x = expression(t, fewer, 1), top = b_.binary(Op::Max, m[0], x), both = b_.binary(Op::Max, m[0], m[1]);
  const Ref keep = b_.ternary(Op::Select, b_.binary(Op::Lt, m[0], x), number(t), number(t));
  const Ref next = b_.binary(Op::Add, b_.binary(Op::Mul, o[0], keep), b_.binary(Op::Mul, expression(t, axes, 1), top));
  const Ref joined = b_.binary(Op::Sub, b_.binary(Op::Mul, o[0], both), b_.binary(Op::Mul, o[1], m[0]));
  const bool first = random_.chance(50);  // which of the two is which member
  const auto in_order = [&](Ref a, Ref c) { return first ? std::vector<Ref>{a, c} : std::vector<Ref>{c, a}; };
  const std::vector<Ref> init = in_order(number(t), number(t)), state = in_order(m[0], o[0]), step = in_order(top, next),
                         other = in_order(m[1], o[1]), merged = in_order(both, joined);
  const Ref where = random_.chance(30) ? condition(random_.chance(50) ? fewer : axes, 1) : nullptr;
  const Ref r = b_.reduce(over.data(), static_cast<int>(over.size()), 2, init.data(), state.data(), step.data(), other.data(),
                          merged.data(), where, {});
  const Ref wide = b_.field(r, first ? 1 : 0);
  return random_.chance(40) ? wide : b_.binary(random_.chance(50) ? Op::Div : Op::Sub, wide, b_.field(r, first ? 0 : 1));
}

// Of an input: the term stands under several conditions, each of which repeats the tests of the indices in it.
Ref Generator::extreme_reduction(Type t, const std::vector<Axis>& axes, const std::vector<Ref>& over) {
  const Ref r = b_.arg_extreme(random_.chance(50), over.data(), static_cast<int>(over.size()), read(t, axes),
                               random_.chance(30) ? condition(axes, 1) : nullptr, {});
  return random_.chance(40) ? b_.field(r, 0) : b_.cast(t, b_.field(r, 1));
}

// A state of two: a sum and how it grew.
Ref Generator::pair_reduction(Type t, const std::vector<Axis>& axes, const std::vector<Ref>& over, bool merge) {
  const Ref state[] = {b_.placeholder(t), b_.placeholder(Type::i32)}, other[] = {b_.placeholder(t), b_.placeholder(Type::i32)};
  const Ref merged[] = {b_.binary(Op::Sub, b_.binary(Op::Mul, state[0], number(t)), other[0]),
                        b_.binary(Op::Add, state[1], b_.binary(Op::Mul, other[1], b_.constant(Type::i32, i64{3}, {})))};
  Ref x = expression(t, axes, 1);
  if (random_.chance(20)) {  // read where the state says
    const i64 whole = random_.between(1, 6);
    const Ref at = b_.cast(Type::i64, state[1]);
    x = input(t, {integer(whole)}, {random_.chance(70) ? b_.binary(Op::FloorMod, at, integer(whole)) : at});
  }
  const Ref grew = b_.binary(Op::Gt, x, state[0]);
  const Ref step[] = {b_.binary(Op::Add, b_.binary(Op::Mul, state[0], number(t)), x),
                      b_.binary(Op::Add, state[1], b_.cast(Type::i32, grew))};
  const Ref init[] = {number(t), b_.constant(Type::i32, i64{0}, {})};
  const Ref r = b_.reduce(over.data(), static_cast<int>(over.size()), 2, init, state, step, merge ? other : nullptr,
                          merge ? merged : nullptr, random_.chance(30) ? condition(axes, 1) : nullptr, {});
  return random_.chance(50) ? b_.binary(Op::Add, b_.field(r, 0), b_.cast(t, b_.field(r, 1))) : b_.field(r, 0);
}

Ref Generator::reduction(Type t, std::vector<Axis> axes) {
  std::vector<Ref> over;
  const i64 count = random_.chance(75) ? 1 : 2;
  const bool any = random_.chance(25);
  const Fold f = is_float(t) ? (any ? random_.of(std::vector<Fold>{Fold::max, Fold::min, Fold::fmax, Fold::fmin})
                                    : random_.of(std::vector<Fold>{Fold::sum, Fold::sum, Fold::sum, Fold::sum, Fold::product, Fold::max}))
                             : random_.of(std::vector<Fold>{Fold::sum, Fold::sum, Fold::product, Fold::max, Fold::min});
  const std::size_t left = axes.size();
  bool chains = !any;
  for (i64 k = 0; k < count; ++k) {
    const Ref e = extent();
    if (!any && random_.chance(8)) {  // both parts of a cut, something else between
      const Ref whole = b_.axis(name("k").c_str(), Order::chain, 1, 0, e, {});
      Ref outer = nullptr, inner = nullptr;
      b_.cut(whole, random_.between(2, 5), &outer, &inner, {});
      over.insert(over.begin(), outer);
      over.push_back(inner);
      axes.push_back({whole, e});
      continue;
    }
    const Ref a = axis_of(any ? Order::any : random_.of(std::vector<Order>{Order::chain, Order::lanes, Order::blocks}), e);
    chains = chains && axis_facts(a).order == Order::chain;
    over.push_back(a);
    axes.push_back({a, e});
  }
  if (!any && random_.chance(15)) return pair_reduction(t, axes, over, !chains);
  if (!any && left > 0 && random_.chance(12)) return online_reduction(t, axes, left, over);
  if (!any && random_.chance(8)) return mean_reduction(t, axes, over);
  if (random_.chance(6)) return extreme_reduction(t, axes, over);
  if (random_.chance(12)) {  // padding that is skipped
    const Axis a = random_.of(axes);
    const Ref i = b_.binary(Op::Add, a.node, axes.back().node);
    const Ref at = input(t, {a.extent}, {b_.binary(Op::Sub, i, integer(random_.between(0, 2)))});
    const Ref padded = b_.binary(Op::Mul, at, expression(t, axes, 1));
    return b_.fold(f, t, over.data(), static_cast<int>(over.size()), padded, b_.inside(at), nullptr, {});
  }
  const Ref term = random_.chance(60) ? b_.binary(Op::Mul, expression(t, axes, 1), expression(t, axes, 1)) : expression(t, axes, 2);
  const Ref where = left > 0 && scatters_.chance(12) ? destination(axes, left) : random_.chance(25) ? condition(axes, 1) : nullptr;
  const Ref from = chains && f == Fold::sum && random_.chance(10) ? number(t) : nullptr;
  const bool wide = f == Fold::sum && (t == Type::f64 || t == Type::i64) && random_.chance(15);  // sum<f64> of f32
  if (wide) {
    const Type narrow = t == Type::f64 ? Type::f32 : Type::i32;
    const Ref small = b_.binary(Op::Mul, expression(narrow, axes, 1), expression(narrow, axes, 1));
    return b_.fold(f, t, over.data(), static_cast<int>(over.size()), random_.chance(30) ? b_.unary(Op::Unfused, small) : small, where, from,
                   {});
  }
  return b_.fold(f, t, over.data(), static_cast<int>(over.size()), random_.chance(5) ? b_.unary(Op::Unfused, term) : term, where, from, {});
}

void Generator::stage(bool last) {
  const Type t = last || random_.chance(85) ? compute() : Type::boolean;
  std::vector<Axis> axes;
  const i64 rank = random_.between(t == Type::boolean ? 1 : 0, 3);
  for (i64 k = 0; k < rank; ++k) {
    const Ref e = extent();
    axes.push_back({b_.axis(name("i").c_str(), Order::free, 1, 0, e, {}), e});
  }
  Ref value;
  if (t == Type::boolean) {
    value = condition(axes, 2);
  } else if (random_.chance(60)) {
    value = reduction(t, axes);
    if (random_.chance(40)) value = b_.binary(random_.chance(50) ? Op::Add : Op::Mul, value, expression(t, axes, 1));
    if (random_.chance(10)) value = b_.binary(Op::Add, value, reduction(t, axes));
  } else {
    value = expression(t, axes, 3);
  }
  const Type stored = storage(t);
  const Ref y = b_.tensor(name("Y").c_str(), stored, static_cast<int>(rank), nullptr, {});
  std::vector<Ref> at, shape;
  for (const Axis& a : axes) {
    at.push_back(a.node);
    shape.push_back(a.extent);
  }
  b_.define(b_.load(y, at.data(), static_cast<int>(rank), {}), value);
  stages_.push_back({y, stored, shape});
}

Program Generator::make() {
  const i64 stages = random_.between(1, 4);
  if (stencils_.chance(percent_)) stencils();
  else for (i64 k = 0; k < stages; ++k) random_.chance(25) ? recurrence() : stage(k + 1 == stages);
  std::vector<Ref> in, out;
  const Ref binder = b_.tensor("dims", Type::u8, static_cast<int>(dims_.size()), dims_.data(), {});  // binds every Dim
  if (!dims_.empty()) in.push_back(binder);
  for (const Tensor& t : inputs_) in.push_back(t.node);
  out.push_back(stages_.back().node);
  for (std::size_t k = 0; k + 1 < stages_.size(); ++k)
    if (random_.chance(15)) out.push_back(stages_[k].node);
  return snapshot(in.data(), static_cast<int>(in.size()), out.data(), static_cast<int>(out.size()), {});
}
}  // namespace fuzz
