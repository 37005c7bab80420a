// Raw expressions in few words, on lines that do not move.
#pragma once
#include <doctest/doctest.h>
#include <string>
#include <vector>
#include "ordo/ir/builder.hpp"
#include "ordo/ir/program.hpp"
#include "ordo/ir/text.hpp"

namespace made {
using namespace ordo;
using namespace ordo::ir;
using Refs = std::vector<Ref>;

inline Where line(int n) { return {"models/model.cpp", n}; }

struct Front {
  Builder b;
  Ref dim(const char* name) { return b.dim(name, line(1)); }
  Ref index(const char* name, Ref extent = nullptr) { return b.axis(name, Order::free, 1, 0, extent, line(2)); }
  Ref scan_axis(const char* name, Ref extent = nullptr) { return b.axis(name, Order::scan, 1, 0, extent, line(2)); }
  Ref chain(const char* name, Ref extent = nullptr) { return b.axis(name, Order::chain, 1, 0, extent, line(2)); }
  Ref lanes(const char* name, u32 n) { return b.axis(name, Order::lanes, n, 0, nullptr, line(2)); }
  Ref any(const char* name, Ref extent = nullptr) { return b.axis(name, Order::any, 1, 0, extent, line(2)); }
  Ref tensor(const char* name, int rank, Type type = Type::f32) { return b.tensor(name, type, rank, nullptr, line(3)); }
  Ref tensor(const char* name, const Refs& shape, Type type = Type::f32) {
    return b.tensor(name, type, static_cast<int>(shape.size()), shape.data(), line(3));
  }
  Ref at(Ref tensor, const Refs& indices, int n = 4) { return b.load(tensor, indices.data(), static_cast<int>(indices.size()), line(n)); }
  Ref number(i64 v) { return b.constant(Type::i64, v, line(5)); }
  Ref real(double v) { return b.constant(Type::f32, v, line(5)); }
  Ref add(Ref x, Ref y) { return b.binary(Op::Add, x, y, line(5)); }
  Ref sub(Ref x, Ref y) { return b.binary(Op::Sub, x, y, line(5)); }
  Ref mul(Ref x, Ref y) { return b.binary(Op::Mul, x, y, line(5)); }
  Ref less(Ref x, Ref y) { return b.binary(Op::Lt, x, y, line(5)); }
  Ref select(Ref c, Ref x, Ref y) { return b.ternary(Op::Select, c, x, y, line(5)); }
  Ref fold(Fold f, const Refs& axes, Ref term, Ref where = nullptr, Ref from = nullptr, Type type = Type::none) {
    return b.fold(f, type, axes.data(), static_cast<int>(axes.size()), term, where, from, line(6));
  }
  Ref sum(const Refs& axes, Ref term, Ref where = nullptr) { return fold(Fold::sum, axes, term, where); }
  Ref max(const Refs& axes, Ref term, Ref where = nullptr) { return fold(Fold::max, axes, term, where); }
  void define(Ref tensor, const Refs& left, Ref value, int n = 7) { b.define(at(tensor, left, n), value); }
  Program program(const Refs& inputs, const Refs& outputs, bool open_inputs = false) {
    Program made =
        snapshot(inputs.data(), static_cast<int>(inputs.size()), outputs.data(), static_cast<int>(outputs.size()), line(8), open_inputs);
    verify(made);
    return made;
  }
};

// The lines of a program that print its definitions.
inline std::string definitions(const Program& program) {
  const std::string all = print(program);
  std::string kept;
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t end = all.find('\n', from);
    const std::string text = all.substr(from, end - from);
    if (text.find(" = ") != std::string::npos) kept += text + "\n";
    if (end == std::string::npos) break;
    from = end + 1;
  }
  return kept;
}

// The whole text of a refusal, for goldens; "" when nothing was refused.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::user);
    return error.what();
  }
  return "";
}
template <class Action>
std::string first_line(Action action) {
  const std::string text = refusal(action);
  return text.substr(0, text.find('\n'));
}
}  // namespace made
