// Indexing beside loops written by hand, libtorch, NumPy and xtensor, in one run: the smallest of several interleaved
// times, and ratios. A peer that does not have a function is not in its line.
//
// usage: broadloom_bench_indexing [PART_OF_A_NAME]
#include <broadloom/broadloom.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#ifdef BENCH_TORCH
#include <ATen/ATen.h>
#endif
#ifdef BENCH_XTENSOR
#include "indexing_xtensor.hpp"
#endif
#include "numpy_worker.hpp"

namespace {

namespace bl = broadloom;
using bl::index;
using clock_type = std::chrono::steady_clock;

struct contender {
  std::string name;
  std::function<void()> solve;
  double best = 1e30;
};

std::string wanted;
numpy_worker* numpy = nullptr;  // null where there is none

// NumPy's time for a workload, whose first run makes its arrays.
void add_numpy(std::vector<contender>& all, const char* name) {
  if (numpy != nullptr && numpy->run(name))
    all.push_back({"numpy", [name] {
                     if (!numpy->run(name)) std::exit(1);
                   }});
}

// Interleaved rounds until about two seconds have gone.
void race(const std::string& workload, const char* numpy_name, std::vector<contender> all) {
  if (workload.find(wanted) == std::string::npos) return;
  add_numpy(all, numpy_name);
  double spent = 0;
  for (int round = 0; round < 40 && (round < 4 || spent < 2.0); ++round)
    for (contender& c : all) {
      const auto start = clock_type::now();
      c.solve();
      const double s = std::chrono::duration<double>(clock_type::now() - start).count();
      spent += s;
      if (round > 0 && s < c.best) c.best = s;
    }
  std::printf("%-34s", workload.c_str());
  for (const contender& c : all)
    std::printf("  %s %9.3f ms (%.2f)", c.name.c_str(), c.best * 1e3, c.best / all[0].best);
  std::printf("\n");
  std::fflush(stdout);
}

template <class F>
void rows_in_parallel(index n, F f) {
  tbb::parallel_for(tbb::blocked_range<index>(0, n), [&](const tbb::blocked_range<index>& r) {
    for (index i = r.begin(); i < r.end(); ++i) f(i);
  });
}

bl::dtensor<float, 1> numbers(index n) {
  std::mt19937 chance(1);
  bl::dtensor<float, 1> x(n);
  for (index i = 0; i < n; ++i) x.data()[i] = static_cast<float>(chance()) * 1e-9f - 2.f;
  return x;
}
bl::dtensor<float, 2> matrix(index r, index c) {
  bl::dtensor<float, 2> x(r, c);
  std::memcpy(x.data(), numbers(r * c).data(), static_cast<std::size_t>(r * c) * sizeof(float));
  return x;
}
template <class S>
bl::tensor<std::int64_t, S> places(const S& s, index n) {
  std::mt19937_64 chance(2);
  bl::tensor<std::int64_t, S> x(s);
  for (index i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(n));
  return x;
}

#ifdef BENCH_TORCH
template <class T, class S>
at::Tensor torch_of(const bl::tensor<T, S>& x) {
  std::vector<std::int64_t> shape;
  for (int i = 0; i < S::axes_count; ++i) shape.push_back(x.shape()[i]);
  const auto type = std::is_same_v<T, float> ? at::kFloat : std::is_same_v<T, bool> ? at::kBool : at::kLong;
  return at::from_blob(const_cast<T*>(x.data()), shape, at::TensorOptions().dtype(type));
}
#define TORCH(...)                   \
  , {                                \
    "libtorch", [&] { __VA_ARGS__; } \
  }
#else
#define TORCH(...)
#endif
#ifdef BENCH_XTENSOR
#define XTENSOR(...)                               \
  , {                                              \
    "xtensor", [&] { bench_xtensor::__VA_ARGS__; } \
  }
#else
#define XTENSOR(...)
#endif

void gather_rows_and_columns() {
  const index n = 4096;
  const auto x = matrix(n, n);
  const auto i = places(bl::dshape<2>(n, n), n);
  bl::dtensor<float, 2> out(n, n);
#ifdef BENCH_TORCH
  const auto tx = torch_of(x), ti = torch_of(i);
  auto tout = torch_of(out);
#endif
  const float* const from = x.data();
  const std::int64_t* const p = i.data();
  float* const to = out.data();
  race("gather axis 1 (4096,4096)", "gather axis 1",
       {{"hand",
         [&] {
           rows_in_parallel(n, [&](index r) {
             for (index c = 0; c < n; ++c) to[r * n + c] = from[r * n + p[r * n + c]];
           });
         }},
        {"broadloom", [&] { bl::assign(out, bl::gather(x, 1, i)); }} TORCH(at::gather_out(tout, tx, 1, ti))});
  race("gather axis 0 (4096,4096)", "gather axis 0",
       {{"hand",
         [&] {  // strips of columns, brought together: in their places a power of two apart they share few sets of the
                // cache
           rows_in_parallel(n / 64, [&](index strip) {
             std::vector<float> near(static_cast<std::size_t>(n * 64));
             for (index r = 0; r < n; ++r)
               std::memcpy(near.data() + r * 64, from + r * n + strip * 64, 64 * sizeof(float));
             for (index r = 0; r < n; ++r)
               for (index c = 0; c < 64; ++c)
                 to[r * n + strip * 64 + c] = near.data()[p[r * n + strip * 64 + c] * 64 + c];
           });
         }},
        {"broadloom", [&] { bl::assign(out, bl::gather(x, 0, i)); }} TORCH(at::gather_out(tout, tx, 0, ti))});
}

void select_rows() {
  const index n = 200000, c = 128, m = 100000;
  const auto x = matrix(n, c);
  const auto i = places(bl::dshape<1>(m), n);
  bl::dtensor<float, 2> out(m, c);
#ifdef BENCH_TORCH
  const auto tx = torch_of(x), ti = torch_of(i);
  auto tout = torch_of(out);
#endif
  race("index_select rows (100000,128)", "index_select rows",
       {{"hand",
         [&] {
           rows_in_parallel(
               m, [&](index r) { std::memcpy(out.data() + r * c, x.data() + i.data()[r] * c, c * sizeof(float)); });
         }},
        {"broadloom", [&] { bl::assign(out, bl::index_select(x, 0, i)); }} TORCH(at::index_select_out(tout, tx, 0, ti))
            XTENSOR(select_rows(x.data(), n, c, i.data(), m, out.data()))});
}

void embedding_bag() {
  const index n = 1000000, c = 64, bags = 4096, each = 32;
  const auto x = matrix(n, c);
  const auto i = places(bl::dshape<2>(bags, each), n);
  const auto w = matrix(bags, each);
  bl::dtensor<float, 2> out(bags, c);
  const auto w3 = bl::unsqueeze(w, 2);
#ifdef BENCH_TORCH
  const auto tx = torch_of(x), ti = torch_of(i).reshape({-1}), tw = torch_of(w).reshape({-1});
  const auto offsets = at::arange(0, bags * each, each, at::kLong);
#endif
  race("embedding bag 1M x 64, (4096,32)", "embedding bag",
       {{"hand",
         [&] {
           rows_in_parallel(bags, [&](index b) {
             float sum[64] = {};
             for (index k = 0; k < each; ++k) {
               const index next = b * each + k + 8;  // rows lie anywhere: ask for them early
               for (index l = 0; l < c && next < bags * each; l += 16)
                 __builtin_prefetch(x.data() + i.data()[next] * c + l);
               const float* const row = x.data() + i.data()[b * each + k] * c;
               const float weight = w.data()[b * each + k];
               for (index j = 0; j < c; ++j) sum[j] += row[j] * weight;
             }
             std::memcpy(out.data() + b * c, sum, sizeof sum);
           });
         }},
        {"broadloom", [&] { bl::assign(out, bl::sum(bl::take(x, i, 0) * w3, bl::axes<1>)); }} TORCH(
            at::embedding_bag(tx, ti, offsets, false, 0, false, tw))
            XTENSOR(embedding_bag(x.data(), n, c, i.data(), w.data(), bags, each, out.data()))});
}

void scatter_adds() {
  const index n = 4000000;
  const auto s = numbers(n);
  for (const index range : {index{400000000} / 100, index{1000}}) {
    const auto i = places(bl::dshape<1>(n), range);
    bl::dtensor<float, 1> out(range);
#ifdef BENCH_TORCH
    const auto ts = torch_of(s), ti = torch_of(i);
    auto tout = torch_of(out);
#endif
    const bool few = range > n / 2;
    race(few ? "scatter_add 4M, few duplicates" : "scatter_add 4M into 1000",
         few ? "scatter_add few" : "scatter_add many",
         {{"hand",
           [&] {
             float* const to = out.data();
             const std::int64_t* const p = i.data();
             for (index k = 0; k < n; ++k) to[p[k]] += s.data()[k];
           }},
          {"broadloom", [&] { bl::scatter_add_(out, 0, i, s); }} TORCH(tout.scatter_add_(0, ti, ts))});
  }
}

void cats() {
  const index r = 1024, c = 4096;
  const auto x = matrix(r, c), y = matrix(r, c);
  bl::dtensor<float, 2> out(4 * r, c);
#ifdef BENCH_TORCH
  const auto tx = torch_of(x), ty = torch_of(y);
  auto tout = torch_of(out);
#endif
  race("cat of 4 expressions (1024,4096)", "cat",
       {{"hand",
         [&] {
           float* const to = out.data();
           const float *a = x.data(), *b = y.data();
           rows_in_parallel(r, [&](index k) {
             for (index j = k * c; j < k * c + c; ++j) {
               to[j] = a[j] + b[j];
               to[j + r * c] = a[j] * b[j];
               to[j + 2 * r * c] = a[j] - b[j];
               to[j + 3 * r * c] = a[j] * 2.f;
             }
           });
         }},
        {"broadloom", [&] { bl::assign(out, bl::cat(0, x + y, x * y, x - y, x * 2.f)); }} TORCH(at::cat_out(
            tout, {tx + ty, tx * ty, tx - ty, tx * 2.f}, 0)) XTENSOR(cat(x.data(), y.data(), r, c, out.data()))});
}

void sorts() {
  const index r = 8192, c = 1024, k = 16;
  const auto x = matrix(r, c);
#ifdef BENCH_TORCH
  const auto tx = torch_of(x);
#endif
  std::vector<float> values(static_cast<std::size_t>(r * c));
  std::vector<index> order(static_cast<std::size_t>(r * c));
  race("sort rows (8192,1024)", "sort rows",
       {{"hand",
         [&] {
           rows_in_parallel(r, [&](index row) {
             std::pair<float, std::int32_t> line[1024];
             for (index j = 0; j < c; ++j) line[j] = {x.data()[row * c + j], static_cast<std::int32_t>(j)};
             std::sort(line, line + c);
             for (index j = 0; j < c; ++j) {
               values[static_cast<std::size_t>(row * c + j)] = line[j].first;
               order[static_cast<std::size_t>(row * c + j)] = line[j].second;
             }
           });
         }},
        {"broadloom", [&] { bl::sort(x); }} TORCH(at::sort(tx)) XTENSOR(sort_rows(x.data(), r, c))});
  race("topk 16 of rows (8192,1024)", "topk",
       {{"hand",
         [&] {
           rows_in_parallel(r, [&](index row) {
             std::pair<float, std::int32_t> line[1024];
             for (index j = 0; j < c; ++j) line[j] = {-x.data()[row * c + j], static_cast<std::int32_t>(j)};
             std::partial_sort(line, line + k, line + c);
             for (index j = 0; j < k; ++j) {
               values[static_cast<std::size_t>(row * k + j)] = -line[j].first;
               order[static_cast<std::size_t>(row * k + j)] = line[j].second;
             }
           });
         }},
        {"broadloom", [&] { bl::topk(x, k); }} TORCH(at::topk(tx, k)) XTENSOR(top_rows(x.data(), r, c, k))});
}

void selects() {
  const index n = 16000000;
  const auto x = numbers(n);
  bl::dtensor<bool, 1> m(n);
  std::mt19937 chance(4);
  for (index i = 0; i < n; ++i) m.data()[i] = (chance() & 1) != 0;
#ifdef BENCH_TORCH
  const auto tx = torch_of(x), tm = torch_of(m);
#endif
  bl::dtensor<float, 1> kept(n);
  race("boolean select of 16M", "boolean select",
       {{"hand",
         [&] {
           const index block = 65536, blocks = (n + block - 1) / block;
           std::vector<index> first(static_cast<std::size_t>(blocks + 1));
           rows_in_parallel(blocks, [&](index b) {
             index c = 0;
             for (index i = b * block; i < std::min(n, (b + 1) * block); ++i) c += m.data()[i];
             first[static_cast<std::size_t>(b + 1)] = c;
           });
           for (index b = 0; b < blocks; ++b)
             first[static_cast<std::size_t>(b + 1)] += first[static_cast<std::size_t>(b)];
           rows_in_parallel(blocks, [&](index b) {
             float* to = kept.data() + first[static_cast<std::size_t>(b)];
             for (index i = b * block; i < std::min(n, (b + 1) * block); ++i)
               if (m.data()[i]) *to++ = x.data()[i];
           });
         }},
        {"broadloom", [&] { bl::masked_select(x, m); }} TORCH(at::masked_select(tx, tm))
            XTENSOR(select(x.data(), m.data(), n))});
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) wanted = arguments[1];
  std::signal(SIGPIPE, SIG_IGN);
  numpy_worker worker(BENCH_FOLDER "/indexing_numpy.py");
  numpy = &worker;
  gather_rows_and_columns();
  select_rows();
  embedding_bag();
  scatter_adds();
  cats();
  sorts();
  selects();
}
