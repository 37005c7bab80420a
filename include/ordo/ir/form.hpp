// Working storage of the integer algebra: a small ordered map keyed by nodes, and linear forms on top of it.
// Everything wraps modulo 2^64, so that a form has the value of the expression that it came from, whatever the inputs.
#pragma once
#include <vector>
#include "ordo/ir/arena.hpp"
#include "ordo/ir/interval.hpp"

namespace ordo::ir {
constexpr i64 wrap_add(i64 a, i64 b) { return static_cast<i64>(static_cast<u64>(a) + static_cast<u64>(b)); }
constexpr i64 wrap_sub(i64 a, i64 b) { return static_cast<i64>(static_cast<u64>(a) - static_cast<u64>(b)); }
constexpr i64 wrap_mul(i64 a, i64 b) { return static_cast<i64>(static_cast<u64>(a) * static_cast<u64>(b)); }
constexpr i64 floor_quotient(i64 a, i64 positive) { return a / positive - (a % positive < 0 ? 1 : 0); }

// Keys in order of insertion; a scan while there are few of them, a table from then on.
template <class V>
class RefMap {
 public:
  struct Entry { Ref key; V value; };
  u32 size() const { return size_; }
  Entry& operator[](u32 k) { return data()[k]; }
  const Entry& operator[](u32 k) const { return size_ > few ? many_[k] : few_[k]; }
  V* find(Ref key) {
    if (size_ <= few) {
      for (u32 k = 0; k < size_; ++k) if (few_[k].key == key) return &few_[k].value;
      return nullptr;
    }
    for (std::size_t s = hash(key);; ++s) {
      const u32 k = table_[s & (table_.size() - 1)];
      if (k == 0) return nullptr;
      if (many_[k - 1].key == key) return &many_[k - 1].value;
    }
  }
  V& insert(Ref key, V value) {              // the key must be new
    if (size_ < few) {
      few_[size_] = {key, value};
      return few_[size_++].value;
    }
    if (size_ == few) many_.assign(few_, few_ + few);
    many_.push_back({key, value});
    ++size_;
    if (table_.size() < 2 * std::size_t{size_}) rebuild(); else enter(size_ - 1);
    return many_.back().value;
  }

 private:
  static constexpr u32 few = 12;
  static std::size_t hash(Ref key) {
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(key) >> 4) * 0x9e3779b97f4a7c15u >> 20);
  }
  Entry* data() { return size_ > few ? many_.data() : few_; }
  void enter(u32 k) {
    std::size_t s = hash(many_[k].key);
    while (table_[s & (table_.size() - 1)] != 0) ++s;
    table_[s & (table_.size() - 1)] = k + 1;
  }
  void rebuild() {
    std::size_t n = 64;
    while (n < 4 * std::size_t{size_}) n *= 2;
    table_.assign(n, 0);
    for (u32 k = 0; k < size_; ++k) enter(k);
  }
  Entry few_[few];
  u32 size_ = 0;
  std::vector<Entry> many_;
  std::vector<u32> table_;
};

struct Form {
  RefMap<i64> terms;             // may hold zero coefficients
  i64 constant = 0;
  bool wrapped = false;          // a coefficient or the constant did: equal only modulo 2^64 to the sum as written
  i64 sum(i64 a, i64 b) {
    i64 r = 0;
    wrapped |= __builtin_add_overflow(a, b, &r);
    return r;
  }
  i64 product(i64 a, i64 b) {
    i64 r = 0;
    wrapped |= __builtin_mul_overflow(a, b, &r);
    return r;
  }
  void add(i64 amount, i64 scale) { constant = sum(constant, product(amount, scale)); }
  void add(Ref atom, i64 coefficient) {
    if (i64* at = terms.find(atom)) *at = sum(*at, coefficient); else terms.insert(atom, coefficient);
  }
  void add(const Form& other, i64 scale) {
    wrapped |= other.wrapped;
    add(other.constant, scale);
    for (u32 k = 0; k < other.terms.size(); ++k) add(other.terms[k].key, product(other.terms[k].value, scale));
  }
  u32 live() const {             // terms that are not zero
    u32 n = 0;
    for (u32 k = 0; k < terms.size(); ++k) n += terms[k].value != 0;
    return n;
  }
};

constexpr bool is_const(Ref e) { return e->op == Op::Const; }
constexpr i64 const_value(Ref e) { return static_cast<i64>(e->arg); }
constexpr bool is_index(Ref e) { return e->type == Type::i64 && e->lanes == 1; }
// A scalar i64 sum, difference, negation, constant, or product by a constant: no atom.
constexpr bool is_linear(Ref e) {
  if (!is_index(e)) return false;
  switch (e->op) {
    case Op::Const: case Op::Add: case Op::Sub: case Op::Neg: return true;
    case Op::Mul: return is_const(e->src[0]) || is_const(e->src[1]);
    default: return false;
  }
}
void collect(Ref expression, i64 scale, Form& into);      // into += scale * expression; linear in the size of the DAG
Ref build(Arena& arena, const Form& form);
bool is_built(Ref e, const Form& form);                   // is `e` what build() would make of its own form? false when in doubt
// c * (x / c) + x % c is x: for any c, for both kinds of rounding. Merges such pairs of terms.
void recombine(Form& form);

Ref copied(Arena& arena, Ref expression);                 // every node made anew in `arena`

// Ranges of scalar i64 nodes, memoised. A known interval also says that the value as a plain integer does not wrap.
class Ranges {
 public:
  explicit Ranges(const std::vector<AtomRange>* given = nullptr) : given_(given) {}
  Interval of(Ref expression);
  Interval of(const Form& form);
 private:
  Interval atom(Ref e);
  Interval quotient(Ref e);
  Interval remainder(Ref e);
  Interval product(Ref e);
  Interval leaf(Ref e) const;
  const std::vector<AtomRange>* given_;
  RefMap<Interval> memo_;
  int depth_ = 0;
};

// Constant folding: the bits of `op` over operands of type `from`; false when this op does not fold.
bool fold(Op op, Type type, Type from, u64 arg, const u64* operand, u64& result);

// One step on an i64 node whose sources are simplified; nullptr when nothing is gained.
Ref divide(Arena& arena, Ranges& ranges, Op op, Ref a, i64 divisor);      // a op divisor, for a constant divisor >= 2
void multiply(Arena& arena, Ref a, Ref b, i64 scale, Form& into);         // into += scale * a * b
Ref compare(Arena& arena, Ranges& ranges, Op op, Ref a, Ref b);           // Lt, Le, Eq, Ne
Ref extreme(Arena& arena, Ranges& ranges, Op op, Ref a, Ref b);           // Max, Min
}  // namespace ordo::ir
