// Programs written with the Builder, and their outputs as bits.
#pragma once
#include <doctest/doctest.h>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>
#include "ordo/base/soft.hpp"
#include "ordo/interp/interp.hpp"
#include "ordo/ir/builder.hpp"

namespace made {
using namespace ordo;
using ir::Fold;
using ir::Op;
using ir::Order;
using ir::Ref;
using Bits = std::vector<u64>;

struct Data {
  Type type;
  std::vector<i64> shape;
  std::vector<u8> bytes;

  i64 elements() const {
    i64 n = 1;
    for (i64 s : shape) n *= s;
    return n;
  }
  Argument argument() {
    Argument a{bytes.data(), type, static_cast<int>(shape.size()), {}, {}};
    i64 stride = 1;
    for (int d = a.rank; d-- > 0;) {
      a.shape[d] = shape[static_cast<std::size_t>(d)];
      a.stride[d] = stride;
      stride *= a.shape[d];
    }
    return a;
  }
};
inline Data empty(Type type, std::vector<i64> shape) {
  Data d{type, shape, {}};
  d.bytes.assign(static_cast<std::size_t>(d.elements()) * static_cast<std::size_t>(bytes_of(type)) + 1, 0x5a);
  return d;
}
// Elements by number (rounded once), or by the bits as stored.
inline Data numbers(Type type, std::vector<i64> shape, const std::vector<double>& values) {
  Data d = empty(type, shape);
  for (std::size_t k = 0; k < values.size(); ++k)
    soft::store(type, d.bytes.data() + k * static_cast<std::size_t>(bytes_of(type)),
                soft::from_double(type == Type::f16 ? Type::f32 : compute_type(type), values[k]));
  return d;
}
inline Data patterns(Type type, std::vector<i64> shape, const Bits& values) {
  Data d = empty(type, shape);
  const std::size_t n = static_cast<std::size_t>(bytes_of(type));
  for (std::size_t k = 0; k < values.size(); ++k) std::memcpy(d.bytes.data() + k * n, &values[k], n);
  return d;
}
inline Bits bits(const Data& d) {
  Bits out(static_cast<std::size_t>(d.elements()), 0);
  const std::size_t n = static_cast<std::size_t>(bytes_of(d.type));
  for (std::size_t k = 0; k < out.size(); ++k) std::memcpy(&out[k], d.bytes.data() + k * n, n);
  return out;
}

struct Maker : ir::Builder {
  Ref chain(const char* name, Ref extent = nullptr) { return axis(name, Order::chain, 1, 0, extent, {}); }
  Ref lanes(const char* name, u32 l, Ref extent = nullptr) { return axis(name, Order::lanes, l, 0, extent, {}); }
  Ref blocks(const char* name, u32 b, u32 l = 1, Ref extent = nullptr) { return axis(name, Order::blocks, l, b, extent, {}); }
  Ref index(const char* name, Ref extent = nullptr) { return axis(name, Order::free, 1, 0, extent, {}); }
  Ref any(const char* name, Ref extent = nullptr) { return axis(name, Order::any, 1, 0, extent, {}); }
  Ref scan_axis(const char* name, Ref extent = nullptr) { return axis(name, Order::scan, 1, 0, extent, {}); }
  Ref i64s(i64 v) { return constant(Type::i64, v, {}); }
  Ref f32s(double v) { return constant(Type::f32, v, {}); }
  Ref input(const char* name, Type type, int rank) { return tensor(name, type, rank, nullptr, {}); }
  Ref at(Ref t, std::initializer_list<Ref> indices) { return load(t, indices.begin(), static_cast<int>(indices.size()), {}); }
  Ref mul(Ref a, Ref b) { return binary(Op::Mul, a, b); }
  Ref add(Ref a, Ref b) { return binary(Op::Add, a, b); }
  Ref sub(Ref a, Ref b) { return binary(Op::Sub, a, b); }
  Ref sum(std::initializer_list<Ref> axes, Ref term, Ref where = nullptr, Type accumulator = Type::none, Ref from = nullptr) {
    return fold(Fold::sum, accumulator, axes.begin(), static_cast<int>(axes.size()), term, where, from, {});
  }
  Ref fold_of(Fold f, std::initializer_list<Ref> axes, Ref term) {
    return fold(f, Type::none, axes.begin(), static_cast<int>(axes.size()), term, nullptr, nullptr, {});
  }
  // The value of rank 0 (or over `left`) as a tensor.
  Ref named(const char* name, Type type, std::initializer_list<Ref> left, Ref value, const Ref* shape = nullptr) {
    Ref t = tensor(name, type, static_cast<int>(left.size()), shape, {});
    define(at(t, left), value);
    return t;
  }
};

struct Given { Ref tensor; Data data; };
inline Bits run(std::initializer_list<Given> given, Ref output, std::vector<i64> shape) {
  std::vector<Ref> inputs;
  std::vector<Data> data;
  for (const Given& g : given) inputs.push_back(g.tensor), data.push_back(g.data);
  const ir::Program program = ir::snapshot(inputs.data(), static_cast<int>(inputs.size()), &output, 1, {});
  data.push_back(empty(output->type, shape));
  std::vector<Argument> arguments;
  for (Data& d : data) arguments.push_back(d.argument());
  interpret(program, arguments.data(), static_cast<int>(arguments.size()));
  return bits(data.back());
}
// Of a scalar program.
inline u64 value(Maker& b, std::initializer_list<Given> given, Ref expression, Type type = Type::none) {
  Ref y = b.named("Y", type == Type::none ? expression->type : type, {}, expression);
  return run(given, y, {})[0];
}
}  // namespace made
