// Compiled code on disk, shared by processes. An entry is a file named by its key: head, key, length, XXH3 checksum,
// bytes. Written beside and renamed, so that a reader sees all of it or nothing; verified when read. Anything wrong with
// the folder costs a warning at most, once a process.
#pragma once
#include <string>
#include "ordo/ir/digest.hpp"

namespace ordo::runtime {
std::string user_cache_folder();         // $ORDO_CACHE_DIR (empty: none), $XDG_CACHE_HOME/ordo, ~/.cache/ordo; "": none
bool read_entry(const std::string& folder, const ir::Digest& key, std::string& object);     // false: none, or not sound
void write_entry(const std::string& folder, const ir::Digest& key, const std::string& object);
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/disk_cache.ipp"
#endif
