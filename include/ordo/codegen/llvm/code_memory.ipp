#pragma once
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
#include "ordo/codegen/llvm/code_memory.hpp"

namespace ordo::codegen::llvm::detail_code_memory {
struct Region {                    // of a mapping: code or data
  u8* begin = nullptr;
  std::size_t used = 0;
};
struct Mapping {
  u8* begin = nullptr;
  std::size_t half = 0;            // bytes of each region
  Region code, data;
};
inline std::size_t page() {
  static const std::size_t bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}
inline std::size_t pages(std::size_t bytes) { return (bytes + page() - 1) / page() * page(); }
inline Mapping*& next() {
  static thread_local Mapping* mapping = nullptr;
  return mapping;
}
inline void* create(void*) {
  Mapping* m = next();
  next() = nullptr;
  return m != nullptr ? m : new Mapping;
}
inline u8* take(Mapping& m, Region& from, std::size_t bytes, std::size_t align) {
  const std::size_t at = (from.used + align - 1) / align * align;
  if (from.begin == nullptr || at + bytes > m.half) return nullptr;
  from.used = at + bytes;
  return from.begin + at;
}
inline u8* allocate_code(void* to, std::uintptr_t bytes, unsigned align, unsigned, const char*) {
  Mapping& m = *static_cast<Mapping*>(to);
  return take(m, m.code, bytes, align == 0 ? 1 : align);
}
inline u8* allocate_data(void* to, std::uintptr_t bytes, unsigned align, unsigned, const char*, LLVMBool) {
  Mapping& m = *static_cast<Mapping*>(to);
  return take(m, m.data, bytes, align == 0 ? 1 : align);
}
inline LLVMBool finish(void* to, char**) {
  Mapping& m = *static_cast<Mapping*>(to);
  if (m.begin == nullptr || ::mprotect(m.begin, m.half, PROT_READ | PROT_EXEC) != 0) return 1;
  __builtin___clear_cache(reinterpret_cast<char*>(m.begin), reinterpret_cast<char*>(m.begin + m.half));
  return 0;
}
inline void destroy(void* of) {
  Mapping* m = static_cast<Mapping*>(of);
  if (m->begin != nullptr) ::munmap(m->begin, 2 * m->half);
  delete m;
}
inline void terminate(void*) {}
}  // namespace ordo::codegen::llvm::detail_code_memory

namespace ordo::codegen::llvm {
// Sections and the stubs that linking adds (16 bytes for a relocation, which takes 24 in the file) are at most the object;
// twice that, and some, leaves room for alignment.
ORDO_INLINE void prepare_memory(std::size_t object_bytes) {
  using namespace detail_code_memory;
  const std::size_t half = pages(2 * object_bytes + 16384);
  void* p = ::mmap(nullptr, 2 * half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) fail("codegen.load", {}, "no memory for machine code");
  u8* begin = static_cast<u8*>(p);
  next() = new Mapping{begin, half, {begin, 0}, {begin + half, 0}};
}
ORDO_INLINE void forget_memory() {
  if (detail_code_memory::next() != nullptr) detail_code_memory::destroy(detail_code_memory::next());
  detail_code_memory::next() = nullptr;
}
ORDO_INLINE LLVMOrcObjectLayerRef new_layer(void*, LLVMOrcExecutionSessionRef session, const char*) {
  using namespace detail_code_memory;
  LLVMOrcObjectLayerRef layer = LLVMOrcCreateRTDyldObjectLinkingLayerWithMCJITMemoryManagerLikeCallbacks(
      session, nullptr, create, terminate, allocate_code, allocate_data, finish, destroy);
  if (LLVMJITEventListenerRef gdb = LLVMCreateGDBRegistrationListener())
    LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(layer, gdb);
  if (std::getenv("JITDUMPDIR") != nullptr)
    if (LLVMJITEventListenerRef perf = LLVMCreatePerfJITEventListener())
      LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(layer, perf);
  return layer;
}
}  // namespace ordo::codegen::llvm
