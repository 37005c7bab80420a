#include "fuzz/emulated.hpp"
#include "foreign/lowered.hpp"

namespace fuzz {
using namespace ordo;

Emulated::Emulated(Differs differs) : differs_(differs) {
  for (const foreign::Machine& m : foreign::machines()) {
    if (!foreign::missing(m).empty()) continue;
    parts_.push_back(std::make_unique<Part>());
    parts_.back()->machine = &m;
    parts_.back()->batch = std::make_unique<foreign::Batch>(m);
  }
}
void Emulated::add(std::size_t machine, const ir::Program& staged, const nest::Trace* trace, const Data& data, Outcome outcome,
                   const kernel::Planted& planted) {
  Part& part = *parts_[machine];
  const plan::Plan plan = foreign::plan_of(staged, trace, part.batch->target());
  part.jobs.push_back(foreign::lowered(*part.batch, plan, data.arguments(), planted));
  part.wanted.push_back({std::move(outcome), staged.inputs.size(), data.arguments().size()});
  if (part.jobs.size() >= 50) run(part);
}
void Emulated::flush() {
  for (const std::unique_ptr<Part>& part : parts_) run(*part);
}
void Emulated::check(const Part& part, const std::string& cpu, const foreign::Job& job, const Wanted& w) {
  ++runs_;
  std::string got;
  for (std::size_t k = w.inputs; k < w.arguments; ++k)
    got.append(reinterpret_cast<const char*>(job.memory[k].bytes.data()), job.memory[k].bytes.size());
  if (job.status != 0) got = "run.index";
  const Outcome& o = w.outcome;
  if (got == o.expected || (o.fewer && o.expected == "run.index") || (o.more && got == "run.index")) return;
  differs_(part.machine->target + " on " + cpu, o.label, o.expected, got);
}
void Emulated::run(Part& part) {
  if (part.jobs.empty()) return;
  for (const std::string& cpu : part.machine->cpus) {
    std::vector<foreign::Job> jobs = part.jobs;
    const std::string wrong = part.batch->run(cpu, jobs);
    if (!wrong.empty()) {
      differs_(part.machine->target + " on " + cpu, wrong, "", "");
      continue;
    }
    for (std::size_t k = 0; k < jobs.size(); ++k) check(part, cpu, jobs[k], part.wanted[k]);
  }
  part.jobs.clear();
  part.wanted.clear();
  part.batch = std::make_unique<foreign::Batch>(*part.machine);
}
}  // namespace fuzz
