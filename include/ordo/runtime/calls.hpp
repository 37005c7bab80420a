// What typed and untyped kernels call. A KernelBody is immutable to its users, counted, and safe in any thread.
#pragma once
#include "ordo/base/argument.hpp"
#include "ordo/base/target.hpp"
#include "ordo/ir/element.hpp"
#include "ordo/runtime/executor.hpp"
#include "ordo/runtime/view.hpp"

namespace ordo {
struct Machine;
namespace ir { class Program; }
namespace nest { struct Body; }

enum class Layouts : u8 {
  any,           // a variant of the code for each layout of the arguments, compiled on its first call
  fixed,         // row-major arguments only; nothing is compiled by a call
};
struct CompileOptions {
  Executor executor = {};        // none: default_executor()
  Layouts layouts = Layouts::any;
  const char* cache = nullptr;   // folder of compiled code; nullptr: $ORDO_CACHE_DIR, else that of the user; "": none
  const Machine* machine = nullptr;      // that default schedules are made for (code machine.value); nullptr: this one, with the threads of
                                         // the executor
};

namespace runtime {
struct KernelBody;
// `schedule` may be nullptr. Errors: those of the program (lang.*), of the schedule for it, codegen.*.
KernelBody* compile(const ir::Ref* inputs, int input_count, const ir::Ref* outputs, int output_count, const nest::Body* schedule,
                    const Target& target, const CompileOptions& options, Where at);
KernelBody* compile(const ir::Program& program, const nest::Body* schedule, const Target& target, const CompileOptions& options, Where at);
void retain(KernelBody* body);
void release(KernelBody* body);

void call(KernelBody* body, const Argument* arguments, int count, Where at);     // codes run.*
void forget_constants(KernelBody* body);  // drops the constant copies (PackOptions::constant): their arguments have changed
void call(KernelBody* body, const AnyView* views, int count, Where at);

// Made when first asked for; valid as long as the body.
const char* text(KernelBody* body);      // the program
const char* explain(KernelBody* body);   // loops, launches, memory, the statements
const char* explain(KernelBody* body, const ir::ElementAsked& element, Where at);      // the order of an element's terms
const char* ir(KernelBody* body);        // of the back-end, for row-major arguments
const char* assembly(KernelBody* body);
}  // namespace runtime
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/calls.ipp"
#include "ordo/runtime/compile.ipp"
#include "ordo/runtime/texts.ipp"
#endif
