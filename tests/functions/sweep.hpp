// A function over many inputs, against the oracle.
#pragma once
#include "functions/oracle.hpp"
#include "ordo/base/target.hpp"

namespace functions {
struct Found {
  unsigned long long tried = 0, wrong = 0;
  double worst = 0;                   // ulps; for correctly rounded ones counted over what is wrong only
  std::vector<std::string> examples;  // of wrong ones, or the worst
};
// f32, one operand: the inputs first, first + stride, ... below 2^32.
Found sweep(const oracle::Function& f, const ordo::Target& target, unsigned long long first, unsigned long long stride);
// f32, two operands: `count` random pairs, and all pairs of special values.
Found pairs(const oracle::Function& f, const ordo::Target& target, unsigned long long count, unsigned long long seed);
// pow of every f32 x from 1 to 4 (each stride-th) with the exponents that can give the middle of two floats.
Found exact_powers(const oracle::Function& f, const ordo::Target& target, unsigned stride);
// f64: `count` random inputs and all special ones; wrong: not below 1 ulp.
Found doubles(const oracle::Function& f, const ordo::Target& target, unsigned long long count, unsigned long long seed);
}  // namespace functions
