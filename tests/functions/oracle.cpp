#include "functions/oracle.hpp"
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include "functions/vectors.hpp"

namespace oracle {
namespace {
// Of doubles that hold floats: all steps up to the last are exact, but for the multiplication by pi.
double sinpi(double x) {
  if (std::isinf(x)) return NAN;
  const double r = std::fmod(x, 2), a = std::fabs(r);  // sin(pi a), a in [0, 2)
  const double b = a >= 1 ? a - 1 : a, c = b > 0.5 ? 1 - b : b;
  const double s = c > 0.25 ? std::cos(M_PI * (0.5 - c)) : std::sin(M_PI * c);
  if (c == 0) return std::copysign(0, x);
  return std::copysign(s, (a >= 1) != (x < 0) ? -1.0 : 1.0);
}
double cospi(double x) {
  if (std::isinf(x)) return NAN;
  const double a = std::fabs(std::fmod(x, 2)), b = a > 1 ? 2 - a : a;  // cos(pi b), b in [0, 1]
  const double c = b > 0.5 ? 1 - b : b;
  const double s = c > 0.25 ? std::sin(M_PI * (0.5 - c)) : std::cos(M_PI * c);
  if (c == 0.5) return 0;
  return b > 0.5 ? -s : s;
}
double exp10(double x) { return ::exp10(x); }
constexpr long double pi = 3.14159265358979323846264338327950288L;
long double wide_sinpi(long double x) {
  const long double r = std::fmod(x, 2.0L), a = std::fabs(r), b = a >= 1 ? a - 1 : a, c = b > 0.5L ? 1 - b : b;
  const long double s = c > 0.25L ? std::cos(pi * (0.5L - c)) : std::sin(pi * c);
  return (a >= 1) != (x < 0) ? -s : s;
}
long double wide_cospi(long double x) {
  const long double a = std::fabs(std::fmod(x, 2.0L)), b = a > 1 ? 2 - a : a, c = b > 0.5L ? 1 - b : b;
  const long double s = c > 0.25L ? std::sin(pi * (0.5L - c)) : std::cos(pi * c);
  return b > 0.5L ? -s : s;
}

int sigmoid(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
  mpfr_t t;
  mpfr_init2(t, 200);
  mpfr_neg(t, x, MPFR_RNDN);
  mpfr_exp(t, t, MPFR_RNDN);
  mpfr_add_ui(t, t, 1, MPFR_RNDN);
  const int to = mpfr_ui_div(r, 1, t, rounding);
  mpfr_clear(t);
  return to;
}
int gelu(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {  // x / 2 erfc(-x / sqrt 2)
  mpfr_t t;
  mpfr_init2(t, 300);
  mpfr_sqrt_ui(t, 2, MPFR_RNDN);
  mpfr_div(t, x, t, MPFR_RNDN);
  mpfr_neg(t, t, MPFR_RNDN);
  mpfr_erfc(t, t, MPFR_RNDN);
  mpfr_div_2ui(t, t, 1, MPFR_RNDN);
  const int to = mpfr_mul(r, t, x, rounding);
  mpfr_clear(t);
  return to;
}
double fast_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double fast_gelu(double x) { return x * (0.5 * std::erfc(-x * M_SQRT1_2)); }

double (*one(double (*f)(double)))(double) { return f; }

struct Number {
  mpfr_t v;
  explicit Number(mpfr_prec_t precision) { mpfr_init2(v, precision); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(v); }
};
int evaluate(const Function& f, mpfr_t r, double x, double y, mpfr_rnd_t rounding) {
  Number a(53), b(53);
  mpfr_set_d(a.v, x, MPFR_RNDN);
  if (!f.binary()) return f.exact(r, a.v, rounding);
  mpfr_set_d(b.v, y, MPFR_RNDN);
  return f.exact2(r, a.v, b.v, rounding);
}
// Rounded once, subnormals included.
double exact(const Function& f, double x, double y, mpfr_prec_t precision, mpfr_exp_t lowest, mpfr_exp_t highest) {
  const mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
  Number r(precision);
  mpfr_set_emin(lowest);
  mpfr_set_emax(highest);
  const int to = evaluate(f, r.v, x, y, MPFR_RNDN);
  mpfr_subnormalize(r.v, to, MPFR_RNDN);
  const double d = mpfr_get_d(r.v, MPFR_RNDN);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  return d;
}
double distance(const Function& f, double have, double x, double y, int digits, int lowest, double largest) {
  Number r(200);
  evaluate(f, r.v, x, y, MPFR_RNDN);
  if (mpfr_nan_p(r.v) || have != have) return mpfr_nan_p(r.v) && have != have ? 0 : INFINITY;
  if (mpfr_zero_p(r.v)) return have == 0 && std::signbit(have) == (mpfr_signbit(r.v) != 0) ? 0 : INFINITY;
  if (mpfr_inf_p(r.v)) return std::isinf(have) && std::signbit(have) == (mpfr_signbit(r.v) != 0) ? 0 : INFINITY;
  if (have == 0 && std::signbit(have) != (mpfr_signbit(r.v) != 0)) return INFINITY;
  long e = mpfr_get_exp(r.v) - digits;
  if (e < lowest) e = lowest;
  Number h(200);
  if (std::isinf(have)) {  // as the number after the largest
    mpfr_set_d(h.v, std::copysign(largest, have), MPFR_RNDN);
    mpfr_mul_2ui(h.v, h.v, 1, MPFR_RNDN);
    const mpfr_exp_t last = mpfr_get_exp(h.v) - 1;
    mpfr_set_si_2exp(h.v, have < 0 ? -1 : 1, last, MPFR_RNDN);
    if (mpfr_get_exp(r.v) > last) return 0;
    e = last - digits;
  } else {
    mpfr_set_d(h.v, have, MPFR_RNDN);
  }
  mpfr_sub(h.v, h.v, r.v, MPFR_RNDN);
  mpfr_mul_2si(h.v, h.v, -e, MPFR_RNDN);
  return std::fabs(mpfr_get_d(h.v, MPFR_RNDN));
}
}  // namespace

const std::vector<Function>& functions() {
#define ORDO_ONE(f)                                                                    \
  {                                                                                    \
#f, one([](double x) -> double { return std::f(x); }), mpfr_##f, nullptr, nullptr, \
        [](long double x) -> long double { return std::f(x); }, nullptr                \
  }
  static const std::vector<Function> all = {
      ORDO_ONE(exp),
      ORDO_ONE(exp2),
      {"exp10", exp10, mpfr_exp10, nullptr, nullptr, ::exp10l, nullptr},
      ORDO_ONE(expm1),
      ORDO_ONE(log),
      ORDO_ONE(log2),
      ORDO_ONE(log10),
      ORDO_ONE(log1p),
      ORDO_ONE(sin),
      ORDO_ONE(cos),
      ORDO_ONE(tan),
      {"sinpi", sinpi, mpfr_sinpi, nullptr, nullptr, wide_sinpi, nullptr},
      {"cospi", cospi, mpfr_cospi, nullptr, nullptr, wide_cospi, nullptr},
      ORDO_ONE(asin),
      ORDO_ONE(acos),
      ORDO_ONE(atan),
      ORDO_ONE(sinh),
      ORDO_ONE(cosh),
      ORDO_ONE(tanh),
      ORDO_ONE(asinh),
      ORDO_ONE(acosh),
      ORDO_ONE(atanh),
      ORDO_ONE(erf),
      ORDO_ONE(erfc),
      ORDO_ONE(cbrt),
      {"pow", nullptr, nullptr, std::pow, mpfr_pow, nullptr, [](long double x, long double y) { return std::pow(x, y); }},
      {"atan2", nullptr, nullptr, std::atan2, mpfr_atan2, nullptr, [](long double x, long double y) { return std::atan2(x, y); }},
      {"hypot", nullptr, nullptr, std::hypot, mpfr_hypot, nullptr, [](long double x, long double y) { return std::hypot(x, y); }},
      {"approx_exp", [](double x) { return std::exp(x); }, mpfr_exp, nullptr, nullptr, nullptr, nullptr},
      {"approx_log", [](double x) { return std::log(x); }, mpfr_log, nullptr, nullptr, nullptr, nullptr},
      {"approx_tanh", [](double x) { return std::tanh(x); }, mpfr_tanh, nullptr, nullptr, nullptr, nullptr},
      {"approx_sigmoid", fast_sigmoid, sigmoid, nullptr, nullptr, nullptr, nullptr},
      {"approx_erf", [](double x) { return std::erf(x); }, mpfr_erf, nullptr, nullptr, nullptr, nullptr},
      {"approx_gelu", fast_gelu, gelu, nullptr, nullptr, nullptr, nullptr},
      {"approx_sin", [](double x) { return std::sin(x); }, mpfr_sin, nullptr, nullptr, nullptr, nullptr},
      {"approx_cos", [](double x) { return std::cos(x); }, mpfr_cos, nullptr, nullptr, nullptr, nullptr},
  };
#undef ORDO_ONE
  return all;
}
const Function& named(const std::string& name) {
  for (const Function& f : functions())
    if (f.name == name) return f;
  throw std::runtime_error("no function is called " + name);
}

void rounded(const Function& f, const float* x, const float* y, float* to, std::size_t count) {
  static thread_local std::vector<double> d;
  d.resize(count);
  doubles(f, x, y, d.data(), count);
  for (std::size_t k = 0; k < count; ++k) {
    const float low = static_cast<float>(d[k] - d[k] * 0x1p-48), high = static_cast<float>(d[k] + d[k] * 0x1p-48);
    // Zeros, infinities and NaN are libm's word; those of special inputs are tested against MPFR by themselves.
    const bool sure = low == high || !(std::fabs(d[k]) < INFINITY);
    to[k] = sure ? static_cast<float>(d[k]) : static_cast<float>(exact(f, x[k], y[k], 24, -148, 128));
  }
}
float rounded(const Function& f, float x, float y) { return static_cast<float>(exact(f, x, y, 24, -148, 128)); }
void doubles(const Function& f, const float* x, const float* y, double* to, std::size_t count) {
  if (!f.binary() && count >= 8 && by_vectors(f.name, x, to, count)) return;
  for (std::size_t k = 0; k < count; ++k) to[k] = f.binary() ? f.fast2(x[k], y[k]) : f.fast(x[k]);
}
double rounded(const Function& f, double x, double y) { return exact(f, x, y, 53, -1073, 1024); }
double ulps(const Function& f, double have, double x, double y) {
  return distance(f, have, x, y, 53, -1074, std::numeric_limits<double>::max());
}
double ulps_by_libm(const Function& f, double have, double x, double y) {
  if (std::numeric_limits<long double>::digits < 64) return -1;
  const long double v = f.binary() ? f.wide2(x, y) : f.wide(x);
  const long double size = std::fabs(v);
  if (!(size > 0x1p-1021L && size < 0x1p1023L)) return v != v && have != have ? 0 : -1;
  int e = 0;
  std::frexp(v, &e);
  return static_cast<double>(std::ldexp(std::fabs(static_cast<long double>(have) - v), 53 - e));
}
double ulps(const Function& f, float have, float x, float y) {
  return distance(f, static_cast<double>(have), x, y, 24, -149, static_cast<double>(std::numeric_limits<float>::max()));
}
}  // namespace oracle
