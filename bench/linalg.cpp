// Times the workloads of linear algebra for each contender in turn, several rounds over, and prints the least of each
// with the ratio to Broadloom's, and for square products Eigen's rate on one core, and on all at once, a product each.
// Results are compared with Broadloom's; a wrong one ends the program with 1. NumPy and numba work in a process of
// their own, on arrays of the same shapes. One word limits it to the workloads it is part of.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "linalg_shared.hpp"
#include "numpy_worker.hpp"

using namespace linalg_bench;

namespace {

template <class T>
std::vector<T> numbers(index n) {
  std::vector<T> r(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<T>(std::sin(0.7 * static_cast<double>(i % 100003)));
  return r;
}
template <class T>
std::vector<T> regular(index count, index n) {
  auto r = numbers<T>(count * n * n);
  for (index k = 0; k < count; ++k)
    for (index i = 0; i < n; ++i)
      for (index j = 0; j <= i; ++j) {
        T& x = r[static_cast<std::size_t>((k * n + i) * n + j)];
        r[static_cast<std::size_t>((k * n + j) * n + i)] = x;
        if (i == j) x = static_cast<T>(n + 1) + x;
      }
  return r;
}

// Of a run: the time that went by, and what this process had of all cores meanwhile, which a busy machine changes less.
struct times {
  double passed, of_cores;
};
times seconds(const std::function<void()>& f) {
  const std::clock_t used = std::clock();
  const auto start = std::chrono::steady_clock::now();
  f();
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {passed, static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

const char* const one_core = "eigen on one core";
const char* const at_once = "eigen, a product a core";

struct contest {
  const char* name;
  std::function<void()> run;
  double times = 1;      // how often a run does the work
  bool lingers = false;  // has threads of its own, which look for more work for a tenth of a second and more
};

// Threads that linger take a core from whoever comes next: they have rounds of their own, and time to go to sleep.
constexpr std::chrono::milliseconds lingering{300};

// operations: floating-point operations of one run, 0: not a rate
void report(const std::string& name, double operations, const std::vector<contest>& runs) {
  std::vector<double> least(runs.size(), 1e30), of_cores(runs.size(), 1e30);
  for (const bool lingers : {false, true}) {
    std::this_thread::sleep_for(lingering);
    double spent = 0;
    for (int round = 0; round < 40 && (round < 4 || spent < 1.0); ++round)
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].lingers != lingers) continue;
        const times t = seconds(runs[i].run);
        spent += t.passed;
        least[i] = std::min(least[i], t.passed / runs[i].times);
        of_cores[i] = std::min(of_cores[i], t.of_cores / runs[i].times);
      }
  }
  std::printf("%-28s", name.c_str());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::printf("  %s %9.3f ms", runs[i].name, least[i] * 1e3);
    if (operations > 0) std::printf(" %6.1f Gflop/s", operations / least[i] * 1e-9);
    if (i > 0) std::printf(" (%.2fx", least[i] / least[0]);
    if (i > 0 && of_cores[0] * runs[0].times > 1e-3)
      std::printf(", %.2fx of the cores' time", of_cores[i] / of_cores[0]);
    if (i > 0) std::printf(")");
    if (runs[i].name == at_once) std::printf(" [%.2f of their rate]", least[i] / least[0]);
    if (runs[i].name == one_core)
      std::printf(" [%.2f of its rate times the cores]",
                  least[i] / (least[0] * static_cast<double>(std::thread::hardware_concurrency())));
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

struct outputs {
  const float* f32 = nullptr;
  const double* f64 = nullptr;
  std::size_t count = 0;
  std::vector<double> copy() const {
    std::vector<double> r(count);
    for (std::size_t i = 0; i < count; ++i) r[i] = f32 != nullptr ? static_cast<double>(f32[i]) : f64[i];
    return r;
  }
};
outputs of(const std::vector<float>& v) { return {v.data(), nullptr, v.size()}; }
outputs of(const std::vector<double>& v) { return {nullptr, v.data(), v.size()}; }

bool close(const std::vector<double>& a, const std::vector<double>& b) {
  double scale = 1, far = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    scale = std::max(scale, std::abs(a[i]));
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= far)) far = d;
  }
  return far <= 1e-3 * scale;
}

int main(int words, char** word) {
  const std::string wanted = words > 1 ? word[1] : "";
  const std::vector<contender> all{
      broadloom_contender(),
      eigen_contender(),
#ifdef BENCH_OPENBLAS
      openblas_contender(),
#endif
#ifdef BENCH_TORCH
      torch_contender(),
#endif
  };
  constexpr std::size_t of_tbb = 2;  // the first contenders; the others have threads of their own
  bool right = true;
  numpy_worker python(BENCH_FOLDER "/linalg_numpy.py");
  const auto compare = [&](const std::string& name, double operations, outputs out, auto call, auto alone) {
    if (name.find(wanted) == std::string::npos) return;
    std::vector<contest> runs;
    // One small product is too short for the clock, and for threads that have to wake up first.
    const double often = operations > 0 ? std::max(1.0, std::ceil(1e9 / operations)) : 1.0;
    const auto repeated = [often](auto f) {
      return [often, f] {
        for (int i = 0; i < static_cast<int>(often); ++i) f();
      };
    };
    std::vector<double> first;
    for (const contender& c : all) {
      call(c);
      if (first.empty())
        first = out.copy();
      else if (!close(first, out.copy())) {
        std::printf("%s: %s is wrong\n", name.c_str(), c.name);
        right = false;
      }
      runs.push_back({c.name, repeated([&call, &c] { call(c); }), often, &c >= all.data() + of_tbb});
    }
    // What all cores are to reach is a multiple of what one of them does.
    const contender eigen = eigen_contender();
    if constexpr (!std::is_same_v<decltype(alone), std::nullptr_t>) {
      runs.push_back({one_core,
                      [&call, &eigen, repeated] {
                        max_thread_count = 1;
                        repeated([&call, &eigen] { call(eigen); })();
                        max_thread_count = 0;
                      },
                      often});
      // What the machine lets all cores do when none waits for another: whole products on each, to memory of its own.
      const unsigned cores = std::thread::hardware_concurrency();
      const int products = static_cast<int>(std::max(1.0, std::ceil(1e9 / operations)));
      const auto on_each = [&alone, &eigen, &out, cores, products] {
        max_thread_count = 1;
        std::vector<std::thread> team;
        for (unsigned i = 0; i < cores; ++i)
          team.emplace_back([&] {
            thread_local std::vector<double> own;
            own.resize(out.count);
            for (int k = 0; k < products; ++k) alone(eigen, own.data());
          });
        for (std::thread& t : team) t.join();
        max_thread_count = 0;
      };
      runs.push_back({at_once, on_each, static_cast<double>(products) * cores});
    }
    // A word through a pipe takes longer than a small product.
    if (operations == 0 || operations > 1e8)
      for (const char* who : {"numpy", "numba"})
        if (python.run(std::string(who) + " " + name))
          runs.push_back({who, [&python, who, name] { python.run(std::string(who) + " " + name); }, 1, true});
    report(name, operations, runs);
  };
  for (const index n : {64, 128, 256, 512, 1024, 2048}) {
    const auto a = numbers<float>(n * n), b = numbers<float>(n * n);
    const auto d = numbers<double>(n * n), e = numbers<double>(n * n);
    std::vector<float> c(a.size());
    std::vector<double> f(d.size());
    const double operations = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    compare(
        "matmul f32 " + std::to_string(n), operations, of(c),
        [&](const contender& x) { x.square_f32(a.data(), b.data(), c.data(), n); },
        [&](const contender& x, void* to) { x.square_f32(a.data(), b.data(), static_cast<float*>(to), n); });
    compare(
        "matmul f64 " + std::to_string(n), operations, of(f),
        [&](const contender& x) { x.square_f64(d.data(), e.data(), f.data(), n); },
        [&](const contender& x, void* to) { x.square_f64(d.data(), e.data(), static_cast<double*>(to), n); });
  }
  {
    const auto a = numbers<float>(32 * 64 * 64), b = numbers<float>(8 * 64 * 64);
    std::vector<float> c(32 * 8 * 64 * 64);
    compare(
        "(32,1,64,64) @ (1,8,64,64)", 256.0 * 2 * 64 * 64 * 64, of(c),
        [&](const contender& x) { x.stack_f32(a.data(), b.data(), c.data(), 32, 8, 64); }, nullptr);
  }
  {
    const auto a = numbers<float>(4096 * 512), b = numbers<float>(512 * 512), v = numbers<float>(512);
    std::vector<float> c(4096 * 512);
    compare(
        "relu(x @ w + b)", 2.0 * 4096 * 512 * 512, of(c),
        [&](const contender& x) { x.layer_f32(a.data(), b.data(), v.data(), c.data(), 4096, 512, 512); }, nullptr);
  }
  for (const index n : {3, 4}) {
    const index count = 1000000;
    const auto a = regular<float>(count, n);
    const auto b = numbers<float>(count * n);
    std::vector<float> c(a.size()), x(b.size());
    compare(
        "million " + std::to_string(n) + "x" + std::to_string(n) + " products", 0, of(c),
        [&](const contender& k) { k.small_f32(a.data(), b.data(), c.data(), count, n); }, nullptr);
    compare(
        "million " + std::to_string(n) + "x" + std::to_string(n) + " solves", 0, of(x),
        [&](const contender& k) { k.solve_f32(a.data(), b.data(), x.data(), count, n); }, nullptr);
  }
  {
    const auto a = regular<double>(10000, 16);
    const auto b = numbers<double>(10000 * 16);
    std::vector<double> x(b.size());
    compare(
        "(10000,16,16) Cholesky-solve", 0, of(x),
        [&](const contender& k) { k.cholesky_f64(a.data(), b.data(), x.data(), 10000, 16); }, nullptr);
  }
  return right ? 0 : 1;
}
