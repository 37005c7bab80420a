// prefix(k, zero, step [, merge]): the state after each element of a Chain, or of Blocks, which are scanned side by side.
//   Y(i, t) = cumsum(k, X(i, k)).at(t);
// Contract: "Recurrences and prefix". Over Blocks<B> every block is scanned from zero; carry(1) = total(0), carry(b + 1) =
// merge(carry(b), total(b)); the state of element e is merge(carry(block), state in the block) but for block 0.
#pragma once
#include "ordo/lang/recurrence.hpp"
#include "ordo/lang/state.hpp"
#include "ordo/lang/table.hpp"

namespace ordo {
namespace lang {
struct Prefixed {                // the components of the state after each element, as tensors
  Stored state[most_members];
  ir::Ref zero[most_members] = {};
  ir::Ref at(int field, ir::Ref position, Where where) const { return state[field].read(&position, where); }
  ir::Ref exclusive(int field, ir::Ref position, Where where) const;      // a tensor of its own again
};
// `state` and `other` are placeholders; merged is null for a Chain. Codes lang.named, lang.extent.
Prefixed prefix(Name name, ir::Ref axis, int fields, const ir::Ref* zero, const ir::Ref* state, const ir::Ref* step, const ir::Ref* other,
                const ir::Ref* merged);
ir::Ref sum_step(ir::Ref state, ir::Ref term, Where at);

template <class A> constexpr bool is_chain = std::is_same_v<A, Chain>;
template <class A> constexpr bool is_blocks = false;
template <int B> constexpr bool is_blocks<Blocks<B, Chain>> = true;
template <class A> constexpr bool scans() {
  static_assert(is_chain<A> || is_blocks<A>, "ordo: prefix runs over a Chain or over Blocks<B>; Lanes interleave what it would scan");
  return is_chain<A> || is_blocks<A>;
}
}  // namespace lang

template <class S> class Prefix {
 public:
  Prefix(S like, const lang::Prefixed& made, Where at) : like_(like), made_(made), at_(at) {}
  S at(Expr<i64> position) const {                   // after the element at that position
    S s = like_;
    int k = 0;
    lang::apply(s, [&](auto&... member) { ((member.node = made_.at(k++, position.node, at_)), ...); });
    return s;
  }
  S exclusive(Expr<i64> position) const {            // before it: zero for the first
    S s = like_;
    int k = 0;
    lang::apply(s, [&](auto&... member) { ((member.node = made_.exclusive(k++, position.node, at_)), ...); });
    return s;
  }

 private:
  S like_;
  lang::Prefixed made_;
  Where at_;
};

// The state is not narrowed between steps. `step` mentions k and elements of other axes freely; zero mentions neither k nor a state.
template <class A, class S, class Step> Prefix<S> prefix(A k, S zero, Step step, Where at = Where::current()) {
  constexpr bool state = lang::steps<S, Step>(), chain = lang::is_chain<A>;
  static_assert(chain || !lang::scans<A>(), "ordo: prefix over Blocks has several accumulators; give it a merge");
  if constexpr (state && chain) {
    using State = lang::State<S>;
    const State first(zero), from = State::placeholders(zero), next(step(from.value));
    return {zero, lang::prefix({"prefix", at}, k.node, State::count, first.node, from.node, next.node, nullptr, nullptr), at};
  } else {
    return {zero, {}, at};
  }
}
template <class A, class S, class Step, class Merge> requires(!std::is_same_v<Merge, Where>)
Prefix<S> prefix(A k, S zero, Step step, Merge merge, Where at = Where::current()) {
  if constexpr (lang::scans<A>() && lang::steps<S, Step>() && lang::merges<S, Merge>()) {
    using State = lang::State<S>;
    const State first(zero), from = State::placeholders(zero), other = State::placeholders(zero);
    const State next(step(from.value)), merged(merge(from.value, other.value));
    return {zero, lang::prefix({"prefix", at}, k.node, State::count, first.node, from.node, next.node, other.node, merged.node), at};
  } else {
    return {zero, {}, at};
  }
}

template <class T> class Cumulative {
 public:
  explicit Cumulative(const lang::Prefixed& made, Where at) : made_(made), at_(at) {}
  Expr<T> at(Expr<i64> position) const { return Expr<T>::wrap(made_.at(0, position.node, at_)); }
  Expr<T> exclusive(Expr<i64> position) const { return Expr<T>::wrap(made_.exclusive(0, position.node, at_)); }

 private:
  lang::Prefixed made_;
  Where at_;
};
// Sums of the first elements: steps as sum does, a product by fma; cumsum<T> accumulates in a wider type.
template <class Acc = void, class A, class T> auto cumsum(A k, Expr<T> x, Where at = Where::current()) {
  using R = typename lang::accumulator<Acc, T>::type;
  if constexpr (lang::scans<A>() && lang::accumulates<R, T>()) {
    const Expr<R> zero(0);
    const ir::Ref state = lang::front().placeholder(type_of<R>), other = lang::front().placeholder(type_of<R>);
    const ir::Ref step = lang::sum_step(state, x.node, at), merged = lang::front().binary(ir::Op::Add, state, other, at);
    return Cumulative<R>(lang::prefix({"cumsum", at}, k.node, 1, &zero.node, &state, &step, &other, &merged), at);
  } else {
    return Cumulative<float>({}, at);
  }
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/lang/prefix.ipp"
#endif
