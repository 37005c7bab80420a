// The one node type of all levels: (op, type, lanes, sources, argument). A Ref is one trivially copyable
// pointer to a node that never changes. `name` and `at` are for people and never reach a digest.
#pragma once
#include "ordo/base/error.hpp"
#include "ordo/ir/op.hpp"

namespace ordo::ir {
struct Node {
  Op op;
  Type type;
  u16 lanes;             // 1 above the kernel level
  u32 count;             // number of sources
  u64 arg;
  const Node* const* src;
  const char* name;      // Axis, Dim, Tensor, Var: what the user calls it; "" otherwise
  Where at;
  const Node* operator[](std::size_t k) const { return src[k]; }
};
using Ref = const Node*;

enum class Order : u8 { free, scan, chain, lanes, blocks, any, cut_outer, cut_inner };  // cut_*: raw only, sources: axis, factor
constexpr const char* name_of(Order o) {
  constexpr const char* name[] = {"index", "scan", "chain", "lanes", "blocks", "any", "cut_outer", "cut_inner"};
  return name[static_cast<int>(o)];
}

// What `arg` of an Axis holds. In a Program bound names are numbered by nesting: `level` 0, 1, ... on the left of a
// definition, then on inside each Reduce. `handle` tells two raw axes of one level apart; it never reaches a digest.
struct AxisFacts {
  Order order = Order::free;
  u32 lanes = 1;         // Lanes<L>, Blocks<B, Lanes<L>>: L, a power of two
  u32 block = 0;         // Blocks<B>: B
  u32 level = 0;
};
constexpr u64 pack(AxisFacts f) {
  u64 log = 0;
  while ((u64{1} << log) < f.lanes) ++log;
  return static_cast<u64>(f.order) | log << 4 | static_cast<u64>(f.level) << 10 | static_cast<u64>(f.block) << 32;
}
constexpr AxisFacts axis_facts(u64 arg) {
  return {static_cast<Order>(arg & 15), u32{1} << (arg >> 4 & 63), static_cast<u32>(arg >> 32), static_cast<u32>(arg >> 10 & 0x3fffff)};
}
inline AxisFacts axis_facts(Ref axis) { return axis_facts(axis->arg); }
inline Ref extent_of(Ref axis) { return axis->count > 0 ? axis->src[0] : nullptr; }

// Layout of the sources of a Reduce: axes, where (a Const true when absent), then for each of `fields` components
// init, state placeholder, step; and, if it has a merge, the other state and merged value.
//   value: NUMERICS.md, "Reductions". `free` is set by the sugar whose result no order changes (max, integer sum, ...).
struct ReduceFacts {
  u32 axes = 0;
  u32 fields = 0;
  bool merge = false;
  bool free = false;
};
constexpr u64 pack(ReduceFacts f) {
  return f.axes | static_cast<u64>(f.fields) << 16 | static_cast<u64>(f.merge) << 32 | static_cast<u64>(f.free) << 33;
}
constexpr ReduceFacts reduce_facts(u64 arg) {
  return {static_cast<u32>(arg & 0xffff), static_cast<u32>(arg >> 16 & 0xffff), (arg >> 32 & 1) != 0, (arg >> 33 & 1) != 0};
}
struct ReduceView {
  Ref node;
  ReduceFacts facts;
  explicit ReduceView(Ref reduce) : node(reduce), facts(reduce_facts(reduce->arg)) {}
  Ref axis(u32 k) const { return node->src[k]; }
  Ref where() const { return node->src[facts.axes]; }
  Ref init(u32 k) const { return part(0, k); }
  Ref state(u32 k) const { return part(1, k); }
  Ref step(u32 k) const { return part(2, k); }
  Ref other(u32 k) const { return part(3, k); }
  Ref merged(u32 k) const { return part(4, k); }
 private:
  Ref part(u32 which, u32 k) const { return node->src[facts.axes + 1 + which * facts.fields + k]; }
};

enum class AxisPart : u8 { whole, lane, step, block };
enum class LoopMode : u8 { serial, parallel, unrolled, vectorized };    // the last two are gone after their passes

// A Select with this argument: the same value; the second operand is needed so seldom that code may ask first whether it is.
inline constexpr u64 seldom = 1;
inline bool is_seldom(Ref e) { return e->op == Op::Select && e->arg == seldom; }

// A Bitcast with this argument: its operand is no NaN, or nobody sees what becomes of it.
inline constexpr u64 number_only = 1;

constexpr u64 state_arg(u32 component, u32 level) { return component | static_cast<u64>(level) << 32; }
}  // namespace ordo::ir
