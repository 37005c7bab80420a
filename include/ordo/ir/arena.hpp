// Storage of nodes. An Arena hash-conses: equal (op, type, lanes, sources, argument, name) is one node, so that equality
// is pointer equality and walks can be memoised. Nodes live as long as their Arena.
#pragma once
#include <initializer_list>
#include "ordo/ir/node.hpp"

namespace ordo::ir {
struct ArenaBody;
class Arena {
 public:
  Arena();
  Arena(Arena&& other) noexcept : body_(other.body_) { other.body_ = nullptr; }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena& operator=(Arena&& other) noexcept {
    ArenaBody* mine = body_;
    body_ = other.body_;
    other.body_ = mine;
    return *this;
  }
  ~Arena();
  Ref make(Op op, Type type, const Ref* sources, u32 count, u64 arg = 0, const char* name = "", Where at = {}, u16 lanes = 1);
  Ref make(Op op, Type type, std::initializer_list<Ref> sources, u64 arg = 0, const char* name = "", Where at = {}, u16 lanes = 1) {
    return make(op, type, sources.begin(), static_cast<u32>(sources.size()), arg, name, at, lanes);
  }
  Ref constant(Type type, u64 bits, u16 lanes = 1) { return make(Op::Const, type, nullptr, 0, bits, "", {}, lanes); }
  Ref integer(i64 value) { return constant(Type::i64, static_cast<u64>(value)); }
  const char* intern(const char* text);       // a copy that lives as long as the arena, one for equal texts
  std::size_t size() const;                   // nodes made

 private:
  ArenaBody* body_;
};
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/arena.ipp"
#endif
