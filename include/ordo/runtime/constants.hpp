// Packed copies of arguments that the user promised not to change: made by the first call with an argument (by each
// of several at once), kept with the kernel once filled, at most `most_kept` of each; the oldest goes first.
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

 private:
  Argument of_;
  std::vector<i64> dims_;
  void* data_;
};
class ConstantCopies {
 public:
  static constexpr std::size_t most_kept = 8;
  std::shared_ptr<ConstantCopy> find(std::size_t workspace, const Argument& of, const std::vector<i64>& dims) const;   // or nullptr
  void keep(std::size_t workspace, const Argument& of, const std::vector<i64>& dims, std::shared_ptr<ConstantCopy> filled);
  void forget();

 private:
  mutable std::mutex lock_;              // never held while code runs: what waits for chunks may call the kernel again
  std::vector<std::vector<std::shared_ptr<ConstantCopy>>> by_workspace_;
};
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/constants.ipp"
#endif
