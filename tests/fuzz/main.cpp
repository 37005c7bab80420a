// Random programs x random legal schedules x targets x threads, compared byte for byte with the interpreter.
//   fuzz --programs 2000 --seed 1 [--plant chain|tail|contract|tree|time] [--schedules 3] [--emulated 10] [--verbose]
// --stencils: that many of 100 programs are pipelines of stencils.
// --emulated: that many of 100 programs also run on an instruction set that this machine lacks, under qemu.
// With --plant the walked kernels are lowered wrongly on purpose; the run fails unless that is noticed.
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include "fuzz/emulated.hpp"
#include "fuzz/program.hpp"
#include "fuzz/run.hpp"
#include "fuzz/schedule.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ir/digest.hpp"
#include "ordo/ir/text.hpp"

namespace {
using namespace ordo;
struct Counts {
  i64 programs = 0, schedules = 0, runs = 0, mismatches = 0, refused = 0;
  std::map<std::string, i64> applied;
};
struct Settings {
  i64 programs = 200, schedules = 3, seed = 1, only = -1, emulated = 0, stencils = 15;
  kernel::Planted planted;
  bool plants = false, verbose = false;
};

std::string hex_of(const std::string& bytes) {
  char text[33];
  ir::hex(ir::digest_of(bytes.data(), bytes.size()), text);
  return text;
}

void show(const char* what, i64 seed, const ir::Program& program, const nest::Trace& trace, const fuzz::Data& data,
          const std::string& expected, const std::string& got) {
  std::printf("mismatch: %s, program of seed %lld, sizes %s\n%s%s\n  expected %s\n  got      %s\n", what, static_cast<long long>(seed),
              data.sizes().c_str(), ir::print(program).c_str(), nest::print(trace).c_str(), hex_of(expected).c_str(), hex_of(got).c_str());
}

// What a run leaves in the outputs; "run.index" where it ends so.
template <class Run>
std::string outcome(const fuzz::Data& data, Run run) {
  try {
    run();
  } catch (const Error& e) {
    if (std::string(e.code()) != "run.index") throw;
    return e.code();
  }
  return data.outputs();
}
// May an index be out of range in an element of some stage that no output needs? Kernels compute it all the same; a reduction
// inside an expression is a stage too.
bool unneeded_fails(const ir::Program& staged, i64 seed) {
  ir::Program all = ir::copy(staged);
  for (const ir::Definition& d : all.definitions) {
    ir::TensorInfo& t = all.tensors[static_cast<std::size_t>(d.tensor)];
    if (!t.output) all.outputs.push_back(d.tensor);
    t.output = true;
  }
  fuzz::Random random(static_cast<u64>(seed) ^ 0x5eed);
  fuzz::Data data(all, random);                          // the same inputs: they are drawn first
  return outcome(data, [&] { fuzz::interpret_all(all, data); }) == "run.index";
}
// Of an inlined or placed stage only the elements that are read are computed: an index out of range among the others goes unseen.
bool agrees(const std::string& expected, const std::string& got, bool inlined, const ir::Program& staged, i64 seed) {
  return got == expected || (inlined && expected == "run.index") || (got == "run.index" && unneeded_fails(staged, seed));
}
bool inlines(const nest::Trace& trace) {
  for (const nest::Directive& d : trace)
    if (d.name == "inline_" || d.name == "compute_at") return true;
  return false;
}

void one_schedule(const Settings& settings, i64 seed, fuzz::Random& random, const ir::Program& program, const ir::Program& staged,
                  fuzz::Data& data, const std::string& expected, const std::vector<Target>& targets, bool by_default, Counts& counts) {
  fuzz::Tried tried;
  if (!by_default) tried = fuzz::random_schedule(staged, random, static_cast<int>(random.between(0, 12)));
  if (settings.verbose) {
    std::printf("%s\n", by_default ? "default schedule" : nest::print(tried.trace).c_str());
    std::fflush(stdout);         // what comes now may not end
  }
  counts.refused += tried.refused;
  for (const nest::Directive& d : tried.trace) {
    if (d.region >= 0) ++counts.applied["in_region"];
    const bool split = d.name == "split";
    ++counts.applied[split && d.tail == Tail::shift_in ? "split.shift_in" : split && d.tail == Tail::cover ? "split.cover" : d.name];
  }
  counts.applied["compute_at.nested"] += tried.nested;
  counts.applied["compute_at.inner"] += tried.inner;
  counts.applied["compute_at.along"] += tried.along;
  counts.applied["compute_at.sliding"] += tried.sliding;
  ++counts.schedules;
  const Target& target = random.of(targets);
  if (!by_default) {
    fuzz::describe(staged, tried.trace);
    fuzz::replay(staged, tried.trace);
    const std::string got = outcome(data, [&] { fuzz::walk_all(staged, tried.trace, target, settings.planted, data); });
    ++counts.runs;
    if (!agrees(expected, got, inlines(tried.trace), staged, seed)) {
      ++counts.mismatches;
      if (!settings.plants) show("walk", seed, program, tried.trace, data, expected, got);
      return;                    // machine code of a wrong kernel says nothing
    }
  }
  if (settings.plants) return;
  const int threads = random.of(std::vector<int>{1, 2, 3, 7});
  std::string got;
  try {
    got = outcome(data, [&] { fuzz::run_all(program, tried.trace, by_default, target, threads, data); });
  } catch (const Error& e) {
    if (std::string(e.code()) != "run.promise") throw;
    return void(++counts.applied["align.refused"]);      // the arguments lie otherwise
  }
  ++counts.runs;
  if (agrees(expected, got, by_default || inlines(tried.trace), staged, seed)) return;
  ++counts.mismatches;
  show((std::string(target.name) + (by_default ? ", default schedule, " : ", ") + std::to_string(threads) + " threads").c_str(), seed,
       program, tried.trace, data, expected, got);
}

i64 emulated_mismatches = 0;
bool planted_wrong = false;      // they are not told
void emulated_differs(const std::string& what, const std::string& label, const std::string& expected, const std::string& got) {
  ++emulated_mismatches;
  if (planted_wrong) return;
  std::printf("mismatch: %s: %s\n  expected %s\n  got      %s\n", what.c_str(), label.c_str(), hex_of(expected).c_str(),
              hex_of(got).c_str());
}
// One random schedule, or now and then the default one, on one of the machines.
void emulate(const Settings& settings, fuzz::Emulated& emulated, fuzz::Random& random, i64 seed, const ir::Program& staged,
             const fuzz::Data& data, const std::string& expected, Counts& counts) {
  const std::size_t machine = static_cast<std::size_t>(random.below(static_cast<i64>(emulated.machines())));
  const bool by_default = random.chance(25);
  fuzz::Tried tried;
  if (!by_default) tried = fuzz::random_schedule(staged, random, static_cast<int>(random.between(0, 12)));
  std::erase_if(tried.trace, [](const nest::Directive& d) { return d.name == "align"; });  // no call checks what is promised there
  counts.refused += tried.refused;
  ++counts.schedules;
  emulated.add(machine, staged, by_default ? nullptr : &tried.trace, data,
               {expected, "program of seed " + std::to_string(seed) + ", sizes " + data.sizes() + "\n" + nest::print(tried.trace),
                by_default || inlines(tried.trace), unneeded_fails(staged, seed)},
               settings.planted);
}

void one_program(const Settings& settings, i64 seed, const std::vector<Target>& targets, fuzz::Emulated* emulated, Counts& counts) {
  fuzz::Generator generator(static_cast<u64>(seed), static_cast<int>(settings.stencils));
  const ir::Program program = generator.make();
  const ir::Program staged = ir::stages(program);
  fuzz::Random random(static_cast<u64>(seed) ^ 0x5eed);
  fuzz::Data data(program, random);
  if (settings.verbose) std::printf("seed %lld, %s\n%s\n", static_cast<long long>(seed), data.sizes().c_str(), ir::print(program).c_str());
  const std::string expected = outcome(data, [&] { fuzz::interpret_all(program, data); });
  ++counts.programs;
  if (emulated != nullptr && fuzz::Random(static_cast<u64>(seed) ^ 0xe).chance(static_cast<int>(settings.emulated))) {
    fuzz::Random own(static_cast<u64>(seed) ^ 0xe3);
    data.poison();
    emulate(settings, *emulated, own, seed, staged, data, expected, counts);
  }
  for (i64 s = 0; s < settings.schedules; ++s)
    one_schedule(settings, seed, random, program, staged, data, expected, targets, s == 1, counts);
}

bool parse(int count, char** words, Settings& s) {
  for (int k = 1; k < count; ++k) {
    const std::string w = words[k];
    if (w == "--verbose") s.verbose = true;
    else if (k + 1 >= count) return false;
    else if (w == "--programs") s.programs = std::atoll(words[++k]);
    else if (w == "--seed") s.seed = std::atoll(words[++k]);
    else if (w == "--schedules") s.schedules = std::atoll(words[++k]);
    else if (w == "--emulated") s.emulated = std::atoll(words[++k]);
    else if (w == "--stencils") s.stencils = std::atoll(words[++k]);
    else if (w == "--only") s.only = std::atoll(words[++k]);
    else if (w == "--plant") {
      const std::string p = words[++k];
      s.plants = true;
      s.planted.reverse_chain = p == "chain";
      s.planted.drop_tail = p == "tail";
      s.planted.contract = p == "contract";
      s.planted.wrong_tree = p == "tree";
      s.planted.reverse_time = p == "time";
    } else {
      return false;
    }
  }
  return true;
}

// A stray access ends the program; this tells of which.
i64 at_work = 0;
void strayed(int) {
  char text[96];
  const int n =
      std::snprintf(text, sizeof text, "program of seed %lld: an access outside of its arguments\n", static_cast<long long>(at_work));
  if (write(1, text, static_cast<std::size_t>(n)) < 0) _exit(3);
  _exit(1);
}
}  // namespace

int main(int count, char** words) {
  Settings settings;
  std::signal(SIGSEGV, strayed);
  if (!parse(count, words, settings)) {
    std::fprintf(stderr,
                 "usage: fuzz [--programs N] [--seed S] [--schedules N] [--only SEED] [--emulated PERCENT] [--stencils PERCENT]\n"
                 "            [--plant chain|tail|contract|tree|time] [--verbose]\n");
    return 2;
  }
  std::vector<Target> targets{cpu::host()};
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const Target t = cpu::named(name); cpu::runs_here(t)) targets.push_back(t);
  Counts counts;
  planted_wrong = settings.plants;
  std::unique_ptr<fuzz::Emulated> emulated;
  if (settings.emulated > 0) emulated = std::make_unique<fuzz::Emulated>(emulated_differs);
  if (emulated != nullptr && emulated->machines() == 0) {
    std::printf("nothing is emulated: qemu-user, g++-aarch64-linux-gnu or g++-riscv64-linux-gnu is missing\n");
    emulated.reset();
  }
  auto told = std::chrono::steady_clock::now();
  for (i64 k = 0; k < settings.programs; ++k) {
    const i64 seed = settings.only >= 0 ? settings.only : settings.seed * 1000003 + k;
    at_work = seed;
    try {
      one_program(settings, seed, targets, emulated.get(), counts);
    } catch (const Error& e) {
      std::printf("program of seed %lld: %s\n", static_cast<long long>(seed), e.what());
      ++counts.mismatches;
    }
    if (settings.only >= 0) break;
    if (const auto now = std::chrono::steady_clock::now(); now - told > std::chrono::seconds(5)) {
      told = now;
      std::fprintf(stderr, "%lld of %lld programs, %lld mismatches\n", static_cast<long long>(k + 1),
                   static_cast<long long>(settings.programs), static_cast<long long>(counts.mismatches));
    }
  }
  if (emulated != nullptr) {
    emulated->flush();
    counts.runs += emulated->runs();
    counts.mismatches += emulated_mismatches;
    std::printf("emulated=%lld ", static_cast<long long>(emulated->runs()));
  }
  for (const auto& [name, n] : counts.applied) std::printf("%s=%lld ", name.c_str(), static_cast<long long>(n));
  std::printf("\n");
  std::printf("programs=%lld schedules=%lld runs=%lld mismatches=%lld refused=%lld\n", static_cast<long long>(counts.programs),
              static_cast<long long>(counts.schedules), static_cast<long long>(counts.runs), static_cast<long long>(counts.mismatches),
              static_cast<long long>(counts.refused));
  if (settings.plants) return counts.mismatches > 0 ? 0 : 1;
  return counts.mismatches == 0 ? 0 : 1;
}
