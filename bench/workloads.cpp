// The list of workloads, their inputs, and a plain scalar loop for each that gives the right result.
#include "workloads.hpp"

#include "reduce.hpp"

#include <cmath>
#include <cstdint>

namespace bench {
namespace {

constexpr long Mi = 1 << 20;

template <class T>
const T* as(const std::vector<const void*>& in, std::size_t k) {
  return static_cast<const T*>(in[k]);
}

using inputs = const std::vector<const void*>&;

// Plain loops. They set each element down as the formula says, with the rounding of the element type.
template <class T, class F>
void each(void* out, long n, F f) {
  T* o = static_cast<T*>(out);
  for (long i = 0; i < n; ++i) o[i] = static_cast<T>(f(i));
}

void add(inputs in, const shape& s, void* out) {
  each<float>(out, count(s), [a = as<float>(in, 0), b = as<float>(in, 1)](long i) { return a[i] + b[i]; });
}

void multiply_add(inputs in, const shape& s, void* out) {
  each<float>(out, count(s), [a = as<float>(in, 0), b = as<float>(in, 1), c = as<float>(in, 2)](long i) {
    const float p = b[i] * c[i];
    return a[i] + p;
  });
}

template <class T>
void chain(inputs in, const shape& s, void* out) {
  const T *a = as<T>(in, 0), *b = as<T>(in, 1), *c = as<T>(in, 2), *d = as<T>(in, 3), *e = as<T>(in, 4);
  each<T>(out, count(s), [=](long i) {
    const T p = b[i] * c[i], q = e[i] * e[i];
    return ((a[i] + p) - d[i]) / (q + T(1.5));
  });
}

void addcmul_bcast(inputs in, const shape& s, void* out) {
  const float *a = as<float>(in, 0), *b = as<float>(in, 1), *c = as<float>(in, 2);
  const long n1 = s[1], n2 = s[2];
  each<float>(out, count(s), [=](long q) {
    const long k = q % n2, j = q / n2 % n1, i = q / n2 / n1;
    const float p = b[j * n2 + k] * c[i * n1 + j];
    return a[i * n2 + k] + p;
  });
}

void outer(inputs in, const shape& s, void* out) {
  const long n = s[1];
  each<float>(out, count(s), [x = as<float>(in, 0), y = as<float>(in, 1), n](long q) { return x[q / n] + y[q % n]; });
}

void batchnorm(inputs in, const shape& s, void* out) {
  const float *x = as<float>(in, 0), *m = as<float>(in, 1), *r = as<float>(in, 2), *g = as<float>(in, 3),
              *b = as<float>(in, 4);
  const long plane = s[2] * s[3], channels = s[1];
  each<float>(out, count(s), [=](long q) {
    const long c = q / plane % channels;
    const float t = (x[q] - m[c]) * r[c] * g[c];
    return t + b[c];
  });
}

void transpose_add(inputs in, const shape& s, void* out) {
  const float *a = as<float>(in, 0), *b = as<float>(in, 1);
  const long n = s[1];
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) static_cast<float*>(out)[i * n + j] = a[i * n + j] + b[j * n + i];
}

void black_scholes(inputs in, const shape& s, void* out) {
  const float *S = as<float>(in, 0), *K = as<float>(in, 1), *T = as<float>(in, 2);
  const double r = 0.02f, v = 0.3f;
  each<float>(out, count(s), [=](long i) {
    const double t = T[i], w = v * std::sqrt(t), d1 = (std::log(double(S[i]) / K[i]) + (r + v * v / 2) * t) / w;
    const double n1 = 0.5 + 0.5 * std::erf(d1 * std::sqrt(0.5)), n2 = 0.5 + 0.5 * std::erf((d1 - w) * std::sqrt(0.5));
    return S[i] * n1 - K[i] * std::exp(-r * t) * n2;
  });
}

void strided(inputs in, const shape& s, void* out) {
  const float *a = as<float>(in, 0), *b = as<float>(in, 1);
  const long n = s[1];
  each<float>(out, count(s), [=](long q) { return a[q / n * 2 * 3 * n + q % n * 3] * b[q]; });
}

void where_clamp(inputs in, const shape& s, void* out) {
  const float *a = as<float>(in, 0), *b = as<float>(in, 1), *c = as<float>(in, 2);
  each<float>(out, count(s), [=](long i) { return a[i] > b[i] ? std::fmin(std::fmax(c[i], 0.f), 1.f) : b[i]; });
}

void int_add_compare(inputs in, const shape& s, void* out) {
  const std::int32_t *a = as<std::int32_t>(in, 0), *b = as<std::int32_t>(in, 1), *c = as<std::int32_t>(in, 2);
  each<std::uint8_t>(out, count(s), [=](long i) { return a[i] + b[i] > c[i] ? 1 : 0; });
}

void hoist(inputs in, const shape& s, void* out) {
  const float *x = as<float>(in, 0), *b = as<float>(in, 1), *c = as<float>(in, 2);
  const long n = s[1];
  std::vector<double> scale;
  for (long j = 0; j < n; ++j) scale.push_back(std::exp(double(b[j])));
  for (long i = 0; i < s[0]; ++i) {
    const double shift = std::log(double(c[i]));
    for (long j = 0; j < n; ++j)
      static_cast<float*>(out)[i * n + j] = static_cast<float>(x[i * n + j] * scale[std::size_t(j)] + shift);
  }
}

// Conversion to u8 drops the fraction.
void mixed(inputs in, const shape& s, void* out) {
  const std::uint8_t* x = as<std::uint8_t>(in, 0);
  const float* f = as<float>(in, 1);
  const long n = s[2];
  each<std::uint8_t>(out, count(s), [=](long q) { return static_cast<std::uint8_t>(float(x[q]) * f[q % n]); });
}

void mixed_flat(inputs in, const shape& s, void* out) {
  const std::uint8_t* x = as<std::uint8_t>(in, 0);
  const float* f = as<float>(in, 1);
  each<std::uint8_t>(out, count(s), [=](long q) { return static_cast<std::uint8_t>(float(x[q]) * f[q]); });
}

std::vector<workload> make_all() {
  const element f = element::f32;
  std::vector<workload> all;
  const auto add_workload = [&](double operations, workload w) -> workload& {
    w.write_bytes = std::size_t(count(w.extents)) * size_of(w.type);
    for (std::size_t k = 0; k < w.operands.size(); ++k) {
      const operand& o = w.operands[k];
      const std::size_t bytes = std::size_t(count(o.extents)) * size_of(o.type);
      if (bytes * 16 > w.write_bytes) w.streams.push_back({k, bytes});
    }
    w.operations = operations;
    all.push_back(w);
    return all.back();
  };

  const shape big{16 * Mi}, eight{8 * Mi}, four{4 * Mi}, square{4096, 4096};
  add_workload(
      1,
      {"add_big", "add_big", "a + b, (16Mi)", {{"a", big, f, -1, 1}, {"b", big, f, -1, 1}}, big, f, 1e-6, true, add});
  add_workload(2, {"addcmul_bcast",
                   "addcmul_bcast",
                   "a + b*c, (64,1,1024) + (1,256,1024)*(64,256,1)",
                   {{"a", {64, 1, 1024}, f, -1, 1}, {"b", {1, 256, 1024}, f, -1, 1}, {"c", {64, 256, 1}, f, -1, 1}},
                   {64, 256, 1024},
                   f,
                   1e-6,
                   true,
                   addcmul_bcast});
  add_workload(6, {"chain",
                   "chain_f32",
                   "(a + b*c - d) / (e*e + 1.5), f32 (8Mi)",
                   {{"a", eight, f, -1, 1},
                    {"b", eight, f, -1, 1},
                    {"c", eight, f, -1, 1},
                    {"d", eight, f, -1, 1},
                    {"e", eight, f, -1, 1}},
                   eight,
                   f,
                   1e-6,
                   true,
                   chain<float>});
  const element g = element::f64;
  add_workload(6, {"chain",
                   "chain_f64",
                   "(a + b*c - d) / (e*e + 1.5), f64 (4Mi)",
                   {{"a", four, g, -1, 1},
                    {"b", four, g, -1, 1},
                    {"c", four, g, -1, 1},
                    {"d", four, g, -1, 1},
                    {"e", four, g, -1, 1}},
                   four,
                   g,
                   1e-14,
                   true,
                   chain<double>});
  add_workload(1, {"outer",
                   "outer",
                   "x + y, (4096,1) + (1,4096)",
                   {{"x", {4096, 1}, f, -1, 1}, {"y", {1, 4096}, f, -1, 1}},
                   square,
                   f,
                   1e-6,
                   true,
                   outer});
  const shape channels{64, 1, 1};
  add_workload(4, {"batchnorm",
                   "batchnorm",
                   "(x - mean) * rstd * gamma + beta, (32,64,56,56) with (64,1,1)",
                   {{"x", {32, 64, 56, 56}, f, -1, 1},
                    {"mean", channels, f, -1, 1},
                    {"rstd", channels, f, 0.5, 1.5},
                    {"gamma", channels, f, 0.5, 1.5},
                    {"beta", channels, f, -1, 1}},
                   {32, 64, 56, 56},
                   f,
                   1e-6,
                   true,
                   batchnorm});
  add_workload(1, {"transpose_add",
                   "transpose_add",
                   "a + b.T, (4096,4096)",
                   {{"a", square, f, -1, 1}, {"b", square, f, -1, 1}},
                   square,
                   f,
                   1e-6,
                   true,
                   transpose_add});
  const shape million{Mi};
  for (const auto& [name, formula] :
       {std::pair{"black_scholes", "S*cdf(d1) - K*exp(-r*T)*cdf(d2), (1Mi)"},
        std::pair{"black_scholes_fast", "the same; Broadloom's policy is fast, the others do as before"}})
    add_workload(24, {"black_scholes",
                      name,
                      formula,
                      {{"S", million, f, 50, 150}, {"K", million, f, 50, 150}, {"T", million, f, 0.1, 2}},
                      million,
                      f,
                      1e-5,
                      false,
                      black_scholes});
  workload& w = add_workload(1, {"strided",
                                 "strided",
                                 "a[::2, ::3] * b, a (4096,6144), b (2048,2048)",
                                 {{"a", {4096, 6144}, f, -1, 1}, {"b", {2048, 2048}, f, -1, 1}},
                                 {2048, 2048},
                                 f,
                                 1e-6,
                                 true,
                                 strided});
  w.streams[0].bytes = 2048ul * 6144 * 4;  // every cache line of every second row of a
  add_workload(4, {"where_clamp",
                   "where_clamp",
                   "where(a > b, clamp(c, 0, 1), b), (8Mi)",
                   {{"a", eight, f, -1, 1}, {"b", eight, f, -1, 1}, {"c", eight, f, -0.5, 1.5}},
                   eight,
                   f,
                   1e-6,
                   true,
                   where_clamp});
  const element i = element::i32;
  add_workload(2, {"int_add_compare",
                   "int_add_compare",
                   "(a + b) > c, i32 to bool, (16Mi)",
                   {{"a", big, i, -1000, 1000}, {"b", big, i, -1000, 1000}, {"c", big, i, -1000, 1000}},
                   big,
                   element::b8,
                   0,
                   true,
                   int_add_compare});
  add_workload(2, {"hoist",
                   "hoist",
                   "x * exp(b) + log(c), (4096,4096), (1,4096), (4096,1)",
                   {{"x", square, f, -1, 1}, {"b", {1, 4096}, f, -1, 1}, {"c", {4096, 1}, f, 0.5, 2}},
                   square,
                   f,
                   1e-5,
                   false,
                   hoist});
  const element u = element::u8;
  add_workload(1, {"mixed",
                   "mixed_channels",
                   "u8 image (2160,3840,3) * f32 (3) to u8",
                   {{"image", {2160, 3840, 3}, u, 0, 256}, {"scale", {3}, f, 0.2, 1}},
                   {2160, 3840, 3},
                   u,
                   0,
                   true,
                   mixed});
  add_workload(1, {"mixed",
                   "mixed_flat",
                   "u8 image (2160,3840) * f32 (2160,3840) to u8",
                   {{"image", {2160, 3840}, u, 0, 256}, {"scale", {2160, 3840}, f, 0.2, 1}},
                   {2160, 3840},
                   u,
                   0,
                   true,
                   mixed_flat});
  for (const char* kind : {"dynamic", "static"}) {
    for (long n : {4, 16, 64, 256, 1024, 4096}) {
      const shape s{n};
      add_workload(2, {"small",
                       "small_" + std::string(kind) + "_" + std::to_string(n),
                       "a + b*c, (" + std::to_string(n) + "), " + kind + " shape",
                       {{"a", s, f, -1, 1}, {"b", s, f, -1, 1}, {"c", s, f, -1, 1}},
                       s,
                       f,
                       1e-6,
                       true,
                       multiply_add})
          .latency = true;
    }
    add_workload(1, {"small",
                     "small_" + std::string(kind) + "_outer",
                     std::string("x + y, (8,1) + (1,8), ") + kind + " shape",
                     {{"x", {8, 1}, f, -1, 1}, {"y", {1, 8}, f, -1, 1}},
                     {8, 8},
                     f,
                     1e-6,
                     true,
                     outer})
        .latency = true;
  }
  for (const workload& more : reduce_workloads()) all.push_back(more);
  return all;
}

// A counter-based generator: bits of element i follow from i and the seed alone.
double uniform(std::uint64_t i, std::uint64_t seed) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u ^ seed;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return double(x >> 40) * 0x1p-24;
}

}  // namespace

std::size_t size_of(element type) {
  switch (type) {
    case element::i64:
    case element::f64: return 8;
    case element::f32:
    case element::i32: return 4;
    default: return 1;
  }
}

const std::vector<workload>& all_workloads() {
  static const std::vector<workload> all = make_all();
  return all;
}

void fill(void* memory, const operand& what, const std::string& workload_name, int k) {
  std::uint64_t seed = 1469598103934665603u + std::uint64_t(k);
  for (char c : workload_name) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  const long n = count(what.extents);
  const auto value = [&](long i) { return what.low + (what.high - what.low) * uniform(std::uint64_t(i), seed); };
  switch (what.type) {
    case element::f32:
      for (long i = 0; i < n; ++i) static_cast<float*>(memory)[i] = float(value(i));
      break;
    case element::f64:
      for (long i = 0; i < n; ++i) static_cast<double*>(memory)[i] = value(i);
      break;
    case element::i32:
      for (long i = 0; i < n; ++i) static_cast<std::int32_t*>(memory)[i] = std::int32_t(std::floor(value(i)));
      break;
    default:
      for (long i = 0; i < n; ++i) static_cast<std::uint8_t*>(memory)[i] = std::uint8_t(value(i));
      break;
  }
}

double element_at(const void* memory, element type, long i) {
  switch (type) {
    case element::f32: return double(static_cast<const float*>(memory)[i]);
    case element::f64: return static_cast<const double*>(memory)[i];
    case element::i32: return static_cast<const std::int32_t*>(memory)[i];
    case element::i64: return double(static_cast<const std::int64_t*>(memory)[i]);
    default: return static_cast<const std::uint8_t*>(memory)[i];
  }
}

double checksum(const void* memory, element type, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += element_at(memory, type, i) * (1 + double(i % 1021) / 1024);
  return sum;
}

}  // namespace bench
