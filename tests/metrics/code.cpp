// What is estimated of code, beside the code that LLVM makes.
#include <elf.h>
#include <cstring>
#include <string>
#include <vector>
#include <doctest/doctest.h>
#include "ordo/aot.hpp"
#include "ordo/cpu.hpp"
#include "ordo/explain.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;

namespace {
i64 text_bytes(const std::string& object) {
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  i64 all = 0;
  for (int k = 0; k < header.e_shnum; ++k) {
    Elf64_Shdr section;
    std::memcpy(&section, object.data() + header.e_shoff + static_cast<std::size_t>(k) * sizeof section, sizeof section);
    if ((section.sh_flags & SHF_EXECINSTR) != 0) all += static_cast<i64>(section.sh_size);
  }
  return all;
}
struct Size {
  i64 guessed, made;
};
Size size_of(const Schedule& s, const Program& program, const Target& target) {
  Size sizes{0, 0};
  for (const ObjectFile& file : object_code(s, program, target, "t").launches) sizes.made += text_bytes(file.bytes);
  for (const metrics::StageMetrics& m : metrics::measure(nest::nest_of(s.body()), detect(target)).stages) sizes.guessed += m.code_bytes;
  return sizes;
}
Size product(i64 mr, i64 nr, bool pack, const Target& target, Tail tail = Tail::mask, i64 n = 480) {
  Tensor<float, 2> A{"A", {96, 100}}, B{"B", {100, n}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  Schedule s{C};
  auto [io, ii] = s.split(i, mr, tail);
  auto [jo, ji] = s.split(j, nr, tail);
  s.reorder(jo, io, k, ii, ji).unroll(ii).vectorize(ji);
  if (pack) s.pack(B, jo);
  return size_of(s, Program(inputs(A, B), outputs(C)), target);
}
}  // namespace

TEST_CASE("metrics: code is as large as estimated, by a factor of 2 at most") {
  for (const char* name : {"x86-64-v3", "x86-64-v4"}) {
    const Target t = cpu::named(name);
    std::vector<Size> sizes;
    for (const auto& [mr, nr] : {std::pair<i64, i64>{1, 8}, {4, 16}, {8, 48}, {12, 32}, {24, 16}})
      for (const bool pack : {false, true}) sizes.push_back(product(mr, nr, pack, t));
    sizes.push_back(product(8, 32, true, t, Tail::mask, 490));
    sizes.push_back(product(8, 32, true, t, Tail::peel, 490));
    Tensor<float, 2> X{"X", {100, 1000}}, E{"E"}, Y{"Y"};
    Tensor<float, 1> R{"R"};
    Index i{"i"}, j{"j"};
    Lanes<16> l{"l"};
    R(i) = sum(l, X(i, l));
    E(i, j) = exp(X(i, j)) + 1;
    Y(i, j) = X(i, j) + 1;
    Schedule rows{R}, exps{E}, sums{Y};
    rows.vectorize(l.lane());
    exps.vectorize(exps.split(j, 32).b);
    sums.vectorize(sums.split(j, 40).b);
    sizes.push_back(size_of(rows, Program(inputs(X), outputs(R)), t));
    sizes.push_back(size_of(exps, Program(inputs(X), outputs(E)), t));
    sizes.push_back(size_of(sums, Program(inputs(X), outputs(Y)), t));
    for (const Size& s : sizes) {
      const std::string text = std::string(name) + ": " + std::to_string(s.guessed) + " bytes guessed, " + std::to_string(s.made) + " made";
      INFO(text);
      CHECK(s.guessed <= 2 * s.made);
      CHECK(s.made <= 2 * s.guessed);
    }
  }
}
