#pragma once
#include <algorithm>
#include "ordo/auto/contraction.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::detail_auto {
namespace detail_contraction {
using namespace ir;

struct Step {  // an ordered loop of the reduction
  std::string loop;
  i64 extent;
  Ref axis;
};
struct Roles {
  i64 m = -1, n = -1;
  std::string i, j;
  std::vector<Ref> batch, rows, columns;  // other left axes: both operands vary with them; A does; B does
  std::vector<std::string> blocks;        // free loops over blocks of the reduction
  i64 parts = 1;                          // blocks in all; -1: not known
  std::vector<Step> steps;
  Ref a = nullptr, b = nullptr;  // the one read that varies with i and not with j; with j and not with i
  bool straight = true;          // all that varies with j and is read in each step lies along it
  bool packs = false;            // b can be copied
  std::string tensor;            // that b reads
};

inline i64 times(i64 a, i64 b) { return a < 0 || b < 0 ? -1 : a * b; }
inline i64 extents(const std::vector<Ref>& axes) {
  i64 all = 1;
  for (const Ref axis : axes) all = times(all, known(extent_of(axis)));
  return all;
}
inline bool mentions_any(Ref load, const std::vector<Ref>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](Ref axis) { return mentions(load, axis); });
}

// Would pack() take the reads of `tensor` by this stage? What is read under a condition must be all of the tensor.
inline bool can_pack(const nest::Nest& nest, const nest::Stage& stage, Ref load) {
  const int tensor = static_cast<int>(load->src[0]->arg);
  const TensorInfo& info = nest.program.tensors[static_cast<std::size_t>(tensor)];
  if (info.output) return false;
  const nest::Stage& own = nest.stages[static_cast<std::size_t>(stage.definition)];
  if (own.recurrence.first >= 0 && info.definition >= own.recurrence.first && info.definition <= own.recurrence.last) return false;
  const std::vector<nest::Access> found = nest::accesses(nest, own, tensor);
  if (found.empty()) return false;
  bool everywhere = false, through = false;
  for (const nest::Access& a : found) {
    if (a.load != found.front().load || a.axes != found.front().axes || a.inside != found.front().inside || a.gather) return false;
    everywhere = everywhere || !a.guarded;
    through = through || a.through;
  }
  if (nest::starts_from(nest, own, tensor)) return false;
  if (everywhere) return true;
  for (u32 k = 1; k < load->count; ++k)
    if (load->src[k]->op != Op::Axis || !provably_equal(extent_of(load->src[k]), info.shape[k - 1])) return false;
  return !through;
}

inline bool collect(Roles& c, const nest::Stage& stage, const Definition& d, const Shape& s, const nest::Nest& nest) {
  const ReduceView r(first_of(d.value, Op::Reduce));
  for (u32 k = 0; k < r.facts.axes; ++k) {
    const AxisFacts facts = axis_facts(r.axis(k));
    if (!loop_name(stage, r.axis(k), AxisPart::lane).empty()) return false;
    const i64 whole = known(extent_of(r.axis(k))), block = facts.block;
    if (block > 0) {
      c.blocks.push_back(loop_name(stage, r.axis(k), AxisPart::block));
      c.parts = whole < 0 ? -1 : times(c.parts, (whole + block - 1) / block);
      c.steps.push_back({loop_name(stage, r.axis(k), AxisPart::step), whole >= 0 && whole < block ? whole : block, r.axis(k)});
    } else {
      c.steps.push_back({loop_name(stage, r.axis(k)), whole, r.axis(k)});
    }
  }
  c.m = known(extent_of(s.row_axis));
  c.n = known(extent_of(s.vector_axis));
  c.i = loop_name(stage, s.row_axis);
  c.j = loop_name(stage, s.vector_axis);
  int many_a = 0, many_b = 0;
  std::vector<Ref> as, bs;
  for (const Read& read : s.reads) {
    if (!mentions_any(read.load, s.reductions)) continue;
    const bool row = mentions(read.load, s.row_axis);
    if (read.varies && !read.unit) c.straight = false;
    if (read.varies && !row) c.b = ++many_b == 1 ? read.load : nullptr, bs.push_back(read.load);
    if (row && !read.varies) c.a = ++many_a == 1 ? read.load : nullptr, as.push_back(read.load);
    if (row && read.varies) as.push_back(read.load), bs.push_back(read.load);
  }
  const auto varies = [](const std::vector<Ref>& loads, Ref axis) {
    return std::any_of(loads.begin(), loads.end(), [&](Ref load) { return mentions(load, axis); });
  };
  for (const Ref axis : s.left) {
    if (axis == s.row_axis || axis == s.vector_axis || known(extent_of(axis)) == 1) continue;
    const bool in_a = varies(as, axis), in_b = varies(bs, axis);
    (in_a == in_b ? c.batch : in_a ? c.rows : c.columns).push_back(axis);
  }
  if (c.b == nullptr) return true;
  const int tensor = static_cast<int>(c.b->src[0]->arg);
  int same = 0;
  for (const Read& read : s.reads) same += static_cast<int>(read.load->src[0]->arg) == tensor;
  c.packs = same == 1 && can_pack(nest, stage, c.b);
  c.tensor = nest.names[static_cast<std::size_t>(tensor)];
  return true;
}

// Elements from one row of A to the next; -1: not known.
inline i64 row_stride(const ir::Program& program, const Roles& c, Ref row_axis) {
  if (c.a == nullptr) return -1;
  const TensorInfo& t = program.tensor_of(c.a);
  i64 all = 0, stride = 1;
  for (std::size_t k = t.shape.size(); k-- > 0;) {
    if (mentions(c.a->src[k + 1], row_axis)) {
      const Linear form = linear(c.a->src[k + 1]);
      for (const Linear::Term& term : form.terms)
        if (term.atom == row_axis) all += stride * term.coefficient;
    }
    stride = times(stride, known(t.shape[k]));
    if (stride < 0) return -1;
  }
  return all < 0 ? -all : all;
}

// A short innermost loop along which rows read again what the rows beside them read: unrolled, they read it once.
//   X(y, 2 * x + s) of rows x and steps s: the rows x and x + 1 share s = 2 and s = 0
inline bool slides(const Roles& c, const Shape& s) {
  constexpr i64 longest = 8;
  const Step& last = c.steps.back();
  if (last.extent < 2 || last.extent > longest) return false;
  return std::any_of(s.reads.begin(), s.reads.end(), [&](const Read& read) {
    for (u32 d = 1; d < read.load->count; ++d) {
      if (!mentions(read.load->src[d], s.row_axis) || !mentions(read.load->src[d], last.axis)) continue;
      i64 by_row = 0, by_step = 0;
      for (const Linear::Term& t : linear(read.load->src[d]).terms) {
        if (t.atom == s.row_axis) by_row = std::abs(t.coefficient);
        if (t.atom == last.axis) by_step = std::abs(t.coefficient);
      }
      if (by_step > 0 && by_row % by_step == 0 && by_row / by_step > 0 && by_row / by_step < last.extent) return true;
    }
    return false;
  });
}

// Few rows: B is read once, a few rows at a time; accumulators wait in the cache.
inline void streamed(Writer& w, const Roles& c, const GemmTile& t) {
  const std::string &i = c.i, &j = c.j, &k = c.steps[0].loop;
  w.split(j, {t.nc, t.nr}, Tail::mask);
  w.split(k, {t.kc}, Tail::mask);
  w.split(i, {t.mr}, tail_for(c.m, t.mr));
  w.add("reorder", {j + ".0", k + ".0", i + ".0", j + ".1", k + ".1", i + ".1", j + ".2"});
  w.add("vectorize", {j + ".2"});
  w.add("unroll", {i + ".1"});
  w.add("unroll", {k + ".1"});
  if (c.n > t.nc) w.add("parallel", {j + ".0"});
}

// B comes from memory: packed once, read in long runs, then used by all rows.
inline void by_columns(nest::Trace& trace, Writer& w, const std::string& stage, const Roles& c, const GemmTile& t, bool turned) {
  const std::string &i = c.i, &j = c.j, &k = c.steps[0].loop;
  w.split(j, {t.nc, t.nr}, Tail::mask);
  w.split(k, {t.kc}, Tail::mask);
  w.split(i, {t.mr}, tail_for(c.m, t.mr));
  w.add("reorder", {j + ".0", k + ".0", j + ".1", i + ".0", k + ".1", i + ".1", j + ".2"});
  w.add("vectorize", {j + ".2"});
  w.add("unroll", {i + ".1"});
  w.add("parallel", {j + ".0"});
  w.add("pack", {k + ".0"}).tensor = c.tensor;
  if (!turned) Writer(trace, stage + "/" + c.tensor + ".pack").add("reorder", {k + ".1", j + ".1", j + ".2"});
}

inline bool of_bytes(const ir::Program& program, Ref load) {
  if (load == nullptr) return false;
  const Type t = program.tensor_of(load).type;
  return t == Type::i8 || t == Type::u8;
}
// Bytes, four products of k together: as schedules::byte_gemm.
//   batch, rows and columns, k.0, j.0, i.0, k.1, k.2 0..4, i.1 unrolled, j.1 unrolled, j.2 vectorized;  B.pack[k.1, j.1, j.2, k.2]
inline void four_bytes(nest::Trace& trace, Writer& w, const nest::Stage& stage, const Roles& c, i64 lanes, bool tasks) {
  constexpr i64 rows = 6, vectors = 4, deepest = 4096;
  const std::string &i = c.i, &j = c.j, &k = c.steps[0].loop;
  const i64 whole = c.steps[0].extent, depth = whole < 0 ? 512 : std::min(whole, deepest);
  w.split(k, {depth, 4}, Tail::peel);
  w.split(i, {rows}, tail_for(c.m, rows));
  w.split(j, {vectors * lanes, lanes}, Tail::mask);
  std::vector<std::string> order;
  for (const std::vector<Ref>* axes : {&c.batch, &c.rows, &c.columns})
    for (const Ref axis : *axes) order.push_back(loop_name(stage, axis));
  const std::string shared = order.empty() ? j + ".0" : order[0];
  order.insert(order.end(), {k + ".0", j + ".0", i + ".0", k + ".1", k + ".2", i + ".1", j + ".1", j + ".2"});
  w.add("reorder", order);
  w.add("unroll", {i + ".1"});
  w.add("unroll", {j + ".1"});
  w.add("vectorize", {j + ".2"});
  if (tasks) w.add("parallel", {shared});
  w.add("pack", {j + ".0"}).tensor = c.tensor;
  Writer copy(trace, stage.name + "/" + c.tensor + ".pack");
  copy.add("reorder", {k + ".1", j + ".1", j + ".2", k + ".2"});
  copy.add("unroll", {k + ".2"});
  copy.add("vectorize", {j + ".2"});
}

// Loops of the reduction around the tiles, and in them.
struct Depths {
  std::vector<std::string> outside, inside;
};
inline Depths depths_of(Writer& w, const Roles& c, const GemmTile& t, const Machine& machine, bool packs, int bytes) {
  Depths d;
  const bool single = c.steps.size() == 1;
  if (single && packs && (c.steps[0].extent < 0 || c.steps[0].extent > t.kc)) {
    w.split(c.steps[0].loop, {t.kc}, Tail::mask);
    return {{c.steps[0].loop + ".0"}, {c.steps[0].loop + ".1"}};
  }
  if (single || t.rows_outside) {
    for (const Step& step : c.steps) d.inside.push_back(step.loop);
    return d;
  }
  i64 inner = 1;  // a panel of B waits in the second cache for all rows
  const i64 room = machine.l2_bytes / 2 / (t.nr * bytes);
  std::size_t first = c.steps.size();
  while (first > 0 && c.steps[first - 1].extent >= 0 && inner * c.steps[first - 1].extent <= room) inner *= c.steps[--first].extent;
  const i64 fits = std::max<i64>(room / inner, 1);  // turns of the loop before `first`
  const bool worth = inner * fits >= 64;
  for (std::size_t k = 0; k < c.steps.size(); ++k) {
    if (worth && k + 1 == first && fits > 1) {
      w.split(c.steps[k].loop, {fits}, Tail::mask);
      d.outside.push_back(c.steps[k].loop + ".0");
      d.inside.push_back(c.steps[k].loop + ".1");
    } else {
      (worth && k < first ? d.outside : d.inside).push_back(c.steps[k].loop);
    }
  }
  return d;
}
// A lies in pieces of a few lines, far apart along an outer loop of the reduction: caches look ahead for long runs only. "": it does not,
// or comes from near.
inline std::string pieces_ahead(const Roles& c, const Shape& s, const Machine& machine, const nest::Nest& nest) {
  if (c.a == nullptr || c.steps.size() < 2 || nest.program.tensor_of(c.a).definition >= 0) return "";
  const TensorInfo& a = nest.program.tensor_of(c.a);
  const i64 line = 64 / bytes_of(a.type), last = c.steps.back().extent;
  i64 all = bytes_of(a.type);
  for (const Ref extent : a.shape) all = times(all, known(extent));
  if (all <= machine.l2_bytes || last < 2 * line || last > 16 * line || last % line != 0 || !read_of(c.a, c.steps.back().axis).unit) return "";
  std::size_t outer = c.steps.size() - 1;
  while (outer-- > 0)
    if (c.steps[outer].extent != 1) break;
  const bool far = outer < c.steps.size() && c.steps[outer].extent > 1 && mentions(c.a, c.steps[outer].axis) && !mentions(c.a, s.vector_axis);
  return far ? c.steps[outer].loop : "";
}
// The loop that threads share: blocks of the reduction where nothing before them keeps all busy.
inline std::string tasks_of(const Roles& c, std::vector<Shared> candidates, const Machine& machine) {
  const std::string tasks = shared_loop(candidates, machine.cores);
  if (c.blocks.empty()) return tasks;
  candidates.insert(candidates.begin(), {c.blocks[0], c.parts});
  return shared_loop(candidates, machine.cores) == c.blocks[0] ? c.blocks[0] : tasks;
}

//   rows outside:     batch, blocks, [k.0], rows of A, i.0, columns of B, j.0, k, i.1 unrolled, j.1 vectorized
//   columns outside:  batch, blocks, [k.0], columns of B, j.0, [k.0], rows of A, i.0, k, i.1 unrolled, j.1 vectorized
// Of B, what the loops inside the pack's place read is copied there, panel by panel.
inline void tiled(nest::Trace& trace, Writer& w, const nest::Stage& stage, const Roles& c, const Shape& s, const GemmTile& t,
                  const Machine& machine, const nest::Nest& nest, bool packs, int bytes) {
  const std::string &i = c.i, &j = c.j;
  w.split(i, {t.mr}, tail_for(c.m, t.mr));
  w.split(j, {t.nr}, tail_for(c.n, t.nr));
  Depths depths = depths_of(w, c, t, machine, packs, bytes);
  const bool single = c.steps.size() == 1;
  std::string ahead = pieces_ahead(c, s, machine, nest);
  for (const std::vector<std::string>* list : {&depths.outside, &depths.inside})
    if (ahead == c.steps.back().loop || std::find(list->begin(), list->end(), ahead + ".0") != list->end()) ahead.clear();
  if (!ahead.empty()) {
    constexpr i64 line = 64;
    w.split(depths.inside.back(), {line / bytes_of(nest.program.tensor_of(c.a).type)}, Tail::mask);
    const std::string last = depths.inside.back();
    depths.inside.back() = last + ".0";
    depths.inside.push_back(last + ".1");
  }
  std::vector<std::string> order;
  std::vector<Shared> candidates;
  const auto axes = [&](const std::vector<Ref>& list) {
    for (const Ref axis : list) {
      order.push_back(loop_name(stage, axis));
      candidates.push_back({order.back(), known(extent_of(axis))});
    }
  };
  const auto tiles = [&](const std::string& loop, i64 extent, i64 size) {
    order.push_back(loop + ".0");
    candidates.push_back({order.back(), extent < 0 ? -1 : (extent + size - 1) / size});
  };
  axes(c.batch);
  order.insert(order.end(), c.blocks.begin(), c.blocks.end());
  std::string place;  // of the copy
  const auto blocks_of_k = [&] {
    order.insert(order.end(), depths.outside.begin(), depths.outside.end());
    if (!order.empty()) place = order.back();
  };
  if (t.rows_outside) {
    blocks_of_k();
    axes(c.rows);
    tiles(i, c.m, t.mr);
    axes(c.columns);
    tiles(j, c.n, t.nr);
  } else {
    if (single) blocks_of_k();
    axes(c.columns);
    tiles(j, c.n, t.nr);
    if (!single) blocks_of_k();
    axes(c.rows);
    tiles(i, c.m, t.mr);
  }
  order.insert(order.end(), depths.inside.begin(), depths.inside.end());
  order.push_back(i + ".1");
  order.push_back(j + ".1");
  w.add("reorder", order);
  w.add("vectorize", {j + ".1"});
  w.add("unroll", {i + ".1"});
  if (depths.inside.back() == c.steps.back().loop && slides(c, s)) w.add("unroll", {depths.inside.back()});
  if (!ahead.empty()) {
    nest::Directive& d = w.add("prefetch", {ahead});
    d.tensor = nest.names[c.a->src[0]->arg];
    d.factors = {"1"};
  }
  std::string tasks;
  if (t.tasks) {
    tasks = tasks_of(c, candidates, machine);
    w.add("parallel", {tasks});
  }
  if (!packs) return;
  w.add("pack", place.empty() ? std::vector<std::string>{} : std::vector<std::string>{place}).tensor = c.tensor;
  const auto at = [&](const std::string& loop) { return std::find(order.begin(), order.end(), loop); };
  const std::string panels = j + ".0";
  if (t.tasks && (place.empty() || at(place) < at(tasks)) && (place.empty() || at(place) < at(panels)))
    Writer(trace, stage.name + "/" + c.tensor + ".pack").add("parallel", {panels});
}
}  // namespace detail_contraction

ORDO_INLINE bool contraction(nest::Trace& trace, Writer& w, const nest::Stage& stage, const ir::Definition& d, const Shape& s,
                             const Machine& machine, const nest::Nest& nest) {
  using namespace detail_contraction;
  Roles c;
  if (!collect(c, stage, d, s, nest)) return false;
  const bool turned = c.b != nullptr && !read_of(c.b, s.vector_axis).unit;
  const bool free = ReduceView(first_of(d.value, Op::Reduce)).facts.free;
  const i64 words = machine.vector_bits / 32;
  if (machine.byte_dots && free && !turned && !s.in_time && c.packs && c.straight && c.steps.size() == 1 && c.blocks.empty() &&
      of_bytes(nest.program, c.a) && of_bytes(nest.program, c.b) && (c.n < 0 || c.n >= words) &&
      (c.steps[0].extent < 0 || c.steps[0].extent >= 16))
    return four_bytes(trace, w, stage, c, words, !small(s)), true;
  if (turned && free) return false;  // runs along k are summed side by side
  Product p;
  p.bytes = bytes_of(compute_type(nest.program.tensors[static_cast<std::size_t>(d.tensor)].type));
  p.m = c.m;
  p.n = c.n;
  p.k = 1;
  for (const Step& step : c.steps) p.k = times(p.k, step.extent);
  p.row_stride = row_stride(nest.program, c, s.row_axis);
  p.outer_rows = extents(c.rows);
  p.outer_columns = extents(c.columns);
  p.turned = turned && c.packs;
  GemmTile t = gemm_tile(machine, p);
  if (const i64 batch = extents(c.batch); batch != 1) {
    const i64 work = times(times(times(batch, c.m), times(c.n, p.k)), times(p.outer_rows, p.outer_columns));
    t.tasks = work < 0 || work >= 1 << 19;
    if (!t.pack && t.nc == 0) t.rows_outside = true;  // C is written in long runs; threads share the batch
  }
  const bool single = c.steps.size() == 1, plain = c.batch.empty() && c.rows.empty() && c.columns.empty() && c.blocks.empty();
  if (c.steps.size() > 1 && t.pack && times(times(p.k, p.n), p.outer_columns) * p.bytes > machine.l2_bytes / 2)
    t.rows_outside = false;  // B by panels, each used by all rows while it is near
  if (s.in_time) {           // what is packed in each step is read but once
    t.pack = t.stream = false;
    t.nc = 0;
    t.tasks = t.tasks && !small(s);
  }
  if (!c.straight && !(turned && c.packs && t.pack))  // vectors put together from single elements: few of them, used by many rows
    t.nr = std::max<i64>(machine.vector_bits / 8 / p.bytes, 1);
  if (t.stream && single && c.straight && plain) return streamed(w, c, t), true;
  if (t.nc > 0 && single && c.packs && plain) return by_columns(trace, w, stage.name, c, t, turned), true;
  const bool panels = !turned && c.n == t.nr && c.b != nullptr && known(nest.program.tensor_of(c.b).shape.back()) == t.nr;  // as they are
  tiled(trace, w, stage, c, s, t, machine, nest, c.packs && t.pack && !panels, p.bytes);
  return true;
}
}  // namespace ordo::detail_auto
