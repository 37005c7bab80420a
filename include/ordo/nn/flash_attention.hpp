// Attention in blocks of keys, each weighed against the largest score so far (Dao et al. 2022; Milakov, Gimelshein 2018).
//   nn::FlashAttention f = nn::flash_attention(k, sum(e, Q(h, q, e) * K(h, k, e)) * scale, V(h, k, d));   O(h, q, d) = f.value;
// Over blocks b of B keys, with m = -inf, l = o = 0 before the first:
//   m' = maximum(m, max s);  keep = exp(m - m') where m < m', else 1;  p = exp(s - m')
//   l' = fma(l, keep, sum p);  o' = fma(o, keep, sum p * v);  o / l at the end, the sums over the keys of the block, ascending
// Another sequence of roundings than attention(...) and online_attention(...), so other bits; B is part of it. Keys where `where` is
// false weigh 0 (0 * v is a step: a NaN or infinity among such values of the block shows); a query that sees no key, and one whose
// largest score is infinite, gives NaN. There is at least one key: with none the last block is out of range (run.index).
#pragma once
#include <initializer_list>
#include "ordo/nn/kind.hpp"

namespace ordo::nn {
namespace detail_flash {
// A tensor over `outer` and some more axes.
template <class T>
class Table : public AnyTensor {
 public:
  Table(lang::Name name, const ir::Ref* outer, int outers, ir::Ref last, ir::Ref before_last = nullptr) : at_(name.at) {
    for (int k = 0; k < outers; ++k) left_[rank_++] = outer[k];
    if (before_last != nullptr) left_[rank_++] = before_last;
    left_[rank_++] = last;
    node = lang::front().tensor(name.text, type_of<T>, rank_, nullptr, name.at);
  }
  // At other places of the last axes.
  Expr<T> at(Expr<i64> last) const { return read(last.node, nullptr); }
  Expr<T> at(Expr<i64> before_last, Expr<i64> last) const { return read(last.node, before_last.node); }
  void define(Expr<T> value) const { lang::front().define(lang::front().load(node, left_, rank_, at_), value.node); }

 private:
  Expr<T> read(ir::Ref last, ir::Ref before_last) const {
    ir::Ref index[max_rank] = {};
    for (int k = 0; k < rank_; ++k) index[k] = left_[k];
    if (before_last != nullptr) index[rank_ - 2] = before_last;
    index[rank_ - 1] = last;
    return Expr<T>::wrap(lang::front().load(node, index, rank_, at_));
  }
  ir::Ref left_[max_rank] = {};
  int rank_ = 0;
  Where at_;
};
}  // namespace detail_flash

// What flash_attention defines: its result, and its stages with their axes, for schedules (room `schedules` has one).
template <class T>
struct FlashAttention {
  Expr<T> value;
  AnyTensor score, largest, keep, weight, total, sum;  // s; m, keep, p, l, o: over the blocks
  Loop<Free> score_key;                                // of score
  Scan block;                                          // of largest, total and sum
  Index keep_block, weight_block, weight_key;
  AnyOrder largest_key;
  Chain total_key, sum_key;
};

namespace detail_flash {
template <class Kind, int B, class T>
FlashAttention<T> define(const lang::List<1>& k, Expr<T> score, Expr<T> value, Expr<bool> where, const Expr<i64>* last, Where at) {
  static_assert(Floating<T>, "ordo: flash_attention needs a floating type; use cast<float>(x)");
  static_assert(B > 0, "ordo: flash_attention<Kind, B>: B keys a block, at least 1");
  const bool all = where.node == nullptr;
  ir::Ref row[max_rank] = {}, outer[max_rank] = {};
  const ir::Ref mentioned[] = {score.node, value.node, all ? score.node : where.node};
  const ir::Ref of_rows[] = {score.node, all ? score.node : where.node};
  const int rows = lang::outer_axes(&k, of_rows, 2, row, "the score", at),
            outers = lang::outer_axes(&k, mentioned, 3, outer, "attention", at);
  const ir::Ref length = lang::length_of(k.node[0], mentioned, 2);
  if (length == nullptr)
    fail("lang.extent", at, "the extent of the keys is not given, and no read outside guards shows it", "  help: give the axis its extent");
  const Expr<i64> keys = Expr<i64>::wrap(length), blocks = (keys + (B - 1)) / B;
  const lang::Stored s = lang::store({"flash.score", at}, &k, score.node, k.node);
  const auto placed = [&](auto x, Expr<i64> key) { return lang::placed(k, x, &key.node); };
  const auto s_at = [&](Expr<i64> key) { return Expr<T>::wrap(s.read(&key.node, at)); };
  const auto exists = [&](Expr<i64> key) { return key < keys; };
  const auto seen = [&](Expr<i64> key) { return all ? exists(key) : exists(key) && placed(where, key); };

  Scan b{{"block", at}, blocks};
  Index kb{{"block", at}, blocks}, pb{{"block", at}, blocks}, p{{"key", at}, B};
  AnyOrder u{{"key", at}, B};
  Chain kl{{"key", at}, B}, ko{{"key", at}, B};
  const Table<T> m({"flash.max", at}, row, rows, b.node), keep({"flash.keep", at}, row, rows, kb.node),
      weight({"flash.weight", at}, row, rows, p.node, pb.node), l({"flash.total", at}, row, rows, b.node),
      o({"flash.sum", at}, outer, outers, b.node);
  m.define(scan(b, -inf<T>(), maximum(m.at(b - 1), max(u, s_at(b * B + u), seen(b * B + u), at), at), at));
  keep.define(select(kb > 0 && m.at(kb - 1) < m.at(kb), Kind::exp(m.at(kb - 1) - m.at(kb), at), 1, at));
  weight.define(select(seen(pb * B + p), Kind::exp(s_at(pb * B + p) - m.at(pb), at), 0, at));
  l.define(scan(b, 0, fma(l.at(b - 1), keep.at(b), sum(kl, weight.at(b, kl), lang::always(), at), at), at));
  const Expr<i64> key = b * B + ko;
  o.define(scan(b, 0, fma(o.at(b - 1), keep.at(b), sum(ko, weight.at(b, ko) * placed(value, key), exists(key), at), at), at));
  const Expr<i64> end = last == nullptr ? blocks - 1 : floor_div(*last, B);
  return {o.at(end) / l.at(end), {s.tensor}, m, keep, weight, l, o, {s.left[s.outer]}, b, kb, pb, p, u, kl, ko};
}
}  // namespace detail_flash

template <class Kind = Exact, int B = 64, class T>
FlashAttention<T> flash_attention(const lang::List<1>& k, Expr<T> score, Expr<T> value, Expr<bool> where = lang::always(),
                                  Where at = Where::current()) {
  return detail_flash::define<Kind, B>(k, score, value, where, nullptr, at);
}
// Where keys past `last`, an index of the row below the number of keys, are not seen: blocks that begin past it are not computed.
// Causal: last = q.
template <class Kind = Exact, int B = 64, class T>
FlashAttention<T> flash_attention_to(Expr<i64> last, const lang::List<1>& k, Expr<T> score, Expr<T> value, Where at = Where::current()) {
  return detail_flash::define<Kind, B>(k, score, value, Expr<i64>::wrap(k.node[0]) <= last, &last, at);
}
}  // namespace ordo::nn
