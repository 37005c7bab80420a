// Program: an immutable snapshot of definitions, in its own arena. Everything below the front works on it.
//
// Canonical form: axes are numbered by nesting and carry their extent; Extent, Inside, cut axes are gone; every size is
// an i64 expression over Dim nodes; a free dimension of an input is an implicit Dim ("X.0").
#pragma once
#include <vector>
#include "ordo/ir/arena.hpp"

namespace ordo::ir {
struct TensorInfo {
  const char* name;
  Type type;                     // as stored
  std::vector<Ref> shape;        // i64 expressions over Dims
  bool input;
  bool output;
  int definition;                // -1 for an input
  Ref node;                      // its Op::Tensor node
  const void* origin;            // the raw tensor it was copied from, or nullptr
};
struct Handle { const void* raw; Ref axis; };            // which axis of the definition a raw axis became
struct Definition {
  int tensor;
  std::vector<Ref> axes;         // left side: Axis nodes of level 0..rank-1, each with its extent
  Ref value;                     // compute type; storing narrows once. A recurrence: a Scan
  Where at;
  std::vector<Handle> handles;   // left and reduction axes
};
struct DimInfo {
  const char* name;
  Ref node;
  const void* origin;            // the raw Dim, or nullptr for an implicit one
  int argument, dimension;       // bound by this dimension of this argument (inputs, then outputs); -1: of one not listed
};
// Does a read take, of another tensor, the element at the very place that is being made: by the left axes, in their order?
inline bool reads_own_place(const Definition& d, Ref load) {
  if (load->count != d.axes.size() + 1) return false;
  for (std::size_t k = 0; k < d.axes.size(); ++k)
    if (load->src[k + 1] != d.axes[k]) return false;
  return true;
}
struct SizeCheck {               // two sizes that must agree at each call
  Ref left, right;
  const char* left_name;         // "C.1" or "extent of j"
  const char* right_name;
  Where at;
};
class Program {
 public:
  Arena arena;
  std::vector<TensorInfo> tensors;
  std::vector<Definition> definitions;   // in an order in which each reads only earlier ones (but for recurrences)
  std::vector<int> inputs, outputs;      // tensor numbers, in argument order
  std::vector<DimInfo> dims;
  std::vector<SizeCheck> checks;
  Where at;
  const TensorInfo& tensor_of(Ref load) const { return tensors[static_cast<std::size_t>(load->src[0]->arg)]; }
};

// The snapshot of raw tensors. With `open_arguments` (a schedule: its program may have more) every reachable tensor without
// definition is an input, in the order met, after those listed, and a Dim may be one that none of them binds. Codes:
// lang.undefined, lang.axis, lang.extent, lang.dim, lang.recurrence, lang.input, ...
Program snapshot(const Ref* inputs, int input_count, const Ref* outputs, int output_count, Where at, bool open_arguments = false);

// One reduction a definition: a reduction stays in its definition when it is the only one and mentions every left
// index; any other becomes a definition of its own over the indices that it mentions, named Y.sum, Y.max, Y.reduce2, ...
// Values are unchanged. Handles follow their reduction.
Program stages(const Program& program);

// A copy in another arena (what a Schedule or a Kernel owns).
Program copy(const Program& program);
Ref copy(Ref expression, Arena& to);     // memoised walk; keeps names

void verify(const Program& program);     // throws an internal error that names the broken rule
bool mentions(Ref expression, Ref node);
// Free axes of an expression: mentioned and not bound by a Reduce inside it, by ascending level.
std::vector<Ref> free_axes(Ref expression);
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/bound_names.ipp"
#include "ordo/ir/gather.ipp"
#include "ordo/ir/recurrence.ipp"
#include "ordo/ir/arguments.ipp"
#include "ordo/ir/collect.ipp"
#include "ordo/ir/extents.ipp"
#include "ordo/ir/translate.ipp"
#include "ordo/ir/snapshot.ipp"
#include "ordo/ir/copy.ipp"
#include "ordo/ir/stages.ipp"
#include "ordo/ir/verify.ipp"
#endif
