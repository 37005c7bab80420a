#include <doctest/doctest.h>
#include <string>
#include "ordo/dlpack.hpp"
#include "refused.hpp"
using namespace ordo;

namespace {
struct Tensor {
  float data[64];
  int64_t shape[3] = {2, 3, 4};
  int64_t strides[3] = {1, 2, 6};
  DLTensor dl{data, {kDLCPU, 0}, 3, {kDLFloat, 32, 1}, shape, nullptr, 0};
};
}  // namespace

TEST_CASE("dlpack: without strides a tensor is row-major, with them as they say") {
  Tensor t;
  View<float, 3> v = t.dl;
  CHECK(v.stride[0] == 12);
  CHECK(v.stride[2] == 1);
  t.dl.strides = t.strides;
  v = t.dl;
  CHECK(v.stride[0] == 1);
  CHECK(v.stride[2] == 6);
}
TEST_CASE("dlpack: the offset counts bytes, and a managed tensor is its tensor") {
  Tensor t;
  t.dl.byte_offset = 8;
  DLManagedTensor managed{t.dl, nullptr, nullptr};
  const View<float, 3> v = managed;
  CHECK(v.data == t.data + 2);
  CHECK(AnyView(managed).writable);
}
TEST_CASE("dlpack: type and rank must be those of the argument") {
  Tensor t;
  CHECK(refused([&] { (void)View<double, 3>(t.dl); }) ==
        "error[run.type]: an array of f32 is given for one of f64 of rank 3\n  at dlpack.cpp:*");
  CHECK(refused([&] { (void)View<float, 2>(t.dl); }) ==
        "error[run.rank]: an array of rank 3 is given for one of f32 of rank 2\n  at dlpack.cpp:*");
}
TEST_CASE("dlpack: what ordo cannot read is refused") {
  Tensor t;
  t.dl.device.device_type = kDLCUDA;
  CHECK(refused([&] { (void)View<float, 3>(t.dl); }) ==
        "error[run.dlpack]: a DLPack tensor lies on device 2, not in CPU memory\n  at dlpack.cpp:*");
  t.dl.device.device_type = kDLCPU;
  t.dl.dtype.lanes = 4;
  CHECK(refused([&] { (void)View<float, 3>(t.dl); }) ==
        "error[run.dlpack]: a DLPack tensor has elements of 4 lanes; only single values are taken\n  at dlpack.cpp:*");
  t.dl.dtype = {kDLComplex, 64, 1};
  CHECK(refused([&] { (void)View<float, 3>(t.dl); }) ==
        "error[run.dlpack]: a DLPack tensor has elements of code 5 with 64 bits, which no element type has\n  at dlpack.cpp:*");
  t.dl.dtype = {kDLFloat, 32, 1};
  t.dl.ndim = 13;
  CHECK(refused([&] { (void)View<float, 3>(t.dl); }) ==
        "error[run.dlpack]: a DLPack tensor has rank 13; the limit is 12\n  at dlpack.cpp:*");
  t.dl.ndim = 3;
  t.dl.shape = nullptr;
  CHECK(refused([&] { (void)View<float, 3>(t.dl); }) == "error[run.dlpack]: a DLPack tensor has no shape\n  at dlpack.cpp:*");
}
TEST_CASE("dlpack: element types, bool of newer versions included") {
  Tensor t;
  const auto type = [&t](int code, int bits) {
    t.dl.dtype = {static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1};
    return AnyView(t.dl).argument.type;
  };
  CHECK(type(kDLInt, 8) == Type::i8);
  CHECK(type(kDLUInt, 64) == Type::u64);
  CHECK(type(kDLFloat, 16) == Type::f16);
  CHECK(type(kDLBfloat, 16) == Type::bf16);
  CHECK(type(6, 8) == Type::boolean);
}
