#pragma once
#include "ordo/ir/order.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/runtime/body.hpp"
#include "ordo/runtime/environment.hpp"

namespace ordo::runtime {
namespace detail_texts {
inline kernel::Layout row_major(const KernelBody& body) {
  kernel::Layout layout;
  for (const Declared& d : body.checks.declared) layout.push_back(d.rank - 1);
  return layout;
}
inline void make_code_texts(KernelBody& body) {
  if (!body.ir_text.empty()) return;
  for (const KernelBody::Special& special : body.specials) make_code_texts(*special.body);
  const EnvironmentScope environment;
  std::string ir, assembly;
  if (body.target.backend == nullptr) ir = assembly = "the interpreter runs the program itself: there is no code\n";
  for (std::size_t g = 0; g < body.groups.size(); ++g) {
    const codegen::Code code = body.target.backend->generate(lower_group(body, g, row_major(body)), body.target, true);
    ir += code.ir;
    assembly += code.assembly;
  }
  for (const KernelBody::Special& special : body.specials) {
    ir += special.body->ir_text;
    assembly += special.body->assembly_text;
  }
  body.assembly_text = std::move(assembly);
  body.ir_text = ir.empty() ? "\n" : std::move(ir);
}
inline std::string explanation(const KernelBody& body) {
  std::string text = ir::print(body.program) + "\ntarget " + body.target.name + "\n";
  if (body.plan == nullptr) return text;
  text += "\n" + plan::print(*body.plan);
  for (std::size_t g = 0; g < body.groups.size(); ++g) {
    const kernel::Kernel k = lower_group(body, g, row_major(body));
    text += "\n" + kernel::print(k);
  }
  for (const KernelBody::Special& special : body.specials) {
    text += "\nwhen " + special.body->plan->nest.special_for + "\n" + plan::print(*special.body->plan);
    for (std::size_t g = 0; g < special.body->groups.size(); ++g)
      text += "\n" + kernel::print(lower_group(*special.body, g, row_major(*special.body)));
  }
  return text;
}
}  // namespace detail_texts

ORDO_INLINE const char* text(KernelBody* body) {
  const std::lock_guard<std::mutex> hold(body->writing_texts);
  if (body->program_text.empty()) body->program_text = ir::print(body->program);
  return body->program_text.c_str();
}
ORDO_INLINE const char* explain(KernelBody* body) {
  const std::lock_guard<std::mutex> hold(body->writing_texts);
  if (body->explain_text.empty()) body->explain_text = detail_texts::explanation(*body);
  return body->explain_text.c_str();
}
ORDO_INLINE const char* explain(KernelBody* body, const ir::ElementAsked& element, Where at) {
  std::string text = ir::explain_order(body->program, element, at);
  const std::lock_guard<std::mutex> hold(body->writing_texts);
  return body->element_texts.insert(std::move(text)).first->c_str();
}
ORDO_INLINE const char* ir(KernelBody* body) {
  const std::lock_guard<std::mutex> hold(body->writing_texts);
  detail_texts::make_code_texts(*body);
  return body->ir_text.c_str();
}
ORDO_INLINE const char* assembly(KernelBody* body) {
  const std::lock_guard<std::mutex> hold(body->writing_texts);
  detail_texts::make_code_texts(*body);
  return body->assembly_text.c_str();
}
}  // namespace ordo::runtime
