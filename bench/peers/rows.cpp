#include "bench/peers/rows.hpp"
#include <utility>

namespace bench {
std::vector<RowPeer> row_peers(const Rows& rows) {
  std::vector<RowPeer> found;
  const auto add = [&](const char* name, RowRun run, bool same = true) {
    if (run) found.push_back({name, std::move(run), same});
  };
#if defined(BENCH_ONEDNN)
  add("onednn", onednn_rows(rows));
  // No RMS norm in oneDNN 2: its layer norm, which reads and writes the same.
  if (rows.op == RowOp::rms_norm) add("onednn_layer_norm", onednn_rows({RowOp::layer_norm, rows.rows, rows.columns}), false);
#endif
#if defined(BENCH_EIGEN)
  add("eigen", eigen_rows(rows));
#endif
  return found;
}
}  // namespace bench
