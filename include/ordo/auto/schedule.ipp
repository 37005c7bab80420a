#pragma once
#include <algorithm>
#include "ordo/auto/contraction.hpp"
#include "ordo/auto/gemm_tile.hpp"
#include "ordo/auto/parts.hpp"
#include "ordo/auto/scatter.hpp"
#include "ordo/auto/schedule.hpp"
#include "ordo/auto/shape.hpp"
#include "ordo/auto/stencil.hpp"
#include "ordo/auto/writer.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"
#include "ordo/plan/plan.hpp"

namespace ordo {
namespace detail_auto {
// Does it compute exp, log, ...: much for each element.
inline bool calls(ir::Ref value) {
  bool found = false;
  ir::visit_once(value, [&](ir::Ref e) {
    found = found || ir::is_function(e->op);
    return !found;
  });
  return found;
}
inline void pointwise(Writer& w, const nest::Stage& stage, const Shape& s, const Machine& machine, i64 lanes, bool beyond, bool cheap) {
  const std::string v = loop_name(stage, s.vector_axis);
  const i64 n = known(extent_of(s.vector_axis));
  const bool narrow = n >= 0 && n < 2;
  if (!narrow) {
    constexpr i64 vectors = 4;  // a turn: fewer tests and jumps
    const bool several = cheap && n >= 0 && n % (vectors * lanes) == 0 && vectors * lanes <= most_lanes;
    const i64 most = several ? vectors * lanes : lanes, wide = n >= 0 && n < most ? n : most;
    w.split(v, {wide}, tail_for(n, wide));
    w.add("vectorize", {v + ".1"});
  }
  if (small(s)) return;
  const bool whole_vectors = s.left.size() == 1 || (n >= 0 && n % lanes == 0);  // in every row, when the first is aligned
  if (!narrow && beyond && whole_vectors && !s.in_time) w.add("store_nontemporal", {});
  std::vector<Shared> rows;
  for (std::size_t a = 0; a + 1 < s.left.size(); ++a) rows.push_back({loop_name(stage, s.left[a]), known(extent_of(s.left[a]))});
  if (!rows.empty()) {
    const std::string shared = shared_loop(rows, machine.cores);
    w.parallel(shared, shared == rows[0].loop ? grain_of(s, machine) : 1);
  } else if (!narrow && (n < 0 || n > worth_sharing)) {
    w.split(v + ".0", {std::max<i64>(1, elements_of_a_task / lanes)}, Tail::mask);
    w.add("parallel", {v + ".0.0"});
  }
}

// The axis along which everything lies that is far apart along the vector axis: a transposition. nullptr: none.
inline ir::Ref crossing_axis(const Shape& s) {
  if (const i64 n = known(extent_of(s.vector_axis)); n >= 0 && n < 2) return nullptr;
  for (std::size_t a = s.left.size(); a-- > 0;) {
    if (s.left[a] == s.vector_axis || known(extent_of(s.left[a])) == 0 || known(extent_of(s.left[a])) == 1) continue;
    bool crosses = true;
    for (const Read& r : s.reads) {
      const Read along = read_of(r.load, s.left[a]);
      crosses = crosses && (!r.varies || r.unit || (along.varies && along.unit));
    }
    if (crosses) return s.left[a];
  }
  return nullptr;
}
// Tiles whose lines stay in the first cache between their columns and their rows: no more rows than it has ways, which all may be
// wanted by lines that lie a power of two apart. What goes to memory goes in whole lines, from a copy of the tile.
//   before: for j, for i                            after: for i.0 parallel, for j.0, for j.1 0..16 unrolled, for i.1 0..8 vectorized
//   to memory:   for i.0 parallel, for j.0: { X.pack[i.1, j.1]  for j.1 0..16 unrolled, for i.1 0..16 vectorized }
inline void transposition(nest::Trace& trace, Writer& w, const nest::Stage& stage, const Shape& s, ir::Ref cross,
                          const ir::Program& program, const Machine& machine, i64 lanes, bool beyond) {
  const std::string v = loop_name(stage, s.vector_axis), c = loop_name(stage, cross);
  const i64 n = known(extent_of(s.vector_axis)), m = known(extent_of(cross));
  const Read* far = nullptr;  // the one read that crosses
  bool one = true;
  for (const Read& r : s.reads) {
    if (!r.varies || r.unit) continue;
    one = one && far == nullptr && copies(s, r) && !program.tensor_of(r.load).output;
    far = &r;
  }
  const bool past = beyond && one && n % lanes == 0 && m >= lanes;
  const auto at_most = [](i64 extent, i64 most) { return extent >= 0 && extent < most ? extent : most; };
  const i64 wide = past ? lanes : at_most(n, std::min(lanes, machine.l1_ways)), line = at_most(m, lanes);
  w.split(v, {wide}, tail_for(n, wide));
  w.split(c, {line}, tail_for(m, line));
  std::vector<std::string> order;
  for (const ir::Ref a : s.left)
    if (a != cross && a != s.vector_axis) order.push_back(loop_name(stage, a));
  const bool by_columns = n >= 0 && n / wide < 4 * machine.cores;
  const std::string inner = (by_columns ? v : c) + ".0";
  order.insert(order.end(), {(by_columns ? c : v) + ".0", inner, c + ".1", v + ".1"});
  w.add("reorder", order);
  w.add("vectorize", {v + ".1"});
  w.add("unroll", {c + ".1"});
  if (past) {
    const std::string tensor = program.tensor_of(far->load).name;
    nest::Directive& pack = w.add("pack", {inner});
    pack.tensor = tensor;
    pack.pack.memory = Memory::stack;
    Writer copy(trace, stage.name + "/" + tensor + ".pack");
    copy.add("reorder", {v + ".1", c + ".1"});
    copy.add("unroll", {v + ".1"});
    copy.add("vectorize", {c + ".1"});
    w.add("store_nontemporal", {});
  }
  if (!small(s)) w.add("parallel", {order[0]});
}

// Nothing lies side by side along the vector axis: some rows at a time, so that each waits for itself alone.
//   before: for t, for i                            after: for i.0 parallel, for t, for i.1 0..8 unrolled
inline void rows_of_steps(Writer& w, const nest::Stage& stage, const Shape& s, bool alone, bool tasks) {
  constexpr i64 rows = 8;
  const std::string v = loop_name(stage, s.vector_axis);
  const i64 n = known(extent_of(s.vector_axis));
  if (n >= 0 && n <= rows) {
    if (n > 1) w.add("unroll", {v});
    return;
  }
  w.split(v, {rows}, tail_for(n, rows));
  w.add("unroll", {v + ".1"});
  if (!alone) return;
  w.add("reorder", {v + ".0", stage.loops[static_cast<std::size_t>(stage.recurrence.time)].name, v + ".1"});
  if (tasks) w.add("parallel", {v + ".0"});
}

// No reuse to hold in registers: independent chains side by side hide the latency of each.
inline void plain_reduction(Writer& w, const nest::Stage& stage, const Shape& s, const Machine& machine, i64 lanes) {
  const std::string v = loop_name(stage, s.vector_axis);
  const i64 n = known(extent_of(s.vector_axis)),
            chains = s.contiguous ? lanes * machine.fma_ports * machine.fma_latency / 2 : machine.fma_ports * machine.fma_latency;
  const i64 wide = n >= 0 && n < chains ? std::max<i64>(n, 1) : chains;
  w.split(v, {wide}, tail_for(n, wide));
  std::vector<std::string> order;
  for (std::size_t a = 0; a + 1 < s.left.size(); ++a) order.push_back(loop_name(stage, s.left[a]));
  order.push_back(v + ".0");
  for (const ir::Ref k : s.reductions) order.push_back(loop_name(stage, k));
  order.push_back(v + ".1");
  w.add("reorder", order);
  if (wide > 1) w.add(s.contiguous ? "vectorize" : "unroll", {v + ".1"});
  if (!small(s)) w.add("parallel", {order[0]});
}

inline void loops(nest::Trace& trace, Writer& w, const nest::Stage& stage, const ir::Definition& d, const Shape& s, const Machine& machine,
                  const nest::Nest& nest, bool alone = false) {
  const ir::Program& program = nest.program;
  const i64 lanes = machine.vector_bits / 8 / std::max(bytes_of(compute_type(program.tensors[static_cast<std::size_t>(d.tensor)].type)), 4);
  if (!s.in_time && scattered(w, stage, d, s, machine, lanes, !small(s))) return;
  if (s.row_axis != nullptr && contraction(trace, w, stage, d, s, machine, nest)) return;
  const auto beyond = [&](const Read& r) { return beyond_caches(program.tensor_of(r.load), machine); };
  const bool streams = alone && std::any_of(s.reads.begin(), s.reads.end(), beyond);
  if (side_by_side(w, stage, d, s, machine, lanes, !small(s), streams) || s.left.empty()) return;
  if (!s.reductions.empty()) return plain_reduction(w, stage, s, machine, lanes);
  const ir::TensorInfo& t = program.tensors[static_cast<std::size_t>(d.tensor)];
  const bool past = beyond_caches(t, machine) && lanes * bytes_of(t.type) >= 16;  // what store_nontemporal asks for
  const ir::Ref cross = s.contiguous || !alone ? nullptr : crossing_axis(s);
  if (cross == nullptr && alone && stencil(w, stage, s, program, machine, lanes, past)) return;
  if (cross != nullptr) transposition(trace, w, stage, s, cross, program, machine, lanes, past);
  else pointwise(w, stage, s, machine, lanes, past, !past && !calls(d.value));
}

// Time outside, the loops of one step as if it were a stage; axes along which nothing is read elsewhere run outside time
// where the steps leave the last one.
//   before: for h, for q, for t, for k              after: for h parallel, for q, for t, for k
inline void recurrence(nest::Trace& trace, Writer& w, const nest::Stage& stage, const ir::Definition& d, const Machine& machine,
                       const nest::Nest& nest) {
  ir::Definition step = d;
  step.axes.erase(step.axes.begin() + stage.recurrence.axis);
  const Shape whole = shape_of(d);
  const int last_axis = static_cast<int>(step.axes.size()) - 1;
  std::vector<std::string> outside;
  const bool alone = !stage.recurrence.across && !stage.recurrence.together();
  if (alone && last_axis >= 0) {
    for (int k = 0; k < last_axis; ++k) outside.push_back(loop_name(stage, step.axes[static_cast<std::size_t>(k)]));
    step.axes.erase(step.axes.begin(), step.axes.begin() + last_axis);
    std::vector<std::string> order = outside;
    order.push_back(stage.loops[static_cast<std::size_t>(stage.recurrence.time)].name);
    order.push_back(loop_name(stage, step.axes[0]));
    w.add("reorder", order);
  }
  Shape s = shape_of(step);
  s.in_time = true;
  if (s.reductions.empty() && !s.left.empty() && !s.contiguous) rows_of_steps(w, stage, s, alone, outside.empty() && !small(whole));
  else loops(trace, w, stage, step, s, machine, nest);
  if (!outside.empty() && !small(whole)) w.add("parallel", {outside[0]});
}

// Is `tensor` read once, without a reduction between, at exactly the reader's own indices?
inline bool reads_in_place(const ir::Definition& reader, const Shape& s, int tensor) {
  if (!s.reductions.empty() || reader.value->op == ir::Op::Scan) return false;
  ir::Ref only = nullptr;
  for (const Read& r : s.reads) {
    if (static_cast<int>(r.load->src[0]->arg) != tensor) continue;
    if (only != nullptr) return false;
    only = r.load;
  }
  return only != nullptr && ir::reads_own_place(reader, only);
}

// So little work that doing it again for each of a few neighbours costs less than a store and a load.
inline bool again_for_neighbours(const ir::Definition& d, const ir::Definition& reader, const Shape& s) {
  constexpr int few = 9;
  if (!s.reductions.empty() || reader.value->op == ir::Op::Scan || !s.contiguous || !cheap(d)) return false;
  int reads = 0;
  for (const Read& r : s.reads)
    if (static_cast<int>(r.load->src[0]->arg) == d.tensor) reads += r.guarded ? few : 1;
  return reads > 1 && reads <= few;
}

// A stage that one other reads in place needs no memory.
inline void inline_stages(const nest::Nest& nest, nest::Trace& trace) {
  const ir::Program& p = nest.program;
  std::vector<Shape> shapes;
  std::vector<u32> levels;  // of each value, with what is inlined into it
  for (const ir::Definition& d : p.definitions) {
    shapes.push_back(shape_of(d));
    levels.push_back(plan::levels(d.value));
  }
  std::vector<bool> full(nest.stages.size(), false);   // readers that have taken a reduction
  std::vector<bool> grown(nest.stages.size(), false);  // or anything
  for (std::size_t n = 0; n < nest.stages.size(); ++n) {
    const ir::Definition& d = p.definitions[n];
    const std::vector<int>& readers = nest.stages[n].readers;
    if (p.tensors[static_cast<std::size_t>(d.tensor)].output || d.value->op == ir::Op::Scan || readers.size() != 1) continue;
    const std::size_t reader = static_cast<std::size_t>(readers[0]);
    const bool reduces = !shapes[n].reductions.empty();
    const bool again = !reduces && !grown[n] && again_for_neighbours(d, p.definitions[reader], shapes[reader]);
    if ((!again && !reads_in_place(p.definitions[reader], shapes[reader], d.tensor)) || (reduces && full[reader])) continue;
    if (levels[reader] + levels[n] > plan::most_levels) continue;
    levels[reader] += levels[n];
    grown[reader] = true;
    full[reader] = full[reader] || reduces;
    Writer(trace, nest.stages[n].name).add("inline_", {});
  }
}

inline bool stands_alone(const nest::Stage& stage, const Shape& s) { return stage.recurrence.first < 0 && s.row_axis == nullptr; }

// The axis whose turns are rows: the last but one; all of them lie side by side in memory.
inline std::size_t row_axis_of(const ir::Definition& d) { return d.axes.size() < 2 ? 0 : d.axes.size() - 2; }

// Stages that rows of another one need, row by row, are computed in its turns: what they hold stays in the cache.
//   before: m: for h, for i, for q   E: for h, for i, for j   Y: for h, for i, for j
//   after:  Y: for h: for i: { m: for q  E: for j  for j }
class Rows {
 public:
  Rows(const nest::Nest& nest, const ir::Program& program, const Machine& machine, nest::Trace& trace)
      : nest_(nest), program_(program), machine_(machine), trace_(trace), host_(nest.stages.size(), -1), rows_(nest.stages.size()) {}
  // Writes a compute_at for each such stage, readers first; applies it to `scratch`.
  void place(nest::Nest& scratch, const std::vector<bool>& taken) {
    for (std::size_t n = nest_.stages.size(); n-- > 0;) {
      if (taken[n]) continue;
      const nest::Stage& stage = nest_.stages[n];
      const ir::Definition& d = program_.definitions[n];
      if (stage.inlined || program_.tensors[static_cast<std::size_t>(d.tensor)].output) continue;
      const Shape s = shape_of(d);
      const int host = common_host(scratch, static_cast<int>(n));
      if (host < 0 || taken[static_cast<std::size_t>(host)] || s.left.empty() || !stands_alone(stage, s) || !takes_rows(host) ||
          !needs_own_row(scratch, static_cast<int>(n), host))
        continue;
      const ir::Definition& of_host = program_.definitions[static_cast<std::size_t>(host)];
      nest::Directive at;
      at.name = "compute_at";
      at.stage = stage.name;
      at.tensor = nest_.stages[static_cast<std::size_t>(host)].name;
      at.loops = {loop_name(nest_.stages[static_cast<std::size_t>(host)], of_host.axes[row_axis_of(of_host)])};
      if (nest::attempt(scratch, at)) continue;
      host_[n] = host;
      trace_.push_back(std::move(at));
    }
  }
  bool any() const {
    return std::any_of(host_.begin(), host_.end(), [](int h) { return h >= 0; });
  }
  bool is_guest(std::size_t stage) const { return host_[stage] >= 0; }

 private:
  int common_host(const nest::Nest& scratch, int stage) const {
    int host = -1;
    for (const int reader : nest::final_readers(scratch, stage)) {
      const int at = host_[static_cast<std::size_t>(reader)] >= 0 ? host_[static_cast<std::size_t>(reader)] : reader;
      if (host >= 0 && at != host) return -1;
      host = at;
    }
    return host;
  }
  // Do all that read it, in a turn of the host's rows, read that row of it alone? Finds the dimensions that number its rows.
  bool needs_own_row(const nest::Nest& scratch, int stage, int host) {
    const ir::Definition &of_host = program_.definitions[static_cast<std::size_t>(host)],
                         &d = program_.definitions[static_cast<std::size_t>(stage)];
    std::vector<int>& own = rows_[static_cast<std::size_t>(stage)];
    own.assign(row_axis_of(of_host) + 1, none);
    for (const int reader : nest::final_readers(scratch, stage)) {
      const nest::Stage& from = scratch.stages[static_cast<std::size_t>(reader)];
      const ir::Definition& by = scratch.program.definitions[static_cast<std::size_t>(from.definition)];
      for (std::size_t p = 0; p < own.size(); ++p) {
        const int axis = reader == host ? static_cast<int>(p) : rows_[static_cast<std::size_t>(reader)][p];
        if (known(extent_of(of_host.axes[p])) == 1) continue;
        if (axis == none) return false;
        for (const nest::Access& a : nest::accesses(scratch, from, d.tensor)) {
          const auto it = std::find(a.at.begin(), a.at.end(), by.axes[static_cast<std::size_t>(axis)]);
          const int dimension = it == a.at.end() ? none : static_cast<int>(it - a.at.begin());
          if (dimension == none || (own[p] != none && own[p] != dimension)) return false;
          own[p] = dimension;
        }
        if (own[p] == none) return false;
      }
    }
    return true;
  }
  bool takes_rows(int host) const {  // enough of them to share, and something to do in each
    const nest::Stage& stage = nest_.stages[static_cast<std::size_t>(host)];
    const ir::Definition& d = program_.definitions[static_cast<std::size_t>(host)];
    const Shape s = shape_of(d);
    if (stage.inlined || !stands_alone(stage, s) || s.left.empty() || s.left.size() + s.reductions.size() < 2) return false;
    i64 rows = 1;
    for (std::size_t a = 0; a <= row_axis_of(d) && rows < 2 * machine_.cores; ++a) {
      const i64 n = known(extent_of(s.left[a]));
      if (n < 0) return true;
      rows *= n;
    }
    return rows >= 2 * machine_.cores;
  }
  const nest::Nest& nest_;
  const ir::Program& program_;
  const Machine& machine_;
  nest::Trace& trace_;
  static constexpr int none = -1;
  std::vector<int> host_;               // by stage
  std::vector<std::vector<int>> rows_;  // by stage, by axis of the host's rows: the dimension that stands for it
};

// Rows that come from memory and fill the first cache are asked for while the row before is computed: where that takes long, memory
// has nothing else to do. Shorter and longer ones come as fast when caches look ahead by themselves.
//   before: Y: for i: { m: for q  E: for j  for j }          after: Y: for i: { m: for q  E: prefetch X, 1 ahead  for j  for j }
inline void rows_ahead(nest::Nest& nest, const ir::Program& program, const Machine& machine, nest::Trace& trace) {
  for (std::size_t t = 0; t < program.tensors.size(); ++t) {
    if (!beyond_caches(program.tensors[t], machine)) continue;
    int last = -1, readers = 0;  // of the stages that stand in turns
    for (std::size_t n = 0; n < nest.stages.size(); ++n) {
      const nest::Stage& s = nest.stages[n];
      if (s.inlined || (s.placed.stage < 0 && s.guests.empty())) continue;
      const std::vector<int> read = nest::reads_through(nest, static_cast<int>(n));
      if (!std::binary_search(read.begin(), read.end(), static_cast<int>(t))) continue;
      last = static_cast<int>(n);
      ++readers;
    }
    if (readers < 2) continue;  // one pass: it waits for memory anyway
    const nest::Stage& s = nest.stages[static_cast<std::size_t>(last)];
    const ir::Definition& d = program.definitions[static_cast<std::size_t>(last)];
    const i64 row = bytes_of(program.tensors[t].type) * known(program.tensors[t].shape.back());
    if (row > machine.l1_bytes || row < machine.l1_bytes / 8 || !calls(d.value)) continue;
    nest::Directive ahead;
    ahead.name = "prefetch";
    ahead.stage = s.name;
    ahead.tensor = nest.names[t];
    ahead.loops = {loop_name(s, d.axes[row_axis_of(d)])};
    ahead.factors = {"1"};
    if (!nest::attempt(nest, ahead)) trace.push_back(std::move(ahead));
  }
}

// False: what some stage asks for does not go with the rows of others inside it.
inline bool schedule_stages(const nest::Nest& plain, const Machine& machine, bool by_rows, nest::Trace& trace) {
  inline_stages(plain, trace);
  nest::Nest scratch = nest::make(ir::copy(plain.program));
  nest::apply(scratch, trace);
  const plan::Plan plan = plan::make(nest::copy(scratch));
  const ir::Program& program = plan.nest.program;
  std::vector<bool> taken(plan.nest.stages.size(), false);
  slide_along(plan.nest, program, machine, scratch, trace, taken);
  Rows rows(plan.nest, program, machine, trace);
  if (by_rows) rows.place(scratch, taken);
  for (std::size_t n = 0; n < plan.nest.stages.size(); ++n) {
    const nest::Stage& stage = plan.nest.stages[n];
    if (stage.inlined || taken[n]) continue;
    const ir::Definition& d = program.definitions[static_cast<std::size_t>(stage.definition)];
    nest::Trace own;
    Writer w(own, stage.name);
    if (stage.recurrence.first >= 0) recurrence(own, w, stage, d, machine, scratch);
    else loops(own, w, stage, d, shape_of(d), machine, scratch, !rows.is_guest(n) && scratch.stages[n].guests.empty());
    if (rows.any()) {
      if (rows.is_guest(n))
        std::erase_if(own, [](const nest::Directive& o) { return o.name == "parallel" || o.name == "store_nontemporal"; });
      nest::Nest trial = nest::copy(scratch);
      bool fits = true;
      for (const nest::Directive& directive : own) fits = fits && !nest::attempt(trial, directive);
      if (!fits && !rows.is_guest(n)) return false;
      if (!fits) own.clear();
      else scratch = std::move(trial);
    }
    trace.insert(trace.end(), own.begin(), own.end());
  }
  if (rows.any()) rows_ahead(scratch, program, machine, trace);
  return true;
}
}  // namespace detail_auto

ORDO_INLINE nest::Trace detail_auto::written(const nest::Nest& plain, const Machine& given) {
  Machine machine = given;
  machine.vector_bits = std::min(machine.vector_bits, static_cast<int>(most_lanes) * 8);  // of bytes, the shortest elements
  nest::Trace trace;
  if (schedule_stages(plain, machine, true, trace)) return trace;
  trace.clear();
  schedule_stages(plain, machine, false, trace);
  return trace;
}
// Without what is refused: sizes and machines at the ends of what is accepted are slow rather than none.
ORDO_INLINE nest::Trace default_schedule(const nest::Nest& plain, const Machine& machine) {
  nest::Trace trace = detail_auto::written(plain, machine);
  nest::Nest trial = nest::make(ir::copy(plain.program));
  std::erase_if(trace, [&](const nest::Directive& d) { return static_cast<bool>(nest::attempt(trial, d)); });
  return trace;
}
ORDO_INLINE nest::Trace default_schedule(const nest::Nest& nest, const Target& target) { return default_schedule(nest, detect(target)); }
}  // namespace ordo
