// With twin_b.cpp: two units of one program that include everything, header-only.
#include "everything.hpp"
#include "twins.hpp"

std::vector<float> product_a() { return product(); }
