// Work on rows of f32 in memory, by other libraries.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace bench {
enum class RowOp { copy, chain, sum, dot, row_sum, softmax, log_softmax, layer_norm, rms_norm, argmax, transpose };
struct Rows {
  RowOp op;
  long rows, columns;            // copy, chain, sum and dot take all of it as one array
};
// chain: t = a x + o; t = b t + x; t = c t + o; t = d t + x; y = e t + o, with these factors; one rounding each or two.
inline constexpr float chain_factors[5] = {1.5f, 0.5f, -0.75f, 1.25f, 0.25f};
inline constexpr float layer_epsilon = 1e-5f, rms_epsilon = 1e-6f;

// x, other: rows x columns. other: the second operand of chain and dot; its first row scales what norms give, its second is
// added by layer_norm. y: rows x columns; one number of sum and dot; one a row of row_sum and, as i32, of argmax.
using RowRun = std::function<void(const float* x, const float* other, void* y)>;
struct RowPeer {
  std::string name;
  RowRun run;
  bool same = true;              // false: a stand-in that computes another function of the same data
};
// Those that have the operation; primitives are made here.
std::vector<RowPeer> row_peers(const Rows& rows);
RowRun onednn_rows(const Rows& rows);
RowRun eigen_rows(const Rows& rows);
}  // namespace bench
