// What is computed, and straightforward C++ for it, compiled for this processor. Inputs have a border of `radius` elements
// on each side of each dimension, outputs have none.
#pragma once

namespace bench {
enum class StencilOp { blur, star2d, box2d, star3d7, star3d25 };
constexpr long radius(StencilOp op) { return op == StencilOp::box2d ? 2 : op == StencilOp::star3d25 ? 4 : 1; }
constexpr bool is_3d(StencilOp op) { return op == StencilOp::star3d7 || op == StencilOp::star3d25; }
// blur: a quarter, a half, a quarter, along rows and then along columns. star: weights[r] for all points r elements from the centre.
// box: weights[|dy|] * weights[|dx|].
inline constexpr float stencil_weights[] = {0.5f, 0.125f, 0.0625f, 0.03125f, 0.015625f};

// Elements from an input row to the next.
constexpr long stencil_pitch(StencilOp op, long n2) { return (n2 + 2 * radius(op) + 15) / 16 * 16; }
// x: [n0 + 2r,] n1 + 2r, n2 + 2r, rows of stencil_pitch; y: [n0,] n1, n2; scratch, of blur: n1 + 2, n2.
void plain_stencil(StencilOp op, const float* x, float* scratch, float* y, long n0, long n1, long n2, int threads);
}  // namespace bench
