// A program and schedules as text, run in every way: interpreted, walked, and as machine code for each CPU that runs here.
#pragma once
#include <sstream>
#include <string>
#include <utility>
#include <vector>
#include "interp/made.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/nest/nest.hpp"
#include "ordo/runtime/body.hpp"
#include "ordo/runtime/calls.hpp"
#include "runtime/walk_target.hpp"

namespace ways {
using namespace ordo;
using made::Bits;
using made::Data;

// "split i 4; reorder i.0 l.step i.1 l.lane; vectorize l.lane", of stage `name`.
inline nest::Trace schedule(const std::string& text, const std::string& stage = "Y") {
  nest::Trace trace;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line, ';');) {
    std::istringstream words(line);
    nest::Directive d;
    d.stage = stage;
    words >> d.name;
    for (std::string w; words >> w;) (w.find_first_not_of("0123456789") == std::string::npos ? d.factors : d.loops).push_back(w);
    if (!d.name.empty()) trace.push_back(d);
  }
  return trace;
}

struct Way {
  std::string name;
  Target target;
};
inline std::vector<Way> compiled() {
  std::vector<Way> all{{"walk", walk_target::target()}, {"host", cpu::host()}};
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const Target t = cpu::named(name); cpu::runs_here(t)) all.push_back({name, t});
  return all;
}

class Compiled {  // under "default": the schedule that `compile` finds
 public:
  Compiled(const std::string& program, const std::string& schedule_text, const Target& target, const kernel::Planted& planted = {}) {
    const nest::Trace trace = schedule(schedule_text);
    runtime::Request request{schedule_text == "default" ? nullptr : &trace, target, {}, planted};
    request.options.cache = "";
    request.options.executor = cpu::threads(2);
    body_ = runtime::build(ir::parse(program.c_str()), request, {});
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() { runtime::release(body_); }
  // The last of `data` is the output.
  Bits operator()(std::vector<Data>& data) const {
    std::vector<Argument> arguments;
    for (Data& d : data) arguments.push_back(d.argument());
    call(arguments);
    return made::bits(data.back());
  }
  void call(const std::vector<Argument>& arguments) const {
    runtime::call(body_, arguments.data(), static_cast<int>(arguments.size()), Where{});
  }

 private:
  runtime::KernelBody* body_;
};
inline Bits interpreted(const std::string& program, std::vector<Data>& data) {
  std::vector<Argument> arguments;
  for (Data& d : data) arguments.push_back(d.argument());
  interpret(ir::parse(program.c_str()), arguments.data(), static_cast<int>(arguments.size()));
  return made::bits(data.back());
}
}  // namespace ways
