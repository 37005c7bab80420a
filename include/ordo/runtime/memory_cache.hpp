// Code of this process, by key: made once, whoever asks first; the others wait.
#pragma once
#include <functional>
#include <memory>
#include "ordo/codegen/backend.hpp"
#include "ordo/ir/digest.hpp"

namespace ordo::runtime {
class LoadedCode {
 public:
  LoadedCode(const codegen::Backend& backend, void* loaded) : backend_(backend), loaded_(loaded) {}
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;
  ~LoadedCode() { backend_.unload(loaded_); }
  kernel::Entry entry() const { return backend_.entry(loaded_); }

 private:
  const codegen::Backend& backend_;
  void* loaded_;
};
using Loaded = std::shared_ptr<const LoadedCode>;

// `make` may throw: the next who asks tries again. Code that no kernel uses is kept until there is much of it.
Loaded loaded_once(const ir::Digest& key, const std::function<Loaded()>& make);
void drop_unused_code();
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/memory_cache.ipp"
#endif
