// How bodies reach the program: header-only (default) or built once into ordo::compiled.
// A header `x.hpp` declares; `x.ipp` beside it defines with ORDO_INLINE.
#pragma once

#if defined(ORDO_COMPILED)
#define ORDO_INLINE
#else
#define ORDO_INLINE inline
#endif

#if defined(__GNUC__)
#define ORDO_NOINLINE __attribute__((noinline))
#else
#define ORDO_NOINLINE
#endif

namespace ordo {
inline constexpr int library_version = 100;      // 0.1.0
inline constexpr int numerics_version = 1;       // NUMERICS.md; part of every key and digest
}  // namespace ordo
