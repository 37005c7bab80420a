// View<T, Rank>: a pointer, a shape and strides in elements; what kernels take. T const: read only.
// A class of yours becomes an argument by a function `view_of(A&)`, found beside it, that returns a View or an AnyView.
#pragma once
#include <type_traits>
#include "ordo/base/argument.hpp"

namespace ordo {
template <class T, int Rank> struct View;
struct AnyView;

namespace runtime {
template <class...> inline constexpr bool never = false;
template <class T> using plain = std::remove_cv_t<std::remove_reference_t<T>>;
// `long long` where i64 is `long`: one representation, two types.
template <class T> struct same_bits { using type = T; };
template <> struct same_bits<long long> { using type = i64; };
template <> struct same_bits<unsigned long long> { using type = u64; };
template <> struct same_bits<long> { using type = i64; };
template <> struct same_bits<unsigned long> { using type = u64; };
template <class T> using bits_t = typename same_bits<std::remove_cv_t<T>>::type;

struct Extent {                  // any integer, so that {m, n} may hold std::size_t
  i64 value;
  template <class I> requires std::is_integral_v<I> constexpr Extent(I v) : value(static_cast<i64>(v)) {}
};
// Where containers and views meet; codes run.view.
void check_dense(std::size_t elements, const Extent* shape, int rank, Where at);
void check_inside(std::size_t elements, const Extent* shape, const Extent* stride, int rank, Where at);
// The Argument of `any` as type and rank, or the error run.type, run.rank, run.const.
const Argument& typed(const AnyView& any, Type type, int rank, bool writable, Where at);

template <class T> inline constexpr bool is_view = false;
template <class T, int R> inline constexpr bool is_view<View<T, R>> = true;

// How a foreign class becomes a view: `static auto view(A&, Where)` of a specialisation (A may be const), else view_of.
template <class A> struct Adaptor {};
template <class A> concept Adapted = requires(A& a) { Adaptor<A>::view(a, Where{}); };
template <class A> auto to_view(A& a, Where at) {
  if constexpr (Adapted<A>) return Adaptor<A>::view(a, at);
  else return view_of(a);
}
template <class A> using bare = std::remove_reference_t<A>;
template <class A> using view_t = decltype(to_view(std::declval<bare<A>&>(), Where{}));
}  // namespace runtime

template <class A> concept Viewable = !runtime::is_view<runtime::plain<A>> && !std::is_same_v<runtime::plain<A>, AnyView> &&
                                      (runtime::Adapted<runtime::bare<A>> || requires(runtime::bare<A>& a) { view_of(a); });

template <class T, int Rank> struct View {
  static_assert(type_of<std::remove_const_t<T>> != Type::none, "ordo: the elements of a view are bool, i8 to u64, f16, bf16, f32 or f64");
  static_assert(Rank >= 0 && Rank <= max_rank, "ordo: a view has a rank from 0 to 12");
  using element = T;
  static constexpr int rank = Rank;
  T* data = nullptr;
  i64 shape[Rank == 0 ? 1 : Rank] = {};
  i64 stride[Rank == 0 ? 1 : Rank] = {};

  View() = default;
  View(T& value) requires(Rank == 0) : data(&value) {}
  View(T* pointer, const runtime::Extent (&extents)[Rank == 0 ? 1 : Rank]) : data(pointer) {      // dense, row-major
    u64 step = 1;
    for (int k = Rank; k-- > 0;) {
      shape[k] = extents[k].value;
      stride[k] = static_cast<i64>(step);
      step *= static_cast<u64>(shape[k]);
    }
  }
  View(T* pointer, const runtime::Extent (&extents)[Rank == 0 ? 1 : Rank], const runtime::Extent (&steps)[Rank == 0 ? 1 : Rank])
      : data(pointer) {
    for (int k = 0; k < Rank; ++k) {
      shape[k] = extents[k].value;
      stride[k] = steps[k].value;
    }
  }
  template <class U> requires((std::is_const_v<T> || !std::is_const_v<U>) && std::is_same_v<runtime::bits_t<U>, std::remove_const_t<T>>)
  View(const View<U, Rank>& v) : data(to_element(v.data)) {
    for (int k = 0; k < Rank; ++k) {
      shape[k] = v.shape[k];
      stride[k] = v.stride[k];
    }
  }
  template <Viewable A> requires(!std::is_same_v<runtime::view_t<A>, AnyView> && std::is_convertible_v<runtime::view_t<A>, View>)
  View(A&& a, Where at = Where::current()) : View(static_cast<View>(runtime::to_view(a, at))) {}
  template <Viewable A> requires std::is_same_v<runtime::view_t<A>, AnyView>
  View(A&& a, Where at = Where::current()) : View(runtime::to_view(a, at), at) {}
  View(const AnyView& any, Where at = Where::current());

 private:
  template <class U> static T* to_element(U* p) {
    if constexpr (std::is_convertible_v<U*, T*>) return p;
    else return reinterpret_cast<T*>(p);
  }
};

// A view whose type and rank are known at run time: what untyped kernels take, and what DLPack tensors become.
struct AnyView {
  Argument argument;             // its data is nullptr for a number: see `bits`
  bool writable = false;
  bool number = false;
  u64 bits = 0;                  // the number's bytes

  AnyView() : argument{} {}
  template <class T, int R> AnyView(const View<T, R>& v) : writable(!std::is_const_v<T>) {
    argument.data = const_cast<void*>(static_cast<const void*>(v.data));
    argument.type = type_of<std::remove_const_t<T>>;
    argument.rank = R;
    for (int k = 0; k < R; ++k) {
      argument.shape[k] = v.shape[k];
      argument.stride[k] = v.stride[k];
    }
  }
  template <Viewable A> AnyView(A&& a, Where at = Where::current()) : AnyView(AnyView(runtime::to_view(a, at))) {}
  template <class T> requires(type_of<runtime::bits_t<T>> != Type::none) AnyView(T value) : number(true) {      // an input of rank 0
    argument.data = nullptr;
    argument.type = type_of<runtime::bits_t<T>>;
    argument.rank = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
  }
};
template <class T, int Rank> View<T, Rank>::View(const AnyView& any, Where at) {
  const Argument& a = runtime::typed(any, type_of<std::remove_const_t<T>>, Rank, !std::is_const_v<T>, at);
  data = static_cast<T*>(a.data);
  for (int k = 0; k < Rank; ++k) {
    shape[k] = a.shape[k];
    stride[k] = a.stride[k];
  }
}

namespace runtime {
template <class C> using pointee = std::remove_pointer_t<decltype(std::declval<C&>().data())>;
template <class C> using viewed = std::conditional_t<std::is_const_v<pointee<C>>, const bits_t<pointee<C>>, bits_t<pointee<C>>>;
template <class C> concept Contiguous = !is_view<plain<C>> && requires(C& c) { c.data(); c.size(); } && !requires(C& c) { c.rows(); } &&
                                        std::is_pointer_v<decltype(std::declval<C&>().data())> && type_of<bits_t<pointee<C>>> != Type::none;
template <class M> concept Mdspan = requires(M& m) { m.data_handle(); m.extent(0); m.stride(0); std::remove_cv_t<M>::rank(); } &&
                                    std::is_pointer_v<decltype(std::declval<M&>().data_handle())>;

// std::vector, std::array, std::span and their like: a view of rank 1; of any rank through `view`.
template <Contiguous C> struct Adaptor<C> {
  static View<viewed<C>, 1> view(C& c, Where) { return {reinterpret_cast<viewed<C>*>(c.data()), {c.size()}}; }
};
// std::mdspan, or the reference implementation: any layout with strides.
template <Mdspan M> struct Adaptor<M> {
  static auto view(M& m, Where) {
    constexpr int rank = static_cast<int>(M::rank());
    View<std::remove_pointer_t<decltype(m.data_handle())>, rank> v;
    v.data = m.data_handle();
    for (int k = 0; k < rank; ++k) {
      v.shape[k] = static_cast<i64>(m.extent(static_cast<std::size_t>(k)));
      v.stride[k] = static_cast<i64>(m.stride(static_cast<std::size_t>(k)));
    }
    return v;
  }
};
}  // namespace runtime

// A container, or a pointer, as a view of `shape`: dense and row-major, or with strides in elements, which may be 0 or negative
// for inputs. A container must hold it all (code run.view); a pointer is taken at its word. Nothing is copied.
template <class C, std::size_t R> requires runtime::Contiguous<C>
auto view(C&& c, const runtime::Extent (&shape)[R], Where at = Where::current()) {
  runtime::check_dense(c.size(), shape, static_cast<int>(R), at);
  using T = runtime::viewed<std::remove_reference_t<C>>;
  return View<T, static_cast<int>(R)>(reinterpret_cast<T*>(c.data()), shape);
}
template <class C, std::size_t R> requires runtime::Contiguous<C>
auto view(C&& c, const runtime::Extent (&shape)[R], const runtime::Extent (&stride)[R], Where at = Where::current()) {
  runtime::check_inside(c.size(), shape, stride, static_cast<int>(R), at);
  using T = runtime::viewed<std::remove_reference_t<C>>;
  return View<T, static_cast<int>(R)>(reinterpret_cast<T*>(c.data()), shape, stride);
}
template <class T, std::size_t R> View<T, static_cast<int>(R)> view(T* data, const runtime::Extent (&shape)[R]) { return {data, shape}; }
template <class T, std::size_t R>
View<T, static_cast<int>(R)> view(T* data, const runtime::Extent (&shape)[R], const runtime::Extent (&stride)[R]) {
  return {data, shape, stride};
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/view.ipp"
#endif
