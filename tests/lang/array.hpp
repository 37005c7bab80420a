// Dense arrays for tests, and a program run by the interpreter on them.
#pragma once
#include <cstring>
#include <vector>
#include "ordo/base/soft.hpp"
#include "ordo/interp/interp.hpp"
#include "ordo/lang/lang.hpp"

template <class T, int R> struct Array {
  std::vector<T> data;
  ordo::i64 shape[R];
  template <class... I> explicit Array(I... extent) : shape{static_cast<ordo::i64>(extent)...} {
    static_assert(sizeof...(I) == R);
    std::size_t n = 1;
    for (ordo::i64 e : shape) n *= static_cast<std::size_t>(e);
    data.resize(n);
  }
  template <class... I> T& operator()(I... index) {
    static_assert(sizeof...(I) == R);
    const ordo::i64 at[] = {static_cast<ordo::i64>(index)...};
    std::size_t n = 0;
    for (int d = 0; d < R; ++d) n = n * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(at[d]);
    return data.at(n);
  }
  // Values of several magnitudes and both signs, so that another order of a sum is another value.
  Array& fill(unsigned seed) {
    unsigned x = seed * 2654435761u + 12345u;
    for (T& e : data) {
      x = x * 1664525u + 1013904223u;
      const float value = (static_cast<float>(x >> 20) - 2048.0f) / 97.0f * ((x >> 8 & 3) == 0 ? 64.0f : 1.0f);
      if constexpr (std::is_arithmetic_v<T>) e = static_cast<T>(std::is_integral_v<T> ? static_cast<float>(x >> 25) - 64.0f : value);
      else ordo::soft::store(ordo::type_of<T>, &e, __builtin_bit_cast(ordo::u32, value));
    }
    return *this;
  }
  operator ordo::Argument() {
    ordo::Argument a{data.data(), ordo::type_of<T>, R, {}, {}};
    ordo::i64 stride = 1;
    for (int d = R; d-- > 0;) {
      a.shape[d] = shape[d];
      a.stride[d] = stride;
      stride *= shape[d];
    }
    return a;
  }
  bool operator==(const Array& other) const {
    return data.size() == other.data.size() && std::memcmp(data.data(), other.data.data(), data.size() * sizeof(T)) == 0;
  }
};
template <class T> ordo::Argument scalar(T& value) { return {&value, ordo::type_of<T>, 0, {}, {}}; }

template <class... A> void run(const ordo::Program& program, A&&... argument) {
  const ordo::Argument list[] = {static_cast<ordo::Argument>(argument)...};
  ordo::interpret(program.snapshot(), list, static_cast<int>(sizeof...(A)));
}
inline float widen(ordo::f16 x) { return __builtin_bit_cast(float, static_cast<ordo::u32>(ordo::soft::load(ordo::Type::f16, &x))); }
inline ordo::f16 narrow(float x) {
  ordo::f16 h;
  ordo::soft::store(ordo::Type::f16, &h, __builtin_bit_cast(ordo::u32, x));
  return h;
}
