// Tensors with their elements, and the evaluation of one element after another.
//
// An element whose value would read out of range has no value: it carries its failure, and so does every element that
// reads it. Only a failure that reaches an output ends the call, so that elements nobody asks for may fail.
#pragma once
#include "ordo/base/argument.hpp"
#include "ordo/interp/code.hpp"

namespace ordo::interp {
struct Failure {
  u32 tensor;
  int dimension;
  i64 value;
  Where at;                      // of the read
};
struct Array {
  const u8* data = nullptr;
  Type type = Type::none;
  int rank = 0;
  i64 shape[max_rank] = {}, stride[max_rank] = {};       // in elements
  i64 elements = 0;
  int definition = -1;
  // Of a defined tensor, which is dense:
  std::vector<u8> own;
  std::vector<u32> failed;       // by element: 0, or a number of a failure; empty while there is none
  std::vector<u8> done;          // by element, while its recurrence runs; empty otherwise
};

class Machine {
 public:
  Machine(const ir::Program& program, const Argument* arguments, const i64* dims, Where at);
  void run();                    // all definitions
  const Array& array(int tensor) const { return arrays_[static_cast<std::size_t>(tensor)]; }
  const Failure& failure(u32 number) const { return failures_[number - 1]; }

 private:
  struct Recurring { u32 definition; int axis; };        // axis: dimension that the recurrence runs along, -1: none
  std::vector<std::vector<Recurring>> groups() const;    // in order of evaluation
  int scan_dimension(u32 definition, const std::vector<u32>& circle) const;
  void prepare(u32 definition);
  void evaluate_all(u32 definition);
  void evaluate_recurrence(const std::vector<Recurring>& members);
  void evaluate_slice(const Recurring& member, i64 t);
  void element(u32 definition, const i64* index);
  void demand(u32 definition, const i64* index);
  u64 before_first(u32 definition, const i64* index);

  void move_to(Code& code, const i64* index);
  void run_region(Code& code, u32 region);
  void compute(Code& code, u32 value);
  u64 read(Code& code, const Read& read);
  u64 fail(u32 number) { failed_ = number; return 0; }
  void reduce(Code& code, Reduction& r);
  void step(Code& code, Reduction& r, u64* accumulator, bool& present);
  void one_part(Code& code, Reduction& r);
  void many_parts(Code& code, Reduction& r);
  void join(Code& code, Reduction& r, std::size_t low, std::size_t high);
  void close_lanes(Code& code, Reduction& r, std::size_t groups, std::size_t lanes);
  void close_blocks(Code& code, Reduction& r, std::size_t groups, std::size_t blocks);

  const ir::Program& program_;
  const i64* dims_;
  Where at_;                     // of the call
  std::vector<Array> arrays_;    // by tensor
  std::vector<Code> codes_, inits_;      // by definition; inits_: of recurrences
  std::vector<Failure> failures_;
  u32 failed_ = 0;               // the failure of the element at hand
};
}  // namespace ordo::interp
#if !defined(ORDO_COMPILED)
#include "ordo/interp/evaluate.ipp"
#include "ordo/interp/reduce.ipp"
#include "ordo/interp/recurrence.ipp"
#endif
