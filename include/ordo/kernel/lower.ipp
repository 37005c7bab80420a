#pragma once
#include <algorithm>
#include <cstdio>
#include "ordo/base/debug.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/kernel/lowering.hpp"
#include "ordo/kernel/passes.hpp"

namespace ordo::kernel {
namespace detail_lower {
ORDO_INLINE Lowering::Lowering(const plan::Plan& plan, int stage, int constant, const Layout& layout, const Target& target,
                               const Planted& planted, Kernel& kernel, Buffers& buffers, const nest::Stage* region)
    : plan_(plan),
      program_(plan.nest.program),
      stage_(region != nullptr ? *region : plan.nest.stages[static_cast<std::size_t>(stage)]),
      definition_(program_.definitions[static_cast<std::size_t>(stage_.definition)]),
      time_(plan::time_of(plan.nest, static_cast<std::size_t>(stage))),
      constant_(constant),
      layout_(layout),
      target_(target),
      planted_(planted),
      kernel_(kernel),
      make_(kernel.arena),
      buffers_(buffers) {}

ORDO_INLINE void Lowering::prepare() {
  buffer_of(definition_.tensor);                         // first, so that numbers do not depend on how a compiler orders calls
  reduce_ = first_of(definition_.value, Op::Reduce);
  if (reduce_ == nullptr && constant_ < 0)
    visit_once(definition_.value, [&](Ref e) {
      if (e->op != Op::Load || !program_.tensor_of(e).input) return;
      if (!reads_own_place(definition_, e)) kernel_.buffers[buffer_of(static_cast<int>(e->src[0]->arg))].apart = true;
    });
  collect_loops();
  collect_parts();
  tile_ = nest::tile_of(plan_.nest, stage_);
  collect_guards();
  settle_parts();
  collect_members();
  pack_buffers_.assign(stage_.packs.size(), ~0u);
  pack_strides_.resize(stage_.packs.size());
  find_pin();
  if (constant_ < 0) choose_park();
}

ORDO_INLINE void Lowering::run() {
  prepare();
  if (constant_ >= 0) {
    make_pack_buffer(static_cast<std::size_t>(constant_));
    kernel_.body = fill(static_cast<std::size_t>(constant_), 0);
    return;
  }
  kernel_.body = whole_nest();
}

// Lanes of one vector register for the widest type that the stage computes in.
ORDO_INLINE u16 Lowering::lanes() const {
  int bytes = bytes_of(compute_type(program_.tensors[static_cast<std::size_t>(definition_.tensor)].type));
  visit_once(definition_.value, [&](Ref e) {
    if (e->op == Op::Load || is_float(e->type)) bytes = std::max(bytes, bytes_of(e->type));
    return e->op != Op::Load;                            // index arithmetic is not what a vector holds
  });
  return static_cast<u16>(std::max(2, target_.vector_bits / 8 / std::max(bytes, 4)));
}

// What stands between two passes: the rules of kernel.hpp in debug builds; ORDO_DEBUG=passes tells what a pass changed.
class Between {
 public:
  void passed(const char* pass, const Kernel& kernel) {
#if !defined(NDEBUG)
    verify(kernel);
#endif
    if (!told_) return;
    std::string text = print(kernel);
    if (text != last_) std::fprintf(stderr, "ordo: after %s\n%s", pass, text.c_str());
    last_ = std::move(text);
  }

 private:
  const bool told_ = debug_wants("passes");
  std::string last_;
};
}  // namespace detail_lower

ORDO_INLINE Kernel lower(const plan::Plan& plan, int group, const Layout& layout, const Target& target, const Planted& planted) {
  Kernel kernel;
  const plan::Group& g = plan.groups[static_cast<std::size_t>(group)];
  kernel.name = plan.nest.stages[static_cast<std::size_t>(g.stage)].name;
  kernel.arguments = static_cast<int>(plan.nest.program.inputs.size() + plan.nest.program.outputs.size());
  detail_lower::Between between;
  detail_lower::Buffers buffers;
  u16 lanes = 0;
  if (!g.guests.empty()) {
    lanes = detail_lower::in_turns(plan, g, layout, target, planted, kernel, buffers);
  } else if (g.last > g.stage) {
    lanes = detail_lower::in_step(plan, g, layout, target, planted, kernel, buffers);
  } else if (const auto& parts = plan.nest.stages[static_cast<std::size_t>(g.stage)].parts; !parts.empty()) {
    std::vector<ir::Ref> all;
    for (const nest::Stage& part : parts) {
      detail_lower::Lowering lowering(plan, g.stage, -1, layout, target, planted, kernel, buffers, &part);
      lowering.run();
      all.push_back(kernel.body);
      lanes = lowering.lanes();
    }
    kernel.body = Make(kernel.arena).block(all);
  } else {
    detail_lower::Lowering lowering(plan, g.stage, g.pack, layout, target, planted, kernel, buffers);
    lowering.run();
    lanes = lowering.lanes();
  }
  if (planted.split_fma > 0) kernel.body = with_split_fma(kernel, kernel.body, planted.split_fma);
  between.passed("place", kernel);
  kernel.body = vectorize(kernel, kernel.body, lanes);
  between.passed("vectorize", kernel);
  kernel.body = unroll(kernel, kernel.body);
  between.passed("unroll", kernel);
  kernel.body = hoist(kernel, kernel.body);
  between.passed("hoist", kernel);
  kernel.body = expand_functions(kernel, kernel.body, target.fma, target.lookups);
  if (planted.coefficient > 0) kernel.body = with_changed_coefficient(kernel, kernel.body, planted.coefficient);
  between.passed("expand_functions", kernel);
  return kernel;
}
}  // namespace ordo::kernel
