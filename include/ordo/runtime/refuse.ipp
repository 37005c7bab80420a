#pragma once
#include <string>
#include "ordo/ir/text.hpp"
#include "ordo/runtime/refuse.hpp"

namespace ordo::runtime {
namespace detail_refuse {
inline std::string list(const i64* values, int count) {
  std::string text = "[";
  for (int k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + std::to_string(values[k]);
  return text + "]";
}
inline std::string name(const Checks& checks, int argument) {
  return std::string("`") + checks.declared[static_cast<std::size_t>(argument)].name + "`";
}
inline std::string which(const Checks& checks, int argument) {
  const bool output = argument >= checks.inputs;
  return (output ? "output " : "input ") + name(checks, argument);
}
inline const ir::TensorInfo& tensor(const Checks& checks, int argument) {
  const ir::Program& p = *checks.program;
  const int number = argument < checks.inputs ? p.inputs[static_cast<std::size_t>(argument)]
                                              : p.outputs[static_cast<std::size_t>(argument - checks.inputs)];
  return p.tensors[static_cast<std::size_t>(number)];
}
inline std::string declared(const Checks& checks, int argument) {      // "A: f32[M, K]"
  const ir::TensorInfo& t = tensor(checks, argument);
  std::string text = std::string(t.name) + ": " + name_of(t.type) + "[";
  for (std::size_t d = 0; d < t.shape.size(); ++d) text += (d == 0 ? "" : ", ") + ir::print(t.shape[d]);
  return text + "]";
}
inline std::string given(const Argument& is) {                         // "f32[4, 5], strides [5, 1]"
  return std::string(name_of(is.type)) + list(is.shape, is.rank) + ", strides " + list(is.stride, is.rank);
}
inline std::string bound(const Checks& checks, std::size_t dim) {      // "K is dimension 1 of `A`"
  const Binder& b = checks.binders[dim];
  return std::string(checks.program->dims[dim].name) + " is dimension " + std::to_string(b.dimension) + " of " + name(checks, b.argument);
}
inline void find_dims(ir::Ref at, std::string& seen, const Checks& checks, const i64* dims, std::string& text) {
  if (at->op == ir::Op::Dim) {
    const std::string mark = std::to_string(at->arg) + ";";
    if (seen.find(";" + mark) != std::string::npos) return;
    seen += mark;
    text += "\n  where " + bound(checks, at->arg) + ": " + std::to_string(dims[at->arg]);
  }
  for (u32 k = 0; k < at->count; ++k) find_dims(at->src[k], seen, checks, dims, text);
}
inline std::string where_from(const Checks& checks, const i64* dims, std::initializer_list<ir::Ref> sizes) {
  std::string seen = ";", text;
  for (const ir::Ref s : sizes) find_dims(s, seen, checks, dims, text);
  return text.empty() ? text : text.substr(1);
}
inline std::string value_of(ir::Ref size, const i64* dims) {           // "K = 4", "7"
  const std::string value = std::to_string(Size(size)(dims));
  return size->op == ir::Op::Const ? value : ir::print(size) + " = " + value;
}
[[noreturn]] inline void stop(const char* code, Where at, const std::string& text, const std::string& more = "") {
  fail(code, at, text.c_str(), more.c_str());
}
}  // namespace detail_refuse

ORDO_INLINE void refuse_count(const Checks& checks, int count, Where at) {
  std::string more;
  for (int a = 0; a < checks.count(); ++a)
    more += (a == 0 ? "  it takes " : ", ") + detail_refuse::name(checks, a);
  detail_refuse::stop("run.count", at, "the kernel takes " + std::to_string(checks.count()) + " arguments, not " + std::to_string(count),
                      more);
}
ORDO_INLINE void refuse_rank(const Checks& checks, int argument, const Argument& is, Where at) {
  detail_refuse::stop("run.rank", at,
                      detail_refuse::which(checks, argument) + " is given with rank " + std::to_string(is.rank) + "; its rank is " +
                          std::to_string(checks.declared[static_cast<std::size_t>(argument)].rank),
                      "  declared " + detail_refuse::declared(checks, argument));
}
ORDO_INLINE void refuse_type(const Checks& checks, int argument, const Argument& is, Where at) {
  detail_refuse::stop("run.type", at,
                      detail_refuse::which(checks, argument) + " is given with elements of " + name_of(is.type) + "; its elements are " +
                          name_of(checks.declared[static_cast<std::size_t>(argument)].type),
                      "  declared " + detail_refuse::declared(checks, argument));
}
ORDO_INLINE void refuse_extent(const Checks& checks, int argument, const Argument& is, int dimension, Where at) {
  const bool negative = is.shape[dimension] < 0;
  detail_refuse::stop(negative ? "run.shape" : "run.large", at,
                      "dimension " + std::to_string(dimension) + " of " + detail_refuse::which(checks, argument) + " is " +
                          std::to_string(is.shape[dimension]) +
                          (negative ? "; an extent is not negative" : "; an extent is less than 2^40"));
}
ORDO_INLINE void refuse_shape(const Checks& checks, const ShapeRule& rule, const Argument* arguments, const i64* dims, Where at) {
  const Argument& is = arguments[rule.argument];
  const ir::Ref size = rule.size.expression();
  detail_refuse::stop("run.shape", at,
                      "dimension " + std::to_string(rule.dimension) + " of " + detail_refuse::which(checks, rule.argument) + " is " +
                          std::to_string(is.shape[rule.dimension]) + "; it must be " + detail_refuse::value_of(size, dims),
                      detail_refuse::where_from(checks, dims, {size}));
}
ORDO_INLINE void refuse_size(const Checks& checks, const AgreeRule& rule, const i64* dims, Where at) {
  const ir::SizeCheck& c = checks.program->checks[rule.number];
  std::string more = detail_refuse::where_from(checks, dims, {c.left, c.right});
  if (c.at.line != 0) {
    const std::string file = c.at.file;
    more += (more.empty() ? "" : "\n") + std::string("  they must agree for the definition at ") + file.substr(file.find_last_of('/') + 1) +
            ":" + std::to_string(c.at.line);
  }
  detail_refuse::stop("run.size", at,
                      std::string(c.left_name) + " and " + c.right_name + " must be equal: " + std::to_string(rule.left(dims)) + " and " +
                          std::to_string(rule.right(dims)),
                      more);
}
ORDO_INLINE void refuse_large(const Checks& checks, int argument, const Argument& is, Where at) {
  detail_refuse::stop("run.large", at, detail_refuse::which(checks, argument) + " reaches past the address space",
                      "  given " + detail_refuse::given(is));
}
ORDO_INLINE void refuse_null(const Checks& checks, int argument, Where at) {
  detail_refuse::stop("run.null", at, detail_refuse::which(checks, argument) + " has elements, but its pointer is null");
}
ORDO_INLINE void refuse_alignment(const Checks& checks, int argument, Where at) {
  const Type type = checks.declared[static_cast<std::size_t>(argument)].type;
  detail_refuse::stop("run.align", at,
                      "the address of " + detail_refuse::which(checks, argument) + " is not a multiple of " +
                          std::to_string(bytes_of(type)) + ", the size of " + name_of(type));
}
ORDO_INLINE void refuse_promise(const Checks& checks, const PromiseRule& rule, const Argument& is, int dimension, Where at) {
  const std::string file = rule.promised.file != nullptr ? rule.promised.file : "";
  const std::string line =
      rule.promised.line == 0 ? "" : " at " + file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(rule.promised.line);
  const std::string what = dimension < 0 ? "the address" : "the distance along dimension " + std::to_string(dimension);
  detail_refuse::stop("run.promise", at,
                      what + " of " + detail_refuse::which(checks, rule.argument) + " is not a multiple of " + std::to_string(rule.bytes) +
                          " bytes, as the schedule promises",
                      "  promised by align" + line + "; given " + detail_refuse::given(is) +
                          "\n  help: memory that is aligned so, rows padded to such multiples; or a smaller promise");
}
ORDO_INLINE void refuse_self(const Checks& checks, int argument, const Argument& is, Where at) {
  detail_refuse::stop("run.alias", at, detail_refuse::which(checks, argument) + " has several elements at one place",
                      "  given " + detail_refuse::given(is));
}
ORDO_INLINE void refuse_alias(const Checks& checks, int argument, int output, const Argument* arguments, bool in_place, Where at) {
  std::string more;
  for (const int a : {argument, output})
    more += (a == argument ? "  " : "\n  ") + detail_refuse::name(checks, a) + " is " + detail_refuse::given(arguments[a]);
  if (in_place)
    more += "\n  help: these two may share memory when data, shape and strides are equal";
  else if (argument < checks.inputs)
    more += "\n  help: an output may share memory only with an input that is read nowhere but at the element being written";
  detail_refuse::stop("run.alias", at,
                      detail_refuse::which(checks, output) + " shares memory with " + detail_refuse::which(checks, argument), more);
}
ORDO_INLINE void refuse_parked(const Checks& checks, int argument, int output, Where at) {
  detail_refuse::stop("run.alias", at,
                      detail_refuse::which(checks, output) + " cannot take the place of " + detail_refuse::which(checks, argument) +
                          " under this schedule: it keeps unfinished values there",
                      "  help: pass another array, or let the loops of the reduction run inside those of the output's tile");
}
ORDO_INLINE void refuse_shifted(const Checks& checks, int argument, int output, Where at) {
  detail_refuse::stop("run.alias", at,
                      detail_refuse::which(checks, output) + " cannot take the place of " + detail_refuse::which(checks, argument) +
                          " under this schedule: a tile that Tail::shift_in moves would read what another has written",
                      "  help: pass another array, or split with Tail::mask");
}
ORDO_INLINE void refuse_range(const Checks& checks, const RangeRule& rule, const i64* dims, Where at) {
  const plan::Range& r = checks.plan->ranges[rule.number];
  const i64 low = rule.low.saturated(dims), high = rule.high.saturated(dims);
  std::string more;
  if (r.at.line != 0) {
    const std::string file = r.at.file;
    more = "  read at " + file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(r.at.line);
  }
  const std::string dims_text = detail_refuse::where_from(checks, dims, {r.low, r.high, r.extent});
  if (!dims_text.empty()) more += (more.empty() ? "" : "\n") + dims_text;
  detail_refuse::stop("run.index", at,
                      "index " + std::to_string(low < 0 ? low : high) + " of dimension " + std::to_string(r.dimension) + " of `" +
                          checks.program->tensors[static_cast<std::size_t>(r.tensor)].name + "` is out of range: its extent is " +
                          std::to_string(rule.extent(dims)),
                      more);
}
ORDO_INLINE void refuse_layout(const Checks& checks, int argument, const Argument& is, Where at) {
  detail_refuse::stop("run.layout", at,
                      detail_refuse::which(checks, argument) + " is not row-major, and the kernel was compiled with Layouts::fixed",
                      "  given " + detail_refuse::given(is) +
                          "\n  help: compile with Layouts::any, which makes a variant for each layout on its first use");
}
ORDO_INLINE void refuse_constant(const Checks& checks, int argument, Where at) {
  detail_refuse::stop("run.const", at, detail_refuse::which(checks, argument) + " is given as a view of constant elements");
}
}  // namespace ordo::runtime
