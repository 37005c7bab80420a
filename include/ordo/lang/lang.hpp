// The language: all that a program is written with.
#pragma once
#include "ordo/lang/prefix.hpp"
#include "ordo/lang/program.hpp"
#include "ordo/lang/random.hpp"
#include "ordo/lang/recurrence.hpp"
#include "ordo/lang/sort.hpp"
#include "ordo/lang/state.hpp"
#include "ordo/lang/table.hpp"
