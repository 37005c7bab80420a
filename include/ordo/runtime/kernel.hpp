// Kernels: compile(inputs(A, B), outputs(C), target) checks the arguments of each call in C++; a kernel of a Program is
// called with a list of views. Copies share one kernel; calls may run in any thread at once.
#pragma once
#include "ordo/lang/program.hpp"
#include "ordo/lang/signature.hpp"
#include "ordo/nest/schedule.hpp"
#include "ordo/runtime/calls.hpp"

namespace ordo {
class AnyKernel {
 public:
  explicit AnyKernel(runtime::KernelBody* body) : body_(body) {}      // takes over one count
  AnyKernel(const AnyKernel& other) noexcept : body_(other.body_) { runtime::retain(body_); }
  AnyKernel& operator=(const AnyKernel& other) noexcept {
    runtime::retain(other.body_);
    runtime::release(body_);
    body_ = other.body_;
    return *this;
  }
  ~AnyKernel() { runtime::release(body_); }

  // Inputs in order, then outputs. Everything is checked before memory is touched (count, element types, ranks, shapes, sizes
  // that must agree, null and misaligned pointers, outputs that share memory, index ranges); codes run.*. An index computed from
  // data is checked while it runs: run.index after the outputs were written in part.
  void call(const Argument* arguments, int count, Where at = Where::current()) const { runtime::call(body_, arguments, count, at); }
  void call(const AnyView* views, int count, Where at = Where::current()) const { runtime::call(body_, views, count, at); }
  // kernel({a, b, 0.5f, c}): inputs, then outputs
  template <std::size_t N> void operator()(const AnyView (&views)[N], Where at = Where::current()) const {
    runtime::call(body_, views, static_cast<int>(N), at);
  }
  // Drops copies made for PackOptions::constant: the bytes of those arguments have changed.
  void forget_constants() const { runtime::forget_constants(body_); }
  // Texts live as long as the kernel; each is made when first asked for.
  const char* text() const { return runtime::text(body_); }              // the program
  const char* explain() const { return runtime::explain(body_); }        // loops, launches, memory, statements
  // In which order the terms of one element are summed, as Program::explain.
  const char* explain(std::initializer_list<i64> element, std::initializer_list<ir::KnownSize> sizes = {},
                      Where at = Where::current()) const {
    return explain({}, element, sizes, at);
  }
  const char* explain(ir::TensorAsked tensor, std::initializer_list<i64> element, std::initializer_list<ir::KnownSize> sizes = {},
                      Where at = Where::current()) const {
    return runtime::explain(body_, {tensor, element.begin(), element.size(), sizes.begin(), sizes.size()}, at);
  }
  const char* ir() const { return runtime::ir(body_); }                  // of the back-end, for row-major arguments
  const char* assembly() const { return runtime::assembly(body_); }

 protected:
  runtime::KernelBody* body_;
};

namespace runtime {
template <class T> struct Number {       // an input of rank 0: a number, or a view of one
  T value{};
  const T* at = nullptr;
  template <class U> requires std::is_arithmetic_v<U> && std::is_convertible_v<U, T> Number(U v) : value(static_cast<T>(v)) {}
  template <class U> requires(std::is_same_v<U, T> && !std::is_arithmetic_v<U>) Number(const U& v) : value(v) {}
  Number(const View<const T, 0>& view) : at(view.data) {}
  Number(const View<T, 0>& view) : at(view.data) {}
};
template <class P> struct Parameter;
template <class T, int R> struct Parameter<In<T, R>> { using type = View<const T, R>; };
template <class T> struct Parameter<In<T, 0>> { using type = Number<T>; };
template <class T, int R> struct Parameter<Out<T, R>> { using type = View<T, R>; };

template <class T, int R> void fill(Argument& a, const View<T, R>& v) {
  a.data = const_cast<void*>(static_cast<const void*>(v.data));
  a.type = type_of<std::remove_const_t<T>>;
  a.rank = R;
  for (int k = 0; k < R; ++k) {
    a.shape[k] = v.shape[k];
    a.stride[k] = v.stride[k];
  }
}
template <class T> void fill(Argument& a, const Number<T>& n) {
  a.data = const_cast<void*>(static_cast<const void*>(n.at != nullptr ? n.at : &n.value));
  a.type = type_of<T>;
  a.rank = 0;
}
}  // namespace runtime

template <class... P> class Kernel : public AnyKernel {
 public:
  using AnyKernel::AnyKernel;
  void operator()(typename runtime::Parameter<P>::type... argument, Where at = Where::current()) const {
    Argument list[sizeof...(P)];
    Argument* next = list;
    (runtime::fill(*next++, argument), ...);
    runtime::call(body_, list, static_cast<int>(sizeof...(P)), at);
  }
  template <class... A> requires(sizeof...(A) != sizeof...(P)) void operator()(A&&...) const {
    static_assert(runtime::never<A...>, "ordo: a kernel takes its inputs, then its outputs, as listed in inputs(...) and outputs(...)");
  }
  template <class... A> requires(sizeof...(A) == sizeof...(P) && !(std::is_convertible_v<A&&, typename runtime::Parameter<P>::type> && ...))
  void operator()(A&&...) const {
    static_assert(runtime::never<A...>,
                  "ordo: an argument has another element type or rank than its tensor, or is a constant given for an output; "
                  "give a View, a matrix or span of its rank, or view(container, {extents})");
  }
};

// Without a schedule the default one is taken. Codes: lang.* (the program), trace.fit (a schedule made for another program),
// codegen.* (what the target does not lower), each at the line of its definition where there is one.
template <class... I, class... O>
Kernel<I..., O...> compile(Signature<I...> in, Signature<O...> out, const Target& target, const CompileOptions& options = {},
                           Where at = Where::current()) {
  return Kernel<I..., O...>(runtime::compile(in.node, in.size, out.node, out.size, nullptr, target, options, at));
}
template <class... I, class... O>
Kernel<I..., O...> compile(const Schedule& schedule, Signature<I...> in, Signature<O...> out, const Target& target,
                           const CompileOptions& options = {}, Where at = Where::current()) {
  return Kernel<I..., O...>(runtime::compile(in.node, in.size, out.node, out.size, schedule.body(), target, options, at));
}
inline AnyKernel compile(const Program& program, const Target& target, const CompileOptions& options = {}, Where at = Where::current()) {
  return AnyKernel(runtime::compile(program.snapshot(), nullptr, target, options, at));
}
inline AnyKernel compile(const Schedule& schedule, const Program& program, const Target& target, const CompileOptions& options = {},
                         Where at = Where::current()) {
  return AnyKernel(runtime::compile(program.snapshot(), schedule.body(), target, options, at));
}
inline AnyKernel Program::compile(const Target& target, Where at) const { return ordo::compile(*this, target, {}, at); }
}  // namespace ordo
