// What every case may use.
#include <ordo/lang/lang.hpp>
#include <ordo/nest/schedule.hpp>
#include <ordo/nn.hpp>
#include <ordo/runtime/kernel.hpp>
using namespace ordo;
struct Pair { Expr<float> a, b; };
struct Counted { Expr<float> a; i64 n; };
struct Nested { Pair p; Expr<float> n; };
struct Nine { Expr<float> a, b, c, d, e, f, g, h, i; };
#define CASE(name)                                                                                                       \
  void name(Schedule s, Dim M, Dim N, Tensor<float, 2> A, Tensor<float, 2> B, Tensor<float, 2> C, Tensor<double, 1> D,   \
            Tensor<i8, 1> Q, Tensor<f16, 1> H, Tensor<i64, 1> L, Tensor<float, 1> v, Scalar<float> eps, Index i, Index j, \
            Chain k, Chain m, Lanes<8> w, Blocks<64> b, AnyOrder n, Scan t)
