// Builds raw expression trees: what the typed front, importers, gradient and fuzzer call. Every call checks its
// operands at run time (codes lang.*) and costs the size of one node; nodes are not hash-consed here.
//
// A raw tensor or axis is a thing of its own, whatever its name. A raw Reduce makes fresh State nodes (unique arg).
// Nodes live as long as their store: a Builder owns one; `Builder::front()` writes to the process-wide store, each
// thread into its own block. A definition is one atomic write; nothing else ever changes.
#pragma once
#include "ordo/ir/node.hpp"

namespace ordo::ir {
struct RawDefinition {
  const Ref* axes;       // rank of them: distinct raw Index or Scan axes
  Ref value;
  Where at;
};
const RawDefinition* definition_of(Ref raw_tensor);      // nullptr for an input
int rank_of(Ref raw_tensor);
bool has_shape(Ref raw_tensor);                          // then source d is the extent of dimension d

struct StandIn {
  Ref name, by;          // an axis or a placeholder, and the expression that stands for it
  Ref extent = nullptr;  // what Extent(name) becomes
};

enum class Fold : u8 { sum, product, max, min, fmax, fmin, all_of, any_of };

struct Store;
class Builder {
 public:
  Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;
  ~Builder();
  static Builder& front();

  Ref constant(Type type, double value, Where at);       // one rounding to nearest even; lang.literal for an integer type
  Ref constant(Type type, i64 value, Where at);          // lang.literal when the type does not hold it exactly
  Ref constant(Type type, u64 value, Where at);
  Ref bits(Type type, u64 bits);                         // a constant by its bit pattern
  Ref dim(const char* name, Where at = {});
  Ref axis(const char* name, Order order, u32 lanes, u32 block, Ref extent_or_null, Where at);
  void cut(Ref chain, i64 factor, Ref* outer, Ref* inner, Where at);   // two Chains of one
  Ref component(Ref axis, AxisPart part);                // equal parts need not be one node: compare source and arg
  Ref tensor(const char* name, Type type, int rank, const Ref* shape_or_null, Where at);
  Ref load(Ref tensor, const Ref* indices, int count, Where at);       // type: compute_type of the element
  Ref extent(Ref axis_or_tensor, int dimension);
  Ref inside(Ref load);
  Ref op(Op op, const Ref* sources, int count, Where at = {});         // element-wise; the type follows from the operands
  Ref unary(Op o, Ref a, Where at = {}) { return op(o, &a, 1, at); }
  Ref binary(Op o, Ref a, Ref b, Where at = {}) { const Ref s[] = {a, b}; return op(o, s, 2, at); }
  Ref ternary(Op o, Ref a, Ref b, Ref c, Where at = {}) { const Ref s[] = {a, b, c}; return op(o, s, 3, at); }
  Ref cast(Type type, Ref a, Where at = {});             // to a storage type: a value of its compute type, narrowed once
  Ref bitcast(Type type, Ref a, Where at = {});
  Ref fold(Fold f, Type accumulator, const Ref* axes, int count, Ref term, Ref where_or_null, Ref from_or_null, Where at);
  Ref arg_extreme(bool max, const Ref* axes, int count, Ref value, Ref where_or_null, Where at);   // a Reduce: {value, index}
  // `state` and `other` are made by placeholder(); step[k] and merged[k] mention them. other/merged may be null.
  Ref placeholder(Type type);
  Ref reduce(const Ref* axes, int count, int fields, const Ref* init, const Ref* state, const Ref* step,
             const Ref* other, const Ref* merged, Ref where_or_null, Where at);
  Ref field(Ref reduce, int component);
  Ref scan(Ref axis, Ref init, Ref value, Where at);
  Ref sum_step(Ref state, Ref term, Where at);           // the next state of a sum: fma(x, y, state) when the term is x * y
  Ref replace(Ref root, const StandIn* list, u32 count);
  void define(Ref load, Ref value);                      // the load is the left side; codes lang.left, lang.twice, lang.type

 private:
  explicit Builder(Store* store) : store_(store), owned_(false) {}
  Ref make(Op op, Type type, const Ref* sources, u32 count, u64 arg, const char* name, Where at);
  Store* store_;
  bool owned_ = true;
};
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/store.ipp"
#include "ordo/ir/operators.ipp"
#include "ordo/ir/reductions.ipp"
#include "ordo/ir/replace.ipp"
#include "ordo/ir/builder.ipp"
#endif
