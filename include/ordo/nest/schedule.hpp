// Schedules: typed handles over the directives of nest/calls.hpp. What would change an order does not compile.
#pragma once
#include "ordo/lang/axis.hpp"
#include "ordo/lang/signature.hpp"
#include "ordo/nest/calls.hpp"

namespace ordo {
// What split returns: decomposes into its N loops, outermost first.
template <class Kind, int N> struct Loops;
template <class Kind> struct Loops<Kind, 2> { Loop<Kind> a, b; };
template <class Kind> struct Loops<Kind, 3> { Loop<Kind> a, b, c; };
template <class Kind> struct Loops<Kind, 4> { Loop<Kind> a, b, c, d; };
template <class Kind> struct Loops<Kind, 5> { Loop<Kind> a, b, c, d, e; };
template <class Kind> struct Loops<Kind, 6> { Loop<Kind> a, b, c, d, e, f; };

namespace nest {
template <class L> constexpr bool one_loop() {
  static_assert(lang::IsLoop<L>, "ordo: a directive takes axes of the definition, their components or loops made by directives");
  if constexpr (lang::IsLoop<L>) {
    static_assert(!std::is_same_v<typename L::kind, Tree>,
                  "ordo: a Lanes or Blocks axis is scheduled by component: k.block(), k.lane(), k.step()");
    return !std::is_same_v<typename L::kind, Tree>;
  } else {
    return false;
  }
}
template <class L> constexpr bool may_run_parallel() {
  if constexpr (one_loop<L>()) {
    static_assert(!std::is_same_v<typename L::kind, Ordered>,
                  "ordo: parallel on an ordered axis would change the order of a reduction; make a free loop parallel, or declare "
                  "the axis Blocks<B> and use its block()");
    return !std::is_same_v<typename L::kind, Ordered>;
  } else {
    return false;
  }
}
template <class L> constexpr bool may_be_vectorized() {
  if constexpr (one_loop<L>()) {
    static_assert(!std::is_same_v<typename L::kind, Ordered>,
                  "ordo: vectorize on an ordered axis would change the order of a reduction; vectorize a free loop, or declare the "
                  "axis Lanes<L> and use its lane()");
    return !std::is_same_v<typename L::kind, Ordered>;
  } else {
    return false;
  }
}
template <class A, class B> constexpr bool may_be_fused() {
  if constexpr (one_loop<A>() && one_loop<B>()) {
    static_assert(std::is_same_v<typename A::kind, typename B::kind>, "ordo: fuse joins two free loops or two ordered ones");
    return std::is_same_v<typename A::kind, typename B::kind>;
  } else {
    return false;
  }
}
struct LoopAt {                  // the first loop of a list carries the caller's line
  ir::Ref node = nullptr;
  Where at;
  template <class L> LoopAt(L loop, Where where = Where::current()) : at(where) {
    if constexpr (one_loop<L>()) node = loop.node;
  }
};
struct TensorAt {
  ir::Ref node;
  Where at;
  template <class T> requires std::is_convertible_v<T, AnyTensor>
  TensorAt(const T& tensor, Where where = Where::current()) : node(static_cast<AnyTensor>(tensor).node), at(where) {}
};
struct Kept {                    // a lambda of the user's may assign or destroy the Schedule that runs it
  Body* body;
  explicit Kept(Body* b) : body(b) { retain(b); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { release(body); }
};
}  // namespace nest

// One definition in a schedule, or a packed copy; valid as long as its Schedule. Each directive is applied at the call, or
// refused with an Error at the caller's line that shows the loops and the way out, and then has changed nothing. No directive
// changes a value. Codes: those named, and schedule.* (a loop of another stage or made into others, a stage that is inlined, a
// mark or copy made earlier that would break).
class Stage {
 public:
  explicit Stage(const nest::StageHandle* handle) : handle_(handle) {}

  // i -> i.0, i.1: the innermost gets the last factor as extent. An axis keeps its kind. Factors: integers or expressions of
  // Dims, at least 1. Codes split.factor, split.tail; of Tail::shift_in split.shift_in and, where the order of loops does not allow it,
  // split.shifted.
  template <class L, class F> requires(!std::is_same_v<F, Cover>)
  auto split(L loop, F factor, Tail tail = Tail::mask, Where at = Where::current()) const {
    constexpr bool integer = std::is_convertible_v<F, Expr<i64>>;
    static_assert(integer, "ordo: a factor is an i64 expression of integers and Dims, or a braced list of them");
    if constexpr (integer && nest::one_loop<L>()) {
      const ir::Ref node = lang::as<i64>(factor, at).node;
      return splits<typename L::kind, 2>(loop.node, &node, tail, at);
    } else {
      return Loops<Free, 2>{};
    }
  }
  template <class L, std::size_t N>
  auto split(L loop, const Expr<i64> (&factors)[N], Tail tail = Tail::mask, Where at = Where::current()) const {
    static_assert(N <= 5, "ordo: split takes 1 to 5 factors");
    if constexpr (N <= 5 && nest::one_loop<L>()) {
      ir::Ref node[N];
      for (std::size_t k = 0; k < N; ++k) node[k] = factors[k].node;
      return splits<typename L::kind, static_cast<int>(N) + 1>(loop.node, node, tail, at);
    } else {
      return Loops<Free, static_cast<int>(N) + 1>{};
    }
  }
  // i -> i.0, i.1: tiles of the first factor, then, with code of their own, of the second, so that together they fill the extent where
  // it can be; what remains is masked. Tail::cover in traces. Code split.cover.
  template <class L, class F> requires std::is_same_v<F, Cover>
  auto split(L loop, F factors, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) {
      ir::Ref made[2];
      nest::cover(handle_, loop.node, factors.first, factors.second, made, at);
      return Loops<typename L::kind, 2>{{made[0]}, {made[1]}};
    } else {
      return Loops<Free, 2>{};
    }
  }
  // Cuts a whole axis of the output at places in ascending order, integers or expressions of Dims; `directives(region)` schedules each
  // region with the handles of this stage. Codes regions.*.
  template <class L, std::size_t N, class F>
  Stage regions(L loop, const Expr<i64> (&places)[N], F&& directives, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) {
      ir::Ref node[N];
      for (std::size_t k = 0; k < N; ++k) node[k] = places[k].node;
      const nest::StageHandle* const stage = handle_;
      const nest::Kept kept(stage->body);
      nest::regions(stage, loop.node, node, static_cast<int>(N), at);
      for (int region = 0; region <= static_cast<int>(N); ++region) {
        struct Scope {
          const nest::StageHandle* stage;
          bool done = false;
          ~Scope() { nest::end_region(stage, done); }
        };
        nest::begin_region(stage, region);
        Scope scope{stage};
        directives(region);
        scope.done = true;
      }
      return Stage(stage);
    } else {
      return *this;
    }
  }
  // Joins a loop with the one directly inside it, of one kind: i, j -> i*j. Codes fuse.*.
  template <class A, class B> auto fuse(A outer, B inner, Where at = Where::current()) const {
    if constexpr (nest::may_be_fused<A, B>()) return Loop<typename A::kind>{nest::fuse(handle_, outer.node, inner.node, at)};
    else return Loop<Free>{};
  }
  // The listed loops, outermost first, take the places that they hold together. Ordered loops keep their order among themselves:
  // code reorder.ordered; a recurrence's time stays outside of what it reads elsewhere: reorder.recurrence.
  template <class... L> Stage reorder(nest::LoopAt first, L... rest) const {
    const ir::Ref node[] = {first.node, nest::LoopAt(rest, first.at).node...};
    nest::reorder(handle_, node, static_cast<int>(sizeof...(L)) + 1, first.at);
    return *this;
  }
  // Copies of the body, one a turn: a constant extent of at most 64. Codes unroll.extent, unroll.size.
  template <class L> Stage unroll(L loop, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) nest::unroll(handle_, loop.node, at);
    return *this;
  }
  // Lanes of vectors: a free loop of constant extent, at most 256, with nothing but unrolled loops inside. Codes vectorize.*.
  template <class L> Stage vectorize(L loop, Where at = Where::current()) const {
    if constexpr (nest::may_be_vectorized<L>()) nest::vectorize(handle_, loop.node, at);
    return *this;
  }
  // Turns on several threads: a free loop of the output, or over parts of a reduction. Each takes `grain` turns in a row. Codes
  // parallel.ordered, parallel.grain.
  template <class L> Stage parallel(L loop, Where at = Where::current()) const { return parallel(loop, 1, at); }
  template <class L> Stage parallel(L loop, i64 grain, Where at = Where::current()) const {
    if constexpr (nest::may_run_parallel<L>()) nest::parallel(handle_, loop.node, grain, at);
    return *this;
  }
  // Copies what the stage reads of a tensor inside a loop, in loop order; without a loop once, before all loops. The copy
  // is a stage too: its loops are reordered and marked through the handle returned. Codes pack.*.
  template <class L> Stage pack(AnyTensor tensor, L loop, nest::PackOptions options = {}, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) return Stage(nest::pack(handle_, tensor.node, loop.node, options, at));
    else return *this;
  }
  Stage pack(AnyTensor tensor, nest::PackOptions options = {}, Where at = Where::current()) const {
    return Stage(nest::pack(handle_, tensor.node, nullptr, options, at));
  }
  // Asks the caches for what the stage's reads of a tensor will find `distance` turns of a loop later; of neighbours that a stencil
  // reads, for the farthest ahead. Codes prefetch.*.
  template <class L> Stage prefetch(AnyTensor tensor, L loop, Expr<i64> distance = 1, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) nest::prefetch(handle_, tensor.node, loop.node, distance.node, at);
    return *this;
  }
  // Its vectors go to memory past the caches, where their addresses are multiples of their size: for what no cache would hold until it
  // is read. A loop along the last index is vectorized first. Codes store_nontemporal.*.
  Stage store_nontemporal(Where at = Where::current()) const {
    nest::store_nontemporal(handle_, at);
    return *this;
  }
  // Computed on its own and stored, before the stages that read it: how every stage starts out. Codes compute_root.*.
  Stage compute_root(Where at = Where::current()) const {
    nest::compute_root(handle_, at);
    return *this;
  }
  // Computed anew in each turn of a loop of `host`, as much as that turn reads; its loops run over that much of it. Whoever reads it
  // is `host` or stands in the same turn. A serial or parallel loop outside the reduction of `host`. A recurrence whose last step that
  // a turn reads is the turn's own does one step in each, and keeps as many as are read. Codes compute_at.*.
  template <class L> Stage compute_at(Stage host, L loop, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) nest::compute_at(handle_, host.handle_, loop.node, at);
    return *this;
  }
  // Of a stage computed in turns of a loop of `host`: what they have computed stays until a loop around that one ends, or all of `host`
  // does. Each turn computes what no turn before it has; the first one all that it reads. Serial loops between. Codes store_at.*.
  template <class L> Stage store_at(Stage host, L loop, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) nest::store_at(handle_, host.handle_, loop.node, at);
    return *this;
  }
  Stage store_at(Stage host, Where at = Where::current()) const {
    nest::store_at(handle_, host.handle_, nullptr, at);
    return *this;
  }
  // Of a stage stored by store_at: memory for the last `ring` elements along the loop over a dimension only, found by index modulo
  // `ring`, which holds at least what a turn reads; a power of two when not given. Codes fold_storage.*.
  template <class L> Stage fold_storage(L loop, Where at = Where::current()) const { return fold_storage(loop, 0, at); }
  template <class L> Stage fold_storage(L loop, i64 ring, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) nest::fold_storage(handle_, loop.node, ring, at);
    return *this;
  }
  // Computed where it is read and not stored; a reduction goes with its loops to its one reader. Codes inline.*.
  Stage inline_(Where at = Where::current()) const {
    nest::inline_(handle_, at);
    return *this;
  }
  // Sums that wait for further turns of the reduction are kept in memory of their own, as many as one turn of a loop outside the
  // reduction computes, in the order of the loops inside it and in the type that they are computed in; the output is stored once.
  // Codes cache_write.*.
  template <class L> Stage cache_write(L loop, Where at = Where::current()) const {
    if constexpr (nest::one_loop<L>()) nest::cache_write(handle_, loop.node, at);
    return *this;
  }
  // Promises that an argument which the stage reads or writes begins at a multiple of `bytes` (a power of two), and that the strides of
  // all its dimensions but the last are multiples too. Each call is checked: code run.promise. Codes align.*.
  Stage align(AnyTensor tensor, i64 bytes, Where at = Where::current()) const {
    nest::align(handle_, tensor.node, bytes, at);
    return *this;
  }
  // Stores the stage in another order of its dimensions, outermost first: layout({n, c / 16, h, w, c % 16}) cuts c in blocks of 16 and
  // stores their elements last. Of a stage that is no output. Codes layout.*.
  template <std::size_t N> Stage layout(const Expr<i64> (&places)[N], Where at = Where::current()) const {
    ir::Ref node[N];
    for (std::size_t k = 0; k < N; ++k) node[k] = places[k].node;
    nest::layout(handle_, node, static_cast<int>(N), at);
    return *this;
  }
  const nest::StageHandle* handle() const { return handle_; }

 protected:
  template <class Kind, int N> Loops<Kind, N> splits(ir::Ref loop, const ir::Ref* factors, Tail tail, Where at) const {
    Loop<Kind> made[6] = {};
    ir::Ref node[N];
    nest::split(handle_, loop, factors, N - 1, tail, node, at);
    for (int k = 0; k < N; ++k) made[k].node = node[k];
    if constexpr (N == 2) return {made[0], made[1]};
    else if constexpr (N == 3) return {made[0], made[1], made[2]};
    else if constexpr (N == 4) return {made[0], made[1], made[2], made[3]};
    else if constexpr (N == 5) return {made[0], made[1], made[2], made[3], made[4]};
    else return {made[0], made[1], made[2], made[3], made[4], made[5]};
  }
  const nest::StageHandle* handle_;
};

// The schedule of the program that computes `outputs`, and the stage of its first output. Copies share one schedule.
// Making one finds the errors of the program: codes lang.*.
class Schedule : public Stage {
 public:
  explicit Schedule(AnyTensor output, Where at = Where::current()) : Schedule(&output.node, 1, at) {}
  template <class... T, int... R> explicit Schedule(Signature<Out<T, R>...> outputs, Where at = Where::current())
      : Schedule(outputs.node, outputs.size, at) {}
  Schedule(const Schedule& other) noexcept : Stage(other), body_(other.body_) { nest::retain(body_); }
  Schedule& operator=(const Schedule& other) noexcept {
    nest::retain(other.body_);
    nest::release(body_);
    handle_ = other.handle_;
    body_ = other.body_;
    return *this;
  }
  ~Schedule() { nest::release(body_); }

  // The stage of a tensor, or of a name as text() shows it ("C", "C.sum"). Code schedule.stage.
  Stage operator[](nest::TensorAt tensor) const { return Stage(nest::stage_of(body_, tensor.node, tensor.at)); }
  Stage stage(const char* name, Where at = Where::current()) const { return Stage(nest::stage_named(body_, name, at)); }
  // A copy of the schedule as it stands, for calls whose sizes satisfy a condition: comparisons of sizes, joined with &&. `directives`
  // writes it with the handles of this schedule, and with facts: of N == 1024, N >= 128, N % 48 == 0 what the condition says of the
  // Dim is known in it. A call takes the first that fits. Codes specialize.*.
  template <class Condition, class F> void specialize(Condition condition, F&& directives, Where at = Where::current()) const {
    static_assert(std::is_convertible_v<Condition, Expr<bool>>, "ordo: a schedule is specialised for a condition on Dims");
    if constexpr (std::is_convertible_v<Condition, Expr<bool>>) {
      struct Scope {
        nest::Body* body;
        bool done = false;
        ~Scope() { nest::end_specialize(body, done); }
      };
      const nest::Kept kept(body_);
      nest::begin_specialize(kept.body, Expr<bool>(condition).node, at);
      Scope scope{kept.body};
      directives();
      scope.done = true;
    }
  }
  const char* text() const { return nest::text(body_); }         // the loops now; valid until asked again
  const char* trace() const { return nest::trace(body_); }       // the directives, one a line; likewise
  nest::Body* body() const { return body_; }

 private:
  Schedule(const ir::Ref* outputs, int count, Where at) : Stage(nullptr), body_(nest::open(outputs, count, at)) {
    handle_ = nest::stage_of(body_, outputs[0], at);
  }
  nest::Body* body_;
};
}  // namespace ordo
