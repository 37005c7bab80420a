// A program of fifty stages, as text.
#pragma once
#include <string>

namespace fifty {
// Ten times: a product, its bias and relu, sums of its rows, their exps, a stencil along them.
inline std::string network(const std::string& columns) {
  const std::string n = columns, matrix = ": f32[" + n + ", " + n + "] = ";
  std::string text = "input X0: f32[" + n + ", " + n + "]\ninput W: f32[" + n + ", " + n + "]\ninput b: f32[" + n + "]\n";
  for (int layer = 0; layer < 10; ++layer) {
    const std::string k = std::to_string(layer), next = std::to_string(layer + 1);
    text += "P" + k + "[i, j]" + matrix + "sum(chain k < " + n + ", X" + k + "[i, k] * W[k, j])\n";
    text += "R" + k + "[i, j]" + matrix + "maximum(P" + k + "[i, j] + b[j], 0.0)\n";
    text += "S" + k + "[i]: f32[" + n + "] = sum(lanes<16> l < " + n + ", R" + k + "[i, l])\n";
    text += "N" + k + "[i, j]" + matrix + "exp(R" + k + "[i, j] / (S" + k + "[i] + 1.0))\n";
    text += "X" + next + "[i, j]" + matrix + "N" + k + "[i, j] + N" + k + "[i, maximum(j - 1, 0)] + N" + k + "[i, minimum(j + 1, " + n +
            " - 1)]\n";
  }
  return text + "output X10\n";
}
}  // namespace fifty
