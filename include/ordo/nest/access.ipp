#pragma once
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_access {
inline constexpr std::size_t most_accesses = 16;
struct Place {
  ir::Ref node;
  bool guarded, inside;
};

// Visits each node once for each place it is seen in: `visit(place)` says whether to go on below it.
template <class Visit>
void walk(ir::Ref value, const Visit& visit) {
  std::unordered_set<ir::Ref> seen[4];
  std::vector<Place> work{{value, false, false}};
  while (!work.empty()) {
    const Place p = work.back();
    work.pop_back();
    if (!seen[(p.guarded ? 1 : 0) + (p.inside ? 2 : 0)].insert(p.node).second) continue;
    visit(p);
    const ir::Ref e = p.node;
    if (e->op == ir::Op::Reduce) {
      const ir::ReduceView view(e);
      const bool skips = view.where()->op != ir::Op::Const;
      work.push_back({view.where(), p.guarded, true});
      for (u32 k = 0; k < view.facts.fields; ++k) {
        work.push_back({view.init(k), p.guarded, p.inside});
        work.push_back({view.step(k), p.guarded || skips, true});
        if (view.facts.merge) work.push_back({view.merged(k), true, true});      // one part alone is not merged
      }
      continue;
    }
    const bool chooses = e->op == ir::Op::Select || e->op == ir::Op::And || e->op == ir::Op::Or || e->op == ir::Op::Scan;
    const u32 always = e->op == ir::Op::Scan ? 2 : 0;  // a Scan reads its init only at the start
    for (u32 k = 0; k < e->count; ++k) work.push_back({e->src[k], p.guarded || (chooses && k != always), p.inside});
  }
}

inline void add_axes(std::vector<ir::Ref>& to, const std::vector<ir::Ref>& more) {
  for (const ir::Ref axis : more)
    if (std::find(to.begin(), to.end(), axis) == to.end()) to.push_back(axis);
}
inline bool same(const Access& a, const Access& b) {
  return a.load == b.load && a.guarded == b.guarded && a.inside == b.inside && a.axes == b.axes && a.at == b.at;
}

struct Read {
  ir::Ref load;
  bool guarded, inside;
};
inline std::vector<Read> reads(ir::Ref value) {
  std::vector<Read> found;
  walk(value, [&](const Place& p) {
    if (p.node->op == ir::Op::Load) found.push_back({p.node, p.guarded, p.inside});
  });
  return found;
}

// What an expression mentions, and whether it depends on data.
inline void mentioned(ir::Ref expression, std::vector<ir::Ref>& axes, bool& data) {
  ir::visit_once(expression, [&](ir::Ref e) {
    if (e->op == ir::Op::Axis) axes.push_back(e);
    data = data || e->op == ir::Op::Load || e->op == ir::Op::State || e->op == ir::Op::Field;
    return e->op != ir::Op::Axis;
  });
}

// What an axis of an inlined stage stands for in the terms of the stage that reads it: the axes that it mentions; the one that it is.
struct Term {
  std::vector<ir::Ref> axes;
  ir::Ref is = nullptr;
};
using Terms = std::unordered_map<ir::Ref, Term>;
inline ir::Ref plain_axis(ir::Ref index, const Terms* outer) {
  if (index->op != ir::Op::Axis || outer == nullptr) return index->op == ir::Op::Axis ? index : nullptr;
  const auto it = outer->find(index);
  return it == outer->end() ? index : it->second.is;
}

// An access of `load` by a definition: the axes its indices mention, in the terms of the stage that `outer` maps to.
inline Access in_terms(const Read& read, const Terms* outer) {
  Access access{read.load, read.guarded, read.inside, outer != nullptr, {}, {}, false};
  for (u32 k = 1; k < read.load->count; ++k) {
    std::vector<ir::Ref> axes;
    access.at.push_back(plain_axis(read.load->src[k], outer));
    mentioned(read.load->src[k], axes, access.gather);
    for (const ir::Ref axis : axes) {
      if (outer == nullptr)
        add_axes(access.axes, {axis});
      else if (const auto it = outer->find(axis); it != outer->end())
        add_axes(access.axes, it->second.axes);
      else
        add_axes(access.axes, {axis});
    }
  }
  std::sort(access.axes.begin(), access.axes.end());
  return access;
}

struct Search {
  const Nest& nest;
  int tensor;
  std::vector<Access> found = {};
  int budget = 4096;  // reads looked at; past it the tensor counts as read in many ways

  void add(const Access& access) {
    for (const Access& other : found)
      if (same(other, access)) return;
    found.push_back(access);
  }
  void visit(const ir::Definition& definition, const Terms* outer, bool guarded, bool inside, bool gather) {
    for (const Read& read : reads(definition.value)) {
      if (found.size() >= most_accesses) return;
      if (--budget < 0) return found.resize(most_accesses);
      const int number = static_cast<int>(read.load->src[0]->arg);
      const int producer = nest.program.tensors[static_cast<std::size_t>(number)].definition;
      const bool below = producer >= 0 && nest.stages[static_cast<std::size_t>(producer)].inlined;
      if (number != tensor && !below) continue;
      Access access = in_terms({read.load, read.guarded || guarded, read.inside || inside}, outer);
      access.gather = access.gather || gather;
      if (number == tensor) {
        add(access);
        continue;
      }
      const ir::Definition& next = nest.program.definitions[static_cast<std::size_t>(producer)];
      Terms terms;
      for (std::size_t k = 0; k < next.axes.size(); ++k) {
        Term& term = terms[next.axes[k]];
        term.is = plain_axis(read.load->src[k + 1], outer);
        bool data = false;
        std::vector<ir::Ref> own;
        mentioned(read.load->src[k + 1], own, data);
        for (const ir::Ref axis : own) {
          const auto it = outer == nullptr ? Terms::const_iterator() : outer->find(axis);
          if (outer == nullptr || it == outer->end())
            add_axes(term.axes, {axis});
          else
            add_axes(term.axes, it->second.axes);
        }
      }
      visit(next, &terms, access.guarded, access.inside, access.gather);
    }
  }
};
}  // namespace detail_access

ORDO_INLINE std::vector<Access> accesses(const Nest& nest, const Stage& stage, int tensor) {
  detail_access::Search search{nest, tensor};
  search.visit(definition_of(nest, stage), nullptr, false, false, false);
  return search.found;
}

ORDO_INLINE ir::Ref reduction_of(ir::Ref value) {
  return ir::first_of(value, ir::Op::Reduce);
}
ORDO_INLINE std::vector<int> reads_of(ir::Ref value) {
  std::vector<int> tensors;
  for (const detail_access::Read& read : detail_access::reads(value)) tensors.push_back(static_cast<int>(read.load->src[0]->arg));
  std::sort(tensors.begin(), tensors.end());
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  return tensors;
}
ORDO_INLINE const ir::Definition& definition_of(const Nest& nest, const Stage& stage) {
  return nest.program.definitions[static_cast<std::size_t>(stage.definition)];
}
ORDO_INLINE std::vector<int> reads_through(const Nest& nest, int stage) {
  std::vector<int> tensors;
  std::unordered_set<int> seen{stage};
  std::vector<int> work{stage};
  while (!work.empty()) {
    const Stage& s = nest.stages[static_cast<std::size_t>(work.back())];
    work.pop_back();
    for (const int tensor : reads_of(definition_of(nest, s).value)) {
      tensors.push_back(tensor);
      const int producer = nest.program.tensors[static_cast<std::size_t>(tensor)].definition;
      if (producer >= 0 && nest.stages[static_cast<std::size_t>(producer)].inlined && seen.insert(producer).second)
        work.push_back(producer);
    }
  }
  std::sort(tensors.begin(), tensors.end());
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  return tensors;
}
ORDO_INLINE std::vector<int> final_readers(const Nest& nest, int stage) {
  std::vector<int> found;
  std::unordered_set<int> seen{stage};
  std::vector<int> work{stage};
  while (!work.empty()) {
    const int number = work.back();
    work.pop_back();
    for (const int reader : nest.stages[static_cast<std::size_t>(number)].readers) {
      if (!seen.insert(reader).second) continue;
      (nest.stages[static_cast<std::size_t>(reader)].inlined ? work : found).push_back(reader);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}
ORDO_INLINE bool has_reduction(const Stage& stage) {
  for (const Loop& loop : stage.loops)
    if (loop.reduction && loop.consumed_by != Loop::given_back) return true;
  return false;
}
}  // namespace ordo::nest
