// Which inputs an output may share all its memory with: those that the whole program reads only where the output's
// element at the same place is made, through definitions that are themselves read only there.
#pragma once
#include <vector>
#include "ordo/ir/program.hpp"

namespace ordo::runtime {
class InPlace {
 public:
  InPlace() = default;
  explicit InPlace(const ir::Program& program);
  bool allows(int input, int output) const {
    return allowed_[static_cast<std::size_t>(input) * outputs_ + static_cast<std::size_t>(output)];
  }

 private:
  std::size_t outputs_ = 0;
  std::vector<bool> allowed_;            // input * outputs + output
};
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/in_place.ipp"
#endif
