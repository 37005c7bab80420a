// The C++ types of elements and of values, as concepts.
#pragma once
#include <type_traits>
#include "ordo/base/types.hpp"

namespace ordo {
template <class T> concept Element = type_of<T> != Type::none;                        // of a tensor
template <class T> concept Value = Element<T> && is_compute(type_of<T>);              // of an expression
template <class T> concept Floating = Element<T> && is_float(type_of<T>);
template <class T> concept Integral = Element<T> && is_integer(type_of<T>);
template <class T> concept Number = Floating<T> || Integral<T>;

namespace lang {
template <class T> struct value_of { using type = T; };
template <> struct value_of<i8> { using type = i32; };
template <> struct value_of<u8> { using type = i32; };
template <> struct value_of<i16> { using type = i32; };
template <> struct value_of<u16> { using type = i32; };
template <> struct value_of<f16> { using type = f32; };
template <> struct value_of<bf16> { using type = f32; };
}  // namespace lang
template <class T> using value_t = typename lang::value_of<T>::type;      // what reading an element of type T gives
}  // namespace ordo
