// Memory of one thread for the length of a call: workspaces, packed copies, argument tables. A stack of blocks that
// grow; what was made last goes first. Kept until the thread ends.
#pragma once
#include <cstddef>
#include "ordo/base/types.hpp"

namespace ordo::runtime {
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();
  static Pool& mine();                   // the calling thread's
  void* allocate(i64 bytes);             // 64-byte aligned; nullptr when there is no memory
  void release(void* block, i64 bytes);  // the newest one

 private:
  struct Block { Block* below; char* begin; std::size_t size, used; };
  bool grow(std::size_t bytes);
  void drop(Block* block);
  Block* top_ = nullptr;
  Block* spare_ = nullptr;               // the largest empty one seen
};

class PoolScope {                        // a table of `count` T's, released with the scope
 public:
  PoolScope(Pool& pool, i64 bytes) : pool_(pool), bytes_(bytes), data_(pool.allocate(bytes)) {}
  PoolScope(const PoolScope&) = delete;
  PoolScope& operator=(const PoolScope&) = delete;
  ~PoolScope() { if (data_ != nullptr) pool_.release(data_, bytes_); }
  void* data() const { return data_; }

 private:
  Pool& pool_;
  i64 bytes_;
  void* data_;
};
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/pool.ipp"
#endif
