#include <doctest/doctest.h>
#include <vector>
#include "ordo/runtime/workspace.hpp"
using namespace ordo;
using namespace ordo::runtime;

namespace {
struct Arena {
  ir::Arena nodes;
  std::vector<Workspace> list;
  void add(i64 elements, int first, int last) { list.push_back({Size(nodes.integer(elements)), 4, first, last}); }
};
std::size_t at(void* p) { return reinterpret_cast<std::size_t>(p); }
}  // namespace

TEST_CASE("workspaces: those that live at once are apart, others share memory") {
  Arena a;
  a.add(100, 0, 1);
  a.add(50, 1, 2);
  a.add(100, 2, 3);
  a.add(10, 3, 4);
  Pool pool;
  void* place[4];
  const WorkspaceScope scope(a.list, pool, nullptr, place, {});
  for (const void* p : place) CHECK(reinterpret_cast<std::size_t>(p) % 64 == 0);
  for (std::size_t x = 0; x < 4; ++x)
    for (std::size_t y = 0; y < x; ++y) {
      if (a.list[x].last < a.list[y].first || a.list[y].last < a.list[x].first) continue;
      const auto bytes = [&](std::size_t k) { return static_cast<std::size_t>(a.list[k].elements(nullptr)) * 4; };
      CHECK((at(place[x]) + bytes(x) <= at(place[y]) || at(place[y]) + bytes(y) <= at(place[x])));
    }
  CHECK(place[2] == place[0]);
}
TEST_CASE("workspaces: sizes past the address space are refused, empty ones are not") {
  Arena a;
  a.add(0, 0, 0);
  a.add(-5, 0, 0);
  Pool pool;
  void* place[3];
  { const WorkspaceScope scope(a.list, pool, nullptr, place, {}); }
  a.add(i64{1} << 61, 0, 0);
  CHECK_THROWS_AS(WorkspaceScope(a.list, pool, nullptr, place, {}), Error);
}
