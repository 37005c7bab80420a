// A program run by the interpreter, and by every compiled target of this build that lowers it: the same bytes.
#pragma once
#include <string>
#include <vector>
#include <doctest/doctest.h>
#include "lang/array.hpp"
#include "ordo/ordo.hpp"

namespace everywhere {
using namespace ordo;
struct Way {
  std::string name;
  Target target;
};
inline std::vector<Way>& ways() {        // compiled.cpp, where there is a compiler of kernels
  static std::vector<Way> all;
  return all;
}
inline std::size_t bytes_of(const Argument& a) {
  std::size_t n = static_cast<std::size_t>(ordo::bytes_of(a.type));
  for (int d = 0; d < a.rank; ++d) n *= static_cast<std::size_t>(a.shape[d]);
  return n;
}

// `outputs` of the last arguments are dense and hold the interpreter's bytes afterwards. The number of targets that ran.
template <class... A> int run(const Program& program, int outputs, A&&... argument) {
  Argument list[] = {static_cast<Argument>(argument)...};
  const int count = static_cast<int>(sizeof...(A));
  interpret(program.snapshot(), list, count);
  int ran = 0;
  for (const Way& way : ways()) {
    std::vector<std::vector<u8>> space;
    std::vector<Argument> other(list, list + count);
    for (int k = count - outputs; k < count; ++k) {
      space.emplace_back(bytes_of(list[k]) + 64, u8{0x5a});
      other[static_cast<std::size_t>(k)].data = space.back().data();
    }
    try {
      CompileOptions options;
      options.cache = "";
      compile(program, way.target, options).call(other.data(), count);
    } catch (const Error& e) {
      FAIL_CHECK(way.name << ": " << std::string(e.what()));
      continue;
    }
    ++ran;
    for (int k = count - outputs; k < count; ++k) {
      const std::vector<u8>& made = space[static_cast<std::size_t>(k - count + outputs)];
      const bool same = bytes_of(list[k]) == 0 || std::memcmp(made.data(), list[k].data, bytes_of(list[k])) == 0;
      CHECK_MESSAGE(same, way.name << " differs in output " << k << " of\n" << std::string(program.text()));
    }
  }
  return ran;
}
}  // namespace everywhere
