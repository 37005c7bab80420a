// What the functions of the contract are, by MPFR; and by libm where its double leaves no doubt about the float.
#pragma once
#include <mpfr.h>
#include <string>
#include <vector>
#include "ordo/base/types.hpp"

namespace oracle {
using ordo::u32;
using ordo::u64;

struct Function {
  const char* name;        // as programs spell it
  double (*fast)(double);  // within 2^-48 of the true value, as every vector of it is
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  double (*fast2)(double, double);
  int (*exact2)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
  long double (*wide)(long double);  // x87 or better: within 2^-60
  long double (*wide2)(long double, long double);
  bool binary() const { return exact2 != nullptr; }
};
const std::vector<Function>& functions();
const Function& named(const std::string& name);

// Correctly rounded, by MPFR.
float rounded(const Function& f, float x, float y = 0);
double rounded(const Function& f, double x, double y = 0);
// The same for many: by libm, and by MPFR where libm's double is near the middle of two floats.
void rounded(const Function& f, const float* x, const float* y, float* to, std::size_t count);
// libm's doubles, by its vectors where this processor has them.
void doubles(const Function& f, const float* x, const float* y, double* to, std::size_t count);
// How far `have` is from the true value, in units of the last place of the true value (of the largest finite number's at
// infinity); 0 for two NaN, infinity where one is a NaN, or where signs of zeros or infinities differ.
double ulps(const Function& f, double have, double x, double y = 0);
double ulps(const Function& f, float have, float x, float y = 0);
// The same by libm's long double, to 1/100; below 0 where that does not tell.
double ulps_by_libm(const Function& f, double have, double x, double y = 0);

inline float as_float(u32 bits) { return __builtin_bit_cast(float, bits); }
inline u32 bits(float x) { return x != x ? 0x7fc00000u : __builtin_bit_cast(u32, x); }
inline double as_double(u64 bits) { return __builtin_bit_cast(double, bits); }
inline u64 bits(double x) { return x != x ? 0x7ff8000000000000u : __builtin_bit_cast(u64, x); }
}  // namespace oracle
