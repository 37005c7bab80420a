#pragma once
#include <string>
#include "ordo/lang/prefix.hpp"

namespace ordo::lang {
namespace detail_prefix {
using ir::Op;
inline ir::Ref number(i64 v) { return front().constant(Type::i64, v, {}); }
inline ir::Ref add(ir::Ref a, ir::Ref b) { return front().binary(Op::Add, a, b); }
inline ir::Ref sub(ir::Ref a, ir::Ref b) { return front().binary(Op::Sub, a, b); }
inline ir::Ref less(ir::Ref a, ir::Ref b) { return front().binary(Op::Lt, a, b); }
inline ir::Ref select(ir::Ref c, ir::Ref a, ir::Ref b) { return front().ternary(Op::Select, c, a, b); }
inline void define(const Stored& s, ir::Ref value, Where at) {
  front().define(front().load(s.tensor, s.left, s.outer + s.inner, at), value);
}

struct Making {
  Name name;
  ir::Ref axis;
  int fields;
  const ir::Ref *zero, *state, *step, *other, *merged;
  ir::Ref outer[max_rank];
  int outers;

  void open(Stored* table, const char* part, const ir::Ref* inner, int inners) const {
    const std::string text = std::string(name.text) + part;
    for (int f = 0; f < fields; ++f) table[f] = open_table({text.c_str(), name.at}, state[f]->type, outer, outers, inner, inners);
  }
  // The step of field f at a position, from the states read at `before`.
  ir::Ref stepped(int f, ir::Ref position, ir::Ref length, const Stored* table, const ir::Ref* before) const {
    ir::StandIn list[most_members + 1] = {{axis, position, length}};
    for (int g = 0; g < fields; ++g) list[g + 1] = {state[g], table[g].read(before, name.at)};
    return front().replace(step[f], list, static_cast<u32>(fields) + 1);
  }
  ir::Ref joined(int f, const ir::Ref* a, const ir::Ref* b) const {
    ir::StandIn list[2 * most_members];
    for (int g = 0; g < fields; ++g) list[g] = {state[g], a[g]}, list[fields + g] = {other[g], b[g]};
    return front().replace(merged[f], list, 2 * static_cast<u32>(fields));
  }
};
inline void over_chain(const Making& m, Prefixed& p) {
  const ir::Ref t = front().axis(m.axis->name, ir::Order::scan, 1, 0, m.axis->count > 0 ? front().extent(m.axis, 0) : nullptr, m.axis->at);
  const ir::Ref before = sub(t, number(1));
  m.open(p.state, "", &t, 1);
  for (int f = 0; f < m.fields; ++f)
    define(p.state[f], front().scan(t, m.zero[f], m.stepped(f, t, front().extent(t, 0), p.state, &before), m.name.at), m.name.at);
}
// local(b, s): block b alone. carry(b): all blocks before b, b > 0. The state of element e joins the two.
inline void over_blocks(const Making& m, i64 block, Prefixed& p) {
  const ir::Ref length = length_of(m.axis, m.step, m.fields), size = number(block);
  const std::string name = m.axis->name;
  if (length == nullptr)
    fail("lang.extent", m.name.at, ("the extent of `" + name + "` is not given, and no read outside guards shows it").c_str(),
         ("  help: Blocks<" + std::to_string(block) + "> " + name + "{\"" + name + "\", extent};").c_str());
  const ir::Ref blocks = front().binary(Op::Div, add(length, number(block - 1)), size);
  const auto axis = [&](const char* part, ir::Order order, ir::Ref extent) {
    return front().axis((name + part).c_str(), order, 1, 0, extent, m.axis->at);
  };
  Stored local[most_members], carry[most_members];
  ir::Ref carried[most_members], total[most_members];

  const ir::Ref inner[] = {axis(".block", ir::Order::free, blocks), axis(".step", ir::Order::scan, size)};
  const ir::Ref before[] = {inner[0], sub(inner[1], number(1))}, position = add(front().binary(Op::Mul, inner[0], size), inner[1]);
  m.open(local, ".local", inner, 2);
  for (int f = 0; f < m.fields; ++f) {
    const ir::Ref next = m.stepped(f, position, length, local, before), kept = local[f].read(before, m.name.at);
    define(local[f], front().scan(inner[1], m.zero[f], select(less(position, length), next, kept), m.name.at), m.name.at);
  }
  const ir::Ref c = axis(".carry", ir::Order::scan, blocks), last = sub(c, number(1)), end[] = {last, number(block - 1)};
  m.open(carry, ".carry", &c, 1);
  for (int f = 0; f < m.fields; ++f) carried[f] = carry[f].read(&last, m.name.at), total[f] = local[f].read(end, m.name.at);
  for (int f = 0; f < m.fields; ++f) {
    const ir::Ref value = select(less(number(1), c), m.joined(f, carried, total), select(less(number(0), c), total[f], m.zero[f]));
    define(carry[f], front().scan(c, m.zero[f], value, m.name.at), m.name.at);
  }
  const ir::Ref e = axis("", ir::Order::free, length);
  const ir::Ref place[] = {front().binary(Op::Div, e, size), front().binary(Op::Mod, e, size)};
  m.open(p.state, "", &e, 1);
  for (int f = 0; f < m.fields; ++f) carried[f] = carry[f].read(place, m.name.at), total[f] = local[f].read(place, m.name.at);
  for (int f = 0; f < m.fields; ++f)
    define(p.state[f], select(less(number(0), place[0]), m.joined(f, carried, total), total[f]), m.name.at);
}
}  // namespace detail_prefix

ORDO_INLINE ir::Ref sum_step(ir::Ref state, ir::Ref term, Where at) { return front().sum_step(state, term, at); }

ORDO_INLINE Prefixed prefix(Name name, ir::Ref axis, int fields, const ir::Ref* zero, const ir::Ref* state, const ir::Ref* step,
                            const ir::Ref* other, const ir::Ref* merged) {
  const ir::AxisFacts facts = ir::axis_facts(axis);
  detail_prefix::Making m{name, axis, fields, zero, state, step, other, merged, {}, 0};
  Prefixed p;
  ir::StandIn clean[most_members];      // which axes are mentioned, states aside
  ir::Ref all[2 * most_members];
  for (int f = 0; f < fields; ++f) clean[f] = {state[f], zero[f]};
  for (int f = 0; f < fields; ++f) {
    all[f] = zero[f];
    all[fields + f] = front().replace(step[f], clean, static_cast<u32>(fields));
    p.zero[f] = zero[f];
  }
  const Axes own{Chain::wrap(axis)};
  m.outers = outer_axes(&own, all, 2 * fields, m.outer, (std::string("`") + name.text + "`").c_str(), name.at);
  if (facts.order == ir::Order::blocks) detail_prefix::over_blocks(m, facts.block, p);
  else detail_prefix::over_chain(m, p);
  return p;
}
ORDO_INLINE ir::Ref Prefixed::exclusive(int field, ir::Ref position, Where where) const {
  const Stored& s = state[field];
  const ir::Ref e = front().axis("e", ir::Order::free, 1, 0, front().extent(s.tensor, s.outer), where);
  const std::string name = std::string(s.tensor->name) + ".exclusive";
  const Stored before = open_table({name.c_str(), where}, s.tensor->type, s.left, s.outer, &e, 1);
  const ir::Ref last = detail_prefix::sub(e, detail_prefix::number(1));
  const ir::Ref value = detail_prefix::select(detail_prefix::less(detail_prefix::number(0), e), s.read(&last, where), zero[field]);
  detail_prefix::define(before, value, where);
  return before.read(&position, where);
}
}  // namespace ordo::lang
