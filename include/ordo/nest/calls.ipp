#pragma once
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_calls {
inline const char* name_of_raw(ir::Ref raw) { return raw != nullptr && raw->name != nullptr && *raw->name != '\0' ? raw->name : "?"; }

inline std::vector<std::string> stage_names(const Nest& nest) {
  std::vector<std::string> names;
  for (const Stage& stage : nest.stages) names.push_back(stage.name);
  return names;
}
}  // namespace detail_calls

ORDO_INLINE Refusal no_stage(const Nest& nest, const std::string& name) {
  const std::size_t slash = name.find('/');
  std::vector<std::string> known = detail_calls::stage_names(nest);
  if (slash != std::string::npos) {
    const int number = stage_index(nest, name.substr(0, slash));
    if (number >= 0) known.clear();
    if (number >= 0)
      for (const Pack& pack : nest.stages[static_cast<std::size_t>(number)].packs)
        known.push_back(nest.stages[static_cast<std::size_t>(number)].name + "/" + pack.name);
  }
  std::string help = did_you_mean(name, known);
  if (known.size() > 8) known.resize(8);
  if (help.empty() && !known.empty()) help = "its stages are " + listed(known);
  return {"schedule.stage", "this schedule has no stage " + ticked(name), help, -1};
}

ORDO_INLINE Body::Body(ir::Program staged) : nest(make(std::move(staged))) {
  for (std::size_t k = 0; k < nest.program.tensors.size(); ++k)
    if (nest.program.tensors[k].origin != nullptr) by_origin.emplace(nest.program.tensors[k].origin, static_cast<int>(k));
  stages.resize(nest.stages.size());
  for (std::size_t k = 0; k < stages.size(); ++k) {
    stages[k].body = this;
    stages[k].stage = static_cast<int>(k);
  }
}

ORDO_INLINE void Body::undo(const Before& to) {
  trace.resize(to.trace);
  for (auto& [var, handle] : made)
    if (var->arg >= to.made) handle.scope = undone;
  for (std::size_t k = to.copies; k < copies.size(); ++k) copies[k].scope = undone;
}
ORDO_INLINE const CopyHandle* Body::handle_of_copy(int stage, int pack) {
  CopyHandle& copy = copies.emplace_back();
  copy.body = this;
  copy.stage = stage;
  copy.pack = pack;
  copy.scope = scope_of(stage);
  return &copy;
}

ORDO_INLINE Body* open(const ir::Ref* outputs, int count, Where at) {
  return new Body(ir::stages(ir::snapshot(nullptr, 0, outputs, count, at, true)));
}
ORDO_INLINE void retain(Body* body) {
  if (body != nullptr) body->owners.fetch_add(1, std::memory_order_relaxed);
}
ORDO_INLINE void release(Body* body) {
  if (body != nullptr && body->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete body;
}

ORDO_INLINE const StageHandle* stage_of(Body* body, ir::Ref raw_tensor, Where at) {
  const auto it = body->by_origin.find(raw_tensor);
  if (it != body->by_origin.end()) {
    const int definition = body->nest.program.tensors[static_cast<std::size_t>(it->second)].definition;
    if (definition >= 0) return &body->stages[static_cast<std::size_t>(definition)];
    refuse(body->nest, -1,
           {"schedule.stage", ticked(body->nest.names[static_cast<std::size_t>(it->second)]) + " is an input: it has no stage",
            "stages are " + listed(detail_calls::stage_names(body->nest)), -1},
           at);
  }
  Refusal r = no_stage(body->nest, detail_calls::name_of_raw(raw_tensor));
  if (stage_index(body->nest, detail_calls::name_of_raw(raw_tensor)) >= 0) r.help = "the stage of that name is another tensor's";
  refuse(body->nest, -1, r, at);
}
ORDO_INLINE const StageHandle* stage_named(Body* body, const char* name, Where at) {
  const int number = stage_index(body->nest, name);
  if (number < 0) {
    for (const CopyHandle& copy : body->copies) {
      if (!body->within(copy.scope)) continue;
      const Stage& stage = body->nest.stages[static_cast<std::size_t>(copy.stage)];
      if (stage.name + "/" + stage.packs[static_cast<std::size_t>(copy.pack)].name == name) return &copy;
    }
    refuse(body->nest, -1, no_stage(body->nest, name), at);
  }
  return &body->stages[static_cast<std::size_t>(number)];
}

ORDO_INLINE Call::Call(const StageHandle* stage, const char* name, Where at)
    : body_(*stage->body), number_(stage->stage), pack_(static_cast<const CopyHandle*>(stage)->pack) {
  const Stage& s = body_.nest.stages[static_cast<std::size_t>(number_)];
  directive.name = name;
  directive.when = body_.when;
  if (number_ == body_.region_of) directive.region = body_.region;
  const CopyHandle& handle = *static_cast<const CopyHandle*>(stage);
  if (pack_ >= 0 && !body_.within(handle.scope)) {
    const std::string verb = "cannot " + std::string(row_of(name)->verb) + ": ";
    refuse(body_.nest, number_,
           handle.scope == Body::undone
               ? Refusal{"schedule.copy", verb + "the directive that made that copy was undone by an exception", "pack anew", -1}
               : Refusal{"schedule.copy", verb + "that copy is made in " + body_.scopes[static_cast<std::size_t>(handle.scope)],
                         "schedule it there", -1},
           at);
  }
  directive.stage = pack_ < 0 ? s.name : s.name + "/" + s.packs[static_cast<std::size_t>(pack_)].name;
  directive.at = at;
}

ORDO_INLINE std::string Call::loop_of_axis(ir::Ref raw, ir::AxisPart part) const {
  std::vector<int> owners{stage().definition};
  for (const int absorbed : stage().absorbed) owners.push_back(body_.nest.stages[static_cast<std::size_t>(absorbed)].definition);
  for (const int owner : owners)
    for (const ir::Handle& handle : body_.nest.program.definitions[static_cast<std::size_t>(owner)].handles) {
      if (handle.raw != raw) continue;
      const Root* other = nullptr;
      for (const Root& root : stage().roots) {
        if (root.axis != handle.axis) continue;
        if (root.part == part) return stage().loop(root.loop).name;
        other = &root;
      }
      if (other != nullptr) return other->axis->name;  // a whole axis of several parts: refused by name
    }
  std::vector<std::string> owner_names;
  for (const Stage& s : body_.nest.stages)
    for (const ir::Handle& handle : body_.nest.program.definitions[static_cast<std::size_t>(s.definition)].handles)
      if (handle.raw == raw) {
        owner_names.push_back(s.name);
        break;
      }
  const std::string name = ticked(detail_calls::name_of_raw(raw));
  const char* verb = row_of(directive.name)->verb;
  no({"schedule.loop",
      "cannot " + std::string(verb) + " " + name + ": it is " +
          (owner_names.empty() ? "no axis of this schedule" : "an axis of " + listed(owner_names) + ", not of " + ticked(stage().name)),
      owner_names.empty() ? "use an axis of " + ticked(stage().name) : "give the directive to that stage", -1});
}

ORDO_INLINE void Call::loop(ir::Ref handle) {
  const std::string verb = "cannot " + std::string(row_of(directive.name)->verb);
  if (handle == nullptr) no({"schedule.loop", verb + ": the loop's handle is empty", "use an axis, or a loop made by a directive", -1});
  switch (handle->op) {
    case ir::Op::Axis:
      return directive.loops.push_back(loop_of_axis(handle, ir::AxisPart::whole));
    case ir::Op::Component:
      return directive.loops.push_back(loop_of_axis(handle->src[0], static_cast<ir::AxisPart>(handle->arg)));
    default:
      break;
  }
  const auto it = body_.made.find(handle);
  const std::string name = ticked(detail_calls::name_of_raw(handle));
  if (it == body_.made.end())
    no({"schedule.loop", verb + " " + name + ": it is a loop of another schedule", "use a loop of this schedule", -1});
  const auto [number, loop, scope] = it->second;
  if (scope == Body::undone)
    no({"schedule.loop", verb + " " + name + ": the directive that made it was undone by an exception", "make it anew", -1});
  if (!body_.within(scope))
    no({"schedule.loop", verb + " " + name + ": it is a loop of " + body_.scopes[static_cast<std::size_t>(scope)], "schedule it there", -1});
  if (number != number_)
    no({"schedule.loop",
        verb + " " + name + ": it is a loop of " + ticked(body_.nest.stages[static_cast<std::size_t>(number)].name) + ", not of " +
            ticked(stage().name),
        "give the directive to that stage", -1});
  directive.loops.push_back(stage().loop(loop).name);
}

ORDO_INLINE void Call::loop_of(const StageHandle* host, ir::Ref handle) {
  const int own = number_;
  if (host->body != &body_)
    no({"schedule.stage", "cannot compute it there: that stage is of another schedule", "use a stage of this schedule", -1});
  number_ = host->stage;
  const CopyHandle& copy = *static_cast<const CopyHandle*>(host);
  const bool here = body_.within(copy.scope);        // else its number is of another schedule
  if (copy.pack >= 0)
    no({"schedule.copy",
        "cannot compute it there: " + (here ? ticked(stage().packs[static_cast<std::size_t>(copy.pack)].name) : "that") +
            " is a copy, made where " + ticked(stage().name) + " reads it",
        "name a stage, and a loop of it", -1});
  directive.tensor = stage().name;
  if (handle != nullptr || directive.name != "store_at") loop(handle);
  number_ = own;
}

ORDO_INLINE void Call::factor(ir::Ref raw) {
  std::string wrong;
  const ir::Ref size = translate_size(body_.nest, raw, wrong);
  if (size == nullptr) {
    const bool prefetch = directive.name == "prefetch", regions = directive.name == "regions";
    no({prefetch ? "prefetch.distance" : regions ? "regions.place" : "split.factor", cannot(directive) + ": " + wrong,
        (prefetch ? "a distance" : regions ? "a place" : "a factor") + std::string(" is an integer or an expression of Dims"), -1});
  }
  directive.factors.push_back(print_size(size));
}
ORDO_INLINE void Call::tensor(ir::Ref raw) {
  const auto it = body_.by_origin.find(raw);
  if (it != body_.by_origin.end())
    directive.tensor = body_.nest.names[static_cast<std::size_t>(it->second)];
  else
    no({directive.name == "prefetch" ? "prefetch.tensor" : directive.name == "align" ? "align.tensor" : "pack.tensor",
        "cannot " + directive.name + " " + ticked(detail_calls::name_of_raw(raw)) + ": it is no tensor of this program",
        directive.name + " a tensor that " + ticked(stage().name) + " reads", -1});
}

ORDO_INLINE void Call::place(ir::Ref raw) {
  const bool part = raw != nullptr && (raw->op == ir::Op::Div || raw->op == ir::Op::Mod || raw->op == ir::Op::FloorDiv || raw->op == ir::Op::FloorMod);
  const ir::Ref axis = part ? raw->src[0] : raw;
  if (axis == nullptr || axis->op != ir::Op::Axis || (part && raw->src[1]->op != ir::Op::Const))
    no({"layout.dimension", "cannot lay out " + ticked(stage().name) + ": a place is no axis, nor one divided by a constant",
        "write c, c / 16 or c % 16 for an axis c of the definition", -1});
  std::string text = loop_of_axis(axis, ir::AxisPart::whole);
  if (part)
    text += (raw->op == ir::Op::Div || raw->op == ir::Op::FloorDiv ? " / " : " % ") + std::to_string(static_cast<i64>(raw->src[1]->arg));
  directive.factors.push_back(text);
}

ORDO_INLINE void Call::apply() {
  loops_before_ = stage().loops.size();
  body_.trace.push_back(directive);
  const Refusal r = attempt(body_.nest, directive, number_, pack_);
  if (!r) return;
  body_.trace.pop_back();
  no(r);
}

// Handles of the loops that the directive made, outermost first.
ORDO_INLINE void Call::made_by_last(ir::Ref* made, int count) {
  int next = 0;
  for (std::size_t k = loops_before_; k < stage().loops.size() && next < count; ++k) {
    const Loop& l = stage().loops[k];
    if (l.between) continue;
    const ir::Ref var = body_.vars.make(ir::Op::Var, Type::i64, {}, static_cast<u64>(body_.made.size()), l.name.c_str());
    body_.made.emplace(var, LoopHandle{number_, static_cast<int>(k), body_.scope_of(number_)});
    made[next++] = var;
  }
}

ORDO_INLINE const char* text(Body* body) { return (body->text = print(body->nest)).c_str(); }
ORDO_INLINE const char* trace(Body* body) { return (body->source = print(body->trace)).c_str(); }
ORDO_INLINE const Nest& nest_of(const Body* body) { return body->nest; }
ORDO_INLINE const Trace& trace_of(const Body* body) { return body->trace; }

ORDO_INLINE void apply(Body* body, const Trace& trace, const char* recipe) {
  if (body->region >= 0) not_in_region(body, "replay", trace.empty() ? Where{} : trace[0].at);
  Trace all = body->trace, given = trace;
  for (Directive& d : given)
    if (!body->when.empty() && d.when.empty()) d.when = body->when;
  all.insert(all.end(), given.begin(), given.end());
  nest::apply(body->nest, given, recipe);
  body->trace.swap(all);
  // handles of the copies that the trace made
  for (std::size_t n = 0; n < body->stages.size(); ++n) {
    int known = 0;
    for (const CopyHandle& copy : body->copies)
      if (copy.stage == static_cast<int>(n) && body->within(copy.scope)) ++known;
    for (; known < static_cast<int>(body->nest.stages[n].packs.size()); ++known) body->handle_of_copy(static_cast<int>(n), known);
  }
}
ORDO_INLINE Body* replay(ir::Program staged, const Trace& trace) {
  Body* body = new Body(std::move(staged));
  try {
    nest::apply(body, trace);
  } catch (...) {
    release(body);
    throw;
  }
  return body;
}
}  // namespace ordo::nest
