// Kinds of loops, and the handle of one: an axis, a component of an axis, or a part made by a directive.
#pragma once
#include "ordo/lang/handle.hpp"

namespace ordo {
struct Free {};                  // iterations are independent
struct Ordered {};               // iterations run in ascending order
struct Tree {};                  // has free and ordered components; only they are loops
template <class Kind> struct Loop {
  using kind = Kind;
  ir::Ref node;
};
namespace lang {
template <class A> concept IsLoop = requires { typename A::kind; };
}  // namespace lang
}  // namespace ordo
