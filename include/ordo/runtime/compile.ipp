#pragma once
#include <cstdlib>
#include <cstring>
#include <exception>
#include "ordo/auto/schedule.hpp"
#include "ordo/runtime/body.hpp"
#include "ordo/runtime/disk_cache.hpp"
#include "ordo/runtime/environment.hpp"
#include "ordo/runtime/facts.hpp"
#include "ordo/runtime/key.hpp"
#include "ordo/runtime/watch.hpp"

namespace ordo::runtime {
namespace detail_compile {
inline Machine machine_of(const Request& request) {
  if (request.options.machine != nullptr) return *request.options.machine;
  Machine machine = detect(request.target);
  const Executor run = is_given(request.options.executor) ? request.options.executor : default_executor();
  if (run.threads > 0) machine.cores = run.threads;
  return machine;
}
inline std::unique_ptr<plan::Plan> make_plan(const ir::Program& program, const Request& request) {
  Watch watch("stages");
  ir::Program staged = ir::stages(program);
  watch.next("nest");
  nest::Nest n = nest::make(std::move(staged));
  if (request.trace != nullptr) nest::apply(n, *request.trace);
  else if (request.target.backend != nullptr) nest::apply(n, default_schedule(n, machine_of(request)));
  watch.next("plan");
  return std::make_unique<plan::Plan>(plan::make(std::move(n)));
}
// All that follows from the plan.
inline void finish(KernelBody& body) {
  body.checks = make_checks(body.plan->nest.program, body.plan.get());
  add_promises(body.checks, body.plan->nest);
  body.workspaces = make_workspaces(*body.plan);
  body.turn_memory = make_turn_memory(*body.plan);
  for (const Workspace& w : body.workspaces) body.has_constants = body.has_constants || w.argument >= 0;
  for (std::size_t g = 0; g < body.plan->groups.size(); ++g) {
    body.groups.push_back(make_table(*body.plan, g));
    body.most_slots = std::max(body.most_slots, body.groups[g].arguments.size() + body.groups[g].workspaces.size());
  }
  std::vector<signed char> row_major;
  for (const Declared& d : body.checks.declared) row_major.push_back(static_cast<signed char>(d.rank - 1));
  variant_for(body, row_major.data());
}
inline void add_specials(KernelBody& body) {
  for (const nest::Variant& v : body.plan->nest.variants) {
    auto special = std::make_unique<KernelBody>(ir::copy(body.program));
    special->target = body.target;
    special->executor = body.executor;
    special->layouts = body.layouts;
    special->planted = body.planted;
    special->cache_folder = body.cache_folder;
    special->plan = std::make_unique<plan::Plan>(plan::make(nest::copy(v.nest)));
    finish(*special);
    body.specials.push_back({Size(v.condition), std::move(special)});
  }
}
inline Loaded load_group(const KernelBody& body, std::size_t group, const kernel::Layout& layout) {
  const codegen::Backend& backend = *body.target.backend;
  const ir::Digest key = code_key(body, group, layout);
  return loaded_once(key, [&]() -> Loaded {
    char name[33];
    ir::hex(key, name);
    std::string object;
    const bool dump = dump_folder() != nullptr;
    Watch watch("read cache");
    if (!dump && read_entry(body.cache_folder, key, object)) {
      watch.next("load");
      try {
        return std::make_shared<LoadedCode>(backend, backend.load(object, name));
      } catch (const Error&) {           // sound bytes that this process cannot link: made again below
      }
    }
    watch.next("lower");
    const kernel::Kernel k = lower_group(body, group, layout);
    watch.next("generate");
    const codegen::Code code = backend.generate(k, body.target, dump);
    if (dump) dump_texts(k.name.c_str(), name, code.ir, code.assembly);
    watch.next("write cache");
    write_entry(body.cache_folder, key, code.object);
    watch.next("load");
    return std::make_shared<LoadedCode>(backend, backend.load(code.object, name));
  });
}

struct Work {                    // groups of a variant, compiled by the executor
  const KernelBody& body;
  Variant& variant;
  std::vector<std::exception_ptr> errors;        // by group; the first is thrown
};
inline void compile_one(void* work, i64 index) {
  const EnvironmentScope environment;    // a back-end computes its estimates in floating point
  Work& w = *static_cast<Work*>(work);
  const std::size_t g = static_cast<std::size_t>(index);
  try {
    w.variant.code[g] = load_group(w.body, g, w.variant.layout);
    w.variant.entries[g] = w.variant.code[g]->entry();
  } catch (...) {
    w.errors[g] = std::current_exception();
  }
}
inline std::unique_ptr<Variant> make_variant(const KernelBody& body, const kernel::Layout& layout) {
  auto v = std::make_unique<Variant>();
  const std::size_t groups = body.groups.size();
  v->layout = layout;
  v->entries.resize(groups);
  v->code.resize(groups);
  v->writes_once = std::make_unique<std::atomic<signed char>[]>(body.program.outputs.size());
  Work work{body, *v, std::vector<std::exception_ptr>(groups)};
  const Executor run = is_given(body.executor) ? body.executor : default_executor();
  if (groups > 1 && run.parallel_for != nullptr) {
    run.parallel_for(run.context, static_cast<i64>(groups), compile_one, &work);
  } else {
    for (std::size_t g = 0; g < groups; ++g) compile_one(&work, static_cast<i64>(g));
  }
  for (const std::exception_ptr& e : work.errors)
    if (e != nullptr) std::rethrow_exception(e);
  for (const Loaded& l : v->code)
    if (l == nullptr) fail("run.executor", {}, "the executor did not run each chunk once");
  return v;
}
inline const Variant* find(const Variant* v, const signed char* layout) {
  for (; v != nullptr; v = v->next) {
    std::size_t k = 0;
    while (k < v->layout.size() && v->layout[k] == layout[k]) ++k;
    if (k == v->layout.size()) return v;
  }
  return nullptr;
}
}  // namespace detail_compile

ORDO_INLINE KernelBody::~KernelBody() {
  for (Variant* v = variants.load(); v != nullptr;) {
    Variant* const next = v->next;
    delete v;
    v = next;
  }
}
ORDO_INLINE kernel::Kernel lower_group(const KernelBody& body, std::size_t group, const kernel::Layout& layout) {
  kernel::Kernel k = kernel::lower(*body.plan, static_cast<int>(group), layout, body.target, body.planted);
  relocate(k, body.groups[group]);
  return k;
}
ORDO_INLINE const Variant& variant_for(KernelBody& body, const signed char* layout) {
  using namespace detail_compile;
  if (const Variant* v = find(body.variants.load(std::memory_order_acquire), layout)) return *v;
  // No lock while the executor compiles: this thread may take up work that calls the kernel again. `loaded_once` sees to
  // it that code is made once all the same.
  std::unique_ptr<Variant> made = make_variant(body, kernel::Layout(layout, layout + body.checks.count()));
  const std::lock_guard<std::mutex> hold(body.adding);
  if (const Variant* v = find(body.variants.load(std::memory_order_acquire), layout)) return *v;
  made->next = body.variants.load(std::memory_order_relaxed);
  body.variants.store(made.get(), std::memory_order_release);
  return *made.release();
}
ORDO_INLINE KernelBody* build(ir::Program&& program, const Request& request, Where at) {
  if (request.options.machine != nullptr) check(*request.options.machine, at);
  if (request.target.backend != nullptr) check_facts(request.target, at);
  if (request.target.backend != nullptr && !request.target.backend->runs(request.target))
    fail("target.elsewhere", at, (std::string("code for `") + request.target.name + "` does not run on this processor").c_str(),
         "  help: cpu::host(); or object_code(...) of ordo/aot.hpp, for a linker");
  auto body = std::make_unique<KernelBody>(request.planted.half_lanes ? kernel::with_half_lanes(program) : std::move(program));
  body->target = request.target;
  body->executor = request.options.executor;
  body->layouts = request.options.layouts;
  body->planted = request.planted;
  body->cache_folder = request.options.cache != nullptr ? request.options.cache : user_cache_folder();
  if (request.target.backend == nullptr) {
    if (request.trace != nullptr) body->plan = detail_compile::make_plan(body->program, request);
    body->checks = make_checks(body->program, nullptr);
    if (body->plan != nullptr) add_promises(body->checks, body->plan->nest);
    return body.release();
  }
  body->plan = detail_compile::make_plan(body->program, request);
  detail_compile::finish(*body);
  detail_compile::add_specials(*body);
  return body.release();
}
ORDO_INLINE KernelBody* compile(const ir::Ref* inputs, int input_count, const ir::Ref* outputs, int output_count,
                                const nest::Body* schedule, const Target& target, const CompileOptions& options, Where at) {
  const EnvironmentScope environment;
  Watch watch("snapshot");
  ir::Program program = ir::snapshot(inputs, input_count, outputs, output_count, at);
  watch.stop();
  return build(std::move(program), {schedule != nullptr ? &nest::trace_of(schedule) : nullptr, target, options, {}}, at);
}
ORDO_INLINE KernelBody* compile(const ir::Program& program, const nest::Body* schedule, const Target& target, const CompileOptions& options,
                                Where at) {
  const EnvironmentScope environment;
  return build(ir::copy(program), {schedule != nullptr ? &nest::trace_of(schedule) : nullptr, target, options, {}}, at);
}
}  // namespace ordo::runtime
