// Default schedules of sums of products: what they ask for, and the bytes they give on machines so small that every block is cut.
#include <doctest/doctest.h>
#include <algorithm>
#include <cstring>
#include "auto/wide.hpp"
#include "ordo/auto/schedule.hpp"
#include "ordo/cpu.hpp"
#include "ordo/interp/interp.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;

namespace {
Machine machine(int bits, bool tiny) {
  Machine m = made::wide();
  m.vector_bits = bits;
  m.vector_registers = bits == 512 ? 32 : 16;
  if (!tiny) return m;
  m.l1_bytes = 1 << 10;
  m.l2_bytes = 1 << 12;
  m.l3_bytes = 1 << 13;
  return m;
}
std::string traced(const char* program, const Machine& m) {
  return nest::print(made::written(ir::parse(program), m));
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

struct Arguments {
  explicit Arguments(const ir::Program& p) {
    u32 state = 1;
    const auto add = [&](int number, bool fill) {
      const ir::TensorInfo& t = p.tensors[static_cast<std::size_t>(number)];
      Argument a{nullptr, t.type, static_cast<int>(t.shape.size()), {}, {}};
      i64 elements = 1;
      for (std::size_t d = t.shape.size(); d-- > 0;) {
        a.shape[d] = ir::evaluate(t.shape[d], nullptr);
        a.stride[d] = elements;
        elements *= a.shape[d];
      }
      bytes.emplace_back(static_cast<std::size_t>(elements * bytes_of(t.type)));
      for (std::size_t k = 0; fill && k < bytes.back().size(); k += 4) {
        const float x = static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1;
        std::memcpy(bytes.back().data() + k, &x, 4);
      }
      a.data = bytes.back().data();
      list.push_back(a);
    };
    for (const int n : p.inputs) add(n, true);
    for (const int n : p.outputs) add(n, false);
  }
  std::vector<std::vector<char>> bytes;
  std::vector<Argument> list;
};
std::vector<char> run(const ir::Program& p, const nest::Trace* trace, int threads) {
  Arguments all(p);
  CompileOptions options;
  options.cache = "";
  options.executor = threads == 1 ? serial() : cpu::threads(threads);
  nest::Body* schedule = trace == nullptr ? nullptr : nest::replay(ir::stages(p), *trace);
  const AnyKernel kernel(runtime::compile(p, schedule, trace == nullptr ? interpreter() : cpu::host(), options, {}));
  if (schedule != nullptr) nest::release(schedule);
  kernel.call(all.list.data(), static_cast<int>(all.list.size()));
  return all.bytes.back();
}
}  // namespace

TEST_CASE("default schedule: B along the reduction is packed in panels, in every batch") {
  const std::string text = traced(
      "input A: f32[8, 512, 64]\ninput B: f32[8, 512, 64]\nC[h, q, t]: f32[8, 512, 512] = sum(chain e < 64, A[h, q, e] * B[h, t, e])\n"
      "output C\n",
      machine(512, false));
  for (const char* word : {"vectorize(t1)", "pack(B, h)", "parallel(h)"}) CHECK(has(text, word));
}
TEST_CASE("default schedule: a batch of one is none") {
  for (const char* rows : {"1", "16", "512"}) {
    const auto product = [&](const char* dimension, const char* index) {
      const std::string m = rows, d = dimension, x = index;
      return traced(("input A: f32[" + d + m + ", 4096]\ninput B: f32[" + d + "4096, 4096]\nC[" + x + "i, j]: f32[" + d + m +
                     ", 4096] = sum(chain k < 4096, A[" + x + "i, k] * B[" + x + "j, k])\noutput C\n")
                        .c_str(),
                    machine(512, false));
    };
    CHECK(product("1, ", "h, ") == product("", ""));
  }
}
TEST_CASE("default schedule: threads share the outermost loop that keeps them busy") {
  const char* const conv =
      "input X: f32[1, 58, 58, 64]\ninput F: f32[3, 3, 64, 64]\nY[n, y, x, f]: f32[1, 56, 56, 64] = sum({chain r < 3, "
      "chain s < 3, chain c < 64}, X[n, y + r, x + s, c] * F[r, s, c, f])\noutput Y\n";
  CHECK(has(traced(conv, machine(512, false)), "parallel(y)"));
}
TEST_CASE("default schedule: parts of Blocks are tiled like a Chain, and shared where the output is small") {
  const std::string text = traced(
      "input A: f32[8, 65536]\ninput B: f32[65536, 64]\nC[i, j]: f32[8, 64] = sum(blocks<4096> k < 65536, "
      "A[i, k] * B[k, j])\noutput C\n",
      machine(512, false));
  for (const char* word : {"unroll(i1)", "vectorize(j1)", "parallel(k.block())"}) CHECK(has(text, word));
}
TEST_CASE("default schedule: short steps that slide along the rows are unrolled") {
  const auto depthwise = [](const char* step) {
    return traced(("input X: f32[9, 64, 32]\ninput F: f32[3, 3, 32]\nY[y, x, c]: f32[7, 16, 32] = sum({chain r < 3, chain s < 3}, X[y + r, " +
                   std::string(step) + " * x + s, c] * F[r, s, c])\noutput Y\n")
                      .c_str(),
                  machine(512, false));
  };
  for (const char* step : {"1", "2"}) CHECK(has(depthwise(step), "unroll(s)"));
  CHECK(!has(depthwise("3"), "unroll(s)"));              // nothing is read twice
}
TEST_CASE("default schedule: contractions have the bytes of the interpreter, on machines of every size") {
  const char* const programs[] = {
      "input X: f32[2, 9, 15, 32]\ninput F: f32[2, 2, 3, 3, 32, 32]\nY[g, y, x, n]: f32[2, 9, 15, 32] = sum({chain b < 2, chain r < 3, "
      "chain s < 3, chain c < 32}, X[b, y + r - 1, x + s - 1, c] * F[g, b, r, s, c, n], where 0 <= y + r - 1 && y + r - 1 < 9 && "
      "0 <= x + s - 1 && x + s - 1 < 15)\noutput Y\n",
      "input X: f32[2, 19, 30, 32]\ninput F: f32[2, 5, 5, 32]\nY[b, y, x, c]: f32[2, 10, 15, 32] = sum({chain r < 5, chain s < 5}, "
      "X[b, 2 * y + r - 2, 2 * x + s - 2, c] * F[b, r, s, c], where 0 <= 2 * y + r - 2 && 2 * y + r - 2 < 19 && 0 <= 2 * x + s - 2 && "
      "2 * x + s - 2 < 30)\noutput Y\n",
      "input X: f32[9, 40, 32]\ninput F: f32[3, 3, 32]\nY[y, x, c]: f32[9, 40, 32] = sum({chain r < 3, chain s < 3}, "
      "select(0 <= y + r - 1 && y + r - 1 < 9 && 0 <= x + s - 1 && x + s - 1 < 40, X[y + r - 1, x + s - 1, c], 0.0) * F[r, s, c])\n"
      "output Y\n",
      "input A: f32[37, 90]\ninput B: f32[90, 53]\nC[i, j]: f32[37, 53] = sum(chain k < 90, A[i, k] * B[k, j])\noutput C\n",
      "input A: f32[37, 90]\ninput B: f32[70, 90]\nC[i, j]: f32[37, 70] = sum(chain k < 90, A[i, k] * B[j, k])\noutput C\n",
      "input A: f32[200, 3]\ninput B: f32[300, 200]\nC[i, j]: f32[3, 300] = sum(chain k < 200, A[k, i] * B[j, k])\noutput C\n",
      "input A: f32[3, 20, 33]\ninput B: f32[3, 40, 33]\nC[h, i, j]: f32[3, 20, 40] = sum(chain k < 33, A[h, i, k] * B[h, j, k]) "
      "* 0.5\noutput C\n",
      "input A: f32[20, 100]\ninput B: f32[100, 40]\nC[i, j]: f32[20, 40] = sum(blocks<24> k < 100, A[i, k] * B[k, j])\noutput C\n",
      "input A: f32[20, 100]\ninput B: f32[40, 100]\nC[i, j]: f32[20, 40] = sum(blocks<24> k < 100, A[i, k] * B[j, k])\noutput C\n",
      "input X: f32[2, 11, 12, 9]\ninput F: f32[3, 3, 9, 40]\nY[n, y, x, f]: f32[2, 9, 10, 40] = sum({chain r < 3, chain s < 3, "
      "chain c < 9}, X[n, y + r, x + s, c] * F[r, s, c, f])\noutput Y\n",
      "input X: f32[2, 11, 12, 19]\ninput F: f32[20, 3, 3, 19]\nY[n, y, x, f]: f32[2, 5, 5, 20] = sum({chain r < 3, chain s < 3, "
      "chain c < 19}, X[n, 2 * y + r, 2 * x + s, c] * F[f, r, s, c])\noutput Y\n",
      "input X: f32[1, 3, 9, 9, 16]\ninput F: f32[2, 3, 3, 3, 16, 32]\nY[n, g, y, x, f]: f32[1, 2, 7, 7, 32] = sum({chain b < 3, "
      "chain r < 3, chain s < 3, chain c < 16}, X[n, b, y + r, x + s, c] * F[g, b, r, s, c, f])\noutput Y\n",
      "input X: f32[1, 5, 9, 9]\ninput F: f32[6, 5, 3, 3]\nY[n, f, y, x]: f32[1, 6, 7, 7] = sum({chain c < 5, chain r < 3, chain s < 3}, "
      "X[n, c, y + r, x + s] * F[f, c, r, s])\noutput Y\n",
      "input A: f32[19, 30]\ninput B: f32[30, 75]\ninput b: f32[75]\nC[i, j]: f32[19, 75] = tanh(sum(chain k < 30, A[i, k] * B[k, j]) "
      "+ b[j])\noutput C\n",
      "input A: f64[17, 50]\ninput B: f64[30, 50]\nC[i, j]: f64[17, 30] = sum(chain k < 50, A[i, k] * B[j, k])\noutput C\n",
      "input A: bf16[17, 50]\ninput B: bf16[30, 50]\nC[i, j]: f32[17, 30] = sum(chain k < 50, A[i, k] * B[j, k])\noutput C\n"};
  for (const char* text : programs) {
    INFO(text);
    const ir::Program p = ir::parse(text);
    const std::vector<char> expected = run(p, nullptr, 1);
    for (const int bits : {128, 256, 512})
      for (const bool tiny : {false, true}) {
        const nest::Trace trace = made::written(p, machine(bits, tiny));
        INFO(nest::print(trace));
        CHECK(run(p, &trace, tiny ? 3 : 1) == expected);
      }
  }
}
