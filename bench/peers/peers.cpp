#include "bench/peers/peers.hpp"
#include <dlfcn.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

namespace bench {
std::vector<Peer> peers() {
  std::vector<Peer> found;
#if defined(BENCH_OPENBLAS)
  found.push_back(openblas());
#endif
#if defined(BENCH_ONEDNN)
  found.push_back(onednn());
#endif
#if defined(BENCH_EIGEN)
  found.push_back(eigen());
#endif
  return found;
}

void set_openmp_threads(int threads) {
  for (const char* name : {"libgomp.so.1", "libiomp5.so", "libomp.so.5"})
    if (void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
      if (void* set = dlsym(library, "omp_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(threads);
      dlclose(library);
    }
}

void unpin_openblas(char** argv) {
  bool pinned = false;
  for (const char* name : {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"})
    if (std::getenv(name) != nullptr) {
      pinned = true;
      unsetenv(name);
    }
  if (!pinned) return;
  execv("/proc/self/exe", argv);
  std::perror("cannot start anew without OPENBLAS_CORETYPE");
  std::exit(1);
}
}  // namespace bench
