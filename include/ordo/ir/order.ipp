#pragma once
#include <algorithm>
#include <map>
#include "ordo/ir/order.hpp"
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/sugar.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::ir {
namespace detail_order {
using Number = std::vector<i64>;  // of a term: its axes; of a part: its places
inline constexpr i64 most_enumerated = i64{1} << 22;
inline constexpr std::size_t most_terms = 8, most_parts = 16;

inline std::string named(const char* letter, const Number& n) {
  if (n.size() == 1) return letter + std::to_string(n[0]);
  std::string text = std::string(letter) + "[";
  for (std::size_t k = 0; k < n.size(); ++k) text += (k > 0 ? ", " : "") + std::to_string(n[k]);
  return text + "]";
}
inline std::string row(const std::string& what, const std::string& text) {
  return "  " + what + std::string(what.size() < 8 ? 8 - what.size() : 1, ' ') + text + "\n";
}

struct AxisAt {
  Ref axis;
  i64 extent, lanes, block;  // lanes 1, block 0: no such place
  i64 blocks() const { return (extent + block - 1) / block; }
};
struct Part {
  i64 count = 0;
  std::vector<Number> first;  // as many as are shown
  Number last;
};
using Parts = std::map<Number, Part>;

// The accumulators as text, joined place by place: contract of `reduce`, over text in place of numbers.
inline std::map<Number, std::string> joined(const std::map<Number, std::string>& parts, bool halves, i64 count, const char* sign) {
  std::map<Number, std::map<i64, std::string>> groups;
  for (const auto& [p, text] : parts) groups[{p.begin(), p.end() - 1}].emplace(p.back(), text);
  std::map<Number, std::string> result;
  for (auto& [prefix, g] : groups) {
    const auto join = [&g = g, sign](i64 low, i64 high) {
      const auto y = g.find(high);
      if (y == g.end()) return;
      const auto x = g.find(low);
      std::string text = y->second;
      if (x != g.end()) text = sign != nullptr ? "(" + x->second + sign + text + ")" : "merge(" + x->second + ", " + text + ")";
      g.erase(high);
      g.insert_or_assign(low, std::move(text));
    };
    for (i64 half = count / 2; halves && half > 0; half /= 2)
      for (i64 l = 0; l < half; ++l) join(l, l + half);
    for (i64 apart = 1; !halves && apart < count; apart *= 2)
      for (i64 b = 0; b + apart < count; b += 2 * apart) join(b, b + apart);
    result.emplace(prefix, g.begin()->second);
  }
  return result;
}

class Explainer {
 public:
  Explainer(const Program& program, const ElementAsked& asked, Where at)
      : program_(program), asked_(asked), index_(asked.index, asked.index + asked.rank), at_(at) {
    choose();
    bind_sizes();
    check_index();
  }
  std::string run() {
    const Ref whole = definition_->value;
    std::vector<Ref> reduces;
    Visited known;
    post_order(
        whole, [&](Ref e) { return known.count(e) != 0; },
        [&](Ref e) {
          known.insert(e);
          if (e->op == Op::Reduce) reduces.push_back(e);
        });
    for (const Ref r : reduces) evaluate_axes(r);
    std::string text;
    if (whole->op == Op::Scan) text += recurrence(whole);
    else text += element() + " = " + print(here(whole)) + "\n";
    const bool alone = whole->op == Op::Field && reduces.size() == 1;
    for (const Ref r : reduces) text += reduction(r, alone);
    return text + others(whole);
  }

 private:
  [[noreturn]] void refuse(const char* code, const std::string& what, const std::string& help) const {
    fail(code, at_, what.c_str(), ("  help: " + help).c_str());
  }
  void choose() {
    const TensorAsked& of = asked_.tensor;
    int tensor = of.name == nullptr && of.raw == nullptr ? program_.outputs[0] : -1;
    std::string defined;
    for (std::size_t t = 0; t < program_.tensors.size(); ++t) {
      const TensorInfo& info = program_.tensors[t];
      if (info.definition < 0) continue;
      defined += (defined.empty() ? "`" : ", `") + std::string(info.name) + "`";
      const bool same = of.raw != nullptr ? info.origin == of.raw : of.name != nullptr && std::string(info.name) == of.name;
      if (tensor < 0 && same) tensor = static_cast<int>(t);
    }
    if (tensor < 0) {
      const std::string name = of.raw != nullptr ? of.raw->name : of.name;
      refuse("explain.tensor", "the program defines no tensor `" + name + "`", "it defines " + defined);
    }
    info_ = &program_.tensors[static_cast<std::size_t>(tensor)];
    definition_ = &program_.definitions[static_cast<std::size_t>(info_->definition)];
    if (index_.size() != definition_->axes.size())
      refuse("explain.rank",
             "`" + std::string(info_->name) + "` has " + std::to_string(definition_->axes.size()) + " indices, not " +
                 std::to_string(index_.size()),
             "explain({i, j, ...}) with one number an index");
  }
  void bind_sizes() {
    for (std::size_t k = 0; k < definition_->axes.size(); ++k) changes_.push_back({definition_->axes[k], scratch_.integer(index_[k])});
    for (const DimInfo& d : program_.dims) {
      values_.push_back(0);
      known_.push_back(false);
      for (u64 k = 0; k < asked_.size_count; ++k) {
        const KnownSize& s = asked_.sizes[k];
        if (s.raw != nullptr ? s.raw != d.origin : std::string(s.name) != d.name) continue;
        values_.back() = s.value;
        known_.back() = true;
        changes_.push_back({d.node, scratch_.integer(s.value)});
      }
    }
  }
  const DimInfo* unknown_in(Ref size) const {
    const DimInfo* found = nullptr;
    visit_once(size, [&](Ref e) {
      if (e->op == Op::Dim && !known_[e->arg] && found == nullptr) found = &program_.dims[e->arg];
    });
    return found;
  }
  void check_index() {
    for (std::size_t k = 0; k < index_.size(); ++k) {
      const Ref size = info_->shape[k];
      const i64 extent = unknown_in(size) != nullptr ? i64{1} << 40 : evaluate(size, values_.data());
      if (index_[k] < 0 || index_[k] >= extent)
        refuse("explain.index",
               "index " + std::to_string(index_[k]) + " of dimension " + std::to_string(k) + " of `" + info_->name + "` is out of range",
               extent == i64{1} << 40 ? "an index is not negative" : "its extent is " + std::to_string(extent));
    }
  }
  void evaluate_axes(Ref reduce) {
    const ReduceView r(reduce);
    for (u32 k = 0; k < r.facts.axes; ++k) {
      const Ref axis = r.axis(k), size = extent_of(axis);
      if (const DimInfo* d = unknown_in(size); d != nullptr)
        refuse("explain.size", "the extent of `" + std::string(axis->name) + "` needs the size `" + d->name + "`",
               "explain({...}, {{\"" + std::string(d->name) + "\", 100}})");
      const Ref extent = scratch_.integer(std::max<i64>(0, evaluate(size, values_.data())));
      changes_.push_back({axis, scratch_.make(axis->op, axis->type, &extent, 1, axis->arg, axis->name)});
    }
  }
  // With the element's indices and the known sizes in it.
  Ref here(Ref e) { return substitute(scratch_, e, changes_.data(), changes_.size()); }
  std::string element() const {
    std::string text = info_->name;
    if (!index_.empty()) text += "[";
    for (std::size_t k = 0; k < index_.size(); ++k) text += (k > 0 ? ", " : "") + std::to_string(index_[k]);
    return text + (index_.empty() ? "" : "]");
  }
  std::string recurrence(Ref scan) {
    std::size_t along = 0;
    while (along + 1 < definition_->axes.size() && definition_->axes[along] != scan->src[0]) ++along;
    const std::string t = scan->src[0]->name;
    return element() + ": a recurrence along " + t + "\n" + row("order", t + " = 0, 1, ... " + std::to_string(index_[along])) +
           row("before", print(here(scan->src[1]))) + row("then", print(here(scan->src[2])));
  }

  std::string reduction(Ref reduce, bool alone) {
    const ReduceView r(reduce);
    const Sugar sugar = sugar_of(reduce);
    const Ref field = scratch_.make(Op::Field, r.init(0)->type, {reduce}, 0), shown = here(field);
    std::string text = alone ? "" : print(sugar.found ? shown : shown->src[0]) + "\n";
    if (r.facts.free) return text + row("order", "any: none changes a bit");
    const char* const sign = !sugar.found ? nullptr : sugar.fold == Fold::sum ? " + " : sugar.fold == Fold::product ? " * " : nullptr;
    if (sugar.found) text += row("step", step(sugar, sign) + ", from s = " + print(here(r.init(0))));
    else text += row("step", "as written, once a term t");
    axes_.clear();
    for (u32 k = 0; k < r.facts.axes; ++k) axes_.push_back(axis_at(r, k));
    return text + terms(r, sign);
  }
  std::string step(const Sugar& s, const char* sign) {
    if (s.term == nullptr) return "s = fma(" + print(here(s.x)) + ", " + print(here(s.y)) + ", s)";
    const bool group = s.term->op == Op::Add || s.term->op == Op::Sub || s.term->op == Op::Mul || s.term->op == Op::Div;
    const std::string term = print(here(s.term));
    return std::string("s = s") + (sign != nullptr ? sign : " o ") + (group ? "(" + term + ")" : term);
  }
  AxisAt axis_at(const ReduceView& r, u32 k) {
    const AxisFacts f = axis_facts(r.axis(k));
    const bool parts = f.order == Order::lanes || f.order == Order::blocks;
    return {r.axis(k), std::max<i64>(0, evaluate(extent_of(r.axis(k)), values_.data())), parts ? i64{f.lanes} : 1,
            f.order == Order::blocks ? i64{f.block} : 0};
  }
  Number part_of(const Number& term) const {
    Number p;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const AxisAt& a = axes_[k];
      if (a.block > 0) p.push_back(term[k] / a.block);
      if (a.lanes > 1) p.push_back((a.block > 0 ? term[k] % a.block : term[k]) % a.lanes);
    }
    return p;
  }

  // A condition that sizes and indices decide; nullptr: data or a loop around this one does.
  Ref decided(const ReduceView& r) {
    bool closed = true;
    std::vector<Replacement> numbers(changes_);
    for (u32 k = 0; k < r.facts.axes; ++k)
      numbers.push_back({r.axis(k), scratch_.make(Op::Dim, Type::i64, nullptr, 0, values_.size() + k)});
    std::reverse(numbers.begin(), numbers.end());  // the first that names a node is taken
    const Ref condition = substitute(scratch_, r.where(), numbers.data(), numbers.size());
    visit_once(condition, [&](Ref e) {
      const OpClass c = class_of(e->op);
      const bool leaf = e->op == Op::Const || (e->op == Op::Dim && (e->arg >= values_.size() || known_[e->arg]));
      closed = closed && (leaf || (c != OpClass::leaf && c != OpClass::order && !is_function(e->op) && !is_float(e->type)));
    });
    return closed ? condition : nullptr;
  }
  std::string terms(const ReduceView& r, const char* sign) {
    i64 total = 1;
    for (const AxisAt& a : axes_)
      if (__builtin_mul_overflow(total, a.extent, &total) || total > most_enumerated) total = most_enumerated + 1;
    for (const AxisAt& a : axes_) total = a.extent == 0 ? 0 : total;
    std::string text;
    const bool always = is_true(r.where());
    const Ref condition = always ? nullptr : decided(r);
    if (!always && condition == nullptr) text += row("where", "a term whose condition is false makes no step");
    if (total > most_enumerated) return text + row("terms", "too many to list") + rules();
    i64 taken = 0;
    const Parts parts = enumerate(total, condition, taken);
    if (condition != nullptr) text += row("where", std::to_string(taken) + " of " + std::to_string(total) + " terms");
    if (taken == 0) return text + row("order", "no term: the value is where s starts");
    return text + shown(parts, sign);
  }
  Parts enumerate(i64 total, Ref condition, i64& taken) {
    Parts parts;
    std::vector<i64> dims(values_);
    dims.resize(values_.size() + axes_.size());
    Number term(axes_.size(), 0);
    for (i64 n = 0; n < total; ++n) {
      std::copy(term.begin(), term.end(), dims.begin() + static_cast<std::ptrdiff_t>(values_.size()));
      if (condition == nullptr || evaluate(condition, dims.data()) != 0) {
        Part& p = parts[part_of(term)];
        ++taken, ++p.count;
        if (p.first.size() < most_terms) p.first.push_back(term);
        p.last = term;
      }
      for (std::size_t k = axes_.size(); k-- > 0;) {
        if (++term[k] < axes_[k].extent) break;
        term[k] = 0;
      }
    }
    return parts;
  }
  static std::string listed(const Part& p, const char* sign) {
    const std::string between = sign != nullptr ? sign : ", ";
    std::string text;
    const std::size_t all = static_cast<std::size_t>(p.count), some = all > most_terms ? 3 : all;
    for (std::size_t k = 0; k < some; ++k) text += (k > 0 ? between : "") + named("t", p.first[k]);
    if (some == all) return text;
    return text + between + "..." + between + named("t", p.last) + "  (" + std::to_string(all) + " terms)";
  }
  std::string shown(const Parts& parts, const char* sign) {
    if (parts.begin()->first.empty()) return row("order", listed(parts.begin()->second, sign));
    std::string text;
    std::size_t n = 0;
    for (const auto& [p, part] : parts) {
      const bool skip = parts.size() > most_parts && n >= 2 && n + 1 < parts.size();
      if (!skip) text += row(named("p", p), listed(part, sign));
      else if (n == 2) text += row("...", std::to_string(parts.size()) + " parts");
      ++n;
    }
    if (parts.size() > most_parts) return text + rules();
    std::map<Number, std::string> trees;
    for (const auto& [p, part] : parts) trees.emplace(p, named("p", p));
    for (std::size_t k = axes_.size(); k-- > 0;) {
      if (axes_[k].lanes > 1) trees = joined(trees, true, axes_[k].lanes, sign);
      if (axes_[k].block > 0) trees = joined(trees, false, axes_[k].blocks(), sign);
    }
    std::string tree = trees.begin()->second;
    if (sign != nullptr && tree[0] == '(') tree = tree.substr(1, tree.size() - 2);
    return text + row("order", tree);
  }
  // The trees in words, the first that is taken first.
  std::string rules() const {
    std::string text;
    for (std::size_t k = axes_.size(); k-- > 0;) {
      const AxisAt& a = axes_[k];
      const std::string name = a.axis->name;
      const auto said = [&](const std::string& rule) { text += row(text.empty() ? "order" : "then", rule); };
      if (a.lanes > 1)
        said("lanes of " + name + ": lane l meets lane l + " + std::to_string(a.lanes / 2) + ", and so by halves until one is left");
      if (a.block > 0)
        said(std::to_string(a.blocks()) + " blocks of " + name +
             ": neighbours meet in pairs, an odd last one passes; again until one is left");
    }
    return text.empty() ? row("order", "one after another, the last axis fastest") : text;
  }
  std::string others(Ref whole) const {
    std::string text;
    Visited known;
    std::vector<int> met;
    post_order(
        whole, [&](Ref e) { return known.count(e) != 0; },
        [&](Ref e) {
          known.insert(e);
          if (e->op != Op::Load) return;
          const int tensor = static_cast<int>(e->src[0]->arg);
          const TensorInfo& t = program_.tensors[static_cast<std::size_t>(tensor)];
          if (t.definition < 0 || &t == info_ || std::find(met.begin(), met.end(), tensor) != met.end()) return;
          met.push_back(tensor);
          text += std::string(text.empty() ? "reads " : ", ") + t.name;
        });
    return text.empty() ? text : text + ": defined in the program, each to be explained by its own name\n";
  }

  const Program& program_;
  const ElementAsked& asked_;
  const Number index_;
  Where at_;
  Arena scratch_;
  const TensorInfo* info_ = nullptr;
  const Definition* definition_ = nullptr;
  std::vector<i64> values_;  // by Dim
  std::vector<bool> known_;
  std::vector<Replacement> changes_;
  std::vector<AxisAt> axes_;  // of the reduction at hand
};
}  // namespace detail_order

ORDO_INLINE std::string explain_order(const Program& program, const ElementAsked& element, Where at) {
  return detail_order::Explainer(program, element, at).run();
}
}  // namespace ordo::ir
