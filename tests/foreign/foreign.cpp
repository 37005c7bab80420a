#include "foreign/foreign.hpp"
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "ordo/codegen/llvm/llvm.hpp"

namespace foreign {
namespace {
using namespace ordo;

void write_file(const std::string& path, const std::string& bytes) {
  std::FILE* f = std::fopen(path.c_str(), "wb");
  if (f == nullptr) return;
  std::fwrite(bytes.data(), 1, bytes.size(), f);
  std::fclose(f);
}
std::string read_file(const std::string& path) {
  std::string bytes;
  if (std::FILE* f = std::fopen(path.c_str(), "rb")) {
    char part[65536];
    for (std::size_t n; (n = std::fread(part, 1, sizeof part, f)) > 0;) bytes.append(part, n);
    std::fclose(f);
  }
  return bytes;
}
// The output of a command that failed, and how; empty when it did not.
std::string failure(const std::string& command, const std::string& log) {
  const int status = std::system((command + " >'" + log + "' 2>&1").c_str());
  if (status == 0) return {};
  const std::string how = WIFEXITED(status) ? "exit " + std::to_string(WEXITSTATUS(status)) : "a signal";
  return command + "\n" + how + "\n" + read_file(log).substr(0, 2000);
}
void put(std::string& to, u64 number) { to.append(reinterpret_cast<const char*>(&number), sizeof number); }
void put(std::string& to, const std::vector<i64>& numbers) {
  put(to, numbers.size());
  for (const i64 n : numbers) put(to, static_cast<u64>(n));
}
std::string written(const std::vector<Job>& jobs) {
  std::string all;
  put(all, jobs.size());
  for (const Job& job : jobs) {
    put(all, job.memory.size());
    for (const Memory& m : job.memory) {
      put(all, m.bytes.size());
      put(all, static_cast<u64>(m.guarded));
      all.append(reinterpret_cast<const char*>(m.bytes.data()), m.bytes.size());
    }
    put(all, job.launches.size());
    for (const Launch& l : job.launches) {
      put(all, static_cast<u64>(l.entry));
      put(all, l.data);
      put(all, l.dims);
      put(all, l.strides);
    }
  }
  return all;
}
bool take(const std::string& from, std::size_t& at, void* to, std::size_t bytes) {
  if (from.size() - at < bytes) return false;
  if (bytes > 0) std::memcpy(to, from.data() + at, bytes);
  at += bytes;
  return true;
}
}  // namespace

const std::vector<Machine>& machines() {
  static const std::vector<Machine> all = {
      {"aarch64-neon", {"cortex-a57"}, ORDO_AARCH64_LINKER, ORDO_AARCH64_RUNNER, ORDO_AARCH64_QEMU},
      {"aarch64-sve", {"max,sve128=on,sve-max-vq=1", "max,sve-max-vq=4,sve-default-vector-length=64"},
       ORDO_AARCH64_LINKER, ORDO_AARCH64_RUNNER, ORDO_AARCH64_QEMU},
      {"aarch64-sve256", {"max,sve-max-vq=2,sve-default-vector-length=32", "max,sve-max-vq=16,sve-default-vector-length=256"},
       ORDO_AARCH64_LINKER, ORDO_AARCH64_RUNNER, ORDO_AARCH64_QEMU},
      {"riscv64-v", {"rv64,v=true,vext_spec=v1.0,vlen=128", "rv64,v=true,vext_spec=v1.0,vlen=512"},
       ORDO_RISCV64_LINKER, ORDO_RISCV64_RUNNER, ORDO_RISCV64_QEMU}};
  return all;
}
std::string missing(const Machine& m) {
  if (m.linker.empty()) return "no cross compiler for " + m.target + " (g++-aarch64-linux-gnu, g++-riscv64-linux-gnu)";
  return m.qemu.empty() ? "no emulator for " + m.target + " (qemu-user)" : "";
}

Batch::Batch(const Machine& machine) : machine_(machine), target_(cpu::named(machine.target.c_str())) {
  char name[] = "/tmp/ordo.XXXXXX";
  if (::mkdtemp(name) != nullptr) folder_ = name;
}
Batch::~Batch() {
  if (!folder_.empty() && std::getenv("ORDO_KEEP") == nullptr) (void)!std::system(("rm -rf '" + folder_ + "'").c_str());
}
// Before version 8, qemu stops at a vector conversion with a rounding mode of its own unless the last one used was that of
// fcsr: before each such instruction goes one that does nothing but use it.
std::string for_old_emulators(const std::string& assembly) {
  std::string patched;
  for (std::size_t at = 0; at < assembly.size();) {
    const std::size_t end = assembly.find('\n', at);
    const std::string line = assembly.substr(at, end - at);
    if (line.find("cvt.rtz.") != std::string::npos || line.find("cvt.rod.") != std::string::npos) patched += "\tfcvt.w.s zero, ft0, dyn\n";
    patched += line + "\n";
    at = end == std::string::npos ? assembly.size() : end + 1;
  }
  return patched;
}

int Batch::add(const kernel::Kernel& kernel) {
  const std::string symbol = "ordo_kernel_" + std::to_string(objects_.size());
  if (std::strstr(target_.triple, "riscv") == nullptr)
    return add(codegen::llvm::unsealed_code(kernel, target_, symbol.c_str(), false).object, symbol);
  const int entry = add(for_old_emulators(codegen::llvm::unsealed_code(kernel, target_, symbol.c_str(), true).assembly), symbol);
  std::string& file = objects_.back();
  const std::string assembly = file + ".s";
  std::rename(file.c_str(), assembly.c_str());
  file = assembly;
  return entry;
}
int Batch::add(const std::string& object, const std::string& symbol) {
  objects_.push_back(folder_ + "/" + symbol + ".o");
  symbols_.push_back(symbol);
  write_file(objects_.back(), object);
  linked_ = false;
  return static_cast<int>(objects_.size()) - 1;
}
std::string Batch::link() {
  std::string table = ".section .data.rel.ro,\"aw\"\n.balign 8\n.globl ordo_entries\nordo_entries:\n", files;
  for (std::size_t k = 0; k < objects_.size(); ++k) {
    table += ".quad " + symbols_[k] + "\n";
    files += objects_[k] + "\n";
  }
  write_file(folder_ + "/entries.s", table + ".section .note.GNU-stack,\"\",%progbits\n");
  write_file(folder_ + "/files", files);
  const std::string march = std::strstr(target_.triple, "riscv") != nullptr ? " -march=rv64gcv" : "";
  return failure(machine_.linker + march + " -static -o '" + folder_ + "/run' '" + machine_.runner + "' '" + folder_ + "/entries.s' @'" +
                     folder_ + "/files'",
                 folder_ + "/log");
}
std::string Batch::run(const std::string& cpu, std::vector<Job>& jobs) {
  if (!linked_)
    if (const std::string wrong = link(); !wrong.empty()) return wrong;
  linked_ = true;
  write_file(folder_ + "/jobs", written(jobs));
  const std::string wrong = failure("'" + machine_.qemu + "' -cpu " + cpu + " '" + folder_ + "/run' '" + folder_ + "/jobs' '" + folder_ +
                                        "/results'",
                                    folder_ + "/log");
  if (!wrong.empty()) return wrong;
  const std::string results = read_file(folder_ + "/results");
  std::size_t at = 0;
  for (Job& job : jobs) {
    bool whole = take(results, at, &job.status, sizeof job.status);
    for (Memory& m : job.memory) whole = whole && take(results, at, m.bytes.data(), m.bytes.size());
    if (!whole) return "the results end early";
  }
  return {};
}
}  // namespace foreign
