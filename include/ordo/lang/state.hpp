// reduce: a reduction whose state is a struct of expressions.
#pragma once
#include "ordo/lang/reduction.hpp"

namespace ordo {
namespace lang {
inline constexpr int most_members = 8;
struct Any {                     // stands for any member in an unevaluated initialisation
  template <class T> operator T() const;
};
template <class S> consteval int members() {
  constexpr Any a;
  if constexpr (!std::is_aggregate_v<S>) return 0;
  else if constexpr (requires { S{a, a, a, a, a, a, a, a, a}; }) return 9;
  else if constexpr (requires { S{a, a, a, a, a, a, a, a}; }) return 8;
  else if constexpr (requires { S{a, a, a, a, a, a, a}; }) return 7;
  else if constexpr (requires { S{a, a, a, a, a, a}; }) return 6;
  else if constexpr (requires { S{a, a, a, a, a}; }) return 5;
  else if constexpr (requires { S{a, a, a, a}; }) return 4;
  else if constexpr (requires { S{a, a, a}; }) return 3;
  else if constexpr (requires { S{a, a}; }) return 2;
  else if constexpr (requires { S{a}; }) return 1;
  else return 0;
}
template <class T> constexpr bool is_expr = false;
template <class T> constexpr bool is_expr<Expr<T>> = true;

// Calls f(member) for each; the members must all be expressions.
template <class S, class F> void each(S& s, F f) {
  constexpr int n = members<S>();
  auto all = [&](auto&... member) {
    constexpr bool expressions = (is_expr<std::remove_cvref_t<decltype(member)>> && ...);
    static_assert(expressions, "ordo: the state of reduce is a struct of 1 to 8 members that are all Expr<T>");
    if constexpr (expressions) (f(member), ...);
  };
  if constexpr (n == 1) { auto& [a] = s; all(a); }
  else if constexpr (n == 2) { auto& [a, b] = s; all(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = s; all(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = s; all(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = s; all(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, g] = s; all(a, b, c, d, e, g); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, g, h] = s; all(a, b, c, d, e, g, h); }
  else if constexpr (n == 8) { auto& [a, b, c, d, e, g, h, i] = s; all(a, b, c, d, e, g, h, i); }
  else static_assert(never<S>, "ordo: the state of reduce is a struct of 1 to 8 members that are all Expr<T>");
}

template <class S> struct State {        // a state and the nodes of its members
  static constexpr int count = members<S>();
  S value;
  ir::Ref node[most_members] = {};
  explicit State(const S& s) : value(s) {
    int k = 0;
    each(value, [&](auto& member) { node[k++] = member.node; });
  }
  static State placeholders(S like) {
    each(like, [](auto& member) { member.node = front().placeholder(member.node->type); });
    return State(like);
  }
  static S fields(S like, ir::Ref reduce) {
    int k = 0;
    each(like, [&](auto& member) { member.node = front().field(reduce, k++); });
    return like;
  }
};
template <class Step, class... S> concept Steps = requires(Step step, S... s) { step(s...); };
}  // namespace lang

template <class S, class Step> S reduce(lang::Axes k, S init, Step step, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(lang::Steps<Step, S>, "ordo: the step of reduce takes the state and returns the next one");
  if constexpr (lang::Steps<Step, S>) {
    static_assert(std::is_convertible_v<decltype(step(init)), S>, "ordo: the step of reduce takes the state and returns the next one");
    using State = lang::State<S>;
    const State first(init), state = State::placeholders(init), next(step(state.value));
    return State::fields(init, lang::front().reduce(k.node, k.count, State::count, first.node, state.node, next.node, nullptr, nullptr, where.node, at));
  } else {
    return init;
  }
}
// With merge, for axes that are not all Chains; init should be its identity, since every accumulator starts from it.
template <class S, class Step, class Merge> requires(!std::is_convertible_v<Merge, Expr<bool>>)
S reduce(lang::Axes k, S init, Step step, Merge merge, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(lang::Steps<Step, S>, "ordo: the step of reduce takes the state and returns the next one");
  static_assert(lang::Steps<Merge, S, S>, "ordo: the merge of reduce takes two states and returns one");
  if constexpr (lang::Steps<Step, S> && lang::Steps<Merge, S, S>) {
    using State = lang::State<S>;
    const State first(init), state = State::placeholders(init), other = State::placeholders(init);
    const State next(step(state.value)), merged(merge(state.value, other.value));
    return State::fields(init, lang::front().reduce(k.node, k.count, State::count, first.node, state.node, next.node, other.node, merged.node, where.node, at));
  } else {
    return init;
  }
}
}  // namespace ordo
