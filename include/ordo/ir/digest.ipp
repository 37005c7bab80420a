#pragma once
#include <cstring>
#include <string>
#include <vector>
#if !defined(XXH_INLINE_ALL)
#define XXH_INLINE_ALL
#include <xxhash.h>
#undef XXH_INLINE_ALL
#else
#include <xxhash.h>
#endif
#include "ordo/ir/digest.hpp"
#include "ordo/ir/form.hpp"
#include "ordo/ir/post_order.hpp"

namespace ordo::ir {
ORDO_INLINE Digest digest_of(const void* data, std::size_t bytes) {
  const XXH128_hash_t h = XXH3_128bits(data, bytes);
  return {h.low64, h.high64};
}
ORDO_INLINE void hex(const Digest& digest, char (&text)[33]) {
  constexpr const char* digit = "0123456789abcdef";
  for (int k = 0; k < 16; ++k) {
    text[k] = digit[digest.high >> (60 - 4 * k) & 15];
    text[16 + k] = digit[digest.low >> (60 - 4 * k) & 15];
  }
  text[32] = '\0';
}

namespace detail_digest {
// A record: words in little-endian order, texts by length and bytes. Equal records, equal things.
class Record {
 public:
  void word(u64 w) {
    for (int k = 0; k < 8; ++k) bytes_.push_back(static_cast<char>(w >> (8 * k) & 255));
  }
  void text(const char* t) {
    const std::size_t n = std::strlen(t);
    word(n);
    bytes_.insert(bytes_.end(), t, t + n);
  }
  void digest(const Digest& d) {
    word(d.low);
    word(d.high);
  }
  Digest take() {
    const Digest d = digest_of(bytes_.data(), bytes_.size());
    bytes_.clear();
    return d;
  }
 private:
  std::vector<char> bytes_;
};

// Each node by its operation, facts and the digests of its sources, so that sharing, hence naming, does not show.
class Nodes {
 public:
  Nodes(const std::vector<u64>& dims, const std::vector<u64>& tensors) : dims_(dims), tensors_(tensors) {}
  const Digest& operator()(Ref e) {
    post_order(e, [this](Ref n) { return done_.find(n) != nullptr; }, [this](Ref n) { done_.insert(n, compute(n)); });
    return *done_.find(e);
  }

 private:
  Digest compute(Ref e) {
    record_.text(name_of(e->op));
    record_.text(ordo::name_of(e->type));
    record_.word(e->lanes);
    facts(e);
    record_.word(e->count);
    for (u32 k = 0; k < e->count; ++k) record_.digest(*done_.find(e->src[k]));
    return record_.take();
  }
  void facts(Ref e) {
    switch (e->op) {
      case Op::Dim: record_.word(dims_[e->arg]); break;
      case Op::Tensor: record_.word(tensors_[e->arg]); break;
      case Op::Cast: record_.text(ordo::name_of(static_cast<Type>(e->arg))); break;
      case Op::Axis: {
        const AxisFacts f = axis_facts(e);
        record_.text(name_of(f.order));
        for (const u32 w : {f.lanes, f.block, f.level}) record_.word(w);
        break;
      }
      case Op::Reduce: {
        const ReduceFacts f = reduce_facts(e->arg);
        for (const u32 w : {f.axes, f.fields, u32{f.merge}, u32{f.free}}) record_.word(w);
        break;
      }
      case Op::State:
        record_.word(e->arg & 0xffffffff);
        record_.word(e->arg >> 32);
        break;
      default: record_.word(e->arg);
    }
  }
  const std::vector<u64>&dims_, &tensors_;
  RefMap<Digest> done_;
  Record record_;
};

// Inputs first, then definitions; Dims by the argument that binds them: numbers that do not depend on how a Program was made.
inline std::vector<u64> tensor_numbers(const Program& p) {
  std::vector<u64> number(p.tensors.size(), ~u64{0});
  u64 next = 0;
  for (const int input : p.inputs) number[static_cast<std::size_t>(input)] = next++;
  for (const Definition& d : p.definitions) number[static_cast<std::size_t>(d.tensor)] = next++;
  return number;
}
inline std::vector<u64> dim_numbers(const Program& p) {
  std::vector<u64> number;
  for (const DimInfo& d : p.dims) number.push_back(static_cast<u64>(d.argument) << 8 | static_cast<u64>(d.dimension));
  return number;
}

}  // namespace detail_digest

ORDO_INLINE Digest digest(const Program& p, u64 numerics) {
  using namespace detail_digest;
  const std::vector<u64> dims = dim_numbers(p), tensors = tensor_numbers(p);
  Nodes node(dims, tensors);
  Record r;
  const auto tensor = [&](int number, bool output) {
    const TensorInfo& t = p.tensors[static_cast<std::size_t>(number)];
    r.text(ordo::name_of(t.type));
    r.word(output);
    r.word(t.shape.size());
    for (const Ref size : t.shape) r.digest(node(size));
  };
  r.text("ordo program");
  r.word(numerics);
  r.word(p.inputs.size());
  for (const int input : p.inputs) tensor(input, false);
  r.word(p.definitions.size());
  for (const Definition& d : p.definitions) {
    tensor(d.tensor, p.tensors[static_cast<std::size_t>(d.tensor)].output);
    for (const Ref axis : d.axes) r.digest(node(axis));
    r.digest(node(d.value));
  }
  r.word(p.outputs.size());
  for (const int output : p.outputs) r.word(tensors[static_cast<std::size_t>(output)]);
  r.word(p.checks.size());
  for (const SizeCheck& c : p.checks) {
    r.digest(node(c.left));
    r.digest(node(c.right));
  }
  return r.take();
}
ORDO_INLINE Digest digest(const Program& program) { return digest(program, static_cast<u64>(numerics_version)); }
}  // namespace ordo::ir
