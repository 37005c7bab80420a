// Digests of outputs, committed for this version of the contract: digests.txt. Every program draws its own inputs by Philox and has
// no other, so that a digest depends on the program alone. ORDO_UPDATE_GOLDENS=1 writes the file; a change of it is a change of the
// contract's version. That the suite notices small changes of lowering is shown by planting some.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include "lang/everywhere.hpp"
#include "ordo/nn.hpp"
#include "ordo/runtime/body.hpp"
#include "runtime/walk_target.hpp"

namespace {
using namespace ordo;
const std::string path = std::string(ORDO_TEST_SOURCES) + "/nn/digests.txt";

// FNV-1a over the bytes of the elements, little-endian.
std::string digest(const void* data, std::size_t bytes) {
  u64 h = 0xcbf29ce484222325;
  for (std::size_t k = 0; k < bytes; ++k) h = (h ^ static_cast<const u8*>(data)[k]) * 0x100000001b3;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}
using Run = std::function<void(const Program&, Argument)>;
struct Digests {
  std::map<std::string, std::string> known, made;
  Run run, run_function;         // programs of functions alone, which tests/functions runs on all targets
  bool told = true;
  Digests(Run r, Run f) : run(std::move(r)), run_function(std::move(f)) {
    std::ifstream file(path);
    for (std::string name, value; file >> name >> value;) known[name] = value;
  }
};

// Matrices of normal numbers, 5 x 37, and vectors of 37.
Tensor<float, 2> matrix(u64 stream, i64 rows = 5, i64 columns = 37) {
  Tensor<float, 2> X{"X", {rows, columns}};
  Index i{"i"}, j{"j"};
  X(i, j) = normal<float>({1, stream}, i * columns + j);
  return X;
}
Tensor<float, 1> vector(u64 stream, i64 n = 37) {
  Tensor<float, 1> X{"x", {n}};
  Index i{"i"};
  X(i) = normal<float>({2, stream}, i);
  return X;
}
template <class T, class... N> void check(Digests& d, const Run& run, const std::string& name, const Program& program, N... extent) {
  Array<T, sizeof...(N)> y(extent...);
  INFO(name);
  run(program, y);
  d.made[name] = digest(y.data.data(), y.data.size() * sizeof(T));
  if (d.told) CHECK(d.known[name] == d.made[name]);
}
template <class T, class... N> void check(Digests& d, const char* name, const Program& program, N... extent) {
  check<T>(d, d.run, name, program, extent...);
}
// Y(i, j) = f(X, i, j) over 5 x 37.
template <class T = float, class F> void rows(Digests& d, const char* name, F value) {
  const Tensor<float, 2> X = matrix(0);
  Tensor<T, 2> Y{"Y", {5, 37}};
  Index i{"i"}, j{"j"};
  Y(i, j) = value(X, i, j);
  check<T>(d, name, Program(inputs(), outputs(Y)), 5, 37);
}
// y(i) = f(X, i) over 5 rows.
template <class T = float, class F> void each_row(Digests& d, const char* name, F value) {
  const Tensor<float, 2> X = matrix(0);
  Tensor<T, 1> Y{"y", {5}};
  Index i{"i"};
  Y(i) = value(X, i);
  check<T>(d, name, Program(inputs(), outputs(Y)), 5);
}
using X = Tensor<float, 2>;

template <class A> void of_order(Digests& d, const std::string& order) {
  A l{"l"};
  each_row(d, ("sum." + order).c_str(), [&](X x, Index i) { return sum(l, x(i, l)); });
  each_row(d, ("sum_of_products." + order).c_str(), [&](X x, Index i) { return sum(l, x(i, l) * x(i, l)); });
  each_row(d, ("product." + order).c_str(), [&](X x, Index i) { return product(l, x(i, l)); });
  rows(d, ("softmax." + order).c_str(), [&](X x, Index i, Index j) { return nn::softmax(l, x(i, l)).at(j); });
  rows(d, ("log_softmax." + order).c_str(), [&](X x, Index i, Index j) { return nn::log_softmax(l, x(i, l)).at(j); });
  rows(d, ("layer_norm." + order).c_str(), [&](X x, Index i, Index j) { return nn::layer_norm(l, x(i, l), 1e-5).at(j); });
  rows(d, ("rms_norm." + order).c_str(), [&](X x, Index i, Index j) { return nn::rms_norm(l, x(i, l), 1e-6).at(j); });
}
void of_elements(Digests& d) {
  rows(d, "uniform", [](X, Index i, Index j) { return uniform<float>({42, 7}, i * 37 + j); });
  rows<double>(d, "uniform64", [](X, Index i, Index j) { return uniform<double>({42, 7}, i * 37 + j); });
  rows<u32>(d, "below", [](X, Index i, Index j) { return below({42, 7}, i * 37 + j, Expr<u32>(1000)); });
  rows<u64>(d, "below64", [](X, Index i, Index j) { return below({42, 7}, i * 37 + j, Expr<u64>(u64{1} << 40)); });
  rows(d, "normal", [](X x, Index i, Index j) { return Expr<float>(x(i, j)); });
  rows<i32>(d, "bernoulli", [](X, Index i, Index j) { return cast<i32>(bernoulli({42, 7}, i * 37 + j, 0.3)); });
  rows(d, "dropout", [](X x, Index i, Index j) { return nn::dropout(x(i, j), 0.4, {42, 7}, i * 37 + j); });
  rows<f16>(d, "gelu.f16", [](X x, Index i, Index j) { return gelu(x(i, j)); });
  rows<bf16>(d, "silu.bf16", [](X x, Index i, Index j) { return silu(x(i, j)); });
  rows(d, "gelu_tanh", [](X x, Index i, Index j) { return gelu_tanh(x(i, j)); });
  rows(d, "softplus", [](X x, Index i, Index j) { return softplus(x(i, j)); });
  rows(d, "sigmoid", [](X x, Index i, Index j) { return sigmoid(x(i, j)); });
  rows<i8>(d, "quantized", [](X x, Index i, Index j) { return cast<i32>(clip(round(x(i, j) * 16), -128, 127)); });
  const Tensor<float, 1> a = vector(0), b = vector(1), c = vector(2), v = vector(3);
  rows(d, "batch_norm", [&](X x, Index i, Index j) { return nn::batch_norm(x(i, j), a(j), abs(v(j)), b(j), c(j), 1e-5); });
  rows(d, "huber", [&](X x, Index i, Index j) { return nn::huber(x(i, j), a(j), 1); });
  rows(d, "binary_cross_entropy", [&](X x, Index i, Index j) { return nn::binary_cross_entropy(sigmoid(x(i, j)), sigmoid(a(j))); });
  rows(d, "binary_cross_entropy_with_logits",
       [&](X x, Index i, Index j) { return nn::binary_cross_entropy_with_logits(x(i, j), sigmoid(a(j))); });
}
void of_rows(Digests& d) {
  Lanes<16> l{"l"};
  Chain k{"k"};
  Blocks<8> b{"b"};
  AnyOrder a{"a"};
  each_row(d, "logsumexp", [&](X x, Index i) { return nn::logsumexp(l, x(i, l)); });
  each_row(d, "cross_entropy", [&](X x, Index i) { return nn::cross_entropy(l, x(i, l), i * 7); });
  each_row(d, "max", [&](X x, Index i) { return max(a, x(i, a)); });
  each_row<i64>(d, "argmax", [&](X x, Index i) { return argmax(a, x(i, a)).index; });
  each_row<i64>(d, "argmin", [&](X x, Index i) { return argmin(l, x(i, l)).index; });
  each_row<double>(d, "sum.f64", [&](X x, Index i) { return sum<double>(k, x(i, k) * x(i, k)); });
  each_row(d, "sum.cut", [&](X x, Index i) {
    Chain c{"c", 37};
    const auto [outer, inner] = cut(c, 8);
    return sum({inner, outer}, x(i, c));
  });
  rows(d, "softmax.approx", [&](X x, Index i, Index j) { return nn::softmax<nn::Approx>(l, x(i, l)).at(j); });
  rows(d, "cumsum.chain", [&](X x, Index i, Index j) { return cumsum(k, x(i, k)).at(j); });
  rows(d, "cumsum.blocks", [&](X x, Index i, Index j) { return cumsum(b, x(i, b)).at(j); });
  rows(d, "sort", [&](X x, Index i, Index j) { return sort(a, x(i, a)).at(j).value; });
  rows<i64>(d, "top_k", [&](X x, Index i, Index j) { return top_k(a, x(i, a)).at(j).index; });
}
void of_matrices(Digests& d) {
  const X q = matrix(1, 9, 8), keys = matrix(2, 21, 8), v = matrix(3, 21, 6);
  Tensor<float, 2> Y[8] = {Tensor<float, 2>{"Y"}, Tensor<float, 2>{"Y"}, Tensor<float, 2>{"Y"}, Tensor<float, 2>{"Y"},
                           Tensor<float, 2>{"Y"}, Tensor<float, 2>{"Y"}, Tensor<float, 2>{"Y"}, Tensor<float, 2>{"Y"}};
  Index i{"i"}, j{"j"};
  Chain k{"k"}, e{"e"};
  Blocks<4> b{"b"};
  const auto score = [&](auto at) { return sum(e, q(i, e) * keys(at, e)) * 0.25; };
  Y[0](i, j) = nn::attention(k, score(k), v(k, j));
  Y[1](i, j) = nn::attention(k, score(k), v(k, j), k <= i);
  Y[2](i, j) = nn::online_attention(k, score(k), v(k, j), k <= i);
  Y[3](i, j) = nn::online_attention(b, score(b), v(b, j));
  const char* names[] = {"attention", "attention.causal", "online_attention.chain", "online_attention.blocks"};
  for (int n = 0; n < 4; ++n) check<float>(d, names[n], Program(inputs(), outputs(Y[n])), 9, 6);
  Y[6](i, j) = nn::flash_attention<nn::Exact, 4>(k, score(k), v(k, j)).value;
  Y[7](i, j) = nn::flash_attention_to<nn::Exact, 4>(i, k, score(k), v(k, j)).value;
  check<float>(d, "flash_attention", Program(inputs(), outputs(Y[6])), 9, 6);
  check<float>(d, "flash_attention.causal", Program(inputs(), outputs(Y[7])), 9, 6);
  const Tensor<float, 1> bias = vector(4, 21);
  Y[4](i, j) = nn::linear(e, q(i, e), keys(j, e), bias(j));
  check<float>(d, "linear", Program(inputs(), outputs(Y[4])), 9, 21);
  const X image = matrix(4, 11, 12), filter = matrix(5, 3, 3);
  const nn::Window w{.size = 3, .stride = 2, .pad = 1};
  Index y{"y", w.extent(11)}, x{"x", w.extent(12)};
  Chain r{"r", 3}, s{"s", 3};
  const auto tap = [&] { return image(w.at(y, r), w.at(x, s)); };
  Tensor<float, 2> C{"C"}, M{"M"}, A{"A"};
  C(y, x) = nn::conv({r, s}, tap(), filter(r, s));
  M(y, x) = nn::max_pool({r, s}, tap());
  A(y, x) = nn::avg_pool({r, s}, tap());
  check<float>(d, "conv", Program(inputs(), outputs(C)), 6, 6);
  check<float>(d, "max_pool", Program(inputs(), outputs(M)), 6, 6);
  check<float>(d, "avg_pool", Program(inputs(), outputs(A)), 6, 6);
}

constexpr i64 arguments = 2048;
// y(i) = f(x), x in [low, high).
template <class T, class F> Program of_function(F f, double low, double high) {
  Tensor<T, 1> Y{"y", {arguments}};
  Index i{"i"};
  Y(i) = f(Expr<T>(low) + Expr<T>(high - low) * uniform<T>({3, 0}, i));
  return Program(inputs(), outputs(Y));
}
using Each = std::function<void(const std::string&, const Program&)>;
template <class T> void of_functions(const Each& each, const char* type) {
#define ORDO_X(f, low, high) each(std::string(#f) + type, of_function<T>([](Expr<T> x) { return f(x); }, low, high));
  ORDO_X(exp, -20, 20) ORDO_X(exp2, -20, 20) ORDO_X(exp10, -9, 9) ORDO_X(expm1, -2, 2) ORDO_X(log, 0, 9) ORDO_X(log2, 0, 9)
  ORDO_X(log10, 0, 9) ORDO_X(log1p, -1, 9) ORDO_X(sin, -9, 9) ORDO_X(cos, -9, 9) ORDO_X(tan, -9, 9) ORDO_X(sinpi, -9, 9)
  ORDO_X(cospi, -9, 9) ORDO_X(asin, -1, 1) ORDO_X(acos, -1, 1) ORDO_X(atan, -9, 9) ORDO_X(sinh, -2, 2) ORDO_X(cosh, -2, 2)
  ORDO_X(tanh, -2, 2) ORDO_X(asinh, -9, 9) ORDO_X(acosh, 1, 9) ORDO_X(atanh, -1, 1) ORDO_X(erf, -3, 3) ORDO_X(erfc, -3, 9)
  ORDO_X(cbrt, -9, 9)
#undef ORDO_X
  each(std::string("pow") + type, of_function<T>([](Expr<T> x) { return pow(x, x); }, 0, 9));
  each(std::string("atan2") + type, of_function<T>([](Expr<T> x) { return atan2(x, 2 - x); }, -9, 9));
  each(std::string("hypot") + type, of_function<T>([](Expr<T> x) { return hypot(x, 2 - x); }, -9, 9));
}
void of_approximations(const Each& each) {
#define ORDO_X(f, low, high) each("approx." #f, of_function<float>([](Expr<float> x) { return approx::f(x); }, low, high));
  ORDO_X(exp, -20, 20) ORDO_X(log, 0, 9) ORDO_X(tanh, -2, 2) ORDO_X(sigmoid, -9, 9) ORDO_X(erf, -3, 3) ORDO_X(gelu, -5, 5)
  ORDO_X(sin, -9, 9) ORDO_X(cos, -9, 9)
#undef ORDO_X
}

void of_programs(Digests& d) {
  of_order<Chain>(d, "chain");
  of_order<Lanes<16>>(d, "lanes16");
  of_order<Blocks<8>>(d, "blocks8");
  of_order<Blocks<16, Lanes<4>>>(d, "blocks16x4");
  of_elements(d);
  of_rows(d);
  of_matrices(d);
}
void of_all(Digests& d) {
  of_programs(d);
  const Each each = [&](const std::string& name, const Program& p) {
    if (name.find(".f64") != std::string::npos) check<double>(d, d.run_function, name, p, arguments);
    else check<float>(d, d.run_function, name, p, arguments);
  };
  of_functions<float>(each, ".f32");
  of_functions<double>(each, ".f64");
  of_approximations(each);
}

// By walking kernels that were lowered as `planted` says.
Run walked(const kernel::Planted& planted) {
  return [planted](const Program& program, Argument y) {
    runtime::Request request{nullptr, walk_target::target(), {}, planted};
    request.options.cache = "";
    request.options.executor = serial();
    runtime::KernelBody* const body = runtime::build(ir::copy(program.snapshot()), request, {});
    runtime::call(body, &y, 1, Where{});
    runtime::release(body);
    runtime::drop_unused_code();         // the numbers of walked kernels are used again
  };
}
void interpreted(const Program& program, Argument y) { interpret(program.snapshot(), &y, 1); }

TEST_CASE("digests: committed outputs of this version of the contract") {
  Digests d([](const Program& program, Argument y) { everywhere::run(program, 1, y); }, interpreted);
  of_all(d);
  if (std::getenv("ORDO_UPDATE_GOLDENS") != nullptr) {
    std::ofstream file(path);
    for (const auto& [name, value] : d.made) file << name << ' ' << value << '\n';
  }
  CHECK(d.made.size() == d.known.size());
  CHECK(d.made.size() >= 60);
}

// Names of programs whose digest is another one.
std::vector<std::string> noticed(const kernel::Planted& planted) {
  Digests d(walked(planted), walked(planted));
  d.told = false;
  of_all(d);
  std::vector<std::string> names;
  for (const auto& [name, value] : d.made)
    if (d.known[name] != value) names.push_back(name);
  return names;
}
bool among(const std::vector<std::string>& names, const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); }

TEST_CASE("digests: lowered without a fault, every program has the committed one") {
  const std::vector<std::string> names = noticed({});
  for (const std::string& name : names) MESSAGE(name);
  CHECK(names.empty());
}
TEST_CASE("digests: half the lanes of a sum are noticed") {
  kernel::Planted planted;
  planted.half_lanes = true;
  const std::vector<std::string> names = noticed(planted);
  for (const char* name :
       {"sum.lanes16", "sum_of_products.lanes16", "product.lanes16", "softmax.lanes16", "sum.blocks16x4", "layer_norm.lanes16"})
    CHECK_MESSAGE(among(names, name), std::string(name));
  CHECK(!among(names, "sum.chain"));
}
TEST_CASE("digests: one fma that rounds twice is noticed") {
  kernel::Planted planted;
  planted.split_fma = 1;
  const std::vector<std::string> names = noticed(planted);
  for (const char* name : {"sum_of_products.chain", "sum_of_products.blocks8", "attention", "linear", "conv"})
    CHECK_MESSAGE(among(names, name), std::string(name));
  CHECK(!among(names, "sum.chain"));
}
// In f32 any recipe with the right result will do; those of f64 and approx are part of the contract to the last bit.
TEST_CASE("digests: the last place of one coefficient of a function is noticed") {
  constexpr u32 most = 24;
  std::map<std::string, std::string> known = Digests({}, {}).known;
  const auto tried = [&]<class T>(T, const std::string& name, const Program& p) {
    bool seen = name == "hypot.f64" || name == "cbrt.f64";         // without coefficients; with a step that corrects what they give
    for (u32 n = 1; n <= most && !seen; ++n) {
      kernel::Planted planted;
      planted.coefficient = n;
      Array<T, 1> y(arguments);
      walked(planted)(p, y);
      seen = digest(y.data.data(), y.data.size() * sizeof(T)) != known[name];
    }
    CHECK_MESSAGE(seen, name);
  };
  of_functions<double>([&](const std::string& name, const Program& p) { tried(double{}, name, p); }, ".f64");
  of_approximations([&](const std::string& name, const Program& p) { tried(float{}, name, p); });
}
}  // namespace
