// A program of the contract with its inputs, and the bits that every target must give.
#pragma once
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>
#include "interp/made.hpp"
#include "ordo/ir/program.hpp"

namespace contract {
using namespace made;

struct Example {
  std::string row;               // which of them
  ir::Program program;
  std::vector<Data> inputs;
  Data output;                   // poisoned
  Bits want;
};
using Examples = std::vector<Example>;

inline void add(Examples& to, const std::string& row, std::vector<Given> given, Ref output, std::vector<i64> shape, Bits want) {
  std::vector<Ref> inputs;
  std::vector<Data> data;
  for (Given& g : given) {
    inputs.push_back(g.tensor);
    data.push_back(std::move(g.data));
  }
  to.push_back({row, ir::snapshot(inputs.data(), static_cast<int>(inputs.size()), &output, 1, {}), std::move(data),
                empty(output->type, std::move(shape)), std::move(want)});
}
// Of rank 0.
inline void add(Examples& to, const std::string& row, Maker& b, std::vector<Given> given, Ref value, u64 want, Type type = Type::none) {
  add(to, row, std::move(given), b.named("Y", type == Type::none ? value->type : type, {}, value), {}, {want});
}

// A call of one, with memory of its own.
inline std::string hex(const Bits& bits) {
  std::string text;
  char one[20];
  for (const u64 b : bits) {
    std::snprintf(one, sizeof one, "%llx ", static_cast<unsigned long long>(b));
    text += one;
  }
  return text;
}
struct Call {
  std::vector<Data> data;
  std::vector<Argument> arguments;
  explicit Call(const Example& e) : data(e.inputs) {
    data.push_back(e.output);
    for (Data& d : data) arguments.push_back(d.argument());
  }
  int count() const { return static_cast<int>(arguments.size()); }
};
inline void check(const Example& e, const char* target, const Data& output) {
  const Bits got = bits(output);
  CHECK_MESSAGE(got == e.want, e.row, " on ", target, ": ", hex(got), "instead of ", hex(e.want));
}

// One file a topic.
void add_sums(Examples& to);
void add_products(Examples& to);
void add_states(Examples& to);
void add_conversions(Examples& to);
void add_scalars(Examples& to);
void add_extremes(Examples& to);
void add_functions(Examples& to);
inline Examples all() {
  Examples list;
  for (const auto f : {add_sums, add_products, add_states, add_conversions, add_scalars, add_extremes, add_functions}) f(list);
  return list;
}
}  // namespace contract
