// The LLVM C API: headers, what differs between versions 16 and later, and owners of what it hands out.
#pragma once
#include <string>
#include <llvm/Config/llvm-config.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/OrcEE.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include "ordo/base/error.hpp"

namespace ordo::codegen::llvm {
template <class T, void (*Dispose)(T)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T value) : value_(value) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned(Owned&& other) noexcept : value_(other.release()) {}
  ~Owned() { if (value_ != nullptr) Dispose(value_); }
  operator T() const { return value_; }
  T* out() { return &value_; }
  T release() { T value = value_; value_ = nullptr; return value; }

 private:
  T value_ = nullptr;
};
using Context = Owned<LLVMContextRef, LLVMContextDispose>;
using Module = Owned<LLVMModuleRef, LLVMDisposeModule>;
using Builder = Owned<LLVMBuilderRef, LLVMDisposeBuilder>;
using Machine = Owned<LLVMTargetMachineRef, LLVMDisposeTargetMachine>;
using Memory = Owned<LLVMMemoryBufferRef, LLVMDisposeMemoryBuffer>;
using PassOptions = Owned<LLVMPassBuilderOptionsRef, LLVMDisposePassBuilderOptions>;
using Text = Owned<char*, LLVMDisposeMessage>;

// The text of an LLVM error, which it frees; empty when there is none.
inline std::string text_of(LLVMErrorRef error) {
  if (error == nullptr) return {};
  char* message = LLVMGetErrorMessage(error);
  std::string text = message;
  LLVMDisposeErrorMessage(message);
  return text;
}
inline void add_attribute(LLVMValueRef function, LLVMAttributeRef a) {
  LLVMAddAttributeAtIndex(function, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex), a);
}
#if LLVM_VERSION_MAJOR >= 18     // aborts when one round was not enough, unless told not to
inline constexpr const char* instcombine_pass = "instcombine<no-verify-fixpoint>";
#else
inline constexpr const char* instcombine_pass = "instcombine";
#endif
inline LLVMTypeRef array_type(LLVMTypeRef element, u64 count) {
#if LLVM_VERSION_MAJOR >= 17
  return LLVMArrayType2(element, count);
#else
  return LLVMArrayType(element, static_cast<unsigned>(count));
#endif
}
inline LLVMOrcCSymbolMapPair absolute_symbol(LLVMOrcSymbolStringPoolEntryRef name, u64 address) {
  LLVMOrcCSymbolMapPair pair;
  pair.Name = name;
  pair.Sym.Address = address;
  pair.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  pair.Sym.Flags.TargetFlags = 0;
  return pair;
}
}  // namespace ordo::codegen::llvm
