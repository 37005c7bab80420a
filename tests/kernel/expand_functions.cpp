#include "ordo/ir/visit.hpp"
#include <cstring>
#include "kernel/lowered.hpp"
#include "ordo/interp/interp.hpp"

using namespace ordo;
using namespace lowered;

namespace {
ir::Program two_uses() {  // C(i) = exp(X(i)) + exp(X(i)) * log(exp(X(i)))
  made::Front f;
  const ir::Ref X = f.tensor("X", 1), C = f.tensor("C", 1), i = f.index("i"), x = f.at(X, {i});
  const ir::Ref e = f.b.unary(ir::Op::Exp, x);
  f.define(C, {i}, f.add(e, f.mul(f.b.unary(ir::Op::Exp, x), f.b.unary(ir::Op::Log, e))));
  return f.program({X}, {C});
}
}  // namespace

TEST_CASE("expand_functions: no function is left, one of equal operands is one expression, with the lanes of its operand") {
  const ir::Program program = two_uses();
  const plan::Plan plan = planned(program, {directive("split", {"i"}, {"4"}), directive("vectorize", {"i.1"})});
  const kernel::Kernel kernel = kernel::lower(plan, 0, {0, 0}, four_lanes());
  int functions = 0, wide_roundings = 0;
  ir::visit_once(kernel.body, [&](ir::Ref e) {
    functions += ir::is_function(e->op);
    wide_roundings += e->op == ir::Op::Cast && e->arg == static_cast<u64>(Type::f32) && e->lanes == 4;
  });
  CHECK(functions == 0);
  CHECK(wide_roundings % 2 == 0);  // of one exp and one log each time
  CHECK(wide_roundings > 0);
}
TEST_CASE("expand_functions: the kernel gives the bytes of the interpreter") {
  const ir::Program program = two_uses();
  for (const nest::Trace& trace : {nest::Trace{}, nest::Trace{directive("split", {"i"}, {"4"}), directive("vectorize", {"i.1"})}}) {
    const kernel::Kernel kernel = kernel::lower(planned(program, trace), 0, {0, 0}, four_lanes());
    std::vector<float> x = {-200, -3.25f, -0.0f, 1e-30f, 0.5f, 17, 88.5f, 90, -1, 2, 3}, have(x.size()), want(x.size());
    void* const data[] = {x.data(), have.data()};
    const i64 dims[] = {static_cast<i64>(x.size())};
    std::vector<i64> strides(2 * max_rank, 1);
    const kernel::Frame frame{data, dims, strides.data(), nullptr, nullptr};
    CHECK(kernel::walk(kernel, &frame) == 0);
    const Argument arguments[] = {{x.data(), Type::f32, 1, {dims[0]}, {1}}, {want.data(), Type::f32, 1, {dims[0]}, {1}}};
    interpret(program, arguments, 2);
    CHECK(std::memcmp(have.data(), want.data(), x.size() * sizeof(float)) == 0);
  }
}
