// Matrix products of other libraries: C = A B, dense row-major, A m x k, B k x n.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace bench {
struct Shape { long m, n, k; };
template <class T> using Multiply = std::function<void(const T* a, const T* b, T* c)>;
struct Peer {
  std::string name, version;
  std::function<void(int)> set_threads;
  // What is made once for a shape (primitives) is made here, outside the measured time. Empty: the library has no such product.
  std::function<Multiply<float>(Shape)> f32;
  std::function<Multiply<double>(Shape)> f64;
};
std::vector<Peer> peers();       // those this build found
Peer openblas();
Peer onednn();
Peer eigen();
// OpenMP's number of threads, in every OpenMP runtime that is loaded.
void set_openmp_threads(int threads);
// Starts the program anew without the variables that pin OpenBLAS to another machine's kernels: it reads them before main.
void unpin_openblas(char** argv);
}  // namespace bench
