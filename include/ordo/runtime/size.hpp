// A size of the program, made ready for many evaluations: most are a number, a Dim or a linear form.
#pragma once
#include <vector>
#include "ordo/ir/node.hpp"

namespace ordo::runtime {
class Size {
 public:
  Size() = default;
  explicit Size(ir::Ref expression);     // i64 or bool over Dims; must outlive this
  ir::Ref expression() const { return expression_; }
  i64 operator()(const i64* dims) const {
    if (kind_ == Kind::constant) return constant_;
    if (kind_ == Kind::dim) return dims[dim_];
    return general(dims);
  }
  i64 saturated(const i64* dims) const;  // without wrapping

 private:
  enum class Kind : u8 { constant, dim, linear, general };
  struct Term { int dim; i64 coefficient; };
  i64 general(const i64* dims) const;
  Kind kind_ = Kind::constant;
  int dim_ = -1;
  i64 constant_ = 0;
  std::vector<Term> terms_;
  ir::Ref expression_ = nullptr;
};
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/size.ipp"
#endif
