#pragma once
#include <string>
#include "ordo/runtime/key.hpp"

namespace ordo::runtime {
ORDO_INLINE ir::Digest code_key(const KernelBody& body, std::size_t group, const kernel::Layout& layout) {
  const Target& t = body.target;
  const GroupTable& g = body.groups[group];
  std::string text = "ordo " + std::to_string(library_version) + " numerics " + std::to_string(numerics_version);
  text += std::string("\n") + t.backend->name + " " + t.backend->version();
  text += std::string("\n") + t.triple + "\n" + t.cpu + "\n" + t.features + "\n" + std::to_string(t.vector_bits) + " " +
          std::to_string(t.vector_registers);
  text += std::string(t.fma ? " fma" : "") + (t.masked_memory ? " masked" : "") + (t.half ? " half" : "") + (t.lookups ? " lookups" : "") +
          (t.byte_dots ? " dots" : "");
  text += std::string(body.planted.reverse_chain ? " reverse_chain" : "") + (body.planted.drop_tail ? " drop_tail" : "") +
          (body.planted.contract ? " contract" : "") + (body.planted.wrong_tree ? " wrong_tree" : "") +
          (body.planted.reverse_time ? " reverse_time" : "") + (body.planted.half_lanes ? " half_lanes" : "");
  if (body.planted.split_fma > 0) text += " split_fma " + std::to_string(body.planted.split_fma);
  if (body.planted.coefficient > 0) text += " coefficient " + std::to_string(body.planted.coefficient);
  text += "\n";
  for (const int argument : g.arguments) text += std::to_string(layout[static_cast<std::size_t>(argument)]) + " ";
  char hex[33];
  ir::hex(g.digest, hex);
  text += hex;
  return ir::digest_of(text.data(), text.size());
}
}  // namespace ordo::runtime
