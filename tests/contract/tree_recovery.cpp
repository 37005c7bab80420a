// The order of additions, recovered from sums alone: with M and -M at two places and ones elsewhere (M swallows ones), the
// result counts the ones that are added after the two meet (FPRev, arXiv 2411.00442, section 4). All pairs give the tree.
#include <algorithm>
#include <map>
#include "contract/ways.hpp"
#include "foreign/lowered.hpp"

using namespace ways;

namespace {
// A tree as text, each addition with its smaller leaf first: an addition does not tell its operands apart.
struct Tree {
  std::string text;
  int least;
};
Tree leaf(int k) { return {std::to_string(k), k}; }
Tree added(const Tree& a, const Tree& b) {
  const Tree &x = a.least < b.least ? a : b, &y = a.least < b.least ? b : a;
  return {"(" + x.text + " " + y.text + ")", x.least};
}

// NUMERICS.md, "Reductions", over trees in place of numbers. An axis: its extent, lanes, and block (0: none).
struct Axis {
  int extent, lanes, block;
};
std::vector<int> part_of(const Axis& a, int i) {
  if (a.block == 0) return a.lanes == 1 ? std::vector<int>{} : std::vector<int>{i % a.lanes};
  std::vector<int> p{i / a.block};
  if (a.lanes > 1) p.push_back(i % a.block % a.lanes);
  return p;
}
using Parts = std::map<std::vector<int>, Tree>;
Parts joined(const Parts& parts, bool halves, int count) {
  std::map<std::vector<int>, std::map<int, Tree>> groups;
  for (const auto& [p, t] : parts) groups[{p.begin(), p.end() - 1}].emplace(p.back(), t);
  Parts result;
  for (auto& [prefix, g] : groups) {
    const auto join = [&g = g](int low, int high) {
      const auto y = g.find(high);
      if (y == g.end()) return;
      const auto x = g.find(low);
      const Tree t = x == g.end() ? y->second : added(x->second, y->second);
      g.erase(high);
      g.insert_or_assign(low, t);
    };
    if (halves)
      for (int half = count / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l) join(l, l + half);
    else
      for (int apart = 1; apart < count; apart *= 2)
        for (int b = 0; b + apart < count; b += 2 * apart) join(b, b + apart);
    result.emplace(prefix, g.at(0));
  }
  return result;
}
std::string declared(const std::vector<Axis>& axes) {
  Parts parts;
  int elements = 1;
  for (const Axis& a : axes) elements *= a.extent;
  for (int e = 0; e < elements; ++e) {
    std::vector<int> part;
    int rest = e, weight = elements;
    for (const Axis& a : axes) {
      weight /= a.extent;
      const std::vector<int> p = part_of(a, rest / weight);
      rest %= weight;
      part.insert(part.end(), p.begin(), p.end());
    }
    const auto it = parts.find(part);
    if (it == parts.end()) parts.emplace(part, leaf(e));
    else it->second = added(it->second, leaf(e));
  }
  for (std::size_t k = axes.size(); k-- > 0;) {
    if (axes[k].lanes > 1) parts = joined(parts, true, axes[k].lanes);
    if (axes[k].block > 0) parts = joined(parts, false, (axes[k].extent + axes[k].block - 1) / axes[k].block);
  }
  return parts.at({}).text;
}

// Elements under the lowest common addition of `i` and each of `others`, then the same inside what joins the path of `i`.
template <class Under>
Tree recovered(std::vector<int> leaves, const Under& under) {
  const int i = leaves.front();
  std::map<int, std::vector<int>> joins;  // by how many elements are under the addition where they meet i
  for (const int j : leaves)
    if (j != i) joins[under(i, j)].push_back(j);
  Tree t = leaf(i);
  for (const auto& [count, group] : joins) t = added(t, recovered(group, under));
  return t;
}

struct Sum {
  std::string axes, term;  // of Y[i] = sum({axes}, term)
  std::vector<i64> shape;  // of X, behind its first dimension
};
// Y for all pairs in one call: each pair in `copies` rows one after the other, which must agree.
class Recovery {
 public:
  explicit Recovery(const Sum& s) {
    std::string dims = "M";
    std::vector<i64> shape{0};
    for (const i64 d : s.shape) {
      dims += ", N" + std::to_string(shape.size());
      shape.push_back(d);
      n_ *= static_cast<int>(d);
    }
    program = "input X: f32[" + dims + "]\nY[i]: f32[M] = sum({" + s.axes + "}, " + s.term + ")\noutput Y\n";
    const int rows = n_ * (n_ - 1) / 2 * copies;
    std::vector<double> values(static_cast<std::size_t>(rows * n_), 1);
    std::size_t row = 0;
    for (int i = 0; i < n_; ++i)
      for (int j = i + 1; j < n_; ++j)
        for (int c = 0; c < copies; ++c, row += static_cast<std::size_t>(n_)) {
          values[row + static_cast<std::size_t>(i)] = M;
          values[row + static_cast<std::size_t>(j)] = -M;
        }
    shape[0] = rows;
    data = {made::numbers(Type::f32, shape, values), made::empty(Type::f32, {rows})};
  }
  std::string tree(const Bits& y) const {
    std::vector<int> under, all;  // of each pair, in the order of the rows
    for (std::size_t k = 0; k < y.size(); k += copies) {
      CHECK(std::count(y.begin() + static_cast<long>(k), y.begin() + static_cast<long>(k) + copies, y[k]) == copies);
      under.push_back(n_ - static_cast<int>(soft::cast(Type::i64, Type::f32, y[k])));
    }
    for (int i = 0; i < n_; ++i) all.push_back(i);
    return recovered(all,
                     [&](int a, int b) {
                       const int i = std::min(a, b), j = std::max(a, b);
                       return under[static_cast<std::size_t>(i * n_ - i * (i + 1) / 2 + j - i - 1)];
                     })
        .text;
  }
  std::string program;
  std::vector<Data> data;

 private:
  static constexpr int copies = 5;
  static constexpr double M = 0x1p60;
  int n_ = 1;
};
std::string recovered(const Sum& s, const std::string& schedule_text, const Target& target, const kernel::Planted& planted = {}) {
  Recovery r(s);
  return r.tree(Compiled(r.program, schedule_text, target, planted)(r.data));
}

struct Case {
  const char* name;
  Sum sum;
  std::vector<Axis> axes;
  std::vector<std::string> schedules;
};
std::vector<Case> cases() {
  return {
      {"Chain",
       {"chain k < N1", "X[i, k]", {11}},
       {{11, 1, 0}},
       {"", "split k 4; unroll k.1", "split i 4; reorder i.0 k i.1; vectorize i.1", "split i 2; reorder k i.0 i.1; unroll i.1",
        "parallel i"}},
      {"Lanes",
       {"lanes<8> k < N1", "X[i, k]", {29}},
       {{29, 8, 0}},
       {"", "vectorize k.lane", "split i 4; reorder i.0 k.step i.1 k.lane; unroll i.1; vectorize k.lane; parallel i.0",
        "split k.lane 4; reorder k.lane.0 k.step k.lane.1; vectorize k.lane.1", "reorder k.step i k.lane; unroll k.lane",
        "split i 4; reorder i.0 k.step k.lane i.1; unroll k.lane; vectorize i.1", "split k.step 2; reorder k.step.0 i k.step.1 k.lane"}},
      {"Blocks",
       {"blocks<3> k < N1", "X[i, k]", {20}},
       {{20, 1, 3}},
       {"", "parallel k.block", "reorder k.block i k.step; parallel k.block", "reorder k.step k.block",
        "split k.block 4; reorder k.block.0 k.step k.block.1; vectorize k.block.1",
        "split i 4; reorder i.0 k.block k.step i.1; vectorize i.1"}},
      {"Blocks of Lanes",
       {"blocks<8, lanes<4>> k < N1", "X[i, k]", {27}},
       {{27, 4, 8}},
       {"", "vectorize k.lane", "parallel k.block; vectorize k.lane", "reorder k.lane k.block k.step; unroll k.step",
        "split i 2; reorder k.block i.0 k.step i.1 k.lane; unroll i.1; vectorize k.lane; parallel k.block"}},
      {"Lanes, Chain",
       {"lanes<4> a < N1, chain b < N2", "X[i, a, b]", {6, 3}},
       {{6, 4, 0}, {3, 1, 0}},
       {"", "reorder a.step b a.lane; vectorize a.lane", "reorder a.lane a.step b", "split b 2; unroll b.1",
        "reorder a.step i a.lane b; unroll a.lane"}},
      {"Blocks, Lanes",
       {"blocks<3> a < N1, lanes<4> b < N2", "X[i, a, b]", {7, 5}},
       {{7, 1, 3}, {5, 4, 0}},
       {"", "parallel a.block; vectorize b.lane", "reorder b.lane a.block a.step b.step",
        "reorder a.step b.step a.block b.lane; vectorize b.lane",
        "reorder i b.lane; split i 2; reorder a.block a.step b.step b.lane i.0 i.1; unroll i.1"}},
      {"Chain, Blocks of Lanes",
       {"chain a < N1, blocks<4, lanes<2>> b < N2", "X[i, a, b]", {2, 14}},
       {{2, 1, 0}, {14, 2, 4}},
       {"", "vectorize b.lane", "reorder b.block a b.step b.lane; parallel b.block; vectorize b.lane", "reorder b.lane b.block a b.step",
        "reorder a b.block b.lane b.step; fuse b.block b.lane; parallel b.block*b.lane"}},
  };
}
}  // namespace

TEST_CASE("trees: what compiled kernels add, in which order, is what is declared, under every schedule") {
  for (const Case& c : cases()) {
    REQUIRE(c.schedules.size() >= 5);
    const std::string expected = declared(c.axes);
    for (const std::string& s : c.schedules)
      for (const Way& way : compiled()) {
        if (way.name == "walk" && s.empty()) continue;  // slow, and the fuzzer's daily work
        INFO((std::string(c.name) + " on " + way.name + ": " + s));
        CHECK(recovered(c.sum, s, way.target) == expected);
      }
  }
}

TEST_CASE("trees: and what kernels of other instruction sets add") {
  for (const foreign::Machine& machine : foreign::machines()) {
    if (const std::string why = foreign::missing(machine); !why.empty()) {
      MESSAGE("skipped: ", why);
      continue;
    }
    foreign::Batch batch(machine);
    std::vector<foreign::Job> jobs;
    struct Run {
      Case c;
      std::string schedule;
      bool wrong;  // a planted order
    };
    std::vector<Run> runs;
    for (const Case& c : cases()) {
      for (const std::string& s : c.schedules) runs.push_back({c, s, false});
      runs.push_back({c, c.schedules[1], true});
    }
    for (const Run& run : runs) {
      kernel::Planted planted;
      planted.wrong_tree = planted.reverse_chain = run.wrong;
      Recovery r(run.c.sum);
      std::vector<Argument> arguments;
      for (Data& d : r.data) arguments.push_back(d.argument());
      const nest::Trace trace = schedule(run.schedule);
      const plan::Plan plan =
          foreign::plan_of(ir::stages(ir::parse(r.program.c_str())), run.schedule.empty() ? nullptr : &trace, batch.target());
      jobs.push_back(foreign::lowered(batch, plan, arguments, planted));
    }
    for (const std::string& cpu : machine.cpus) {
      std::vector<foreign::Job> calls = jobs;
      const std::string failure = batch.run(cpu, calls);
      CHECK_MESSAGE(failure.empty(), failure);
      for (std::size_t k = 0; failure.empty() && k < runs.size(); ++k) {
        const auto& [c, schedule, wrong] = runs[k];
        Recovery r(c.sum);
        r.data[1].bytes = calls[k].memory[1].bytes;
        CHECK(calls[k].status == 0);
        const std::string where = std::string(c.name) + " on " + cpu + ": " + schedule + (wrong ? ", planted" : "");
        CHECK_MESSAGE((r.tree(made::bits(r.data[1])) == declared(c.axes)) != wrong, where);
      }
    }
  }
}

TEST_CASE("trees: another order is seen to be another") {
  CHECK(declared({{29, 8, 0}}) != declared({{29, 4, 0}}));
  for (const Case& c : cases()) {
    const std::string expected = declared(c.axes);
    const bool chain = c.axes.size() == 1 && c.axes[0].lanes == 1 && c.axes[0].block == 0;
    kernel::Planted wrong;
    (chain ? wrong.reverse_chain : wrong.wrong_tree) = true;
    INFO(std::string(c.name));
    CHECK(recovered(c.sum, "", walk_target::target(), wrong) != expected);
    CHECK(recovered(c.sum, c.schedules[1], cpu::host(), wrong) != expected);
  }
  const Sum lanes4{"lanes<4> k < N1", "X[i, k]", {29}};
  CHECK(recovered(lanes4, "vectorize k.lane", cpu::host()) != declared({{29, 8, 0}}));
  CHECK(recovered(lanes4, "vectorize k.lane", cpu::host()) == declared({{29, 4, 0}}));
}

TEST_CASE("trees: the declared ones, written out") {
  CHECK(declared({{5, 1, 0}}) == "((((0 1) 2) 3) 4)");
  CHECK(declared({{6, 4, 0}}) == "(((0 4) 2) ((1 5) 3))");
  CHECK(declared({{7, 1, 2}}) == "(((0 1) (2 3)) ((4 5) 6))");
  CHECK(declared({{2, 2, 0}, {2, 1, 0}}) == "((0 1) (2 3))");
}
