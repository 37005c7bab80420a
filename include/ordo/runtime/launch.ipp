#pragma once
#include <cstdio>
#include <mutex>
#include <string>
#include "ordo/runtime/environment.hpp"
#include "ordo/runtime/launch.hpp"
#include "ordo/runtime/pool.hpp"

namespace ordo::runtime {
namespace detail_launch {
inline constexpr i64 out_of_memory = -1;         // as in kernel/abi.hpp
inline constexpr i64 executor_broken = -2;

struct Launch {                  // Frame::context
  Executor executor;
  std::mutex lock;               // of what follows: the failure of the first chunk in order of the loops
  bool failed = false;
  u64 rank = 0;                  // of that chunk
  i64 failure = 0;
  i64 value = 0;
};
inline Launch& of(const kernel::Frame* frame) { return *static_cast<Launch*>(frame->context); }

// Number of the chunk that this thread runs, counted through nested parallel loops in their order.
inline u64& current_rank() {
  static thread_local u64 rank = 0;
  return rank;
}
struct RankScope {
  u64 before = current_rank();
  RankScope() = default;
  RankScope(const RankScope&) = delete;
  RankScope& operator=(const RankScope&) = delete;
  ~RankScope() { current_rank() = before; }
};
inline void fail(const kernel::Frame* frame, i64 failure, i64 value) {
  Launch& l = of(frame);
  const u64 rank = current_rank();
  const std::lock_guard<std::mutex> hold(l.lock);
  if (l.failed && rank >= l.rank) return;        // one chunk reports in the order in which it runs
  l.failed = true;
  l.rank = rank;
  l.failure = failure;
  l.value = value;
}
inline void* allocate(const kernel::Frame*, i64 bytes) { return Pool::mine().allocate(bytes); }
inline void release(const kernel::Frame*, void* block, i64 bytes) { Pool::mine().release(block, bytes); }

struct Turns {                   // what an executor is given
  kernel::Chunk chunk;
  void* closure;
  i64 count;
  u64 first_rank;
  i64 done;
  i64 stray;
};
inline void turn(void* turns, i64 index) {
  Turns& t = *static_cast<Turns*>(turns);
  if (index < 0 || index >= t.count) {
    __atomic_fetch_add(&t.stray, 1, __ATOMIC_RELAXED);
    return;
  }
  {
    const EnvironmentScope environment;
    const RankScope rank;
    current_rank() = t.first_rank + static_cast<u64>(index);
    t.chunk(t.closure, index);
  }
  __atomic_fetch_add(&t.done, 1, __ATOMIC_RELEASE);
}
inline void parallel_for(const kernel::Frame* frame, i64 count, kernel::Chunk chunk, void* closure) {
  const Launch& l = of(frame);
  const RankScope rank;
  const u64 first = rank.before * static_cast<u64>(count);
  if (l.executor.parallel_for == nullptr || count <= 1) {
    for (i64 k = 0; k < count; ++k) {
      current_rank() = first + static_cast<u64>(k);
      chunk(closure, k);
    }
    return;
  }
  Turns turns{chunk, closure, count, first, 0, 0};
  bool threw = false;
  try {
    l.executor.parallel_for(l.executor.context, count, turn, &turns);
  } catch (...) {
    threw = true;
  }
  const bool sound = __atomic_load_n(&turns.done, __ATOMIC_ACQUIRE) == count && __atomic_load_n(&turns.stray, __ATOMIC_RELAXED) == 0;
  if (threw || !sound) fail(frame, executor_broken, 0);
}
inline constexpr kernel::Hooks hooks = {parallel_for, allocate, release, fail};

[[noreturn]] ORDO_NOINLINE inline void refuse(const KernelBody& body, const Variant& variant, std::size_t group, const Launch& l, Where at) {
  if (l.failure == out_of_memory) ordo::fail("run.memory", at, "there is no memory for a packed copy or accumulators of the kernel");
  if (l.failure == executor_broken) ordo::fail("run.executor", at, "the executor threw, or did not run each chunk of a parallel loop once");
  const kernel::Kernel k = lower_group(body, group, variant.layout);
  const char* form = l.failure >= 0 && l.failure < static_cast<i64>(k.failures.size()) ? k.failures[static_cast<std::size_t>(l.failure)].text.c_str() : "";
  std::string text = form;
  if (const std::size_t place = text.find("%lld"); place != std::string::npos) text.replace(place, 4, std::to_string(l.value));
  ordo::fail("run.index", at, text.c_str());
}

// Tables of one call, in one block of the pool.
struct Tables {
  void** data;                   // by slot of the group
  i64* strides;
  i64* dims;                     // the group's own
  void** workspaces;             // by number in the plan
};
inline void fill(const GroupTable& g, const Argument* arguments, const i64* dims, const Tables& t) {
  std::size_t slot = 0;
  for (const int number : g.arguments) {
    const Argument& a = arguments[number];
    t.data[slot] = a.data;
    i64* const stride = t.strides + slot * max_rank;
    for (int d = 0; d < a.rank; ++d) stride[d] = a.stride[d];
    ++slot;
  }
  for (const int number : g.workspaces) t.data[slot++] = t.workspaces[number];
  for (std::size_t d = 0; d < g.dims.size(); ++d) t.dims[d] = dims[g.dims[d]];
}
// Constant copies of a call. The lock is held until new ones are filled, so that they are filled once.
class Constants {
 public:
  Constants(const KernelBody& body, const Argument* arguments, const i64* dims, void** place, Where at) {
    if (!body.has_constants) return;
    lock_ = std::unique_lock<std::mutex>(body.constants.lock);
    const std::vector<i64> sizes(dims, dims + body.checks.binders.size());
    copies_.resize(body.workspaces.size());
    bool all = true;
    for (std::size_t w = 0; w < body.workspaces.size(); ++w) {
      const Workspace& space = body.workspaces[w];
      if (space.argument < 0) continue;
      copies_[w] = body.constants.find(w, arguments[space.argument], sizes, bytes_of(space, dims, at));
      if (copies_[w]->data() == nullptr) ordo::fail("run.memory", at, "there is no memory for a constant copy of an argument");
      place[w] = copies_[w]->data();
      all = all && copies_[w]->filled;
    }
    if (all) lock_.unlock();
  }
  // Is this launch one whose copy is there already?
  bool done(const plan::Plan& plan, std::size_t group) const {
    const ConstantCopy* const c = copy(plan, group);
    return c != nullptr && (!lock_.owns_lock() || c->filled);
  }
  void ran(const plan::Plan& plan, std::size_t group) {
    if (ConstantCopy* const c = copy(plan, group)) c->filled = true;
  }

 private:
  ConstantCopy* copy(const plan::Plan& plan, std::size_t group) const {
    const plan::Group& g = plan.groups[group];
    if (g.pack < 0) return nullptr;
    for (std::size_t w = 0; w < copies_.size(); ++w)
      if (plan.workspaces[w].stage == g.stage && plan.workspaces[w].pack == g.pack) return copies_[w].get();
    return nullptr;
  }
  std::unique_lock<std::mutex> lock_;
  std::vector<std::shared_ptr<ConstantCopy>> copies_;
};
}  // namespace detail_launch

ORDO_INLINE void launch(const KernelBody& body, const Variant& variant, const Argument* arguments, const i64* dims, Where at) {
  using namespace detail_launch;
  Pool& pool = Pool::mine();
  const std::size_t slots = body.most_slots, spaces = body.workspaces.size();
  const std::size_t words = slots + slots * max_rank + body.checks.binders.size() + spaces;
  const PoolScope block(pool, static_cast<i64>(words * sizeof(i64)));
  if (block.data() == nullptr) ordo::fail("run.memory", at, "there is no memory for the tables of a call");
  Tables t;
  t.strides = static_cast<i64*>(block.data());
  t.dims = t.strides + slots * max_rank;
  t.data = reinterpret_cast<void**>(t.dims + body.checks.binders.size());
  t.workspaces = t.data + slots;
  const WorkspaceScope spaces_scope(body.workspaces, pool, dims, t.workspaces, at);
  Constants constants(body, arguments, dims, t.workspaces, at);

  Launch l;
  l.executor = body.executor.parallel_for != nullptr ? body.executor : default_executor();
  const kernel::Frame frame{t.data, t.dims, t.strides, &hooks, &l};
  std::size_t failed = 0;
  {
    const EnvironmentScope environment;
    const RankScope rank;
    current_rank() = 0;
    for (; failed < body.groups.size(); ++failed) {
      if (body.has_constants && constants.done(*body.plan, failed)) continue;
      fill(body.groups[failed], arguments, dims, t);
      if (variant.entries[failed] != nullptr) variant.entries[failed](&frame);
      if (l.failed) break;
      constants.ran(*body.plan, failed);
    }
  }
  if (failed < body.groups.size()) refuse(body, variant, failed, l, at);
}
}  // namespace ordo::runtime
