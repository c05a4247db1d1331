// What bench/half.cpp and bench/half_torch.cpp measure by.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

// Prints the least and the median time of many runs, in milliseconds, and the bytes a second of the least.
template <class F>
void time(const char* what, const char* type, double bytes, const F& run) {
  std::vector<double> all;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 41; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    all.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e3);
    if (i >= 6 && std::chrono::steady_clock::now() - begin > std::chrono::seconds(1)) break;
  }
  std::sort(all.begin(), all.end());
  std::printf("%s\t%s\t%.3f\t%.3f\t%.1f GB/s\n", what, type, all[0], all[all.size() / 2], bytes / all[0] / 1e6);
}
