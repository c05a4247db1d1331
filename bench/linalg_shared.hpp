// A loop shared out over threads by hand, for contenders that have none.
#pragma once

#include <algorithm>
#include <thread>
#include <vector>

#include "linalg.hpp"

namespace linalg_bench {

// The most threads of such a loop; 0: as many as the machine has.
inline index max_thread_count = 0;

// f(first, last) over ranges that together make up [0, count), a thread each.
template <class F>
void shared(index count, F f) {
  const index all = max_thread_count > 0 ? max_thread_count : std::thread::hardware_concurrency();
  const index threads = std::max<index>(1, std::min<index>(count, all));
  std::vector<std::thread> team;
  for (index t = 1; t < threads; ++t) team.emplace_back([=] { f(count * t / threads, count * (t + 1) / threads); });
  f(0, count / threads);
  for (auto& t : team) t.join();
}

}  // namespace linalg_bench
