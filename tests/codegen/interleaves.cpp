// Stores at a distance that lie densely together: every type, number of lanes and distance has the bytes of single stores, and where
// they may be joined one store is left.
#include <doctest/doctest.h>
#include <string>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

// part[3 + n + step * l] = from[64 n + l] for n in the order given; then to[k] = part[k] for all k
kernel::Kernel joined(Type type, int lanes, i64 step, const std::vector<i64>& order) {
  Maker m("join");
  const i64 all = 3 + step * lanes + 5;
  const u64 from = m.argument("from", type), to = m.argument("to", type), part = m.buffer("part", type, kernel::Space::stack, all);
  const Ref k = m.var("k"), z = m.var("z");
  std::vector<Ref> stores;
  for (const i64 n : order) stores.push_back(m.write(part, m.ramp(m.i(3 + n), lanes, step), m.read(from, m.ramp(m.i(64 * n), lanes))));
  const Ref zero = m.loop(z, m.i(0), m.i(all), m.write(part, z, m.read(from, m.i(0))));
  m.kernel.body = m.alloc(part, m.block({zero, m.block(stores), m.loop(k, m.i(0), m.i(all), m.write(to, k, m.read(part, k)))}));
  kernel::verify(m.kernel);
  return std::move(m.kernel);
}
std::string source_of(std::size_t bytes) {
  std::string source(bytes, '\0');
  for (std::size_t b = 0; b < bytes; ++b) source[b] = static_cast<char>(7 * b % 101);
  return source;
}
std::string run(Type type, int lanes, i64 step, const std::vector<i64>& order, const Target& target) {
  const std::size_t size = static_cast<std::size_t>(bytes_of(type));
  std::string source = source_of(64 * 9 * size), result(static_cast<std::size_t>(3 + step * lanes + 5) * size, 'x');
  Call call;
  call.data = {source.data(), result.data()};
  call.strides.resize(2 * max_rank, 1);
  CHECK(call.run(Linked(joined(type, lanes, step, order), target).entry()) == 0);
  return result;
}
std::string expected(Type type, int lanes, i64 step, const std::vector<i64>& order) {
  const std::size_t size = static_cast<std::size_t>(bytes_of(type));
  const std::string source = source_of(64 * 9 * size);
  std::string result;
  for (i64 k = 0; k < 3 + step * lanes + 5; ++k) {
    i64 at = 0;
    for (const i64 n : order)
      for (i64 l = 0; l < lanes; ++l)
        if (k == 3 + n + step * l) at = 64 * n + l;
    result += source.substr(static_cast<std::size_t>(at) * size, size);
  }
  return result;
}
}  // namespace

TEST_CASE("interleaves: the bytes of single stores, joined or not") {
  for (const Target& t : targets())
    for (const Type type : {Type::u8, Type::i32, Type::i64})
      for (const int lanes : {2, 3, 8, 16})
        for (const i64 step : {2, 3, 4, 7}) {
          std::vector<i64> ascending, turned, fewer;
          for (i64 n = 0; n < step; ++n) ascending.push_back(n), turned.insert(turned.begin(), n);
          fewer.assign(ascending.begin() + 1, ascending.end());
          for (const std::vector<i64>* order : {&ascending, &turned, &fewer})
            CHECK(run(type, lanes, step, *order, t) == expected(type, lanes, step, *order));
        }
}
TEST_CASE("interleaves: one store of all lanes") {
  const std::string text = codegen::llvm::generate(joined(Type::u8, 16, 4, {0, 1, 2, 3}), cpu::named("x86-64-v4"), true).ir;
  CHECK(text.find("store <64 x i8>") != std::string::npos);
}
