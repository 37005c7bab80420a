// What a back-end does: kernel -> bytes -> entry. One constant table a back-end.
#pragma once
#include <string>
#include "ordo/base/target.hpp"
#include "ordo/kernel/abi.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::codegen {
struct Code {                    // code of one kernel, and the texts asked for
  std::string object;            // relocatable bytes: what the disk cache keeps
  std::string ir, assembly;      // filled when `texts`
};
struct Backend {
  const char* name;              // "llvm"
  std::string (*version)();      // "19.1.7": part of every key
  // Pure: same kernel and target, same bytes. Thread-safe. Codes codegen.*.
  Code (*generate)(const kernel::Kernel& kernel, const Target& target, bool texts);
  void* (*load)(const std::string& object, const char* name);    // links into this process; code codegen.load
  kernel::Entry (*entry)(const void* loaded);
  void (*unload)(void* loaded);
  bool (*runs)(const Target& target);        // code for it, in this process
};
}  // namespace ordo::codegen
