// A back-end that keeps lowered kernels and runs them by `walk`: the whole way of a call without machine code.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include "ordo/codegen/backend.hpp"
#include "ordo/ir/program.hpp"
#include "ordo/kernel/walk.hpp"
#include "ordo/ordo.hpp"

namespace walk_target {
using namespace ordo;
inline constexpr int capacity = 256;
inline std::unique_ptr<kernel::Kernel> kernels[capacity];
inline std::atomic<int> generated{0}, loaded{0}, unloaded{0};

inline std::unique_ptr<kernel::Kernel> copied(const kernel::Kernel& k) {
  auto c = std::make_unique<kernel::Kernel>();
  c->name = k.name;
  c->buffers = k.buffers;
  for (kernel::Buffer& b : c->buffers)
    if (b.elements != nullptr) b.elements = ir::copy(b.elements, c->arena);
  c->failures = k.failures;
  c->arguments = k.arguments;
  c->body = ir::copy(k.body, c->arena);
  c->next_var = k.next_var;
  return c;
}
template <int N> i32 run(const kernel::Frame* frame) { return kernel::walk(*kernels[N], frame); }
template <int... N> constexpr kernel::Entry entry_of(int number, std::integer_sequence<int, N...>) {
  constexpr kernel::Entry all[] = {run<N>...};
  return all[number];
}
inline codegen::Code generate(const kernel::Kernel& k, const Target&, bool texts) {
  const int number = generated++ % capacity;
  kernels[number] = copied(k);
  return {"walk " + std::to_string(number), texts ? kernel::print(k) : "", texts ? "walk\n" : ""};
}
inline void* load(const std::string& object, const char*) {
  if (object.rfind("walk ", 0) != 0) fail("codegen.load", {}, "not a walk");
  ++loaded;
  return new int(std::stoi(object.substr(5)));
}
inline kernel::Entry entry(const void* made) {
  return entry_of(*static_cast<const int*>(made), std::make_integer_sequence<int, capacity>());
}
inline void unload(void* made) {
  ++unloaded;
  delete static_cast<int*>(made);
}
inline const codegen::Backend backend = {"walk", [] { return std::string("1"); }, generate, load, entry, unload,
                                          [](const Target&) { return true; }};
inline Target target() {
  Target t;
  t.backend = &backend;
  __builtin_strcpy(t.name, "walk");
  t.vector_bits = 256;
  t.fma = true;
  t.masked_memory = true;
  return t;
}
inline CompileOptions no_disk() {
  CompileOptions o;
  o.cache = "";
  return o;
}
}  // namespace walk_target
