// Callers with another rounding mode, with subnormals flushed, with traps; arrays strided, reversed, transposed, shifted by
// one element; NaNs with payloads among the inputs: on every target the bits of the interpreter called plainly.
#include <cfenv>
#include "contract/example.hpp"
#include "ordo/cpu.hpp"
#include "ordo/runtime/calls.hpp"
#include "ordo/runtime/environment.hpp"
#include "runtime/walk_target.hpp"

namespace {
using namespace contract;
constexpr i64 rows = 9, columns = 21;

struct Tensors {
  Maker b;
  std::vector<Ref> in, out;
  Tensors() {
    const Ref i = b.index("i"), j = b.index("j"), r = b.index("r"), k = b.chain("k");
    std::vector<Ref> x;
    for (const Type t : {Type::f16, Type::bf16, Type::f32, Type::f64, Type::i64, Type::i8}) {
      in.push_back(b.input(name_of(t), t, 2));
      x.push_back(b.at(in.back(), {i, j}));
    }
    const Ref h = x[0], g = x[1], s = x[2], d = x[3], l = x[4], q = x[5];
    const auto define = [&](Type t, Ref value) { out.push_back(b.named(("Y" + std::to_string(out.size())).c_str(), t, {i, j}, value)); };
    define(Type::f32, b.ternary(Op::Fma, s, h, g));
    define(Type::f64, b.ternary(Op::Fma, d, d, b.cast(Type::f64, s)));
    define(Type::f16, b.mul(h, s));
    define(Type::bf16, b.add(b.cast(Type::f32, d), g));
    define(Type::f32, b.binary(Op::Div, b.cast(Type::f32, l), s));
    define(Type::f16, b.cast(Type::f16, d));
    define(Type::i32, b.cast(Type::i32, b.mul(s, b.f32s(1e9))));
    define(Type::u8, b.cast(Type::u8, g));
    define(Type::f64, b.binary(Op::Div, b.unary(Op::Sqrt, b.unary(Op::Abs, d)), d));
    define(Type::f32, b.binary(Op::Max, s, g));
    define(Type::f32, b.unary(Op::Round, s));
    for (std::size_t c = 0; c < x.size(); ++c) define(in[c]->type, x[c]);          // copies
    define(Type::i16, b.mul(q, q));
    out.push_back(b.named("Sum", Type::f32, {r}, b.sum({k}, b.mul(b.at(in[2], {r, k}), b.at(in[0], {r, k})))));
  }
  ir::Program program() { return ir::snapshot(in.data(), static_cast<int>(in.size()), out.data(), static_cast<int>(out.size()), {}); }
};

// How elements lie in memory. All of a call lie alike.
enum class Lie { dense, shifted, strided, reversed, transposed };
class Arrays {
 public:
  Arrays(const Tensors& t, Lie lie) : inputs_(t.in.size()) {
    u64 state = 7;
    for (const Ref x : t.in) place(x->type, 2, lie);
    for (const Ref y : t.out) place(y->type, y == t.out.back() ? 1 : 2, lie);
    for (std::size_t k = 0; k < inputs_; ++k)
      for_each(k, [&](unsigned char* at, std::size_t bytes) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const u64 bits = value(arguments[k].type, state);
        std::memcpy(at, &bits, bytes);
      });
  }
  std::string outputs() {
    std::string all;
    for (std::size_t k = inputs_; k < arguments.size(); ++k)
      for_each(k, [&](unsigned char* at, std::size_t bytes) { all.append(reinterpret_cast<const char*>(at), bytes); });
    return all;
  }
  std::size_t poison_left() {    // bytes of outputs between the elements
    std::size_t left = 0;
    for (std::size_t k = inputs_; k < arguments.size(); ++k) {
      std::vector<unsigned char> copy = memory_[k];
      for_each(k, [&](unsigned char* at, std::size_t bytes) { std::memset(copy.data() + (at - memory_[k].data()), 0, bytes); });
      for (const unsigned char c : copy) left += c == 0xcd;
    }
    return left;
  }
  std::vector<Argument> arguments;

 private:
  static u64 value(Type t, u64 state) {
    const u64 r = state >> 11;
    if (!is_float(t) || r % 5 == 0) return state >> 3 ^ state << 7;               // NaNs with payloads, subnormals, infinities
    const int frac = t == Type::f16 ? 10 : t == Type::bf16 ? 7 : t == Type::f32 ? 23 : 52;
    const u64 bias = t == Type::f16 ? 15 : t == Type::f64 ? 1023 : 127, exponent = r % 7 == 0 ? 0 : bias - 3 + r % 9;
    return (r & 1) << (bits_of(t) - 1) | exponent << frac | (state >> 20 & ((u64{1} << frac) - 1));
  }
  void place(Type t, int rank, Lie lie) {
    Argument a{nullptr, t, rank, {}, {}};
    a.shape[0] = rows;
    a.shape[1] = columns;
    const i64 wide = rank == 2 ? columns : 1;
    a.stride[0] = wide;
    a.stride[1] = 1;
    i64 first = 0;
    if (lie == Lie::shifted) first = 1;
    if (lie == Lie::strided) a.stride[0] = 3 * wide + 2, a.stride[1] = 3;
    if (lie == Lie::reversed) a.stride[0] = -wide, a.stride[1] = -1, first = rows * wide - 1;
    if (lie == Lie::transposed && rank == 2) a.stride[0] = 1, a.stride[1] = rows;
    const std::size_t size = static_cast<std::size_t>(bytes_of(t));
    memory_.emplace_back(static_cast<std::size_t>(3 * rows * columns + 3 * rows) * size, static_cast<unsigned char>(0xcd));
    a.data = memory_.back().data() + static_cast<std::size_t>(first) * size;
    arguments.push_back(a);
  }
  template <class F> void for_each(std::size_t k, F f) {
    const Argument& a = arguments[k];
    for (i64 i = 0; i < rows; ++i)
      for (i64 j = 0; j < (a.rank == 2 ? columns : 1); ++j)
        f(static_cast<unsigned char*>(a.data) + (i * a.stride[0] + j * a.stride[1]) * bytes_of(a.type),
          static_cast<std::size_t>(bytes_of(a.type)));
  }
  std::size_t inputs_;
  std::vector<std::vector<unsigned char>> memory_;
};

template <class F> void in_each_environment(F f) {
  const auto mine = runtime::environment();
  f("a plain caller");
  for (const int mode : {FE_UPWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    f("another rounding mode");
    CHECK(std::fegetround() == mode);
    runtime::set_environment(mine);
  }
#if defined(__x86_64__)
  for (const unsigned set : {0x9fc0u, 0x1f80u & ~(1u << 7), 0x1f80u & ~(1u << 12)}) {   // FTZ and DAZ; invalid, inexact trap
    runtime::set_environment(set);
    f("subnormals flushed, or traps");
    CHECK(runtime::environment() == set);
    runtime::set_environment(mine);
  }
#endif
}
}  // namespace

TEST_CASE("hostile callers and arrays: the bits of a plain call of the interpreter") {
  Tensors tensors;
  const ir::Program program = tensors.program();
  Arrays plain(tensors, Lie::dense);
  interpret(program, plain.arguments.data(), static_cast<int>(plain.arguments.size()));
  const std::string want = plain.outputs();
  std::vector<Target> targets{interpreter(), walk_target::target()};
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const Target t = cpu::named(name); cpu::runs_here(t)) targets.push_back(t);
  for (const Target& target : targets) {
    runtime::KernelBody* body = runtime::compile(program, nullptr, target, walk_target::no_disk(), {});
    for (const Lie lie : {Lie::dense, Lie::shifted, Lie::strided, Lie::reversed, Lie::transposed})
      in_each_environment([&](const char* caller) {
        Arrays arrays(tensors, lie);
        const std::size_t before = arrays.poison_left();
        runtime::call(body, arrays.arguments.data(), static_cast<int>(arrays.arguments.size()), {});
        CHECK_MESSAGE(arrays.outputs() == want, target.name, ", ", caller, ", arrays of kind ", static_cast<int>(lie));
        CHECK(arrays.poison_left() == before);
      });
    runtime::release(body);
  }
}
