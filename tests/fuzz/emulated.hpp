// Some of the random programs on emulated instruction sets: kernels and calls are collected, then linked and run at once.
#pragma once
#include <memory>
#include <string>
#include <vector>
#include "fuzz/run.hpp"
#include "foreign/foreign.hpp"

namespace fuzz {
class Emulated {
 public:
  // What differs is told through `differs(what, label, expected, got)`.
  using Differs = void (*)(const std::string& what, const std::string& label, const std::string& expected, const std::string& got);
  explicit Emulated(Differs differs);
  std::size_t machines() const { return parts_.size(); }       // those that can run here
  const ordo::Target& target(std::size_t machine) const { return parts_[machine]->batch->target(); }
  // What may be found beside `expected`: anything where that is "run.index" and `fewer` says that elements may be left out;
  // "run.index" where `more` says that elements nobody needs may have it.
  struct Outcome {
    std::string expected, label;
    bool fewer, more;
  };
  // Without a trace the target's default schedule is taken.
  void add(std::size_t machine, const ordo::ir::Program& staged, const ordo::nest::Trace* trace, const Data& data, Outcome outcome,
           const ordo::kernel::Planted& planted);
  void flush();
  ordo::i64 runs() const { return runs_; }

 private:
  struct Wanted {
    Outcome outcome;
    std::size_t inputs, arguments;       // memory between the two holds the outputs
  };
  struct Part {
    const foreign::Machine* machine;
    std::unique_ptr<foreign::Batch> batch;
    std::vector<foreign::Job> jobs;
    std::vector<Wanted> wanted;
  };
  void run(Part& part);
  void check(const Part& part, const std::string& cpu, const foreign::Job& job, const Wanted& wanted);
  std::vector<std::unique_ptr<Part>> parts_;
  Differs differs_;
  ordo::i64 runs_ = 0;
};
}  // namespace fuzz
