// The rules of kernel.hpp, checked statement by statement.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include "ordo/ir/post_order.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::kernel {
namespace detail_verify {
using namespace ir;

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel) : kernel_(kernel), alive_(kernel.buffers.size(), 0) {}
  void run() {
    if (kernel_.body == nullptr) broken("kernel.body", "the kernel has no body", nullptr);
    find_modes(kernel_.body);
    for (std::size_t b = 0; b < kernel_.buffers.size(); ++b) buffer(b);
    statement(kernel_.body);
  }

 private:
  [[noreturn]] void broken(const char* code, const std::string& rule, Ref at) const {
    std::string text = rule;
    if (at != nullptr && class_of(at->op) == OpClass::statement) text += ", in\n" + print_statement(kernel_, at, 2);
    fail_internal(code, text.c_str());
  }
  [[noreturn]] void broken_value(const std::string& rule, Ref value) const {
    broken("kernel.value", rule + " (`" + ir::name_of(value->op) + "`)", at_);
  }
  void need(bool holds, const char* rule, Ref value) const {
    if (!holds) broken_value(rule, value);
  }
  void find_modes(Ref s) {
    if (class_of(s->op) != OpClass::statement || !seen_.insert(s).second) return;
    if (s->op == Op::For && (s->arg == static_cast<u64>(LoopMode::unrolled) || s->arg == static_cast<u64>(LoopMode::vectorized)))
      raw_ = true;
    for (u32 k = 0; k < s->count; ++k) find_modes(s->src[k]);
  }
  void buffer(std::size_t number) {
    const Buffer& b = kernel_.buffers[number];
    const std::string name = "buffer `" + b.name + "`: ";
    const bool outside = b.space == Space::argument || b.space == Space::workspace;
    if (b.type == Type::none) broken("kernel.buffer", name + "no type", nullptr);
    if (outside && b.slot < 0) broken("kernel.buffer", name + "no slot", nullptr);
    if (b.space == Space::argument && b.slot >= kernel_.arguments) broken("kernel.buffer", name + "no such argument", nullptr);
    if (b.space != Space::argument && b.elements == nullptr) broken("kernel.buffer", name + "no number of elements", nullptr);
    const bool fixed = b.space == Space::stack || b.space == Space::registers;
    if (fixed && b.elements->op != Op::Const) broken("kernel.buffer", name + "its size is no constant", nullptr);
    if (outside) alive_[number] = 1;
    if (b.space == Space::workspace) index(b.elements);
  }

  void statement(Ref s) {
    at_ = s;
    if (class_of(s->op) != OpClass::statement)
      broken("kernel.statement", std::string("`") + ir::name_of(s->op) + "` is no statement", nullptr);
    switch (s->op) {
      case Op::Block: for (u32 k = 0; k < s->count; ++k) statement(s->src[k]); return;
      case Op::For: count(s, 4, 4); index(s->src[1]); index(s->src[2]); return bound(s, s->src[3]);
      case Op::Let:
        count(s, 3, 3);
        value(s->src[1]);
        if (s->src[0]->type != s->src[1]->type || s->src[0]->lanes != s->src[1]->lanes)
          broken("kernel.let", "variable and value of a let differ in type or lanes", s);
        return bound(s, s->src[2]);
      case Op::If:
        count(s, 2, 3);
        value(s->src[0]);
        if (s->src[0]->type != Type::boolean || s->src[0]->lanes != 1) broken("kernel.if", "the condition of an if is no scalar bool", s);
        for (u32 k = 1; k < s->count; ++k) statement(s->src[k]);
        return;
      case Op::Alloc: count(s, 1, 1); return alloc(s);
      case Op::Write: count(s, 2, 3); return write(s);
      case Op::Prefetch:
        count(s, 1, 1);
        value(s->src[0]);
        return access(s, s->src[0], nullptr);
      case Op::Fail:
        count(s, 1, 1);
        index(s->src[0]);
        if (s->arg >= kernel_.failures.size()) broken("kernel.fail", "no such failure", s);
        return;
      default: return;
    }
  }
  void count(Ref s, u32 low, u32 high) const {
    if (s->count < low || s->count > high)
      broken("kernel.statement", std::string("`") + ir::name_of(s->op) + "` has " + std::to_string(s->count) + " sources", nullptr);
  }
  void bound(Ref s, Ref body) {
    const Ref v = s->src[0];
    if (v->op != Op::Var) broken("kernel.var", "a statement binds something else than a variable", s);
    if (s->op == Op::For && (v->type != Type::i64 || v->lanes != 1)) broken("kernel.var", "the variable of a loop is no scalar i64", s);
    const auto [owner, first] = owner_.emplace(v, s);
    if (!first && owner->second != s) broken("kernel.var", "two statements bind one variable", s);
    if (!live_.insert(v).second) broken("kernel.var", "a variable is bound inside its own statement", s);
    statement(body);
    live_.erase(v);
  }
  void alloc(Ref s) {
    if (s->arg >= kernel_.buffers.size()) broken("kernel.alloc", "no such buffer", nullptr);
    const Buffer& b = kernel_.buffers[s->arg];
    if (b.space == Space::argument || b.space == Space::workspace) broken("kernel.alloc", "an argument or workspace is allocated", s);
    if (alive_[s->arg] != 0) broken("kernel.alloc", "a buffer is allocated inside itself", s);
    index(b.elements);
    alive_[s->arg] = 1;
    statement(s->src[0]);
    alive_[s->arg] = 0;
  }
  void write(Ref s) {
    for (u32 k = 0; k < s->count; ++k) value(s->src[k]);
    access(s, s->src[0], s->count > 2 ? s->src[2] : nullptr);
    const Buffer& b = kernel_.buffers[s->arg];
    if (!stores(b.type, s->src[1]->type))
      broken("kernel.write", std::string("a ") + ordo::name_of(s->src[1]->type) + " is written to a buffer of " + ordo::name_of(b.type), s);
    if (s->src[1]->lanes != s->src[0]->lanes) broken("kernel.write", "offset and value differ in lanes", s);
    if (b.space == Space::argument && is_float(b.type) && !b.canonical)
      broken("kernel.canonical", "NaN is not made canonical in `" + b.name + "`", s);
  }
  void access(Ref e, Ref offset, Ref mask) const {
    need(e->arg < kernel_.buffers.size(), "no such buffer", e);
    const Buffer& b = kernel_.buffers[e->arg];
    if (alive_[e->arg] == 0) broken("kernel.buffer", "`" + b.name + "` is used outside of its alloc", at_);
    need(offset->type == Type::i64, "an offset is no i64", e);
    if (mask != nullptr)
      need(mask->type == Type::boolean && mask->lanes == offset->lanes, "a mask has another type or other lanes than its offset", e);
    if (b.space == Space::registers && !raw_ && !constant_inside(offset, static_cast<i64>(b.elements->arg)))
      broken("kernel.registers", "an offset into registers `" + b.name + "` is no constant inside", at_);
  }
  static bool constant_inside(Ref offset, i64 elements) {
    const auto inside = [&](i64 i) { return i >= 0 && i < elements; };
    if (offset->op == Op::Const) return inside(static_cast<i64>(offset->arg));
    if (offset->op != Op::Ramp || offset->src[0]->op != Op::Const || offset->src[1]->op != Op::Const) return false;
    const i64 first = static_cast<i64>(offset->src[0]->arg), step = static_cast<i64>(offset->src[1]->arg);
    return inside(first) && inside(first + step * (offset->lanes - 1));
  }
  void index(Ref e) {
    value(e);
    if (e->type != Type::i64 || e->lanes != 1) broken("kernel.index", "a size or bound is no scalar i64", at_);
  }

  // Rules of the node alone are checked once; what depends on the place (variables, buffers) at each statement.
  void value(Ref root) {
    std::unordered_set<Ref> here;
    post_order(root, [&](Ref e) { return here.count(e) != 0; }, [&](Ref e) {
      here.insert(e);
      if (e->op == Op::Var) need(live_.count(e) != 0, "a variable is used outside of its statement", e);
      if (e->op == Op::Read) {
        need(e->count == 1 || e->count == 2, "a read takes an offset and a mask", e);
        access(e, e->src[0], e->count > 1 ? e->src[1] : nullptr);
      }
      if (checked_.insert(e).second) node(e);
    });
  }
  void node(Ref e) const {
    const bool any = e->op == Op::Cast || e->op == Op::Bitcast || e->op == Op::IsNan;
    switch (class_of(e->op)) {
      case OpClass::leaf: return leaf(e);
      case OpClass::memory: return memory(e);
      case OpClass::unary: return sources(e, 1, e->count == 1 && any ? e->src[0]->type : e->type);
      case OpClass::binary: return sources(e, 2, e->type);
      case OpClass::compare: return sources(e, 2, e->count > 0 ? e->src[0]->type : Type::none);
      case OpClass::ternary: return sources(e, 3, e->type);
      case OpClass::order: case OpClass::statement: broken_value("this operation is not of the kernel level", e);
    }
  }
  void leaf(Ref e) const {
    if (e->op == Op::Stride) {
      const u64 b = e->arg >> 8;
      need(b < kernel_.buffers.size() && kernel_.buffers[b].space == Space::argument, "a stride of no argument", e);
      need(static_cast<int>(e->arg & 255) < kernel_.buffers[b].rank, "a stride of no dimension", e);
    } else {
      need(e->op == Op::Const || e->op == Op::Dim || e->op == Op::Var, "this operation is not of the kernel level", e);
    }
    need(is_compute(e->type), "a value has a storage type", e);
  }
  void memory(Ref e) const {
    if (e->op == Op::Ramp)
      need(e->count == 2 && e->type == Type::i64 && scalar(e->src[0]) && scalar(e->src[1]), "a ramp takes two scalar i64", e);
    else if (e->op == Op::Lookup)
      need(e->count == 1 && e->type == Type::f32 && e->src[0]->type == Type::i32 && e->src[0]->lanes == e->lanes, "a lookup takes an i32",
           e);
    else if (e->op == Op::Broadcast)
      need(e->count == 1 && e->src[0]->lanes == 1 && e->src[0]->type == e->type, "a broadcast takes a scalar of its type", e);
    else
      need(e->type == compute_type(kernel_.buffers[e->arg].type) && e->lanes == e->src[0]->lanes,
           "a read has another type or other lanes than its place", e);
  }
  static bool scalar(Ref e) { return e->type == Type::i64 && e->lanes == 1; }
  void sources(Ref e, u32 count, Type type) const {
    need(e->count == count, "wrong number of sources", e);
    need(is_compute(e->type), "a value has a storage type", e);
    need(class_of(e->op) != OpClass::compare || e->type == Type::boolean, "a comparison is no bool", e);
    for (u32 k = 0; k < count; ++k) {
      need(e->src[k]->type == (e->op == Op::Select && k == 0 ? Type::boolean : type), "an operand has another type", e);
      need(e->src[k]->lanes == e->lanes, "an operand has other lanes", e);
    }
  }

  const Kernel& kernel_;
  std::vector<u8> alive_;
  std::unordered_set<Ref> seen_, live_, checked_;
  std::unordered_map<Ref, Ref> owner_;
  Ref at_ = nullptr;
  bool raw_ = false;             // loops to be unrolled or vectorized are still there
};
}  // namespace detail_verify

ORDO_INLINE void verify(const Kernel& kernel) { detail_verify::Verifier(kernel).run(); }
}  // namespace ordo::kernel
