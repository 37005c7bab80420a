// Schedules as JSON, out and in.
#pragma once
#include "ordo/nest/trace_json.hpp"
