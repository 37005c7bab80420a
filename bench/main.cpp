// What every program of this folder that may throw shares.
#include <cstdio>
#include <exception>
#include "bench/measure.hpp"

int main(int argc, char** argv) {
  try {
    return bench::program(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
