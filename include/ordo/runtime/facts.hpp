// What a target that was edited by hand must still say.
#pragma once
#include "ordo/base/target.hpp"

namespace ordo::runtime {
void check_facts(const Target& target, Where at);  // code target.facts
}
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/facts.ipp"
#endif
