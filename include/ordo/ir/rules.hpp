// Rewrite rules as data. A pattern is written as the printer would: `select(not(x), y, z)`; x, y, z stand for any value,
// the same letter for the same node; a number or true/false for that constant, in the type of the operation's operands.
#pragma once
#include <vector>
#include "ordo/ir/arena.hpp"

namespace ordo::ir {
struct RewriteRule {
  enum class For : u8 { integer, boolean, any } values;   // type of the operands (of a select: of its two values)
  const char* from;
  const char* to;
};
const std::vector<RewriteRule>& rewrite_rules();
// The first rule for `e` that matches, applied; nullptr when none does. Sources of `e` are simplified.
Ref apply_rules(Arena& arena, Ref e);
}  // namespace ordo::ir
