// Programs and expressions as text, and back. print(parse(print(p))) == print(p), and digests agree.
#pragma once
#include <string>
#include "ordo/ir/node.hpp"

namespace ordo::ir {
class Program;
// One line a tensor and a definition; the order of every reduction is shown:
//   input A: f32[M, K]
//   C[i, j]: f32[M, N] = sum(chain k < K, A[i, k] * B[k, j])
//   output C
std::string print(const Program& program);
std::string print(Ref expression);                        // for errors and nests: infix, names of axes and Dims
Program parse(const char* text);                          // code text.parse with line and column
}  // namespace ordo::ir
#include "ordo/ir/program.hpp"
#if !defined(ORDO_COMPILED)
#include "ordo/ir/print.ipp"
#include "ordo/ir/print_expression.ipp"
#include "ordo/ir/print_reduction.ipp"
#include "ordo/ir/lexer.ipp"
#include "ordo/ir/parse.ipp"
#include "ordo/ir/parse_expression.ipp"
#include "ordo/ir/parse_reduction.ipp"
#endif
