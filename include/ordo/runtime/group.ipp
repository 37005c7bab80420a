#pragma once
#include <string>
#include <unordered_map>
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/runtime/group.hpp"

namespace ordo::runtime {
namespace detail_group {
// Writes what reaches the code, byte for byte the same for groups that differ in names, lines and numbering only.
class Writer {
 public:
  Writer(const plan::Plan& plan, int origin, GroupTable& table)
      : plan_(plan), program_(plan.nest.program), origin_(origin), table_(table) {}
  const std::string& bytes() const { return bytes_; }
  void number(u64 value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void number(i64 value) { number(static_cast<u64>(value)); }
  void number(int value) { number(static_cast<u64>(static_cast<i64>(value))); }
  void expression(ir::Ref root) {        // each node once, sources first; later by its number
    if (root == nullptr) return number(~u64{0});
    ir::post_order(root, [this](ir::Ref e) { return numbers_.count(e) != 0; }, [this](ir::Ref e) { node(e); });
    number(u64{3} << 62 | numbers_.at(root));
  }
  void tensor(int number_in_program) {
    if (tensors_.count(number_in_program) != 0) return;
    const ir::TensorInfo& t = program_.tensors[static_cast<std::size_t>(number_in_program)];
    const plan::Slot& slot = plan_.slots[static_cast<std::size_t>(number_in_program)];
    tensors_.emplace(number_in_program, tensors_.size());
    number(u64{2} << 62 | static_cast<u64>(t.type) | static_cast<u64>(t.output) << 8 | static_cast<u64>(slot.in) << 16 |
           static_cast<u64>(t.shape.size()) << 32);
    if (slot.in == plan::Slot::In::argument) number(local(table_.arguments, slot.number));
    if (slot.in == plan::Slot::In::workspace) number(local(table_.workspaces, slot.number));
    const nest::Promise* promise = slot.in == plan::Slot::In::argument ? nest::promise_of(plan_.nest, number_in_program) : nullptr;
    number(promise != nullptr ? promise->bytes : 0);
    if (t.definition >= 0)
      for (const nest::Stored& s : plan_.nest.stages[static_cast<std::size_t>(t.definition)].layout)
        number(static_cast<i64>(s.dimension) << 32 | static_cast<i64>(s.part) << 16 | s.factor);
    number(~u64{1});
    for (const ir::Ref extent : t.shape) expression(extent);
  }
  void stage(const nest::Stage& s) {
    number(s.loops.size());
    for (const nest::Loop& l : s.loops) {
      number(static_cast<int>(l.kind) | l.reduction << 4 | static_cast<int>(l.mark) << 8);
      number(l.grain);
      number(l.consumed_by);
      expression(l.extent);
    }
    list(s.order);
    number(s.relations.size());
    for (const nest::Relation& r : s.relations) {
      for (const int n : {static_cast<int>(r.op), r.parent, r.outer, r.inner, static_cast<int>(r.tail)}) number(n);
      expression(r.factor);
      expression(r.second);
    }
    number(s.roots.size());
    for (const nest::Root& r : s.roots) {
      expression(r.axis);
      number(static_cast<int>(r.part));
      number(r.loop);
      expression(r.base);
    }
    number(s.parts.size());
    for (const nest::Stage& part : s.parts) stage(part);
    number(s.packs.size());
    for (const nest::Pack& p : s.packs) pack(p);
    number(s.prefetches.size());
    for (const nest::Prefetch& p : s.prefetches) {
      tensor(p.tensor);
      number(tensors_.at(p.tensor));
      number(p.loop);
      expression(p.distance);
    }
    number(static_cast<int>(s.nontemporal));
    number(s.cached_at);
    number(s.recurrence.time);
    number(s.recurrence.axis);
    number(s.placed.stage < 0 ? 0 : static_cast<int>(1 | s.placed.along << 1 | s.placed.outlives << 2));
    if (s.placed.stage < 0) return;
    number(s.placed.stage - s.definition);               // the same distance in groups alike
    number(s.placed.turn);
    for (const nest::Region& r : s.placed.regions) {
      for (const ir::Ref e : {r.base, r.extent, r.end, r.kept, r.held, r.room}) expression(e);
      number(r.cut | r.covers << 1);
    }
    const nest::Storage& stored = s.placed.stored;
    for (const int n : {stored.loop, stored.slides, stored.folded}) number(n);
    list(stored.first);
    number(stored.before);
  }

  // Constant copies live in workspaces.
  void constants(std::size_t stage) {
    for (std::size_t w = 0; w < plan_.workspaces.size(); ++w)
      if (plan_.workspaces[w].stage == static_cast<int>(stage)) number(local(table_.workspaces, static_cast<int>(w)));
  }

 private:
  void node(ir::Ref e) {
    if (e->op == ir::Op::Tensor) tensor(static_cast<int>(e->arg));
    number(u64{1} << 62 | static_cast<u64>(e->op));
    number(static_cast<u64>(e->type) | static_cast<u64>(e->lanes) << 8 | static_cast<u64>(e->count) << 32);
    for (u32 k = 0; k < e->count; ++k) number(numbers_.at(e->src[k]));
    int stage = 0, loop = 0;
    if (nest::is_loop_var(e, stage, loop)) number(static_cast<u64>(stage - origin_) << 32 | static_cast<u64>(loop));
    else if (e->op == ir::Op::Tensor) number(tensors_.at(static_cast<int>(e->arg)));
    else if (e->op == ir::Op::Dim) number(local(table_.dims, static_cast<int>(e->arg)));
    else number(e->arg);
    const u64 own = numbers_.size();
    numbers_.emplace(e, own);
  }
  static u64 local(std::vector<int>& list, int number) {
    for (std::size_t k = 0; k < list.size(); ++k)
      if (list[k] == number) return k;
    list.push_back(number);
    return list.size() - 1;
  }
  void list(const std::vector<int>& values) {
    number(values.size());
    for (const int v : values) number(v);
  }
  void pack(const nest::Pack& p) {
    tensor(p.tensor);
    number(tensors_.at(p.tensor));
    number(p.at);
    number(static_cast<int>(p.options.memory) | p.options.constant << 8);
    number(p.options.pad);
    list(p.order);
    number(p.marks.size());
    for (const nest::Mark m : p.marks) number(static_cast<int>(m));
  }
  const plan::Plan& plan_;
  const ir::Program& program_;
  const int origin_;             // stages are told by their distance from this one
  GroupTable& table_;
  std::string bytes_;
  std::unordered_map<ir::Ref, u64> numbers_;
  std::unordered_map<int, u64> tensors_;
};
inline void fix_slots(kernel::Kernel& kernel, const GroupTable& table) {
  const auto place = [](const std::vector<int>& list, int number) {
    for (std::size_t k = 0; k < list.size(); ++k)
      if (list[k] == number) return static_cast<int>(k);
    fail_internal("runtime.slot", "a kernel uses memory that its group does not mention");
  };
  for (kernel::Buffer& b : kernel.buffers) {
    if (b.space == kernel::Space::argument) b.slot = place(table.arguments, b.slot);
    if (b.space == kernel::Space::workspace) b.slot = place(table.workspaces, b.slot);
  }
  kernel.arguments = static_cast<int>(table.arguments.size());
}
}  // namespace detail_group

ORDO_INLINE GroupTable make_table(const plan::Plan& plan, std::size_t group) {
  GroupTable table;
  const plan::Group& g = plan.groups[group];
  detail_group::Writer writer(plan, g.stage, table);
  for (const int s : g.stages()) {
    const std::size_t stage = static_cast<std::size_t>(s);
    const ir::Definition& d = plan.nest.program.definitions[stage];
    writer.tensor(d.tensor);
    for (const ir::Ref axis : d.axes) writer.expression(axis);
    writer.expression(d.value);
    writer.stage(plan.nest.stages[stage]);
    writer.constants(stage);
  }
  writer.number(g.pack);
  writer.number(g.guests.size());
  table.digest = ir::digest_of(writer.bytes().data(), writer.bytes().size());
  return table;
}
ORDO_INLINE void relocate(kernel::Kernel& kernel, const GroupTable& table) {
  detail_group::fix_slots(kernel, table);
  ir::Visited visited;
  std::vector<ir::Ref> dims;
  const auto collect = [&](ir::Ref e) {
    if (e->op == ir::Op::Dim) dims.push_back(e);
  };
  ir::visit_once(kernel.body, visited, collect);
  for (const kernel::Buffer& b : kernel.buffers)
    if (b.elements != nullptr) ir::visit_once(b.elements, visited, collect);
  std::vector<ir::Replacement> moved;
  for (const ir::Ref dim : dims) {
    u64 own = 0;
    while (own < table.dims.size() && table.dims[own] != static_cast<int>(dim->arg)) ++own;
    if (own == table.dims.size()) fail_internal("runtime.dim", "a kernel uses a Dim that its group does not mention");
    if (own != dim->arg) moved.push_back({dim, kernel.arena.make(ir::Op::Dim, Type::i64, nullptr, 0, own, dim->name)});
  }
  if (moved.empty()) return;
  kernel.body = ir::substitute(kernel.arena, kernel.body, moved.data(), moved.size());
  for (kernel::Buffer& b : kernel.buffers)
    if (b.elements != nullptr) b.elements = ir::substitute(kernel.arena, b.elements, moved.data(), moved.size());
}
ORDO_INLINE bool reads_argument(const kernel::Kernel& kernel, const GroupTable& table, int argument) {
  bool found = false;
  ir::visit_once(kernel.body, [&](ir::Ref e) {
    if (e->op != ir::Op::Read) return !found;
    const kernel::Buffer& b = kernel.buffers[e->arg];
    found = found || (b.space == kernel::Space::argument && table.arguments[static_cast<std::size_t>(b.slot)] == argument);
    return !found;
  });
  return found;
}
}  // namespace ordo::runtime
