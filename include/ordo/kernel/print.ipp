// Kernels as text, for people and goldens: C-like loops, buffers with their space, vectors with their lanes.
//   argument C: f32, canonical
//   for i in 0..M parallel
//     alloc acc: f32[16] registers
//       acc[ramp(0, 1) x16] = 0.0 x16
#pragma once
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include "ordo/base/soft.hpp"
#include "ordo/ir/post_order.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::kernel {
namespace detail_print {
using namespace ir;

inline const char* name_of(Space s) {
  constexpr const char* name[] = {"argument", "workspace", "heap", "stack", "registers"};
  return name[static_cast<int>(s)];
}
inline const char* symbol(Op op) {
  switch (op) {
    case Op::Add: return " + ";
    case Op::Sub: return " - ";
    case Op::Mul: return " * ";
    case Op::Div: return " / ";
    case Op::Mod: return " % ";
    case Op::And: return " && ";
    case Op::Or: return " || ";
    case Op::BitAnd: return " & ";
    case Op::BitOr: return " | ";
    case Op::BitXor: return " ^ ";
    case Op::Shl: return " << ";
    case Op::Shr: return " >> ";
    case Op::Lt: return " < ";
    case Op::Le: return " <= ";
    case Op::Gt: return " > ";
    case Op::Ge: return " >= ";
    case Op::Eq: return " == ";
    case Op::Ne: return " != ";
    default: return nullptr;
  }
}
inline int binding(Op op) {              // of the C operators; tighter is larger
  switch (op) {
    case Op::Mul: case Op::Div: case Op::Mod: return 9;
    case Op::Add: case Op::Sub: return 8;
    case Op::Shl: case Op::Shr: return 7;
    case Op::Lt: case Op::Le: case Op::Gt: case Op::Ge: return 6;
    case Op::Eq: case Op::Ne: return 5;
    case Op::BitAnd: return 4;
    case Op::BitXor: return 3;
    case Op::BitOr: return 2;
    case Op::And: return 1;
    case Op::Or: return 0;
    default: return 10;
  }
}
inline std::string lanes(Ref e) { return e->lanes == 1 ? "" : " x" + std::to_string(e->lanes); }

// i64, bool and f32 bare, others with their type behind.
inline std::string constant(Ref e) {
  const char* suffix = e->type == Type::i64 || e->type == Type::boolean || e->type == Type::f32 ? "" : ordo::name_of(e->type);
  if (e->type == Type::boolean) return e->arg != 0 ? "true" : "false";
  if (is_integer(e->type)) {
    const u64 wide = soft::cast(Type::i64, e->type, e->arg);
    return (e->type == Type::u64 ? std::to_string(e->arg) : std::to_string(static_cast<i64>(wide))) + suffix;
  }
  const u64 wide = soft::canonical(Type::f64, soft::cast(Type::f64, e->type, e->arg));
  double number = 0;
  std::memcpy(&number, &wide, sizeof number);
  char text[40];
  std::snprintf(text, sizeof text, e->type == Type::f32 ? "%.9g" : "%.17g", number);
  return text + std::string(std::strpbrk(text, ".einf") == nullptr ? ".0" : "") + suffix;
}

class Printer {
 public:
  Printer(const Kernel& kernel, Ref scope) : kernel_(kernel) {
    std::unordered_map<std::string, int> taken;
    std::unordered_map<Ref, bool> seen;
    name_vars(scope, taken, seen);
  }
  void statement(Ref s, int indent) {
    indent_ = indent;
    switch (s->op) {
      case Op::Block: for (u32 k = 0; k < s->count; ++k) statement(s->src[k], indent); return;
      case Op::For: return loop(s, indent);
      case Op::If: return condition(s, indent);
      case Op::Let:
        open({s->src[1]});
        line("let " + variable(s->src[0]) + lanes(s->src[0]) + " = " + text(s->src[1]));
        return statement(s->src[2], indent);
      case Op::Alloc:
        if (const Ref n = kernel_.buffers[s->arg].elements) open({n});
        line("alloc " + declared(kernel_.buffers[s->arg]));
        return statement(s->src[0], indent + 1);
      case Op::Write:
        open({s->src, s->src + s->count});
        line(place(s, 2) + " = " + text(s->src[1]));
        return;
      case Op::Prefetch:
        open({s->src[0]});
        line("prefetch " + place(s, 1));
        return;
      case Op::Fail:
        open({s->src[0]});
        line("fail " + failure(s->arg) + ": " + text(s->src[0]));
        return;
      default: line(text(s));
    }
  }
  std::string declared(const Buffer& b) {
    std::string t = b.name + ": " + ordo::name_of(b.type);
    if (b.elements != nullptr) t += "[" + text(b.elements) + "]";
    if (b.space == Space::heap || b.space == Space::stack || b.space == Space::registers) t += std::string(" ") + name_of(b.space);
    return t + (b.canonical ? ", canonical" : "") + (b.nontemporal ? ", past the caches" : "") +
           (b.promised != 0 ? ", at multiples of " + std::to_string(b.promised) : "");
  }
  std::string out;

 private:
  std::string failure(u64 number) const {
    return number < kernel_.failures.size() ? "\"" + kernel_.failures[number].text + "\"" : std::to_string(number);
  }
  std::string buffer(u64 number) const {
    return number < kernel_.buffers.size() ? kernel_.buffers[number].name : "buffer" + std::to_string(number);
  }
  void line(const std::string& text) { out += std::string(static_cast<std::size_t>(2 * indent_), ' ') + text + "\n"; }
  void loop(Ref s, int indent) {
    constexpr const char* mode[] = {"", " parallel", " unrolled", " vectorized"};
    open({s->src[1], s->src[2]});
    line("for " + variable(s->src[0]) + " in " + text(s->src[1]) + ".." + text(s->src[2]) + mode[s->arg & 3]);
    statement(s->src[3], indent + 1);
  }
  void condition(Ref s, int indent) {
    open({s->src[0]});
    line("if " + text(s->src[0]));
    statement(s->src[1], indent + 1);
    if (s->count < 3) return;
    indent_ = indent;
    line("else");
    statement(s->src[2], indent + 1);
  }
  void name_vars(Ref s, std::unordered_map<std::string, int>& taken, std::unordered_map<Ref, bool>& seen) {
    if (class_of(s->op) != OpClass::statement || !seen.emplace(s, true).second) return;
    if ((s->op == Op::For || s->op == Op::Let) && names_.count(s->src[0]) == 0) {
      const std::string plain = *s->src[0]->name != '\0' ? s->src[0]->name : "v";
      std::string name = plain;
      while (taken[name]++ > 0) name = plain + "_" + std::to_string(taken[plain]);
      names_.emplace(s->src[0], name);
    }
    for (u32 k = 0; k < s->count; ++k) name_vars(s->src[k], taken, seen);
  }
  std::string variable(Ref v) const {
    if (const auto it = names_.find(v); it != names_.end()) return it->second;
    return *v->name != '\0' ? v->name : "v" + std::to_string(v->arg);
  }

  // Makes the texts of the values of one statement. A long one that is used twice gets a line of its own.
  void open(std::vector<Ref> roots) {
    std::unordered_map<Ref, int> uses;
    texts_.clear();
    temporaries_ = 0;
    for (Ref root : roots)
      post_order(root, [&](Ref e) { return uses.count(e) != 0; }, [&](Ref e) {
        uses.emplace(e, 0);
        for (u32 k = 0; k < e->count; ++k) ++uses[e->src[k]];
      });
    for (Ref root : roots) {
      post_order(root, [&](Ref e) { return texts_.count(e) != 0; }, [&](Ref e) {
        std::string t = made(e);
        if (uses[e] > 1 && t.size() > 40) {
          const std::string name = "%" + std::to_string(temporaries_++);
          line(name + " = " + t);
          t = name;
        }
        texts_.emplace(e, std::move(t));
      });
    }
  }
  std::string text(Ref e) {
    if (const auto it = texts_.find(e); it != texts_.end()) return it->second;
    if (class_of(e->op) == OpClass::statement) return ir::name_of(e->op);
    return made(e);
  }
  std::string operand(Ref e, int tighter_than) {
    const std::string t = text(e);
    const bool temporary = t[0] == '%' && t.find(' ') == std::string::npos;
    return symbol(e->op) != nullptr && !temporary && binding(e->op) <= tighter_than ? "(" + t + ")" : t;
  }
  std::string place(Ref access, u32 mask) {
    return buffer(access->arg) + "[" + text(access->src[0]) + (access->count > mask ? " where " + text(access->src[mask]) : "") + "]";
  }
  std::string call(const std::string& name, Ref e) {
    std::string t = name + "(";
    for (u32 k = 0; k < e->count; ++k) t += (k == 0 ? "" : ", ") + text(e->src[k]);
    return t + ")";
  }
  std::string made(Ref e) {
    switch (e->op) {
      case Op::Const: return constant(e) + lanes(e);
      case Op::Var: return variable(e);
      case Op::Dim: return *e->name != '\0' ? e->name : "dim" + std::to_string(e->arg);
      case Op::Stride: return buffer(e->arg >> 8) + ".stride" + std::to_string(e->arg & 255);
      case Op::Ramp: return call("ramp", e) + lanes(e);
      case Op::Lookup: return call("lookup<" + std::to_string(e->arg) + ">", e);
      case Op::Broadcast: return operand(e->src[0], 9) + lanes(e);
      case Op::Read: return place(e, 1);
      case Op::Neg: return "-" + operand(e->src[0], 9);
      case Op::Not: return "!" + operand(e->src[0], 9);
      case Op::Cast: return call(std::string("cast<") + ordo::name_of(static_cast<Type>(e->arg)) + ">", e);
      case Op::Bitcast: return call(std::string("bitcast<") + ordo::name_of(e->type) + ">", e);
      default: break;
    }
    if (const char* s = symbol(e->op)) return operand(e->src[0], binding(e->op) - 1) + s + operand(e->src[1], binding(e->op));
    return call(ir::is_seldom(e) ? "select<seldom>" : ir::name_of(e->op), e);
  }

  const Kernel& kernel_;
  std::unordered_map<Ref, std::string> names_, texts_;
  int indent_ = 0, temporaries_ = 0;
};
}  // namespace detail_print

ORDO_INLINE std::string print_statement(const Kernel& kernel, ir::Ref statement, int indent) {
  detail_print::Printer printer(kernel, kernel.body != nullptr ? kernel.body : statement);
  printer.statement(statement, indent);
  return std::move(printer.out);
}
ORDO_INLINE std::string print(const Kernel& kernel) {
  detail_print::Printer printer(kernel, kernel.body);
  printer.out = "kernel " + kernel.name + "\n";
  for (const Buffer& b : kernel.buffers)
    if (b.space == Space::argument || b.space == Space::workspace)
      printer.out += std::string(detail_print::name_of(b.space)) + " " + printer.declared(b) + "\n";
  printer.statement(kernel.body, 0);
  return std::move(printer.out);
}
}  // namespace ordo::kernel
