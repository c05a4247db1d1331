// libtorch's share of the benchmark of elements of 16 bits (bench/half.cpp): the same formulas into arrays that exist.
//
//   g++ -std=c++17 -O2 -w bench/half_torch.cpp -ltorch_cpu -lc10 -o build/half_torch && build/half_torch [ELEMENTS
//   [THREADS]]
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cstdio>
#include <cstdlib>

#include "half_time.hpp"

namespace {

void formulas(const char* type, at::ScalarType t, long n) {
  const long rows = n / 1024;
  const auto options = at::TensorOptions().dtype(t);
  const at::Tensor a = at::rand({rows, 1024}).to(t), b = at::rand({rows, 1024}).to(t),
                   c = at::ones({rows, 1024}, options), row = at::full({1024}, 0.5, options);
  at::Tensor out = at::empty({rows, 1024}, options), other = at::empty({rows, 1024}, options),
             sums = at::empty({rows}, options);
  const double array = static_cast<double>(rows) * 1024 * static_cast<double>(c10::elementSize(t));
  time("a + b", type, 3 * array, [&] { at::add_out(out, a, b); });
  time("a * b + c * 0.5 - row", type, 4 * array, [&] {
    at::mul_out(out, a, b);
    at::mul_out(other, c, at::scalar_tensor(0.5));
    out.add_(other);
    out.sub_(row);
  });
  time("exp(a)", type, 2 * array, [&] { at::exp_out(out, a); });
  time("sum of rows", type, array, [&] { at::sum_out(sums, a, {1}, false); });
  time("softmax", type, 2 * array, [&] { at::_softmax_out(out, a, 1, false); });
}

}  // namespace

int main(int count, char** given) {
  const long n = count > 1 ? std::atol(given[1]) : 1L << 24;
  if (count > 2) at::set_num_threads(std::atoi(given[2]));
  at::NoGradGuard none;
  formulas("f32", at::kFloat, n);
  formulas("bf16", at::kBFloat16, n);
}
