// The texts of wrong calls. Each function throws; argument numbers count from 0.
#pragma once
#include "ordo/runtime/check.hpp"

namespace ordo::runtime {
[[noreturn]] void refuse_count(const Checks& checks, int count, Where at);                                  // run.count
[[noreturn]] void refuse_rank(const Checks& checks, int argument, const Argument& is, Where at);            // run.rank
[[noreturn]] void refuse_type(const Checks& checks, int argument, const Argument& is, Where at);            // run.type
[[noreturn]] void refuse_extent(const Checks& checks, int argument, const Argument& is, int dimension, Where at);  // run.shape, run.large
[[noreturn]] void refuse_shape(const Checks& checks, const ShapeRule& rule, const Argument* arguments, const i64* dims,
                               Where at);                                                                   // run.shape
[[noreturn]] void refuse_size(const Checks& checks, const AgreeRule& rule, const i64* dims, Where at);      // run.size
[[noreturn]] void refuse_large(const Checks& checks, int argument, const Argument& is, Where at);           // run.large
[[noreturn]] void refuse_null(const Checks& checks, int argument, Where at);                                // run.null
[[noreturn]] void refuse_alignment(const Checks& checks, int argument, Where at);                           // run.align
[[noreturn]] void refuse_promise(const Checks& checks, const PromiseRule& rule, const Argument& is, int dimension,
                                 Where at);                                                                  // run.promise
[[noreturn]] void refuse_self(const Checks& checks, int argument, const Argument& is, Where at);            // run.alias
[[noreturn]] void refuse_alias(const Checks& checks, int argument, int output, const Argument* arguments, bool in_place,
                               Where at);                                                                    // run.alias
[[noreturn]] void refuse_parked(const Checks& checks, int argument, int output, Where at);                   // run.alias
[[noreturn]] void refuse_shifted(const Checks& checks, int argument, int output, Where at);                   // run.alias
[[noreturn]] void refuse_range(const Checks& checks, const RangeRule& rule, const i64* dims, Where at);     // run.index
[[noreturn]] void refuse_layout(const Checks& checks, int argument, const Argument& is, Where at);          // run.layout
[[noreturn]] void refuse_constant(const Checks& checks, int argument, Where at);                            // run.const
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/refuse.ipp"
#endif
