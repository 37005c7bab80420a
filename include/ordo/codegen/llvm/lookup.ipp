// Numbers of a table of 32, which two registers of 16 lanes hold: one instruction where the target has it, else lane by lane from memory.
#pragma once
#include "ordo/base/tables.hpp"
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_lookup {
inline Value part(Function& f, Value v, int first, int lanes) {
  std::vector<Value> places;
  for (int k = first; k < first + lanes; ++k)
    places.push_back(k < lanes_of(v) ? LLVMConstInt(f.unit.int32, static_cast<u64>(k), 0) : LLVMGetPoison(f.unit.int32));
  return LLVMBuildShuffleVector(f.at, v, LLVMGetPoison(LLVMTypeOf(v)), LLVMConstVector(places.data(), static_cast<unsigned>(lanes)), "");
}
inline Value half(Function& f, Table table, u64 first) {
  std::vector<Value> numbers;
  for (u64 j = first; j < first + 16; ++j) numbers.push_back(constant(f.unit, Type::f32, table_entry(table, j), 1));
  return LLVMConstVector(numbers.data(), 16);
}
inline Value permuted(Function& f, Table table, Value index) {
  const int lanes = lanes_of(index);
  Value wide = lanes == 16 ? index : part(f, index, 0, 16);
  Value found = intrinsic(f, "llvm.x86.avx512.vpermi2var.ps.512", {}, {half(f, table, 0), wide, half(f, table, 16)});
  return lanes == 16 ? found : part(f, found, 0, lanes);
}
inline Value array(Unit& u, Table table) {
  const std::string name = "table" + std::to_string(static_cast<int>(table));
  if (Value known = LLVMGetNamedGlobal(u.module, name.c_str())) return known;
  std::vector<Value> numbers;
  for (u64 j = 0; j < table_entries; ++j) numbers.push_back(constant(u, Type::f32, table_entry(table, j), 1));
  Value all = LLVMConstArray(u.flt32, numbers.data(), static_cast<unsigned>(numbers.size()));
  Value global = LLVMAddGlobal(u.module, LLVMTypeOf(all), name.c_str());
  LLVMSetInitializer(global, all);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}
inline Value loaded(Function& f, Table table, Value index) {
  Value place = LLVMBuildAnd(f.at, index, LLVMConstInt(f.unit.int32, table_entries - 1, 0), "");
  place = LLVMBuildZExt(f.at, place, f.unit.int64, "");
  return LLVMBuildLoad2(f.at, f.unit.flt32, LLVMBuildGEP2(f.at, f.unit.flt32, array(f.unit, table), &place, 1, ""), "");
}
}  // namespace ordo::codegen::llvm::detail_lookup

namespace ordo::codegen::llvm {
ORDO_INLINE Value lookup(Function& f, Ref n, Value index) {
  using namespace detail_lookup;
  const Table table = static_cast<Table>(n->arg);
  if (n->lanes == 1) return loaded(f, table, index);
  if (f.unit.target.lookups && n->lanes <= 16) return permuted(f, table, index);
  Value result = LLVMGetPoison(value_type(f.unit, Type::f32, n->lanes));
  for (int k = 0; k < n->lanes; ++k) {
    Value lane = LLVMConstInt(f.unit.int32, static_cast<u64>(k), 0);
    result = LLVMBuildInsertElement(f.at, result, loaded(f, table, LLVMBuildExtractElement(f.at, index, lane, "")), lane, "");
  }
  return result;
}
}  // namespace ordo::codegen::llvm
