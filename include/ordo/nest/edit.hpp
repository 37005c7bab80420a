// What the directives share: refusals as values, a stage under change, questions about loops, accesses and sizes.
#pragma once
#include <string>
#include <vector>
#include "ordo/nest/nest.hpp"

namespace ordo::nest {
struct Refusal {          // why a directive is not applied; text only when thrown
  const char* code = "";  // "": applied
  std::string message;    // "cannot split `i` by 7: extent 64 is ..."
  std::string help;
  int arrow = -1;  // the loop in question
  int stage = -1;  // whose loops to show, when not those of the stage scheduled
  explicit operator bool() const { return *code != '\0'; }
};

// One directive at work: copies of the stages it changes, swapped in when all rules hold.
struct Edit {
  Nest& nest;
  const Directive& directive;
  int number;  // of the stage
  int pack;    // of the copy that the directive is about, or -1
  Stage stage;
  int other_number = -1;  // inline_, compute_root: the reader that takes or gives back reduction loops; compute_at: the host
  Stage other = {};
};

// Directives, each in its own file. `on_copy`: what it does to a copy, nullptr where it has no meaning there.
namespace directive {
Refusal split(Edit& edit);
Refusal fuse(Edit& edit);
Refusal reorder(Edit& edit);
Refusal reorder_copy(Edit& edit);
Refusal unroll(Edit& edit);
Refusal vectorize(Edit& edit);
Refusal parallel(Edit& edit);
Refusal mark_copy(Edit& edit);  // unroll, vectorize and parallel of a copy loop
Refusal pack(Edit& edit);
Refusal prefetch(Edit& edit);
Refusal store_nontemporal(Edit& edit);
Refusal cache_write(Edit& edit);
Refusal align(Edit& edit);
Refusal layout(Edit& edit);
Refusal compute_root(Edit& edit);
Refusal compute_at(Edit& edit);
Refusal store_at(Edit& edit);
Refusal fold_storage(Edit& edit);
Refusal inline_(Edit& edit);
Refusal regions(Edit& edit);

struct Row {
  const char* name;
  const char* verb;  // in errors: "cannot <verb> ..."
  Refusal (*apply)(Edit&);
  Refusal (*on_copy)(Edit&);
  int least_loops, most_loops;
  bool factors, tensor;     // it needs at least one factor; a tensor
  bool no_factors = false;  // it takes none
};
inline constexpr int any_number = 1 << 20;
inline constexpr Row rows[] = {
    {"split", "split", split, nullptr, 1, 1, true, false},
    {"fuse", "fuse", fuse, nullptr, 2, 2, false, false, true},
    {"reorder", "reorder", reorder, reorder_copy, 1, any_number, false, false, true},
    {"unroll", "unroll", unroll, mark_copy, 1, 1, false, false, true},
    {"vectorize", "vectorize", vectorize, mark_copy, 1, 1, false, false, true},
    {"parallel", "parallelize", parallel, mark_copy, 1, 1, false, false},
    {"pack", "pack", pack, nullptr, 0, 1, false, true, true},
    {"prefetch", "prefetch", prefetch, nullptr, 1, 1, true, true},
    {"store_nontemporal", "store", store_nontemporal, nullptr, 0, 0, false, false, true},
    {"compute_root", "compute", compute_root, nullptr, 0, 0, false, false, true},
    {"compute_at", "compute", compute_at, nullptr, 1, 1, false, true, true},
    {"store_at", "store", store_at, nullptr, 0, 1, false, true, true},
    {"fold_storage", "fold", fold_storage, nullptr, 1, 1, false, false},
    {"inline_", "inline", inline_, nullptr, 0, 0, false, false, true},
    {"regions", "cut", regions, nullptr, 1, 1, true, false},
    {"cache_write", "keep sums in turns of", cache_write, nullptr, 1, 1, false, false, true},
    {"align", "align", align, nullptr, 0, 0, true, true},
    {"layout", "lay out", layout, nullptr, 0, 0, true, false},
};
}  // namespace directive

// apply.ipp
Refusal attempt(Nest& nest, const Directive& directive, int stage, int pack);  // the nest is as it was when refused
Refusal attempt(Nest& nest, const Directive& directive);                       // the stage by its name
Refusal no_stage(const Nest& nest, const std::string& name);
int stage_index(const Nest& nest, const std::string& name);                                         // -1
int pack_index(const Stage& stage, const std::string& name);                                        // -1
const directive::Row* row_of(const std::string& name);                                              // nullptr
inline bool of_host(const Directive& d) { return d.name == "compute_at" || d.name == "store_at"; }  // its loop is of another stage

// refusal.ipp: names in error texts
std::string cannot(const Directive& directive);   // "cannot split `i` by 8", "cannot unroll `k` of `B.pack`"
std::string line_of(Where at);                    // "matmul.cpp:18", or "" when unknown
std::string at_line(const char* what, Where at);  // "vectorize at matmul.cpp:18", "vectorize"
std::string ticked(const std::string& name);
std::string listed(const std::vector<std::string>& names, const char* last = "and");       // "`a`, `b` and `c`"
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);  // "did you mean `x`?", or ""
std::string print_directive(const Directive& directive);                                   // print_trace.ipp: one line of source
[[noreturn]] void refuse(const Nest& nest, int stage, const Refusal& refusal, Where at);
std::string text_of(const Nest& nest, int stage, const Refusal& refusal, Where at);

// print.ipp: the lines of a printed nest
std::string loop_line(const Stage& stage, int loop);           // "for i.0 0..8, parallel"
std::string copy_line(const Stage& stage, const Pack& pack);   // "B.pack[k 0..K, j.1 0..48 vectorized] = B"
std::string stage_line(const Nest& nest, const Stage& stage);  // "C:\n"

// loops.ipp
int loop_named(const Stage& stage, const std::string& name);  // -1
std::string unused_name(const Stage& stage, const std::string& wanted);
std::vector<int> parts_of(const Stage& stage, int loop);      // the live loops it became, in nest order
std::vector<int> loops_of(const Stage& stage, ir::Ref axis);  // the same for all parts of an axis
i64 constant_extent(const Loop& loop);                        // -1: not a constant
Refusal find_loop(const Edit& edit, const std::string& name, int& loop);
Refusal not_live(const Edit& edit, int loop);       // consumed, and by whom
Refusal not_serial(const Edit& edit, int loop);     // already marked
Refusal pinned(const Edit& edit, int loop);         // a copy is made in each turn of it, or reads run ahead along it
std::string name_of(const Stage& stage, int loop);  // quoted
std::string kind_of(const Stage& stage, int loop);  // "Chain `k`": the axis it belongs to
Refusal not_copied(const Edit& edit, int loop);     // no loop of the copy that the directive is about
const char* verb_of(Mark mark);                     // the directive that makes it
const char* word_of(Mark mark);                     // "unrolled"

// access.ipp
struct Access {
  ir::Ref load;
  bool guarded = false;       // read only where a condition holds
  bool inside = false;        // by the steps of a reduction
  bool through = false;       // of an inlined stage
  std::vector<ir::Ref> axes;  // of the stage, that its indices mention
  std::vector<ir::Ref> at;    // by dimension: the axis of the stage that its index is, or nullptr
  bool gather = false;        // an index depends on data
};
std::vector<Access> accesses(const Nest& nest, const Stage& stage, int tensor);  // distinct; at most 16 of them
ir::Ref reduction_of(ir::Ref value);                                             // the Reduce of a staged definition, or nullptr
std::vector<int> reads_of(ir::Ref value);                                        // tensor numbers, ascending
const ir::Definition& definition_of(const Nest& nest, const Stage& stage);
std::vector<int> reads_through(const Nest& nest, int stage);  // tensors that it reads, also by what is inlined into it
std::vector<int> final_readers(const Nest& nest, int stage);  // the stages where its values are used, past inlined ones
bool has_reduction(const Stage& stage);                       // its own or an inlined one

// recurrence.ipp
std::vector<Recurrence> recurrences(const ir::Program& staged);                                        // by definition
bool recurs_across(const ir::Definition& definition, const Recurrence& recurrence, std::size_t axis);  // reads itself elsewhere on it
bool starts_from(const Nest& nest, const Stage& stage, int tensor);  // an initial value of its recurrence reads it
Refusal recurrence_broken(const Edit& edit);

// region.ipp
Refusal derive_regions(Nest& nest, const Edit& edit, int stage, Placement& placed);  // what its readers read in one turn
ir::Ref whole_axis(const Stage& stage, int loop);  // the axis of the output that a live loop runs over, or nullptr

// slide.ipp: of a stage that is stored longer than a turn: what that computes, and which elements memory holds
Refusal derive_storage(Nest& nest, const Edit& edit, int stage, Placement& placed, const std::vector<Region>& held);
// store_at.ipp: why a stage cannot be stored around its turns; ""
std::string unfit_storage(const Stage& host, const Placement& placed);

// compute_at.ipp
Refusal resize_loops(const Edit& edit, Stage& stage, const Placement* placed);  // to its regions; nullptr: to all of it
Refusal placement_broken(const Edit& edit, const Stage& stage, int number);
using Placements = std::vector<std::pair<int, Placement>>;
Refusal refresh_regions(const Edit& edit, Placements& before);  // of all stages that the directive may concern, once it is applied

// prefetch.ipp, store_nontemporal.ipp, cache_write.ipp: what they ask of later directives
Refusal prefetch_broken(const Edit& edit);
Refusal stores_broken(const Edit& edit);
Refusal caches_broken(const Edit& edit);

// tails.ipp: what a tail asks of its loop, and of later directives
Refusal not_shifted(const Edit& edit, int loop);
Refusal not_covered(const Edit& edit, int loop, const std::vector<ir::Ref>& factors);
Refusal two_factors(const Directive& directive);
Refusal tails_broken(const Edit& edit, const Stage& stage, int number);

// regions.ipp
Refusal regions_broken(const Edit& edit);

// specialize.ipp
Refusal add_variant(Nest& nest, const Directive& directive);
Nest* variant_named(Nest& nest, const std::string& when);  // "": the nest; nullptr: there is none
Refusal no_variant(const Nest& nest, const Directive& directive);

// size.ipp: sizes as text, and checked
ir::Ref parse_plain_size(const Nest& nest, const std::string& text, std::string& wrong);  // without the facts of the nest
ir::Ref parse_size(const Nest& nest, const std::string& text, std::string& wrong);        // nullptr with `wrong` set
ir::Ref translate_size(Nest& nest, ir::Ref raw, std::string& wrong);                      // a raw expression in the program's arena
std::string print_size(ir::Ref size);
ir::Ref ceil_div(ir::Arena& arena, ir::Ref size, ir::Ref by);
bool at_least_one(const Nest& nest, ir::Ref size);

// packs.ipp, check.ipp: what must hold after each directive
std::vector<int> copy_loops(const Nest& nest, const Stage& stage, const Pack& pack);  // derived: inside `at`, indexing the tensor
int reduction_outside(const Edit& edit, const Pack& pack);  // a reduction loop around the place of a copy read outside it, or -1
Refusal refresh_packs(Edit& edit);                          // orders and marks of the copies follow the loops
std::vector<int> serial_inside(const std::vector<int>& order, const std::vector<Mark>& marks, int loop);  // loops that are not unrolled
std::string call_of(const Stage& stage, const char* directive, const std::vector<int>& loops);            // "reorder(k, j.1)"
Refusal check_marks(const Edit& edit);
Refusal too_long(const Edit& edit, int loop, i64 most, const char* code);  // its extent is no constant of at most `most`
Refusal not_innermost(const Edit& edit, const std::vector<int>& order, const std::vector<Mark>& marks, int loop);
Refusal too_many_copies(const Edit& edit, const std::vector<int>& order, const std::vector<Mark>& marks, int loop);
}  // namespace ordo::nest
