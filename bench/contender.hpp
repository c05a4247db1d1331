// What a contender module and the benchmark program agree on: the problem to solve, and the calls that solve it.
// Each contender is a module of its own, loaded at run time, so that its compiler flags, templates and inline
// functions stay apart from those of all others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using shape = std::vector<long>;

inline long count(const shape& extents) {
  long n = 1;
  for (long extent : extents) n *= extent;
  return n;
}

// One prepared case of a workload. Every contender reads the same operands and writes the same output memory.
struct problem {
  std::string name;
  std::vector<const void*> operands;
  std::vector<shape> shapes;
  void* output = nullptr;
  shape output_shape;
  std::size_t output_bytes = 0;
  std::vector<std::pair<const void*, std::size_t>> streams;  // what must be read from memory at least once
  int threads = 1;

  template <class T>
  const T* in(std::size_t k) const {
    return static_cast<const T*>(operands[k]);
  }
  template <class T>
  T* out() const {
    return static_cast<T*>(output);
  }
  long size() const { return count(output_shape); }
};

// What a contender does with a problem: calls(n) solves it n times, into an existing output.
struct job {
  std::function<void(long)> calls;
  int threads = 1;               // threads really used
  const void* output = nullptr;  // where the result is, when not in the problem's own output
  double settle_ms = 0;          // how long threads of this contender may keep spinning after a call
  bool checked = true;           // false for the bandwidth probes, which compute nothing
};

// f() solves the problem once. It is inlined into the loop, and memory counts as changed between two calls, but what f
// holds itself (pointers, sizes) may stay in registers.
template <class Solve>
job repeat(int threads, Solve f) {
  job j;
  j.threads = threads;
  j.calls = [f](long n) {
    Solve solve = f;
    for (long i = 0; i < n; ++i) {
      solve();
      asm volatile("" ::: "memory");
    }
  };
  return j;
}

// A module adds its entries here: which contender (a module may have several), for which case, made how.
class registry {
 public:
  struct entry {
    std::string contender;
    std::string workload;
    std::function<job(const problem&)> make;
  };

  // Names the contender that the following solves() calls belong to, with its version and compiler flags.
  void contender(std::string name, std::string version, std::string flags) {
    about.push_back({std::move(name), std::move(version), std::move(flags)});
  }
  void solves(std::string workload, std::function<job(const problem&)> make) {
    entries.push_back({about.back()[0], std::move(workload), std::move(make)});
  }

  std::vector<std::vector<std::string>> about;  // name, version, flags
  std::vector<entry> entries;
};

}  // namespace bench

// Every module defines this one function.
extern "C" __attribute__((visibility("default"))) void broadloom_bench_register(bench::registry& contenders);
