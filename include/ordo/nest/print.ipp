#pragma once
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_print {
inline const char* tail_name(Tail tail) {
  constexpr const char* name[] = {"mask", "guard", "peel", "cover", "shift_in", "exact"};
  return name[static_cast<int>(tail)];
}
inline const char* memory_name(Memory memory) {
  constexpr const char* name[] = {"automatic", "registers", "stack", "heap", "shared"};
  return name[static_cast<int>(memory)];
}

// The tail of the split that made a loop, shown at its inner part unless the split divides and has the default tail.
inline std::string tail_of(const Stage& stage, int loop) {
  for (const Relation& r : stage.relations) {
    if (r.op != Relation::Op::split || r.inner != loop) continue;
    const Loop& parent = stage.loop(r.parent);
    const bool divides = parent.extent == r.factor ||
                         (r.factor->op == ir::Op::Const && ir::provably_multiple(parent.extent, static_cast<i64>(r.factor->arg)));
    const std::string second = r.second == nullptr ? "" : " of " + print_size(r.factor) + " and " + print_size(r.second);
    return divides && r.tail == Tail::mask ? "" : std::string(", tail ") + tail_name(r.tail) + second;
  }
  return "";
}
// Its own, those of the loops that it is the outer part of, and those of the loops fused into it; each once.
inline void add_tails(const Stage& stage, int loop, std::string& text) {
  const std::string own = tail_of(stage, loop);
  if (text.find(own) == std::string::npos) text += own;
  for (const Relation& r : stage.relations) {
    if (r.op == Relation::Op::split && r.outer == loop) add_tails(stage, r.parent, text);
    if (r.op != Relation::Op::fuse || r.parent != loop) continue;
    add_tails(stage, r.outer, text);
    add_tails(stage, r.inner, text);
  }
}

inline std::string loop_line(const Stage& stage, int loop) {
  const Loop& l = stage.loop(loop);
  std::string text = "for " + l.name + " 0.." + print_size(l.extent);
  if (l.kind == Kind::ordered)
    text += ", ordered";
  else if (l.reduction)
    text += ", reduction";
  if (l.mark != Mark::serial) text += std::string(", ") + word_of(l.mark);
  if (l.grain != 1) text += " by " + std::to_string(l.grain);
  std::string tails;
  add_tails(stage, loop, tails);
  return text + tails;
}

inline std::string pack_line(const Stage& stage, const Pack& pack) {
  std::string text = pack.name + "[";
  for (std::size_t k = 0; k < pack.order.size(); ++k) {
    const Loop& l = stage.loop(pack.order[k]);
    text += (k == 0 ? "" : ", ") + l.name + " 0.." + print_size(l.extent);
    if (pack.marks[k] != Mark::serial) text += std::string(" ") + word_of(pack.marks[k]);
  }
  text += "] = " + pack.name.substr(0, pack.name.size() - 5);
  if (pack.options.memory != Memory::automatic) text += std::string(", ") + memory_name(pack.options.memory);
  if (pack.options.pad != 0) text += ", pad " + std::to_string(pack.options.pad);
  if (pack.options.constant) text += ", constant";
  return text;
}
inline std::string cache_line(const Stage& stage) {
  std::string text;
  for (std::size_t k = static_cast<std::size_t>(stage.place(stage.cached_at)) + 1; k < stage.order.size(); ++k) {
    const Loop& l = stage.loop(stage.order[k]);
    if (!l.reduction) text += (text.empty() ? "" : ", ") + l.name + " 0.." + print_size(l.extent);
  }
  return stage.name + ".cache[" + text + "], until finished";
}
// What a turn holds of a placed stage: [h, kb * 64 + 0..64, 0..N, last 2 of 0..t]
inline std::string regions_line(const Nest& nest, const Stage& stage) {
  const Stage& host = nest.stages[static_cast<std::size_t>(stage.placed.stage)];
  const Storage& stored = stage.placed.stored;
  std::string text = ": in each turn of " + host.name + "/" + host.loop(stage.placed.turn).name + ", ";
  if (stored.loop == Storage::whole) text += "stored around all of " + host.name + ", ";
  else if (stored.loop >= 0) text += "stored in each turn of " + host.name + "/" + host.loop(stored.loop).name + ", ";
  text += "[";
  for (std::size_t k = 0; k < stage.placed.regions.size(); ++k) {
    Region r = stage.placed.regions[k];
    const ir::Ref piece = r.extent;
    if (r.window != nullptr) r.base = r.window, r.extent = r.window_extent;
    const bool start = r.base->op == ir::Op::Const && r.base->arg == 0, one = r.extent->op == ir::Op::Const && r.extent->arg == 1;
    text += k == 0 ? "" : ", ";
    if (r.end != nullptr) text += "0.." + print_size(r.end);
    else if (one) text += print_size(r.base);
    else text += (start ? "" : print_size(r.base) + " + ") + "0.." + print_size(r.extent);
    if (r.kept != nullptr && !ir::provably_equal(r.kept, r.extent)) text += " (" + print_size(r.kept) + " kept)";
    if (r.window == nullptr) continue;
    text += " (" + print_size(piece) + " new";
    if (stored.folded >= 0) text += ", ring of " + std::to_string(stored.ring);
    text += ")";
  }
  return text + "]\n";
}
inline std::string indented(const std::string& lines) {
  std::string text;
  for (std::size_t from = 0; from < lines.size();) {
    const std::size_t end = lines.find('\n', from);
    text += "  " + lines.substr(from, end + 1 - from);
    from = end + 1;
  }
  return text;
}
inline std::string region(const Stage& part, const ir::Program& program) {
  std::string text;
  for (const Root& root : part.roots)
    if (root.base != nullptr) text += std::string(root.axis->name) + " from " + print_size(root.base);
  text += part.nontemporal ? ", stored past the caches:\n" : ":\n";
  return text + indented(print(part, program, -1));
}
}  // namespace detail_print

ORDO_INLINE std::string loop_line(const Stage& stage, int loop) { return detail_print::loop_line(stage, loop); }
ORDO_INLINE std::string copy_line(const Stage& stage, const Pack& pack) { return detail_print::pack_line(stage, pack); }
ORDO_INLINE std::string stage_line(const Nest& nest, const Stage& stage) {
  if (stage.inlined) return stage.name + ": inlined\n";
  if (stage.nontemporal) return stage.name + ": stored past the caches\n";
  return stage.name + (stage.placed.stage < 0 ? ":\n" : detail_print::regions_line(nest, stage));
}

// One line a loop, each inside the one above; a copy where it is made, reads ahead below the loop that they follow.
ORDO_INLINE std::string print(const Stage& stage, const ir::Program& program, int arrow_at_loop) {
  std::string text;
  const auto copies = [&](int at, std::size_t indent) {
    for (const Pack& pack : stage.packs)
      if (pack.at == at) text += std::string(indent, ' ') + detail_print::pack_line(stage, pack) + "\n";
  };
  if (!stage.layout.empty())
    text += "stored as " + print_layout(stage, program.definitions[static_cast<std::size_t>(stage.definition)]) + "\n";
  for (const Promise& p : stage.promises)
    text += std::string(program.tensors[static_cast<std::size_t>(p.tensor)].name) + " at multiples of " + std::to_string(p.bytes) + " bytes\n";
  copies(-1, 0);
  std::size_t indent = 0;
  for (const int loop : stage.order) {
    text += std::string(indent, ' ') + detail_print::loop_line(stage, loop) + (loop == arrow_at_loop ? "        <-- this loop\n" : "\n");
    indent += 2;
    for (const Prefetch& p : stage.prefetches)
      if (p.loop == loop)
        text += std::string(indent, ' ') + "prefetch " + program.tensors[static_cast<std::size_t>(p.tensor)].name + ", " +
                print_size(p.distance) + " ahead\n";
    if (stage.cached_at == loop) text += std::string(indent, ' ') + detail_print::cache_line(stage) + "\n";
    copies(loop, indent);
  }
  return text;
}

ORDO_INLINE std::string print(const Nest& nest) {
  std::string text;
  for (const Stage& stage : nest.stages) {
    text += stage_line(nest, stage);
    if (stage.inlined) continue;
    std::string loops = stage.parts.empty() ? print(stage, nest.program) : "";
    for (const Stage& part : stage.parts) loops += detail_print::region(part, nest.program);
    text += detail_print::indented(loops);
    if (loops.empty()) text += "  once\n";
  }
  for (const Variant& v : nest.variants) text += "when " + v.nest.special_for + ":\n" + detail_print::indented(print(v.nest));
  return text;
}
}  // namespace ordo::nest
