// What a seldom needed expression takes from the function that it is called in; see seldom.ipp.
#pragma once
#include <unordered_set>
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/ir/post_order.hpp"

namespace ordo::codegen::llvm {
inline bool is_argument_of_seldom(const Function& f, Ref n) {
  const ir::OpClass c = class_of(n->op);
  if (c == ir::OpClass::leaf || c == ir::OpClass::memory) return n->op != ir::Op::Const && n->op != ir::Op::Lookup;
  return is_known(f, n) && (c != ir::OpClass::unary || !is_known(f, n->src[0]));
}
template <class Visit>
void arguments_of_seldom(const Function& f, Ref root, const Visit& visit) {
  std::unordered_set<Ref> seen;
  const auto met = [&](Ref n) {
    if (seen.count(n) != 0) return true;
    if (!is_argument_of_seldom(f, n)) return false;
    seen.insert(n);
    visit(n);
    return true;
  };
  ir::post_order(root, met, [&](Ref n) { seen.insert(n); });
}
}  // namespace ordo::codegen::llvm
