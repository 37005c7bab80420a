// What a schedule makes of its program: metrics of the nest as text, a picture of it.
#pragma once
#include "ordo/metrics/explain.hpp"
#include "ordo/metrics/svg.hpp"
