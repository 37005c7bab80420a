// Object code -> this process: one LLJIT for all, made on first use and never taken down; a JITDylib for each object,
// used again after an unload because the C API cannot remove one. GDB hears of each object; perf, when JITDUMPDIR says where.
#pragma once
#include <mutex>
#include "ordo/codegen/llvm/architectures.hpp"
#include "ordo/codegen/llvm/code_memory.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/codegen/llvm/object.hpp"
#include "ordo/codegen/llvm/routines.hpp"
#include "ordo/codegen/llvm/seal.hpp"

namespace ordo::codegen::llvm::detail_jit {
struct Jit {
  LLVMOrcLLJITRef jit = nullptr;
  std::vector<LLVMOrcJITDylibRef> idle;
  std::mutex lock;
  std::mutex linking;            // a session may link the object of one thread in another's call: one at a time
  int made = 0;
};
struct Loaded {
  LLVMOrcJITDylibRef library = nullptr;
  LLVMOrcResourceTrackerRef tracker = nullptr;
  kernel::Entry entry = nullptr;
};
[[noreturn]] inline void refuse(const char* name, const std::string& why) {
  fail("codegen.load", {}, ("cannot load the code of `" + std::string(name) + "`: " + why).c_str());
}

inline void ignore(void*, LLVMErrorRef error) { LLVMConsumeError(error); }     // each also comes back from its lookup

inline Jit* start() {
  Jit* j = new Jit;
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder,
                                                LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(new_machine(x86_triple, "")));
  LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, new_layer, nullptr);
  const std::string text = text_of(LLVMOrcCreateLLJIT(&j->jit, builder));
  if (!text.empty()) fail_internal("codegen.jit", text.c_str());
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(j->jit), ignore, nullptr);
  return j;
}
inline Jit& jit() {
  static Jit* const one = start();
  return *one;
}
inline LLVMOrcJITDylibRef new_library(Jit& j) {
  LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(j.jit);
  LLVMOrcJITDylibRef library = LLVMOrcExecutionSessionCreateBareJITDylib(session, ("ordo" + std::to_string(j.made++)).c_str());
  LLVMOrcCSymbolMapPair symbols[routine_count];
  for (int k = 0; k < routine_count; ++k)
    symbols[k] = absolute_symbol(LLVMOrcLLJITMangleAndIntern(j.jit, routine_of(k).name), routine_of(k).address);
  const std::string text = text_of(LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(symbols, routine_count)));
  if (!text.empty()) fail_internal("codegen.jit", text.c_str());
  return library;
}
inline LLVMOrcJITDylibRef take_library(Jit& j) {
  const std::lock_guard<std::mutex> hold(j.lock);
  if (j.idle.empty()) return new_library(j);
  LLVMOrcJITDylibRef library = j.idle.back();
  j.idle.pop_back();
  return library;
}
struct Answer { u64 address = 0; std::string text; };
inline void take_answer(LLVMErrorRef error, LLVMOrcCSymbolMapPairs found, size_t count, void* to) {
  Answer& answer = *static_cast<Answer*>(to);
  answer.text = text_of(error);
  if (answer.text.empty() && count == 1) answer.address = found[0].Sym.Address;
}
// Links the library: without a dispatcher of its own the session does it in this call.
inline Answer look_up(Jit& j, LLVMOrcJITDylibRef library) {
  Answer answer;
  LLVMOrcCJITDylibSearchOrderElement order = {library, LLVMOrcJITDylibLookupFlagsMatchAllSymbols};
  LLVMOrcCLookupSetElement wanted = {LLVMOrcLLJITMangleAndIntern(j.jit, entry_symbol), LLVMOrcSymbolLookupFlagsRequiredSymbol};
  LLVMOrcExecutionSessionLookup(LLVMOrcLLJITGetExecutionSession(j.jit), LLVMOrcLookupKindStatic, &order, 1, &wanted, 1, take_answer,
                                &answer);
  if (answer.text.empty() && answer.address == 0) answer.text = "no ordo_kernel in the object";
  return answer;
}
// The object and its tracker leave the library, which can be used again.
inline void drop(Jit& j, const Loaded& l) {
  LLVMConsumeError(LLVMOrcResourceTrackerRemove(l.tracker));
  LLVMOrcReleaseResourceTracker(l.tracker);
  const std::lock_guard<std::mutex> hold(j.lock);
  j.idle.push_back(l.library);
}
}  // namespace ordo::codegen::llvm::detail_jit

namespace ordo::codegen::llvm {
ORDO_INLINE void* load(const std::string& object, const char* name) {
  using namespace detail_jit;
  std::size_t bytes = 0;
  if (!unsealed(object, &bytes)) refuse(name, "it is damaged, or not made by this library");
  Jit& j = jit();
  const std::lock_guard<std::mutex> hold(j.linking);
  prepare_memory(bytes);
  Loaded l;
  l.library = take_library(j);
  l.tracker = LLVMOrcJITDylibCreateResourceTracker(l.library);
  LLVMMemoryBufferRef copy = LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data(), bytes, name);
  Answer answer;
  answer.text = text_of(LLVMOrcLLJITAddObjectFileWithRT(j.jit, l.tracker, copy));
  if (answer.text.empty()) answer = look_up(j, l.library);
  forget_memory();
  if (!answer.text.empty()) {
    drop(j, l);
    refuse(name, answer.text);
  }
  l.entry = reinterpret_cast<kernel::Entry>(static_cast<std::uintptr_t>(answer.address));
  return new Loaded(l);
}
ORDO_INLINE kernel::Entry entry(const void* loaded) { return static_cast<const detail_jit::Loaded*>(loaded)->entry; }
ORDO_INLINE void unload(void* loaded) {
  using namespace detail_jit;
  if (loaded == nullptr) return;
  Loaded* l = static_cast<Loaded*>(loaded);
  drop(jit(), *l);
  delete l;
}
}  // namespace ordo::codegen::llvm
