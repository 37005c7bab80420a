// Names, reads and definitions of raw expressions. Beside it: store (memory), operators (element-wise), reductions.
#pragma once
#include "ordo/base/argument.hpp"
#include "ordo/ir/builder.hpp"
#include "ordo/ir/checks.hpp"
#include "ordo/ir/store.hpp"

namespace ordo::ir {
namespace detail_builder {
using detail_checks::quoted;

inline void check_axis(const char* name, Order order, u32 lanes, u32 block, Where at) {
  if (order == Order::cut_outer || order == Order::cut_inner)
    fail("lang.axis", at, ("axis " + quoted(name) + ": parts of a cut are made by cut").c_str());
  const bool has_lanes = order == Order::lanes || order == Order::blocks;
  if (lanes == 0 || (lanes & (lanes - 1)) != 0 || (lanes > 1 && !has_lanes))
    fail("lang.axis", at,
         ("axis " + quoted(name) + " has " + std::to_string(lanes) + " lanes: the number of lanes is a power of two").c_str());
  if (order == Order::blocks && (block == 0 || block % lanes != 0))
    fail("lang.axis", at,
         ("axis " + quoted(name) + " has blocks of " + std::to_string(block) + " elements and " + std::to_string(lanes) + " lanes").c_str(),
         "  help: the lanes of Blocks<B, Lanes<L>> divide B");
}
inline std::string place(Ref tensor, int k) { return "index " + std::to_string(k) + " of " + quoted(tensor->name); }

inline void check_left(Ref load, Where at) {
  Ref tensor = load->src[0];
  for (u32 k = 1; k < load->count; ++k) {
    Ref index = load->src[k];
    const bool plain = index->op == Op::Axis && (axis_facts(index).order == Order::free || axis_facts(index).order == Order::scan);
    if (!plain)
      fail("lang.left", at,
           (place(tensor, static_cast<int>(k) - 1) + ", on the left of its definition, is no Index or Scan variable").c_str(),
           "  help: a definition sets all elements at once; choose among them on the right, with select");
    for (u32 j = 1; j < k; ++j)
      if (load->src[j] == index)
        fail("lang.left", at, (quoted(index->name) + " stands twice on the left of " + quoted(tensor->name)).c_str());
  }
}
inline std::string line_of(Where at) {
  std::string file = at.file;
  return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(at.line);
}
[[noreturn]] inline void fail_twice(Ref tensor, Where first, Where at) {
  fail("lang.twice", at, (quoted(tensor->name) + " is defined twice").c_str(),
       first.line == 0 ? "" : ("  first at " + line_of(first)).c_str());
}
}  // namespace detail_builder

ORDO_INLINE Ref Builder::dim(const char* name, Where at) { return make(Op::Dim, Type::i64, nullptr, 0, 0, name, at); }

ORDO_INLINE Ref Builder::axis(const char* name, Order order, u32 lanes, u32 block, Ref extent, Where at) {
  detail_builder::check_axis(name, order, lanes, block, at);
  AxisFacts facts;
  facts.order = order;
  facts.lanes = lanes;
  facts.block = order == Order::blocks ? block : 0;
  if (extent != nullptr) {
    detail_checks::check_integer(extent, "the extent of " + detail_builder::quoted(name), "lang.type", at);
    extent = cast(Type::i64, extent, at);
  }
  return make(Op::Axis, Type::i64, &extent, extent == nullptr ? 0 : 1, pack(facts), name, at);
}

ORDO_INLINE void Builder::cut(Ref chain, i64 factor, Ref* outer, Ref* inner, Where at) {
  const Order order = chain != nullptr && chain->op == Op::Axis ? axis_facts(chain).order : Order::free;
  if (order != Order::chain && order != Order::cut_outer && order != Order::cut_inner)
    fail("lang.axis", at, "cut makes two Chains of one Chain, and of nothing else", "  help: declare the axis as a Chain");
  if (factor < 1)
    fail("lang.axis", at,
         ("cut of " + detail_builder::quoted(chain->name) + " by " + std::to_string(factor) + ": the factor is at least 1").c_str());
  const Ref sources[] = {chain, make(Op::Const, Type::i64, nullptr, 0, static_cast<u64>(factor), "", at)};
  AxisFacts facts;
  facts.order = Order::cut_outer;
  *outer = make(Op::Axis, Type::i64, sources, 2, pack(facts), (std::string(chain->name) + "o").c_str(), at);
  facts.order = Order::cut_inner;
  *inner = make(Op::Axis, Type::i64, sources, 2, pack(facts), (std::string(chain->name) + "i").c_str(), at);
}

ORDO_INLINE Ref Builder::component(Ref axis, AxisPart part) {
  const AxisFacts facts = axis_facts(axis);
  const bool blocks = facts.order == Order::blocks, lanes = facts.order == Order::lanes || (blocks && facts.lanes > 1);
  const bool fits = part == AxisPart::whole || (part == AxisPart::lane && lanes) || (part == AxisPart::step && (lanes || blocks)) ||
                    (part == AxisPart::block && blocks);
  if (!fits) fail("lang.axis", axis->at, ("axis " + detail_builder::quoted(axis->name) + " has no such part").c_str());
  return make(Op::Component, Type::i64, &axis, 1, static_cast<u64>(part), axis->name, axis->at);
}

ORDO_INLINE Ref Builder::tensor(const char* name, Type type, int rank, const Ref* shape, Where at) {
  const std::string what = "tensor " + detail_builder::quoted(name);
  if (type == Type::none) fail("lang.type", at, (what + " has no element type").c_str());
  if (rank < 0 || rank > max_rank)
    fail("lang.rank", at, (what + " has " + std::to_string(rank) + " dimensions: at most " + std::to_string(max_rank)).c_str());
  Ref sizes[max_rank] = {};
  if (shape != nullptr)
    for (int d = 0; d < rank; ++d) {
      detail_checks::check_integer(shape[d], "dimension " + std::to_string(d) + " of " + detail_builder::quoted(name), "lang.type", at);
      sizes[d] = cast(Type::i64, shape[d], at);
    }
  auto* cell = new (detail_store::allocate(*store_, sizeof(detail_store::Cell))) detail_store::Cell{{nullptr}, rank};
  const u64 arg = static_cast<u64>(reinterpret_cast<std::uintptr_t>(cell));
  return make(Op::Tensor, type, sizes, shape == nullptr ? 0 : static_cast<u32>(rank), arg, name, at);
}

ORDO_INLINE Ref Builder::load(Ref tensor, const Ref* indices, int count, Where at) {
  if (tensor == nullptr || tensor->op != Op::Tensor) fail("lang.empty", at, "a read of a tensor that was not made");
  if (count != rank_of(tensor))
    fail("lang.index", at,
         (detail_builder::quoted(tensor->name) + " has rank " + std::to_string(rank_of(tensor)) + " and is read with " +
          std::to_string(count) + (count == 1 ? " index" : " indices"))
             .c_str());
  Ref sources[max_rank + 1] = {tensor};
  for (int k = 0; k < count; ++k) {
    detail_checks::check_integer(indices[k], detail_builder::place(tensor, k), "lang.index", at);
    sources[k + 1] = cast(Type::i64, indices[k], at);
  }
  return make(Op::Load, compute_type(tensor->type), sources, static_cast<u32>(count) + 1, 0, "", at);
}

ORDO_INLINE Ref Builder::extent(Ref axis_or_tensor, int dimension) {
  Ref of = axis_or_tensor;
  if (of->op == Op::Axis) {
    const Order order = axis_facts(of).order;
    if (order == Order::cut_inner) return of->src[1];
    if (order != Order::cut_outer && of->count > 0) return of->src[0];
    return make(Op::Extent, Type::i64, &of, 1, 0, "", of->at);
  }
  if (dimension < 0 || dimension >= rank_of(of))
    fail("lang.index", of->at,
         (detail_builder::quoted(of->name) + " has no dimension " + std::to_string(dimension) + ": its rank is " +
          std::to_string(rank_of(of)))
             .c_str());
  if (has_shape(of)) return of->src[dimension];
  return make(Op::Extent, Type::i64, &of, 1, static_cast<u64>(dimension), "", of->at);
}
ORDO_INLINE Ref Builder::inside(Ref load) {
  if (load == nullptr || load->op != Op::Load) fail("lang.empty", {}, "inside(...) takes a read of a tensor");
  return make(Op::Inside, Type::boolean, &load, 1, 0, "", load->at);
}

ORDO_INLINE Ref Builder::scan(Ref axis, Ref init, Ref value, Where at) {
  if (axis == nullptr || axis->op != Op::Axis || axis_facts(axis).order != Order::scan)
    fail("lang.recurrence", at, "scan runs along a Scan axis", "  help: declare the axis as a Scan");
  detail_checks::check_value(init, "`scan`", at);
  detail_checks::check_value(value, "`scan`", at);
  if (init->type != value->type)
    fail("lang.type", at,
         ("a scan starts from a " + std::string(ordo::name_of(init->type)) + " and goes on with a " + ordo::name_of(value->type)).c_str());
  const Ref sources[] = {axis, init, value};
  return make(Op::Scan, value->type, sources, 3, 0, "", at);
}

ORDO_INLINE void Builder::define(Ref load, Ref value) {
  if (load == nullptr || load->op != Op::Load) fail("lang.left", {}, "the left of a definition is no read of a tensor");
  const Where at = load->at;
  Ref tensor = load->src[0];
  detail_builder::check_left(load, at);
  if (value == nullptr || value->op != Op::Scan)
    detail_checks::check_value(value, "the definition of " + detail_builder::quoted(tensor->name), at);
  if (!stores(tensor->type, value->type)) {
    const std::string type = ordo::name_of(tensor->type);
    fail("lang.type", at,
         (detail_builder::quoted(tensor->name) + " holds " + type + " and is defined by a value of type " + ordo::name_of(value->type))
             .c_str(),
         ("  help: cast<" + type + ">(...)").c_str());
  }
  auto* made = new (detail_store::allocate(*store_, sizeof(RawDefinition))) RawDefinition{load->src + 1, value, at};
  const RawDefinition* none = nullptr;
  if (!detail_store::open_cell(tensor).definition.compare_exchange_strong(none, made, std::memory_order_acq_rel))
    detail_builder::fail_twice(tensor, none->at, at);
}
}  // namespace ordo::ir
