// Bytes that end where a page begins that nobody may touch, and start behind one: an access outside of them ends the program.
#pragma once
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fuzz {
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : bytes_(bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), whole = (bytes + page - 1) / page * page;
    mapped_ = whole + 2 * page;
    void* at = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) std::abort();
    base_ = static_cast<unsigned char*>(at);
    if (whole > 0 && mprotect(base_ + page, whole, PROT_READ | PROT_WRITE) != 0) std::abort();
    data_ = base_ + page + whole - bytes;
  }
  Guarded(Guarded&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), data_(other.data_), bytes_(other.bytes_), mapped_(other.mapped_) {}
  Guarded& operator=(Guarded&&) = delete;
  ~Guarded() {
    if (base_ != nullptr) munmap(base_, mapped_);
  }
  unsigned char* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  void fill(int byte) const { std::memset(data_, byte, bytes_); }

 private:
  unsigned char *base_ = nullptr, *data_ = nullptr;
  std::size_t bytes_, mapped_ = 0;
};
}  // namespace fuzz
