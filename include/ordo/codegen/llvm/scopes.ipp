// Buffers never overlap, but for arguments: the caller may pass one memory as an input and an output as long as each
// element is read at its own place only. So nothing is claimed between two arguments, unless one is read elsewhere too.
#pragma once
#include "ordo/codegen/llvm/unit.hpp"

namespace ordo::codegen::llvm {
ORDO_INLINE void make_scopes(Unit& u) {
  LLVMContextRef c = u.context;
  const auto text = [c](const std::string& s) { return LLVMMDStringInContext2(c, s.data(), s.size()); };
  const auto node = [c](std::vector<LLVMMetadataRef> parts) { return LLVMMDNodeInContext2(c, parts.data(), parts.size()); };
  LLVMMetadataRef domain = node({text("ordo")});
  const auto& buffers = u.kernel.buffers;
  std::vector<LLVMMetadataRef> scopes;
  for (std::size_t b = 0; b < buffers.size(); ++b) scopes.push_back(node({text("buffer" + std::to_string(b)), domain}));
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    const bool argument = buffers[b].space == kernel::Space::argument;
    std::vector<LLVMMetadataRef> others;
    for (std::size_t o = 0; o < buffers.size(); ++o)
      if (o != b && (!argument || buffers[o].space != kernel::Space::argument || buffers[o].apart != buffers[b].apart))
        others.push_back(scopes[o]);
    u.scope.push_back(LLVMMetadataAsValue(c, node({scopes[b]})));
    u.disjoint.push_back(others.empty() ? nullptr : LLVMMetadataAsValue(c, node(others)));
  }
}
}  // namespace ordo::codegen::llvm
