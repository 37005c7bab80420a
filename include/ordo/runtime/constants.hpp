// Packed copies of arguments that the user promised not to change: made on the first call with an argument, kept with the
// kernel, at most `most_kept` of each; the oldest goes first.
#pragma once
#include <memory>
#include <mutex>
#include <vector>
#include "ordo/base/argument.hpp"
#include "ordo/runtime/workspace.hpp"

namespace ordo::runtime {
class ConstantCopy {
 public:
  ConstantCopy(const Argument& of, const std::vector<i64>& dims, i64 bytes);     // data() is nullptr when there is no memory
  ConstantCopy(const ConstantCopy&) = delete;
  ConstantCopy& operator=(const ConstantCopy&) = delete;
  ~ConstantCopy();
  bool is_of(const Argument& a, const std::vector<i64>& dims) const;
  void* data() const { return data_; }
  bool filled = false;           // read and written under the lock of its ConstantCopies

 private:
  Argument of_;
  std::vector<i64> dims_;
  void* data_;
};
class ConstantCopies {
 public:
  static constexpr std::size_t most_kept = 8;
  // The copy for an argument, found or made empty. Hold `lock` from here until it is filled.
  std::shared_ptr<ConstantCopy> find(std::size_t workspace, const Argument& of, const std::vector<i64>& dims, i64 bytes);
  void forget();
  std::mutex lock;

 private:
  std::vector<std::vector<std::shared_ptr<ConstantCopy>>> by_workspace_;
};
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/constants.ipp"
#endif
