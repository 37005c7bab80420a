// Program: an immutable snapshot of the definitions that its outputs need. Counted, safe in any thread.
#pragma once
#include <initializer_list>
#include "ordo/ir/element.hpp"
#include "ordo/lang/signature.hpp"

namespace ordo {
struct Target;
class AnyKernel;
namespace ir { class Program; }
namespace lang {
struct ProgramBody;
ProgramBody* snapshot(const ir::Ref* inputs, int input_count, const ir::Ref* outputs, int output_count, Where at);
ProgramBody* adopt(ir::Program&& program);
void retain(ProgramBody* body);
void release(ProgramBody* body);
const char* text(const ProgramBody* body);
const char* digest(const ProgramBody* body);
const char* explain(const ProgramBody* body, const ir::ElementAsked& element, Where at);
const ir::Program& program(const ProgramBody* body);
}  // namespace lang

class Program {
 public:
  // Errors of the definitions are found here: codes lang.*, at the line of the definition.
  template <class... T, int... R, class... U, int... Q>
  Program(Signature<In<T, R>...> in, Signature<Out<U, Q>...> out, Where at = Where::current())
      : body_(lang::snapshot(in.node, in.size, out.node, out.size, at)) {}
  explicit Program(ir::Program&& program) : body_(lang::adopt(static_cast<ir::Program&&>(program))) {}
  Program(const Program& other) noexcept : body_(other.body_) { lang::retain(body_); }
  Program& operator=(const Program& other) noexcept {
    lang::retain(other.body_);
    lang::release(body_);
    body_ = other.body_;
    return *this;
  }
  ~Program() { lang::release(body_); }
  const char* text() const { return lang::text(body_); }          // a line a tensor and a definition, every order shown
  const char* digest() const { return lang::digest(body_); }      // 32 hex digits: its meaning, without names and lines
  // In which order the terms of one element are summed: explain({3, 5}, {{K, 20}}) of the first output, explain(E, {3, 5}) of any
  // tensor that the program defines. Sizes are needed of Dims that decide the order alone. Codes explain.*.
  const char* explain(std::initializer_list<i64> element, std::initializer_list<ir::KnownSize> sizes = {},
                      Where at = Where::current()) const {
    return explain({}, element, sizes, at);
  }
  const char* explain(ir::TensorAsked tensor, std::initializer_list<i64> element, std::initializer_list<ir::KnownSize> sizes = {},
                      Where at = Where::current()) const {
    return lang::explain(body_, {tensor, element.begin(), element.size(), sizes.begin(), sizes.size()}, at);
  }
  AnyKernel compile(const Target& target, Where at = Where::current()) const;      // runtime/kernel.hpp
  const ir::Program& snapshot() const { return lang::program(body_); }

 private:
  lang::ProgramBody* body_;
};
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/lang/program.ipp"
#endif
