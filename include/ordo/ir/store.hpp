// Where raw nodes live: blocks that only grow. The process-wide store is written by all threads, each into its own
// piece of memory; a thread that ends leaves the rest of its piece to the next one.
#pragma once
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include "ordo/ir/builder.hpp"

namespace ordo::ir {
namespace detail_store {
struct Block {
  Block* next;
};
struct Rest {
  Rest* next;
  char* limit;
};  // lies at the start of the memory that it describes
struct Piece {
  char* cursor = nullptr;
  char* limit = nullptr;
};
inline constexpr std::size_t block_bytes = std::size_t{1} << 16;
}  // namespace detail_store

struct Store {
  bool shared = false;
  detail_store::Piece own;  // unused when shared
  std::atomic<detail_store::Block*> blocks{nullptr};
  std::atomic<detail_store::Rest*> rests{nullptr};
};

namespace detail_store {
// What `arg` of a raw Tensor points to.
struct Cell {
  std::atomic<const RawDefinition*> definition;
  int rank;
};
inline const Cell& cell_of(Ref tensor) { return *reinterpret_cast<const Cell*>(static_cast<std::uintptr_t>(tensor->arg)); }
inline Cell& open_cell(Ref tensor) { return *reinterpret_cast<Cell*>(static_cast<std::uintptr_t>(tensor->arg)); }

inline Store& front_store() {
  static Store* store = [] {
    auto* made = new Store;  // never destroyed: static handles of the user point into it
    made->shared = true;
    return made;
  }();
  return *store;
}
inline void push(std::atomic<Rest*>& list, Rest* rest) {
  rest->next = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(rest->next, rest, std::memory_order_release, std::memory_order_relaxed)) {
  }
}
inline void leave(Store& store, Piece piece) {
  if (static_cast<std::size_t>(piece.limit - piece.cursor) < 1024) return;
  push(store.rests, new (piece.cursor) Rest{nullptr, piece.limit});
}
struct ThreadPiece : Piece {
  ~ThreadPiece() { leave(front_store(), *this); }
};
inline Piece& piece_of(Store& store) {
  if (!store.shared) return store.own;
  static thread_local ThreadPiece piece;
  return piece;
}

inline Piece new_block(Store& store, std::size_t bytes) {
  const std::size_t size = bytes + sizeof(Block) > block_bytes ? bytes + sizeof(Block) : block_bytes;
  auto* block = static_cast<Block*>(std::malloc(size));
  if (block == nullptr) throw std::bad_alloc();
  block->next = store.blocks.load(std::memory_order_relaxed);
  while (!store.blocks.compare_exchange_weak(block->next, block, std::memory_order_release, std::memory_order_relaxed)) {
  }
  return {reinterpret_cast<char*>(block) + sizeof(Block), reinterpret_cast<char*>(block) + size};
}
inline void refill(Store& store, Piece& piece, std::size_t bytes) {
  if (store.shared) {
    Rest* all = store.rests.exchange(nullptr, std::memory_order_acquire);
    while (all != nullptr) {  // the whole list at once, so that no ABA can arise
      Rest* rest = all;
      all = all->next;
      char* start = reinterpret_cast<char*>(rest);
      if (static_cast<std::size_t>(rest->limit - start) >= bytes && static_cast<std::size_t>(piece.limit - piece.cursor) < bytes)
        piece = {start, rest->limit};
      else
        push(store.rests, rest);
    }
    if (static_cast<std::size_t>(piece.limit - piece.cursor) >= bytes) return;
  }
  const Piece fresh = new_block(store, bytes);
  piece = fresh;
}
inline void* allocate(Store& store, std::size_t bytes) {
  bytes = (bytes + 7) & ~std::size_t{7};
  Piece& piece = piece_of(store);
  if (static_cast<std::size_t>(piece.limit - piece.cursor) < bytes) refill(store, piece, bytes);
  char* made = piece.cursor;
  piece.cursor += bytes;
  return made;
}
inline const char* copy_text(Store& store, const char* text) {
  if (text == nullptr || *text == '\0') return "";
  const std::size_t n = std::strlen(text) + 1;
  return static_cast<const char*>(std::memcpy(allocate(store, n), text, n));
}
}  // namespace detail_store
}  // namespace ordo::ir
