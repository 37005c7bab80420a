// A schedule being written: a Nest, what was done to it, the handles it gave out; and one call on it.
#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#include "ordo/ir/arena.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
struct CopyHandle : StageHandle {
  int pack = -1;                 // of its stage: the handle is that of a copy
  int scope = 0;                 // it is part of
};
struct LoopHandle { int stage, loop, scope; };
struct Body {
  Nest nest;
  Trace trace = {};
  std::atomic<long> owners{1};
  ir::Arena vars = {};           // of the handles made by split and fuse: Var nodes
  std::unordered_map<ir::Ref, LoopHandle> made = {};                 // by Var, whose `arg` counts them; none is ever removed
  std::unordered_map<const void*, int> by_origin = {};               // raw tensor -> number in the program
  std::vector<CopyHandle> stages = {};                               // never grows
  std::deque<CopyHandle> copies = {};
  std::string text = {}, source = {};
  std::unique_ptr<Nest> general = {};    // while a variant is written, which stands in `nest` then
  std::string when = {};         // that variant's condition
  struct Before { std::size_t trace = 0, made = 0, copies = 0; } before = {};
  std::unique_ptr<Stage> whole = {};     // while a region is written, which stands in its stage then
  int region = -1, region_of = -1;
  Before before_cut = {};
  std::vector<Stage> uncut = {};         // all stages before regions
  // Where handles mean something. Each variant and each region that is written is a scope of its own, also when one like it was undone.
  static constexpr int general_scope = 0, undone = -1;
  std::vector<std::string> scopes = {"the general schedule"};        // in words, by number
  int variant_scope = general_scope, region_scope = general_scope;   // those being written
  int scope_of(int stage) const { return stage == region_of ? region_scope : variant_scope; }
  bool within(int scope) const { return scope == general_scope || scope == variant_scope || scope == region_scope; }
  int begin_scope(std::string words) { return scopes.push_back(std::move(words)), static_cast<int>(scopes.size()) - 1; }
  Before now() const { return {trace.size(), made.size(), copies.size()}; }
  void undo(const Before& to);
  const CopyHandle* handle_of_copy(int stage, int pack);
  explicit Body(ir::Program staged);
};

[[noreturn]] void not_in_region(const Body* body, const char* verb, Where at);         // regions.ipp

class Call {                     // one directive of the user's: handles become names, then it is applied or refused
 public:
  Directive directive;
  Call(const StageHandle* stage, const char* name, Where at);
  void loop(ir::Ref handle);
  void loop_of(const StageHandle* host, ir::Ref handle);       // a loop of another stage, which becomes the directive's tensor
  void factor(ir::Ref raw);
  void tensor(ir::Ref raw);
  void place(ir::Ref raw);       // an axis, its quotient or its remainder by a constant: a factor
  void apply();
  void made_by_last(ir::Ref* made, int count);
  [[noreturn]] void no(const Refusal& refusal) const { refuse(body_.nest, number_, refusal, directive.at); }

 private:
  const Stage& stage() const { return body_.nest.stages[static_cast<std::size_t>(number_)]; }
  std::string loop_of_axis(ir::Ref raw, ir::AxisPart part) const;
  Body& body_;
  int number_;
  int pack_;
  std::size_t loops_before_ = 0;
};
}  // namespace ordo::nest
