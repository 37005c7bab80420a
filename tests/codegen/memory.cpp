// Reads and writes: narrow types, masks, distances between lanes, gathers. Masked-off lanes touch nothing: buffers end at a
// page that may not be touched.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <limits>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

constexpr Type stored_types[] = {Type::boolean, Type::i8,  Type::u8,  Type::i16,  Type::u16, Type::i32, Type::u32,
                                 Type::i64,     Type::u64, Type::f16, Type::bf16, Type::f32, Type::f64};

// Memory whose last byte is followed, and whose first page is preceded, by a page without access.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    map_ = static_cast<u8*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(mprotect(map_ + page, inner, PROT_READ | PROT_WRITE) == 0);
    begin = map_ + page + inner - bytes;
    first = map_ + page;
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(map_, size_); }
  u8* begin;             // `bytes` before the upper guard
  u8* first;             // just after the lower guard

 private:
  u8* map_;
  std::size_t size_;
};

void run(const Maker& m, const Target& t, std::vector<void*> data, std::vector<i64> dims, std::vector<i64> strides = {}) {
  const Linked linked(m.kernel, t);
  Call call;
  call.data = std::move(data);
  call.dims = std::move(dims);
  call.strides = std::move(strides);
  call.strides.resize(call.data.size() * max_rank + max_rank);
  CHECK(call.run(linked.entry()) == 0);
}
Ref tail_mask(Maker& m, Ref from, int lanes) { return m.two(Op::Lt, m.ramp(from, lanes), m.broadcast(m.dim(0), lanes)); }
}  // namespace

TEST_CASE("narrow types: every bit pattern of 8 and 16 bits widens, and narrows back, as soft:: says") {
  for (const Target& t : targets())
    for (Type s : stored_types) {
      if (bytes_of(s) > 2) continue;
      for (int lanes : {1, 8}) {
        Maker m;
        const u64 in = m.argument("in", s), wide = m.argument("wide", compute_type(s), true), out = m.argument("out", s, true);
        Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(lanes)), lanes);
        m.kernel.body =
            m.loop(i, m.i(0), m.i(65536 / lanes), m.block({m.write(wide, at, m.read(in, at)), m.write(out, at, m.read(in, at))}));
        std::vector<u64> all(65536);
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = k & (bytes_of(s) == 1 ? 255 : 65535);
        auto from = in_memory(s, all);
        std::vector<u8> wider(65536 * static_cast<std::size_t>(bytes_of(compute_type(s)))), back(from.size());
        run(m, t, {from.data(), wider.data(), back.data()}, {});
        int wrong = 0;
        for (std::size_t k = 0; k < all.size() && wrong < 3; ++k) {
          u64 want_wide = 0, want = 0;
          const u64 value = soft::load(s, from.data() + k * static_cast<std::size_t>(bytes_of(s)));
          soft::store(compute_type(s), &want_wide, value);
          soft::store(s, &want, value);
          if (element(compute_type(s), wider, k) == want_wide && element(s, back, k) == want) continue;
          ++wrong;
          FAIL_CHECK(t.name << " " << name_of(s) << " lanes " << lanes << ": pattern " << k);
        }
      }
    }
}
TEST_CASE("narrowing: values round once to nearest even, integers keep the low bits") {
  for (const Target& t : targets())
    for (auto [s, from] :
         {std::pair{Type::f16, Type::f32}, {Type::bf16, Type::f32}, {Type::i8, Type::i32}, {Type::u16, Type::u32}, {Type::u8, Type::i32}}) {
      Maker m;
      const u64 in = m.argument("in", from), out = m.argument("out", s, true);
      Random random;
      const auto values = operands({from}, 5000, random)[0];
      std::vector<u64> all = values;
      for (u64 k = 0; from == Type::f32 && k < 20000; ++k)
        all.push_back(0x33000000 + k * 41057 % 0x15000000 + (k & 1) * 0x80000000 + (k & 2) * 0x800);
      while (all.size() % 8 != 0) all.push_back(0);
      Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(8)), 8);
      m.kernel.body = m.loop(i, m.i(0), m.dim(0), m.write(out, at, m.read(in, at)));
      auto source = in_memory(from, all);
      std::vector<u8> result(all.size() * static_cast<std::size_t>(bytes_of(s)));
      run(m, t, {source.data(), result.data()}, {static_cast<i64>(all.size() / 8)});
      int wrong = 0;
      for (std::size_t k = 0; k < all.size() && wrong < 3; ++k) {
        u64 want = 0;
        soft::store(s, &want, all[k]);
        if (element(s, result, k) == want) continue;
        ++wrong;
        FAIL_CHECK(t.name << " " << name_of(s) << ": " << std::to_string(all[k]) << " gives " << element(s, result, k) << ", not " << want);
      }
    }
}
TEST_CASE("NaN: canonical in a buffer that says so, in whatever way it got there") {
  for (const Target& t : targets())
    for (Type s : {Type::f32, Type::f64})
      for (int lanes : {1, 4}) {
        Maker m;
        const u64 in = m.argument("in", s), out = m.argument("out", s, true);
        m.kernel.body = m.write(out, m.ramp(m.i(0), lanes), m.read(in, m.ramp(m.i(0), lanes)));
        const u64 odd = s == Type::f32 ? 0xffc12345u : 0xfff0000000000001u, nan = s == Type::f32 ? 0x7fc00000u : 0x7ff8000000000000u;
        auto from = in_memory(s, {odd, 5, odd, odd});
        auto to = in_memory(s, {1, 1, 1, 1});
        run(m, t, {from.data(), to.data()}, {});
        CHECK(element(s, to, 0) == nan);
        if (lanes == 4) CHECK(element(s, to, 1) == 5);
      }
}
TEST_CASE("masked tails: nothing past the end is touched, masked-off lanes read as 0") {
  for (const Target& t : targets())
    for (Type s : stored_types)
      for (int lanes : {4, 16}) {
        Maker m;
        const u64 in = m.argument("in", s), out = m.argument("out", s), seen = m.argument("seen", compute_type(s));
        Ref i = m.var("i"), from = m.mul(i, m.i(lanes)), at = m.ramp(from, lanes), mask = tail_mask(m, from, lanes);
        m.kernel.body = m.loop(i, m.i(0), m.two(Op::Div, m.add(m.dim(0), m.i(lanes - 1)), m.i(lanes)),
                               m.block({m.write(out, at, m.read(in, at, mask), mask), m.write(seen, at, m.read(in, at, mask))}));
        const Linked linked(m.kernel, t);
        for (i64 n : {1, 3, 15, 16, 17, 37}) {
          const std::size_t size = static_cast<std::size_t>(bytes_of(s)), count = static_cast<std::size_t>(n),
                            step = static_cast<std::size_t>(lanes);
          Guarded source(count * size), result(count * size);
          for (std::size_t k = 0; k < count; ++k) {
            const u64 one = s == Type::boolean ? 1 : k + 1;
            std::memcpy(source.begin + k * size, &one, size);
          }
          std::vector<u8> lanes_seen((count + 15) / 16 * 16 * static_cast<std::size_t>(bytes_of(compute_type(s))), u8{0xcc});
          Call call;
          call.data = {source.begin, result.begin, lanes_seen.data()};
          call.dims = {n};
          call.strides.resize(3 * max_rank);
          CHECK(call.run(linked.entry()) == 0);
          CHECK_MESSAGE(std::memcmp(source.begin, result.begin, count * size) == 0, t.name, " ", name_of(s));
          for (std::size_t k = count; k < (count + step - 1) / step * step; ++k) CHECK(element(compute_type(s), lanes_seen, k) == 0);
        }
      }
}
TEST_CASE("masks of all lanes or none: nothing is touched where none are, and zeros are read") {
  for (const Target& t : targets())
    for (int lanes : {2, 4, 16, 64})
      for (const i64 taken : {0, 1}) {
        Maker m;
        const u64 in = m.argument("in", Type::f32), out = m.argument("out", Type::f32);
        Ref all = m.broadcast(m.two(Op::Eq, m.dim(0), m.i(1)), lanes), at = m.ramp(m.i(0), lanes);
        m.kernel.body = m.write(out, at, m.read(in, at, all));
        std::vector<float> from(64, 3), to(64, 7);
        const Guarded nowhere(4096);
        run(m, t, {taken != 0 ? static_cast<void*>(from.data()) : nowhere.begin + 4096, to.data()}, {taken});
        for (int k = 0; k < lanes; ++k) CHECK(to[static_cast<std::size_t>(k)] == (taken != 0 ? 3.0f : 0.0f));
      }
}
TEST_CASE("masked heads: lanes before the first element are not touched") {
  for (const Target& t : targets()) {
    Maker m;
    const u64 in = m.argument("in", Type::f32), out = m.argument("out", Type::f32);
    Ref at = m.ramp(m.i(-3), 8), mask = m.two(Op::Ge, at, m.broadcast(m.i(0), 8));
    m.kernel.body = m.write(out, m.ramp(m.i(0), 8), m.read(in, at, mask));
    Guarded source(4096);
    const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, want[8] = {0, 0, 0, 1, 2, 3, 4, 5};
    std::memcpy(source.first, values, sizeof values);
    float result[8];
    run(m, t, {source.first, result}, {});
    CHECK(std::memcmp(result, want, sizeof want) == 0);
  }
}
TEST_CASE("masks: a ramp over values of the data wraps as index arithmetic does; one over loop counters is a tail") {
  constexpr i64 top = std::numeric_limits<i64>::max(), bottom = std::numeric_limits<i64>::min();
  for (const Target& t : targets())
    for (auto [base, limit] :
         {std::pair<i64, i64>{top - 3, top}, {top - 3, 0}, {bottom, top}, {bottom, bottom + 2}, {5, 9}, {5, -9}, {-3, 1}, {0, 100}}) {
      Maker m;
      const u64 in = m.argument("in", Type::i64), out = m.argument("out", Type::boolean);
      constexpr int lanes = 16;
      Ref b = m.var("b"), i = m.var("i");
      Ref over_data = m.two(Op::Lt, m.ramp(b, lanes), m.broadcast(m.read(in, m.i(1)), lanes));
      Ref over_counter = m.two(Op::Lt, m.ramp(m.add(m.mul(i, m.i(3)), m.i(-2)), lanes), m.broadcast(m.read(in, m.i(1)), lanes));
      m.kernel.body = m.block({m.let(b, m.read(in, m.i(0)), m.write(out, m.ramp(m.i(0), lanes), over_data)),
                               m.loop(i, m.i(0), m.i(3), m.write(out, m.ramp(m.mul(m.add(i, m.i(1)), m.i(lanes)), lanes), over_counter))});
      i64 data[2] = {base, limit};
      u8 result[4 * lanes];
      run(m, t, {data, result}, {});
      for (i64 l = 0; l < lanes; ++l) {
        CHECK(result[l] == (static_cast<i64>(static_cast<u64>(base) + static_cast<u64>(l)) < limit));
        for (i64 k = 0; k < 3; ++k) CHECK(result[(k + 1) * lanes + l] == (3 * k - 2 + l < limit));
      }
    }
}
TEST_CASE("masked scalars: read as 0, not written") {
  for (const Target& t : targets()) {
    Maker m;
    const u64 in = m.argument("in", Type::i32), out = m.argument("out", Type::i32);
    Ref i = m.var("i"), even = m.two(Op::Eq, m.two(Op::Mod, i, m.i(2)), m.i(0)), low = m.two(Op::Lt, i, m.i(5));
    m.kernel.body = m.loop(i, m.i(0), m.i(9), m.write(out, i, m.add(m.read(in, i, low), m.read(in, i, even)), m.two(Op::Ne, i, m.i(1))));
    std::vector<int> source = {1, 2, 3, 4, 5, 6, 7, 8, 9}, result(9, -1);
    run(m, t, {source.data(), result.data()}, {});
    CHECK(result == std::vector<int>{2, -1, 6, 4, 10, 0, 7, 0, 9});
  }
}
TEST_CASE("distances: constant, negative and of the call, with and without a mask") {
  for (const Target& t : targets())
    for (Type s : {Type::i16, Type::f32, Type::f64})
      for (int kind = 0; kind < 6; ++kind) {
        Maker m;
        const u64 in = m.argument("in", s), out = m.argument("out", s);
        constexpr int lanes = 8;
        const i64 distance = kind % 3 == 0 ? 3 : kind % 3 == 1 ? -2 : 5;
        Ref step = kind % 3 == 2 ? m.stride(in, 1) : m.i(distance);
        Ref mask = kind >= 3 ? m.two(Op::Lt, m.ramp(m.i(0), lanes), m.broadcast(m.dim(0), lanes)) : nullptr;
        Ref from = m.ramp(m.dim(1), lanes, step), to = m.ramp(m.dim(1), lanes, step);
        m.kernel.body = m.write(out, to, m.read(in, from, mask), mask);
        std::vector<u64> values;
        for (u64 k = 0; k < 64; ++k) values.push_back(k + 1);
        auto source = in_memory(s, values), result = in_memory(s, std::vector<u64>(64, 99));
        std::vector<i64> strides(max_rank, 0);
        strides[1] = 5;
        const i64 base = 20, active = kind >= 3 ? 5 : lanes;
        run(m, t, {source.data(), result.data()}, {5, base}, strides);
        for (i64 k = 0; k < 64; ++k) {
          const bool hit = (k - base) % distance == 0 && (k - base) / distance >= 0 && (k - base) / distance < active;
          CHECK(element(s, result, static_cast<std::size_t>(k)) == (hit ? values[static_cast<std::size_t>(k)] : 99));
        }
      }
}
TEST_CASE("sums of ramps and scalars: one address") {
  for (const Target& t : targets()) {
    Maker m;
    const u64 in = m.argument("in", Type::f32), out = m.argument("out", Type::f32);
    Ref i = m.var("i");
    Ref at = m.add(m.broadcast(m.mul(i, m.i(4)), 4), m.add(m.ramp(m.i(0), 4), m.a.constant(Type::i64, 0, 4)));
    m.kernel.body = m.loop(i, m.i(0), m.i(3), m.write(out, at, m.add(m.read(in, at), m.read(in, m.broadcast(i, 4)))));
    std::vector<float> source = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, result(12);
    run(m, t, {source.data(), result.data()}, {});
    for (int k = 0; k < 12; ++k) CHECK(result[static_cast<std::size_t>(k)] == static_cast<float>(k + k / 4));
  }
}
TEST_CASE("gathers and scatters: any element for any lane, only where the mask says") {
  for (const Target& t : targets())
    for (Type s : {Type::u8, Type::f16, Type::f32, Type::i64})
      for (bool masked : {false, true}) {
        Maker m;
        const u64 index = m.argument("index", Type::i64), in = m.argument("in", s), out = m.argument("out", s);
        constexpr int lanes = 8;
        Ref at = m.read(index, m.ramp(m.i(0), lanes));
        Ref mask = masked ? m.two(Op::Lt, m.ramp(m.i(0), lanes), m.a.constant(Type::i64, 6, lanes)) : nullptr;
        m.kernel.body = m.write(out, m.two(Op::Sub, m.a.constant(Type::i64, 15, lanes), at), m.read(in, at, mask), mask);
        std::vector<i64> places = {3, 14, 0, 15, 7, 8, i64{1} << 40, -(i64{1} << 40)};
        if (!masked) places[6] = 1, places[7] = 2;
        std::vector<u64> values;
        for (u64 k = 0; k < 16; ++k) values.push_back(k + 1);
        auto source = in_memory(s, values), result = in_memory(s, std::vector<u64>(16, 99));
        run(m, t, {places.data(), source.data(), result.data()}, {});
        std::vector<u64> want(16, 99);
        for (std::size_t k = 0; k < (masked ? 6u : 8u); ++k)
          want[static_cast<std::size_t>(15 - places[k])] = values[static_cast<std::size_t>(places[k])];
        CHECK(result == in_memory(s, want));
      }
}
TEST_CASE("bool: any nonzero byte is true, stored as 1") {
  for (const Target& t : targets())
    for (int lanes : {1, 16}) {
      Maker m;
      const u64 in = m.argument("in", Type::boolean), out = m.argument("out", Type::boolean);
      Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(lanes)), lanes);
      m.kernel.body = m.loop(i, m.i(0), m.i(256 / lanes), m.write(out, at, m.read(in, at)));
      std::vector<u8> source(256), result(256, u8{7});
      for (std::size_t k = 0; k < 256; ++k) source[k] = static_cast<u8>(k);
      run(m, t, {source.data(), result.data()}, {});
      for (std::size_t k = 0; k < 256; ++k) CHECK(result[k] == (k != 0));
    }
}
