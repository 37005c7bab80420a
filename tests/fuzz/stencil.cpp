// Pipelines of stencils: each stage reads the one before at neighbouring, strided or dilated places, all of them in range, and some
// earlier one under a guard.
#include "fuzz/program.hpp"

namespace fuzz {
using namespace ordo;
using namespace ordo::ir;

// Places of one stage that the next reads: `by` of them apart, and from there on up to `reach` further.
struct Generator::Window { i64 by, reach; };

Ref Generator::tap(const Tensor& s, const std::vector<Axis>& axes, const std::vector<Window>& windows, Ref moved, std::size_t along) {
  std::vector<Ref> at;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    Ref i = windows[d].by == 1 ? axes[d].node : b_.binary(Op::Mul, axes[d].node, integer(windows[d].by));
    if (moved != nullptr && d == along) i = b_.binary(Op::Add, i, moved);
    else if (windows[d].reach > 0) i = b_.binary(Op::Add, i, integer(stencils_.between(0, windows[d].reach)));
    at.push_back(i);
  }
  return b_.load(s.node, at.data(), static_cast<int>(at.size()), {});
}

Ref Generator::neighbours(Type t, const std::vector<Axis>& axes, const std::vector<Window>& windows) {
  const Tensor& s = stages_.back();
  const std::size_t along = static_cast<std::size_t>(stencils_.below(static_cast<i64>(axes.size())));
  if (windows[along].reach > 0 && stencils_.chance(30)) {
    const Ref k = axis_of(stencils_.chance(70) ? Order::chain : Order::lanes, integer(windows[along].reach + 1));
    return b_.fold(Fold::sum, t, &k, 1, b_.binary(Op::Mul, tap(s, axes, windows, k, along), number(t)), nullptr, nullptr, {});
  }
  Ref all = tap(s, axes, windows, nullptr, 0);
  for (i64 more = stencils_.between(0, 3); more > 0; --more)
    all = b_.binary(stencils_.chance(70) ? Op::Add : Op::Mul, all, tap(s, axes, windows, nullptr, 0));
  if (!stencils_.chance(25)) return all;
  const Tensor& earlier = stencils_.of(stages_);           // the border is another value
  std::vector<Ref> at;
  for (const Axis& a : axes) at.push_back(b_.binary(Op::Add, a.node, integer(stencils_.between(-2, 1))));
  return b_.binary(Op::Add, all, otherwise(b_.load(earlier.node, at.data(), static_cast<int>(at.size()), {}), t));
}

void Generator::stencils() {
  const std::size_t count = static_cast<std::size_t>(stencils_.between(2, 4)), rank = static_cast<std::size_t>(stencils_.between(1, 3));
  const Type t = compute();
  std::vector<std::vector<Window>> windows(count, std::vector<Window>(rank));
  std::vector<std::vector<Ref>> extents(count, std::vector<Ref>(rank));
  for (std::size_t d = 0; d < rank; ++d) extents[count - 1][d] = extent();
  for (std::size_t k = count - 1; k-- > 0;)
    for (std::size_t d = 0; d < rank; ++d) {
      Window& w = windows[k + 1][d];
      w = {stencils_.chance(80) ? 1 : stencils_.between(2, 3), stencils_.chance(40) ? 0 : stencils_.between(1, 4)};
      const Ref e = extents[k + 1][d], strided = w.by == 1 ? e : b_.binary(Op::Mul, e, integer(w.by));
      extents[k][d] = w.reach == 0 ? strided : b_.binary(Op::Add, strided, integer(w.reach));
    }
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<Axis> axes;
    std::vector<Ref> at;
    for (std::size_t d = 0; d < rank; ++d) {
      axes.push_back({b_.axis(name("i").c_str(), Order::free, 1, 0, extents[k][d], {}), extents[k][d]});
      at.push_back(axes.back().node);
    }
    const Ref value = k == 0 ? expression(t, axes, 2) : neighbours(t, axes, windows[k]);
    const Type stored = storage(t);
    const Ref y = b_.tensor(name("Y").c_str(), stored, static_cast<int>(rank), nullptr, {});
    b_.define(b_.load(y, at.data(), static_cast<int>(rank), {}), value);
    stages_.push_back({y, stored, extents[k]});
  }
}
}  // namespace fuzz
