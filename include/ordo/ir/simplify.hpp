// Integer expressions: linear forms, intervals, a simplifier whose rules are data, evaluation over Dims.
#pragma once
#include <string>
#include <vector>
#include "ordo/ir/arena.hpp"
#include "ordo/ir/interval.hpp"

namespace ordo::ir {
// Sum of coefficient * atom + constant; an atom is any i64 node that is no sum or product by a constant.
struct Linear {
  struct Term { Ref atom; i64 coefficient; };
  std::vector<Term> terms;       // no zero coefficients, in order of first appearance
  i64 constant = 0;
};
Linear linear(Ref expression);
Ref build(Arena& arena, const Linear& form);

// Same value for all inputs, in the sense of NUMERICS.md for integers (wrap) and bool; floats are left alone but for
// folds of constants by soft arithmetic. Memoised. Non-negative Dims and loop variables may be assumed in [0, 2^40).
// An i64 Var that may be negative or larger (a Let's) says so by `any_value` in its arg. Axes and tensors stay as they
// are, vector nodes keep their structure (scalar parts below them are simplified), an If with a constant condition goes.
Ref simplify(Arena& arena, Ref expression);

// The same with a memory over calls and, when given, narrower ranges of atoms (kept by reference). For passes.
struct SimplifierBody;
class Simplifier {
 public:
  explicit Simplifier(Arena& arena, const std::vector<AtomRange>* ranges = nullptr);
  Simplifier(const Simplifier&) = delete;
  Simplifier& operator=(const Simplifier&) = delete;
  ~Simplifier();
  Ref operator()(Ref expression);
 private:
  SimplifierBody* body_;
};

// Replaces nodes (Axis, Var, Dim, ...) by others; memoised, rebuilds (and re-conses) only what changes.
struct Replacement { Ref from, to; };
Ref substitute(Arena& arena, Ref expression, const Replacement* replacements, std::size_t count);

// Smallest and largest value when every atom lies in its range; nullptr-free: unknown atoms give known = false.
Interval interval(Ref expression, const std::vector<AtomRange>& ranges);

// True only when shown for all Dims >= 0 (constants, equal linear forms, intervals).
bool provably_equal(Ref a, Ref b);
bool provably_less_equal(Ref a, Ref b);
bool provably_multiple(Ref a, i64 of);

// Value of an i64 or bool expression over Dims: dims[d] is the value of the Dim with arg d. Contract integer rules.
i64 evaluate(Ref expression, const i64* dims);
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/linear.ipp"
#include "ordo/ir/interval.ipp"
#include "ordo/ir/rules.ipp"
#include "ordo/ir/constants.ipp"
#include "ordo/ir/divide.ipp"
#include "ordo/ir/compare.ipp"
#include "ordo/ir/simplify.ipp"
#include "ordo/ir/prove.ipp"
#include "ordo/ir/substitute.ipp"
#include "ordo/ir/evaluate.ipp"
#endif
