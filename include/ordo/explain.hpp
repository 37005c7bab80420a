// What a schedule makes of its program: metrics of the nest as text, a picture of it; the default schedule as one to look at.
#pragma once
#include "ordo/auto/recipe.hpp"
#include "ordo/metrics/explain.hpp"
#include "ordo/metrics/svg.hpp"
