// Runs kernels of another instruction set under an emulator: object code linked in, jobs from a file, results to a file.
//   runner <jobs> <results>
// Numbers are 64-bit little-endian. Jobs: count, then for each the blocks of memory (count; bytes, guarded, contents) and
// the launches (count; entry; count of data, for each its block and first byte; count of dims, dims; count of strides, strides). Results:
// for each job its status, then all its blocks.
#include <sys/mman.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "ordo/codegen/llvm/routines.hpp"
#include "ordo/kernel/abi.hpp"
#include "ordo/runtime/environment.hpp"

extern "C" {
extern const ordo::kernel::Entry ordo_entries[];
ordo::u64 ordo_soft_fma_f64(ordo::u64 a, ordo::u64 b, ordo::u64 c) { return ordo::codegen::llvm::detail_routines::fma_f64(a, b, c); }
ordo::u64 ordo_soft_fmod_f32(ordo::u64 a, ordo::u64 b) { return ordo::codegen::llvm::detail_routines::fmod_f32(a, b); }
ordo::u64 ordo_soft_fmod_f64(ordo::u64 a, ordo::u64 b) { return ordo::codegen::llvm::detail_routines::fmod_f64(a, b); }
}

namespace {
using namespace ordo;

[[noreturn]] void stop(const char* why) {
  std::fprintf(stderr, "runner: %s\n", why);
  std::exit(2);
}
std::FILE* jobs = nullptr;
std::FILE* results = nullptr;
u64 number() {
  u64 n = 0;
  if (std::fread(&n, sizeof n, 1, jobs) != 1) stop("the jobs end early");
  return n;
}
std::vector<i64> numbers() {
  std::vector<i64> all(number());
  for (i64& n : all) n = static_cast<i64>(number());
  return all;
}

// Guarded memory ends where a page begins that nobody may touch; other memory begins at a multiple of 64.
struct Block {
  u64 bytes;
  void* mapping;
  std::size_t mapped;
  unsigned char* data;
};
Block block() {
  Block b{number(), nullptr, 0, nullptr};
  const bool guarded = number() != 0;
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), whole = (b.bytes + page - 1) / page * page;
  b.mapped = whole + page;
  b.mapping = ::mmap(nullptr, b.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (b.mapping == MAP_FAILED) stop("no memory");
  b.data = static_cast<unsigned char*>(b.mapping) + (guarded ? whole - b.bytes : 0);
  if (::mprotect(static_cast<unsigned char*>(b.mapping) + whole, page, PROT_NONE) != 0) stop("mprotect");
  if (b.bytes != 0 && std::fread(b.data, 1, b.bytes, jobs) != b.bytes) stop("the jobs end early");
  return b;
}

const kernel::Hooks hooks = {
    [](const kernel::Frame*, i64 n, kernel::Chunk chunk, void* closure) { while (n-- > 0) chunk(closure, n); },
    [](const kernel::Frame*, i64 bytes) -> void* {
      void* block = std::aligned_alloc(64, static_cast<std::size_t>((bytes + 127) / 64 * 64));
      if (block != nullptr) std::memset(block, 0xfb, static_cast<std::size_t>(bytes));
      return block;
    },
    [](const kernel::Frame*, void* block, i64) { std::free(block); },
    [](const kernel::Frame*, i64, i64) {},
};

u64 launch(const std::vector<Block>& blocks) {
  const kernel::Entry entry = ordo_entries[number()];
  std::vector<void*> data;
  const std::vector<i64> places = numbers();
  for (std::size_t k = 0; k + 1 < places.size(); k += 2) data.push_back(blocks[static_cast<std::size_t>(places[k])].data + places[k + 1]);
  const std::vector<i64> dims = numbers(), strides = numbers();
  const kernel::Frame frame{data.data(), dims.data(), strides.data(), &hooks, nullptr};
  const runtime::EnvironmentScope environment;
  return static_cast<u64>(entry(&frame));
}
void job() {
  std::vector<Block> blocks(number());
  for (Block& b : blocks) b = block();
  u64 status = 0;
  for (u64 left = number(); left > 0; --left) status |= launch(blocks);
  std::fwrite(&status, sizeof status, 1, results);
  for (const Block& b : blocks) {
    std::fwrite(b.data, 1, b.bytes, results);
    ::munmap(b.mapping, b.mapped);
  }
}
// Rounding upwards, subnormals flushed: kernels must not notice, and must leave it as it is.
#if defined(__aarch64__)
const runtime::Environment hostile = {u64{1} << 24 | u64{1} << 22, 0};
bool kept() { return runtime::environment().control == hostile.control; }
#else
const runtime::Environment hostile = 3u << 5;
bool kept() { return runtime::environment() >> 5 == 3u; }
#endif
}  // namespace

int main(int count, char** words) {
  if (count != 3) stop("usage: runner <jobs> <results>");
  jobs = std::fopen(words[1], "rb");
  results = std::fopen(words[2], "wb");
  if (jobs == nullptr || results == nullptr) stop("cannot open the files");
  runtime::set_environment(hostile);
  for (u64 left = number(); left > 0; --left) job();
  if (!kept()) stop("a kernel changed the floating-point environment");
  return std::fclose(results) == 0 ? 0 : 2;
}
