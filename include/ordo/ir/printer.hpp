// Writes expressions as text. With a Program behind it the text is exact: names are unique, and a value that stands in
// several places is written once, `(t1 := a + b)`, and named from then on. Without one it is short and for people.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>
#include "ordo/ir/form.hpp"
#include "ordo/ir/sugar.hpp"

namespace ordo::ir {
class Printer {
 public:
  explicit Printer(const Program* program);
  void program_text();
  void expression(Ref e, int level = 0) { said_.push_back({e, level, {}}); }
  void flush();
  std::string text;

 private:
  enum class Share : u8 { none, pending, named };
  struct Sharing { u32 uses; Share share; u32 label; };
  struct Piece { Ref node; int level; std::string words; };     // an expression still to be written, or words
  void say(std::string words) { said_.push_back({nullptr, 0, std::move(words)}); }
  void shared_or_node(Ref e, int level);
  void begin_line(const std::vector<Ref>& roots);      // counts uses; labels and axes are named per line
  std::vector<Ref> printed_sources(Ref e);             // what expression() will be called with
  void definition(const Definition& d);
  void shape(const TensorInfo& t);
  void node(Ref e, int level);
  void infix(Ref e, int level);
  void prefix(Ref e, const char* sign, int level);
  void call(const char* function, Ref e, u32 first = 0);
  void list(Ref e, u32 first, u32 last);
  void load(Ref e);
  void axes(const ReduceView& v);
  void axis(Ref a);
  void field(Ref e);
  void fold(Ref reduce, const Sugar& s);
  void reduce(Ref e);
  void leaf(Ref e);
  const std::string& name_of_local(Ref e, const std::string& wanted);
  std::string unique(const std::string& wanted, u64 place);
  const Sugar& sugar(Ref reduce);
  bool infix_shared(Ref e);

  const Program* program_;
  std::vector<std::string> tensors_, dims_;
  std::unordered_map<std::string, u64> used_;          // names of tensors and Dims; then, of a line, with their place:
  std::unordered_map<std::string, u64> used_in_line_;  // two names of one place, as of axes of one level, are never in force at once
  RefMap<u32> local_;                                  // axis or state -> number in locals_
  std::vector<std::string> locals_;
  RefMap<Sharing> sharing_;
  RefMap<u32> sugars_;
  std::vector<Sugar> sugar_list_;
  u32 labels_ = 0;
  u32 nodes_ = 0;
  std::vector<Piece> said_;
};
}  // namespace ordo::ir
