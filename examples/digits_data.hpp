// The UCI digits, and what the demonstration prints about results.
#pragma once
#include <string>
#include <vector>

namespace digits {
inline constexpr int images = 1797, pixels = 64, known = 1000, asked = images - known;
struct Digits {
  std::vector<float> pixel;      // images x pixels, each image scaled to length 1
  std::vector<int> label;
};
Digits load(const std::string& csv_gz);
std::string sha256(const void* data, std::size_t bytes);       // 64 hex digits
}  // namespace digits
