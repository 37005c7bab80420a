#include "examples/digits_data.hpp"
#include <openssl/evp.h>
#include <zlib.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace digits {
namespace {
std::string unpacked(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot read " + path);
  std::string text;
  char block[65536];
  int bytes = 0;
  while ((bytes = gzread(file, block, sizeof block)) > 0) text.append(block, static_cast<std::size_t>(bytes));
  gzclose(file);
  if (bytes < 0) throw std::runtime_error(path + " is damaged");
  return text;
}
}  // namespace

Digits load(const std::string& csv_gz) {
  const std::string text = unpacked(csv_gz);
  Digits digits;
  const char* at = text.c_str();
  for (int image = 0; image < images; ++image) {
    float value[pixels + 1];
    float squares = 0;
    for (float& v : value) {
      char* end = nullptr;
      v = std::strtof(at, &end);
      if (end == at) throw std::runtime_error(csv_gz + " has too few numbers");
      at = *end == ',' || *end == '\n' ? end + 1 : end;
    }
    for (int p = 0; p < pixels; ++p) squares += value[p] * value[p];
    for (int p = 0; p < pixels; ++p) digits.pixel.push_back(value[p] / std::sqrt(squares));
    digits.label.push_back(static_cast<int>(value[pixels]));
  }
  return digits;
}

std::string sha256(const void* data, std::size_t bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(data, bytes, digest, &size, EVP_sha256(), nullptr) != 1) throw std::runtime_error("SHA-256 failed");
  std::string hex;
  for (unsigned n = 0; n < size; ++n) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", digest[n]);
    hex += two;
  }
  return hex;
}
}  // namespace digits
