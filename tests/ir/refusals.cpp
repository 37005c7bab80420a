// The whole text of every refusal of builder and snapshot.
#include "ir/made.hpp"

using namespace made;

namespace {
struct Small : Front {
  Ref A = tensor("A", 2), B = tensor("B", 1), C = tensor("C", 1), i = index("i"), j = index("j"), k = chain("k"), one = real(1);
  Ref s = b.placeholder(Type::f32);
  Ref reduce(Ref axis, Ref init, Ref state, Ref step) {
    return b.reduce(&axis, 1, 1, &init, &state, &step, nullptr, nullptr, nullptr, line(6));
  }
  Program of(const Refs& inputs) { return program(inputs, {C}); }
};
// What an action on fresh tensors is refused with.
template <class Action>
std::string says(Action action) {
  Small f;
  return refusal([&] { action(f); });
}
}  // namespace

TEST_CASE("refusal: lang.axis") {
  CHECK(says([](Small& f) { f.sum({f.i}, f.one); }) ==
        "error[lang.axis]: `sum` runs over `i`, which stands on the left of definitions\n"
        "  at model.cpp:6\n"
        "  help: declare it as a Chain, Lanes<L>, Blocks<B> or AnyOrder: the order is part of the value");
  CHECK(says([](Small& f) {
          f.sum({f.k, f.k}, f.one);
        }) ==
        "error[lang.axis]: `sum` runs over `k` twice\n"
        "  at model.cpp:6");
  CHECK(says([](Small& f) { f.sum({}, f.one); }) ==
        "error[lang.axis]: `sum` runs over no axis\n"
        "  at model.cpp:6");
  CHECK(says([](Small& f) {
          Ref o;
          Ref n;
          f.b.cut(f.k, 16, &o, &n, line(5));
          f.sum({o}, f.one);
        }) ==
        "error[lang.axis]: `sum` runs over `ko`, and not over the other part of `k`\n"
        "  at model.cpp:6\n"
        "  help: list both parts that cut gave");
  CHECK(says([](Small& f) {
          Ref o;
          Ref n;
          f.b.cut(f.k, 16, &o, &n, line(5));
          f.sum({f.k, o, n}, f.one);
        }) ==
        "error[lang.axis]: `sum` runs over `k` and over a part of it\n"
        "  at model.cpp:6");
  CHECK(says([](Small& f) {
          Ref o;
          Ref n;
          f.b.cut(f.i, 16, &o, &n, line(5));
        }) ==
        "error[lang.axis]: cut makes two Chains of one Chain, and of nothing else\n"
        "  at model.cpp:5\n"
        "  help: declare the axis as a Chain");
  CHECK(says([](Small& f) { f.b.axis("l", Order::lanes, 12, 0, nullptr, line(5)); }) ==
        "error[lang.axis]: axis `l` has 12 lanes: the number of lanes is a power of two\n"
        "  at model.cpp:5");
  CHECK(says([](Small& f) { f.b.axis("l", Order::blocks, 8, 12, nullptr, line(5)); }) ==
        "error[lang.axis]: axis `l` has blocks of 12 elements and 8 lanes\n"
        "  at model.cpp:5\n"
        "  help: the lanes of Blocks<B, Lanes<L>> divide B");
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.at(f.A, {f.i, f.k}));
          f.of({f.A});
        }) ==
        "error[lang.axis]: `k` stands outside a reduction over it in the definition of `C`\n"
        "  at model.cpp:7\n"
        "  help: sum(k, ...), or an Index on the left");
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.at(f.A, {f.i, f.j}));
          f.of({f.A});
        }) ==
        "error[lang.axis]: `j` stands on the right in the definition of `C`, and not on the left\n"
        "  at model.cpp:7\n"
        "  help: put it on the left, or reduce over a Chain named `j`");
}

TEST_CASE("refusal: lang.dim") {
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.add(f.at(f.B, {f.i}), f.b.cast(Type::f32, f.dim("N"))));
          f.of({f.B});
        }) ==
        "error[lang.dim]: no argument binds the size `N`\n"
        "  at model.cpp:1\n"
        "  help: declare a dimension of an input or output as N alone");
}

TEST_CASE("refusal: lang.empty") {
  CHECK(says([](Small& f) { f.add(nullptr, f.one); }) ==
        "error[lang.empty]: an operand of `+` is an expression without a value\n"
        "  at model.cpp:5\n"
        "  help: give the C++ variable a value before its use");
}

TEST_CASE("refusal: lang.extent") {
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.b.cast(Type::f32, f.dim("N")));
          f.of({});
        }) ==
        "error[lang.extent]: the extent of `i` in the definition of `C` is unknown: no dimension is indexed by it alone\n"
        "  at model.cpp:7\n"
        "  help: Index i{\"i\", extent};");
  CHECK(says([](Small& f) {
          Ref y = f.index("y");
          f.define(f.C, {y}, f.at(f.B, {f.add(y, f.number(1))}));
          f.of({f.B});
        }) ==
        "error[lang.extent]: the extent of `y` in the definition of `C` is unknown: no dimension is indexed by it alone, outside guards\n"
        "  at model.cpp:7\n"
        "  help: Index y{\"y\", extent};");
  CHECK(says([](Small& f) {
          Ref P = f.tensor("P", Refs{f.number(4)});
          Ref Q = f.tensor("Q", Refs{f.number(5)});
          f.define(f.C, {f.i}, f.add(f.at(P, {f.i}), f.at(Q, {f.i})));
          f.of({P, Q});
        }) ==
        "error[lang.extent]: the extents of `i` in the definition of `C` disagree: P.0 is 4, Q.0 is 5\n"
        "  at model.cpp:7");
}

TEST_CASE("refusal: lang.from") {
  CHECK(says([](Small& f) { f.fold(Fold::sum, {f.lanes("l", 4)}, f.one, nullptr, f.one); }) ==
        "error[lang.from]: `sum`.from(...) runs over Chains only: with more accumulators each would start from it\n"
        "  at model.cpp:6\n"
        "  help: add the value after the reduction, or declare Chains");
}

TEST_CASE("refusal: lang.index") {
  CHECK(says([](Small& f) { f.at(f.A, {f.i}); }) ==
        "error[lang.index]: `A` has rank 2 and is read with 1 index\n"
        "  at model.cpp:4");
  CHECK(says([](Small& f) { f.at(f.B, {f.one}); }) ==
        "error[lang.index]: index 0 of `B` is of type f32: an integer stands there\n"
        "  at model.cpp:4\n"
        "  help: cast<i64>(...)");
}

TEST_CASE("refusal: lang.input") {
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.at(f.B, {f.i}));
          f.of({f.B, f.C});
        }) ==
        "error[lang.input]: `C` is listed as an input and defined at line 7\n"
        "  at model.cpp:8\n"
        "  help: leave it out of the inputs, or define another tensor");
  CHECK(says([](Small& f) {
          f.of({f.B, f.B});
        }) ==
        "error[lang.input]: `B` is listed twice among the inputs\n"
        "  at model.cpp:8");
}

TEST_CASE("refusal: lang.left") {
  CHECK(says([](Small& f) { f.define(f.C, {f.k}, f.one); }) ==
        "error[lang.left]: index 0 of `C`, on the left of its definition, is no Index or Scan variable\n"
        "  at model.cpp:7\n"
        "  help: a definition sets all elements at once; choose among them on the right, with select");
  CHECK(says([](Small& f) {
          f.define(f.A, {f.i, f.i}, f.one);
        }) ==
        "error[lang.left]: `i` stands twice on the left of `A`\n"
        "  at model.cpp:7");
}

TEST_CASE("refusal: lang.merge") {
  CHECK(says([](Small& f) {
          Ref l = f.lanes("l", 4);
          Ref z = f.real(0);
          f.reduce(l, z, f.s, f.s);
        }) ==
        "error[lang.merge]: `reduce` over Lanes or Blocks has several accumulators and no merge\n"
        "  at model.cpp:6\n"
        "  help: reduce(axes, init, step, merge), or Chains");
}

TEST_CASE("refusal: lang.order") {
  CHECK(says([](Small& f) { f.sum({f.any("q")}, f.one); }) ==
        "error[lang.order]: the order of a sum of f32 decides its bits, and `q` is AnyOrder\n"
        "  at model.cpp:6\n"
        "  help: declare `q` as a Chain, Lanes<L> or Blocks<B>, or fold integers");
  CHECK(says([](Small& f) {
          Ref l = f.any("q");
          Ref z = f.real(0);
          f.reduce(l, z, f.s, f.s);
        }) ==
        "error[lang.order]: a step of `reduce` may depend on the order, and `q` is AnyOrder\n"
        "  at model.cpp:6\n"
        "  help: declare it as a Chain, Lanes<L> or Blocks<B>");
}

TEST_CASE("refusal: lang.rank") {
  CHECK(says([](Small& f) { f.tensor("T", 13); }) ==
        "error[lang.rank]: tensor `T` has 13 dimensions: at most 12\n"
        "  at model.cpp:3");
}

TEST_CASE("refusal: lang.recurrence") {
  CHECK(says([](Small& f) { f.add(f.b.scan(f.scan_axis("t"), f.one, f.one, line(5)), f.one); }) ==
        "error[lang.recurrence]: `scan` is an operand of `+`: it is the whole right side of a definition, or nothing\n"
        "  at model.cpp:5\n"
        "  help: define a tensor by the scan, and read that tensor here");
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.at(f.C, {f.sub(f.i, f.number(1))}));
          f.of({});
        }) ==
        "error[lang.recurrence]: `C` reads itself, and is no scan\n"
        "  at model.cpp:7\n"
        "  help: C(..., t) = scan(t, init, value);  with a Scan axis t");
  CHECK(says([](Small& f) {
          Ref t = f.scan_axis("t", f.number(4));
          f.define(f.C, {t}, f.b.scan(t, f.real(0), f.at(f.C, {f.add(t, f.number(1))}), line(7)));
          f.of({});
        }) ==
        "error[lang.recurrence]: `C` reads `C`, which is part of its recurrence, at a place that is no `t` - c\n"
        "  at model.cpp:4\n"
        "  help: c is a constant, at least 1 once around every cycle");
  CHECK(says([](Small& f) {
          Ref t = f.scan_axis("t", f.number(4));
          f.define(f.C, {t}, f.b.scan(t, f.real(0), f.at(f.C, {t}), line(7)));
          f.of({});
        }) ==
        "error[lang.recurrence]: `C` needs its own element: a cycle of the recurrence does not go back in `t`\n"
        "  at model.cpp:7\n"
        "  help: read one of its tensors at t - 1");
  CHECK(says([](Small& f) {
          Ref t = f.scan_axis("t", f.number(4));
          f.define(f.C, {f.i}, f.b.scan(t, f.real(0), f.one, line(7)));
          f.of({});
        }) ==
        "error[lang.recurrence]: `C` is a scan along `t`, which does not stand on its left\n"
        "  at model.cpp:7");
  CHECK(says([](Small& f) {
          Ref t = f.scan_axis("t", f.number(4));
          f.define(f.C, {t}, f.b.scan(t, f.real(0), f.at(f.B, {f.sub(t, f.number(1))}), line(7)));
          f.define(f.B, {t}, f.at(f.C, {t}));
          f.of({});
        }) ==
        "error[lang.recurrence]: `C` reads `B` before its first element, and `B` is no scan: it has no initial value\n"
        "  at model.cpp:4");
}

TEST_CASE("refusal: lang.state") {
  CHECK(says([](Small& f) {
          Ref z = f.real(0);
          f.reduce(f.k, z, z, z);
        }) ==
        "error[lang.state]: the state of a reduction is made by placeholder\n"
        "  at model.cpp:6");
  CHECK(says([](Small& f) {
          Ref z = f.real(0);
          Ref in = f.sum({f.chain("j")}, f.s);
          Ref r = f.reduce(f.k, z, f.s, in);
          f.define(f.C, {f.i}, f.b.field(r, 0));
          f.of({});
        }) ==
        "error[lang.state]: a reduction mentions the state of another reduction: that is a recurrence\n"
        "  at model.cpp:6\n"
        "  help: define a tensor along a Scan axis by scan(...)");
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.s);
          f.of({});
        }) ==
        "error[lang.state]: the state of a reduction stands outside its reduction in the definition of `C`\n"
        "  at model.cpp:7");
}

TEST_CASE("refusal: lang.twice") {
  CHECK(says([](Small& f) {
          f.define(f.B, {f.i}, f.one);
          f.define(f.B, {f.i}, f.one, 9);
        }) ==
        "error[lang.twice]: `B` is defined twice\n"
        "  at model.cpp:9\n"
        "  first at model.cpp:7");
}

TEST_CASE("refusal: lang.type") {
  CHECK(says([](Small& f) { f.add(f.one, f.number(1)); }) ==
        "error[lang.type]: the operands of `+` have the types f32 and i64\n"
        "  at model.cpp:5\n"
        "  help: cast<f32>(...) on the second, or cast<i64>(...) on the first");
  CHECK(says([](Small& f) { f.b.binary(Op::Mod, f.one, f.one, line(5)); }) ==
        "error[lang.type]: `%` takes integers, not f32\n"
        "  at model.cpp:5");
  CHECK(says([](Small& f) { f.b.ternary(Op::Select, f.one, f.one, f.one, line(5)); }) ==
        "error[lang.type]: the condition of `select` has type f32: it must be bool\n"
        "  at model.cpp:5");
  CHECK(says([](Small& f) { f.define(f.C, {f.i}, f.b.constant(Type::f64, 1.0, line(5))); }) ==
        "error[lang.type]: `C` holds f32 and is defined by a value of type f64\n"
        "  at model.cpp:7\n"
        "  help: cast<f32>(...)");
  CHECK(says([](Small& f) { f.b.cast(Type::none, f.one, line(5)); }) ==
        "error[lang.type]: `cast` to no type\n"
        "  at model.cpp:5");
  CHECK(says([](Small& f) { f.b.bitcast(Type::f64, f.one, line(5)); }) ==
        "error[lang.type]: `bitcast` from f32 to f64: the sizes differ\n"
        "  at model.cpp:5");
  CHECK(says([](Small& f) { f.b.constant(Type::f16, 1.0, line(5)); }) ==
        "error[lang.type]: an expression has no type f16: it is for storage\n"
        "  at model.cpp:5\n"
        "  help: a constant of type f32");
  CHECK(says([](Small& f) { f.fold(Fold::all_of, {f.k}, f.one); }) ==
        "error[lang.type]: `all_of` takes bool, not f32\n"
        "  at model.cpp:6");
  CHECK(says([](Small& f) { f.fold(Fold::sum, {f.k}, f.one, nullptr, nullptr, Type::i64); }) ==
        "error[lang.type]: `sum` of f32 has no accumulator of type i64\n"
        "  at model.cpp:6\n"
        "  help: name the same type or the wider one of its kind, f64, i64 or u64; cast changes the kind");
  CHECK(says([](Small& f) {
          Ref z = f.number(0);
          f.reduce(f.k, z, f.s, f.s);
        }) ==
        "error[lang.type]: component 0 of the state has type f32, its initial value i64\n"
        "  at model.cpp:6");
  CHECK(says([](Small& f) { f.tensor("P", Refs{f.at(f.B, {f.number(0)})}); }) ==
        "error[lang.type]: dimension 0 of `P` is of type f32: an integer stands there\n"
        "  at model.cpp:3\n"
        "  help: cast<i64>(...)");
}

TEST_CASE("refusal: lang.undefined") {
  CHECK(says([](Small& f) {
          f.define(f.C, {f.i}, f.at(f.A, {f.i, f.i}));
          f.of({});
        }) ==
        "error[lang.undefined]: `A` is read by `C` and is neither an input nor defined\n"
        "  at model.cpp:8\n"
        "  help: inputs(..., A)");
  CHECK(says([](Small& f) { f.of({}); }) ==
        "error[lang.undefined]: `C` is listed as an output and has no definition\n"
        "  at model.cpp:8\n"
        "  help: C(...) = ...;");
}
