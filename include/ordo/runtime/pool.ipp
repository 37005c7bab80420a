#pragma once
#include <cstdlib>
#include "ordo/runtime/pool.hpp"

namespace ordo::runtime {
namespace detail_pool {
inline constexpr std::size_t line = 64;              // bytes
inline constexpr std::size_t smallest = 1 << 16;     // bytes; a large block has as many more, so that the next call's tables fit beside it
inline constexpr i64 most = i64{1} << 46;             // bytes: more than any machine has
inline constexpr std::size_t huge_page = 1 << 21;    // bytes
inline std::size_t rounded(i64 bytes) {
  const std::size_t n = bytes <= 0 ? 1 : static_cast<std::size_t>(bytes);
  return (n + line - 1) / line * line;
}
}  // namespace detail_pool

ORDO_INLINE Pool& Pool::mine() {
  static thread_local Pool pool;
  return pool;
}
ORDO_INLINE Pool::~Pool() {
  while (top_ != nullptr) {
    Block* const b = top_;
    top_ = b->below;
    drop(b);
  }
  if (spare_ != nullptr) drop(spare_);
}
ORDO_INLINE void Pool::drop(Block* block) {
  std::free(block->begin);
  std::free(block);
}
ORDO_INLINE bool Pool::grow(std::size_t bytes) {
  if (spare_ != nullptr && spare_->size >= bytes) {
    spare_->below = top_;
    top_ = spare_;
    spare_ = nullptr;
    return true;
  }
  std::size_t size = top_ != nullptr ? 2 * top_->size : detail_pool::smallest;
  if (size < bytes || size > (std::size_t{1} << 28)) size = bytes < detail_pool::smallest ? detail_pool::smallest : bytes + detail_pool::smallest;
  const std::size_t alignment = size >= detail_pool::huge_page ? detail_pool::huge_page : detail_pool::line;
  size = (size + alignment - 1) / alignment * alignment;
  Block* const b = static_cast<Block*>(std::malloc(sizeof(Block)));
  if (b == nullptr) return false;
  char* const begin = static_cast<char*>(std::aligned_alloc(alignment, size));
  if (begin == nullptr) {
    std::free(b);
    return false;
  }
  *b = {top_, begin, size, 0};
  top_ = b;
  return true;
}
ORDO_INLINE void* Pool::allocate(i64 bytes) {
  if (bytes > detail_pool::most) return nullptr;
  const std::size_t n = detail_pool::rounded(bytes);
  if ((top_ == nullptr || top_->size - top_->used < n) && !grow(n)) return nullptr;
  void* const block = top_->begin + top_->used;
  top_->used += n;
  return block;
}
ORDO_INLINE void Pool::release(void*, i64 bytes) {
  top_->used -= detail_pool::rounded(bytes);
  if (top_->used != 0 || (top_->below == nullptr && spare_ == nullptr)) return;
  Block* const empty = top_;             // more than one block: only the largest empty one stays
  if (empty->below == nullptr) {
    if (spare_->size <= empty->size) { drop(spare_); spare_ = nullptr; return; }
    top_ = spare_;
    top_->below = nullptr;
    spare_ = nullptr;
    drop(empty);
    return;
  }
  top_ = empty->below;
  if (spare_ == nullptr) { spare_ = empty; return; }
  Block* const smaller = spare_->size < empty->size ? spare_ : empty;
  if (smaller == spare_) spare_ = empty;
  drop(smaller);
}
}  // namespace ordo::runtime
