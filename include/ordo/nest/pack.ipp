// Copies what the stage reads of a tensor inside a loop into dense memory, laid out in the order of its loops.
//   before: for j.0                                 after: for j.0                    pack(B, j.0)
//             for k                                          B.pack[k 0..K, j.1 0..48] = B
//               for j.1 0..48                                for k
//                                                              for j.1 0..48
// Keeps: every value read is the one that the tensor holds there. Without a loop: once, before all loops.
#pragma once
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_pack {
inline Refusal bad_options(const Edit& e, const PackOptions& o, int arrow) {
  if (o.memory == Memory::registers || o.memory == Memory::shared)
    return {"pack.memory",
            cannot(e.directive) + ": Memory::" + (o.memory == Memory::shared ? "shared" : "registers") +
                " is not lowered for a copy by any back-end yet",
            "use Memory::automatic, Memory::stack or Memory::heap", arrow};
  if (o.pad < 0 || o.pad > 4096)
    return {"pack.pad", cannot(e.directive) + ": pad is " + std::to_string(o.pad),
            "pad is the number of elements added to a row, 0 to 4096", arrow};
  return {};
}

inline Refusal find_tensor(const Edit& e, int& tensor) {
  const ir::Program& program = e.nest.program;
  std::vector<std::string> read;
  for (const int t : reads_of(definition_of(e.nest, e.stage).value)) read.push_back(e.nest.names[static_cast<std::size_t>(t)]);
  tensor = -1;
  for (std::size_t k = 0; k < e.nest.names.size() && tensor < 0; ++k)
    if (e.nest.names[k] == e.directive.tensor) tensor = static_cast<int>(k);
  const auto no = [&](const std::string& why, const std::string& help) {
    return Refusal{"pack.tensor", cannot(e.directive) + ": " + why, help, -1};
  };
  const std::string reads = read.empty() ? "it reads no tensor" : ticked(e.stage.name) + " reads " + listed(read);
  if (tensor < 0) {
    const std::string near = did_you_mean(e.directive.tensor, read);
    return no(ticked(e.directive.tensor) + " is no tensor of this program", near.empty() ? reads : near);
  }
  const ir::TensorInfo& info = program.tensors[static_cast<std::size_t>(tensor)];
  if (tensor == definition_of(e.nest, e.stage).tensor) return no("a stage does not copy its own tensor", reads);
  if (e.stage.recurrence.first >= 0 && info.definition >= e.stage.recurrence.first && info.definition <= e.stage.recurrence.last)
    return no("it is part of the same recurrence, and grows while " + ticked(e.stage.name) + " runs", reads);
  if (info.output) return no("it is an output", "pack an input, or a stage that is no output");
  if (info.definition >= 0 && e.nest.stages[static_cast<std::size_t>(info.definition)].inlined)
    return no("it is inlined and never stored", "pack what it reads, or compute_root() first");
  for (const Pack& pack : e.stage.packs)
    if (pack.tensor == tensor)
      return {"pack.twice",
              cannot(e.directive) + ": " + ticked(pack.name) + " is a copy of it already (" + at_line("pack", pack.line) + ")",
              "one copy of a tensor in a stage", pack.at};
  return {};
}

inline bool whole_axis_reads(const ir::Program& program, ir::Ref load) {
  const ir::TensorInfo& info = program.tensor_of(load);
  for (u32 k = 1; k < load->count; ++k)
    if (load->src[k]->op != ir::Op::Axis || !ir::provably_equal(ir::extent_of(load->src[k]), info.shape[k - 1])) return false;
  return true;
}

inline Refusal bad_access(const Edit& e, int tensor, int arrow) {
  const std::vector<Access> found = accesses(e.nest, e.stage, tensor);
  const auto no = [&](const std::string& why, const std::string& help) {
    return Refusal{"pack.access", cannot(e.directive) + ": " + why, help, arrow};
  };
  const std::string by = ticked(e.stage.name);
  if (found.empty()) {
    std::vector<std::string> read;
    for (const int t : reads_of(definition_of(e.nest, e.stage).value)) read.push_back(e.nest.names[static_cast<std::size_t>(t)]);
    return no(by + " does not read it", read.empty() ? by + " reads no tensor" : by + " reads " + listed(read));
  }
  for (const Access& a : found)
    if (a.load != found.front().load || a.axes != found.front().axes || a.inside != found.front().inside)
      return no(by + " reads it at more than one place", "write one of the reads as a tensor of its own");
  if (found.front().gather) return no("its indices depend on data", "pack a tensor that is indexed by loops alone");
  if (starts_from(e.nest, e.stage, tensor))
    return no("an initial value of the recurrence reads it too", "define the initial value as a tensor of its own");
  bool everywhere = false;
  for (const Access& a : found) everywhere = everywhere || !a.guarded;
  if (!everywhere && (found.front().through || !whole_axis_reads(e.nest.program, found.front().load)))
    return no("it is read only where a condition holds, and the copy could reach outside it", "pack a tensor that is read everywhere");
  return {};
}
}  // namespace detail_pack

ORDO_INLINE Refusal directive::pack(Edit& e) {
  using namespace detail_pack;
  Pack pack;
  pack.at = -1;
  pack.options = e.directive.pack;
  pack.line = e.directive.at;
  if (!e.directive.loops.empty())
    if (Refusal r = find_loop(e, e.directive.loops[0], pack.at)) return r;
  if (Refusal r = find_tensor(e, pack.tensor)) return r;
  if (Refusal r = bad_options(e, pack.options, pack.at)) return r;
  if (Refusal r = bad_access(e, pack.tensor, pack.at)) return r;
  if (pack.options.constant && pack.at >= 0)
    return {"pack.constant", cannot(e.directive) + ": a constant is copied once, not in each turn of " + name_of(e.stage, pack.at),
            "leave the loop out: pack(" + e.directive.tensor + ", {.constant = true})", pack.at};
  if (pack.options.constant && !e.nest.program.tensors[static_cast<std::size_t>(pack.tensor)].input)
    return {"pack.constant", cannot(e.directive) + ": only an input can be promised constant between calls", "leave .constant out",
            pack.at};
  if (pack.at >= 0 && e.stage.loop(pack.at).mark == Mark::vectorized)
    return {"pack.loop",
            cannot(e.directive) + ": " + name_of(e.stage, pack.at) + " is vectorized (" +
                at_line("vectorize", e.stage.loop(pack.at).marked) + "), and its turns run at once",
            "pack at a loop outside it", pack.at};
  pack.name = e.directive.tensor + ".pack";
  if (copy_loops(e.nest, e.stage, pack).empty())
    return {"pack.loop",
            cannot(e.directive) + ": " + (pack.at < 0 ? "no loop" : "no loop inside " + name_of(e.stage, pack.at)) + " indexes it",
            "pack at a loop further out", pack.at};
  const int reduction = reduction_outside(e, pack);
  if (reduction >= 0)
    return {"pack.loop",
            cannot(e.directive) + ": it is read outside the reduction, and " + name_of(e.stage, pack.at) +
                (pack.at == reduction ? " is a loop of it" : " runs inside its loop " + name_of(e.stage, reduction)),
            "pack at a loop outside the reduction", pack.at};
  e.stage.packs.push_back(pack);
  return {};
}

ORDO_INLINE const StageHandle* pack(const StageHandle* s, ir::Ref raw_tensor, ir::Ref loop, PackOptions options, Where at) {
  Call call(s, "pack", at);
  call.tensor(raw_tensor);
  if (loop != nullptr) call.loop(loop);
  call.directive.pack = options;
  call.apply();
  const std::vector<Pack>& packs = s->body->nest.stages[static_cast<std::size_t>(s->stage)].packs;
  return s->body->handle_of_copy(s->stage, static_cast<int>(packs.size()) - 1);
}
}  // namespace ordo::nest
