// Convolutions in f32, one image, "same" padding: of all channels, or of each channel by itself.
#pragma once
#include <functional>

namespace bench {
struct ConvShape {
  long filters, channels, side, kernel, stride;  // side of the input; of a depthwise one, filters = channels
  bool depthwise = false;
  long out() const { return (side + stride - 1) / stride; }
  long padding() const {  // rows and columns added in all, the smaller half before the image
    const long needed = (out() - 1) * stride + kernel - side;
    return needed > 0 ? needed : 0;
  }
  long before() const { return padding() / 2; }
};
struct Conv {  // from x to y, each where and as the library wants it: reordered outside of what is timed
  std::function<void()> run;
  std::function<void(float*)> result;  // as (filter, y, x)
};
// x: (channel, y, x); f: (filter, channel, r, s), of a depthwise one (channel, r, s)
Conv onednn_conv(const ConvShape& shape, const float* x, const float* f);
}  // namespace bench
