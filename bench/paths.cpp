// Times the rows of paths_rows.cpp: one for each fast path, with the route that explain() gives.
//   broadloom_bench_paths [--seconds S] [MODULE.so ...]     several builds of the module are timed in turns; ratios are
//   to the first
#include "paths.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
double time_of(const bench_paths::row& r, long times) {
  const auto start = clock_type::now();
  r.run(times);
  return std::chrono::duration<double, std::nano>(clock_type::now() - start).count();
}
double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int words, char** word) {
  double seconds = 0.3;
  std::vector<const bench_paths::row*> builds;
  std::vector<std::string> files;
  for (int i = 1; i < words; ++i)
    if (std::string(word[i]) == "--seconds" && i + 1 < words)
      seconds = std::atof(word[++i]);
    else
      files.push_back(word[i]);
  if (files.empty()) files.push_back(BENCH_MODULE);
  for (const std::string& file : files) {
    void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    builds.push_back(reinterpret_cast<const bench_paths::row* (*)()>(dlsym(module, "broadloom_bench_paths"))());
  }
  std::printf("one thread; ns of one evaluation, medians; ratios to the first build are medians within a round\n");
  for (int k = 0; builds[0][k].path != nullptr; ++k) {
    const bench_paths::row& first = builds[0][k];
    long times = 1;
    while (time_of(first, times) < 2e5 && times < 1l << 20) times *= 2;
    std::vector<std::vector<double>> rounds(builds.size());
    for (const auto* build : builds) build[k].run(1);
    const auto start = clock_type::now();
    for (int round = 0;
         round < 5 || (round < 400 && std::chrono::duration<double>(clock_type::now() - start).count() < seconds);
         ++round)
      for (std::size_t b = 0; b < builds.size(); ++b) {
        const std::size_t turn = (b + static_cast<std::size_t>(round)) % builds.size();
        rounds[turn].push_back(time_of(builds[turn][k], times) / static_cast<double>(times));
      }
    std::printf("%-32s %-46s %12.1f", first.path, first.formula, median(rounds[0]));
    for (std::size_t b = 1; b < builds.size(); ++b) {
      std::vector<double> over;
      for (std::size_t i = 0; i < rounds[b].size(); ++i) over.push_back(rounds[b][i] / rounds[0][i]);
      std::printf("  %6.3f", median(over));
    }
    std::printf("  %s\n", first.routes());
    std::fflush(stdout);
  }
}
