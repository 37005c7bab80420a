// Sums in the orders that the contract declares, written as loops.
#pragma once
#include <cmath>
#include <vector>

namespace ordered {
// step(e, acc) of every element into lane e mod L, lanes joined by halves; a lane without elements is absent.
template <int L, class Step> float lanes(int n, Step step) {
  float lane[L] = {};
  for (int e = 0; e < n; ++e) lane[e % L] = step(e, lane[e % L]);
  for (int half = L / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l)
      if (l + half < n) lane[l] = lane[l] + lane[l + half];
  return lane[0];
}
template <class Step> float chain(int n, Step step) {
  float acc = 0;
  for (int e = 0; e < n; ++e) acc = step(e, acc);
  return acc;
}
// Correctly rounded but for one input in many millions: the double is.
inline float exp(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }
inline float log(float x) { return static_cast<float>(std::log(static_cast<double>(x))); }
inline float log1p(float x) { return static_cast<float>(std::log1p(static_cast<double>(x))); }
}  // namespace ordered
