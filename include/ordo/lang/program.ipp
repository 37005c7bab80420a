#pragma once
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include "ordo/ir/digest.hpp"
#include "ordo/ir/order.hpp"
#include "ordo/ir/program.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/lang/program.hpp"

namespace ordo::lang {
struct ProgramBody {
  ir::Program program;
  std::atomic<int> owners{1};
  mutable std::once_flag printed, hashed;
  mutable std::string text;
  mutable std::mutex explaining;
  mutable std::set<std::string> explained;       // texts given out
  mutable char hex[33] = {};
  explicit ProgramBody(ir::Program&& p) : program(std::move(p)) {}
};

ORDO_INLINE ProgramBody* snapshot(const ir::Ref* inputs, int input_count, const ir::Ref* outputs, int output_count, Where at) {
  return new ProgramBody(ir::snapshot(inputs, input_count, outputs, output_count, at));
}
ORDO_INLINE ProgramBody* adopt(ir::Program&& program) { return new ProgramBody(std::move(program)); }
ORDO_INLINE void retain(ProgramBody* body) { body->owners.fetch_add(1, std::memory_order_relaxed); }
ORDO_INLINE void release(ProgramBody* body) {
  if (body->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete body;
}
ORDO_INLINE const char* text(const ProgramBody* body) {
  std::call_once(body->printed, [&] { body->text = ir::print(body->program); });
  return body->text.c_str();
}
ORDO_INLINE const char* digest(const ProgramBody* body) {
  std::call_once(body->hashed, [&] { ir::hex(ir::digest(body->program), body->hex); });
  return body->hex;
}
ORDO_INLINE const char* explain(const ProgramBody* body, const ir::ElementAsked& element, Where at) {
  std::string text = ir::explain_order(body->program, element, at);
  const std::lock_guard<std::mutex> hold(body->explaining);
  return body->explained.insert(std::move(text)).first->c_str();
}
ORDO_INLINE const ir::Program& program(const ProgramBody* body) { return body->program; }
}  // namespace ordo::lang
