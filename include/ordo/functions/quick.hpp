// f32 functions by f64 arithmetic with some 44 good bits. They decide how a result is rounded unless it lies near the middle of two f32;
// then, and for unusual operands, it is that of the precise recipe. Ziv, "Fast evaluation of elementary mathematical functions with
// correctly rounded last bit", 1991. With and without fma the results are the same.
#pragma once
#include "ordo/functions/recipe.hpp"

namespace ordo::functions {
Value quick_exp(Value x);
Value looked_up_exp(Value x);  // where the target has fma and lookups
Value looked_up_log(Value x);
Value quick_log(Value x);
Value quick_tanh(Value x);
Value quick_erf(Value x);
Value quick_sin(Value x);
Value quick_cos(Value x);
Value quick_pow(Value x, Value y);
}  // namespace ordo::functions
#if !defined(ORDO_COMPILED)
#include "ordo/functions/quick.ipp"
#endif
