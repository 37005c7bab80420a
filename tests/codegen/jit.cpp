// Loading code: damaged bytes, many objects, many threads, unloading; and the same bytes for the same kernel.
#include <doctest/doctest.h>
#include <cfenv>
#include <thread>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

extern "C" {             // GDB's interface for code made at run time
struct JitEntry { JitEntry *next, *previous; const char* file; std::uint64_t bytes; };
struct JitDescriptor { std::uint32_t version, action; JitEntry *relevant, *first; };
extern JitDescriptor __jit_debug_descriptor;
}

namespace {
using namespace made;

bool debugger_sees(const std::string& name) {
  for (const JitEntry* e = __jit_debug_descriptor.first; e != nullptr; e = e->next)
    if (std::string(e->file, e->bytes).find(name) != std::string::npos) return true;
  return false;
}

void constant_kernel(Maker& m, i64 value) {
  const u64 out = m.argument("out", Type::i64);
  m.kernel.body = m.write(out, m.i(0), m.i(value));
}
i64 result_of(kernel::Entry entry) {
  i64 result = -1;
  Call call;
  call.data = {&result};
  call.run(entry);
  return result;
}
codegen::Code code_of(i64 value, bool texts = false) {
  Maker m;
  constant_kernel(m, value);
  return codegen::llvm::generate(m.kernel, cpu::named("x86-64-v2"), texts);
}
std::string load_error(const std::string& bytes) {
  try {
    codegen::llvm::unload(codegen::llvm::load(bytes, "C"));
  } catch (const Error& e) {
    CHECK(std::string(e.code()) == "codegen.load");
    CHECK(e.kind() == Error::Kind::user);
    return e.what();
  }
  return "";
}
}  // namespace

TEST_CASE("generate: the same kernel and target give the same bytes; texts when asked") {
  const codegen::Code a = code_of(7), b = code_of(7, true), c = code_of(8);
  CHECK(a.object == b.object);
  CHECK(a.object != c.object);
  CHECK(a.ir.empty());
  CHECK(b.ir.find("define i32 @ordo_kernel") != std::string::npos);
  CHECK(b.assembly.find("ordo_kernel:") != std::string::npos);
  CHECK(codegen::llvm::version().find('.') != std::string::npos);
}
TEST_CASE("load: many objects at once, each with its own ordo_kernel; places are used again") {
  std::vector<void*> loaded;
  for (i64 k = 0; k < 20; ++k) loaded.push_back(codegen::llvm::load(code_of(k).object, "many"));
  for (i64 k = 0; k < 20; ++k) CHECK(result_of(codegen::llvm::entry(loaded[static_cast<std::size_t>(k)])) == k);
  for (i64 k = 0; k < 10; ++k) codegen::llvm::unload(loaded[static_cast<std::size_t>(k)]);
  for (i64 k = 0; k < 10; ++k) loaded[static_cast<std::size_t>(k)] = codegen::llvm::load(code_of(100 + k).object, "many");
  for (i64 k = 0; k < 20; ++k) CHECK(result_of(codegen::llvm::entry(loaded[static_cast<std::size_t>(k)])) == (k < 10 ? 100 + k : k));
  for (void* l : loaded) codegen::llvm::unload(l);
}
TEST_CASE("load: damaged, truncated and foreign bytes are refused, and nothing is left behind") {
  const std::string good = code_of(1).object;
  CHECK(load_error("") == "error[codegen.load]: cannot load the code of `C`: it is damaged, or not made by this library");
  CHECK(!load_error("\x7f" "ELF, but nothing of ours, and as long as a seal is or longer").empty());
  for (std::size_t n = 0; n < good.size(); n += 1 + n / 7) CHECK(!load_error(good.substr(0, n)).empty());
  for (std::size_t at = 0; at < good.size(); at += 3) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    CHECK(!load_error(bad).empty());
  }
  CHECK(load_error(good).empty());
}
TEST_CASE("generate and load: from many threads at once") {
  std::vector<std::thread> threads;
  std::vector<i64> results(6);
  for (std::size_t k = 0; k < results.size(); ++k)
    threads.emplace_back([k, &results] {
      for (i64 turn = 0; turn < 4; ++turn) {
        void* loaded = codegen::llvm::load(code_of(static_cast<i64>(k) * 10 + turn).object, "threads");
        results[k] += result_of(codegen::llvm::entry(loaded));
        codegen::llvm::unload(loaded);
      }
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t k = 0; k < results.size(); ++k) CHECK(results[k] == static_cast<i64>(k) * 40 + 6);
}
TEST_CASE("generate: constants fold in the contract's environment, and the caller keeps its own") {
  const auto code = [] {
    Maker m;
    const u64 out = m.argument("out", Type::f32);
    const auto number = [&](u32 bits) { return m.a.constant(Type::f32, bits); };
    m.kernel.body = m.block({m.write(out, m.i(0), m.one(Op::Sqrt, number(0x40000000))),
                             m.write(out, m.i(1), m.two(Op::Div, number(0x3f800000), number(0x40400000))),
                             m.write(out, m.i(2), m.mul(number(0x00800000), number(0x3f000000)))});
    return codegen::llvm::generate(m.kernel, cpu::named("x86-64-v2"), false).object;
  };
  const std::string plain = code();
  std::fesetround(FE_UPWARD);
  const std::string upward = code();
  const int kept = std::fegetround();
  std::fesetround(FE_TONEAREST);
  CHECK(kept == FE_UPWARD);
  CHECK(plain == upward);
}
TEST_CASE("load: a debugger hears of the code by the kernel's name, and of its end") {
  Maker m("a_product_of_its_own");
  constant_kernel(m, 1);
  {
    const Linked linked(m.kernel, cpu::named("x86-64-v2"));
    CHECK(debugger_sees("a_product_of_its_own"));
  }
  CHECK(!debugger_sees("a_product_of_its_own"));
}
TEST_CASE("routines: code finds the library's own functions wherever it lies") {
  Maker m;
  const u64 x = m.argument("x", Type::f64);
  m.kernel.body = m.write(x, m.i(0), m.fma(m.read(x, m.i(0)), m.read(x, m.i(1)), m.two(Op::Fmod, m.read(x, m.i(2)), m.read(x, m.i(3)))));
  const Linked linked(m.kernel, cpu::named("x86-64-v2"));
  double values[4] = {3, 4, 11, 4};
  Call call;
  call.data = {values};
  call.strides.resize(max_rank);
  call.run(linked.entry());
  CHECK(values[0] == 15);
}
