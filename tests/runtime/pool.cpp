#include <doctest/doctest.h>
#include <cstring>
#include <vector>
#include "ordo/runtime/pool.hpp"
using namespace ordo;

TEST_CASE("pool: blocks are aligned, apart, and given back in reverse") {
  runtime::Pool pool;
  u64 state = 7;
  struct Made { char* at; i64 bytes; char mark; };
  std::vector<Made> live;
  for (int step = 0; step < 20000; ++step) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    if (live.size() < 40 && (state >> 40) % 5 < 3) {
      const i64 bytes = static_cast<i64>((state >> 33) % (step % 97 == 0 ? 300000 : 3000));
      char* const at = static_cast<char*>(pool.allocate(bytes));
      REQUIRE(at != nullptr);
      REQUIRE(reinterpret_cast<u64>(at) % 64 == 0);
      live.push_back({at, bytes, static_cast<char>(step)});
      if (bytes > 0) {
        at[0] = static_cast<char>(step);
        at[bytes - 1] = static_cast<char>(step);
      }
    } else if (!live.empty()) {
      const Made m = live.back();
      if (m.bytes > 0) {
        REQUIRE(m.at[0] == m.mark);
        REQUIRE(m.at[m.bytes - 1] == m.mark);
      }
      pool.release(m.at, m.bytes);
      live.pop_back();
    }
  }
  while (!live.empty()) {
    pool.release(live.back().at, live.back().bytes);
    live.pop_back();
  }
}
TEST_CASE("pool: what no machine has is refused, and the pool goes on") {
  runtime::Pool pool;
  CHECK(pool.allocate(i64{1} << 61) == nullptr);
  CHECK(pool.allocate((i64{1} << 62) + 1) == nullptr);
  void* const block = pool.allocate(100);
  CHECK(block != nullptr);
  pool.release(block, 100);
}
TEST_CASE("pool: a large block serves the next call too, tables beside it") {
  runtime::Pool pool;
  constexpr i64 large = i64{1} << 28;                    // blocks of that size do not double; fresh memory comes zeroed
  const auto call = [&] {
    void* const table = pool.allocate(100);
    char* const work = static_cast<char*>(pool.allocate(large));
    void* const copy = pool.allocate(large / 8);
    const bool kept = work[large / 2] == 'k';
    work[large / 2] = 'k';
    pool.release(copy, large / 8);
    pool.release(work, large);
    pool.release(table, 100);
    return kept;
  };
  CHECK(!call());
  call();                                                // the large block moves below the tables
  for (int k = 0; k < 4; ++k) CHECK(call());
}
