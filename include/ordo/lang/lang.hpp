// The language: all that a program is written with.
#pragma once
#include "ordo/lang/program.hpp"
#include "ordo/lang/recurrence.hpp"
#include "ordo/lang/state.hpp"
