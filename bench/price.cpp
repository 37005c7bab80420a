// What a fixed order of sums costs; one thread. Each case has a line a peer:
//   ordo_free   the same definition with the order, and where named approx the exp, that runs fastest here
//   fast_math   the same loops in C++, compiled by the build's compiler with -Ofast -march=native
//   build/release/bench/price [--filter row_sum] [--json FILE]
#include <cmath>
#include <cstdio>
#include <cstring>
#include "bench/buffer.hpp"
#include "bench/measure.hpp"
#include "bench/ours_attention.hpp"
#include "bench/peers/free.hpp"

namespace bench {
namespace {
using namespace ordo;
using In1 = View<const float, 1>;
using In2 = View<const float, 2>;
using Call = std::function<void(const float* a, const float* b, float* c)>;
Expr<i64> size(long n) { return constant<i64>(n); }

template <class Order> Call dot(long n, const Target& target) {
  Tensor<float, 1> X{"X", {size(n)}}, Y{"Y", {size(n)}};
  Tensor<float, 0> Z{"Z"};
  Order k{"k"};
  Z() = sum(k, X(k) * Y(k));
  const auto kernel = compile(inputs(X, Y), outputs(Z), target, anew());
  return [=](const float* a, const float* b, float* c) { kernel(In1(a, {n}), In1(b, {n}), View<float, 0>(*c)); };
}
template <class Order> Call row_sum(long rows, long columns, const Target& target) {
  Tensor<float, 2> X{"X", {size(rows), size(columns)}};
  Tensor<float, 1> Y{"Y", {size(rows)}};
  Index i{"i"};
  Order l{"l"};
  Y(i) = sum(l, X(i, l));
  const auto kernel = compile(inputs(X), outputs(Y), target, anew());
  return [=](const float* a, const float*, float* c) { kernel(In2(a, {rows, columns}), View<float, 1>(c, {rows})); };
}
template <class Order, class Kind> Call softmax(long rows, long columns, const Target& target) {
  Tensor<float, 2> X{"X", {size(rows), size(columns)}}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Order l{"l"};
  Y(i, j) = nn::softmax<Kind>(l, X(i, l)).at(j);
  const auto kernel = compile(inputs(X), outputs(Y), target, anew());
  return [=](const float* a, const float*, float* c) { kernel(In2(a, {rows, columns}), View<float, 2>(c, {rows, columns})); };
}
constexpr float epsilon = 1e-5f;
template <class Order> Call layer_norm(long rows, long columns, const Target& target) {
  Tensor<float, 2> X{"X", {size(rows), size(columns)}}, W{"W", {size(2), size(columns)}}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Order l{"l"};
  Y(i, j) = nn::layer_norm(l, X(i, l), epsilon).at(j) * W(0, j) + W(1, j);
  const auto kernel = compile(inputs(X, W), outputs(Y), target, anew());
  return [=](const float* a, const float* b, float* c) {
    kernel(In2(a, {rows, columns}), In2(b, {2, columns}), View<float, 2>(c, {rows, columns}));
  };
}
template <class Order> Call product(long m, long n, long depth, const Target& target) {
  Tensor<float, 2> A{"A", {size(m), size(depth)}}, B{"B", {size(depth), size(n)}}, C{"C"};
  Index i{"i"}, j{"j"};
  Order k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  const auto kernel = compile(inputs(A, B), outputs(C), target, anew());
  return [=](const float* a, const float* b, float* c) { kernel(In2(a, {m, depth}), In2(b, {depth, n}), View<float, 2>(c, {m, n})); };
}
Call conv(long side, long channels, long filters, const Target& target) {
  Tensor<float, 3> X{"X", {size(side + 2), size(side + 2), size(channels)}}, Y{"Y", {size(side), size(side), size(filters)}};
  Tensor<float, 4> F{"F", {size(3), size(3), size(channels), size(filters)}};
  Index y{"y"}, x{"x"}, f{"f"};
  Chain r{"r"}, s{"s"}, c{"c"};
  Y(y, x, f) = sum({r, s, c}, X(y + r, x + s, c) * F(r, s, c, f));
  const auto kernel = compile(inputs(X, F), outputs(Y), target, anew());
  return [=](const float* a, const float* b, float* to) {
    kernel(View<const float, 3>(a, {side + 2, side + 2, channels}), View<const float, 4>(b, {3, 3, channels, filters}),
           View<float, 3>(to, {side, side, filters}));
  };
}
// a: queries, keys and values, one behind the other
template <class Kind> Call attention(const AttentionShape& s, const Target& target) {
  const Attend kernel = ours<Kind>(s, false, target);
  const long part = s.heads * s.sequence * s.width;
  return [=](const float* a, const float*, float* c) { kernel(a, a + part, a + 2 * part, c); };
}

struct Sizes { long a, b, c; };          // elements
struct Entry {
  std::string name, unit;
  double work;
  Sizes sizes, small;
  std::function<Call(bool small, const Target&)> ours, free;     // free: empty where no order is faster than ours
  Call fast;
};

// The same program over few rows, by the interpreter and by the host: the same bytes.
bool same_bits(const Entry& e) {
  const Buffer a = random_buffer(e.small.a, 1, 3), b = random_buffer(e.small.b, 1, 4);
  const Buffer expected = buffer(e.small.c), made = buffer(e.small.c);
  for (const auto& make : {e.ours, e.free}) {
    if (!make) continue;
    make(true, interpreter())(a.get(), b.get(), expected.get());
    make(true, cpu::host())(a.get(), b.get(), made.get());
    if (std::memcmp(expected.get(), made.get(), static_cast<std::size_t>(e.small.c) * sizeof(float)) != 0) {
      std::fprintf(stderr, "%s: wrong bits\n", e.name.c_str());
      return false;
    }
  }
  return true;
}

bool run_case(Report& report, const Entry& e) {
  if (!report.wants(e.name)) return true;
  bool right = same_bits(e);
  const Buffer a = random_buffer(e.sizes.a, 1, 3), b = random_buffer(e.sizes.b, 1, 4), expected = buffer(e.sizes.c), c = buffer(e.sizes.c);
  Case made;
  made.name = e.name;
  made.unit = e.unit;
  made.work = e.work;
  const auto contender = [&](const char* who, Call f) { return Contender{who, [&, f] { f(a.get(), b.get(), c.get()); }}; };
  const Call ours = e.ours(false, cpu::host());
  ours(a.get(), b.get(), expected.get());
  made.ours = contender("ordo", ours);
  const auto add = [&](const char* who, const Call& f) {
    f(a.get(), b.get(), c.get());
    for (std::size_t n = 0; n < static_cast<std::size_t>(e.sizes.c); ++n) {
      const double x = static_cast<double>(expected[n]), y = static_cast<double>(c[n]);
      if (std::fabs(x - y) <= 1e-2 + 1e-3 * std::fabs(x)) continue;
      std::fprintf(stderr, "%s: %s gives %g instead of %g\n", e.name.c_str(), who, y, x);
      right = false;
      return;
    }
    made.peers.push_back(contender(who, f));
  };
  if (e.free) add("ordo_free", e.free(false, cpu::host()));
  add("fast_math", e.fast);
  report.compare(made);
  return right;
}

using Free = Lanes<64>;
template <class Order> Entry dot_entry(const char* order) {
  const long n = 1 << 18;
  return {std::string("dot/1MiB/") + order, "Gelem/s", 1e-9 * static_cast<double>(n), {n, n, 1}, {1000, 1000, 1},
          [=](bool small, const Target& t) { return dot<Order>(small ? 1000 : n, t); },
          [=](bool small, const Target& t) { return dot<Free>(small ? 1000 : n, t); },
          [=](const float* a, const float* b, float* c) { *c = fast::dot(a, b, n); }};
}
template <class Order> Entry row_sum_entry(const char* order, long columns) {
  const long rows = (1 << 18) / columns;
  return {"row_sum/" + std::to_string(columns) + "/" + order, "Gelem/s", 1e-9 * static_cast<double>(rows * columns),
          {rows * columns, 1, rows}, {3 * columns, 1, 3},
          [=](bool small, const Target& t) { return row_sum<Order>(small ? 3 : rows, columns, t); },
          [=](bool small, const Target& t) { return row_sum<Free>(small ? 3 : rows, columns, t); },
          [=](const float* a, const float*, float* c) { fast::row_sum(a, c, rows, columns); }};
}
template <class Order> Entry softmax_entry(const char* order, long columns, bool approximate) {
  const long rows = (1 << 18) / columns;
  using nn::Exact, nn::Approx;
  return {"softmax/" + std::to_string(columns) + "/" + order + (approximate ? "/free_approx" : ""), "Gelem/s",
          1e-9 * static_cast<double>(rows * columns), {rows * columns, 1, rows * columns}, {3 * columns, 1, 3 * columns},
          [=](bool small, const Target& t) { return softmax<Order, Exact>(small ? 3 : rows, columns, t); },
          [=](bool small, const Target& t) {
            return approximate ? softmax<Free, Approx>(small ? 3 : rows, columns, t) : softmax<Free, Exact>(small ? 3 : rows, columns, t);
          },
          [=](const float* a, const float*, float* c) { fast::softmax(a, c, rows, columns); }};
}
template <class Order> Entry layer_norm_entry(const char* order, long columns) {
  const long rows = (1 << 18) / columns;
  return {"layer_norm/" + std::to_string(columns) + "/" + order, "Gelem/s", 1e-9 * static_cast<double>(rows * columns),
          {rows * columns, 2 * columns, rows * columns}, {3 * columns, 2 * columns, 3 * columns},
          [=](bool small, const Target& t) { return layer_norm<Order>(small ? 3 : rows, columns, t); },
          [=](bool small, const Target& t) { return layer_norm<Free>(small ? 3 : rows, columns, t); },
          [=](const float* a, const float* b, float* c) { fast::layer_norm(a, b, b + columns, c, rows, columns, epsilon); }};
}
template <class FreeOrder = void> Entry product_entry(long m, long n, long k) {
  Entry e{"product/" + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + "/chain", "GFLOP/s",
          2e-9 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k), {m * k, k * n, m * n}, {5 * 70, 70 * 40, 5 * 40},
          [=](bool small, const Target& t) { return small ? product<Chain>(5, 40, 70, t) : product<Chain>(m, n, k, t); }, {},
          [=](const float* a, const float* b, float* c) { fast::product(a, b, c, m, n, k); }};
  if constexpr (!std::is_void_v<FreeOrder>)
    e.free = [=](bool small, const Target& t) { return small ? product<FreeOrder>(5, 40, 70, t) : product<FreeOrder>(m, n, k, t); };
  return e;
}
Entry conv_entry(long side, long channels) {
  const auto sizes = [=](long n) { return Sizes{(n + 2) * (n + 2) * channels, 9 * channels * channels, n * n * channels}; };
  return {"conv3x3/" + std::to_string(channels) + "x" + std::to_string(side) + "/chain", "GFLOP/s",
          18e-9 * static_cast<double>(side * side) * static_cast<double>(channels * channels), sizes(side), sizes(5),
          [=](bool small, const Target& t) { return conv(small ? 5 : side, channels, channels, t); }, {},
          [=](const float* a, const float* b, float* c) { fast::conv3x3(a, b, c, side, side, channels, channels); }};
}
Entry attention_entry(long heads, long sequence, long width) {
  const auto sizes = [=](long n) { return Sizes{3 * heads * n * width, sequence, heads * n * width}; };
  const auto scores = std::make_shared<std::vector<float>>(static_cast<std::size_t>(sequence));
  const long part = heads * sequence * width;
  return {"attention/h" + std::to_string(heads) + "/s" + std::to_string(sequence) + "/d" + std::to_string(width) + "/chain/free_approx",
          "GFLOP/s", 4e-9 * static_cast<double>(heads * sequence) * static_cast<double>(sequence * width), sizes(sequence), sizes(40),
          [=](bool small, const Target& t) { return attention<nn::Exact>({heads, small ? 40 : sequence, width, false}, t); },
          [=](bool small, const Target& t) { return attention<nn::Approx>({heads, small ? 40 : sequence, width, false}, t); },
          [=](const float* a, const float*, float* c) {
            fast::attention(a, a + part, a + 2 * part, c, scores->data(), heads, sequence, width);
          }};
}

std::vector<Entry> entries() {
  std::vector<Entry> all{dot_entry<Chain>("chain"), dot_entry<Lanes<16>>("lanes16"), dot_entry<Blocks<1 << 15, Lanes<64>>>("blocks")};
  for (const long columns : {127, 1024, 4096, 32000}) {
    all.push_back(row_sum_entry<Chain>("chain", columns));
    all.push_back(row_sum_entry<Lanes<16>>("lanes16", columns));
  }
  for (const long columns : {127, 1024, 32000}) {
    all.push_back(softmax_entry<Chain>("chain", columns, false));
    all.push_back(softmax_entry<Lanes<16>>("lanes16", columns, false));
    all.push_back(softmax_entry<Lanes<16>>("lanes16", columns, true));
    all.push_back(layer_norm_entry<Chain>("chain", columns));
    all.push_back(layer_norm_entry<Lanes<16>>("lanes16", columns));
  }
  for (const long n : {127, 256, 512, 1024}) all.push_back(product_entry(n, n, n));
  all.push_back(product_entry<Blocks<4096>>(64, 64, 65536));
  for (const long channels : {64, 128}) all.push_back(conv_entry(channels == 64 ? 56 : 28, channels));
  for (const long sequence : {128, 512, 2048}) all.push_back(attention_entry(8, sequence, 64));
  return all;
}
}  // namespace

int program(int argc, char** argv) {
  Options options = parse(argc, argv);
  options.all_peers = true;
  Report report("price", options);
  report.note("cpu: " + cpu_name());
  report.note("C++ by " __VERSION__ ", -Ofast -march=native");
  report.note("exp: correctly rounded; of ordo_free in cases named free_approx: approx::exp; of fast_math: the vectors of libmvec");
  set_default_executor(serial());
  const std::vector<Entry> all = entries();
  report.expect(static_cast<int>(all.size()));
  bool right = true;
  for (const Entry& e : all) right = run_case(report, e) && right;
  const int status = report.finish();
  return right ? status : 1;
}
}  // namespace bench
