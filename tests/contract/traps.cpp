// The contract's traps. Those of values stand elsewhere too: casts to bf16 and f16, NaN to an integer on RISC-V, 64-bit integers
// to f32 (conversions_all.cpp), skipped steps and absent lanes (sums.cpp), names of libm (targets/symbols.cpp), copies of NaNs
// (hostile.cpp). Here: what the instructions must not be, and extremes over lists.
#include "contract/example.hpp"
#include "foreign/lowered.hpp"
#include "ordo/codegen/backend.hpp"
#include "ordo/cpu.hpp"
#include "ordo/runtime/calls.hpp"
#include "runtime/walk_target.hpp"

namespace {
using namespace contract;

Target with(const char* name, const char* more) {
  Target t = cpu::named(name);
  const std::string list = std::string(t.features) + more;
  REQUIRE(list.size() < sizeof t.features);
  std::memcpy(t.features, list.c_str(), list.size() + 1);
  return t;
}
// The instructions of Y(i) = f(X(i)), vectorized.
template <class F> std::string assembly(const Target& target, Type from, Type to, F f) {
  Maker b;
  const Ref x = b.input("X", from, 1), i = b.index("i"), y = b.named("Y", to, {i}, f(b, b.at(x, {i})));
  const ir::Program p = ir::snapshot(&x, 1, &y, 1, {});
  const plan::Plan plan = foreign::plan_of(ir::stages(p), nullptr, target);
  return target.backend->generate(kernel::lower(plan, 0, {0, 0}, target), target, true).assembly;
}
bool has(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }
std::vector<Target> targets() {
  std::vector<Target> all{walk_target::target()};
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const Target t = cpu::named(name); cpu::runs_here(t)) all.push_back(t);
  return all;
}
}  // namespace

TEST_CASE("traps: conversions of a target's own bf16 and half arithmetic are not used, even where it has them") {
  const Target t = with("x86-64-v4", ",+avx512bf16,+avx512fp16");
  const auto same = [](Maker&, Ref x) { return x; };
  CHECK(!has(assembly(t, Type::f32, Type::bf16, same), "bf16"));
  CHECK(!has(assembly(t, Type::i32, Type::bf16, [](Maker& b, Ref x) { return b.cast(Type::bf16, x); }), "bf16"));
  const std::string half = assembly(t, Type::f16, Type::f16, [](Maker& b, Ref x) { return b.ternary(Op::Fma, x, x, x); });
  CHECK(has(half, "ps"));                         // the arithmetic of single precision
  for (const char* wrong : {"vfmadd132ph", "vfmadd213ph", "vfmadd231ph", "vmulph", "vaddph"}) CHECK(!has(half, wrong));
  const std::string host = cpu::host().features;
  CHECK(!has(host, "bf16"));
  CHECK(!has(host, "fp16"));
}
TEST_CASE("traps: a saturating conversion of a vector stays one") {
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
    const std::string text = assembly(cpu::named(name), Type::f32, Type::i32, [](Maker& b, Ref x) { return b.cast(Type::i32, x); });
    CHECK(has(text, "cvttps2dq"));
    CHECK(!has(text, "ucomiss"));                 // of llvm.fptosi.sat, element by element
  }
}
TEST_CASE("traps: nothing is contracted that the program does not contract") {
  for (const char* name : {"x86-64-v3", "aarch64-neon", "riscv64-v"}) {
    const std::string text = assembly(cpu::named(name), Type::f32, Type::f32, [](Maker& b, Ref x) { return b.add(b.mul(x, x), x); });
    for (const char* fused : {"fmadd", "fmla", "fmacc"}) CHECK(!has(text, fused));
  }
}
TEST_CASE("traps: a product of two bf16 is not exact in f32, so it is not rounded before it is added") {
  Maker b;
  const Ref x = b.input("X", Type::bf16, 1), y = b.input("Y0", Type::bf16, 1), k = b.chain("k");
  Examples list;
  add(list, "large", b, {{x, numbers(Type::bf16, {2}, {-0x1p127, 0x1p100})}, {y, numbers(Type::bf16, {2}, {1, 0x1p28})}},
      b.sum({k}, b.mul(b.at(x, {k}), b.at(y, {k}))), 0x7f000000);
  Maker c;
  const Ref u = c.input("X", Type::bf16, 1), v = c.input("Y0", Type::bf16, 1), l = c.chain("k");
  add(list, "small", c, {{u, numbers(Type::bf16, {2}, {0x1p-149 * 0x1p20, 0x1p-80})}, {v, numbers(Type::bf16, {2}, {0x1p-20, 0x1p-70})}},
      c.sum({l}, c.mul(c.at(u, {l}), c.at(v, {l}))), 0x00000002);     // 2^-149 and half of it
  for (const Example& e : list)
    for (const Target& t : targets()) {
      Call call(e);
      runtime::KernelBody* body = runtime::compile(e.program, nullptr, t, walk_target::no_disk(), {});
      runtime::call(body, call.arguments.data(), call.count(), {});
      runtime::release(body);
      check(e, t.name, call.data.back());
    }
}
TEST_CASE("traps: the largest of a list, zeros of both signs and NaNs anywhere") {
  const u64 values[] = {0x80000000, 0, 0x3f800000, 0xbf800000, 0xff812345, 0x7fc00000, 0xff800000, 1};
  for (const Fold f : {Fold::max, Fold::min, Fold::fmax, Fold::fmin}) {
    Maker b;
    const Ref x = b.input("X", Type::f32, 2), i = b.index("i"), k = b.any("k");
    const Ref y = b.named("Y", Type::f32, {i}, b.fold_of(f, {k}, b.at(x, {i, k})));
    const ir::Program p = ir::snapshot(&x, 1, &y, 1, {});
    std::vector<runtime::KernelBody*> bodies;
    const std::vector<Target> on = targets();
    for (const Target& t : on) bodies.push_back(runtime::compile(p, nullptr, t, walk_target::no_disk(), {}));
    for (i64 n = 1; n <= 67; ++n) {
      constexpr i64 lists = 40;
      Bits all;
      u64 state = static_cast<u64>(n);
      for (i64 e = 0; e < lists * n; ++e) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const u64 kinds = e / n % 4 == 0 ? 2 : e / n % 4 == 1 ? 4 : e / n % 4 == 2 ? 6 : 8;      // zeros alone, ... also NaNs
        all.push_back(values[(state >> 40) % kinds]);
      }
      Bits want;
      for (i64 r = 0; r < lists; ++r) {
        u64 best = all[static_cast<std::size_t>(r * n)];
        for (i64 e = 0; e < n; ++e) {
          const u64 v = all[static_cast<std::size_t>(r * n + e)];
          if (f == Fold::max) best = soft::maximum(Type::f32, best, v);
          if (f == Fold::min) best = soft::minimum(Type::f32, best, v);
          if (f == Fold::fmax) best = soft::fmax(Type::f32, best, v);
          if (f == Fold::fmin) best = soft::fmin(Type::f32, best, v);
        }
        want.push_back(soft::canonical(Type::f32, best));
      }
      for (std::size_t t = 0; t < on.size(); ++t) {
        Data in = patterns(Type::f32, {lists, n}, all), out = empty(Type::f32, {lists});
        const Argument a[] = {in.argument(), out.argument()};
        runtime::call(bodies[t], a, 2, {});
        CHECK_MESSAGE(bits(out) == want, on[t].name, ", ", n, " elements");
      }
    }
    for (runtime::KernelBody* body : bodies) runtime::release(body);
  }
}
