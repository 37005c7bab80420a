// What a kernel is made of. Internal to the room; tests use `build` to plant wrong orders.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>
#include "ordo/codegen/backend.hpp"
#include "ordo/ir/digest.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/runtime/calls.hpp"
#include "ordo/runtime/check.hpp"
#include "ordo/runtime/constants.hpp"
#include "ordo/runtime/group.hpp"
#include "ordo/runtime/memory_cache.hpp"
#include "ordo/runtime/workspace.hpp"

namespace ordo::runtime {
// The code of all groups for one layout of the arguments.
struct Variant {
  kernel::Layout layout;                 // by argument
  std::vector<kernel::Entry> entries;    // by group
  std::vector<Loaded> code;              // by group: keeps the entries alive
  std::unique_ptr<std::atomic<signed char>[]> writes_once;       // by output: 0 not yet known, 1 yes, -1 no
  Variant* next = nullptr;
};
struct KernelBody {
  explicit KernelBody(ir::Program&& p) : program(std::move(p)) {}
  KernelBody(const KernelBody&) = delete;
  KernelBody& operator=(const KernelBody&) = delete;
  ~KernelBody();

  std::atomic<int> count{1};
  Target target;
  Executor executor;
  Layouts layouts = Layouts::any;
  std::string cache_folder;              // "": none
  kernel::Planted planted;
  ir::Program program;                   // as the user wrote it
  std::unique_ptr<plan::Plan> plan;      // none: the interpreter runs `program`
  struct Special { Size condition; std::unique_ptr<KernelBody> body; };
  std::vector<Special> specials; // for calls of certain sizes: the first that fits takes the call
  std::vector<GroupTable> groups;
  std::vector<Workspace> workspaces;
  std::vector<TurnMemory> turn_memory;
  mutable ConstantCopies constants;
  bool has_constants = false;
  std::size_t most_slots = 0;            // of a group
  Checks checks;
  std::atomic<Variant*> variants{nullptr};       // only grows
  std::mutex adding;             // a variant
  std::mutex writing_texts;
  std::set<std::string> element_texts;   // given out by explain
  std::string program_text, explain_text, ir_text, assembly_text;
};
struct Request {
  const nest::Trace* trace = nullptr;    // nullptr: the default schedule of the target
  Target target;
  CompileOptions options;
  kernel::Planted planted;
};
KernelBody* build(ir::Program&& program, const Request& request, Where at);

// The variant for a layout: found, or compiled now.
const Variant& variant_for(KernelBody& body, const signed char* layout);
kernel::Kernel lower_group(const KernelBody& body, std::size_t group, const kernel::Layout& layout);
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/compile.ipp"
#endif
