#pragma once
#include <algorithm>
#include <limits>
#include "ordo/ir/visit.hpp"
#include "ordo/metrics/known.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
namespace detail_known {
inline constexpr i64 most = (i64{1} << 40) - 1;  // of a Dim
// The largest factor or term that is a number; those of a sum or a product meet in arithmetic on it.
inline i64 largest_number(Ref e) {
  i64 n = 1;
  ir::visit_once(e, [&](Ref x) {
    const i64 v = x->op == ir::Op::Const ? static_cast<i64>(x->arg) : 1;
    n = std::max(n, v == std::numeric_limits<i64>::min() ? std::numeric_limits<i64>::max() : v < 0 ? -v : v);
    return true;
  });
  return n;
}
}  // namespace detail_known

ORDO_INLINE void Known::check(ir::Op o, Ref a, Ref b) const {
  if (o != ir::Op::Mul && o != ir::Op::Add) return;
  const i64 x = detail_known::largest_number(a), y = detail_known::largest_number(b);
  i64 both = 0;
  if (!(o == ir::Op::Mul ? __builtin_mul_overflow(x, y, &both) : __builtin_add_overflow(x, y, &both))) return;
  fail("metrics.size", at_, "figures of 2^63 or more cannot be counted",
       "  help: give smaller sizes; those of the program that are numbers count too");
}
ORDO_INLINE Known::Known(const nest::Nest& of, const std::vector<ir::KnownSize>& sizes, Where at)
    : nest(of), arena_(const_cast<ir::Arena&>(of.program.arena)), simple_(arena_), at_(at) {
  for (const ir::KnownSize& s : sizes) {
    std::vector<std::string> known;
    bool found = false;
    for (const ir::DimInfo& d : nest.program.dims) {
      known.push_back(d.name);
      if (s.raw != nullptr ? s.raw != d.origin : known.back() != s.name) continue;
      found = true;
      if (std::any_of(given_.begin(), given_.end(), [&](const ir::Replacement& r) { return r.from == d.node; }))
        fail("metrics.size", at, ("`" + known.back() + "` is given twice").c_str(), "  help: give each size once");
      given_.push_back({d.node, arena_.integer(s.value)});
    }
    const std::string name = s.raw != nullptr ? s.raw->name : s.name;
    if (!found) {
      const std::string near = nest::did_you_mean(name, known);
      const std::string help = !near.empty() ? near : known.empty() ? "all its sizes are numbers" : "its sizes are " + nest::listed(known);
      fail("metrics.size", at, ("`" + name + "` is no size of this program").c_str(), ("  help: " + help).c_str());
    }
    if (s.value < 0 || s.value > detail_known::most)
      fail("metrics.size", at, ("`" + name + "` cannot be " + std::to_string(s.value)).c_str(), "  help: a size is 0 to 2^40 - 1");
  }
}
ORDO_INLINE Ref Known::operator()(Ref size) {
  if (given_.empty()) return simple_(size);
  const Ref given = ir::substitute(arena_, size, given_.data(), given_.size());
  ir::visit_once(given, [&](Ref e) {
    if (e->count == 2) check(e->op, e->src[0], e->src[1]);
  });
  return simple_(given);
}
ORDO_INLINE Ref Known::least(Ref a, Ref b) { return a != b && ir::provably_less_equal(b, a) ? b : a; }

ORDO_INLINE double Share::value() const { return intensity(over, of); }
ORDO_INLINE double intensity(Ref over, Ref of) {
  if (constant(over) < 0 || constant(of) < 0) return std::numeric_limits<double>::quiet_NaN();
  return constant(of) == 0 ? 1 : static_cast<double>(constant(over)) / static_cast<double>(constant(of));
}
}  // namespace ordo::metrics
