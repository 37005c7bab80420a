// Blocks of copies that exchange rows and columns: the elements arrive where the statements say, in any order of the statements.
#include <doctest/doctest.h>
#include <cstring>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

// to[64 n + l] = from[n + stride * l], for rows n in the order given; `stride` 0: one known at the call only
std::vector<u32> copied(Type type, int lanes, i64 stride, const std::vector<i64>& rows, const Target& target, bool canonical = false) {
  Maker m{"turn"};
  const u64 from = m.argument("from", type), to = m.argument("to", type, canonical);
  Ref step = stride == 0 ? m.stride(from, 0) : m.i(stride);
  std::vector<Ref> all;
  for (const i64 n : rows) all.push_back(m.write(to, m.ramp(m.i(64 * n), lanes), m.read(from, m.ramp(m.i(n), lanes, step))));
  m.kernel.body = m.block(all);
  const Linked linked(m.kernel, target, true);
  const std::size_t words = static_cast<std::size_t>(bytes_of(type)) / 4;
  std::vector<u32> source(4000 * words), result(64 * 32 * words, 7);
  for (std::size_t k = 0; k < source.size(); ++k) source[k] = static_cast<u32>(k % 5 == 0 ? 0xffc00001 + k : 3 * k);
  Call call;
  call.data = {source.data(), result.data()};
  call.strides.resize(2 * max_rank);
  call.strides[0] = 29;
  CHECK(call.run(linked.entry()) == 0);
  return result;
}
std::vector<u32> expected(Type type, int lanes, i64 stride, const std::vector<i64>& rows, bool canonical = false) {
  const std::size_t words = static_cast<std::size_t>(bytes_of(type)) / 4;
  std::vector<u32> result(64 * 32 * words, 7);
  for (const i64 n : rows)
    for (i64 l = 0; l < lanes; ++l)
      for (std::size_t w = 0; w < words; ++w) {
        const std::size_t k = static_cast<std::size_t>(n + (stride == 0 ? 29 : stride) * l) * words + w;
        const u32 bits = static_cast<u32>(k % 5 == 0 ? 0xffc00001 + k : 3 * k);
        result[static_cast<std::size_t>(64 * n + l) * words + w] = canonical && (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
      }
  return result;
}
}  // namespace

TEST_CASE("transposes: squares of every width, rows in any order, rows left over, a stride of the call") {
  const std::vector<i64> ordered{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, shuffled{3, 1, 2, 0, 9, 8, 11, 10, 5, 4, 7, 6},
      apart{0, 1, 2, 4, 5, 6, 7, 8, 20, 21, 22, 23, 30};
  for (const Type type : {Type::u32, Type::i32, Type::u64})
    for (const int lanes : {2, 3, 4, 8, 16, 17})
      for (const i64 stride : {0, 2, 29, 100})
        for (const std::vector<i64>* rows : {&ordered, &shuffled, &apart})
          CHECK(copied(type, lanes, stride, *rows, cpu::host()) == expected(type, lanes, stride, *rows));
}
TEST_CASE("transposes: an output gets canonical NaNs") {
  const std::vector<i64> rows{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (const int lanes : {4, 8, 16})
    CHECK(copied(Type::f32, lanes, 29, rows, cpu::host(), true) == expected(Type::f32, lanes, 29, rows, true));
}
