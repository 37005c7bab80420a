#include "functions/sweep.hpp"
#include <cmath>
#include <cstdio>
#include <cstring>
#include "functions/kernel.hpp"

namespace functions {
namespace {
using ordo::u32;
using ordo::u64;
constexpr std::size_t chunk = 1 << 14;

template <class T>
std::string example(const oracle::Function& f, T x, T y, T have, T want) {
  char text[300];
  const int digits = 2 * static_cast<int>(sizeof(T));
  const auto hex = [](T v) { return static_cast<unsigned long long>(oracle::bits(v)); };
  if (f.binary())
    std::snprintf(text, sizeof text, "%s(%0*llx, %0*llx) = %0*llx, not %0*llx", f.name, digits, hex(x), digits, hex(y), digits, hex(have),
                  digits, hex(want));
  else
    std::snprintf(text, sizeof text, "%s(%0*llx) = %0*llx, not %0*llx  (%a)", f.name, digits, hex(x), digits, hex(have), digits, hex(want),
                  static_cast<double>(x));
  return text;
}
void tell(Found& found, const std::string& text) {
  if (found.examples.size() < 20) found.examples.push_back(text);
}
// Random bits: over all exponents, or near 1, or of some small integers.
struct Random {
  u64 state;
  u64 next() {
    state += 0x9e3779b97f4a7c15u;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  float single() {
    const u32 b = static_cast<u32>(next());
    switch (next() % 4) {
      case 0: return oracle::as_float(b);
      case 1: return oracle::as_float((b & 0x80ffffffu) + 0x3f000000u);  // near 1
      case 2: return static_cast<float>(static_cast<int>(b >> 20) - 2048) / 16;
      default: return oracle::as_float((b & 0x87ffffffu) + 0x3c000000u);
    }
  }
  double wide() {
    const u64 b = next();
    switch (next() % 4) {
      case 0: return oracle::as_double(b);
      case 1: return oracle::as_double((b & 0x801fffffffffffffu) + 0x3fd0000000000000u);
      case 2: return static_cast<double>(static_cast<long long>(b) >> 52) / 16;
      default: return oracle::as_double((b & 0x80ffffffffffffffu) + 0x3f80000000000000u);
    }
  }
};
template <class T, class Bits>
std::vector<T> special(Bits sign, Bits one, Bits ulp, Bits infinity) {
  std::vector<T> all;
  const auto add = [&](T v) { all.push_back(v), all.push_back(-v); };
  const auto from = [](Bits b) {
    T v;
    std::memcpy(&v, &b, sizeof v);
    return v;
  };
  for (Bits b : {Bits{0}, Bits{1}, Bits{2}, ulp - 1, ulp, ulp + 1, infinity - 1, infinity, infinity + 1, one, one - 1, one + 1})
    add(from(b));
  add(from(static_cast<Bits>(infinity + ulp / 2)));
  add(from(static_cast<Bits>(sign - 1)));
  for (double v : {0.5,
                   1.5,
                   2.0,
                   2.5,
                   3.0,
                   4.0,
                   5.0,
                   7.0,
                   8.0,
                   10.0,
                   16.0,
                   100.0,
                   1024.0,
                   0.25,
                   0.125,
                   0.1,
                   1e-3,
                   1e-10,
                   1e10,
                   16777215.0,
                   16777216.0,
                   16777217.0,
                   1e30,
                   88.7,
                   104.0,
                   149.0,
                   150.0,
                   126.0,
                   127.0,
                   128.0,
                   1.0 / 3,
                   3.14159265358979,
                   0.7853981633974483})
    add(static_cast<T>(v));
  return all;
}
std::vector<float> specials(float) { return special<float, u32>(0x80000000u, 0x3f800000u, 0x00800000u, 0x7f800000u); }
std::vector<double> specials(double) {
  return special<double, u64>(0x8000000000000000u, 0x3ff0000000000000u, 0x0010000000000000u, 0x7ff0000000000000u);
}

class Checked {  // one chunk after the other
 public:
  Checked(const oracle::Function& f, const ordo::Target& target) : f_(f), run_(f, target), approx_(std::strncmp(f.name, "approx", 6) == 0) {
    r_.resize(chunk), want_.resize(chunk), near_.resize(chunk);
  }
  void operator()(const std::vector<float>& x, const std::vector<float>& y, Found& found) {
    run_(x.data(), y.data(), r_.data(), static_cast<ordo::i64>(x.size()));
    found.tried += x.size();
    if (approx_) {
      oracle::doubles(f_, x.data(), y.data(), near_.data(), x.size());
      for (std::size_t k = 0; k < x.size(); ++k) near(x[k], near_[k], r_[k], found);
    } else {
      oracle::rounded(f_, x.data(), y.data(), want_.data(), x.size());
      for (std::size_t k = 0; k < x.size(); ++k) exact(x[k], y[k], want_[k], r_[k], found);
    }
  }
  void by_mpfr(const std::vector<float>& x, const std::vector<float>& y, Found& found) {
    run_(x.data(), y.data(), r_.data(), static_cast<ordo::i64>(x.size()));
    found.tried += x.size();
    for (std::size_t k = 0; k < x.size(); ++k)
      approx_ ? measured(x[k], r_[k], found) : exact(x[k], y[k], oracle::rounded(f_, x[k], y[k]), r_[k], found);
  }

 private:
  void exact(float x, float y, float want, float have, Found& found) {
    if (oracle::bits(have) == oracle::bits(want)) return;
    ++found.wrong;
    found.worst = std::fmax(found.worst, oracle::ulps(f_, have, x, y));
    tell(found, example(f_, x, y, have, want));
  }
  // By libm's double, and by MPFR what is not plainly within what was found so far.
  void near(float x, double d, float have, Found& found) {
    const u64 exponent = (oracle::bits(d) >> 52 & 2047) - 23;  // of an ulp of the float
    const double least = 0x1p-149, ulp = std::fmax(least, oracle::as_double(exponent << 52));
    const double off = std::fabs(static_cast<double>(have) - d);
    const bool close = static_cast<double>(have) == d || off < (found.worst - 1e-5) * ulp;
    if ((close && std::signbit(have) == std::signbit(d)) || (have != have && d != d)) return;
    measured(x, have, found);
  }
  void measured(float x, float have, Found& found) {
    const double off_by = oracle::ulps(f_, have, x);
    if (off_by > 2) ++found.wrong;
    if (off_by <= found.worst) return;
    found.worst = off_by;
    if (off_by > 2) tell(found, example(f_, x, 0.0f, have, oracle::rounded(f_, x)));
    else found.examples.assign(1, example(f_, x, 0.0f, have, oracle::rounded(f_, x)));
  }
  const oracle::Function& f_;
  Compiled<float> run_;
  bool approx_;
  std::vector<float> r_, want_;
  std::vector<double> near_;
};
}  // namespace

Found sweep(const oracle::Function& f, const ordo::Target& target, unsigned long long first, unsigned long long stride) {
  Found found;
  Checked check(f, target);
  std::vector<float> x = specials(0.0f);
  check.by_mpfr(x, x, found);
  for (unsigned long long b = first; b < 1ull << 32;) {
    x.clear();
    for (; x.size() < chunk && b < 1ull << 32; b += stride) x.push_back(oracle::as_float(static_cast<u32>(b)));
    check(x, x, found);
  }
  return found;
}
Found pairs(const oracle::Function& f, const ordo::Target& target, unsigned long long count, unsigned long long seed) {
  Found found;
  Checked check(f, target);
  const std::vector<float> values = specials(0.0f);
  std::vector<float> x, y;
  for (float a : values) {
    x.assign(values.size(), a);
    check.by_mpfr(x, values, found);
  }
  Random random{seed};
  while (count > 0) {
    const std::size_t n = count < chunk ? static_cast<std::size_t>(count) : chunk;
    x.clear(), y.clear();
    for (std::size_t k = 0; k < n; ++k) x.push_back(random.single()), y.push_back(random.single());
    check(x, y, found);
    count -= n;
  }
  return found;
}
Found exact_powers(const oracle::Function& f, const ordo::Target& target, unsigned stride) {
  Found found;
  Checked check(f, target);
  std::vector<float> x, y;
  for (int quarters = 5; quarters <= 28; ++quarters)
    for (u32 b = 0x3f800000; b < 0x40800000;) {
      for (x.clear(); x.size() < chunk && b < 0x40800000; b += stride) x.push_back(oracle::as_float(b));
      y.assign(x.size(), static_cast<float>(quarters) / 4);
      check(x, y, found);
    }
  x.clear(), y.clear();
  for (int n = 2; n <= 15; ++n)  // v 2^-150, halfway between subnormal numbers
    for (u32 m = 1; m < 4096; m += 2)
      if (150 % n == 0) x.push_back(std::ldexp(static_cast<float>(m), -150 / n)), y.push_back(static_cast<float>(n));
  while (!x.empty()) {
    const std::size_t n = x.size() < chunk ? x.size() : chunk;
    check({x.end() - static_cast<long>(n), x.end()}, {y.end() - static_cast<long>(n), y.end()}, found);
    x.resize(x.size() - n), y.resize(x.size());
  }
  return found;
}
Found doubles(const oracle::Function& f, const ordo::Target& target, unsigned long long count, unsigned long long seed) {
  Found found;
  const Compiled<double> run(f, target);
  std::vector<double> r(chunk), x, y;
  const auto check = [&] {
    run(x.data(), y.data(), r.data(), static_cast<ordo::i64>(x.size()));
    found.tried += x.size();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double about = oracle::ulps_by_libm(f, r[k], x[k], y[k]);
      if (about >= 0 && about < 0.98 && about < found.worst - 0.01) continue;
      const double off = oracle::ulps(f, r[k], x[k], y[k]);
      if (off >= 1) ++found.wrong;
      if (off <= found.worst && off < 1) continue;
      if (off > found.worst) found.worst = off;
      if (off >= 1) tell(found, example(f, x[k], y[k], r[k], oracle::rounded(f, x[k], y[k])));
      else if (found.wrong == 0) found.examples.assign(1, example(f, x[k], y[k], r[k], oracle::rounded(f, x[k], y[k])));
    }
    x.clear(), y.clear();
  };
  const std::vector<double> values = specials(0.0);
  if (f.binary()) {
    for (double a : values) {
      x.assign(values.size(), a), y = values;
      check();
    }
  } else {
    x = y = values;
    check();
  }
  Random random{seed};
  for (; count > 0; --count) {
    x.push_back(random.wide()), y.push_back(random.wide());
    if (x.size() == chunk || count == 1) check();
  }
  return found;
}
}  // namespace functions
