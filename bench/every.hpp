// What the rows of bench/every.txt are timed with: operands, the same numbers as in every_peers.py, and the loop that
// times a call. bench/every writes the programs around it.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace every {

namespace bl = broadloom;
using bl::index;

// What a peer's answer is compared with: how many numbers, and their sum. Of what is not an array of real numbers,
// none.
struct fingerprint {
  long long count = -1;
  double sum = 0;
};

template <class T>
void add(fingerprint& to, const T& x) {
  if constexpr (requires { static_cast<double>(x); }) {
    const double v = static_cast<double>(x);
    if (std::isfinite(v)) to.sum += v;
  }
}

template <class R>
fingerprint seen(const R& r) {
  fingerprint f;
  if constexpr (std::is_arithmetic_v<R>) {
    f.count = 1;
    add(f, r);
  } else if constexpr (requires { r.values.data(); }) {
    return seen(r.values);
  } else if constexpr (bl::array<R>) {
    f.count = 0;
    const auto all = bl::eval(bl::flatten(r));
    for (index i = 0; i < all.size(); ++i) add(f, all(i)), ++f.count;
  }
  return f;
}

// Runs what the row says: an expression is evaluated, a tensor or a struct of tensors is there already.
template <class F, class Use>
void call(const F& f, const Use& use) {
  using result = decltype(f());
  if constexpr (std::is_void_v<result>) {
    f();
    asm volatile("" ::: "memory");
  } else if constexpr (bl::expression<std::remove_cvref_t<result>> &&
                       !requires(std::remove_cvref_t<result> r) { r.data(); }) {
    const auto r = bl::eval(f());
    asm volatile("" ::"r"(&r) : "memory");
    use(r);
  } else {
    auto&& r = f();
    asm volatile("" ::"r"(&r) : "memory");
    use(r);
  }
}

class state {
 public:
  index n = 0, r = 0, c = 0, side = 0;
  std::string line;

  void size(index elements, index rows, index columns) {
    n = elements, r = rows, c = columns;
    side = static_cast<index>(std::llround(std::sqrt(static_cast<double>(n))));
  }
  // Answers "time NANOSECONDS" with the time of a call until another line comes.
  template <class F>
  void time(const F& f) {
    const auto none = [](const auto&) {};
    fingerprint print;
    const double cold = once([&] { call(f, none); });
    call(f, [&](const auto& result) { print = seen(result); });
    const double warm = once([&] { call(f, none); });
    // The least of several calls: the system may take pages away between two of them.
    long taken = 1;
    for (int k = 0; k < 4 && taken > 0; ++k) {
      const long before = faults();
      call(f, none);
      const long more = faults() - before;
      taken = k == 0 ? more : std::min(taken, more);
    }
    std::printf("%.17g %ld %lld %.17g\n", cold, taken, print.count, print.sum);
    std::fflush(stdout);
    double guess = warm;
    double budget = 0;
    while (std::getline(std::cin, line) && std::sscanf(line.c_str(), "time %lf", &budget) == 1) {
      const long calls = std::max(1L, static_cast<long>(budget / std::max(guess, 1.0)));
      if (calls > 1) call(f, none);  // the caches have what others read in between
      const double spent = once([&] {
        for (long i = 0; i < calls; ++i) call(f, none);
      });
      guess = spent / static_cast<double>(calls);
      std::printf("%.17g\n", guess);
      std::fflush(stdout);
    }
  }

 private:
  template <class F>
  static double once(const F& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  }
  static long faults() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt;
  }
};

// A name, and the function that makes its operands and has them timed.
struct row {
  std::string name;
  void (*run)(state&);
};
std::vector<row>& rows();
struct listed {
  listed(const char* name, void (*run)(state&)) { rows().push_back({name, run}); }
};

// --- numbers ---

inline std::uint32_t mixed(index i, unsigned seed) {
  std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u + seed * 40503u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}
inline double unit(index i, unsigned seed) { return static_cast<double>(mixed(i, seed) >> 8) / 16777216.0; }

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

// Integers in [-100, 100) or [0, 200), other numbers in [-2, 2).
template <class T>
T any_number(index i, unsigned seed) {
  if constexpr (std::is_same_v<T, bool>)
    return (mixed(i, seed) >> 9 & 1) != 0;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<int>(mixed(i, seed) % 200u) - (std::is_signed_v<T> ? 100 : 0));
  else if constexpr (is_complex<T>)
    return T(any_number<typename T::value_type>(i, seed), any_number<typename T::value_type>(i, seed + 100));
  else
    return static_cast<T>(static_cast<float>(unit(i, seed) * 4 - 2));
}
// Integers in [1, 101), other numbers in [0.01, 0.99).
template <class T>
T positive_number(index i, unsigned seed) {
  if constexpr (std::is_same_v<T, bool>)
    return true;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(1 + mixed(i, seed) % 100u);
  else
    return static_cast<T>(static_cast<float>(unit(i, seed) * 0.98 + 0.01));
}

// Number i of n that ascend from where those of any_number begin; `floating` where they are no integers.
template <class T, class F>
T ascending(index i, index n, F floating) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(i * 200 / (n - 1) - (std::is_signed_v<T> ? 100 : 0));
  else
    return static_cast<T>(floating);
}

template <class T, class F, class... N>
auto filled(const F& f, N... extents) {
  bl::dtensor<T, static_cast<int>(sizeof...(N))> x(extents...);
  T* to = x.data();
  for (index i = 0; i < x.size(); ++i) to[i] = f(i);
  return x;
}
template <class T, class... N>
auto anything(unsigned seed, N... extents) {
  return filled<T>([seed](index i) { return any_number<T>(i, seed); }, extents...);
}
template <class T, class... N>
auto positive(unsigned seed, N... extents) {
  return filled<T>([seed](index i) { return positive_number<T>(i, seed); }, extents...);
}
template <class... N>
auto places(unsigned seed, index below, N... extents) {
  return filled<index>([=](index i) { return static_cast<index>(mixed(i, seed)) % below; }, extents...);
}

// --- operands, by the names that rows use ---

#define EVERY(NAME, ...)      \
  template <class T>          \
  auto NAME(const state& s) { \
    (void)s;                  \
    return __VA_ARGS__;       \
  }
EVERY(v, anything<T>(1, s.n))
EVERY(w, anything<T>(2, s.n))
EVERY(u, positive<T>(3, s.n))
EVERY(t, positive<T>(4, s.n))
EVERY(y, anything<T>(5, s.n))
EVERY(m, anything<T>(6, s.r, s.c))
EVERY(p, anything<T>(7, s.r, s.c))
EVERY(ym, anything<T>(8, s.r, s.c))
EVERY(mu, positive<T>(9, s.r, s.c))
EVERY(row_of, anything<T>(10, s.c))
EVERY(column_of, anything<T>(11, s.r))
EVERY(q, anything<T>(12, s.side, s.side))
EVERY(q2, anything<T>(13, s.side, s.side))
EVERY(qv, anything<T>(14, s.side))
EVERY(yq, anything<T>(15, s.side, s.side))
EVERY(mask, anything<bool>(16, s.n))
EVERY(mmask, anything<bool>(17, s.r, s.c))
EVERY(at, places(18, s.n, s.n))
EVERY(row_at, places(19, s.r, s.r))
EVERY(column_at, places(20, s.c, s.r, s.c))
EVERY(few, places(21, 100, s.n))
EVERY(few_values, filled<T>([](index i) { return static_cast<T>(static_cast<float>(mixed(i, 22) % 100u)); }, s.n))
EVERY(edges, filled<T>([](index i) { return ascending<T>(i, 101, static_cast<float>(i) * 0.04f - 2.0f); }, index{101}))
EVERY(heights, anything<T>(23, index{101}))
EVERY(rising, filled<T>([&](index i) { return ascending<T>(i, s.n, 4.0 * double(i) / double(s.n) - 2); }, s.n))
EVERY(taps, anything<T>(24, index{31}))
EVERY(small_stack,
      filled<T>([](index i) { return static_cast<T>(any_number<T>(i, 25) + static_cast<T>(i % 16 % 5 == 0 ? 8 : 0)); },
                s.n / 16, index{4}, index{4}))
EVERY(points, anything<T>(26, s.n / 3, index{3}))
EVERY(points2, anything<T>(27, s.n / 3, index{3}))
EVERY(quats, anything<T>(28, s.n / 4, index{4}))
EVERY(quats2, anything<T>(29, s.n / 4, index{4}))
EVERY(cloud, anything<T>(30, s.side, index{16}))
EVERY(z, anything<std::complex<T>>(31, s.n))
EVERY(zm, anything<std::complex<T>>(32, s.r, s.c))
EVERY(line_of, anything<T>(33, index{2}, index{4}, std::max(index{8}, s.n / 8)))
EVERY(line_kernel, anything<T>(34, index{4}, index{4}, index{3}))
inline index edge_of(const state& s) {
  return std::max(index{4}, static_cast<index>(std::sqrt(static_cast<double>(s.n) / 8)));
}
EVERY(image, anything<T>(35, index{2}, index{4}, edge_of(s), edge_of(s)))
EVERY(image_kernel, anything<T>(36, index{4}, index{4}, index{3}, index{3}))
inline index depth_of(const state& s) {
  return std::max(index{4}, static_cast<index>(std::cbrt(static_cast<double>(s.n) / 2) + 1e-9));
}
EVERY(volume, anything<T>(37, index{1}, index{2}, depth_of(s), depth_of(s), depth_of(s)))
EVERY(volume_kernel, anything<T>(38, index{2}, index{2}, index{3}, index{3}, index{3}))
EVERY(low, filled<T>(
               [&](index i) {
                 return static_cast<T>(i / s.side == i % s.side  ? 2.0
                                       : i / s.side < i % s.side ? 0.0
                                                                 : unit(i, 39) / static_cast<double>(s.side));
               },
               s.side, s.side))
EVERY(spd,
      filled<T>(
          [&](index i) {
            const index a = i / s.side, b = i % s.side;
            return static_cast<T>(unit(std::min(a, b) * s.side + std::max(a, b), 40) / static_cast<double>(s.side) +
                                  (a == b ? 2.0 : 0.0));
          },
          s.side, s.side))
EVERY(batch, anything<T>(41, std::max(index{1}, s.n / 64), index{64}))
EVERY(carried, anything<T>(42, std::max(index{1}, s.n / 64), index{64}))
EVERY(gates4, anything<T>(43, index{256}, index{64}))
EVERY(gates3, anything<T>(44, index{192}, index{64}))
EVERY(channels, positive<T>(45, s.c))
EVERY(g, bl::generator(1))
#undef EVERY

}  // namespace every
