#include "fuzz/schedule.hpp"
#include <algorithm>
#include <numeric>
#include <set>
#include "ordo/nest/edit.hpp"

namespace fuzz {
using namespace ordo;

namespace {
int region_in(const nest::Stage& stage, Random& random) {
  return stage.parts.empty() ? -1 : static_cast<int>(random.below(static_cast<i64>(stage.parts.size())));
}
void cover(nest::Directive& split, Random& random) {
  const i64 second = random.between(1, 6);
  split.factors = {std::to_string(second + random.of(std::vector<i64>{1, 1, 2, 3, 8})), std::to_string(second)};
  split.tail = Tail::cover;
}
std::string live_loop(const nest::Stage& s, Random& random) {
  if (s.order.empty()) return "none";
  return s.loops[static_cast<std::size_t>(random.of(s.order))].name;
}

// Numbers of the tensors that a definition reads; its own when it reads none.
std::vector<int> reads_of(const ir::Program& program, std::size_t definition) {
  std::vector<int> found;
  std::set<ir::Ref> seen;
  std::vector<ir::Ref> work{program.definitions[definition].value};
  while (!work.empty()) {
    const ir::Ref e = work.back();
    work.pop_back();
    if (!seen.insert(e).second) continue;
    if (e->op == ir::Op::Load) found.push_back(static_cast<int>(e->src[0]->arg));
    work.insert(work.end(), e->src, e->src + e->count);
  }
  if (found.empty()) found.push_back(program.definitions[definition].tensor);
  return found;
}

// A stage into turns of a loop of one that reads it, or of one in whose turns that stands; of the outermost one often, where much fits.
nest::Directive turn_move(const nest::Nest& nest, std::size_t stage, Random& random) {
  const std::vector<int> readers = nest::final_readers(nest, static_cast<int>(stage));
  const nest::Stage* host = readers.empty() ? &nest.stages[stage] : &nest.stages[static_cast<std::size_t>(random.of(readers))];
  while (host->placed.stage >= 0 && random.chance(65)) host = &nest.stages[static_cast<std::size_t>(host->placed.stage)];
  nest::Directive d;
  d.name = "compute_at";
  d.stage = nest.stages[stage].name;
  d.tensor = host->name;
  d.loops = {host->order.empty() || random.chance(50) ? live_loop(*host, random)
                                                      : host->loops[static_cast<std::size_t>(host->order.front())].name};
  if (!host->guests.empty() && random.chance(60))  // where others are already
    d.loops = {host->loops[static_cast<std::size_t>(nest.stages[static_cast<std::size_t>(random.of(host->guests))].placed.turn)].name};
  const nest::Recurrence& recurrence = nest.stages[stage].recurrence;  // along its time, where the host has a loop over it
  if (recurrence.first >= 0 && random.chance(70))
    for (const nest::Access& a : nest::accesses(nest, *host, nest::definition_of(nest, nest.stages[stage]).tensor))
      for (const nest::Root& root : host->roots)
        if (root.axis == a.load->src[recurrence.axis + 1] && host->place(root.loop) >= 0)
          d.loops = {host->loops[static_cast<std::size_t>(root.loop)].name};
  return d;
}

// For sizes that a call may have, and may not.
nest::Directive special_move(const nest::Nest& nest, Random& random) {
  nest::Directive d;
  d.name = "specialize";
  if (nest.program.dims.empty()) return d;
  const auto one = [&] {
    const std::string dim = random.of(nest.program.dims).name;
    switch (random.below(5)) {
      case 0: return dim + " == " + std::to_string(random.between(1, 20));
      case 1: return dim + " >= " + std::to_string(random.between(1, 12));
      case 2: return dim + " < " + std::to_string(random.between(5, 20));
      default: return dim + " % " + std::to_string(random.between(2, 4)) + " == 0";
    }
  };
  d.when = one();
  if (random.chance(40)) d.when += " && " + one();
  return d;
}

// Around the turns of a placed stage; then a ring of what slides.
nest::Directive storage_move(const nest::Nest& nest, std::size_t stage, Random& random) {
  const nest::Stage& s = nest.stages[stage];
  nest::Directive d;
  d.stage = s.name;
  if (s.placed.stored.loop == nest::Storage::turn) {
    d.name = "store_at";
    d.tensor = nest.stages[static_cast<std::size_t>(std::max(s.placed.stage, 0))].name;
    const nest::Stage& host = nest.stages[static_cast<std::size_t>(std::max(s.placed.stage, 0))];
    if (random.chance(50)) d.loops = {live_loop(host, random)};
    return d;
  }
  d.name = "fold_storage";
  const ir::Ref axis = nest::definition_of(nest, s).axes[static_cast<std::size_t>(std::max(s.placed.stored.slides, 0))];
  d.loops = {random.chance(80) ? axis->name : live_loop(s, random)};
  if (random.chance(50)) d.factors = {std::to_string(random.between(2, 9))};
  return d;
}

nest::Directive random_directive(const nest::Nest& nest, Random& random) {
  const std::size_t n = static_cast<std::size_t>(random.below(static_cast<i64>(nest.stages.size())));
  const nest::Stage& whole = nest.stages[n];
  const int region = region_in(whole, random);
  const nest::Stage& s = region < 0 ? whole : whole.parts[static_cast<std::size_t>(region)];
  nest::Directive d;
  d.stage = s.name;
  d.region = region;
  if (random.chance(10) && !s.order.empty() && s.parts.empty()) {
    d.name = "regions";
    d.loops = {s.loops[static_cast<std::size_t>(s.order.front())].name};
    d.factors = {std::to_string(random.between(0, 5))};
    if (random.chance(50)) d.factors.push_back(std::to_string(random.between(1, 12)));
    return d;
  }
  switch (random.below(23)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      d.name = "split";
      d.loops = {live_loop(s, random)};
      d.factors = {std::to_string(random.of(std::vector<i64>{1, 2, 3, 4, 5, 7, 8, 16, 20}))};
      if (random.chance(20)) d.factors.push_back(std::to_string(random.between(1, 4)));
      d.tail = random.of(std::vector<Tail>{Tail::mask, Tail::mask, Tail::guard, Tail::peel, Tail::exact, Tail::shift_in});
      if (random.chance(15)) cover(d, random);
      break;
    }
    case 4:
    case 5:
    case 6: {
      d.name = "reorder";
      for (const int l : s.order)
        if (random.chance(75)) d.loops.push_back(s.loops[static_cast<std::size_t>(l)].name);
      for (std::size_t k = d.loops.size(); k > 1; --k)
        std::swap(d.loops[k - 1], d.loops[static_cast<std::size_t>(random.below(static_cast<i64>(k)))]);
      break;
    }
    case 7: {
      d.name = "fuse";
      if (s.order.size() > 1) {
        const std::size_t at = static_cast<std::size_t>(random.below(static_cast<i64>(s.order.size()) - 1));
        for (const std::size_t k : {at, at + 1}) d.loops.push_back(s.loops[static_cast<std::size_t>(s.order[k])].name);
      } else {
        d.loops = {"none", "none"};
      }
      break;
    }
    case 8:
      d.name = "unroll";
      d.loops = {live_loop(s, random)};
      break;
    case 9:
      d.name = "vectorize";
      d.loops = {random.chance(70) && !s.order.empty() ? s.loops[static_cast<std::size_t>(s.order.back())].name : live_loop(s, random)};
      break;
    case 10:
      d.name = "parallel";
      d.loops = {random.chance(60) && !s.order.empty() ? s.loops[static_cast<std::size_t>(s.order.front())].name : live_loop(s, random)};
      if (random.chance(40)) d.factors = {std::to_string(random.between(1, 5))};
      break;
    case 11:
    case 12:
    case 13: {
      d.name = "pack";
      if (!s.packs.empty() && random.chance(40)) {  // the copy's own loops
        const nest::Pack& p = random.of(s.packs);
        d.stage += "/" + p.name;
        d.name = random.of(std::vector<const char*>{"parallel", "unroll", "vectorize"});
        if (!p.order.empty()) d.loops = {s.loops[static_cast<std::size_t>(random.of(p.order))].name};
        break;
      }
      if (!random.chance(30)) d.loops = {live_loop(s, random)};
      else d.pack.constant = random.chance(50);
      d.tensor = nest.program.tensors[static_cast<std::size_t>(random.of(reads_of(nest.program, n)))].name;
      d.pack.pad = random.chance(30) ? random.between(1, 5) : 0;
      d.pack.memory = random.of(std::vector<Memory>{Memory::automatic, Memory::heap, Memory::stack});
      break;
    }
    case 14:
    case 15: return turn_move(nest, n, random);
    case 21: return storage_move(nest, n, random);
    case 16: d.name = "store_nontemporal"; break;
    case 22:
      d.name = "align";
      d.tensor = nest.program.tensors[static_cast<std::size_t>(
          random.chance(50) ? nest.program.definitions[n].tensor : random.of(reads_of(nest.program, n)))].name;
      d.factors = {std::to_string(random.of(std::vector<i64>{4, 8, 16, 32}))};
      break;
    case 17:
    case 18:
      d.name = "prefetch";
      d.loops = {live_loop(s, random)};
      d.factors = {std::to_string(random.of(std::vector<i64>{1, 1, 2, 5, 1000}))};
      d.tensor = nest.program.tensors[static_cast<std::size_t>(random.of(reads_of(nest.program, n)))].name;
      break;
    default: d.name = random.chance(70) ? "inline_" : "compute_root"; break;
  }
  return d;
}
}  // namespace

// What people write: split a free loop, move the inner part inwards, mark it. One directive after another, as far as it goes.
static std::vector<nest::Directive> tile_move(const nest::Nest& nest, Random& random) {
  const nest::Stage& stage = random.of(nest.stages);
  const int region = region_in(stage, random);
  const nest::Stage& s = region < 0 ? stage : stage.parts[static_cast<std::size_t>(region)];
  std::vector<int> free;
  for (const int l : s.order)
    if (s.loops[static_cast<std::size_t>(l)].kind == nest::Kind::free) free.push_back(l);  // of the output, or over parts
  if (free.empty()) return {};
  const std::string loop = s.loops[static_cast<std::size_t>(random.of(free))].name;
  const bool vector = random.chance(60), whole = random.chance(25);  // lanes are short as they are
  const auto directive = [&](const char* name, std::vector<std::string> loops) {
    nest::Directive d;
    d.name = name;
    d.stage = s.name;
    d.loops = std::move(loops);
    d.region = region;
    return d;
  };
  nest::Directive split = directive("split", {loop});
  split.factors = {std::to_string(vector ? random.of(std::vector<i64>{2, 3, 4, 8, 16, 20, 32}) : random.between(2, 5))};
  const std::string outer = whole ? "" : loop + ".0", inner = whole ? loop : loop + ".1";
  split.tail = random.of(std::vector<Tail>{Tail::mask, Tail::mask, Tail::guard, Tail::peel, Tail::shift_in});
  if (random.chance(15)) cover(split, random);
  std::vector<std::string> order;
  std::vector<std::string> unrolled;
  for (const int l : s.order) {
    const nest::Loop& old = s.loops[static_cast<std::size_t>(l)];
    if (old.name == loop) {
      if (!whole) order.push_back(outer);
    } else if (!vector || old.mark != nest::Mark::unrolled) order.push_back(old.name);
    else unrolled.push_back(old.name);
  }
  const bool before_vector =
      !vector && !s.order.empty() && s.loops[static_cast<std::size_t>(s.order.back())].mark == nest::Mark::vectorized;
  if (before_vector && !order.empty()) order.insert(order.end() - 1, inner);
  else order.push_back(inner);
  order.insert(order.end() - 1, unrolled.begin(), unrolled.end());
  std::vector<nest::Directive> moves{directive("reorder", order), directive(vector ? "vectorize" : "unroll", {inner})};
  if (!whole) moves.insert(moves.begin(), split);
  if (vector && random.chance(25)) moves.push_back(directive("store_nontemporal", {}));
  return moves;
}

// Another order of what is stored, one dimension in blocks now and then.
static nest::Directive layout_move(const nest::Nest& nest, Random& random) {
  const nest::Stage& s = random.of(nest.stages);
  nest::Directive d;
  d.name = "layout";
  d.stage = s.name;
  for (const nest::Root& root : s.roots)
    if (const nest::Loop& loop = s.loops[static_cast<std::size_t>(root.loop)]; !loop.reduction) d.factors.push_back(loop.name);
  if (!d.factors.empty() && random.chance(60)) {
    std::string& cut = d.factors[static_cast<std::size_t>(random.below(static_cast<i64>(d.factors.size())))];
    const std::string factor = std::to_string(random.of(std::vector<i64>{2, 3, 4, 8, 16})), name = cut;
    cut = name + " / " + factor;
    d.factors.push_back(name + " % " + factor);
  }
  for (std::size_t k = d.factors.size(); k > 1 && random.chance(80); --k)
    std::swap(d.factors[k - 1], d.factors[static_cast<std::size_t>(random.below(static_cast<i64>(k)))]);
  return d;
}

// Sums kept in the turns of a loop of the output: often with the reduction's first loop moved outside another one, so that some wait.
static std::vector<nest::Directive> cache_move(const nest::Nest& nest, Random& random) {
  const nest::Stage& s = random.of(nest.stages);
  std::vector<std::string> outside;
  std::string first;
  for (const int l : s.order) {
    const nest::Loop& loop = s.loops[static_cast<std::size_t>(l)];
    if (loop.reduction && first.empty()) first = loop.name;
    if (first.empty()) outside.push_back(loop.name);
  }
  std::vector<nest::Directive> moves;
  nest::Directive d;
  d.stage = s.name;
  if (outside.size() > 1 && !first.empty() && random.chance(70)) {
    d.name = "reorder";
    d.loops = {first, outside.back()};
    outside.pop_back();
    moves.push_back(d);
  }
  d.name = "cache_write";
  d.loops = {outside.empty() ? live_loop(s, random) : random.of(outside)};
  moves.push_back(d);
  return moves;
}

// Copies of a statement that unrolled and vectorized loops make: LLVM takes minutes for thousands.
inline i64 copies(const nest::Stage& s) {
  if (!s.parts.empty())
    return std::accumulate(s.parts.begin(), s.parts.end(), i64{0}, [](i64 n, const nest::Stage& p) { return n + copies(p); });
  i64 all = 1;
  for (const int l : s.order) {
    const nest::Loop& loop = s.loops[static_cast<std::size_t>(l)];
    if (loop.mark == nest::Mark::unrolled || loop.mark == nest::Mark::vectorized) all *= std::max<i64>(1, nest::constant_extent(loop));
  }
  return all;
}

Tried random_schedule(const ir::Program& staged, Random& random, int directives) {
  Tried tried;
  nest::Nest nest = nest::make(ir::copy(staged));
  const auto applies = [&](const nest::Directive& d) {
    try {
      nest::Nest next = nest::copy(nest);
      nest::apply(next, d);
      constexpr i64 most_copies = 600;
      const auto large = [](const nest::Nest& n) {
        return std::any_of(n.stages.begin(), n.stages.end(), [](const nest::Stage& s) { return copies(s) > most_copies; });
      };
      if (large(next)) return false;
      if (std::any_of(next.variants.begin(), next.variants.end(), [&](const nest::Variant& v) { return large(v.nest); })) return false;
      nest = std::move(next);
      tried.trace.push_back(d);
      return true;
    } catch (const Error& e) {
      if (e.kind() == Error::Kind::internal) throw;
      ++tried.refused;
      return false;
    }
  };
  const auto placed = [&](std::size_t n) {
    if (applies(turn_move(nest, n, random)) && random.chance(75) && applies(storage_move(nest, n, random)) && random.chance(60))
      applies(storage_move(nest, n, random));
  };
  if (random.chance(35))  // readers first
    for (std::size_t n = nest.stages.size(); n-- > 0;) placed(n);
  const bool anywhere = random.chance(50);  // into loops that other directives made
  for (int k = 0; k < directives; ++k) {
    if (anywhere && random.chance(20))
      for (std::size_t n = nest.stages.size(); n-- > 0;)
        if (random.chance(70)) placed(n);
    if (random.chance(12)) applies(special_move(nest, random));
    const nest::Nest& of = !nest.variants.empty() && random.chance(65) ? random.of(nest.variants).nest : nest;
    std::vector<nest::Directive> moves =
        random.chance(35)   ? tile_move(of, random)
        : random.chance(12) ? cache_move(of, random)
        : random.chance(12) ? std::vector<nest::Directive>{layout_move(of, random)}
                            : std::vector<nest::Directive>{random_directive(of, random)};
    for (nest::Directive& d : moves) d.when = of.special_for;
    for (const nest::Directive& d : moves)
      if (!applies(d)) break;
  }
  for (const nest::Stage& s : nest.stages) {
    if (s.placed.stage < 0) continue;
    const nest::Stage& host = nest.stages[static_cast<std::size_t>(s.placed.stage)];
    tried.nested += host.placed.stage >= 0 ? 1 : 0;
    tried.inner += host.order.front() != s.placed.turn ? 1 : 0;
    tried.along += s.placed.along ? 1 : 0;
    tried.sliding += s.placed.stored.slides >= 0 ? 1 : 0;
  }
  return tried;
}
}  // namespace fuzz
