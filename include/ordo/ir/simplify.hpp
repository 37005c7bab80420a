// Integer expressions: linear forms, intervals, a simplifier whose rules are data, evaluation over Dims.
#pragma once
#include <string>
#include <vector>
#include "ordo/ir/arena.hpp"

namespace ordo::ir {
// Sum of coefficient * atom + constant; an atom is any i64 node that is no sum or product by a constant.
struct Linear {
  struct Term { Ref atom; i64 coefficient; };
  std::vector<Term> terms;       // no zero coefficients, in order of first appearance
  i64 constant = 0;
};
Linear linear(Ref expression);
Ref build(Arena& arena, const Linear& form);

// Same value for all inputs, in the sense of contract.md for integers (wrap) and bool; floats are left alone but for
// folds of constants by soft arithmetic. Memoised. Non-negative Dims and loop variables may be assumed in [0, 2^40).
Ref simplify(Arena& arena, Ref expression);

// Replaces nodes (Axis, Var, Dim, ...) by others; memoised, rebuilds (and re-conses) only what changes.
struct Replacement { Ref from, to; };
Ref substitute(Arena& arena, Ref expression, const Replacement* replacements, std::size_t count);

// Smallest and largest value when every atom lies in its range; nullptr-free: unknown atoms give known = false.
struct Interval { i64 low, high; bool known; };
struct AtomRange { Ref atom; i64 low, high; };
Interval interval(Ref expression, const std::vector<AtomRange>& ranges);

// True only when shown for all Dims >= 0 (constants, equal linear forms, intervals).
bool provably_equal(Ref a, Ref b);
bool provably_less_equal(Ref a, Ref b);
bool provably_multiple(Ref a, i64 of);

// Value of an i64 or bool expression over Dims: dims[d] is the value of the Dim with arg d. Contract integer rules.
i64 evaluate(Ref expression, const i64* dims);
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/simplify.ipp"
#endif
