#pragma once
#include <string>
#include "ordo/interp/check.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::interp {
namespace detail_check {
inline int tensor_of(const ir::Program& p, int argument) {
  const std::size_t a = static_cast<std::size_t>(argument), inputs = p.inputs.size();
  return a < inputs ? p.inputs[a] : p.outputs[a - inputs];
}
inline std::string which(const ir::Program& p, int argument) {
  const char* role = static_cast<std::size_t>(argument) < p.inputs.size() ? "input `" : "output `";
  return std::string(role) + p.tensors[static_cast<std::size_t>(tensor_of(p, argument))].name + "`";
}
[[noreturn]] inline void stop(const char* code, Where at, const std::string& text) { fail(code, at, text.c_str()); }

inline void check_kind(const ir::Program& p, int argument, const Argument& is, Where at) {
  const ir::TensorInfo& t = p.tensors[static_cast<std::size_t>(tensor_of(p, argument))];
  const int rank = static_cast<int>(t.shape.size());
  if (is.rank != rank)
    stop("run.rank", at, which(p, argument) + " is given with rank " + std::to_string(is.rank) + "; its rank is " + std::to_string(rank));
  if (is.type != t.type)
    stop("run.type", at, which(p, argument) + " is given with elements of " + name_of(is.type) + "; its elements are " + name_of(t.type));
  for (int d = 0; d < rank; ++d)
    if (is.shape[d] < 0)
      stop("run.shape", at,
           "dimension " + std::to_string(d) + " of " + which(p, argument) + " is " + std::to_string(is.shape[d]) +
               "; an extent is not negative");
}
inline void check_shape(const ir::Program& p, int argument, const Argument& is, const i64* dims, Where at) {
  const ir::TensorInfo& t = p.tensors[static_cast<std::size_t>(tensor_of(p, argument))];
  bool empty = false;
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    const i64 want = ir::evaluate(t.shape[d], dims);
    if (is.shape[d] != want)
      stop("run.shape", at,
           "dimension " + std::to_string(d) + " of " + which(p, argument) + " is " + std::to_string(is.shape[d]) + "; it must be " +
               std::to_string(want));
    empty = empty || want == 0;
  }
  if (!empty && is.data == nullptr) stop("run.null", at, which(p, argument) + " has elements, but its pointer is null");
}
}  // namespace detail_check

ORDO_INLINE std::vector<i64> check(const ir::Program& program, const Argument* arguments, int count, Where at) {
  const int takes = static_cast<int>(program.inputs.size() + program.outputs.size());
  if (count != takes)
    detail_check::stop("run.count", at, "the program takes " + std::to_string(takes) + " arguments, not " + std::to_string(count));
  for (int a = 0; a < count; ++a) detail_check::check_kind(program, a, arguments[a], at);
  std::vector<i64> dims;
  for (const ir::DimInfo& d : program.dims) dims.push_back(arguments[d.argument].shape[d.dimension]);
  for (int a = 0; a < count; ++a) detail_check::check_shape(program, a, arguments[a], dims.data(), at);
  for (const ir::SizeCheck& c : program.checks) {
    const i64 left = ir::evaluate(c.left, dims.data()), right = ir::evaluate(c.right, dims.data());
    if (left != right)
      detail_check::stop(
          "run.size", at,
          std::string(c.left_name) + " and " + c.right_name + " must be equal: " + std::to_string(left) + " and " + std::to_string(right));
  }
  return dims;
}
}  // namespace ordo::interp
