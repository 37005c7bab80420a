// A Program in the making. The steps, in order, each in the file of its name:
//   gather      what the outputs reach
//   recurrence  groups of definitions that read each other, and their order
//   arguments   numbers of inputs and Dims
//   extents     the size of every axis and tensor
//   translate   raw expressions into canonical ones
#pragma once
#include <string>
#include "ordo/ir/bound_names.hpp"
#include "ordo/ir/builder.hpp"
#include "ordo/ir/program.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
struct Direct {  // a dimension that an axis indexes alone
  Ref tensor;    // raw
  u32 dimension;
  bool guarded;  // under a guard that mentions the axis
};
struct AxisUse {
  Ref raw;
  bool larger = false;         // stands in an index beside something else
  std::vector<Direct> direct;  // in reading order, distinct
  Ref extent = nullptr;        // canonical, once known
  std::string from;            // where the extent comes from: "A.1", "extent of y"
};
struct DraftDefinition {
  Ref tensor;  // raw
  const RawDefinition* raw;
  int number = -1;  // of its tensor in the Program
  int group = -1;
  std::vector<Ref> reads;  // raw tensors in reading order, each once
  std::vector<AxisUse> axes;
  RefMap<u32> axis_number;  // raw axis -> place in `axes`
};
using Group = std::vector<u32>;  // definitions (numbers in the Draft) that form one recurrence, or one alone

class Draft {
 public:
  Program program;
  BoundNames names;
  std::vector<DraftDefinition> definitions;  // in the order met
  std::vector<Group> groups;                 // each reads only earlier ones
  RefMap<u32> definition_of_raw;             // raw tensor -> place in `definitions`
  RefMap<int> number_of_raw;                 // raw tensor -> number in the Program
  RefMap<Ref> dims;                          // raw Dim -> canonical
  bool open_dims = false;                    // a Dim that no argument binds is a size known later, and no error
  std::vector<Ref> open;                     // tensors without definition that are not listed, in the order met

  void gather(const Ref* inputs, int input_count, const Ref* outputs, int output_count);
  void find_groups(const Ref* outputs, int output_count);
  void check_group(Group& group);  // codes lang.recurrence; puts the group in order
  void bind_arguments(const Ref* inputs, int input_count, const Ref* outputs, int output_count);
  void number_outputs(const Ref* outputs, int output_count);
  void add_group(const Group& group);  // extents, then translation

  int add_tensor(Ref raw, bool input);
  Ref add_dim(const char* name, const void* origin, int argument, int dimension);
  void bind_dims(Ref raw, int argument);
  const char* unique(const char* name, const char* otherwise);

  void collect_axes(DraftDefinition& d);
  void resolve(const Group& group);
  bool resolve_axis(DraftDefinition& d, AxisUse& use);
  void check_axis(DraftDefinition& d, AxisUse& use);
  Ref shape_of(Ref raw_tensor, u32 dimension);      // nullptr while unknown
  Ref size(DraftDefinition* d, Ref raw, Where at);  // canonical i64 over Dims; nullptr while unknown; code lang.dim
  Ref size_leaf(DraftDefinition* d, Ref raw, bool* unknown, Where at);
  Ref extent_of_cut(Ref whole, Ref axis);  // of one part of it
  Ref extent_of_raw(DraftDefinition& d, Ref axis, Where at);
  void must_agree(Ref left, const std::string& left_name, Ref right, const std::string& right_name, const std::string& what, Where at);
  void check_scope(const DraftDefinition& d);

 private:
  RefMap<u32> used_names_;
  RefMap<u32> visited_;
  u32 stamp_ = 0;
};

std::string dimension_name(Ref raw_tensor, u32 dimension);  // "A.1"
// c when the index is axis - c, c >= 0, written with + and - of constants; -1 for any other.
i64 lag_of(Ref index, Ref axis);
Ref scan_of(const RawDefinition* definition);  // the raw Scan node, or nullptr
void translate(Draft& draft, DraftDefinition& d);
}  // namespace ordo::ir
