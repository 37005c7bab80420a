// Goldens of refusals: nest/goldens/<code>[.case].txt holds the whole text. ORDO_UPDATE_GOLDENS=1 writes them.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <doctest/doctest.h>
#include "ordo/base/error.hpp"

namespace golden {
inline const std::filesystem::path folder = std::filesystem::path(ORDO_TEST_SOURCES) / "nest" / "goldens";

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void refused(const std::string& name, const std::function<void()>& action) {
  INFO(name);
  std::string text, code;
  try {
    action();
  } catch (const ordo::Error& error) {
    CHECK(error.kind() == ordo::Error::Kind::user);
    text = std::string(error.what()) + "\n";
    code = error.code();
  }
  REQUIRE(!text.empty());
  CHECK_MESSAGE((name == code || name.compare(0, code.size() + 1, code + ".") == 0), code);
  const std::filesystem::path path = folder / (name + ".txt");
  if (std::getenv("ORDO_UPDATE_GOLDENS") != nullptr) std::ofstream(path, std::ios::binary) << text;
  CHECK(text == read(path));
}
}  // namespace golden
