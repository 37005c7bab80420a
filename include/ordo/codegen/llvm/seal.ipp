#pragma once
#include <cstring>
#include "ordo/codegen/llvm/seal.hpp"
#include "ordo/ir/digest.hpp"

namespace ordo::codegen::llvm::detail_seal {
struct Seal {
  char magic[8] = {'o', 'r', 'd', 'o', 'e', 'l', 'f', '1'};
  u64 bytes = 0;
  ir::Digest digest;
};
inline Seal seal_of(const char* object, std::size_t bytes) {
  Seal s;
  s.bytes = bytes;
  s.digest = ir::digest_of(object, bytes);
  return s;
}
}  // namespace ordo::codegen::llvm::detail_seal

namespace ordo::codegen::llvm {
ORDO_INLINE std::string sealed(std::string object) {
  const detail_seal::Seal s = detail_seal::seal_of(object.data(), object.size());
  object.append(reinterpret_cast<const char*>(&s), sizeof s);
  return object;
}
ORDO_INLINE bool unsealed(const std::string& bytes, std::size_t* object_bytes) {
  if (bytes.size() < sizeof(detail_seal::Seal)) return false;
  *object_bytes = bytes.size() - sizeof(detail_seal::Seal);
  const detail_seal::Seal s = detail_seal::seal_of(bytes.data(), *object_bytes);
  return std::memcmp(&s, bytes.data() + *object_bytes, sizeof s) == 0;
}
}  // namespace ordo::codegen::llvm
