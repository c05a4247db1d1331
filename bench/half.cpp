// Elements of 16 bits beside f32: milliseconds for a formula, a chain, a sum and a softmax, the least and the median of
// many evaluations into an array that exists, and the bytes that have to be moved. bench/half_torch.cpp prints the same
// of libtorch's BFloat16, bench/half_numpy.py of NumPy's float16.
//
//   g++ -std=c++20 -O2 -Iinclude bench/half.cpp -Lbuild/lib -lbroadloom -Wl,-rpath,build/lib -o build/half
//   build/half [ELEMENTS [THREADS]]; bench/half_numpy.py [ELEMENTS]
#include <broadloom/half.hpp>

#include <cstdio>
#include <cstdlib>

#include "half_time.hpp"

namespace bl = broadloom;

namespace {

template <class T>
void formulas(const char* type, bl::index n, const bl::policy& how) {
  const bl::index rows = n / 1024;
  bl::dtensor<T, 2> a(rows, 1024), b(rows, 1024), c(rows, 1024), out(rows, 1024);
  bl::dtensor<T, 1> row(1024);
  for (bl::index i = 0; i < a.size(); ++i) {
    a.data()[i] = static_cast<float>(i % 1013) * 0.003f - 1;
    b.data()[i] = static_cast<float>(i % 619) * 0.002f;
    c.data()[i] = 1;
  }
  row = 0.5;
  bl::dtensor<T, 1> sums(rows);
  const double array = static_cast<double>(a.size()) * sizeof(T);
  time("a + b", type, 3 * array, [&] { bl::assign(out, a + b, how); });
  time("a * b + c * 0.5 - row", type, 4 * array, [&] { bl::assign(out, a * b + c * 0.5 - row, how); });
  time("the same, rounded once", type, 4 * array, [&] { bl::assign(out, bl::round_once(a * b + c * 0.5 - row), how); });
  time("exp(a)", type, 2 * array, [&] { bl::assign(out, bl::exp(a), how); });
  time("sum of rows", type, array, [&] { bl::assign(sums, bl::sum(a, bl::axes<1>), how); });
  time("softmax", type, 2 * array, [&] { bl::assign(out, bl::softmax(a, 1), how); });
}

}  // namespace

int main(int count, char** given) {
  const bl::index n = count > 1 ? std::atol(given[1]) : bl::index{1} << 24;
  const bl::policy how = count > 2 ? bl::par.threads(std::atoi(given[2])) : bl::par;
  formulas<float>("f32", n, how);
  formulas<bl::float16>("f16", n, how);
  formulas<bl::bfloat16>("bf16", n, how);
}
