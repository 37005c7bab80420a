// Object files of programs, for a linker.
#pragma once
#include "ordo/runtime/object.hpp"
