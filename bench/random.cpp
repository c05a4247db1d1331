// Random numbers: nanoseconds for each draw, the least of seven evaluations into an array that exists, on one thread.
// bench/random_numpy.py prints the same of NumPy's Generator.
//
//   g++ -std=c++20 -O2 -Iinclude bench/random.cpp -Lbuild/lib -lbroadloom -Wl,-rpath,build/lib -o build/random
//   build/random [LENGTH [THREADS]]; bench/random_numpy.py [LENGTH]
#include <broadloom/random.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bl = broadloom;

namespace {

template <class F>
void time(const char* name, bl::index n, const F& run) {
  double best = 1e9;
  for (int i = 0; i < 7; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%s\t%.2f\n", name, best / static_cast<double>(n) * 1e9);
}

}  // namespace

int main(int count, char** given) {
  const bl::index n = count > 1 ? std::atol(given[1]) : 1 << 20;
  const bl::policy how = bl::par.threads(count > 2 ? std::atoi(given[2]) : 1);
  const bl::dshape<1> s(n);
  bl::generator g(1);
  bl::dtensor<float, 1> f32(n);
  bl::dtensor<double, 1> f64(n);
  bl::dtensor<std::int32_t, 1> i32(n);
  bl::dtensor<std::int64_t, 1> i64(n);
  time("uniform f32", n, [&] { bl::assign(f32, bl::uniform<float>(g, s), how); });
  time("uniform f64", n, [&] { bl::assign(f64, bl::uniform<double>(g, s), how); });
  time("normal f32", n, [&] { bl::assign(f32, bl::normal<float>(g, s), how); });
  time("normal f64", n, [&] { bl::assign(f64, bl::normal<double>(g, s), how); });
  time("exponential f64", n, [&] { bl::assign(f64, bl::exponential<double>(g, s), how); });
  time("randint i32", n, [&] { bl::assign(i32, bl::randint<std::int32_t>(g, 1000, s), how); });
  time("randint i64", n, [&] { bl::assign(i64, bl::randint(g, 1000000000000, s), how); });
  time("gamma 0.5", n, [&] { bl::assign(f64, bl::gamma<double>(g, 0.5, s), how); });
  time("gamma 3", n, [&] { bl::assign(f64, bl::gamma<double>(g, 3, s), how); });
  time("beta 2 3", n, [&] { bl::assign(f64, bl::beta<double>(g, 2, 3, s), how); });
  time("poisson 3", n, [&] { bl::assign(i64, bl::poisson<std::int64_t>(g, 3, s), how); });
  time("poisson 50", n, [&] { bl::assign(i64, bl::poisson<std::int64_t>(g, 50, s), how); });
  time("binomial 10 0.3", n, [&] { bl::assign(i64, bl::binomial<std::int64_t>(g, 10, 0.3, s), how); });
  time("binomial 100 0.7", n, [&] { bl::assign(i64, bl::binomial<std::int64_t>(g, 100, 0.7, s), how); });
  time("randperm", n, [&] { i64 = bl::randperm(g, n); });
}
