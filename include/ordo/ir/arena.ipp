#pragma once
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>
#include "ordo/ir/arena.hpp"

namespace ordo::ir {
namespace detail_arena {
struct Block {
  Block* next;
};
struct Slot {
  u64 hash;
  Ref node;
};
struct Text {
  u64 hash;
  const char* text;
};

inline u64 mix(u64 h, u64 x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}
inline u64 bits_of(const void* p) { return static_cast<u64>(reinterpret_cast<std::uintptr_t>(p)); }
inline u64 hash_of(const char* text) {
  u64 h = 0x51ed270b;
  for (; *text != '\0'; ++text) h = (h ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return mix(h, 0);
}

// Open addressing, at most half full. `same(entry)` is asked for entries of an equal hash only.
template <class Entry, class Same>
Entry& find(std::vector<Entry>& table, u64 hash, bool (*empty)(const Entry&), Same same) {
  const std::size_t mask = table.size() - 1;
  for (std::size_t k = static_cast<std::size_t>(hash) & mask;; k = (k + 1) & mask)
    if (empty(table[k]) || (table[k].hash == hash && same(table[k]))) return table[k];
}
template <class Entry>
void grow(std::vector<Entry>& table, bool (*empty)(const Entry&)) {
  std::vector<Entry> old(table.size() * 2);
  old.swap(table);
  for (const Entry& entry : old)
    if (!empty(entry)) find(table, entry.hash, empty, [](const Entry&) { return false; }) = entry;
}
inline bool no_node(const Slot& s) { return s.node == nullptr; }
inline bool no_text(const Text& t) { return t.text == nullptr; }
}  // namespace detail_arena

struct ArenaBody {
  char* cursor = nullptr;
  char* limit = nullptr;
  detail_arena::Block* blocks = nullptr;
  std::size_t next_bytes = 4096;
  std::size_t nodes = 0, texts = 0;
  std::vector<detail_arena::Slot> slots = std::vector<detail_arena::Slot>(64);
  std::vector<detail_arena::Text> names = std::vector<detail_arena::Text>(16);

  char* allocate(std::size_t bytes) {
    bytes = (bytes + 7) & ~std::size_t{7};
    if (static_cast<std::size_t>(limit - cursor) < bytes) {
      const std::size_t size = bytes + sizeof(detail_arena::Block) > next_bytes ? bytes + sizeof(detail_arena::Block) : next_bytes;
      auto* block = static_cast<detail_arena::Block*>(std::malloc(size));
      if (block == nullptr) throw std::bad_alloc();
      block->next = blocks;
      blocks = block;
      cursor = reinterpret_cast<char*>(block) + sizeof(detail_arena::Block);
      limit = reinterpret_cast<char*>(block) + size;
      if (next_bytes < (std::size_t{1} << 18)) next_bytes *= 2;
    }
    char* made = cursor;
    cursor += bytes;
    return made;
  }
};

ORDO_INLINE Arena::Arena() : body_(new ArenaBody) {}
ORDO_INLINE Arena::~Arena() {
  if (body_ == nullptr) return;
  for (detail_arena::Block* b = body_->blocks; b != nullptr;) {
    detail_arena::Block* next = b->next;
    std::free(b);
    b = next;
  }
  delete body_;
}

ORDO_INLINE const char* Arena::intern(const char* text) {
  if (text == nullptr || *text == '\0') return "";
  if (2 * body_->texts >= body_->names.size()) detail_arena::grow(body_->names, &detail_arena::no_text);
  const u64 hash = detail_arena::hash_of(text);
  detail_arena::Text& entry = detail_arena::find(body_->names, hash, &detail_arena::no_text,
                                                 [&](const detail_arena::Text& t) { return std::strcmp(t.text, text) == 0; });
  if (entry.text == nullptr) {
    const std::size_t n = std::strlen(text) + 1;
    entry = {hash, static_cast<const char*>(std::memcpy(body_->allocate(n), text, n))};
    ++body_->texts;
  }
  return entry.text;
}

ORDO_INLINE Ref Arena::make(Op op, Type type, const Ref* sources, u32 count, u64 arg, const char* name, Where at, u16 lanes) {
  name = intern(name);
  const bool named = *name != '\0';  // "" may be several addresses
  u64 hash = detail_arena::mix(
      static_cast<u64>(op) | static_cast<u64>(type) << 8 | static_cast<u64>(lanes) << 16 | static_cast<u64>(count) << 32, arg);
  if (named) hash = detail_arena::mix(hash, detail_arena::bits_of(name));
  for (u32 k = 0; k < count; ++k) hash = detail_arena::mix(hash, detail_arena::bits_of(sources[k]));
  if (2 * body_->nodes >= body_->slots.size()) detail_arena::grow(body_->slots, &detail_arena::no_node);
  detail_arena::Slot& slot = detail_arena::find(body_->slots, hash, &detail_arena::no_node, [&](const detail_arena::Slot& s) {
    const Node& n = *s.node;
    return n.op == op && n.type == type && n.lanes == lanes && n.count == count && n.arg == arg &&
           (named ? n.name == name : *n.name == '\0') && (count == 0 || std::memcmp(n.src, sources, count * sizeof(Ref)) == 0);
  });
  if (slot.node != nullptr) return slot.node;
  char* memory = body_->allocate(sizeof(Node) + count * sizeof(Ref));
  Ref* copied = reinterpret_cast<Ref*>(memory + sizeof(Node));
  if (count > 0) std::memcpy(copied, sources, count * sizeof(Ref));
  slot = {hash, new (memory) Node{op, type, lanes, count, arg, copied, name, at}};
  ++body_->nodes;
  return slot.node;
}

ORDO_INLINE std::size_t Arena::size() const { return body_->nodes; }
}  // namespace ordo::ir
