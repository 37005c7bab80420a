#pragma once
#include <string>
#include "ordo/lang/sort.hpp"

namespace ordo::lang {
namespace detail_sort {
using ir::Op;
// Element y, number n, stands before element x, number m.
inline ir::Ref precedes(ir::Ref y, ir::Ref n, ir::Ref x, ir::Ref m, bool descending) {
  const auto both = [](ir::Ref a, ir::Ref b) { return front().binary(ir::Op::And, a, b); };
  const auto either = [](ir::Ref a, ir::Ref b) { return front().binary(ir::Op::Or, a, b); };
  ir::Ref before = front().binary(descending ? Op::Gt : Op::Lt, y, x), equal = front().binary(ir::Op::Eq, y, x);
  if (is_float(x->type)) {
    const ir::Ref ny = front().unary(Op::IsNan, y), nx = front().unary(Op::IsNan, x);
    before = either(before, descending ? both(ny, front().unary(Op::Not, nx)) : both(nx, front().unary(Op::Not, ny)));
    equal = either(equal, both(ny, nx));
  }
  return either(before, both(equal, front().binary(ir::Op::Lt, n, m)));
}
}  // namespace detail_sort

ORDO_INLINE ir::Ref number_of_rank(Name name, ir::Ref axis, ir::Ref x, bool descending, ir::Ref rank) {
  const Axes k{Chain::wrap(axis)};
  ir::Ref outer[max_rank] = {};
  const int outers = outer_axes(&k, &x, 1, outer, (std::string("`") + name.text + "`").c_str(), name.at);
  const ir::Ref given = axis->count > 0 ? front().extent(axis, 0) : nullptr, one = front().constant(Type::i64, i64{1}, {});

  const ir::Ref element = fresh_index(axis, given);      // its extent is found as that of any axis
  const Stored ranks = open_table({(std::string(name.text) + ".rank").c_str(), name.at}, Type::i64, outer, outers, &element, 1);
  const ir::Ref before = detail_sort::precedes(x, axis, placed(k, x, &element), element, descending);
  const ir::Ref counted = front().fold(ir::Fold::sum, Type::i64, &axis, 1, one, before, nullptr, name.at);
  front().define(front().load(ranks.tensor, ranks.left, outers + 1, name.at), counted);

  bool own = rank->op == ir::Op::Axis && ir::axis_facts(rank).order == ir::Order::free && rank->count > 0;
  for (int d = 0; d < outers; ++d) own = own && outer[d] != rank;
  const ir::Ref place = own ? rank : fresh_index(axis, front().extent(ranks.tensor, outers));
  const Stored numbers = open_table({(std::string(name.text) + ".index").c_str(), name.at}, Type::i64, outer, outers, &place, 1);
  const ir::Ref here = front().binary(ir::Op::Eq, ranks.read(&axis, name.at), place);
  const ir::Ref found = front().fold(ir::Fold::sum, Type::i64, &axis, 1, front().binary(ir::Op::Add, axis, one), here, nullptr, name.at);
  front().define(front().load(numbers.tensor, numbers.left, outers + 1, name.at), front().binary(ir::Op::Sub, found, one));
  return numbers.read(&rank, name.at);
}
}  // namespace ordo::lang
