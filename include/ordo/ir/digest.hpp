// XXH3-128 digests that name a program's meaning: neither names, lines nor addresses reach them; every order, type,
// constant, shape and the numerics version do.
#pragma once
#include <compare>
#include "ordo/ir/program.hpp"

namespace ordo::ir {
struct Digest {
  u64 low = 0, high = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};
Digest digest(const Program& program);
Digest digest(const Program& program, u64 numerics);     // under another numerics version: for tests
Digest digest_of(const void* data, std::size_t bytes);
void hex(const Digest& digest, char (&text)[33]);
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/digest.ipp"
#endif
