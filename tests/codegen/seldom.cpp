// Selects whose second operand is seldom needed: the bytes of `walk`, whichever lanes need it; and one function for equal operands.
#include <doctest/doctest.h>
#include <limits>
#include "codegen/made.hpp"
#include "ordo/base/tables.hpp"
#include "ordo/kernel/walk.hpp"

namespace {
using namespace made;

struct Seldom {
  Maker m{"rare"};
  int lanes;
  explicit Seldom(int of) : lanes(of) {}
  Ref number(double v, Type t = Type::f32) {
    u64 bits = 0;
    const float single = static_cast<float>(v);
    if (t == Type::f32) std::memcpy(&bits, &single, sizeof single);
    else std::memcpy(&bits, &v, sizeof v);
    return m.a.constant(t, bits, static_cast<u16>(lanes));
  }
  Ref seldom(Ref c, Ref slow, Ref fast) { return m.a.make(Op::Select, fast->type, {c, slow, fast}, ir::seldom, "", {}, fast->lanes); }
  // Takes what is read and what was made of it, and has a seldom needed part of its own.
  Ref slow(Ref x, Ref y) {
    const Ref root = m.one(Op::Sqrt, m.one(Op::Abs, x)), wide = m.mul(m.cast(Type::f64, root), m.cast(Type::f64, y));
    const Ref inner = seldom(m.two(Op::Lt, y, number(0)), m.two(Op::Div, x, y), m.add(root, y));
    return m.add(m.cast(Type::f32, wide), inner);
  }
  Ref of(Ref x, Ref y) { return seldom(m.two(Op::Lt, x, number(0)), slow(x, y), m.add(m.mul(x, y), m.one(Op::Abs, x))); }
  // Element by element: of two pairs of arrays, so that two expressions are equal but for what they read; of a masked tail; of an operand
  // that no lane changes; and of one that reads nothing which its condition does.
  void make() {
    const u64 a = m.argument("a", Type::f32), b = m.argument("b", Type::f32), out = m.argument("out", Type::f32, true);
    const Ref i = m.var("i"), n = m.dim(0), at = m.ramp(m.mul(i, m.i(lanes)), lanes), next = m.ramp(m.add(m.mul(i, m.i(lanes)), n), lanes);
    const Ref inside = m.two(Op::Lt, at, m.broadcast(n, lanes)), next_inside = m.two(Op::Lt, next, m.broadcast(m.mul(n, m.i(2)), lanes));
    const Ref x = m.read(a, at, inside), y = m.read(b, at, inside), z = m.read(a, next, next_inside), w = m.read(b, next, next_inside);
    const auto place = [&](i64 k) { return m.ramp(m.add(m.mul(i, m.i(lanes)), m.mul(n, m.i(k))), lanes); };
    const Ref fixed = m.cast(Type::f32, m.broadcast(n, lanes)), turn = m.cast(Type::f32, m.broadcast(i, lanes));
    const Ref apart = seldom(m.two(Op::Gt, y, number(1)), m.one(Op::Sqrt, x), y);
    m.kernel.body = m.loop(i, m.i(0), m.dim(1), m.block({
        m.write(out, place(0), of(x, y), inside),
        m.write(out, place(1), m.add(of(z, w), of(y, x)), inside),
        m.write(out, place(2), m.add(of(fixed, fixed), of(turn, x)), inside),
        m.write(out, place(3), apart, inside)}));
  }
};
}  // namespace

TEST_CASE("seldom needed operands: the bytes of walk, for none, one and all lanes, nested, in a masked tail, on each target") {
  for (const Target& target : targets())
    for (int lanes : {1, 4, target.vector_bits / 32}) {
      Seldom s(lanes);
      s.make();
      kernel::verify(s.m.kernel);
      const Linked linked(s.m.kernel, target, true);
      for (i64 n : {i64{1}, i64{lanes}, i64{3} * lanes, i64{9} * lanes - 1})
        for (int pattern = 0; pattern < 6; ++pattern) {
          Random random{static_cast<u64>(pattern) + 7};
          std::vector<float> a(static_cast<std::size_t>(2 * n)), b(a.size()), want(static_cast<std::size_t>(4 * n)), have(want.size());
          for (std::size_t k = 0; k < a.size(); ++k) {
            const bool rare = pattern == 1 || (pattern == 2 && k % 7 == 3) || (pattern > 2 && random.below(u64{1} << pattern) == 0);
            a[k] = static_cast<float>(random.below(1000)) * (rare ? -0.3f : 0.7f);
            b[k] = static_cast<float>(random.below(1000)) * (pattern % 2 == 1 && random.below(3) == 0 ? -0.1f : 0.01f);
          }
          if (pattern == 5) a[0] = -std::numeric_limits<float>::infinity(), b[0] = std::numeric_limits<float>::quiet_NaN();
          Call call;
          call.dims = {n, (n + lanes - 1) / lanes};
          call.strides.resize(4 * max_rank, 1);
          call.data = {a.data(), b.data(), want.data()};
          const kernel::Frame frame = {call.data.data(), call.dims.data(), call.strides.data(), nullptr, nullptr};
          CHECK(kernel::walk(s.m.kernel, &frame) == 0);
          call.data[2] = have.data();
          CHECK(call.run(linked.entry()) == 0);
          INFO(target.name, " lanes ", lanes, " n ", n, " pattern ", pattern);
          CHECK(std::memcmp(want.data(), have.data(), want.size() * sizeof(float)) == 0);
        }
    }
}
TEST_CASE("seldom needed operands: equal ones are one function, called from where a lane needs it") {
  Seldom s(4);
  const u64 a = s.m.argument("a", Type::f32), b = s.m.argument("b", Type::f32), out = s.m.argument("out", Type::f32, true);
  std::vector<Ref> all;
  for (i64 k : {0, 4, 8}) {
    const Ref at = s.m.ramp(s.m.i(k), 4);
    all.push_back(s.m.write(out, at, s.of(s.m.read(a, at), s.m.read(b, at))));
  }
  s.m.kernel.body = s.m.block(all);
  const Linked linked(s.m.kernel, cpu::named("x86-64-v2"), true);
  const auto count = [&](const char* what) {
    int found = 0;
    for (std::size_t at = 0; (at = linked.code.ir.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(count("define internal") == 2);  // of x < 0, and within it of y < 0
  CHECK(count("call <4 x float> @rare.seldom") == 4);
  CHECK(count("!prof") == 4);
}
TEST_CASE("lookups: the entry at the low five bits, on each target, of any number of lanes") {
  for (const Target& target : targets())
    for (int lanes : {1, 2, 8, 16}) {
      Maker m("lookups");
      const u64 j = m.argument("j", Type::i32), out = m.argument("out", Type::f32, true);
      const Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(lanes)), lanes);
      std::vector<Ref> all;
      for (u64 table = 0; table < 5; ++table) {
        const Ref found = m.a.make(Op::Lookup, Type::f32, {m.read(j, at)}, table, "", {}, static_cast<u16>(lanes));
        all.push_back(m.write(out, m.ramp(m.add(m.mul(i, m.i(lanes)), m.i(static_cast<i64>(table) * 64)), lanes), found));
      }
      m.kernel.body = m.loop(i, m.i(0), m.i(64 / lanes), m.block(all));
      kernel::verify(m.kernel);
      const Linked linked(m.kernel, target);
      std::vector<i32> index(64);
      for (int k = 0; k < 64; ++k) index[static_cast<std::size_t>(k)] = k % 3 == 0 ? k * 1000 - 7 : k;
      std::vector<u32> have(5 * 64);
      Call call;
      call.data = {index.data(), have.data()};
      call.strides.resize(4 * max_rank, 1);
      CHECK(call.run(linked.entry()) == 0);
      for (std::size_t k = 0; k < have.size(); ++k)
        CHECK(have[k] == table_entry(static_cast<Table>(k / 64), static_cast<u32>(index[k % 64]) % 32));
    }
}
