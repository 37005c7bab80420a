// Kernels for instruction sets that this machine lacks: linked into the runner by a cross compiler, run under qemu-user.
#pragma once
#include <string>
#include <vector>
#include "ordo/base/target.hpp"
#include "ordo/kernel/kernel.hpp"

namespace foreign {
using ordo::i64;
using ordo::u64;

struct Machine {
  std::string target;            // by name, as cpu::named knows it
  std::vector<std::string> cpus; // what qemu plays: one for each vector length that the code must run on
  std::string linker, runner, qemu;
};
const std::vector<Machine>& machines();
// Why its code cannot be run here; empty when it can.
std::string missing(const Machine& machine);

struct Memory {
  std::vector<unsigned char> bytes;
  bool guarded = true;           // ends at a page that may not be touched; else aligned to 64 bytes
};
struct Launch {
  int entry = 0;
  std::vector<i64> data;         // numbers of Memory, each with the byte in it that its address names
  std::vector<i64> dims, strides;
};
struct Job {
  std::vector<Memory> memory;    // afterwards: what the launches left there
  std::vector<Launch> launches;
  u64 status = 0;                // 1 after a failure
};

// Many kernels and calls, one link and one process.
class Batch {
 public:
  explicit Batch(const Machine& machine);
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch();
  const ordo::Target& target() const { return target_; }
  int add(const ordo::kernel::Kernel& kernel);     // its entry
  int add(const std::string& object, const std::string& symbol);
  const std::vector<std::string>& objects() const { return objects_; }   // files
  // Runs all jobs on one of the machine's CPUs. What went wrong; empty when nothing did.
  std::string run(const std::string& cpu, std::vector<Job>& jobs);

 private:
  std::string link();
  const Machine& machine_;
  ordo::Target target_;
  std::string folder_;
  std::vector<std::string> objects_, symbols_;
  bool linked_ = false;
};
}  // namespace foreign
