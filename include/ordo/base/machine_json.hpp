// Descriptions of machines as JSON: {"format": "ordo machine", "version": 1, "vector_bits": 512, ..., "cores": 16}
#pragma once
#include <string>
#include "ordo/base/machine.hpp"

namespace ordo {
std::string to_json(const Machine& machine);
// Facts that the text does not name stay as in `start`: detect(target), to change some of them. Codes machine.json, machine.value.
Machine machine_from_json(const char* json, const Machine& start = {}, Where at = Where::current());
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/base/machine_json.ipp"
#endif
