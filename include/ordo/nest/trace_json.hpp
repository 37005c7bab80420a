// Traces as JSON; no other file of this room knows of it.
//   {"format": "ordo trace", "version": 1, "directives": [
//     {"do": "split", "stage": "C", "loops": ["C/i"], "factors": ["8"], "tail": "peel"},
//     {"do": "pack", "stage": "C", "tensor": "B", "loops": ["C/j.0"], "memory": "stack", "pad": 1}]}
#pragma once
#include <string>
#include "ordo/nest/recipe.hpp"

namespace ordo {
std::string to_json(const nest::Trace& trace);
nest::Trace trace_from_json(const char* json, Where at = Where::current());    // code trace.json
std::string trace_json(const Schedule& schedule);
std::string to_json(const Recipe& recipe);       // a trace with "name"
Recipe recipe_from_json(const char* json, Where at = Where::current());        // code trace.json
void replay(const Schedule& schedule, const char* json, Where at = Where::current());   // after what it has; all or nothing: trace.fit
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/nest/trace_json.ipp"
#endif
