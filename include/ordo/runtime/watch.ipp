#pragma once
#include <time.h>
#include <cstdio>
#include <cstdlib>
#include "ordo/base/debug.hpp"
#include "ordo/runtime/watch.hpp"

namespace ordo::runtime {
namespace detail_watch {
inline long long now_ns() {
  struct timespec t {};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<long long>(t.tv_sec) * 1000000000 + t.tv_nsec;
}
inline void write_text(const std::string& path, const std::string& text) {
  std::FILE* const file = text.empty() ? nullptr : std::fopen(path.c_str(), "w");
  if (file == nullptr) return;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}
}  // namespace detail_watch

ORDO_INLINE Watch::Watch(const char* step) : step_(debug_wants("time") ? step : nullptr) {
  if (step_ != nullptr) start_ns_ = detail_watch::now_ns();
}
ORDO_INLINE void Watch::stop() {
  if (step_ != nullptr)
    std::fprintf(stderr, "ordo: %-12s %9.1f us\n", step_, static_cast<double>(detail_watch::now_ns() - start_ns_) * 1e-3);
  step_ = nullptr;
}
ORDO_INLINE void Watch::next(const char* step) {
  if (step_ == nullptr) return;
  stop();
  step_ = step;
  start_ns_ = detail_watch::now_ns();
}
ORDO_INLINE const char* dump_folder() {
  const char* folder = std::getenv("ORDO_DUMP_DIR");
  return folder != nullptr && *folder != '\0' ? folder : nullptr;
}
ORDO_INLINE void dump_texts(const char* kernel, const char* key, const std::string& ir, const std::string& assembly) {
  std::string name = kernel;
  for (char& c : name)
    if ((c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '.' && c != '_') c = '_';
  const std::string path = std::string(dump_folder()) + "/" + name + "." + std::string(key).substr(0, 8);
  detail_watch::write_text(path + ".ll", ir);
  detail_watch::write_text(path + ".s", assembly);
}
}  // namespace ordo::runtime
