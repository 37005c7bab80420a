// The shape of the code of a matrix product's micro-kernel: what the default schedules rely on.
#include <doctest/doctest.h>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

// C(rows, vectors * lanes) = A(rows, k) B(k, vectors * lanes), accumulators in registers; with a masked twin for the tail.
struct MicroKernel {
  Maker m{"micro"};
  int rows, vectors, lanes;
  u64 a, b, c, acc;
  MicroKernel(int r, int v, int l) : rows(r), vectors(v), lanes(l) {
    a = m.argument("A", Type::f32);
    b = m.argument("B", Type::f32);
    c = m.argument("C", Type::f32, true);
    acc = m.buffer("acc", Type::f32, kernel::Space::registers, rows * vectors * lanes);
    Ref whole = m.two(Op::Ge, m.dim(1), m.i(vectors * lanes));
    m.kernel.body = m.choose(whole, tile(false), tile(true));
  }
  Ref place(int r, int v) { return m.ramp(m.i((r * vectors + v) * lanes), lanes); }
  Ref mask(bool masked, int v) { return masked ? m.two(Op::Lt, m.ramp(m.i(v * lanes), lanes), m.broadcast(m.dim(1), lanes)) : nullptr; }
  Ref row(u64 buffer, Ref r, int v) { return m.ramp(m.add(m.mul(r, m.stride(buffer, 0)), m.i(v * lanes)), lanes); }
  template <class Each> Ref each(const Each& make) {
    std::vector<Ref> all;
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < vectors; ++v) all.push_back(make(r, v));
    return m.block(all);
  }
  Ref tile(bool masked) {
    Ref k = m.var("k");
    Ref zero = m.a.constant(Type::f32, 0, static_cast<u16>(lanes));
    Ref clear = each([&](int r, int v) { return m.write(acc, place(r, v), zero); });
    Ref step = each([&](int r, int v) {
      Ref x = m.broadcast(m.read(a, m.add(m.mul(m.i(r), m.stride(a, 0)), k)), lanes);
      return m.write(acc, place(r, v), m.fma(x, m.read(b, row(b, k, v), mask(masked, v)), m.read(acc, place(r, v))));
    });
    Ref store = each([&](int r, int v) { return m.write(c, row(c, m.i(r), v), m.read(acc, place(r, v)), mask(masked, v)); });
    return m.alloc(acc, m.block({clear, m.loop(k, m.i(0), m.dim(0), step), store}));
  }
};
// The block of the assembly text, from its label to its backward jump, that holds the first unmasked product.
std::string inner_loop(const std::string& assembly) {
  std::string block;
  for (std::size_t at = 0; at < assembly.size();) {
    const std::size_t end = assembly.find('\n', at);
    const std::string line = assembly.substr(at, end - at + 1);
    at = end == std::string::npos ? assembly.size() : end + 1;
    if (line.compare(0, 4, ".LBB") == 0) block.clear();
    block += line;
    const std::size_t jump = line.find("\tj");
    const bool back =
        jump == 0 && line.find(".LBB") != std::string::npos && line.find(block.substr(0, block.find(':'))) != std::string::npos;
    if (back && block.find("vfmadd") != std::string::npos && block.find("{z}") == std::string::npos &&
        block.find("vmaskmov") == std::string::npos)
      return block;
  }
  return "";
}
std::size_t count(const std::string& text, const char* what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}
void check_product(const MicroKernel& k, const Target& t, i64 n) {
  const Linked linked(k.m.kernel, t);
  const std::size_t rows = static_cast<std::size_t>(k.rows), columns = static_cast<std::size_t>(n), depth = 19;
  std::vector<float> a(rows * depth), b(depth * columns), c(rows * columns + 1, -1.0f);
  Random random;
  for (float& x : a) x = static_cast<float>(static_cast<i64>(random.below(2000)) - 1000) / 64;
  for (float& x : b) x = static_cast<float>(static_cast<i64>(random.below(2000)) - 1000) / 64;
  Call call;
  call.data = {a.data(), b.data(), c.data()};
  call.dims = {static_cast<i64>(depth), n};
  call.strides.resize(3 * max_rank);
  call.strides[0] = static_cast<i64>(depth);
  call.strides[max_rank] = call.strides[2 * max_rank] = n;
  CHECK(call.run(linked.entry()) == 0);
  bool same = c.back() == -1.0f;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      u64 sum = 0, x = 0, y = 0, have = 0;
      for (std::size_t l = 0; l < depth; ++l) {
        std::memcpy(&x, &a[i * depth + l], 4);
        std::memcpy(&y, &b[l * columns + j], 4);
        sum = soft::fma(Type::f32, x, y, sum);
      }
      std::memcpy(&have, &c[i * columns + j], 4);
      same = same && have == sum;
    }
  CHECK(same);
}
}  // namespace

TEST_CASE("micro-kernel: full tiles and masked tails have the bits of the chain") {
  for (const Target& t : targets()) {
    const int lanes = t.vector_bits / 32;
    const MicroKernel k(4, 2, lanes);
    for (i64 n : {2 * lanes, 2 * lanes - 1, lanes + 1, lanes, 1}) check_product(k, t, n);
  }
}
TEST_CASE("micro-kernel: the inner loop is loads, broadcasts and products; its accumulators stay in registers") {
  struct Shape { const char* target; int rows, vectors, lanes; };
  for (const Shape& s : {Shape{"x86-64-v4", 8, 3, 16}, Shape{"x86-64-v3", 6, 2, 8}}) {
    const MicroKernel k(s.rows, s.vectors, s.lanes);
    const std::string loop = inner_loop(codegen::llvm::generate(k.m.kernel, cpu::named(s.target), true).assembly);
    INFO(loop);
    CHECK(count(loop, "vfmadd") == static_cast<std::size_t>(s.rows * s.vectors));
    CHECK(count(loop, "(%rsp") == 0);
    CHECK(count(loop, "\tvmov") <= static_cast<std::size_t>(s.vectors));
    CHECK(count(loop, "\n") <= static_cast<std::size_t>(s.rows * s.vectors + s.rows + s.vectors + 16));
  }
}
