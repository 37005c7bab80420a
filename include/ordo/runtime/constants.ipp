#pragma once
#include <cstdlib>
#include <utility>
#include "ordo/runtime/constants.hpp"

namespace ordo::runtime {
ORDO_INLINE ConstantCopy::ConstantCopy(const Argument& of, const std::vector<i64>& dims, i64 bytes)
    : of_(of), dims_(dims), data_(std::aligned_alloc(64, static_cast<std::size_t>((bytes + 63) / 64 * 64))) {}
ORDO_INLINE ConstantCopy::~ConstantCopy() { std::free(data_); }
ORDO_INLINE bool ConstantCopy::is_of(const Argument& a, const std::vector<i64>& dims) const {
  if (a.data != of_.data || dims != dims_) return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.shape[d] != of_.shape[d] || a.stride[d] != of_.stride[d]) return false;
  return true;
}
ORDO_INLINE std::shared_ptr<ConstantCopy> ConstantCopies::find(std::size_t workspace, const Argument& of,
                                                               const std::vector<i64>& dims) const {
  const std::lock_guard<std::mutex> hold(lock_);
  if (workspace < by_workspace_.size())
    for (const std::shared_ptr<ConstantCopy>& c : by_workspace_[workspace])
      if (c->is_of(of, dims)) return c;
  return nullptr;
}
ORDO_INLINE void ConstantCopies::keep(std::size_t workspace, const Argument& of, const std::vector<i64>& dims,
                                      std::shared_ptr<ConstantCopy> filled) {
  const std::lock_guard<std::mutex> hold(lock_);
  if (by_workspace_.size() <= workspace) by_workspace_.resize(workspace + 1);
  std::vector<std::shared_ptr<ConstantCopy>>& kept = by_workspace_[workspace];
  for (const std::shared_ptr<ConstantCopy>& c : kept)
    if (c->is_of(of, dims)) return;      // another call was faster
  if (kept.size() == most_kept) kept.erase(kept.begin());
  kept.push_back(std::move(filled));
}
ORDO_INLINE void ConstantCopies::forget() {
  const std::lock_guard<std::mutex> hold(lock_);
  by_workspace_.clear();
}
}  // namespace ordo::runtime
