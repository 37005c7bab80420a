#include <functional>
#include "ir/made.hpp"

using namespace made;

namespace {
Program product(Front& f) {
  const Ref A = f.tensor("A", 2), C = f.tensor("C", 1), i = f.index("i"), k = f.chain("k");
  f.define(C, {i}, f.sum({k}, f.at(A, {i, k})));
  return f.program({A}, {C});
}
// The rule that a changed program breaks.
std::string broken(const std::function<void(Program&)>& change) {
  Front f;
  Program p = product(f);
  change(p);
  try {
    verify(p);
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::internal);
    CHECK(std::string(error.code()) == "ir.verify");
    const std::string text = error.what(), rule = "breaks a rule of programs: ";
    const std::size_t from = text.find(rule) + rule.size();
    return text.substr(from, text.find('\n') - from);
  }
  return "";
}
}  // namespace

TEST_CASE("verify: a snapshot holds every rule") {
  CHECK(broken([](Program&) {}) == "");
}
TEST_CASE("verify: each planted fault is named by its rule") {
  const auto value = [](Program& p) -> Ref& { return p.definitions[0].value; };
  CHECK(broken([&](Program& p) { value(p) = p.arena.make(Op::Unfused, Type::f32, {value(p)}); }) ==
        "only operations of this level stand in a program, on scalars");
  CHECK(broken([&](Program& p) { value(p) = p.arena.constant(Type::f32, u64{1} << 32); }) ==
        "a constant fits its type; Dims, tensors and states are those of the program");
  CHECK(broken([&](Program& p) { value(p) = p.arena.make(Op::Axis, Type::i64, {}, 0, "i"); }) ==
        "an axis has one extent, a size over Dims, and an order with its lanes and blocks");
  CHECK(broken([&](Program& p) {
          value(p) = p.arena.make(Op::Add, Type::f32, {value(p), p.arena.integer(1)});
        }) == "an element-wise operation has operands of the types that it takes");
  CHECK(broken([&](Program& p) {
          value(p) = p.arena.make(Op::Load, Type::f32, {p.tensors[0].node, p.arena.integer(0)});
        }) == "a read has one i64 index a dimension and the compute type of its tensor");
  CHECK(broken([&](Program& p) { value(p) = p.arena.make(Op::Field, Type::f32, {value(p)->src[0]}, 1); }) ==
        "a reduction has the layout of ReduceView, one type a component, and a merge wherever there may be several accumulators");
  CHECK(broken([&](Program& p) {
          const Ref scan = p.arena.make(Op::Scan, Type::f32, {p.definitions[0].axes[0], value(p), value(p)});
          value(p) = scan;
        }) == "a scan is the whole right side, and its start and its value have one type");
  CHECK(broken([&](Program& p) { p.definitions[0].axes.clear(); }) ==
        "the left side has one Index or Scan axis a dimension, numbered from 0");
  CHECK(broken([&](Program& p) { value(p) = p.arena.integer(1); }) == "the tensor stores a value of this type");
  CHECK(broken([&](Program& p) {
          AxisFacts other;
          other.level = 4;
          const Ref axis = p.arena.make(Op::Axis, Type::i64, {p.arena.integer(3)}, pack(other), "j");
          value(p) = p.arena.make(Op::Load, Type::f32, {p.tensors[0].node, p.definitions[0].axes[0], axis});
        }) == "every axis on the right is bound by a reduction around it or stands on the left");
  CHECK(broken([&](Program& p) {
          value(p) = p.arena.make(Op::Add, Type::f32, {value(p), ReduceView(value(p)->src[0]).state(0)});
        }) == "axes and states are numbered by nesting, and a reduction mentions no state but its own");
  CHECK(broken([&](Program& p) { p.definitions[0].handles[0].axis = p.dims[0].node; }) == "a handle leads to an axis of its definition");
  CHECK(broken([&](Program& p) { p.dims[0].argument = 7; }) == "Dims are numbered in order, and each is bound by an argument or open");
  CHECK(broken([&](Program& p) { p.tensors[0].shape[0] = nullptr; }) == "shapes and checks are sizes over Dims");
  CHECK(broken([&](Program& p) { p.tensors[0].input = false; }) ==
        "a tensor is an input or has one definition; the lists of arguments agree");
  CHECK(broken([&](Program& p) {
          value(p) = p.arena.make(Op::Add, Type::f32,
                                  {value(p), p.arena.make(Op::Load, Type::f32, {p.tensors[1].node, p.definitions[0].axes[0]})});
        }) == "a definition reads earlier ones, but for recurrences");
}
