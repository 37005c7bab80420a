#pragma once
#include "ordo/ir/draft.hpp"
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/text.hpp"

namespace ordo::ir {
namespace detail_extents {
inline std::string quoted(Ref named) { return std::string("`") + named->name + "`"; }
inline bool is_cut(Ref axis) {
  const Order order = axis_facts(axis).order;
  return order == Order::cut_outer || order == Order::cut_inner;
}
inline const char* class_name(Ref axis) {
  switch (axis_facts(axis).order) {
    case Order::free:
      return "Index ";
    case Order::scan:
      return "Scan ";
    case Order::lanes:
      return "Lanes<L> ";
    case Order::blocks:
      return "Blocks<B> ";
    case Order::any:
      return "AnyOrder ";
    case Order::chain:
    case Order::cut_outer:
    case Order::cut_inner:
      return "Chain ";
  }
  return "";
}
inline bool never_equal(Ref a, Ref b) {
  Form difference;
  collect(a, 1, difference);
  collect(b, -1, difference);
  return difference.live() == 0 && difference.constant != 0;
}
inline bool is_arithmetic(Ref e) {
  const OpClass group = class_of(e->op);
  return (group == OpClass::unary || group == OpClass::binary || group == OpClass::ternary || group == OpClass::compare) &&
         e->op != Op::Unfused;
}
}  // namespace detail_extents

ORDO_INLINE Ref Draft::shape_of(Ref raw_tensor, u32 dimension) {
  const int* number = number_of_raw.find(raw_tensor);
  return number == nullptr ? nullptr : program.tensors[static_cast<std::size_t>(*number)].shape[dimension];
}

ORDO_INLINE Ref Draft::size_leaf(DraftDefinition* d, Ref raw, bool* unknown, Where at) {
  Ref known = nullptr;
  switch (raw->op) {
    case Op::Const:
      return program.arena.make(Op::Const, raw->type, nullptr, 0, raw->arg);
    case Op::Dim:
      if (Ref* bound = dims.find(raw)) return *bound;
      if (open_dims) return dims.insert(raw, add_dim(unique(raw->name, "N"), raw, -1, 0));
      fail("lang.dim", at, ("no argument binds the size " + detail_extents::quoted(raw)).c_str(),
           ("  help: declare a dimension of an input or output as " + std::string(raw->name) + " alone").c_str());
    case Op::Extent:
      if (raw->src[0]->op == Op::Tensor)
        known = shape_of(raw->src[0], static_cast<u32>(raw->arg));
      else if (d != nullptr)
        known = extent_of_raw(*d, raw->src[0], at);
      if (known == nullptr) *unknown = true;
      return known != nullptr ? known : program.arena.integer(0);
    default:
      fail("lang.dim", at, (std::string("a size is made of Dims, extents and numbers, and this one holds a ") + name_of(raw->op)).c_str());
  }
}

ORDO_INLINE Ref Draft::size(DraftDefinition* d, Ref raw, Where at) {
  RefMap<Ref> made;
  bool unknown = false;
  post_order(
      raw, [&](Ref e) { return made.find(e) != nullptr || e->op == Op::Tensor || (e->op == Op::Axis && e != raw); },
      [&](Ref e) {
        if (!detail_extents::is_arithmetic(e)) {
          made.insert(e, size_leaf(d, e, &unknown, at));
          return;
        }
        Ref sources[3] = {};
        for (u32 k = 0; k < e->count; ++k) {
          Ref* source = made.find(e->src[k]);
          sources[k] = source != nullptr ? *source : size_leaf(d, e->src[k], &unknown, at);
        }
        made.insert(e, program.arena.make(e->op, e->type, sources, e->count, e->arg));
      });
  if (unknown) return nullptr;
  const Ref result = simplify(program.arena, *made.find(raw));
  if (result->op == Op::Const && static_cast<i64>(result->arg) < 0)
    fail("lang.extent", at, ("a size is " + std::to_string(static_cast<i64>(result->arg)) + ": it is at least 0").c_str());
  return result;
}

ORDO_INLINE Ref Draft::extent_of_cut(Ref whole, Ref axis) {
  if (whole == nullptr) return nullptr;
  const i64 factor = static_cast<i64>(axis->src[1]->arg);
  if (axis_facts(axis).order == Order::cut_inner) return program.arena.integer(factor);
  const Ref padded = program.arena.make(Op::Add, Type::i64, {whole, program.arena.integer(factor - 1)});
  return simplify(program.arena, program.arena.make(Op::Div, Type::i64, {padded, program.arena.integer(factor)}));
}

ORDO_INLINE Ref Draft::extent_of_raw(DraftDefinition& d, Ref axis, Where at) {
  if (u32* known = d.axis_number.find(axis)) return d.axes[*known].extent;
  if (detail_extents::is_cut(axis)) return extent_of_cut(extent_of_raw(d, axis->src[0], at), axis);
  if (axis->count > 0) return size(&d, axis->src[0], axis->at);
  fail("lang.extent", at,
       ("the extent of " + detail_extents::quoted(axis) + " is asked for in the definition of " + detail_extents::quoted(d.tensor) +
        ", which does not run over it")
           .c_str(),
       ("  help: " + std::string(detail_extents::class_name(axis)) + axis->name + "{\"" + axis->name + "\", extent};").c_str());
}

// True when the extent is known now. The first of several equal sizes is taken, a constant before any other.
ORDO_INLINE bool Draft::resolve_axis(DraftDefinition& d, AxisUse& use) {
  if (detail_extents::is_cut(use.raw)) {
    use.from = "extent of " + std::string(use.raw->name);
    use.extent = extent_of_cut(extent_of_raw(d, use.raw->src[0], use.raw->at), use.raw);
    return use.extent != nullptr;
  }
  if (use.raw->count > 0) {
    use.extent = size(&d, use.raw->src[0], use.raw->at);
    use.from = "extent of " + std::string(use.raw->name);
    return use.extent != nullptr;
  }
  bool outside = false;
  for (const Direct& direct : use.direct) outside = outside || !direct.guarded;
  if (!outside && use.larger) return false;
  for (const Direct& direct : use.direct) {
    if (outside && direct.guarded) continue;
    const Ref known = shape_of(direct.tensor, direct.dimension);
    if (known == nullptr || (use.extent != nullptr && (use.extent->op == Op::Const || known->op != Op::Const))) continue;
    use.extent = known;
    use.from = dimension_name(direct.tensor, direct.dimension);
  }
  return use.extent != nullptr;
}

ORDO_INLINE void Draft::must_agree(Ref left, const std::string& left_name, Ref right, const std::string& right_name,
                                   const std::string& what, Where at) {
  if (provably_equal(left, right)) return;
  if (detail_extents::never_equal(left, right))
    fail("lang.extent", at, (what + " disagree: " + left_name + " is " + print(left) + ", " + right_name + " is " + print(right)).c_str());
  for (const SizeCheck& known : program.checks)
    if ((known.left == left && known.right == right) || (known.left == right && known.right == left)) return;
  program.checks.push_back({left, right, program.arena.intern(left_name.c_str()), program.arena.intern(right_name.c_str()), at});
}

ORDO_INLINE void Draft::check_axis(DraftDefinition& d, AxisUse& use) {
  const std::string what =
      "the extents of " + detail_extents::quoted(use.raw) + " in the definition of " + detail_extents::quoted(d.tensor);
  const bool given = use.raw->count > 0;
  bool outside = false;
  for (const Direct& direct : use.direct) outside = outside || !direct.guarded;
  for (const Direct& direct : use.direct) {
    if (outside && direct.guarded) continue;
    const bool defines = direct.tensor == d.tensor && has_shape(d.tensor) && d.raw->axes[direct.dimension] == use.raw;
    if (given && !defines) continue;
    const Ref size_of_it = shape_of(direct.tensor, direct.dimension);
    must_agree(use.extent, use.from, size_of_it, dimension_name(direct.tensor, direct.dimension), what, d.raw->at);
  }
}

// Shapes of a group may hang on each other's axes: turns over all of them, until nothing new is known.
ORDO_INLINE void Draft::resolve(const Group& group) {
  for (u32 member : group) {
    DraftDefinition& d = definitions[member];
    collect_axes(d);
    for (u32 k = 0; k < d.tensor->count; ++k)
      program.tensors[static_cast<std::size_t>(d.number)].shape[k] = size(&d, d.tensor->src[k], d.tensor->at);
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (u32 member : group) {
      DraftDefinition& d = definitions[member];
      for (AxisUse& use : d.axes) progress = (use.extent == nullptr && resolve_axis(d, use)) || progress;
      std::vector<Ref>& shape = program.tensors[static_cast<std::size_t>(d.number)].shape;
      for (u32 k = 0; k < shape.size(); ++k)
        if (shape[k] == nullptr) {
          const Ref declared = has_shape(d.tensor) ? size(&d, d.tensor->src[k], d.tensor->at) : extent_of_raw(d, d.raw->axes[k], d.raw->at);
          shape[k] = declared;
          progress = progress || declared != nullptr;
        }
    }
  }
  for (u32 member : group) {
    DraftDefinition& d = definitions[member];
    for (AxisUse& use : d.axes) {
      if (use.extent == nullptr) {
        const std::string axis = use.raw->name;
        fail("lang.extent", d.raw->at,
             ("the extent of `" + axis + "` in the definition of " + detail_extents::quoted(d.tensor) +
              " is unknown: no dimension is indexed by it alone" + (use.larger ? ", outside guards" : ""))
                 .c_str(),
             ("  help: " + std::string(detail_extents::class_name(use.raw)) + axis + "{\"" + axis + "\", extent};").c_str());
      }
    }
    for (AxisUse& use : d.axes) check_axis(d, use);
  }
}
}  // namespace ordo::ir
