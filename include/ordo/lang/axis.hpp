// Sizes and axes: i64 expressions whose C++ type carries the order.
#pragma once
#include "ordo/lang/expr.hpp"
#include "ordo/lang/loop.hpp"

namespace ordo {
// A size known at the call, 0 to 2^40 - 1: some dimension of an argument is this Dim alone and binds it (else lang.dim).
class Dim : public Expr<i64> {
 public:
  explicit Dim(lang::Name name) { node = lang::front().dim(name.text, name.at); }
};

// An axis declared without extent takes that of the dimensions it indexes; where they disagree: lang.extent.
class Axis : public Expr<i64> {
 public:
  Expr<i64> extent() const { return wrap(lang::front().extent(node, 0)); }

 protected:
  explicit Axis(ir::Ref raw) { node = raw; }
  Axis(lang::Name name, ir::Order order, u32 lanes, u32 block, ir::Ref extent) {
    node = lang::front().axis(name.text, order, lanes, block, extent, name.at);
  }
};
class Index : public Axis {      // left of a definition
 public:
  using kind = Free;
  explicit Index(lang::Name name) : Axis(name, ir::Order::free, 1, 0, nullptr) {}
  Index(lang::Name name, Expr<i64> extent) : Axis(name, ir::Order::free, 1, 0, extent.node) {}
  operator Loop<Free>() const { return {node}; }
};
class Scan : public Axis {       // left of the definitions of a recurrence
 public:
  using kind = Ordered;
  explicit Scan(lang::Name name) : Axis(name, ir::Order::scan, 1, 0, nullptr) {}
  Scan(lang::Name name, Expr<i64> extent) : Axis(name, ir::Order::scan, 1, 0, extent.node) {}
  operator Loop<Ordered>() const { return {node}; }
};

class Reduction : public Axis {  // all axes of reductions: what a list of axes holds
 protected:
  using Axis::Axis;
};
class Chain : public Reduction {                 // one accumulator, ascending
 public:
  using kind = Ordered;
  static constexpr u32 lanes = 1;
  explicit Chain(lang::Name name) : Reduction(name, ir::Order::chain, 1, 0, nullptr) {}
  Chain(lang::Name name, Expr<i64> extent) : Reduction(name, ir::Order::chain, 1, 0, extent.node) {}
  static Chain wrap(ir::Ref raw) { return Chain(raw); }
  operator Loop<Ordered>() const { return {node}; }

 private:
  explicit Chain(ir::Ref raw) : Reduction(raw) {}
};
class AnyOrder : public Reduction {              // only where every order gives the same bits
 public:
  using kind = Free;
  explicit AnyOrder(lang::Name name) : Reduction(name, ir::Order::any, 1, 0, nullptr) {}
  AnyOrder(lang::Name name, Expr<i64> extent) : Reduction(name, ir::Order::any, 1, 0, extent.node) {}
  operator Loop<Free>() const { return {node}; }
};
template <int L> class Lanes : public Reduction {      // element k goes to accumulator k mod L
  static_assert(L > 0 && (L & (L - 1)) == 0, "ordo: Lanes<L>: L must be a power of two");

 public:
  using kind = Tree;
  static constexpr u32 lanes = static_cast<u32>(L);
  explicit Lanes(lang::Name name) : Reduction(name, ir::Order::lanes, lanes, 0, nullptr) {}
  Lanes(lang::Name name, Expr<i64> extent) : Reduction(name, ir::Order::lanes, lanes, 0, extent.node) {}
  Loop<Free> lane() const { return {lang::front().component(node, ir::AxisPart::lane)}; }
  Loop<Ordered> step() const { return {lang::front().component(node, ir::AxisPart::step)}; }
};
template <int B, class Inner = Chain> class Blocks : public Reduction {    // element k goes to block k div B
  static_assert(B > 0 && B % static_cast<int>(Inner::lanes) == 0, "ordo: Blocks<B, Lanes<L>>: B must be a positive multiple of L");

 public:
  using kind = Tree;
  explicit Blocks(lang::Name name) : Reduction(name, ir::Order::blocks, Inner::lanes, B, nullptr) {}
  Blocks(lang::Name name, Expr<i64> extent) : Reduction(name, ir::Order::blocks, Inner::lanes, B, extent.node) {}
  Loop<Free> block() const { return {lang::front().component(node, ir::AxisPart::block)}; }
  Loop<Ordered> step() const { return {lang::front().component(node, ir::AxisPart::step)}; }
  Loop<Free> lane() const requires(Inner::lanes > 1) { return {lang::front().component(node, ir::AxisPart::lane)}; }
};

struct Cut {
  Chain outer, inner;
};
// Two Chains of one, c = factor * outer + inner; positions past the end of c do not exist. Code lang.axis: a factor below 1.
inline Cut cut(Chain c, i64 factor, Where at = Where::current()) {
  ir::Ref outer = nullptr, inner = nullptr;
  lang::front().cut(c.node, factor, &outer, &inner, at);
  return {Chain::wrap(outer), Chain::wrap(inner)};
}
}  // namespace ordo
