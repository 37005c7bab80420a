#include <utility>
#include "ir/made.hpp"

using namespace made;

TEST_CASE("arena: equal operations on equal sources are one node") {
  Arena arena;
  const Ref n = arena.make(Op::Dim, Type::i64, {}, 0, "N");
  const Ref a = arena.make(Op::Add, Type::i64, {n, arena.integer(1)});
  CHECK(a == arena.make(Op::Add, Type::i64, {n, arena.integer(1)}));
  CHECK(a != arena.make(Op::Add, Type::i64, {arena.integer(1), n}));
  CHECK(a != arena.make(Op::Sub, Type::i64, {n, arena.integer(1)}));
  CHECK(arena.constant(Type::i64, 1) != arena.constant(Type::u64, 1));
  CHECK(arena.constant(Type::f32, 1) != arena.constant(Type::f32, 1, 8));
}
TEST_CASE("arena: a name tells nodes apart, its address and the line do not") {
  Arena arena;
  const std::string n1 = "N", n2 = "N", m = "M";
  const Ref first = arena.make(Op::Dim, Type::i64, {}, 0, n1.c_str(), line(1));
  CHECK(first == arena.make(Op::Dim, Type::i64, {}, 0, n2.c_str(), line(2)));
  CHECK(first != arena.make(Op::Dim, Type::i64, {}, 0, m.c_str(), line(1)));
  CHECK(first->at.line == 1);
  CHECK(arena.intern(n1.c_str()) == first->name);
}
TEST_CASE("arena: nodes survive a move of their arena, and growth") {
  Arena first;
  Ref e = first.make(Op::Dim, Type::i64, {}, 0, "N");
  for (int k = 0; k < 10000; ++k) e = first.make(Op::Add, Type::i64, {e, first.integer(k)});
  const std::size_t size = first.size();
  Arena second(std::move(first));
  CHECK(second.size() == size);
  CHECK(second.make(Op::Add, Type::i64, {e->src[0], e->src[1]}) == e);
  CHECK(second.size() == size);
}
TEST_CASE("arena: e = e + e sixty times is sixty nodes") {
  Arena arena;
  Ref e = arena.make(Op::Dim, Type::i64, {}, 0, "N");
  for (int k = 0; k < 60; ++k) e = arena.make(Op::Add, Type::i64, {e, e});
  CHECK(arena.size() == 61);
  Arena other;
  CHECK(copy(e, other)->op == Op::Add);
  CHECK(other.size() == 61);
  CHECK(mentions(e, e->src[0]));
  CHECK(free_axes(e).empty());
}
