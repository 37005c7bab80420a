// One LLVM module under construction: its types, constants, alias scopes and intrinsics.
#pragma once
#include <unordered_map>
#include <utility>
#include <vector>
#include "ordo/base/target.hpp"
#include "ordo/codegen/llvm/api.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::codegen::llvm {
using ir::Ref;
using Value = LLVMValueRef;

// A register tile seen as disjoint pieces, each accessed whole: one alloca a piece is promoted for certain.
struct Tile {
  bool pieces = true;                              // false: one array
  std::vector<std::pair<i64, int>> accesses;       // offset, lanes; sorted, distinct
};

struct Unit {
  Unit(const kernel::Kernel& of, const Target& on, const char* name) : kernel(of), target(on), symbol(name) {}
  const kernel::Kernel& kernel;
  const Target& target;
  const char* symbol;            // of the entry
  Context context;
  Module module;
  LLVMTypeRef int1 = nullptr, int8 = nullptr, int16 = nullptr, int32 = nullptr, int64 = nullptr;
  LLVMTypeRef flt16 = nullptr, flt32 = nullptr, flt64 = nullptr;
  LLVMTypeRef pointer = nullptr, nothing = nullptr;
  std::vector<Value> scope, disjoint;              // by buffer: its alias scope; the scopes of memory it never overlaps
  std::vector<Tile> tiles;                         // by buffer
  unsigned scope_kind = 0, disjoint_kind = 0, invariant_kind = 0;
  Value unchanging = nullptr;                      // an empty metadata node
  bool can_fail = false;
  int outlined = 0;
  ir::Arena arena;                                 // expressions over the parameters of functions for what is seldom needed
  std::unordered_map<Ref, Value> seldom;           // and those functions
};

// types.ipp
void open(Unit& unit);                                          // context, module, types
LLVMTypeRef vector_of(LLVMTypeRef element, int lanes);          // the element itself for one lane
LLVMTypeRef value_type(const Unit& unit, Type t, int lanes);    // of a value in a register: bool is i1
LLVMTypeRef stored_type(const Unit& unit, Type t, int lanes);   // of an element in memory: bool is i8, f16 and bf16 are i16
LLVMTypeRef bits_type(const Unit& unit, Type t, int lanes);     // the integer as wide as a value
int lanes_of(Value v);
Value splat(Value scalar_constant, int lanes);
Value integer(LLVMTypeRef type, u64 bits);                      // scalar or vector type
Value constant(const Unit& unit, Type t, u64 bits, int lanes);
Value iota(const Unit& unit, LLVMTypeRef element, int lanes);   // <0, 1, ... lanes - 1>
LLVMAttributeRef attribute(const Unit& unit, const char* name, u64 number = 0);
LLVMAttributeRef attribute(const Unit& unit, const char* name, const char* text);

// scopes.ipp
void make_scopes(Unit& unit);
// tiles.ipp
void make_tiles(Unit& unit);

// module.ipp
Value new_function(Unit& unit, const char* name, LLVMTypeRef type, bool exported);
void make_module(Unit& unit);                                   // kernel -> verified module
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/types.ipp"
#include "ordo/codegen/llvm/scopes.ipp"
#include "ordo/codegen/llvm/function.hpp"      // their bodies too: they call each other
#endif
