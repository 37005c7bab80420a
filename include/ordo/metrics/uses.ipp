#pragma once
#include "ordo/ir/visit.hpp"
#include "ordo/metrics/uses.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
namespace detail_uses {
struct Search {
  Known& known;
  int stage;
  std::vector<Use> found = {};
  int budget = 2048;  // reads looked at

  const nest::Nest& nest() const { return known.nest; }
  const nest::Stage& own() const { return nest().stages[static_cast<std::size_t>(stage)]; }
  Use fresh(int tensor) {
    const ir::TensorInfo& info = nest().program.tensors[static_cast<std::size_t>(tensor)];
    Use use{nest().names[static_cast<std::size_t>(tensor)], stage, tensor, {}, {}, {}, bytes_of(info.type)};
    for (const Ref extent : info.shape) use.shape.push_back(known(extent));
    if (info.definition < 0) return use;
    const nest::Placement& placed = nest().stages[static_cast<std::size_t>(info.definition)].placed;
    if (placed.stage < 0 || info.output) return use;
    const int stored = placed.stored.loop;  // a loop of the host, further out than its turn; or outside of all
    use.lives_in = placed.stage;
    use.lives_at = stored == nest::Storage::whole
                       ? -1
                       : nest().stages[static_cast<std::size_t>(placed.stage)].place(stored == nest::Storage::turn ? placed.turn : stored);
    return use;
  }
  bool joined(const Use& use) {
    for (Use& other : found) {
      if (other.tensor != use.tensor || other.written != use.written) continue;
      bool same = true;
      std::vector<i64> gap;
      for (std::size_t d = 0; d < use.index.size() && same; ++d) {
        const Ref a = other.index[d], b = use.index[d];
        const Ref apart = a == nullptr || b == nullptr ? nullptr : known.sub(b, a);
        same = a == b || (apart != nullptr && apart->op == ir::Op::Const);
        gap.push_back(a == b || !same ? 0 : static_cast<i64>(apart->arg));
      }
      if (!same) continue;
      for (std::size_t d = 0; d < gap.size(); ++d) {
        if (gap[d] < 0) other.index[d] = use.index[d];
        other.more[d] = gap[d] < 0 ? other.more[d] - gap[d] : std::max(other.more[d], gap[d]);
      }
      return true;
    }
    return false;
  }
  void visit(Ref value, const std::vector<ir::Replacement>& axes) {
    ir::Arena& arena = const_cast<ir::Arena&>(nest().program.arena);
    const auto here = [&](Ref e) { return axes.empty() ? e : ir::substitute(arena, e, axes.data(), axes.size()); };
    std::vector<Ref> loads;
    ir::visit_once(value, [&](Ref e) {
      if (e->op == ir::Op::Load) loads.push_back(e);
    });
    for (const Ref load : loads) {
      if (--budget < 0) return;
      const int tensor = static_cast<int>(load->src[0]->arg);
      const int producer = nest().program.tensors[static_cast<std::size_t>(tensor)].definition;
      std::vector<Ref> index;
      for (u32 k = 1; k < load->count; ++k) index.push_back(here(load->src[k]));
      if (producer >= 0 && nest().stages[static_cast<std::size_t>(producer)].inlined) {
        const ir::Definition& d = nest().program.definitions[static_cast<std::size_t>(producer)];
        std::vector<ir::Replacement> next;
        for (std::size_t k = 0; k < d.axes.size(); ++k) next.push_back({d.axes[k], index[k]});
        visit(d.value, next);
        continue;
      }
      Use use = fresh(tensor);
      for (const Ref e : index) use.index.push_back(ir::first_of(e, ir::Op::Load) != nullptr ? nullptr : e);
      use.more.assign(index.size(), 0);
      if (!joined(use)) found.push_back(use);
    }
  }
  void write() {
    const ir::Definition& d = nest::definition_of(nest(), own());
    Use use = fresh(d.tensor);
    use.written = true;
    use.index.assign(d.axes.begin(), d.axes.end());
    use.more.assign(d.axes.size(), 0);
    found.push_back(use);
  }
  void copies() {
    for (const nest::Pack& pack : own().packs) {
      const int place = pack.at < 0 ? -1 : own().place(pack.at);
      std::vector<Use> more;
      for (Use& use : found) {
        if (use.tensor != pack.tensor || use.written) continue;
        Use copy = use;
        copy.name = pack.name;
        copy.tensor = -1;
        copy.loops = pack.order;
        copy.lives_in = place < 0 ? -1 : stage;
        copy.lives_at = place;
        more.push_back(copy);
        use.by_copy = true;
        use.copied_at = place;
      }
      if (pack.options.constant) std::erase_if(found, [&](const Use& use) { return use.by_copy && use.tensor == pack.tensor; });
      found.insert(found.end(), more.begin(), more.end());
    }
  }
};
}  // namespace detail_uses

ORDO_INLINE std::vector<Use> uses_of(Known& known, int stage) {
  detail_uses::Search search{known, stage};
  search.visit(nest::definition_of(known.nest, search.own()).value, {});
  search.copies();
  search.write();
  return std::move(search.found);
}
ORDO_INLINE Ref footprint(Known& known, const Use& use, const Running& running) {
  Spans spans(known, running);
  Ref all = known.number(use.bytes);
  if (use.tensor < 0) {
    for (const int loop : use.loops) all = known.mul(all, spans.of_loop(use.stage, loop).count);
    return all;
  }
  for (std::size_t d = 0; d < use.index.size(); ++d) {
    const Span span = use.index[d] == nullptr ? Span{} : spans.of_index(use.stage, use.index[d]);
    if (!span) {
      all = known.mul(all, use.shape[d]);
      continue;
    }
    Ref elements = known.add(span.reach, known.number(use.more[d]));
    if (span.count != span.reach) elements = known.least(elements, known.mul(span.count, use.more[d] + 1));  // with gaps
    all = known.mul(all, known.least(elements, use.shape[d]));
  }
  return all;
}
}  // namespace ordo::metrics
