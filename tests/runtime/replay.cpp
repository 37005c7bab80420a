// A serialised trace makes the same machine code: the same keys of the disk cache, the same assembly.
#include <memory>
#include <string>
#include <vector>
#include <doctest/doctest.h>
#include "ordo/auto/schedule.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/ordo.hpp"
#include "ordo/runtime/body.hpp"
#include "ordo/runtime/key.hpp"
#include "ordo/trace.hpp"

using namespace ordo;

namespace {
struct Free {
  void operator()(runtime::KernelBody* body) const { runtime::release(body); }
};
using Body = std::unique_ptr<runtime::KernelBody, Free>;

Body built(const ir::Program& program, const nest::Body* schedule, const Machine& machine) {
  CompileOptions options;
  options.cache = "";
  options.machine = &machine;
  return Body(runtime::compile(program, schedule, cpu::host(), options, {}));
}
void same_code(const runtime::KernelBody& a, const runtime::KernelBody& b) {
  REQUIRE(a.groups.size() == b.groups.size());
  const kernel::Layout& layout = a.variants.load()->layout;
  CHECK(layout == b.variants.load()->layout);
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    char one[33], other[33];
    ir::hex(runtime::code_key(a, g, layout), one);
    ir::hex(runtime::code_key(b, g, layout), other);
    CHECK(std::string(one) == other);
  }
}
void replays(const ir::Program& program, const nest::Trace& trace) {
  Machine machine = detect(cpu::host());
  const std::string json = to_json(trace);
  nest::Body *direct = nest::replay(ir::stages(program), trace), *read = nest::replay(ir::stages(program), trace_from_json(json.c_str()));
  CHECK(nest::print(nest::nest_of(direct)) == nest::print(nest::nest_of(read)));
  const Body a = built(program, direct, machine), b = built(program, read, machine);
  same_code(*a, *b);
  CHECK(std::string(runtime::assembly(a.get())) == runtime::assembly(b.get()));
  nest::release(direct);
  nest::release(read);
}
}  // namespace

TEST_CASE("replay: default schedules, written and read, make the code of a compile without one") {
  const char* programs[] = {
      "input A: f32[200, 300]\ninput B: f32[300, 100]\nC[i, j]: f32[200, 100] = sum(chain k < 300, A[i, k] * B[k, j])\noutput C\n",
      "input X: f32[64, 1000]\nM[i]: f32[64] = max(any k < 1000, X[i, k])\nE[i, j]: f32[64, 1000] = exp(X[i, j] - M[i])\n"
      "S[i]: f32[64] = sum(lanes<16> l < 1000, E[i, l])\nY[i, j]: f32[64, 1000] = E[i, j] / S[i]\noutput Y\n",
      "input I: f32[100, 130]\nB[y, x]: f32[100, 128] = I[y, x] + I[y, x + 1] + I[y, x + 2]\n"
      "C[v, x]: f32[98, 128] = B[v, x] + B[v + 1, x] + B[v + 2, x]\noutput C\n",
      "input X: f32[300, 500]\nY[i, j]: f32[500, 300] = X[j, i]\noutput Y\n",
  };
  const Machine machine = detect(cpu::host());
  for (const char* text : programs) {
    const ir::Program program = ir::parse(text);
    const nest::Trace trace = default_schedule(nest::make(ir::stages(program)), machine);
    INFO(nest::print(trace));
    replays(program, trace);
    nest::Body* read = nest::replay(ir::stages(program), trace_from_json(to_json(trace).c_str()));
    same_code(*built(program, nullptr, machine), *built(program, read, machine));
    nest::release(read);
  }
}
TEST_CASE("replay: a schedule by hand with every option that is written") {
  Tensor<float, 2> A{"A", {64, 96}}, B{"B", {96, 480}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  Schedule s{C};
  auto [i0, i1] = s.split(i, 8, Tail::guard);
  auto [j0, j1] = s.split(j, 48, Tail::peel);
  s.reorder(j0, i0, k, i1, j1).unroll(i1).vectorize(j1).parallel(j0, 2).prefetch(A, k, 4);
  s.pack(B, j0, {.memory = Memory::stack, .pad = 16});
  replays(Program(inputs(A, B), outputs(C)).snapshot(), nest::trace_of(s.body()));
}
