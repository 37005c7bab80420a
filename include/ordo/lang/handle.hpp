// Untyped handles: one pointer each, trivially copyable. The typed ones derive from them.
#pragma once
#include <type_traits>
#include "ordo/ir/builder.hpp"

namespace ordo {
struct AnyExpr {
  ir::Ref node = nullptr;
};
struct AnyTensor {
  ir::Ref node = nullptr;
};
template <class T> class Expr;

namespace lang {
template <class...> inline constexpr bool never = false;      // for a static_assert that speaks when instantiated
template <class A> concept IsExpr = std::is_base_of_v<AnyExpr, A>;
inline ir::Builder& front() { return ir::Builder::front(); }

struct Name {                    // the name of a new thing; carries the caller's line
  const char* text;
  Where at;
  Name(const char* name, Where where = Where::current()) : text(name), at(where) {}
};
}  // namespace lang
}  // namespace ordo
