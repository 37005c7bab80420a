// The light front: the language, schedules, kernels and the interpreter. Code for CPUs: ordo/cpu.hpp beside it.
#pragma once
#include "ordo/lang/lang.hpp"
#include "ordo/nest/schedule.hpp"
#include "ordo/runtime/kernel.hpp"
