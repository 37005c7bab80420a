#pragma once
#include <algorithm>
#include <set>
#include "ordo/auto/stencil.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::detail_auto {
namespace detail_stencil {
inline constexpr i64 group = 4;          // rows: as many streams from memory, and what lies between them is read once
inline constexpr std::size_t most_reads = 64;
inline constexpr std::size_t most_stages = 8;    // in one pipeline: each adds the reach of its reader to its window

// How far apart two reads are along a dimension; no value: not by a constant.
inline bool gap_of(ir::Ref a, ir::Ref b, u32 d, i64& gap) {
  const ir::Linear x = ir::linear(a->src[d]), y = ir::linear(b->src[d]);
  const auto same = [](const ir::Linear::Term& s, const ir::Linear::Term& t) { return s.atom == t.atom && s.coefficient == t.coefficient; };
  if (!std::equal(x.terms.begin(), x.terms.end(), y.terms.begin(), y.terms.end(), same)) return false;
  gap = x.constant - y.constant;
  return true;
}
// Of all pairs of reads of one tensor the farthest apart along an axis.
inline i64 reach_along(const Shape& s, ir::Ref axis) {
  i64 most = 0;
  for (const Read& r : s.reads)
    for (const Read& o : s.reads)
      for (u32 d = 1; r.load != o.load && r.load->src[0] == o.load->src[0] && d < r.load->count; ++d)
        if (i64 gap = 0; ir::mentions(r.load->src[d], axis) && gap_of(r.load, o.load, d, gap)) most = std::max(most, gap);
  return most;
}
inline i64 row_bytes(const Shape& s, const ir::Program& program) {
  const i64 n = known(extent_of(s.vector_axis));
  i64 bytes = 1;
  for (const Read& r : s.reads) bytes = std::max<i64>(bytes, bytes_of(program.tensor_of(r.load).type));
  return n < 0 ? -1 : n * bytes;
}
inline bool along_rows(const Shape& s) {
  return s.reductions.empty() && s.left.size() > 1 && s.contiguous && !s.in_time && s.reads.size() <= most_reads && !small(s);
}
}  // namespace detail_stencil

ORDO_INLINE ir::Ref neighbours_along(const Shape& s) {
  for (const ir::Ref axis : s.left)
    if (axis != s.vector_axis && detail_stencil::reach_along(s, axis) > 0) return axis;
  return nullptr;
}

ORDO_INLINE bool cheap(const ir::Definition& d) {
  int reads = 0, steps = 0;
  ir::visit_once(d.value, [&](ir::Ref e) {
    if (e->op == ir::Op::Load) ++reads;
    else if (e->op == ir::Op::Select || e->op == ir::Op::Reduce || e->op == ir::Op::Scan || e->op == ir::Op::Div || ir::is_function(e->op)) steps += 100;
    else if (e->count > 0) ++steps;
    return e->op != ir::Op::Load;
  });
  return reads <= 1 && steps <= 2;
}

//   before: for z, for i, for j             after: for i.0 parallel, for z.0: { prefetch X, 1 ahead  for i.1, for j.0,
//                                                    for z.1 0..4 unrolled, for j.1 vectorized }
ORDO_INLINE bool stencil(Writer& w, const nest::Stage& stage, const Shape& s, const ir::Program& program, const Machine& machine, i64 lanes,
                         bool past_caches) {
  using namespace detail_stencil;
  const ir::Ref axis = along_rows(s) ? neighbours_along(s) : nullptr;
  const i64 n = known(extent_of(s.vector_axis)), rows = axis == nullptr ? 0 : known(extent_of(axis));
  if (axis == nullptr || (n >= 0 && n < lanes) || (rows >= 0 && rows < group)) return false;
  const std::string a = loop_name(stage, axis), v = loop_name(stage, s.vector_axis);
  std::vector<std::string> order, inside;
  std::vector<Shared> shared;
  i64 plane = row_bytes(s, program);
  ir::Ref first = nullptr;               // inside of it: cut where the planes that a group reads would leave the second cache
  for (const ir::Ref o : s.left) {
    if (o == axis || o == s.vector_axis) continue;
    const bool outside = std::find(s.left.begin(), s.left.end(), o) < std::find(s.left.begin(), s.left.end(), axis);
    if (outside) {
      order.push_back(loop_name(stage, o));
      shared.push_back({order.back(), known(extent_of(o))});
      continue;
    }
    if (first == nullptr) first = o;
    plane = plane < 0 || known(extent_of(o)) < 0 ? -1 : plane * known(extent_of(o));
    inside.push_back(loop_name(stage, o));
  }
  const i64 planes = reach_along(s, axis) + group, most = machine.l2_bytes / 2;
  w.split(a, {group}, tail_for(rows, group));
  if (first != nullptr && (plane < 0 || plane * planes > most)) {
    const i64 all = known(extent_of(first)), line = plane < 0 || all < 1 ? 0 : plane / all;
    i64 block = 16;
    while (line > 0 && block < 256 && (2 * block + reach_along(s, first)) * line * planes <= most) block *= 2;
    if (all < 0 || block < all) {
      w.split(inside[0], {block}, tail_for(all, block));
      order.push_back(inside[0] + ".0");
      shared.push_back({order.back(), all < 0 ? -1 : (all + block - 1) / block});
      inside[0] += ".1";
    }
  }
  w.split(v, {lanes}, tail_for(n, lanes));
  order.push_back(a + ".0");
  shared.push_back({a + ".0", rows < 0 ? -1 : (rows + group - 1) / group});
  order.insert(order.end(), inside.begin(), inside.end());
  order.insert(order.end(), {v + ".0", a + ".1", v + ".1"});
  w.add("reorder", order);
  w.add("unroll", {a + ".1"});
  w.add("vectorize", {v + ".1"});
  if (past_caches && n >= 0 && n % lanes == 0) w.add("store_nontemporal", {});
  const std::string threads = shared_loop(shared, machine.cores);
  w.parallel(threads, threads == a + ".0" && rows >= 0 ? std::clamp<i64>(rows / group / (8 * machine.cores), 1, 16) : 1);
  std::vector<int> asked;
  for (const Read& r : s.reads) {
    const int t = static_cast<int>(r.load->src[0]->arg);
    const Read along = read_of(r.load, axis);
    if (!along.varies || r.guarded || !beyond_caches(program.tensor_of(r.load), machine)) continue;
    if (std::find(asked.begin(), asked.end(), t) != asked.end()) continue;
    asked.push_back(t);
    nest::Directive& ahead = w.add("prefetch", {a + ".0"});
    ahead.tensor = program.tensor_of(r.load).name;
    ahead.factors = {"1"};
  }
  return true;
}

namespace detail_stencil {
class Pipeline {
 public:
  Pipeline(const nest::Nest& nest, const ir::Program& program, const Machine& machine, nest::Nest& scratch)
      : nest_(nest), program_(program), machine_(machine), scratch_(scratch) {}
  // The stages that it holds; empty: none slides, and the nest is as it was.
  std::vector<int> place(int host) {
    std::vector<int> all = placed_in(host);
    if (all.empty())
      for (auto& [n, before] : before_) scratch_.stages[static_cast<std::size_t>(n)] = std::move(before);
    return all;
  }
  nest::Trace trace;

 private:
  std::vector<int> placed_in(int host) {
    std::vector<int> all{host};
    keep(host);
    const Shape s = shape_of(definition(host));
    const i64 lanes = lanes_of(host), n = known(extent_of(s.vector_axis));
    if (!along_rows(s) || s.left.size() != 2 || (n >= 0 && n < lanes)) return {};
    const std::string a = loop_name(stage(host), s.left[0]), v = loop_name(stage(host), s.left[1]);
    Writer w(trace, stage(host).name);
    const i64 rows = known(extent_of(s.left[0]));
    i64 strip = 32;                      // each begins anew: long against the windows, many against the cores
    while (strip < 128 && (rows < 0 ? strip < 64 : rows / (2 * strip) >= 4 * machine_.cores)) strip *= 2;
    w.split(a, {strip, group}, Tail::mask);
    const i64 tile = 16 * lanes;         // columns of a turn: what it reads from memory and what it writes go on together
    const bool tiled = n < 0 || n >= 4 * tile;
    const std::string turn = tiled ? v + ".0" : a + ".1", columns = v + (tiled ? ".1" : ".0"), vector = v + (tiled ? ".2" : ".1");
    w.split(v, tiled ? std::vector<i64>{tile, lanes} : std::vector<i64>{lanes}, Tail::mask);
    std::vector<std::string> order{a + ".0", a + ".1"};
    if (tiled) order.push_back(turn);
    order.insert(order.end(), {columns, a + ".2", vector});
    w.add("reorder", order);
    if (!flush()) return {};
    bool slides = false;
    std::set<int> next;                  // what those that are in read, the last one first
    add_reads(host, next);
    while (!next.empty() && all.size() < most_stages) {
      const int guest = *next.rbegin();
      next.erase(guest);
      keep(guest);
      if (!takes(guest) || !guest_of(guest, host, turn, a + ".0")) continue;
      all.push_back(guest);
      slides = slides || scratch_.stages[static_cast<std::size_t>(guest)].placed.stored.slides >= 0;
      add_reads(guest, next);
    }
    if (!slides) return {};
    w.add("unroll", {a + ".2"});
    w.add("vectorize", {vector});
    const ir::TensorInfo& t = program_.tensors[static_cast<std::size_t>(definition(host).tensor)];
    if (beyond_caches(t, machine_) && lanes * bytes_of(t.type) >= 16 && n >= 0 && n % lanes == 0) w.add("store_nontemporal", {});
    w.parallel(a + ".0");
    return flush() ? all : std::vector<int>{};
  }
  void keep(int n) { before_.emplace_back(n, scratch_.stages[static_cast<std::size_t>(n)]); }
  void add_reads(int n, std::set<int>& to) const {
    for (const int tensor : nest::reads_of(definition(n).value))
      if (const int by = program_.tensors[static_cast<std::size_t>(tensor)].definition; by >= 0 && by < n) to.insert(by);
  }
  const nest::Stage& stage(int n) const { return nest_.stages[static_cast<std::size_t>(n)]; }
  const ir::Definition& definition(int n) const { return program_.definitions[static_cast<std::size_t>(n)]; }
  i64 lanes_of(int n) const {
    const Type type = program_.tensors[static_cast<std::size_t>(definition(n).tensor)].type;
    return machine_.vector_bits / 8 / std::max(bytes_of(compute_type(type)), 4);
  }
  bool takes(int n) const {
    const Shape s = shape_of(definition(n));
    return !stage(n).inlined && stage(n).recurrence.first < 0 && s.reductions.empty() && s.left.size() == 2 && s.contiguous &&
           !program_.tensors[static_cast<std::size_t>(definition(n).tensor)].output;
  }
  bool attempt(const nest::Directive& d) {
    if (nest::attempt(scratch_, d)) return false;
    trace.push_back(d);
    ++applied_;
    return true;
  }
  bool flush() {
    for (; applied_ < trace.size(); ++applied_)
      if (nest::attempt(scratch_, trace[applied_])) return false;
    return true;
  }
  bool guest_of(int guest, int host, const std::string& turn, const std::string& strip) {
    nest::Directive d;
    d.name = "compute_at";
    d.stage = stage(guest).name;
    d.tensor = stage(host).name;
    d.loops = {turn};
    if (!attempt(d)) return false;
    d.name = "store_at";
    d.loops = {strip};
    const std::string y = loop_name(stage(guest), definition(guest).axes[0]), x = loop_name(stage(guest), definition(guest).axes[1]);
    if (attempt(d)) {
      d.name = "fold_storage";
      d.tensor = "";
      d.loops = {loop_name(stage(guest), definition(guest).axes[static_cast<std::size_t>(
                                            scratch_.stages[static_cast<std::size_t>(guest)].placed.stored.slides)])};
      attempt(d);
    }
    const auto extent = [&](std::size_t k) { return known(scratch_.stages[static_cast<std::size_t>(guest)].placed.regions[k].extent); };
    const i64 lanes = lanes_of(guest), n = extent(1), piece = extent(0);
    d = {};
    d.stage = stage(guest).name;
    d.name = "split";
    d.loops = {x};
    d.factors = {std::to_string(lanes)};
    if (n >= 0 && n < lanes) return true;
    if (!attempt(d)) return true;
    d.factors = {};
    const bool rows = piece > 1 && piece <= 16;
    d.name = "reorder";
    d.loops = {x + ".0", y, x + ".1"};
    const bool moved = rows && attempt(d);
    d.name = "vectorize";
    d.loops = {x + ".1"};
    attempt(d);
    d.name = "unroll";
    d.loops = {y};
    if (moved) attempt(d);
    return true;
  }
  const nest::Nest& nest_;
  const ir::Program& program_;
  const Machine& machine_;
  nest::Nest& scratch_;
  std::size_t applied_ = 0;
  std::vector<std::pair<int, nest::Stage>> before_ = {};
};
}  // namespace detail_stencil

//   before: E: for i, for j   Y: for v, for u: reads E[v], E[v + 1], E[v + 2]
//   after:  Y: for v.0 parallel: { a ring of rows of E   for v.1, for u.0: { E: the next four rows   for u.1, for v.2 0..4, for u.2 } }
ORDO_INLINE void slide_along(const nest::Nest& nest, const ir::Program& program, const Machine& machine, nest::Nest& scratch,
                             nest::Trace& trace, std::vector<bool>& taken) {
  for (std::size_t n = nest.stages.size(); n-- > 0;) {
    if (taken[n] || nest.stages[n].inlined || nest.stages[n].recurrence.first >= 0) continue;
    const Shape s = shape_of(program.definitions[n]);
    if (s.left.size() != 2 || s.reads.size() > detail_stencil::most_reads || detail_stencil::reach_along(s, s.left[0]) == 0) continue;
    detail_stencil::Pipeline pipeline(nest, program, machine, scratch);
    const std::vector<int> stages = pipeline.place(static_cast<int>(n));
    if (stages.empty()) continue;
    for (const int m : stages) taken[static_cast<std::size_t>(m)] = true;
    trace.insert(trace.end(), pipeline.trace.begin(), pipeline.trace.end());
  }
}
}  // namespace ordo::detail_auto
