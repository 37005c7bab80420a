// What a schedule makes of its program: metrics of the nest.
#pragma once
#include "ordo/metrics/explain.hpp"
