// The call between the runtime and generated code. Machine code exports `i32 ordo_kernel(const Frame*)`: 0, or 1 after a
// failure (reported through `fail`). Nothing here throws; nothing crosses generated code as an exception.
#pragma once
#include "ordo/base/argument.hpp"

namespace ordo::kernel {
using Chunk = void (*)(void* closure, i64 index);
struct Frame;
struct Hooks {
  void (*parallel_for)(const Frame* frame, i64 count, Chunk chunk, void* closure);   // returns when all chunks have run
  void* (*allocate)(const Frame* frame, i64 bytes);       // 64-byte aligned, this thread's pool; nullptr: out of memory
  void (*release)(const Frame* frame, void* block, i64 bytes);     // last in, first out on each thread
  void (*fail)(const Frame* frame, i64 failure, i64 value);        // number as in Kernel::failures; -1: out of memory
};
struct Frame {
  void* const* data;             // arguments by slot, then workspaces by slot
  const i64* dims;               // by Dim number
  const i64* strides;            // argument slot * max_rank + dimension, in elements
  const Hooks* hooks;
  void* context;                 // the runtime's
};
using Entry = i32 (*)(const Frame*);
}  // namespace ordo::kernel
