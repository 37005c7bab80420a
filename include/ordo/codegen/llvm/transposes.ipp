// Squares of memory that are copied with rows and columns exchanged: each line is read once and turned in registers, in place of
// reading every vector lane by lane.
//
//   q[m + ramp(0, 1) x4] = p[n + ramp(0, s) x4]            a = p[n + ramp(0, 1)], b = p[n + s + ...], c = ..., d = ...
//   q[m1 + ...] = p[n + 1 + ramp(0, s) x4]; ... + 3        q[m ..] = (a0 b0 c0 d0), q[m1 ..] = (a1 b1 c1 d1) ...
#pragma once
#include <algorithm>
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/codegen/llvm/access.hpp"

namespace ordo::codegen::llvm::detail_transposes {
using ir::Op;

struct Copy {
  Ref write;
  Offset from;
};

inline bool is_copy(const Function& f, Ref n, Copy* out) {
  if (n->op != Op::Write || n->count != 2) return false;
  Ref read = n->src[1];
  if (read->op != Op::Read || read->count != 1 || read->arg == n->arg) return false;
  const int lanes = read->lanes;
  if ((lanes != 4 && lanes != 8 && lanes != 16) || lanes * bytes_of(read->type) * 8 > f.unit.target.vector_bits) return false;
  for (const u64 buffer : {read->arg, n->arg}) {
    const kernel::Buffer& b = f.unit.kernel.buffers[buffer];
    if (b.type != read->type || bytes_of(b.type) < 4 || b.space == kernel::Space::registers) return false;
  }
  out->write = n;
  out->from = offset(read->src[0]);
  return out->from.general == nullptr && !out->from.contiguous() && !out->from.uniform() && offset(n->src[0]).contiguous();
}
inline bool before(const Offset& a, const Offset& b) {  // alike ones side by side, by ascending constant
  if (a.terms != b.terms) return a.terms < b.terms;
  if (a.steps != b.steps) return a.steps < b.steps;
  return a.step != b.step ? a.step < b.step : a.constant < b.constant;
}
inline bool next_to(const Copy& a, const Copy& b) {
  return a.from.terms == b.from.terms && a.from.steps == b.from.steps && a.from.step == b.from.step &&
         a.from.constant + 1 == b.from.constant && a.write->arg == b.write->arg && a.write->src[1]->arg == b.write->src[1]->arg &&
         a.write->src[1]->lanes == b.write->src[1]->lanes;
}
// Row r and lane l trade places, one bit of their numbers after the other.
inline void exchange(Function& f, std::vector<Value>& rows) {
  const int n = static_cast<int>(rows.size());
  const auto shuffled = [&](Value a, Value b, const auto& from) {
    std::vector<Value> mask;
    for (int l = 0; l < n; ++l) mask.push_back(LLVMConstInt(f.unit.int32, static_cast<u64>(from(l)), 0));
    return LLVMBuildShuffleVector(f.at, a, b, LLVMConstVector(mask.data(), static_cast<unsigned>(n)), "");
  };
  for (int h = n / 2; h > 0; h /= 2)
    for (int r = 0; r < n; ++r) {
      if ((r & h) != 0) continue;
      Value &low = rows[static_cast<std::size_t>(r)], &high = rows[static_cast<std::size_t>(r + h)], a = low, b = high;
      low = shuffled(a, b, [&](int l) { return (l & h) == 0 ? l : n + l - h; });
      high = shuffled(a, b, [&](int l) { return (l & h) == 0 ? l + h : n + l; });
    }
}
inline void square(Function& f, const Copy* copies, int n) {
  using namespace detail_memory;
  ++f.statement;
  for (int k = 0; k < n; ++k) {
    evaluate(f, copies[k].from);
    evaluate(f, offset(copies[k].write->src[0]));
  }
  const Access first = access(f, copies[0].write->src[1], n, nullptr);
  const Strided lines = strided(f, first);
  std::vector<Value> rows;
  for (int l = 0; l < n; ++l) rows.push_back(load(f, first, first.stored, lines.at(l), static_cast<unsigned>(bytes_of(first.type))));
  exchange(f, rows);
  for (int k = 0; k < n; ++k) {
    const Access to = access(f, copies[k].write, n, nullptr);
    const bool canonical_only = f.unit.kernel.buffers[copies[k].write->arg].canonical && is_float(to.type);
    Value row = rows[static_cast<std::size_t>(k)];
    store(f, to, canonical_only ? canonical(f, to.type, row) : row, address(f, to.buffer, to.where), alignment(f, to));
  }
}
}  // namespace ordo::codegen::llvm::detail_transposes

namespace ordo::codegen::llvm {
ORDO_INLINE bool transposed(Function& f, Ref block) {
  using namespace detail_transposes;
  std::vector<Copy> all;
  for (u32 k = 0; k < block->count; ++k) {
    Copy c{};
    if (!is_copy(f, block->src[k], &c)) return false;
    std::sort(c.from.terms.begin(), c.from.terms.end());
    if (!all.empty() && (c.write->arg != all[0].write->arg || c.write->src[1]->arg != all[0].write->src[1]->arg)) return false;
    all.push_back(std::move(c));
  }
  std::sort(all.begin(), all.end(), [](const Copy& a, const Copy& b) { return before(a.from, b.from); });
  for (std::size_t k = 0; k < all.size();) {
    const std::size_t n = all[k].write->src[1]->lanes;
    std::size_t run = 1;
    while (run < n && k + run < all.size() && next_to(all[k + run - 1], all[k + run])) ++run;
    if (run == n) square(f, &all[k], static_cast<int>(n));
    else
      for (std::size_t r = 0; r < run; ++r) write(f, all[k + r].write);
    k += run;
  }
  return true;
}
}  // namespace ordo::codegen::llvm
