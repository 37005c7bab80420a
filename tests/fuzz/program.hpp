// Random programs, written through ir::Builder as an importer would. Inputs are made to fit the accesses, so that every
// program is legal for every size; only a gather may find an index that is out of range.
#pragma once
#include <string>
#include <vector>
#include "fuzz/random.hpp"
#include "ordo/ir/builder.hpp"
#include "ordo/ir/program.hpp"

namespace fuzz {
class Generator {
 public:
  explicit Generator(u64 seed, int stencils = 15) : percent_(stencils), random_(seed), functions_(seed ^ 0xf17c), scatters_(seed ^ 0x5ca7), stencils_(seed ^ 0x57e4) {}
  ordo::ir::Program make();

 private:
  using Ref = ordo::ir::Ref;
  struct Axis { Ref node; Ref extent; };
  struct Tensor { Ref node; ordo::Type type; std::vector<Ref> shape; };
  Ref extent();
  Ref number(ordo::Type t);
  Ref leaf(ordo::Type t, const std::vector<Axis>& axes);
  Ref read(ordo::Type t, const std::vector<Axis>& axes);
  Ref input(ordo::Type t, const std::vector<Ref>& shape, const std::vector<Ref>& at);
  Ref otherwise(Ref load, ordo::Type t);
  Ref window(ordo::Type t, const std::vector<Axis>& axes);
  Ref divided(ordo::Type t, const std::vector<Axis>& axes);
  Ref gather(ordo::Type t, const std::vector<Axis>& axes);
  Ref read_stage(ordo::Type t, const std::vector<Axis>& axes);
  Ref destination(const std::vector<Axis>& axes, std::size_t left);
  Ref function(Ref x);
  Ref expression(ordo::Type t, const std::vector<Axis>& axes, int depth);
  Ref converted(ordo::Type t, const std::vector<Axis>& axes, int depth);
  Ref reinterpreted(ordo::Type t, const std::vector<Axis>& axes, int depth);
  Ref integers(ordo::Type t, const std::vector<Axis>& axes, int depth);
  Ref count(ordo::Type t, const std::vector<Axis>& axes);
  Ref special(ordo::Type t);
  Ref condition(const std::vector<Axis>& axes, int depth);
  Ref reduction(ordo::Type t, std::vector<Axis> axes);
  Ref pair_reduction(ordo::Type t, const std::vector<Axis>& axes, const std::vector<Ref>& over, bool merge);
  Ref mean_reduction(ordo::Type t, const std::vector<Axis>& axes, const std::vector<Ref>& over);
  Ref online_reduction(ordo::Type t, const std::vector<Axis>& axes, std::size_t left, const std::vector<Ref>& over);
  Ref extreme_reduction(ordo::Type t, const std::vector<Axis>& axes, const std::vector<Ref>& over);
  Ref axis_of(ordo::ir::Order order, Ref extent);
  void stage(bool last);
  void recurrence();
  struct Window;
  void stencils();
  Ref neighbours(ordo::Type t, const std::vector<Axis>& axes, const std::vector<Window>& windows);
  Ref tap(const Tensor& stage, const std::vector<Axis>& axes, const std::vector<Window>& windows, Ref moved, std::size_t along);
  Ref before(const Tensor& y, ordo::Type t, const std::vector<Axis>& axes, std::size_t time);
  Ref earlier(const Tensor& y, ordo::Type t, const std::vector<Axis>& axes, std::size_t time);
  Ref start(ordo::Type t, std::vector<Axis> axes, std::size_t time);
  ordo::Type compute();
  ordo::Type storage(ordo::Type t);
  Ref integer(i64 v) { return b_.constant(ordo::Type::i64, v, {}); }
  std::string name(const char* stem) { return stem + std::to_string(names_++); }

  const int percent_;            // of the programs that are pipelines of stencils
  Random random_;
  Random functions_, scatters_, stencils_;       // apart: what else a program is does not depend on them
  ordo::ir::Builder b_;
  int names_ = 0;
  std::vector<Ref> dims_;
  std::vector<Tensor> inputs_, stages_;
};
}  // namespace fuzz
