// All 2^32 values of f32 to every type, on each target: long, so only where it is asked for (ctest label `exhaustive`).
#include <limits>
#include <type_traits>
#include "contract/exact.hpp"
#include "contract/samples.hpp"
#include "ordo/cpu.hpp"
#include "ordo/runtime/calls.hpp"
#include "runtime/walk_target.hpp"

namespace {
using namespace contract;
constexpr i64 run = i64{1} << 16;

// Casts do not decrease: where the first and the last value of equal results are right, all between them are. The sign is
// split off and NaNs are told apart by the caller's runs, which hold 2^16 values of one sign.
// Of 32 and 64 bits most results differ; there the processor's own conversions are the other opinion.
template <class I> u64 truncated(float x) {
  constexpr float limit = static_cast<float>(std::numeric_limits<I>::max());       // rounded up to a power of two
  if (x != x) return 0;
  if (x >= limit) return static_cast<u64>(std::numeric_limits<I>::max());
  if (x <= static_cast<float>(std::numeric_limits<I>::min())) return static_cast<std::make_unsigned_t<I>>(std::numeric_limits<I>::min());
  return static_cast<std::make_unsigned_t<I>>(static_cast<I>(x));
}
u64 by_processor(Type to, u64 bits) {
  const u32 word = static_cast<u32>(bits);
  float x = 0;
  std::memcpy(&x, &word, 4);
  const double wide = x;
  u64 result = 0;
  switch (to) {
    case Type::i32: return truncated<i32>(x);
    case Type::u32: return truncated<u32>(x);
    case Type::i64: return truncated<i64>(x);
    case Type::u64: return truncated<u64>(x);
    case Type::f32: return x != x ? 0x7fc00000 : word;
    default: std::memcpy(&result, &wide, 8); return x != x ? 0x7ff8000000000000 : result;
  }
}
struct Checker {
  Type to;
  exact::Number room;
  u64 checked = 0;
  int wrong = 0;
  void one(u64 x, u64 have, const char* target) {
    ++checked;
    const u64 want = bits_of(to) >= 32 ? by_processor(to, x) : exact::cast(to, Type::f32, x, room);
    if (want == have || ++wrong > 3) return;
    FAIL_CHECK(target << ": " << name_of(to) << " from f32 " << x << " is " << want << ", not " << have);
  }
};
void check(const Target& target) {
  Maker b;
  const Ref x = b.input("X", Type::f32, 1), i = b.index("i", b.i64s(run));
  std::vector<Ref> outputs;
  for (const Type to : every_type) outputs.push_back(b.named((std::string("Y_") + name_of(to)).c_str(), to, {i}, b.cast(to, b.at(x, {i}))));
  const ir::Program p = ir::snapshot(&x, 1, outputs.data(), static_cast<int>(outputs.size()), {});
  runtime::KernelBody* body = runtime::compile(p, nullptr, target, walk_target::no_disk(), {});
  std::vector<Data> data{empty(Type::f32, {run})};
  for (const Type to : every_type) data.push_back(empty(to, {run}));
  std::vector<Argument> arguments;
  for (Data& d : data) arguments.push_back(d.argument());
  std::vector<std::unique_ptr<Checker>> checkers;
  for (const Type to : every_type) checkers.push_back(std::unique_ptr<Checker>(new Checker{to, {}}));
  for (u64 first = 0; first < u64{1} << 32; first += static_cast<u64>(run)) {
    for (i64 k = 0; k < run; ++k) {
      const u32 v = static_cast<u32>(first) + static_cast<u32>(k);
      std::memcpy(data[0].bytes.data() + 4 * k, &v, 4);
    }
    runtime::call(body, arguments.data(), static_cast<int>(arguments.size()), {});
    for (std::size_t t = 0; t < checkers.size(); ++t) {
      const std::size_t size = static_cast<std::size_t>(bytes_of(every_type[t]));
      const u8* const y = data[1 + t].bytes.data();
      for (std::size_t k = 0; k < static_cast<std::size_t>(run); ++k) {
        const bool starts = k == 0 || std::memcmp(y + k * size, y + (k - 1) * size, size) != 0;
        const bool ends = k + 1 == static_cast<std::size_t>(run) || std::memcmp(y + k * size, y + (k + 1) * size, size) != 0;
        if (!starts && !ends) continue;
        u64 have = 0;
        std::memcpy(&have, y + k * size, size);
        checkers[t]->one(first + k, have, target.name);
      }
    }
  }
  runtime::release(body);
  std::string report = target.name;
  for (const auto& c : checkers)
    report += std::string(" ") + name_of(c->to) + " " + std::to_string(c->checked) + "/" + std::to_string(c->wrong);
  MESSAGE("f32 to every type, 4294967296 values, compared/wrong: " << report);
}
}  // namespace

TEST_CASE("exhaustive: f32 to every type" * doctest::skip()) {
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const Target t = cpu::named(name); cpu::runs_here(t)) check(t);
}
