// The operations of every level: one list. Columns: enumerator, printed name, class.
//   leaf      no operand that is a value            unary binary ternary   element-wise, sources have the same lanes
//   compare   binary, result bool                   order     constructs that carry order or binding
//   memory    kernel level only                     statement kernel level only, no value
#pragma once
#include "ordo/base/types.hpp"

// Functions of the contract: a definition by other operations, in room `functions`, is what they mean to every target.
#define ORDO_FUNCTIONS(X)                                                                                        \
  X(Exp, "exp", unary) X(Exp2, "exp2", unary) X(Exp10, "exp10", unary) X(Expm1, "expm1", unary)                  \
  X(Log, "log", unary) X(Log2, "log2", unary) X(Log10, "log10", unary) X(Log1p, "log1p", unary)                  \
  X(Sin, "sin", unary) X(Cos, "cos", unary) X(Tan, "tan", unary) X(Sinpi, "sinpi", unary) X(Cospi, "cospi", unary) \
  X(Asin, "asin", unary) X(Acos, "acos", unary) X(Atan, "atan", unary)                                           \
  X(Sinh, "sinh", unary) X(Cosh, "cosh", unary) X(Tanh, "tanh", unary)                                           \
  X(Asinh, "asinh", unary) X(Acosh, "acosh", unary) X(Atanh, "atanh", unary)                                     \
  X(Erf, "erf", unary) X(Erfc, "erfc", unary) X(Cbrt, "cbrt", unary)                                             \
  X(Pow, "pow", binary) X(Atan2, "atan2", binary) X(Hypot, "hypot", binary)                                      \
  /* at most 2 ulp, f32 alone */                                                                                 \
  X(ApproxExp, "approx_exp", unary) X(ApproxLog, "approx_log", unary) X(ApproxTanh, "approx_tanh", unary)        \
  X(ApproxSigmoid, "approx_sigmoid", unary) X(ApproxErf, "approx_erf", unary) X(ApproxGelu, "approx_gelu", unary) \
  X(ApproxSin, "approx_sin", unary) X(ApproxCos, "approx_cos", unary)

#define ORDO_OPS(X)                                                                                              \
  X(Const, "const", leaf)          /* arg: the value's bits, zero-extended */                                    \
  X(Dim, "dim", leaf)              /* arg: number of the dim in its Program; i64 */                              \
  X(Axis, "axis", leaf)            /* arg: AxisFacts; source 0 (if any): extent; i64 */                          \
  X(Tensor, "tensor", leaf)        /* arg: number in its Program; a raw one: see builder.hpp */                  \
  X(State, "state", leaf)          /* a component of the accumulator: arg = component | level << 32 */           \
  X(Component, "component", leaf)  /* raw only: part arg (AxisPart) of a Lanes or Blocks axis; schedules only */    \
  X(Extent, "extent", leaf)        /* raw only: extent of an axis or of dimension arg of a tensor */             \
  X(Inside, "inside", leaf)        /* raw only: all indices of a Load are in range */                            \
  X(Load, "load", order)           /* tensor, indices... */                                                      \
  X(Reduce, "reduce", order)       /* see ReduceView; type none, read through Field */                           \
  X(Field, "field", order)         /* component arg of a Reduce */                                               \
  X(Scan, "scan", order)           /* axis, init, value: the whole right side of a recurrence */                 \
  X(Neg, "neg", unary) X(Abs, "abs", unary) X(Sqrt, "sqrt", unary) X(Not, "not", unary)                          \
  X(Floor, "floor", unary) X(Ceil, "ceil", unary) X(Trunc, "trunc", unary) X(Round, "round", unary)              \
  X(IsNan, "isnan", unary) X(Cast, "cast", unary) X(Bitcast, "bitcast", unary) X(Unfused, "unfused", unary)      \
  X(Add, "add", binary) X(Sub, "sub", binary) X(Mul, "mul", binary) X(Div, "div", binary) X(Mod, "mod", binary)  \
  X(FloorDiv, "floor_div", binary) X(FloorMod, "floor_mod", binary) X(Fmod, "fmod", binary)                      \
  X(Max, "maximum", binary) X(Min, "minimum", binary) X(Fmax, "fmax", binary) X(Fmin, "fmin", binary)            \
  X(Copysign, "copysign", binary) X(And, "and", binary) X(Or, "or", binary)                                      \
  X(BitAnd, "bit_and", binary) X(BitOr, "bit_or", binary) X(BitXor, "bit_xor", binary)                           \
  X(Shl, "shl", binary) X(Shr, "shr", binary)                                                                    \
  X(Lt, "lt", compare) X(Le, "le", compare) X(Gt, "gt", compare) X(Ge, "ge", compare)                            \
  X(Eq, "eq", compare) X(Ne, "ne", compare)                                                                      \
  X(Select, "select", ternary) X(Fma, "fma", ternary)                                                            \
  ORDO_FUNCTIONS(X)                                                                                              \
  /* Cast: arg is the Type named; the node has its compute type, so a cast to f16 is an f32 that holds an f16 */  \
  /* kernel level: an index is an address now; lanes > 1 only from here on */                                    \
  X(Var, "var", leaf)              /* a loop variable or a let: arg = unique number; i64 or the let's type */    \
  X(Stride, "stride", leaf)        /* arg = buffer << 8 | dimension: stride of an argument in elements; i64 */   \
  X(Ramp, "ramp", memory)          /* base + step * (0, 1, ... lanes - 1); sources base, step (i64 scalars) */   \
  X(Broadcast, "broadcast", memory) /* a scalar in every lane */                                                 \
  X(Lookup, "lookup", memory)      /* arg = Table (base/tables.hpp): the f32 at the low 5 bits of an i32 */       \
  X(Read, "read", memory)          /* arg = buffer; sources: offset in elements [, mask]; masked-off lanes 0 */  \
  X(Write, "write", statement)     /* arg = buffer; sources: offset, value [, mask] */                           \
  X(For, "for", statement)         /* arg = LoopMode; sources: var, begin, end, body; step 1; var is i64 */      \
  X(If, "if", statement)           /* condition, then [, else] */                                                \
  X(Let, "let", statement)         /* var, value, body */                                                        \
  X(Block, "block", statement)     /* statements in order */                                                     \
  X(Alloc, "alloc", statement)     /* arg = buffer, alive in the one source, the body */                         \
  X(Fail, "fail", statement)       /* arg = number of the failure, source: the offending value (i64) */            \
  X(Prefetch, "prefetch", statement) /* arg = buffer; source: offset in elements, not always inside */

namespace ordo::ir {
enum class Op : u8 {
#define ORDO_X(op, text, group) op,
  ORDO_OPS(ORDO_X)
#undef ORDO_X
};
enum class OpClass : u8 { leaf, unary, binary, ternary, compare, order, memory, statement };
constexpr const char* name_of(Op op) {
  constexpr const char* name[] = {
#define ORDO_X(op, text, group) text,
      ORDO_OPS(ORDO_X)
#undef ORDO_X
  };
  return name[static_cast<int>(op)];
}
constexpr OpClass class_of(Op op) {
  constexpr OpClass group_of[] = {
#define ORDO_X(op, text, group) OpClass::group,
      ORDO_OPS(ORDO_X)
#undef ORDO_X
  };
  return group_of[static_cast<int>(op)];
}
constexpr bool is_function(Op op) { return op >= Op::Exp && op <= Op::ApproxCos; }
constexpr bool is_approx(Op op) { return op >= Op::ApproxExp && op <= Op::ApproxCos; }
inline constexpr int op_count = 0
#define ORDO_X(op, text, group) + 1
    ORDO_OPS(ORDO_X)
#undef ORDO_X
    ;
}  // namespace ordo::ir
