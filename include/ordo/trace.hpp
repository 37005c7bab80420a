// Schedules as values; schedules and machines as JSON, out and in.
#pragma once
#include "ordo/base/machine_json.hpp"
#include "ordo/nest/recipe.hpp"
#include "ordo/nest/trace_json.hpp"
