// The same bits on another machine: SHA-256 of inputs, drawn by counter, and of outputs, beside the committed ones.
//   04_digest              prints a line a tensor, as sha256sum does; fails where one is not as committed
//   04_digest --write      commits what this machine computes
// Elements count in row-major order, little-endian. Each program runs interpreted and as machine code.
#include <openssl/evp.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/nn.hpp"
#include "ordo/ordo.hpp"

namespace {
using namespace ordo;
std::string sha256(const std::vector<u8>& bytes) {
  unsigned char sum[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), sum, &size, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned k = 0; k < size; ++k) {
    char byte[3];
    std::snprintf(byte, sizeof byte, "%02x", sum[k]);
    hex += byte;
  }
  return hex;
}
struct Made {  // a tensor that a program computes, its inputs among them
  std::string name;
  Type type;
  i64 rows, columns;
};
std::vector<std::vector<u8>> run(const Program& program, const std::vector<Made>& tensors, const Target& target) {
  std::vector<std::vector<u8>> bytes;
  std::vector<Argument> arguments;
  for (const Made& t : tensors) {
    bytes.emplace_back(static_cast<std::size_t>(t.rows * t.columns * bytes_of(t.type)));
    arguments.push_back({bytes.back().data(), t.type, 2, {t.rows, t.columns}, {t.columns, 1}});
  }
  program.compile(target).call(arguments.data(), static_cast<int>(arguments.size()));
  return bytes;
}

class Report {
 public:
  explicit Report(const char* path) : path_(path) {
    std::ifstream file(path);
    for (std::string digest, name; file >> digest >> name;) committed_[name] = digest;
  }
  void add(const std::string& program_name, const Program& program, const std::vector<Made>& tensors) {
    const auto bytes = run(program, tensors, cpu::host());
    if (bytes != run(program, tensors, interpreter())) std::printf("%s: the interpreter differs\n", program_name.c_str()), ++wrong_;
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      const std::string name = program_name + "." + tensors[k].name, digest = sha256(bytes[k]);
      const bool same = committed_[name] == digest;
      std::printf("%s  %s%s\n", digest.c_str(), name.c_str(), same ? "" : "   <-- not as committed");
      text_ += digest + "  " + name + "\n";
      same ? ++same_ : ++wrong_;
    }
  }
  int finish(bool write) const {
    if (write) std::ofstream(path_) << text_;
    std::printf("contract version %d: %d as committed, %d not\n", static_cast<int>(numerics_version), same_, wrong_);
    return write || wrong_ == 0 ? 0 : 1;
  }

 private:
  const char* path_;
  std::map<std::string, std::string> committed_;
  std::string text_;
  int same_ = 0, wrong_ = 0;
};

template <class T = float>
Tensor<T, 2> drawn(const char* name, i64 rows, i64 columns, u64 stream) {
  Tensor<T, 2> X{name, {rows, columns}};
  Index i{"i"}, j{"j"};
  const Expr<i64> n = i * columns + j;
  if constexpr (std::is_same_v<T, float>) X(i, j) = normal<float>({2026, stream}, n);
  else if constexpr (std::is_same_v<T, double>) X(i, j) = uniform<double>({2026, stream}, n) * 16 - 8;
  else X(i, j) = cast<i32>(below({2026, stream}, n, Expr<u32>(256))) - 128;
  return X;
}
template <class A>
void product(Report& report, const char* name) {
  const auto X = drawn("A", 40, 300, 0), Y = drawn("B", 300, 50, 1);
  Tensor<float, 2> C{"C"};
  Index i{"i"}, j{"j"};
  A k{"k"};
  C(i, j) = sum(k, X(i, k) * Y(k, j));
  report.add(name, Program(inputs(), outputs(X, Y, C)), {{"A", Type::f32, 40, 300}, {"B", Type::f32, 300, 50}, {"C", Type::f32, 40, 50}});
}
}  // namespace

int main(int count, char** argument) {
  Report report(ORDO_DIGESTS);
  Index i{"i"}, j{"j"};
  product<Chain>(report, "product_chain");
  product<Lanes<16>>(report, "product_lanes16");
  product<Blocks<64>>(report, "product_blocks64");

  const auto X = drawn("X", 20, 333, 2);
  const Made row{"X", Type::f32, 20, 333}, result{"Y", Type::f32, 20, 333};
  Lanes<16> l{"l"};
  Tensor<float, 2> softmax{"Y"}, norm{"Y"};
  softmax(i, j) = nn::softmax(l, X(i, l)).at(j);
  norm(i, j) = nn::layer_norm(l, X(i, l), 1e-5).at(j);
  report.add("softmax", Program(inputs(), outputs(X, softmax)), {row, result});
  report.add("layer_norm", Program(inputs(), outputs(X, norm)), {row, result});

  Tensor<f16, 2> half{"Y"};
  half(i, j) = gelu(X(i, j));
  report.add("gelu_f16", Program(inputs(), outputs(X, half)), {row, {"Y", Type::f16, 20, 333}});

  const auto D = drawn<double>("X", 20, 50, 3);
  Tensor<double, 2> waves{"Y"};
  waves(i, j) = sin(D(i, j)) * exp(-abs(D(i, j)));
  report.add("waves_f64", Program(inputs(), outputs(D, waves)), {{"X", Type::f64, 20, 50}, {"Y", Type::f64, 20, 50}});

  const auto P = drawn<i8>("A", 20, 100, 4), Q = drawn<i8>("B", 100, 20, 5);
  Tensor<i32, 2> bytes{"C"};
  AnyOrder a{"a"};
  bytes(i, j) = sum(a, P(i, a) * Q(a, j));
  report.add("product_bytes", Program(inputs(), outputs(P, Q, bytes)),
             {{"A", Type::i8, 20, 100}, {"B", Type::i8, 100, 20}, {"C", Type::i32, 20, 20}});
  return report.finish(count > 1 && std::strcmp(argument[1], "--write") == 0);
}
