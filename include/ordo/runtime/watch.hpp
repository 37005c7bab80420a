// ORDO_DEBUG=time: what each step of a compilation took, on stderr. ORDO_DUMP_DIR: texts of the code made.
#pragma once
#include <string>

namespace ordo::runtime {
class Watch {                    // prints when the next step starts or the scope ends
 public:
  explicit Watch(const char* step);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { stop(); }
  void next(const char* step);
  void stop();

 private:
  const char* step_;             // nullptr: not watching
  long long start_ns_ = 0;
};
const char* dump_folder();       // nullptr: none
void dump_texts(const char* kernel, const char* key, const std::string& ir, const std::string& assembly);
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/watch.ipp"
#endif
