// Recurrences: what the interpreter gives is what kernels give, by every way, under schedules and by default.
#include "contract/ways.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/lang/lang.hpp"

using namespace ways;

namespace {
// "Y: split i 4; G: vectorize j", by stage.
nest::Trace by_stage(const std::string& text) {
  nest::Trace trace;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line, ';');) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(' ');
    for (const nest::Directive& d : schedule(line.substr(colon + 1), line.substr(begin, colon - begin))) trace.push_back(d);
  }
  return trace;
}
std::vector<Data> filled(const ir::Program& p, const std::vector<i64>& sizes, double high) {
  std::vector<Data> all;
  u64 state = 1;
  for (const std::vector<int>* list : {&p.inputs, &p.outputs})
    for (const int n : *list) {
      const ir::TensorInfo& t = p.tensors[static_cast<std::size_t>(n)];
      std::vector<i64> shape;
      for (const ir::Ref e : t.shape) shape.push_back(ir::evaluate(e, sizes.data()));
      all.push_back(made::empty(t.type, shape));
      std::vector<double> values(static_cast<std::size_t>(t.input ? all.back().elements() : 0));
      for (double& v : values) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v = (static_cast<double>(state >> 40) / 16777216.0 * 2 - 1) * high;
      }
      if (t.input && !values.empty()) all.back() = made::numbers(t.type, shape, values);
    }
  return all;
}
Bits outputs(const ir::Program& p, const std::vector<Data>& data) {
  Bits all;
  for (std::size_t k = p.inputs.size(); k < data.size(); ++k)
    for (const u64 b : made::bits(data[k])) all.push_back(b);
  return all;
}
// `sizes` in the order of the program's Dims; "default": the schedule of a compile that is given none.
void same_everywhere(const ir::Program& p, const std::vector<std::vector<i64>>& sizes, const std::vector<std::string>& schedules,
                     double high = 1) {
  INFO(ir::print(p));
  for (const Way& way : compiled())
    for (const std::string& text : schedules) {
      if (text != schedules.front() && way.name != "walk" && way.name != "host") continue;
      INFO(way.name << ": " << text);
      const nest::Trace trace = by_stage(text);
      runtime::Request request{text == "default" ? nullptr : &trace, way.target, {}, {}};
      request.options.cache = "";
      request.options.executor = cpu::threads(3);
      runtime::KernelBody* body = runtime::build(ir::copy(p), request, {});
      for (const std::vector<i64>& s : sizes) {
        std::vector<Data> data = filled(p, s, high);
        std::vector<Argument> arguments;
        for (Data& d : data) arguments.push_back(d.argument());
        const int count = static_cast<int>(arguments.size());
        interpret(p, arguments.data(), count);
        const Bits expected = outputs(p, data);
        for (std::size_t k = p.inputs.size(); k < data.size(); ++k) data[k] = made::empty(data[k].type, data[k].shape);
        arguments.clear();
        for (Data& d : data) arguments.push_back(d.argument());
        runtime::call(body, arguments.data(), count, Where{});
        CHECK(outputs(p, data) == expected);
      }
      runtime::release(body);
    }
}
ir::Program program(std::vector<AnyTensor> of) {
  std::vector<ir::Ref> raw;
  for (const AnyTensor& t : of) raw.push_back(t.node);
  return ir::snapshot(nullptr, 0, raw.data(), static_cast<int>(raw.size()), {}, true);
}
ir::Program parsed(const std::string& text) { return ir::parse(text.c_str()); }
}  // namespace

TEST_CASE("recurrence: cumulative sums of rows, one element after the other or many rows at a time") {
  same_everywhere(
      parsed("input X: f32[M, N]\nY[i, scan t]: f32[M, N] = scan(t, 0.0, Y[i, t - 1] + X[i, t])\noutput Y\n"),
      {{13, 21}, {1, 1}, {8, 0}, {0, 3}, {16, 2}},
      {"default", "", "Y: reorder t i", "Y: parallel i", "Y: split i 8; Y: reorder i.0 t i.1; Y: vectorize i.1; Y: parallel i.0",
       "Y: split i 4; Y: reorder i.0 t i.1; Y: unroll i.1", "Y: split t 5; Y: unroll t.1", "Y: split t 4; Y: reorder t.0 i t.1",
       "Y: split t 3; Y: reorder t.0 t.1 i; Y: split i 8; Y: vectorize i.1; Y: unroll t.1"});
}
TEST_CASE("recurrence: cumulative sums of columns are vectors of them") {
  same_everywhere(
      parsed("input X: f32[N, M]\nY[scan t, j]: f32[N, M] = scan(t, 0.0, Y[t - 1, j] + X[t, j])\noutput Y\n"), {{21, 37}, {1, 16}, {3, 1}},
      {"default", "", "Y: split j 16; Y: vectorize j.1", "Y: split j 8; Y: reorder j.0 t j.1; Y: vectorize j.1; Y: parallel j.0"});
}
TEST_CASE("recurrence: exponential smoothing from a start of each row, two steps back") {
  same_everywhere(parsed("input X: f32[M, N]\ninput S: f32[M]\n"
                         "Y[i, scan t]: f32[M, N] = scan(t, S[i], fma(X[i, t] - Y[i, t - 1], 0.1, Y[i, t - 2]))\noutput Y\n"),
                  {{9, 17}, {9, 1}, {2, 2}},
                  {"default", "", "Y: split i 4; Y: reorder i.0 t i.1; Y: vectorize i.1", "Y: split t 2; Y: unroll t.1"});
}
TEST_CASE("recurrence: a step that sums over the one before") {
  const char* const axes[] = {"chain k < M", "lanes<4> k < M", "blocks<3> k < M"};
  const char* const inside[] = {"Y: split i 4; Y: reorder i.0 k i.1; Y: vectorize i.1", "Y: vectorize k.lane", "Y: parallel k.block"};
  for (int n = 0; n < 3; ++n)
    same_everywhere(parsed("input W: f32[M, M]\ninput S: f32[M]\ninput X: f32[N]\nY[i, scan t]: f32[M, N] = scan(t, S[i], sum(" +
                           std::string(axes[n]) + ", W[i, k] * Y[k, t - 1]) * 0.5 + X[t])\noutput Y\n"),
                    {{11, 6}, {1, 2}}, {"default", "", "Y: parallel i", "Y: split i 4; Y: unroll i.1", inside[n]});
}
TEST_CASE("recurrence: the state is what its tensor holds; a sum in f32 is narrowed once") {
  const std::vector<Data> x{made::numbers(Type::f16, {3}, {2048, 1, 1}), made::empty(Type::f16, {3})};
  const std::string wide = "input X: f16[N]\nS[scan t]: f32[N] = scan(t, 0.0, S[t - 1] + X[t])\nY[t]: f16[N] = S[t]\noutput Y\n";
  const std::string narrow = "input X: f16[N]\nY[scan t]: f16[N] = scan(t, 0.0, Y[t - 1] + X[t])\noutput Y\n";
  for (const Way& way : compiled()) {
    std::vector<Data> data = x;
    CHECK(Compiled(wide, "", way.target)(data) == Bits{0x6800, 0x6800, 0x6801});
    CHECK(Compiled(narrow, "", way.target)(data) == Bits{0x6800, 0x6800, 0x6800});
    CHECK(interpreted(narrow, data) == Bits{0x6800, 0x6800, 0x6800});
  }
}
TEST_CASE("recurrence: a cumulative sum of large and small is the chain") {
  const std::string text = "input X: f32[N]\nY[scan t]: f32[N] = scan(t, 0.0, Y[t - 1] + X[t])\noutput Y\n";
  for (const Way& way : compiled()) {
    std::vector<Data> data{made::numbers(Type::f32, {4}, {16777216, 1, 1, 1}), made::empty(Type::f32, {4})};
    CHECK(Compiled(text, "", way.target)(data)[3] == 0x4b800000);
  }
}
TEST_CASE("recurrence: an LSTM over time, batch and all") {
  Dim N{"N"}, B{"B"}, D{"D"}, H{"H"};
  Tensor<float, 3> x{"x", {N, B, D}}, W{"W", {4, H, D}}, U{"U", {4, H, H}}, h{"h"}, c{"c"};
  Tensor<float, 2> bias{"bias", {4, H}}, h0{"h0", {B, H}}, c0{"c0", {B, H}};
  Tensor<float, 4> G{"G"};
  Scan t{"t", N};
  Index b{"b"}, j{"j"}, g{"g", 4};
  Chain k{"k"}, m{"m"};
  const auto gate = [&](int which) { return Expr<float>(G(t, b, which, j)); };
  G(t, b, g, j) = sum(k, x(t, b, k) * W(g, j, k)) + sum(m, h(t - 1, b, m) * U(g, j, m)) + bias(g, j);
  c(t, b, j) = scan(t, c0(b, j), sigmoid(gate(2)) * c(t - 1, b, j) + sigmoid(gate(0)) * tanh(gate(3)));
  h(t, b, j) = scan(t, h0(b, j), sigmoid(gate(1)) * tanh(Expr<float>(c(t, b, j))));
  same_everywhere(program({h, c}), {{4, 3, 5, 7}, {1, 1, 1, 1}, {0, 2, 2, 2}, {2, 1, 3, 16}},
                  {"default", "", "c: split j 8; c: vectorize j.1; h: split j 4; h: vectorize j.1; G: parallel b; h: parallel b",
                   "G.sum2: split j 4; G.sum2: reorder j.0 m j.1; G.sum2: vectorize j.1; G.sum2: parallel b"});
}
TEST_CASE("recurrence: flash attention, blocks of keys") {
  const i64 size = 4;
  Dim N{"N"}, E{"E"}, F{"F"};
  Tensor<float, 2> Q{"Q", {N, E}}, K{"K", {N, E}}, V{"V", {N, F}}, S{"S"}, O{"O"}, m{"m"}, L{"L"};
  Tensor<float, 3> P{"P"}, A{"A"};
  Index q{"q"}, s{"s"}, d{"d"}, p{"p", size};
  Chain e{"e"}, kk{"kk", size};
  AnyOrder u{"u", size};
  Scan kb{"kb", (N + (size - 1)) / size};
  const auto key = [&](auto at) { return kb * size + at; };
  const auto seen = [&](auto at) { return key(at) < N && key(at) <= q; };
  S(q, s) = sum(e, Q(q, e) * K(s, e));
  m(q, kb) = scan(kb, -inf<float>(), maximum(m(q, kb - 1), max(u, S(q, key(u)), seen(u))));
  P(q, kb, p) = select(seen(p), exp(S(q, key(p)) - m(q, kb)), 0);
  const auto keep = exp(m(q, kb - 1) - m(q, kb));
  L(q, kb) = scan(kb, 0, fma(L(q, kb - 1), keep, sum(kk, P(q, kb, kk))));
  A(q, d, kb) = scan(kb, 0, fma(A(q, d, kb - 1), keep, sum(kk, P(q, kb, kk) * V(key(kk), d), key(kk) < N)));
  O(q, d) = A(q, d, kb.extent() - 1) / L(q, kb.extent() - 1);
  same_everywhere(program({O}), {{11, 3, 5}, {4, 2, 8}, {1, 1, 1}},
                  {"default", "", "A: split d 4; A: reorder q d.0 kb kk d.1; A: vectorize d.1; A: parallel q; m: parallel q",
                   "m: vectorize u; L: reorder kb q; L: split q 4; L: reorder kb q.0 kk q.1; L: vectorize q.1"});
}
TEST_CASE("recurrence: top-k by insertion") {
  Tensor<float, 1> X{"X"}, V{"V"};
  Tensor<float, 2> B{"B"};
  Index r{"r", 5};
  Scan t{"t", X.extent(0)};
  const auto up = select(r > 0, B(t - 1, r - 1), inf<float>());
  const Expr<float> x = X(t), old = B(t - 1, r);
  B(t, r) = scan(t, -inf<float>(), select(x > up, up, select(x > old, x, old)));
  V(r) = B(X.extent(0) - 1, r);
  same_everywhere(program({V}), {{33}, {1}, {4}},
                  {"default", "", "B: vectorize r", "B: unroll r", "B: split t 4; B: unroll t.1; B: vectorize r"});
}
TEST_CASE("recurrence: run backwards, it is noticed") {
  const std::string text = "input X: f32[N]\nY[scan t]: f32[N] = scan(t, 0.0, Y[t - 1] + X[t])\noutput Y\n";
  std::vector<Data> data{made::numbers(Type::f32, {4}, {1, 2, 3, 4}), made::empty(Type::f32, {4})};
  kernel::Planted planted;
  planted.reverse_time = true;
  const Bits backwards = Compiled(text, "", walk_target::target(), planted)(data);
  CHECK(backwards != interpreted(text, data));
}
