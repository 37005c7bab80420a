// ordo's side of the convolution benchmark, without schedules. Channels lie in blocks, as oneDNN lays them: X(cb, y, x, c),
// F(fb, cb, r, s, c, f), Y(fb, y, x, f); the sum runs over {cb, r, s, c}. Padding is a stage of the program, a copy with zeros around it.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>
#include "bench/buffer.hpp"
#include "bench/peers/conv.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

namespace bench {
inline long block_of(long channels) {  // 32 where it divides them, else all
  return channels % 32 == 0 ? 32 : channels;
}

// (n, block) from (block * b + n, ...): the last index of what is stored
inline std::vector<float> blocked(const float* from, long channels, long area) {
  const long b = block_of(channels);
  std::vector<float> to(static_cast<std::size_t>(channels * area));
  for (long c = 0; c < channels; ++c)
    for (long a = 0; a < area; ++a) to[static_cast<std::size_t>((c / b * area + a) * b + c % b)] = from[c * area + a];
  return to;
}

inline Conv dense_conv(const ConvShape& s, const float* x, const float* f, const ordo::Target& target,
                       const ordo::CompileOptions& options) {
  using namespace ordo;
  const long c_block = block_of(s.channels), f_block = block_of(s.filters), cs = s.channels / c_block, fs = s.filters / f_block,
             side = s.side, o = s.out(), k = s.kernel, pad = s.before();
  const auto size = [](long n) { return constant<i64>(n); };
  Tensor<float, 4> X{"X", {size(cs), size(side), size(side), size(c_block)}}, Y{"Y", {size(fs), size(o), size(o), size(f_block)}};
  Tensor<float, 6> F{"F", {size(fs), size(cs), size(k), size(k), size(c_block), size(f_block)}};
  Index g{"g"}, y{"y"}, x_{"x"}, n{"n"};
  Chain cb{"cb", size(cs)}, r{"r", size(k)}, q{"s", size(k)}, ci{"c", size(c_block)};
  const auto at = X(cb, y * s.stride + r - pad, x_ * s.stride + q - pad, ci);
  Y(g, y, x_, n) = sum({cb, r, q, ci}, at * F(g, cb, r, q, ci, n), inside(at));
  const auto kernel = compile(inputs(X, F), outputs(Y), target, options);
  struct Memory {
    Buffer x, f, y;
  };
  const auto m =
      std::make_shared<Memory>(Memory{buffer(s.channels * side * side), buffer(s.filters * s.channels * k * k), buffer(s.filters * o * o)});
  const std::vector<float> lies = blocked(x, s.channels, side * side);
  std::copy(lies.begin(), lies.end(), m->x.get());
  for (long n_ = 0; n_ < s.filters; ++n_)
    for (long c_ = 0; c_ < s.channels; ++c_)
      for (long a = 0; a < k * k; ++a)
        m->f[static_cast<std::size_t>((((n_ / f_block * cs + c_ / c_block) * k * k + a) * c_block + c_ % c_block) * f_block +
                                      n_ % f_block)] = f[(n_ * s.channels + c_) * k * k + a];
  Conv conv;
  conv.run = [=] {
    kernel(View<const float, 4>(m->x.get(), {cs, side, side, c_block}), View<const float, 6>(m->f.get(), {fs, cs, k, k, c_block, f_block}),
           View<float, 4>(m->y.get(), {fs, o, o, f_block}));
  };
  conv.result = [=](float* to) {
    for (long n_ = 0; n_ < s.filters; ++n_)
      for (long a = 0; a < o * o; ++a)
        to[n_ * o * o + a] = m->y[static_cast<std::size_t>((n_ / f_block * o * o + a) * f_block + n_ % f_block)];
  };
  return conv;
}

// Each channel by itself: X(cb, y, x, c), F(cb, r, s, c), Y(cb, y, x, c).
inline Conv depthwise_conv(const ConvShape& s, const float* x, const float* f, const ordo::Target& target,
                           const ordo::CompileOptions& options) {
  using namespace ordo;
  const long block = block_of(s.channels), cs = s.channels / block, side = s.side, o = s.out(), k = s.kernel, pad = s.before();
  const auto size = [](long n) { return constant<i64>(n); };
  Tensor<float, 4> X{"X", {size(cs), size(side), size(side), size(block)}}, Y{"Y", {size(cs), size(o), size(o), size(block)}},
      F{"F", {size(cs), size(k), size(k), size(block)}};
  Index b{"b"}, y{"y"}, x_{"x"}, c{"c"};
  Chain r{"r", size(k)}, q{"s", size(k)};
  const auto at = X(b, y * s.stride + r - pad, x_ * s.stride + q - pad, c);
  Y(b, y, x_, c) = sum({r, q}, at * F(b, r, q, c), inside(at));
  const auto kernel = compile(inputs(X, F), outputs(Y), target, options);
  struct Memory {
    Buffer x, f, y;
  };
  const auto m = std::make_shared<Memory>(Memory{buffer(cs * block * side * side), buffer(cs * block * k * k), buffer(cs * block * o * o)});
  const auto lies = [&](const float* from, long area, float* to) {
    const std::vector<float> all = blocked(from, s.channels, area);
    std::copy(all.begin(), all.end(), to);
  };
  lies(x, side * side, m->x.get());
  lies(f, k * k, m->f.get());
  Conv conv;
  conv.run = [=] {
    kernel(View<const float, 4>(m->x.get(), {cs, side, side, block}), View<const float, 4>(m->f.get(), {cs, k, k, block}),
           View<float, 4>(m->y.get(), {cs, o, o, block}));
  };
  conv.result = [=, channels = s.channels](float* to) {
    for (long c_ = 0; c_ < channels; ++c_)
      for (long a = 0; a < o * o; ++a) to[c_ * o * o + a] = m->y[static_cast<std::size_t>((c_ / block * o * o + a) * block + c_ % block)];
  };
  return conv;
}

inline Conv ours(const ConvShape& s, const float* x, const float* f, const ordo::Target& target = ordo::cpu::host()) {
  ordo::CompileOptions options;
  options.cache = "";
  return s.depthwise ? depthwise_conv(s, x, f, target, options) : dense_conv(s, x, f, target, options);
}
}  // namespace bench
