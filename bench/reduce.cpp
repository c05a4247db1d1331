// The workloads that reduce along axes, their inputs, and a plain scalar loop in f64 for each that gives the right
// result.
#include "reduce.hpp"

#include <cmath>
#include <cstdint>

namespace bench {
namespace {

constexpr long Mi = 1 << 20;
using inputs = const std::vector<const void*>&;

const float* f32(inputs in, std::size_t k) { return static_cast<const float*>(in[k]); }

void softmax_rows(inputs in, const shape& s, void* out) {
  const long n = s[1];
  for (long i = 0; i < s[0]; ++i) {
    const float* x = f32(in, 0) + i * n;
    float* o = static_cast<float*>(out) + i * n;
    double m = x[0], sum = 0;
    for (long j = 0; j < n; ++j) m = std::fmax(m, x[j]);
    for (long j = 0; j < n; ++j) sum += std::exp(x[j] - m);
    for (long j = 0; j < n; ++j) o[j] = float(std::exp(x[j] - m) / sum);
  }
}

void layer_norm(inputs in, const shape& s, void* out) {
  const long n = s[1];
  const float *g = f32(in, 1), *h = f32(in, 2);
  for (long i = 0; i < s[0]; ++i) {
    const float* x = f32(in, 0) + i * n;
    float* o = static_cast<float*>(out) + i * n;
    double sum = 0, squares = 0;
    for (long j = 0; j < n; ++j) sum += x[j];
    const double mean = sum / double(n);
    for (long j = 0; j < n; ++j) squares += (x[j] - mean) * (x[j] - mean);
    const double scale = 1 / std::sqrt(squares / double(n) + 1e-5);
    for (long j = 0; j < n; ++j) o[j] = float((x[j] - mean) * scale * g[j] + h[j]);
  }
}

double sum_of(const float* x, long n, long step) {
  double s = 0;
  for (long i = 0; i < n; ++i) s += x[i * step];
  return s;
}

void normalize(inputs in, const shape& s, void* out) {
  const double sum = sum_of(f32(in, 0), s[0], 1);
  for (long i = 0; i < s[0]; ++i) static_cast<float*>(out)[i] = float(f32(in, 0)[i] / sum);
}
void row_sums(inputs in, const shape& s, void* out) {
  for (long i = 0; i < s[0]; ++i) static_cast<float*>(out)[i] = float(sum_of(f32(in, 0) + i * 1024, 1024, 1));
}
void column_sums(inputs in, const shape& s, void* out) {
  for (long j = 0; j < s[0]; ++j) static_cast<float*>(out)[j] = float(sum_of(f32(in, 0) + j, 8192, s[0]));
}
void full_sum(inputs in, const shape&, void* out) { *static_cast<float*>(out) = float(sum_of(f32(in, 0), 16 * Mi, 1)); }

double square_distance(const float* a, const float* b, long n) {
  double s = 0;
  for (long k = 0; k < n; ++k) s += (double(a[k]) - b[k]) * (double(a[k]) - b[k]);
  return s;
}
void square_distance_rows(inputs in, const shape& s, void* out) {
  for (long i = 0; i < s[0]; ++i)
    static_cast<float*>(out)[i] = float(square_distance(f32(in, 0) + i * 128, f32(in, 1), 128));
}
void pairwise(inputs in, const shape& s, void* out) {
  for (long i = 0; i < s[0]; ++i)
    for (long j = 0; j < s[1]; ++j)
      static_cast<float*>(out)[i * s[1] + j] = float(square_distance(f32(in, 0) + i * 64, f32(in, 1) + j * 64, 64));
}
void products_of_pairs(inputs in, const shape& s, void* out) {
  for (long i = 0; i < s[0] * s[1]; ++i) {
    double sum = 0;
    for (long k = 0; k < 64; ++k) sum += double(f32(in, 0)[i / s[1] * 64 + k]) * f32(in, 1)[i % s[1] * 64 + k];
    static_cast<float*>(out)[i] = float(sum);
  }
}
void manhattan(inputs in, const shape& s, void* out) {
  for (long i = 0; i < s[0] * s[1]; ++i) {
    double sum = 0;
    for (long k = 0; k < 64; ++k)
      sum += std::fabs(double(f32(in, 0)[i / s[1] * 64 + k]) - f32(in, 1)[i % s[1] * 64 + k]);
    static_cast<float*>(out)[i] = float(sum);
  }
}
void argmax_rows(inputs in, const shape& s, void* out) {
  for (long i = 0; i < s[0]; ++i) {
    const float* x = f32(in, 0) + i * 1024;
    long at = 0;
    for (long j = 1; j < 1024; ++j)
      if (x[j] > x[at]) at = j;
    static_cast<std::int64_t*>(out)[i] = at;
  }
}
void cumsum_rows(inputs in, const shape& s, void* out) {
  for (long i = 0; i < s[0]; ++i) {
    double sum = 0;
    for (long j = 0; j < s[1]; ++j) static_cast<float*>(out)[i * s[1] + j] = float(sum += f32(in, 0)[i * s[1] + j]);
  }
}

}  // namespace

std::vector<workload> reduce_workloads() {
  const element f = element::f32;
  const shape rows{8192, 1024};
  std::vector<workload> all;
  const auto add = [&](double operations, workload w) {
    w.write_bytes = std::size_t(count(w.extents)) * size_of(w.type);
    for (std::size_t k = 0; k < w.operands.size(); ++k) {
      const std::size_t bytes = std::size_t(count(w.operands[k].extents)) * size_of(w.operands[k].type);
      if (bytes >= (std::size_t(1) << 20)) w.streams.push_back({k, bytes});
    }
    w.operations = operations;
    w.family = "reduce";
    all.push_back(w);
  };
  add(4,
      {"", "softmax_rows", "softmax(x, 1), (8192,1024)", {{"x", rows, f, -4, 4}}, rows, f, 1e-5, false, softmax_rows});
  add(8, {"",
          "layer_norm",
          "(x - mean) * rsqrt(var + eps) * gamma + beta along rows, (8192,1024)",
          {{"x", rows, f, -1, 3}, {"gamma", {1024}, f, 0.5, 1.5}, {"beta", {1024}, f, -1, 1}},
          rows,
          f,
          1e-5,
          false,
          layer_norm});
  add(2, {"", "normalize", "x / sum(x), (4Mi)", {{"x", {4 * Mi}, f, 0, 1}}, {4 * Mi}, f, 1e-5, false, normalize});
  add(1024, {"", "row_sums", "sum(x, axes<1>), (8192,1024)", {{"x", rows, f, 0, 1}}, {8192}, f, 1e-5, false, row_sums});
  add(8192,
      {"", "column_sums", "sum(x, axes<0>), (8192,1024)", {{"x", rows, f, 0, 1}}, {1024}, f, 1e-5, false, column_sums});
  // As wide as the yardstick of the limit has it: some peers add one after the other (2.5e-5); `error` says how far
  // each is off.
  add(16 * Mi, {"", "full_sum", "sum(x), (16Mi)", {{"x", {16 * Mi}, f, 0, 1}}, {1}, f, 1e-4, false, full_sum});
  add(3 * 128, {"",
                "square_distance_rows",
                "sum(square(a - b), axes<1>), (65536,128) with (128)",
                {{"a", {65536, 128}, f, -1, 1}, {"b", {128}, f, -1, 1}},
                {65536},
                f,
                1e-5,
                false,
                square_distance_rows});
  add(3 * 64, {"",
               "pairwise",
               "sum(square(x - y), axes<2>), (1024,1,64) with (1,1024,64)",
               {{"x", {1024, 1, 64}, f, -1, 1}, {"y", {1, 1024, 64}, f, -1, 1}},
               {1024, 1024},
               f,
               1e-5,
               false,
               pairwise});
  add(2 * 64, {"",
               "products_of_pairs",
               "sum(x * y, axes<2>), (1024,1,64) with (1024,64)",
               {{"x", {1024, 1, 64}, f, 0, 1}, {"y", {1, 1024, 64}, f, 0, 1}},
               {1024, 1024},
               f,
               1e-5,
               false,
               products_of_pairs});
  add(3 * 64, {"",
               "manhattan",
               "sum(abs(x - y), axes<2>), (1024,1,64) with (1024,64)",
               {{"x", {1024, 1, 64}, f, -1, 1}, {"y", {1, 1024, 64}, f, -1, 1}},
               {1024, 1024},
               f,
               1e-5,
               false,
               manhattan});
  add(1024, {"",
             "argmax_rows",
             "argmax(x, axes<1>), (8192,1024)",
             {{"x", rows, f, -4, 4}},
             {8192},
             element::i64,
             0,
             true,
             argmax_rows});
  add(1, {"", "cumsum_rows", "cumsum(x, 1), (8192,1024)", {{"x", rows, f, 0, 1}}, rows, f, 1e-4, false, cumsum_rows});
  return all;
}

}  // namespace bench
