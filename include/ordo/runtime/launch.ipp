#pragma once
#include <memory>
#include <string>
#include <vector>
#include "ordo/runtime/environment.hpp"
#include "ordo/runtime/hooks.hpp"
#include "ordo/runtime/launch.hpp"
#include "ordo/runtime/pool.hpp"

namespace ordo::runtime {
namespace detail_launch {
[[noreturn]] ORDO_NOINLINE inline void refuse(const KernelBody& body, const Variant& variant, std::size_t group, const Launch& l,
                                              Where at) {
  if (l.failure == out_of_memory) ordo::fail("run.memory", at, "there is no memory for a packed copy or accumulators of the kernel");
  if (l.failure == executor_broken) ordo::fail("run.executor", at, "the executor threw, or did not run each chunk of a parallel loop once");
  const kernel::Kernel k = lower_group(body, group, variant.layout);
  const char* form =
      l.failure >= 0 && l.failure < static_cast<i64>(k.failures.size()) ? k.failures[static_cast<std::size_t>(l.failure)].text.c_str() : "";
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
// Constant copies of a call: those that the kernel keeps, and new ones, kept when their launch has filled them.
class Constants {
 public:
  Constants(const KernelBody& body, const Argument* arguments, const i64* dims, void** place, Where at)
      : body_(body), arguments_(arguments) {
    if (!body.has_constants) return;
    dims_.assign(dims, dims + body.checks.binders.size());
    copies_.resize(body.workspaces.size());
    for (std::size_t w = 0; w < copies_.size(); ++w) {
      const Workspace& space = body.workspaces[w];
      if (space.argument < 0) continue;
      const Argument& of = arguments[space.argument];
      copies_[w].memory = body.constants.find(w, of, dims_);
      copies_[w].filled = copies_[w].memory != nullptr;
      if (!copies_[w].filled) copies_[w].memory = std::make_shared<ConstantCopy>(of, dims_, bytes_of(space, dims, at));
      place[w] = copies_[w].memory->data();
      if (place[w] == nullptr) ordo::fail("run.memory", at, "there is no memory for a constant copy of an argument");
    }
  }
  bool filled(std::size_t group) const {         // by an earlier call
    const int w = workspace_of(group);
    return w >= 0 && copies_[static_cast<std::size_t>(w)].filled;
  }
  void ran(std::size_t group) {
    const int w = workspace_of(group);
    if (w < 0) return;
    const std::size_t number = static_cast<std::size_t>(w);
    body_.constants.keep(number, arguments_[body_.workspaces[number].argument], dims_, copies_[number].memory);
  }

 private:
  struct Copy {
    std::shared_ptr<ConstantCopy> memory;
    bool filled = false;
  };
  int workspace_of(std::size_t group) const {
    const plan::Group& g = body_.plan->groups[group];
    if (g.pack < 0) return -1;
    for (std::size_t w = 0; w < copies_.size(); ++w)
      if (body_.plan->workspaces[w].stage == g.stage && body_.plan->workspaces[w].pack == g.pack) return static_cast<int>(w);
    return -1;
  }
  const KernelBody& body_;
  const Argument* arguments_;
  std::vector<i64> dims_;
  std::vector<Copy> copies_;
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
  check_turn_memory(body.turn_memory, dims, at);
  const WorkspaceScope spaces_scope(body.workspaces, pool, dims, t.workspaces, at);
  Constants constants(body, arguments, dims, t.workspaces, at);

  Launch l;
  l.executor = is_given(body.executor) ? body.executor : default_executor();
  const kernel::Frame frame{t.data, t.dims, t.strides, &hooks(), &l};
  std::size_t failed = 0;
  {
    const EnvironmentScope environment;
    const RankScope rank;
    current_rank() = 0;
    for (; failed < body.groups.size(); ++failed) {
      if (body.has_constants && constants.filled(failed)) continue;
      fill(body.groups[failed], arguments, dims, t);
      if (variant.entries[failed] != nullptr) variant.entries[failed](&frame);
      if (l.failed) break;
      if (body.has_constants) constants.ran(failed);
    }
  }
  if (failed < body.groups.size()) refuse(body, variant, failed, l, at);
}
}  // namespace ordo::runtime
