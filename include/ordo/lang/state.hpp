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

// f of the members, 1 to 8 of them.
template <class S, class F> constexpr auto apply(S& s, F f) {
  constexpr int n = members<S>();
  if constexpr (n == 1) { auto& [a] = s; return f(a); }
  else if constexpr (n == 2) { auto& [a, b] = s; return f(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = s; return f(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = s; return f(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = s; return f(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, g] = s; return f(a, b, c, d, e, g); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, g, h] = s; return f(a, b, c, d, e, g, h); }
  else { auto& [a, b, c, d, e, g, h, i] = s; return f(a, b, c, d, e, g, h, i); }
}
template <class S> struct AllExprs {       // decided from the types of the members alone
  struct Yes { static constexpr bool value = true; };
  struct No { static constexpr bool value = false; };
  static auto test(S& s) {
    return apply(s, [](auto&... m) { return std::conditional_t<(is_expr<std::remove_reference_t<decltype(m)>> && ...), Yes, No>{}; });
  }
  static constexpr bool value = decltype(test(*static_cast<S*>(nullptr)))::value;
};
template <class S> constexpr bool is_state() {
  constexpr int n = members<S>();
  if constexpr (n >= 1 && n <= most_members) return AllExprs<S>::value;
  else return false;
}
template <class S> struct State {        // a state and the nodes of its members
  static constexpr int count = members<S>();
  S value;
  ir::Ref node[most_members] = {};
  explicit State(const S& s) : value(s) {
    int k = 0;
    apply(value, [&](auto&... member) { ((node[k++] = member.node), ...); });
  }
  static State placeholders(S like) {
    apply(like, [](auto&... member) { ((member.node = front().placeholder(member.node->type)), ...); });
    return State(like);
  }
  static S fields(S like, ir::Ref reduce) {
    int k = 0;
    apply(like, [&](auto&... member) { ((member.node = front().field(reduce, k++)), ...); });
    return like;
  }
};

template <class From, class To> concept ConvertsTo = std::is_convertible_v<From, To>;
template <class F, class S, class... More> concept Returns = requires(F f, S s, More... more) {
  { f(s, more...) } -> ConvertsTo<S>;
};

template <class S>
ir::Ref reduce(const Axes& k, const State<S>& init, const State<S>& state, const State<S>& step, const ir::Ref* other,
               const ir::Ref* merged, Expr<bool> where, Where at) {
  return front().reduce(k.node, k.count, State<S>::count, init.node, state.node, step.node, other, merged, where.node, at);
}
template <class S, class Step> constexpr bool steps() {
  constexpr bool state = is_state<S>(), step = Returns<Step, S>;
  static_assert(state, "ordo: the state of reduce is a struct of 1 to 8 members that are all Expr<T>");
  static_assert(!state || step, "ordo: the step of reduce takes the state and returns the next one");
  return state && step;
}
template <class S, class Merge> constexpr bool merges() {
  constexpr bool merge = Returns<Merge, S, S>;
  static_assert(merge, "ordo: the merge of reduce takes two states and returns one");
  return merge;
}
}  // namespace lang

template <class S, class Step> S reduce(lang::Axes k, S init, Step step, Expr<bool> where = lang::always(), Where at = Where::current()) {
  if constexpr (lang::steps<S, Step>()) {
    using State = lang::State<S>;
    const State first(init), state = State::placeholders(init), next(step(state.value));
    return State::fields(init, lang::reduce(k, first, state, next, nullptr, nullptr, where, at));
  } else {
    return init;
  }
}
// With merge, for axes that are not all Chains; init should be its identity, since every accumulator starts from it.
template <class S, class Step, class Merge> requires(!std::is_convertible_v<Merge, Expr<bool>>)
S reduce(lang::Axes k, S init, Step step, Merge merge, Expr<bool> where = lang::always(), Where at = Where::current()) {
  if constexpr (lang::steps<S, Step>() && lang::merges<S, Merge>()) {
    using State = lang::State<S>;
    const State first(init), state = State::placeholders(init), other = State::placeholders(init);
    const State next(step(state.value)), merged(merge(state.value, other.value));
    return State::fields(init, lang::reduce(k, first, state, next, other.node, merged.node, where, at));
  } else {
    return init;
  }
}
}  // namespace ordo
