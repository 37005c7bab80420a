// Pass: conditions are asked as far out as they can be, and not at all where the ranges of loops or conditions around them tell.
//   before: for s in 0..3: for c: { if 0 <= y && 0 <= s - 1: acc[0] = ...; if 0 <= y: acc[1] = ... }
//   after:  if 0 <= y: for s in 0..3: if 0 <= s - 1: for c: { acc[0] = ...; acc[1] = ... }  else: for c: acc[1] = ...
// And loops run where their conditions hold:
//   before: for k in 0..N: if k <= i: acc = ...             after: for k in 0..minimum(N, i + 1): acc = ...
//   before: for k in 0..N: { if k <= i: acc[0] = ...; if k <= i + 1: acc[1] = ... }
//   after:  for k in 0..minimum(N, i + 1): { acc[0] = ...; acc[1] = ... }  for k in i + 1..minimum(N, i + 2): { if k <= i: ...; if ... }
// Of conditions that read memory nothing is assumed, and they stay where they are.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <optional>
#include "ordo/ir/form.hpp"
#include "ordo/ir/program.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/passes.hpp"

namespace ordo::kernel {
namespace detail_hoist {
using namespace ir;
using Conjuncts = std::vector<Ref>;

inline bool is_condition(Ref e) { return e->type == Type::boolean && e->lanes == 1 && e->op != Op::Const; }
inline bool compares_indices(Ref e) { return class_of(e->op) == OpClass::compare && e->lanes == 1 && e->src[0]->type == Type::i64; }
inline bool is_pure(Ref e) { return first_of(e, Op::Read) == nullptr; }
inline bool is_plain_if(Ref s) { return s->op == Op::If && s->count == 2; }
inline void split(Ref e, Conjuncts& into) {
  if (e->op == Op::And) {
    split(e->src[0], into);
    split(e->src[1], into);
  } else if (std::find(into.begin(), into.end(), e) == into.end()) {
    into.push_back(e);
  }
}
inline Conjuncts split(Ref e) {
  Conjuncts all;
  split(e, all);
  return all;
}
inline bool contains(const Conjuncts& all, Ref e) { return std::find(all.begin(), all.end(), e) != all.end(); }

// Where a condition holds: from `low` on, below `high`; nullptr: everywhere on that side.
struct Span {
  Ref low = nullptr, high = nullptr;
  bool any() const { return low != nullptr || high != nullptr; }
};
// The larger or the smaller one, plain where they differ by a constant.
inline Ref extreme(const Make& make, bool larger, Ref a, Ref b) {
  const Linear gap = linear(make.sub(a, b));
  if (gap.terms.empty()) return (gap.constant > 0) == larger ? a : b;
  return larger ? make.max(a, b) : make.min(a, b);
}
// Cuts `span` by a comparison, of sides that cannot wrap, that is linear in `var`; false where it is not.
inline bool cut(const Make& make, Ref condition, Ref var, Span& span) {
  const bool strict = condition->op == Op::Lt || condition->op == Op::Gt, swapped = condition->op == Op::Gt || condition->op == Op::Ge;
  if (condition->op == Op::Eq || condition->op == Op::Ne) return false;
  const Ref less = condition->src[swapped ? 1 : 0], more = condition->src[swapped ? 0 : 1];
  const Linear gap = linear(make.sub(more, less));       // at least 1 where strict, else 0
  i64 by = 0;
  for (const Linear::Term& t : gap.terms)
    if (t.atom == var) by = t.coefficient;
  if (by != 1 && by != -1) return false;
  Ref edge = nullptr;                                    // var >= edge, or var < edge
  for (const Linear::Term& t : gap.terms) {
    if (t.atom == var) continue;
    if (mentions(t.atom, var)) return false;
    const Ref term = make.mul(t.atom, make.integer(-by * t.coefficient));
    edge = edge == nullptr ? term : make.add(edge, term);
  }
  const i64 constant = -by * (gap.constant - (strict ? 1 : 0)) + (by < 0 ? 1 : 0);
  edge = edge == nullptr ? make.integer(constant) : make.add(edge, make.integer(constant));
  Ref& side = by > 0 ? span.low : span.high;
  side = side == nullptr ? edge : extreme(make, by > 0, side, edge);
  return true;
}

class Pass {
 public:
  explicit Pass(Kernel& kernel) : kernel_(kernel), make_(kernel.arena) {}
  Ref visit(Ref s) {
    switch (s->op) {
      case Op::Block: {
        std::vector<Ref> all;
        for (u32 k = 0; k < s->count; ++k) all.push_back(visit(s->src[k]));
        return factored(make_.block(all));
      }
      case Op::If: return visit_if(s);
      case Op::For: return visit_for(s);
      case Op::Let: {
        const Ref value = folded(s->src[1]);
        return make_.let(s->src[0], value, visit(s->src[2]));
      }
      case Op::Alloc: return make_.alloc(static_cast<u32>(s->arg), visit(s->src[0]));
      default: return folded(s);
    }
  }

 private:
  struct Fact {
    Ref condition;
    bool truth;
  };
  Ref joined(const Conjuncts& all) const {
    Ref r = nullptr;
    for (const Ref c : all) r = make_.both(r, c);
    return r;
  }

  // Are both sides sums that cannot wrap, so that their difference tells?
  bool compares_plainly(Ref e) { return compares_indices(e) && is_small(e->src[0]) && is_small(e->src[1]); }
  bool is_small(Ref e) {
    constexpr i64 most_times = 1 << 20, most_atom = i64{1} << 40, most = i64{1} << 61;
    if (!ranges_) ranges_.emplace(&given_);
    const Linear form = linear(e);
    i64 times = 0;
    for (const Linear::Term& t : form.terms) {
      const Interval range = ranges_->of(t.atom);
      if (t.coefficient > most_times || t.coefficient < -most_times || !range.known || range.low < -most_atom || range.high > most_atom)
        return false;
      times += std::abs(t.coefficient);
    }
    return times <= most_times && form.constant < most && form.constant > -most;
  }
  bool cuts(Ref condition, Ref var, Span& span) {
    return is_pure(condition) && compares_plainly(condition) && cut(make_, condition, var, span);
  }
  // Of a comparison or a condition met before; nullptr: not known.
  Ref decided(Ref e) {
    for (const Fact& f : facts_)
      if (f.condition == e) return f.truth ? make_.yes() : make_.negate(make_.yes());
    if (!compares_plainly(e)) return nullptr;
    const bool swapped = e->op == Op::Gt || e->op == Op::Ge;
    const Interval gap = ranges_->of(make_.sub(e->src[swapped ? 0 : 1], e->src[swapped ? 1 : 0]));
    if (!gap.known) return nullptr;
    const auto known = [&](bool yes, bool no) { return yes ? make_.yes() : no ? make_.negate(make_.yes()) : nullptr; };
    switch (e->op) {
      case Op::Lt: case Op::Gt: return known(gap.low >= 1, gap.high <= 0);
      case Op::Le: case Op::Ge: return known(gap.low >= 0, gap.high < 0);
      case Op::Eq: return known(false, gap.low > 0 || gap.high < 0);
      case Op::Ne: return known(gap.low > 0 || gap.high < 0, false);
      default: return nullptr;
    }
  }
  Ref folded(Ref e) {
    std::vector<Replacement> to;
    visit_once(e, [&](Ref c) {
      if (!is_condition(c)) return true;
      const Ref known = decided(c);
      if (known != nullptr) to.push_back({c, known});
      return known == nullptr;
    });
    return to.empty() ? e : substitute_folded(make_, e, to.data(), to.size());
  }

  Ref visit_if(Ref s) {
    const Ref condition = folded(s->src[0]);
    if (Make::is_constant(condition)) {
      if (condition->arg != 0) return visit(s->src[1]);
      return s->count > 2 ? visit(s->src[2]) : make_.block({});
    }
    const Conjuncts all = split(condition);
    const std::size_t before = facts_.size();
    for (const Ref c : all)
      if (is_pure(c)) facts_.push_back({c, true});
    const Ref then = visit(s->src[1]);
    facts_.resize(before);
    if (s->count == 2) return is_plain_if(then) && is_pure(then->src[0]) ? when({condition, then->src[0]}, then->src[1]) : when({condition}, then);
    if (all.size() == 1 && is_pure(condition)) facts_.push_back({condition, false});
    const Ref other = visit(s->src[2]);
    facts_.resize(before);
    return make_.when(condition, then, other);
  }
  Ref when(const Conjuncts& conditions, Ref body) const {
    Conjuncts all;
    for (const Ref c : conditions) split(c, all);
    return make_.when(joined(all), body);
  }

  // if a && b: x; if a && b: y; if a: z        ->      if a: { if b: { x; y }; z }
  Ref factored(Ref s) const {
    if (s->op != Op::Block) return s;
    std::vector<Ref> all;
    for (u32 k = 0; k < s->count; ++k) {
      const Ref next = s->src[k];
      const bool same = !all.empty() && is_plain_if(next) && is_plain_if(all.back()) && all.back()->src[0] == next->src[0] &&
                        is_pure(next->src[0]);
      if (same) all.back() = make_.when(next->src[0], make_.block({all.back()->src[1], next->src[1]}));
      else all.push_back(next);
    }
    Conjuncts common;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!is_plain_if(all[k])) return make_.block(all);
      const Conjuncts own = split(all[k]->src[0]);
      if (k == 0) std::copy_if(own.begin(), own.end(), std::back_inserter(common), is_pure);
      else std::erase_if(common, [&](Ref c) { return !contains(own, c); });
    }
    if (common.empty() || all.size() < 2) return make_.block(all);
    for (Ref& one : all) {
      Conjuncts rest = split(one->src[0]);
      std::erase_if(rest, [&](Ref c) { return contains(common, c); });
      one = when(rest, one->src[1]);
    }
    return make_.when(joined(common), make_.block(all));
  }

  Ref visit_for(Ref s) {
    const Ref var = s->src[0], begin = folded(s->src[1]), end = folded(s->src[2]);
    const LoopMode mode = static_cast<LoopMode>(s->arg);
    if (!ranges_) ranges_.emplace(&given_);
    const Interval from = ranges_->of(begin), to = ranges_->of(end);
    const bool known = from.known && to.known && from.low < to.high;
    if (known) given_.push_back({var, from.low, to.high - 1});
    ranges_.reset();
    const Ref body = visit(s->src[3]);
    if (known) given_.pop_back();
    ranges_.reset();
    if (mode != LoopMode::serial) return make_.loop(mode, var, begin, end, body);
    const auto stays = [&](Ref c) { return mentions(c, var) || !is_pure(c); };
    if (!is_plain_if(body)) return spans(var, begin, end, body, stays);
    Conjuncts outside = split(body->src[0]), inside;
    std::copy_if(outside.begin(), outside.end(), std::back_inserter(inside), stays);
    std::erase_if(outside, stays);
    Span span;
    std::erase_if(inside, [&](Ref c) { return cuts(c, var, span); });
    const Ref rest = when(inside, body->src[1]), low = span.low == nullptr ? begin : make_.max(begin, span.low),
              high = span.high == nullptr ? end : make_.min(end, span.high);
    return make_.when(joined(outside), spans(var, low, high, rest, stays));
  }

  // An innermost loop all of whose statements have conditions that hold from some turn on, or all up to one: the turns of all apart.
  Ref spans(Ref var, Ref begin, Ref end, Ref body, const auto& stays) {
    if (body->op != Op::Block || body->count == 0 || first_of(body, Op::For) != nullptr) return versions(var, begin, end, body, stays);
    std::size_t lows = 0, highs = 0;
    Ref any = nullptr, all = nullptr;                    // where the first begins or the last ends; where all hold
    std::vector<Ref> plain;
    for (u32 k = 0; k < body->count; ++k) {
      Conjuncts own = is_plain_if(body->src[k]) ? split(body->src[k]->src[0]) : Conjuncts{};
      Span span;
      std::erase_if(own, [&](Ref c) { return cuts(c, var, span); });
      if ((span.low == nullptr) == (span.high == nullptr)) return versions(var, begin, end, body, stays);
      const bool low = span.low != nullptr;
      const Ref edge = low ? span.low : span.high;
      ++(low ? lows : highs);
      any = any == nullptr ? edge : extreme(make_, !low, any, edge);
      all = all == nullptr ? edge : extreme(make_, low, all, edge);
      plain.push_back(when(own, body->src[k]->src[1]));
    }
    if (lows != 0 && highs != 0) return versions(var, begin, end, body, stays);
    const auto some = [&](Ref from, Ref to) { return with_own_variables(kernel_, make_.loop(LoopMode::serial, var, from, to, body)); };
    const Ref whole = make_.block(plain);
    if (highs != 0) {
      const Ref to = make_.max(begin, make_.min(end, all));
      return make_.block({versions(var, begin, to, whole, stays), some(to, make_.min(end, any))});
    }
    const Ref from = make_.min(end, make_.max(begin, all));
    return make_.block({some(make_.max(begin, any), from), versions(var, from, end, whole, stays)});
  }

  // An innermost loop some of whose statements have conditions that do not change in it. Few of them: a loop for each case; more: one
  // for where all hold, and the loop as it is.
  Ref versions(Ref var, Ref begin, Ref end, Ref body, const auto& stays) {
    constexpr std::size_t few = 2;
    const Ref as_is = make_.loop(LoopMode::serial, var, begin, end, body);
    if (first_of(body, Op::For) != nullptr) return as_is;
    Conjuncts all;
    const u32 count = body->op == Op::Block ? body->count : 1;
    const auto statement = [&](u32 k) { return body->op == Op::Block ? body->src[k] : body; };
    for (u32 k = 0; k < count; ++k) {
      const Conjuncts own = is_plain_if(statement(k)) ? split(statement(k)->src[0]) : Conjuncts{};
      for (const Ref c : own)
        if (std::none_of(own.begin(), own.end(), stays) && !contains(all, c)) all.push_back(c);
    }
    if (all.empty()) return as_is;
    const auto where = [&](const Conjuncts& known, bool truth) {         // the body where they hold, or where the one does not
      std::vector<Ref> left;
      for (u32 k = 0; k < count; ++k) {
        const Ref one = statement(k);
        Conjuncts own = is_plain_if(one) ? split(one->src[0]) : Conjuncts{};
        if (!truth && contains(own, known[0])) continue;
        const std::size_t gone = std::erase_if(own, [&](Ref c) { return contains(known, c); });
        left.push_back(gone == 0 ? one : when(own, one->src[1]));
      }
      return make_.block(left);
    };
    if (all.size() > few)
      return make_.when(joined(all), make_.loop(LoopMode::serial, var, begin, end, where(all, true)), with_own_variables(kernel_, as_is));
    const Ref holds = versions(var, begin, end, where({all[0]}, true), stays);
    return make_.when(all[0], holds, with_own_variables(kernel_, versions(var, begin, end, where({all[0]}, false), stays)));
  }

  Kernel& kernel_;
  Make make_;
  std::vector<Fact> facts_;
  std::vector<AtomRange> given_;
  std::optional<Ranges> ranges_;
};
}  // namespace detail_hoist

ORDO_INLINE ir::Ref hoist(Kernel& kernel, ir::Ref body) {
  using namespace detail_hoist;
  bool asks = false;
  visit_once(body, [&](Ref e) {
    asks = asks || compares_indices(e);
    return !asks;
  });
  return asks ? Pass(kernel).visit(body) : body;
}
}  // namespace ordo::kernel
