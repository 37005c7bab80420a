// What the parts of the lowering share: the loops of one stage, how indices are put together from them, which guards
// that needs, how expressions are translated. Internal to the room.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include "ordo/ir/pin.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/kernel/fold.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/plan/recurrence.hpp"

namespace ordo::kernel::detail_lower {
using namespace ir;

// A position of `relation`'s parent loop that must lie below its extent before the element exists.
struct Guard {
  int relation;                  // split that made it; -1 - root for an axis put together from parts
  int parent;                    // loop number; -1: the axis of the root
  bool reduction;
  Tail tail;
  std::vector<int> loops;        // live loops its position depends on, in nest order
  bool width = false;            // of a cover: the position in its tile, that must lie below the size of that
};

struct Place {                   // a place of the number of a part: its lane, its block
  int loop;                      // whose turns are its numbers
  Ref axis;                      // nullptr: a loop of a reduction whose order is free
  bool halves;                   // joined by halving; else in pairs of neighbours
  Ref count;
  bool inside;                   // all of it runs in the tile
};
enum class Presence : u8 {       // how parts without elements are told from others
  certain,                       // not at all: they hold what joins to nothing
  neutral,                       // they are given such a value at the start
  extents,                       // by the extents of their axes
  flagged,                       // each has a flag: a condition skips elements
};

enum class Mode : u8 {           // how a tile meets the guards that outer loops leave open
  full,                          // all hold for the whole tile
  masked,                        // lanes are masked, other indices are clamped into range, stores are guarded
  guarded,                       // element by element, each access tested where it stands
};

using Buffers = std::unordered_map<int, u32>;            // by tensor number

// grains.ipp: a loop whose turns threads take `grain` at a time
Ref loop_by(Kernel& kernel, LoopMode mode, i64 grain, Ref var, Ref begin, Ref end, Ref body);

class Lowering {
 public:
  Lowering(const plan::Plan& plan, int stage, int constant, const Layout& layout, const Target& target, const Planted& planted,
           Kernel& kernel, Buffers& buffers, const nest::Stage* region = nullptr);
  void run();
  u16 lanes() const;
  // recurrence.ipp: of a stage that goes through time with others
  void prepare();
  Ref around(const auto& body) { return parked(stored_at(nest::Storage::whole, with_packs(-1, body))); }
  Ref time_extent();
  Ref step(Ref time, i64 started);
  Ref turn(int loop, Ref place, i64 started = 0);
  // turns.ipp: of a stage in whose turns others are computed, and of those
  Lowering& hold(std::unique_ptr<Lowering> guest);
  const std::vector<int>& guest_stages() const { return stage_.guests; }
  Ref whole_nest() { return around([&] { return nest_from(0); }); }
  Lowering* lowering_of(int stage);
  i64 longest_lag();
  bool carries(int time);
  void make_carry();
  bool is_carried(Ref load) const;

 private:
  // loops.ipp
  void collect_loops();
  void collect_guards();
  bool depends(int loop, int live) const;
  Ref size(Ref expression);      // an i64 expression over Dims, in the kernel's arena
  Ref extent(int loop) { return extent_[static_cast<std::size_t>(loop)]; }
  Ref index(int loop, bool clamp);
  Ref axis_index(Ref axis, bool clamp);
  void bind(int loop, Ref value);          // forgets memoised indices
  Ref position(const Guard& g);
  Ref bound(const Guard& g);
  Ref position_at(const Guard& g, const std::vector<int>& loops, bool last);
  bool rises(const Guard& g, const std::vector<int>& loops);
  bool rises(int loop, int live) const;
  Ref growth(int loop, int live);
  Ref growth(const Guard& g, int live);
  Ref turns_with_all(const Guard& g, int loop, const std::vector<int>& inner);
  Ref clipped(int loop, Ref end, const std::vector<int>& inner, std::vector<std::size_t>& settled);

  // tails.ipp
  bool shifts(const nest::Relation& relation);
  Ref start(const nest::Relation& relation, bool clamp);
  Ref fits(const Guard& g);
  nest::Tiles tiles(const nest::Relation& relation);
  Ref width(const Guard& g);
  int covering(int loop) const;
  Ref covered_turns(int relation, LoopMode mode, Ref end, const std::vector<std::size_t>& settled, const auto& body);

  bool is_time(int loop) const {
    return stage_.loops[static_cast<std::size_t>(loop)].kind == nest::Kind::ordered &&
           !stage_.loops[static_cast<std::size_t>(loop)].reduction;
  }

  // turns.ipp
  bool is_placed() const { return stage_.placed.stage >= 0; }
  const nest::Region* region_of(Ref axis) const;           // of a placed stage; nullptr
  Ref at_turn(Ref expression);   // of bases and ends: where the loops around stand
  Ref in_turn(i64 started);
  Ref with_guests(int loop, const auto& body);
  Ref stored_along(int loop, Ref statement);
  Ref stored_at(int loop, Ref statement);
  Ref pieces();
  std::vector<u32> tile_buffers();
  i64 longest_lag_at(int loop);
  const std::vector<nest::Region>& regions_of(int tensor) const;  // of a tensor in turns
  Ref tile_size(int tensor, std::size_t dimension);
  Ref tile_index(int tensor, std::size_t dimension, Ref index);
  bool covered(Ref load) const;

  // place.ipp
  Ref bare_loop(std::size_t depth);
  Ref nest_from(std::size_t depth);
  Ref loop_around(std::size_t depth);
  Ref turns(int loop, LoopMode mode, Ref begin, Ref end, const std::vector<std::size_t>& assumed, const auto& body);
  Ref steps(int loop, Ref end, const std::vector<std::size_t>& assumed, const auto& body);
  Ref parked(Ref body);
  void choose_park();
  Ref join_nest(std::size_t depth);
  // Are parks made in the turns of a loop, in the order of the loops inside? Parts always; else where the schedule says so.
  bool parks_in_turn() const { return !places_.empty() || stage_.cached_at >= 0; }
  bool is_part(int loop) const { return part_[static_cast<std::size_t>(loop)]; }

  // pin.ipp
  enum class Pinned : u8 { none, start, steps, finish };
  struct Turns { Ref begin, end; };
  void find_pin();
  Ref pinned_nest();
  Ref pinned_tile();
  Turns pinned_turns(Ref end);
  bool passes_over(int loop) const {       // reduction loops, where initial values and results have loops of their own
    return (pin_phase_ == Pinned::start || pin_phase_ == Pinned::finish) && stage_.loops[static_cast<std::size_t>(loop)].reduction;
  }

  // parts.ipp
  void collect_parts();
  void settle_parts();
  bool parts_in_registers();
  Ref last_number(int loop, bool inside);
  Ref place_size(std::size_t p, bool inside);
  Ref part_offset(bool inside);
  Ref part_count(bool inside);
  Ref left_number(std::size_t from, bool count, int accumulator = -1);
  Ref among_parts(std::size_t from, bool inside, int accumulator = -1);
  Type accumulator_type(u32 accumulator) const;
  Ref lane_present(std::size_t p);
  Ref first_value(u32 f, Ref init);
  void make_parks();
  u32 accumulator_count() const;

  // join.ipp
  Ref any_element();
  Ref join_in_tile();
  Ref join_in_memory();
  LoopMode join_mode(std::size_t p) const;
  Ref each(LoopMode mode, const char* name, Ref end, const auto& body);
  Ref join_over(std::size_t p, const auto& leaf);
  Ref pair_offset(Ref number, u32 accumulator);
  Ref join_leaf();

  // members.ipp
  void collect_members();
  std::vector<bool> axes_of(u32 accumulator) const;

  // tile.ipp
  Ref tile();
  Ref tile_version(Mode mode);
  Ref reduction();
  Ref joined();
  void make_accumulators();
  enum class Phase : u8 { init, park_in, ahead, step, join, set_aside, finish, park_out, check_init, check_step, check_finish };
  bool runs(int loop, Phase phase) const;
  Ref tile_nest(std::size_t depth, Phase phase);
  Ref tile_reduction_loop(std::size_t depth, Phase phase);
  Ref leaf(Phase phase);
  Ref step_leaf();
  Ref store_leaf(bool finish);
  Ref checks_leaf(Phase phase);
  Ref tested(Ref body);
  bool to_check(Phase phase);
  bool tested_late();
  bool in_tile(int loop) const;
  enum class Vary : u8 { any, by_lane, not_by_lane };
  Ref guard_condition(bool reductions, Vary vary);
  Ref tile_offset(u32 accumulator);
  bool grouped(Phase phase) const;
  std::vector<u32> accumulators_now() const;
  i64 tile_elements(u32 accumulator);
  Ref park_offset();
  Ref nonempty(const std::vector<int>& inside);
  Ref first_turn();
  Ref last_turn();

  // prefetch.ipp
  Ref prefetches(const std::vector<Ref>& values);
  std::vector<Ref> step_values() const;
  std::vector<Ref> places_read(const nest::Prefetch& prefetch);
  bool within_a_line(const nest::Prefetch& prefetch, std::size_t depth);
  bool moves_prefetch(int loop);
  std::vector<std::size_t> lines_from(std::size_t depth);
  Ref lines_ahead(std::size_t depth, const std::vector<std::size_t>& prefetches);
  void add_prefetches(const nest::Prefetch& prefetch, Ref value, std::vector<Ref>& all);

  // aside.ipp
  bool sets_aside();
  Ref finished();
  Ref vectors_in_turn(int loop, const auto& body);

  // packs.ipp
  Ref with_packs(int at, const auto& body);
  Ref filled(std::size_t pack);
  Ref fill(std::size_t pack, std::size_t depth);
  Ref fill_leaf(std::size_t pack, bool masked);
  i64 turned(std::size_t pack, std::size_t depth);
  Ref fill_turned(std::size_t pack, std::size_t depth, i64 rows);
  Ref pack_offset(std::size_t pack);
  Ref packed_load(std::size_t pack);
  void make_pack_buffer(std::size_t pack);
  Ref fill_condition(std::size_t pack, bool last);

  // layout.ipp
  const std::vector<nest::Stored>& layout_of(int tensor) const;
  Ref stored_size(int tensor, const nest::Stored& place);
  Ref part_of(Ref index, const nest::Stored& place);
  Ref stored_offset(int tensor, const std::vector<Ref>& indices);

  // value.ipp
  Ref value(Ref e);
  Ref value_uncached(Ref e);
  Ref decided(Ref e);
  Ref guarded_value(Ref e, Ref condition, bool truth);
  Ref load(Ref e);
  Ref state(Ref e);
  Ref load_from_memory(Ref e);
  Ref element_offset(int tensor, const std::vector<Ref>& indices);
  Ref lane_mask(Ref offset);
  Ref context_condition();
  void shown_in_range(Ref load, u32 dimension, bool guarded, bool& low, bool& high);
  bool sensitive(Ref e);
  bool accumulates(Ref e);
  u32 buffer_of(int tensor);
  Ref stride(int tensor, int dimension);
  Ref left_offset(int tensor, bool clamp);
  void forget_values();

  const plan::Plan& plan_;
  const ir::Program& program_;
  const nest::Stage& stage_;
  const Definition& definition_;
  const Ref time_;               // the axis of its recurrence, or nullptr
  i64 started_ = 0;              // so many steps of it are over at the statement at hand
  std::vector<std::unique_ptr<Lowering>> guests_ = {};     // computed in turns of its loops, ascending
  Lowering* host_ = nullptr;     // of a placed stage
  Ref warm_ = nullptr;           // which piece of a window that slides
  i64 turn_started_ = 0;         // so many turns of the loop at hand are over, for the recurrences that go along with it
  std::unordered_map<Ref, Ref> turn_values_ = {};          // by expression, where the loops around stand now
  u32 carry_ = ~0u;              // what the last step stored, in registers
  const int constant_;           // the pack that this launch fills, or -1
  const Layout& layout_;
  const Target& target_;
  const Planted& planted_;
  Kernel& kernel_;
  Make make_;

  std::vector<Ref> var_;         // by loop number: its Var, or the constant it stands for at the moment
  std::vector<Ref> extent_;
  std::vector<Ref> end_;         // of the loops around the tile: what its For ends at
  std::vector<bool> bound_;      // by loop: a For around the statement at hand binds it
  std::vector<bool> fill_open_;  // by loop: an unrolled or vectorized loop of the copy at hand
  bool in_fill_tile_ = false, fill_masked_ = false;
  std::vector<bool> forced_;     // by loop: a reduction loop outside the tile that runs at least once
  std::vector<Guard> guards_;
  enum class Covers : u8 { any, first, second };
  std::vector<Covers> covers_;   // by relation: of which factor the tiles at hand are
  std::vector<bool> holds_;      // by guard: shown, clipped or assumed at the moment
  std::unordered_map<int, Ref> exact_, clamped_;         // memoised indices
  std::size_t tile_ = 0;         // first position of the tile: from here on free loops are unrolled or vectorized
  int vector_ = -1;              // the vectorized loop, if any

  Mode mode_ = Mode::full;
  bool all_clamped_ = false;     // checks: lanes are clamped too
  Ref reduce_ = nullptr;         // the Reduce of the definition, if any
  std::vector<u32> accumulators_;        // buffers, by field; then, if any, flags
  std::vector<u32> parks_;       // where unfinished accumulators wait, by field
  bool parks_in_output_ = false;
  enum class Asked : u8 { where_read, now, before };      // by prefetch: where the phase at hand asks
  std::vector<Asked> asked_;
  std::vector<u32> aside_;       // where finished accumulators go that are read in a loop, by field
  bool in_aside_ = false;

  std::vector<bool> part_;       // by loop: its turns are parts, each with an accumulator of its own
  std::vector<Place> places_;    // in the order of their number
  std::vector<std::size_t> layout_of_places_;
  std::vector<Ref> at_;          // by place: the number meant, where that is not the one its loops stand at
  Presence presence_ = Presence::certain;
  std::vector<u64> neutral_;     // by field
  bool parts_outside_ = false;   // some parts run outside the tile: a nest of its own joins them
  std::size_t joined_from_ = 0;  // places from here on are joined in the tile
  std::size_t park_at_ = 0;      // parks in turns: position of the outermost loop that they are around
  bool in_join_nest_ = false, in_memory_ = false, suffix_joined_ = false;
  std::size_t joining_ = 0;
  Ref low_ = nullptr, high_ = nullptr;                   // the pair that a merge joins
  bool merging_ = false;

  Pin pin_;                      // what holds `pinned_` to one turn, inside reduction loops from `pin_from_` on
  int pinned_ = -1, pinned_root_ = -1;
  std::size_t pin_from_ = 0;
  Pinned pin_phase_ = Pinned::none;

  struct Members {               // accumulators that span the same loops of the tile
    std::vector<u32> accumulators;
    std::vector<bool> spans;     // by loop
  };
  std::vector<Members> members_; // those over more loops first; empty: all span all
  std::size_t split_at_ = 0;     // position from where each of them has loops of its own
  int member_ = -1;              // whose loops run at the moment; -1: those of all
  std::vector<u32> pack_buffers_;        // by pack; ~0u outside its place
  std::vector<std::vector<Ref>> pack_strides_;

  Buffers& buffers_;
  std::unordered_map<Ref, Ref> sizes_;
  struct Condition { Ref expression; bool truth; };
  std::vector<Condition> context_;       // what guards the expression being translated
  u32 context_id_ = 0, contexts_ = 0;
  std::unordered_map<Ref, std::unordered_map<u32, Ref>> values_;
  std::unordered_map<Ref, bool> sensitive_, accumulates_;
  struct Check { Ref outside, index; std::string text; Where at; };
  std::vector<Check> checks_;    // accesses of the statement at hand that must be tested before it
};
// A loop over [begin, end) with `assumed` guards held; one turn at a known place needs no loop.
Ref Lowering::turns(int loop, LoopMode mode, Ref begin, Ref end, const std::vector<std::size_t>& assumed, const auto& body) {
  const std::vector<bool> keep = holds_;
  for (const std::size_t g : assumed) holds_[g] = true;
  const Ref var = var_[static_cast<std::size_t>(loop)];
  const bool bound = bound_[static_cast<std::size_t>(loop)];
  bound_[static_cast<std::size_t>(loop)] = true;
  Ref result;
  if (Make::is_constant(begin) && Make::is_constant(end) && static_cast<i64>(end->arg) - static_cast<i64>(begin->arg) == 1 &&
      mode != LoopMode::vectorized) {
    bind(loop, begin);
    result = body();
  } else if (Make::is_constant(begin) && Make::is_constant(end) && static_cast<i64>(end->arg) <= static_cast<i64>(begin->arg)) {
    result = make_.block({});
  } else {
    const Ref fresh = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, var->name);
    bind(loop, fresh);
    const i64 grain = mode == LoopMode::parallel ? stage_.loops[static_cast<std::size_t>(loop)].grain : 1;
    result = loop_by(kernel_, mode, grain, fresh, begin, end, body());
  }
  bind(loop, var);
  bound_[static_cast<std::size_t>(loop)] = bound;
  holds_ = keep;
  return result;
}

// The turns of a cover's outer part: those of the first factor, then those of the second.
Ref Lowering::covered_turns(int by, LoopMode mode, Ref end, const std::vector<std::size_t>& settled, const auto& body) {
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(by)];
  const nest::Tiles count = tiles(r);
  const Ref first = end == extent(r.outer) ? count.first : make_.min(count.first, end);
  const bool plain = stage_.place(r.inner) > stage_.place(r.outer);        // a live loop inside: it takes the size of the tile
  const bool inside = provably_less_equal(make_.mul(count.first, size(r.factor)), extent(r.parent));
  const auto part = [&](Covers which, Ref from, Ref to) {
    std::vector<std::size_t> assumed = settled;
    for (std::size_t g = 0; g < guards_.size(); ++g)
      if (guards_[g].relation == by && (which == Covers::first ? guards_[g].width || inside : guards_[g].width && plain))
        assumed.push_back(g);
    covers_[static_cast<std::size_t>(by)] = which;
    Ref& whole = extent_[static_cast<std::size_t>(r.inner)];
    if (which == Covers::second && plain) whole = size(r.second);
    exact_.clear();
    clamped_.clear();
    const Ref made = turns(r.outer, mode, from, to, assumed, body);
    whole = size(r.factor);
    covers_[static_cast<std::size_t>(by)] = Covers::any;
    exact_.clear();
    clamped_.clear();
    return made;
  };
  const Ref main = part(Covers::first, make_.integer(0), first);
  return make_.block({main, part(Covers::second, first, end)});
}

// The loop over time. Its first turns, as many as the recurrence reaches back, ask what lies before the start.
Ref Lowering::steps(int loop, Ref end, const std::vector<std::size_t>& assumed, const auto& body) {
  const bool own = loop == stage_.recurrence.time;
  const i64 lag = longest_lag_at(loop);
  if (planted_.reverse_time) {
    const Ref back = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "back");
    return make_.loop(
        LoopMode::serial, back, make_.integer(0), end,
        turns(loop, LoopMode::serial, make_.sub(end, make_.add(back, make_.integer(1))), make_.sub(end, back), assumed, body));
  }
  if (lag == 0) return turns(loop, LoopMode::serial, make_.integer(0), end, assumed, body);
  const bool carry = own && carries(loop);
  if (carry) make_carry();
  const Ref begun = make_.min(make_.integer(lag), end);
  const i64 started = started_, turn_started = turn_started_;            // of a loop over time around this one
  turn_started_ = 0;
  forget_values();
  const Ref first = turns(loop, LoopMode::serial, make_.integer(0), begun, assumed, body);
  started_ = own ? lag : started;
  turn_started_ = lag;
  forget_values();
  const Ref rest = turns(loop, LoopMode::serial, begun, end, assumed, body);
  started_ = started;
  turn_started_ = turn_started;
  forget_values();
  const Ref all = make_.block({first, rest});
  if (!carry) return all;
  const Ref held = make_.alloc(carry_, all);
  carry_ = ~0u;
  return held;
}

//   before: for j in 0..48 vectorized                      after: for piece in 0..3: for lane in 0..16 vectorized, j = 16 piece + lane
Ref Lowering::vectors_in_turn(int loop, const auto& body) {
  const i64 n = lanes(), whole = static_cast<i64>(extent(loop)->arg);
  if (mode_ != Mode::full || whole <= n || whole % n != 0) return nullptr;
  const Ref piece = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "piece");
  const Ref lane = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "lane"),
            keep = var_[static_cast<std::size_t>(loop)];
  bind(loop, make_.add(make_.mul(piece, make_.integer(n)), lane));
  const Ref inner = make_.loop(LoopMode::vectorized, lane, make_.integer(0), make_.integer(n), body());
  bind(loop, keep);
  return make_.loop(LoopMode::serial, piece, make_.integer(0), make_.integer(whole / n), inner);
}

Ref Lowering::with_packs(int at, const auto& body) {
  std::vector<std::size_t> here;
  for (std::size_t p = 0; p < stage_.packs.size(); ++p)
    if (stage_.packs[p].at == at) here.push_back(p);
  std::vector<Ref> fills;
  for (const std::size_t p : here) {
    make_pack_buffer(p);
    if (!stage_.packs[p].options.constant) fills.push_back(filled(p));       // a constant one has a launch of its own
  }
  fills.push_back(body());
  Ref all = make_.block(fills);
  for (std::size_t k = here.size(); k-- > 0;) {
    if (!stage_.packs[here[k]].options.constant) all = make_.alloc(pack_buffers_[here[k]], all);
    pack_buffers_[here[k]] = ~0u;
  }
  return all;
}

// A loop's turn: what is computed in it for the stages inside, then those.
Ref Lowering::with_guests(int loop, const auto& body) {
  std::vector<Ref> all;
  const i64 started = turn_started_;
  for (const auto& g : guests_)
    if (g->stage_.placed.turn == loop) all.push_back(g->in_turn(started));
  if (all.empty()) return stored_at(loop, body());
  turn_started_ = 0;
  all.push_back(body());
  turn_started_ = started;
  return stored_at(loop, make_.block(all));
}

// The stages of a recurrence, step by step: fills kernel.body, gives back the lanes of a register.
u16 in_step(const plan::Plan& plan, const plan::Group& group, const Layout& layout, const Target& target, const Planted& planted,
            Kernel& kernel, Buffers& buffers);

// A stage and the stages computed in turns of its loops, or of one another's: the same.
u16 in_turns(const plan::Plan& plan, const plan::Group& group, const Layout& layout, const Target& target, const Planted& planted,
             Kernel& kernel, Buffers& buffers);
}  // namespace ordo::kernel::detail_lower
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/aside.ipp"
#include "ordo/kernel/join.ipp"
#include "ordo/kernel/loops.ipp"
#include "ordo/kernel/members.ipp"
#include "ordo/kernel/packs.ipp"
#include "ordo/kernel/parts.ipp"
#include "ordo/kernel/place.ipp"
#include "ordo/kernel/pin.ipp"
#include "ordo/kernel/recurrence.ipp"
#include "ordo/kernel/tails.ipp"
#include "ordo/kernel/tile.ipp"
#include "ordo/kernel/grains.ipp"
#include "ordo/kernel/prefetch.ipp"
#include "ordo/kernel/turns.ipp"
#include "ordo/kernel/layout.ipp"
#include "ordo/kernel/value.ipp"
#endif
