// The names that an object file asks a linker for.
#pragma once
#include <doctest/doctest.h>
#include <elf.h>
#include <cstring>
#include <set>
#include <string>

namespace targets {
template <class T> T at(const std::string& bytes, std::size_t place) {
  T value;
  REQUIRE(place + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}
inline std::set<std::string> undefined(const std::string& object) {
  std::set<std::string> names;
  const auto file = at<Elf64_Ehdr>(object, 0);
  for (std::size_t s = 0; s < file.e_shnum; ++s) {
    const auto section = at<Elf64_Shdr>(object, file.e_shoff + s * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto strings = at<Elf64_Shdr>(object, file.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t k = sizeof(Elf64_Sym); k < section.sh_size; k += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(object, section.sh_offset + k);
      if (symbol.st_shndx == SHN_UNDEF) names.insert(object.data() + strings.sh_offset + symbol.st_name);
    }
  }
  return names;
}
inline bool ours(const std::string& name) {
  return name == "ordo_soft_fma_f64" || name == "ordo_soft_fmod_f32" || name == "ordo_soft_fmod_f64";
}
}  // namespace targets
