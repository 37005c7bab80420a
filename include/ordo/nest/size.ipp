#pragma once
#include <cctype>
#include <unordered_map>
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_size {
inline bool is_size_op(ir::Op op) {
  using ir::Op;
  return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div || op == Op::Mod || op == Op::FloorDiv || op == Op::FloorMod ||
         op == Op::Max || op == Op::Min || op == Op::Neg || op == Op::Abs;
}

// size := product {+|- product}; product := atom {* / or % atom}; atom := integer | - atom | Dim | op(size {, size}) | (size)
class Parser {
 public:
  Parser(const Nest& nest, const std::string& text, std::string& wrong) : nest_(nest), text_(text), wrong_(wrong) {}
  ir::Ref all() {
    const ir::Ref e = sum();
    if (e != nullptr && peek() != '\0') return fail("`" + text_.substr(at_) + "` is unexpected");
    return e;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) { return peek() == c && (++at_, true); }
  ir::Ref fail(const std::string& why) {
    if (wrong_.empty()) wrong_ = why;
    return nullptr;
  }
  ir::Ref make(ir::Op op, ir::Ref a, ir::Ref b) {
    if (a == nullptr || b == nullptr) return nullptr;
    return arena().make(op, Type::i64, {a, b});
  }
  // The arena only grows: making nodes changes nothing that can be seen.
  ir::Arena& arena() { return const_cast<ir::Arena&>(nest_.program.arena); }
  ir::Ref sum() {
    ir::Ref e = product();
    while (e != nullptr) {
      if (take('+'))
        e = make(ir::Op::Add, e, product());
      else if (take('-'))
        e = make(ir::Op::Sub, e, product());
      else
        break;
    }
    return e;
  }
  ir::Ref product() {
    ir::Ref e = atom();
    while (e != nullptr) {
      if (take('*'))
        e = make(ir::Op::Mul, e, atom());
      else if (take('/'))
        e = make(ir::Op::Div, e, atom());
      else if (take('%'))
        e = make(ir::Op::Mod, e, atom());
      else
        break;
    }
    return e;
  }
  ir::Ref atom() {
    if (++depth_ > 200) return fail("it is nested too deeply");
    const char c = peek();
    ir::Ref e = nullptr;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
      e = integer();
    else if (take('-')) {
      const ir::Ref of = atom();
      if (of != nullptr)
        e = of->op == ir::Op::Const ? arena().integer(static_cast<i64>(0 - of->arg)) : arena().make(ir::Op::Neg, Type::i64, {of});
    } else if (take('(')) {
      e = sum();
      if (e != nullptr && !take(')')) e = fail("`)` is missing");
    } else
      e = named();
    --depth_;
    return e;
  }
  ir::Ref integer() {
    u64 value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      value = value * 10 + static_cast<u64>(text_[at_++] - '0');
      if (value >> 62 != 0) return fail("an integer is too large");
    }
    return arena().integer(static_cast<i64>(value));
  }
  ir::Ref named() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    const std::string name = text_.substr(from, at_ - from);
    if (name.empty()) return fail(at_ < text_.size() ? "`" + text_.substr(at_) + "` is unexpected" : "it ends early");
    if (take('(')) return call(name);
    std::vector<std::string> known;
    for (const ir::DimInfo& dim : nest_.program.dims) {
      if (name == dim.name) return dim.node;
      known.push_back(dim.name);
    }
    const std::string near = did_you_mean(name, known);
    return fail("`" + name + "` is no size of this program" + (near.empty() ? "" : "; " + near));
  }
  ir::Ref call(const std::string& name) {
    for (int k = 0; k < ir::op_count; ++k) {
      const ir::Op op = static_cast<ir::Op>(k);
      if (!is_size_op(op) || name != ir::name_of(op)) continue;
      ir::Ref s[2] = {sum(), nullptr};
      const bool two = ir::class_of(op) == ir::OpClass::binary;
      if (two && !take(',')) return fail("`,` is missing");
      if (two) s[1] = sum();
      if (!take(')')) return fail("`)` is missing");
      if (s[0] == nullptr || (two && s[1] == nullptr)) return nullptr;
      return arena().make(op, Type::i64, s, two ? 2u : 1u);
    }
    return fail("`" + name + "` is no function of sizes");
  }
  const Nest& nest_;
  const std::string& text_;
  std::string& wrong_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

inline bool has_large(ir::Ref size) {  // an integer that a trace cannot hold
  bool found = false;
  ir::Visited visited;
  ir::visit_once(size, visited, [&](ir::Ref e) {
    if (e->op != ir::Op::Const) return;
    const i64 value = static_cast<i64>(e->arg);
    found = found || value >= i64{1} << 62 || value <= -(i64{1} << 62);
  });
  return found;
}

inline std::string print(ir::Ref e, int level) {
  using ir::Op;
  const auto wrap = [&](int own, const std::string& text) { return own < level ? "(" + text + ")" : text; };
  if (e->op == Op::Const) return std::to_string(static_cast<i64>(e->arg));
  if (e->op == Op::Dim || e->op == Op::Var) return e->name;
  if (e->op == Op::Add) return wrap(1, print(e->src[0], 1) + " + " + print(e->src[1], 2));
  if (e->op == Op::Sub) return wrap(1, print(e->src[0], 1) + " - " + print(e->src[1], 2));
  if (e->op == Op::Mul || e->op == Op::Div || e->op == Op::Mod)
    return wrap(2, print(e->src[0], 2) + (e->op == Op::Mul ? " * " : e->op == Op::Div ? " / " : " % ") + print(e->src[1], 3));
  std::string text = ir::name_of(e->op);
  text += "(";
  for (u32 k = 0; k < e->count; ++k) text += (k == 0 ? "" : ", ") + print(e->src[k], 0);
  return text + ")";
}

class Translation {
 public:
  Translation(Nest& nest, std::string& wrong) : program_(nest.program), wrong_(wrong) {}
  ir::Ref operator()(ir::Ref raw) {
    if (const auto it = memo_.find(raw); it != memo_.end()) return it->second;
    const ir::Ref e = make(raw);
    memo_.emplace(raw, e);
    return e;
  }

 private:
  ir::Ref fail(const std::string& why) {
    if (wrong_.empty()) wrong_ = why;
    return nullptr;
  }
  ir::Ref make(ir::Ref raw) {
    if (raw == nullptr) return fail("there is no size");
    if (raw->type != Type::i64) return fail(std::string("a factor is an i64, not ") + ordo::name_of(raw->type));
    if (raw->op == ir::Op::Const) return program_.arena.integer(static_cast<i64>(raw->arg));
    if (raw->op == ir::Op::Dim) {
      for (const ir::DimInfo& dim : program_.dims)
        if (dim.origin == raw || dim.node == raw) return dim.node;
      return fail("`" + std::string(raw->name) + "` is no size of this program");
    }
    if (raw->op == ir::Op::Extent) return extent(raw);
    if (!is_size_op(raw->op)) return fail(std::string("`") + ir::name_of(raw->op) + "` is not known before the call");
    ir::Ref s[2] = {nullptr, nullptr};
    for (u32 k = 0; k < raw->count; ++k)
      if ((s[k] = (*this)(raw->src[k])) == nullptr) return nullptr;
    return program_.arena.make(raw->op, Type::i64, s, raw->count);
  }
  ir::Ref extent(ir::Ref raw) {
    const ir::Ref of = raw->src[0];
    if (of->op == ir::Op::Axis) {
      for (const ir::Definition& definition : program_.definitions)
        for (const ir::Handle& handle : definition.handles)
          if (handle.raw == of) return ir::extent_of(handle.axis);
    } else {
      for (const ir::TensorInfo& tensor : program_.tensors)
        if (tensor.origin == of && raw->arg < tensor.shape.size()) return tensor.shape[static_cast<std::size_t>(raw->arg)];
    }
    return fail("`" + std::string(of->name) + "` is not part of this program");
  }
  ir::Program& program_;
  std::string& wrong_;
  std::unordered_map<ir::Ref, ir::Ref> memo_;
};
}  // namespace detail_size

ORDO_INLINE ir::Ref parse_plain_size(const Nest& nest, const std::string& text, std::string& wrong) {
  return detail_size::Parser(nest, text, wrong).all();
}
ORDO_INLINE ir::Ref parse_size(const Nest& nest, const std::string& text, std::string& wrong) {
  const ir::Ref e = parse_plain_size(nest, text, wrong);
  if (e == nullptr || nest.facts.empty()) return e;
  ir::Arena& arena = const_cast<ir::Arena&>(nest.program.arena);
  return ir::simplify(arena, ir::substitute(arena, e, nest.facts.data(), nest.facts.size()));
}
ORDO_INLINE ir::Ref translate_size(Nest& nest, ir::Ref raw, std::string& wrong) {
  ir::Ref e = detail_size::Translation(nest, wrong)(raw);
  if (e == nullptr) return nullptr;
  e = ir::simplify(nest.program.arena, e);
  if (detail_size::has_large(e)) {
    wrong = "an integer in `" + print_size(e) + "` is too large: sizes are written with integers below 2^62";
    return nullptr;
  }
  std::string unread;  // a trace names its sizes: two Dims of one name, or a name of several words, cannot stand in it
  if (parse_plain_size(nest, print_size(e), unread) != e) {
    wrong = "`" + print_size(e) + "` does not name its sizes uniquely";
    return nullptr;
  }
  return e;
}
ORDO_INLINE std::string print_size(ir::Ref size) { return detail_size::print(size, 0); }

ORDO_INLINE ir::Ref ceil_div(ir::Arena& arena, ir::Ref size, ir::Ref by) {
  const ir::Ref less = arena.make(ir::Op::Sub, Type::i64, {by, arena.integer(1)});
  const ir::Ref up = arena.make(ir::Op::Add, Type::i64, {size, less});
  return ir::simplify(arena, arena.make(ir::Op::FloorDiv, Type::i64, {up, by}));
}
ORDO_INLINE bool at_least_one(const Nest& nest, ir::Ref size) {
  if (size->op == ir::Op::Const) return static_cast<i64>(size->arg) >= 1;
  return ir::provably_less_equal(const_cast<ir::Arena&>(nest.program.arena).integer(1), size);
}
}  // namespace ordo::nest
