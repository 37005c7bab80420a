// Stores past the caches and prefetches: the bytes of plain ones at every alignment, and the instructions.
#include <doctest/doctest.h>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

// for i in 0..n / lanes [parallel]: prefetch X two vectors ahead; Y = X, in vectors of `lanes`
kernel::Kernel copy(Type type, int lanes, ir::LoopMode mode) {
  Maker m("copy");
  const u64 y = m.argument("Y", type, true), x = m.argument("X", type);
  m.kernel.buffers[y].nontemporal = true;
  const Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(lanes)), lanes), ahead = m.ramp(m.mul(m.add(i, m.i(2)), m.i(lanes)), lanes);
  const Ref asks = m.a.make(Op::Prefetch, Type::none, {ahead}, x, "", {}, static_cast<u16>(lanes));
  m.kernel.body = m.loop(i, m.i(0), m.dim(0), m.block({asks, m.write(y, at, m.read(x, at))}), mode);
  kernel::verify(m.kernel);
  return std::move(m.kernel);
}
std::string assembly(const char* target, Type type, int lanes, ir::LoopMode mode = ir::LoopMode::serial) {
  return codegen::llvm::generate(copy(type, lanes, mode), cpu::named(target), true).assembly;
}
bool has(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }
}  // namespace

TEST_CASE("past the caches: every alignment and vector gives the bytes of a plain store") {
  for (const Target& t : targets())
    for (const ir::LoopMode mode : {ir::LoopMode::serial, ir::LoopMode::parallel})
      for (const int lanes : {2, 4, t.vector_bits / 32, 12}) {
        const kernel::Kernel k = copy(Type::f32, lanes, mode);
        const Linked linked(k, t);
        for (std::size_t offset = 0; offset < 17; ++offset) {
          constexpr std::size_t turns = 5;
          const std::size_t n = turns * static_cast<std::size_t>(lanes);
          std::vector<float> x(n + 1), y(n + 34, -1.0f);
          for (std::size_t e = 0; e < n; ++e) x[e + 1] = static_cast<float>(e) + 0.5f;
          Call call;
          call.data = {y.data() + offset, x.data() + 1};
          call.dims = {static_cast<i64>(turns)};
          call.strides.resize(3 * max_rank, 1);
          CHECK(call.run(linked.entry()) == 0);
          std::vector<float> expected(n + 34, -1.0f);
          std::copy(x.begin() + 1, x.end(), expected.begin() + static_cast<std::ptrdiff_t>(offset));
          CHECK(y == expected);
        }
      }
}
TEST_CASE("past the caches: the instructions of each target, and what waits for them") {
  for (const ir::LoopMode mode : {ir::LoopMode::serial, ir::LoopMode::parallel}) {
    const std::string v4 = assembly("x86-64-v4", Type::f32, 16, mode), v3 = assembly("x86-64-v3", Type::f32, 8, mode);
    const std::string v2 = assembly("x86-64-v2", Type::f32, 4, mode), neon = assembly("aarch64-neon", Type::f32, 4, mode);
    CHECK(has(v4, "vmovntps\t%zmm"));
    CHECK(has(v3, "vmovntps\t%ymm"));
    CHECK(has(v2, "\tmovntps\t%xmm"));
    for (const std::string& text : {v4, v3, v2}) {
      CHECK(has(text, "prefetcht0\t"));
      CHECK(has(text, "sfence"));
    }
    CHECK(has(neon, "prfm\tpldl1keep"));
    CHECK(has(neon, "dmb\tish"));
  }
  CHECK(!has(assembly("x86-64-v3", Type::f32, 2), "movnt"));  // no instruction for 8 bytes: stored plainly, nothing to wait for
  CHECK(!has(assembly("x86-64-v3", Type::f32, 2), "sfence"));
}
