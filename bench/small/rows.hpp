// What the rows of small matrices share: how they are timed, and the operands.
#pragma once

#include <Eigen/Dense>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

namespace bench_small {

// Only rows are timed whose name contains this.
inline std::string wanted;

// Of one subject each.
void static_products();
void static_factors();
void dynamic_products();
void prepared();
void geometry();
void batch_products();
void batch_factors();

// What is computed before is not known behind this.
template <class... X>
[[gnu::always_inline]] inline void touch(X&... x) {
  const auto one = [](void* p) { __asm__ volatile("" : : "r"(p) : "memory"); };
  (one(const_cast<void*>(static_cast<const void*>(&x))), ...);
}

// A function by itself: what else a file computes has no part in how `f` is compiled.
template <class F>
[[gnu::noinline]] double time_of(const F f, int calls) {
  using clock_type = std::chrono::steady_clock;
  const auto begin = clock_type::now();
  for (int i = 0; i < calls; ++i) f();
  return std::chrono::duration<double, std::nano>(clock_type::now() - begin).count() / calls;
}
// What a row is held to: its time over Eigen's, or nanoseconds more.
struct bound {
  double ratio, more;
};
inline constexpr bound of_static{1.2, 1}, of_dynamic{3, 0}, of_stacks{1, 0};
// The rows that are over their bound.
inline int missed = 0;

// `each`: how many matrices a call goes through.
template <class F, class G>
void row(bound most, const std::string& name, const F& ours, const G& theirs, int each = 1) {
  if (name.find(wanted) == std::string::npos) return;
  const double once = std::max(1.0, std::min(time_of(ours, 1), time_of(ours, 1)));
  const int calls = static_cast<int>(std::clamp(2e5 / once, 1.0, 1e4));
  double best[2] = {1e30, 1e30};
  for (int r = 0; r < 60; ++r) {
    best[0] = std::min(best[0], time_of(ours, calls));
    best[1] = std::min(best[1], time_of(theirs, calls));
  }
  const double us = best[0] / each, eigen = best[1] / each;
  const bool over = us > most.ratio * eigen && us > eigen + most.more;
  missed += over;
  std::printf("%-36s %9.2f %9.2f  %5.2f%s\n", name.c_str(), us, eigen, us / eigen, over ? "  over" : "");
}

template <class T, int N>
using square = Eigen::Matrix<T, N, N>;
template <class T, int N>
using column = Eigen::Matrix<T, N, 1>;

template <class T>
inline constexpr const char* name_of = sizeof(T) == 4 ? "f32 " : "f64 ";

// Elements whose matrix has an inverse.
template <class T>
T at(int i, int j) {
  return T(i == j ? 5 : 0) + T((i * 7 + j * 3) % 5) / 4;
}

}  // namespace bench_small
