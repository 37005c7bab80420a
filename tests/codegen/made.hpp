// Kernels built by hand, and calls of the code made from them.
#pragma once
#include <cstring>
#include <string>
#include <vector>
#include "ordo/base/soft.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace made {
using namespace ordo;
using ir::Op;
using ir::Ref;

struct Random {
  u64 state = 1;
  u64 next() {
    u64 z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  u64 below(u64 n) { return next() % n; }
};

struct Maker {
  kernel::Kernel kernel;
  ir::Arena& a = kernel.arena;

  explicit Maker(const char* name = "made") { kernel.name = name; }
  u64 buffer(const char* name, Type type, kernel::Space space, i64 elements = 0, bool canonical = false) {
    kernel::Buffer b;
    b.name = name;
    b.type = type;
    b.space = space;
    b.canonical = canonical;
    if (space == kernel::Space::argument) {
      b.slot = kernel.arguments++;
      b.rank = 2;
    } else {
      b.elements = i(elements);
    }
    kernel.buffers.push_back(b);
    return kernel.buffers.size() - 1;
  }
  u64 argument(const char* name, Type type, bool canonical = false) { return buffer(name, type, kernel::Space::argument, 0, canonical); }
  Type stored(u64 buffer) const { return kernel.buffers[buffer].type; }

  Ref i(i64 value) { return a.integer(value); }
  Ref dim(u64 number) { return a.make(Op::Dim, Type::i64, {}, number, "n"); }
  Ref stride(u64 buffer, u64 dimension) { return a.make(Op::Stride, Type::i64, {}, buffer << 8 | dimension); }
  Ref var(const char* name, Type type = Type::i64, u16 lanes = 1) { return a.make(Op::Var, type, {}, kernel.next_var++, name, {}, lanes); }
  Ref one(Op op, Ref x) { return a.make(op, op == Op::IsNan ? Type::boolean : x->type, {x}, 0, "", {}, x->lanes); }
  Ref two(Op op, Ref x, Ref y) {
    return a.make(op, class_of(op) == ir::OpClass::compare ? Type::boolean : x->type, {x, y}, 0, "", {}, x->lanes);
  }
  Ref add(Ref x, Ref y) { return two(Op::Add, x, y); }
  Ref mul(Ref x, Ref y) { return two(Op::Mul, x, y); }
  Ref select(Ref c, Ref x, Ref y) { return a.make(Op::Select, x->type, {c, x, y}, 0, "", {}, x->lanes); }
  Ref fma(Ref x, Ref y, Ref z) { return a.make(Op::Fma, x->type, {x, y, z}, 0, "", {}, x->lanes); }
  Ref cast(Type to, Ref x) { return a.make(Op::Cast, compute_type(to), {x}, static_cast<u64>(to), "", {}, x->lanes); }
  Ref bitcast(Type to, Ref x) { return a.make(Op::Bitcast, to, {x}, 0, "", {}, x->lanes); }
  Ref ramp(Ref base, int lanes, i64 step = 1) { return ramp(base, lanes, i(step)); }
  Ref ramp(Ref base, int lanes, Ref step) {
    return lanes == 1 ? base : a.make(Op::Ramp, Type::i64, {base, step}, 0, "", {}, static_cast<u16>(lanes));
  }
  Ref broadcast(Ref x, int lanes) { return lanes == 1 ? x : a.make(Op::Broadcast, x->type, {x}, 0, "", {}, static_cast<u16>(lanes)); }
  Ref read(u64 b, Ref offset, Ref mask = nullptr) {
    const Ref s[] = {offset, mask};
    return a.make(Op::Read, compute_type(stored(b)), s, mask == nullptr ? 1 : 2, b, "", {}, offset->lanes);
  }
  Ref write(u64 b, Ref offset, Ref value, Ref mask = nullptr) {
    const Ref s[] = {offset, value, mask};
    return a.make(Op::Write, Type::none, s, mask == nullptr ? 2 : 3, b);
  }
  Ref loop(Ref v, Ref begin, Ref end, Ref body, ir::LoopMode mode = ir::LoopMode::serial) {
    return a.make(Op::For, Type::none, {v, begin, end, body}, static_cast<u64>(mode));
  }
  Ref block(const std::vector<Ref>& all) { return a.make(Op::Block, Type::none, all.data(), static_cast<u32>(all.size())); }
  Ref choose(Ref c, Ref yes, Ref no = nullptr) {
    const Ref s[] = {c, yes, no};
    return a.make(Op::If, Type::none, s, no == nullptr ? 2 : 3);
  }
  Ref let(Ref v, Ref value, Ref body) { return a.make(Op::Let, Type::none, {v, value, body}); }
  Ref alloc(u64 b, Ref body) { return a.make(Op::Alloc, Type::none, {body}, b); }
  Ref fail(u64 number, Ref value) { return a.make(Op::Fail, Type::none, {value}, number); }
};

// What the runtime would be: one thread, and a record of what happened.
struct Call {
  std::vector<void*> data;
  std::vector<i64> dims, strides;
  std::vector<std::pair<i64, i64>> failures;
  i64 allocated = 0, released = 0, chunks = 0;
  bool out_of_memory = false;

  static Call& of(const kernel::Frame* f) { return *static_cast<Call*>(f->context); }
  static void parallel_for(const kernel::Frame* f, i64 count, kernel::Chunk chunk, void* closure) {
    of(f).chunks += count;
    for (i64 i = count; i-- > 0;) chunk(closure, i);
  }
  static void* allocate(const kernel::Frame* f, i64 bytes) {
    if (of(f).out_of_memory) return nullptr;
    of(f).allocated += bytes;
    void* block = std::aligned_alloc(64, static_cast<std::size_t>((bytes + 127) / 64 * 64));
    std::memset(block, 0xfb, static_cast<std::size_t>(bytes));
    return block;
  }
  static void release(const kernel::Frame* f, void* block, i64 bytes) {
    of(f).released += bytes;
    std::free(block);
  }
  static void fail(const kernel::Frame* f, i64 failure, i64 value) { of(f).failures.emplace_back(failure, value); }
  i32 run(kernel::Entry entry) {
    const kernel::Hooks hooks = {parallel_for, allocate, release, fail};
    const kernel::Frame frame = {data.data(), dims.data(), strides.data(), &hooks, this};
    return entry(&frame);
  }
};

// Code of one kernel for one target, linked; unloaded at the end.
class Linked {
 public:
  Linked(const kernel::Kernel& kernel, const Target& target, bool texts = false)
      : code(codegen::llvm::generate(kernel, target, texts)), loaded_(codegen::llvm::load(code.object, kernel.name.c_str())) {}
  Linked(const Linked&) = delete;
  Linked& operator=(const Linked&) = delete;
  ~Linked() { codegen::llvm::unload(loaded_); }
  kernel::Entry entry() const { return codegen::llvm::entry(loaded_); }
  codegen::Code code;

 private:
  void* loaded_;
};

// Those that this processor can run.
inline std::vector<Target> targets() {
  std::vector<Target> all;
  for (const Target& t : {cpu::named("x86-64-v2"), cpu::named("x86-64-v3"), cpu::named("x86-64-v4"), cpu::host()})
    if (cpu::runs_here(t)) all.push_back(t);
  return all;
}
inline u64 mask_of(Type t) { return bits_of(t) == 64 ? ~u64{0} : (u64{1} << bits_of(t)) - 1; }

// Values that stand at an edge of the type, then random ones.
inline std::vector<u64> edges(Type t) {
  if (t == Type::boolean) return {0, 1};
  std::vector<u64> all = {0,       1,  2,  3,  7,  ~u64{0}, ~u64{0} - 1, u64{1} << (bits_of(t) - 1), (u64{1} << (bits_of(t) - 1)) - 1,
                          u64{31}, 32, 33, 63, 64, 65,      100};
  if (t == Type::f32)
    all = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f800001,
           0x3f000000, 0x3fc00000, 0xc0200000, 0x4b000001, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x5f000000,
           0xdf000000, 0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001};
  if (t == Type::f64)
    all = {0,
           u64{1} << 63,
           1,
           0x000fffffffffffff,
           0x0010000000000000,
           0x3ff0000000000000,
           0xbff0000000000000,
           0x3ff0000000000001,
           0x3fe0000000000000,
           0x3ff8000000000000,
           0xc004000000000000,
           0x4330000000000001,
           0x41dfffffffc00000,
           0x41e0000000000000,
           0xc1e0000000000000,
           0xc1e0000000200000,
           0x41f0000000000000,
           0x43e0000000000000,
           0xc3e0000000000000,
           0x43f0000000000000,
           0x7fefffffffffffff,
           0x7ff0000000000000,
           0xfff0000000000000,
           0x7ff8000000000000,
           0xfff0000000000001};
  for (u64& x : all) x &= mask_of(t);
  return all;
}
inline u64 random_bits(Random& random, Type t) {
  const u64 r = random.next();
  if (t == Type::boolean) return r & 1;
  u64 bits = random.next();
  if (is_float(t) && (r & 3) != 0) {       // near 1 in size, now and then with few bits set
    const u64 frac = t == Type::f32 ? 23 : 52, bias = t == Type::f32 ? 127 : 1023;
    if ((r & 16) != 0) bits &= random.next() & random.next() & random.next();
    bits = (bits & ((u64{1} << frac) - 1)) | (bias - 40 + random.below(80)) << frac | (r >> 8 & 1) << (bits_of(t) - 1);
  } else if (!is_float(t) && (r & 3) != 0) {
    bits >>= random.below(64);
    if ((r & 16) != 0) bits = ~bits;
  }
  return bits & mask_of(t);
}
// `count` tuples: first all pairs (or triples of few) of edges, then random ones; padded to a multiple of 16.
inline std::vector<std::vector<u64>> operands(const std::vector<Type>& types, std::size_t random_count, Random& random) {
  std::vector<std::vector<u64>> columns(types.size());
  std::vector<std::vector<u64>> of;
  for (Type t : types) of.push_back(edges(t));
  std::size_t all = 1;
  for (const auto& e : of) all *= e.size();
  const std::size_t step = all > 4000 ? all / 4000 | 1 : 1;
  for (std::size_t k = 0; k < all; k += step) {
    std::size_t rest = k;
    for (std::size_t c = 0; c < types.size(); ++c) {
      columns[c].push_back(of[c][rest % of[c].size()]);
      rest /= of[c].size();
    }
  }
  while (random_count > 0 || columns[0].size() % 16 != 0) {
    for (std::size_t c = 0; c < types.size(); ++c) columns[c].push_back(random_bits(random, types[c]));
    if (random_count > 0) --random_count;
  }
  return columns;
}
inline std::vector<u8> in_memory(Type t, const std::vector<u64>& values) {
  const std::size_t size = static_cast<std::size_t>(bytes_of(t));
  std::vector<u8> bytes(values.size() * size);
  for (std::size_t k = 0; k < values.size(); ++k) std::memcpy(bytes.data() + k * size, &values[k], size);
  return bytes;
}
inline u64 element(Type t, const std::vector<u8>& bytes, std::size_t k) {
  u64 value = 0;
  std::memcpy(&value, bytes.data() + k * static_cast<std::size_t>(bytes_of(t)), static_cast<std::size_t>(bytes_of(t)));
  return value;
}
}  // namespace made
