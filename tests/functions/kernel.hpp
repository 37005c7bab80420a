// A function of the contract as machine code, over arrays.
#pragma once
#include <string>
#include "functions/oracle.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/ordo.hpp"

namespace functions {
template <class T>
class Compiled {
 public:
  Compiled(const oracle::Function& f, const ordo::Target& target) : binary_(f.binary()), kernel_(make(f, target)) {}
  void operator()(const T* x, const T* y, T* r, ordo::i64 n) const {
    const ordo::View<const T, 1> a(x, {n}), b(y, {n});
    const ordo::View<T, 1> to(r, {n});
    if (binary_) kernel_({a, b, to});
    else kernel_({a, to});
  }
  const char* assembly() const { return kernel_.assembly(); }

 private:
  static ordo::AnyKernel make(const oracle::Function& f, const ordo::Target& target) {
    const std::string type = ordo::name_of(ordo::type_of<T>);
    std::string text = "input X: " + type + "[N]\n";
    if (f.binary()) text += "input Y: " + type + "[N]\n";
    text += "Z[i]: " + type + "[N] = " + f.name + (f.binary() ? "(X[i], Y[i])\n" : "(X[i])\n");
    ordo::CompileOptions options;
    options.cache = "";  // it could hold the recipe of another build
    return ordo::compile(ordo::Program(ordo::ir::parse(text.c_str())), target, options);
  }
  bool binary_;
  ordo::AnyKernel kernel_;
};
}  // namespace functions
