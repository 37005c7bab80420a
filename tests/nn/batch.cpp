// A row's bits depend on nothing but the row: not on its neighbours, its number, its place in memory or its strides.
#include <cmath>
#include "lang/everywhere.hpp"
#include "ordo/nn.hpp"

namespace {
using namespace ordo;
constexpr int width = 13, most = 17;

// Y(i, j) of X(i, ...): rows of X give rows of Y.
struct Rows {
  std::string name;
  Program program;
};
template <class A, class F> void add(std::vector<Rows>& all, const char* name, F value) {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  A l{"l"};
  Y(i, j) = value([&](auto k) { return X(i, k); }, l, j);
  all.push_back({name, Program(inputs(X), outputs(Y))});
}
std::vector<Rows> definitions() {
  std::vector<Rows> all;
  const auto softmax = [](auto x, auto l, Index j) { return nn::softmax(l, Expr<float>(x(l))).at(j); };
  const auto layer = [](auto x, auto l, Index j) { return nn::layer_norm(l, Expr<float>(x(l)), 1e-5).at(j); };
  const auto rms = [](auto x, auto l, Index j) { return nn::rms_norm(l, Expr<float>(x(l)), 1e-6).at(j); };
  const auto shift = [](auto x, auto l, Index j) { return x(j) - sum(l, x(l)); };
  add<Lanes<16>>(all, "softmax, lanes", softmax);
  add<Chain>(all, "softmax, chain", softmax);
  add<Lanes<8>>(all, "layer norm", layer);
  add<Blocks<4>>(all, "RMS norm, blocks", rms);
  add<Blocks<8, Lanes<4>>>(all, "sum, blocks of lanes", shift);
  return all;
}
// X by W, both of them dense or not.
Rows product() {
  Tensor<float, 2> X{"X"}, W{"W"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Y(i, j) = sum(k, X(i, k) * W(k, j));
  return {"matmul", Program(inputs(X, W), outputs(Y))};
}
// Causal, over rows that are queries, keys and values at once: a batch of sequences of four rows.
Rows attention() {
  Tensor<float, 3> X{"X"}, Y{"Y"};
  Index b{"b"}, q{"q"}, d{"d"};
  Chain k{"k"}, e{"e"};
  Y(b, q, d) = nn::attention(k, sum(e, X(b, q, e) * X(b, k, e)) * 0.01, Expr<float>(X(b, k, d)), k <= q);
  return {"attention", Program(inputs(X), outputs(Y))};
}

Rows flash_attention() {
  Tensor<float, 3> X{"X"}, Y{"Y"};
  Index b{"b"}, q{"q"}, d{"d"};
  Chain k{"k"}, e{"e"};
  Y(b, q, d) = nn::flash_attention_to<nn::Exact, 3>(q, k, sum(e, X(b, q, e) * X(b, k, e)) * 0.01, Expr<float>(X(b, k, d))).value;
  return {"flash attention", Program(inputs(X), outputs(Y))};
}

struct Caller {
  std::string name;
  std::vector<AnyKernel> kernel;       // one a program
};
std::vector<Caller> callers(const std::vector<Rows>& programs) {
  std::vector<Caller> all;
  CompileOptions options;
  options.cache = "";
  everywhere::Way plain{"interpreter", interpreter()};
  std::vector<everywhere::Way> ways{plain};
  ways.insert(ways.end(), everywhere::ways().begin(), everywhere::ways().end());
  for (const everywhere::Way& way : ways) {
    Caller c{way.name, {}};
    for (const Rows& r : programs) c.kernel.push_back(compile(r.program, way.target, options));
    all.push_back(c);
  }
  return all;
}
using V = View<float, 2>;
V at(float* data, i64 rows, i64 columns, i64 row, i64 column) { return V(data, {rows, columns}, {row, column}); }

TEST_CASE("batch: row i of n equals the row alone, n = 1 to 17") {
  std::vector<Rows> programs = definitions();
  programs.push_back(product());
  Array<float, 2> x(most, width), w(width, width);
  x.fill(7), w.fill(8);
  for (const Caller& c : callers(programs))
    for (std::size_t p = 0; p < programs.size(); ++p) {
      INFO(c.name << ": " << programs[p].name);
      const auto call = [&](float* from, float* to, i64 rows) {
        const V x_rows = at(from, rows, width, width, 1), y_rows = at(to, rows, width, width, 1);
        if (p + 1 == programs.size()) c.kernel[p]({x_rows, at(w.data.data(), width, width, width, 1), y_rows});
        else c.kernel[p]({x_rows, y_rows});
      };
      std::vector<float> alone(most * width), together(most * width);
      for (int r = 0; r < most; ++r) call(x.data.data() + r * width, alone.data() + r * width, 1);
      for (int n = 1; n <= most; ++n) {
        call(x.data.data(), together.data(), n);
        CHECK(std::memcmp(alone.data(), together.data(), static_cast<std::size_t>(n) * width * 4) == 0);
      }
    }
}

TEST_CASE("batch: attention of one sequence among n equals it alone") {
  const std::vector<Rows> programs{attention(), flash_attention()};
  Array<float, 2> x(most, 4 * 5);
  x.fill(3);
  for (const Caller& c : callers(programs))
    for (std::size_t p = 0; p < programs.size(); ++p) {
      INFO(c.name << ": " << programs[p].name);
      std::vector<float> alone(most * 20), together(most * 20);
      const auto call = [&](float* from, float* to, i64 n) {
        c.kernel[p]({View<float, 3>(from, {n, 4, 5}), View<float, 3>(to, {n, 4, 5})});
      };
      for (int r = 0; r < most; ++r) call(x.data.data() + r * 20, alone.data() + r * 20, 1);
      for (int n = 1; n <= most; ++n) {
        call(x.data.data(), together.data(), n);
        CHECK(std::memcmp(alone.data(), together.data(), static_cast<std::size_t>(n) * 80) == 0);
      }
    }
}

TEST_CASE("batch: constant rows of length 1 to 67 give equal elements") {
  const std::vector<Rows> programs = definitions();
  for (const Caller& c : callers(programs))
    for (std::size_t p = 0; p < programs.size(); ++p)
      for (int n = 1; n <= 67; ++n) {
        std::vector<float> x(static_cast<std::size_t>(n) * 3, 0.3f), y(x.size());
        c.kernel[p]({at(x.data(), 3, n, n, 1), at(y.data(), 3, n, n, 1)});
        bool equal = true;
        for (float e : y) equal = equal && std::memcmp(&e, y.data(), 4) == 0;
        CHECK_MESSAGE(equal, c.name << ": " << programs[p].name << " of " << n);
      }
}

TEST_CASE("batch: slices, strides, transposes and offsets by one element are the same rows") {
  std::vector<Rows> programs = definitions();
  programs.push_back(product());
  Array<float, 2> x(most, width), w(width, width);
  x.fill(5), w.fill(6);
  struct Layout {
    const char* name;
    i64 offset, row, column;
  };
  const Layout layouts[] = {{"dense", 0, width, 1}, {"offset", 1, width, 1}, {"slice", 3, width + 6, 1}, {"strided", 0, 2 * width, 2},
                            {"transposed", 0, 1, most}, {"transposed with a gap", 1, 1, most + 2},
                            {"reversed", most * width - 1, -width, -1}};
  for (const Caller& c : callers(programs))
    for (std::size_t p = 0; p < programs.size(); ++p) {
      std::vector<float> expected(most * width), out(most * width);
      for (const Layout& l : layouts)
        for (const bool output : {false, true}) {
          std::vector<float> space(4 * most * width, NAN), to(4 * most * width, NAN);
          for (int r = 0; r < most; ++r)
            for (int q = 0; q < width; ++q) space[static_cast<std::size_t>(l.offset + r * l.row + q * l.column)] = x(r, q);
          const V from = at(space.data() + l.offset, most, width, l.row, l.column);
          const V into = output ? at(to.data() + l.offset, most, width, l.row, l.column) : at(out.data(), most, width, width, 1);
          if (p + 1 == programs.size()) c.kernel[p]({from, at(w.data.data(), width, width, width, 1), into});
          else c.kernel[p]({from, into});
          for (int r = 0; output && r < most; ++r)
            for (int q = 0; q < width; ++q)
              out[static_cast<std::size_t>(r * width + q)] = to[static_cast<std::size_t>(l.offset + r * l.row + q * l.column)];
          if (&l == layouts && !output) expected = out;
          const bool same = std::memcmp(out.data(), expected.data(), out.size() * 4) == 0;
          CHECK_MESSAGE(same, c.name << ": " << programs[p].name << ", " << l.name);
        }
    }
}
}  // namespace
