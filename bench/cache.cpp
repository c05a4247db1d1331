// Times what fits in a cache: each reduction and eight formulas, from 16 elements to 4Mi, and evaluations of a few
// elements, beside loops by hand, Eigen, libtorch and NumPy.
//   broadloom_bench_cache [--threads N] [--json FILE] [--types f32,...] [--sizes 16,...] [--seconds S] [WORK...]
//   valgrind --tool=callgrind broadloom_bench_cache_v3 --count ...   counts instructions instead, on one thread:
//   bench/cache_curves
// Ends with 1 if a result differs from that of the loop by hand.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) static_cast<void>(name)
#endif

#include "cache.hpp"
#include "numpy_worker.hpp"

using namespace bench_cache;

namespace {

using clock_type = std::chrono::steady_clock;
double since_ns(clock_type::time_point start) {
  return std::chrono::duration<double, std::nano>(clock_type::now() - start).count();
}

// n bytes that begin on a cache line, `place` lines and more behind the beginning of a page: arrays that all begin at
// one place of their pages would disturb each other's loads and stores.
struct memory {
  std::vector<unsigned char> all;
  unsigned char* start;
  memory(std::size_t n, std::size_t place) : all(n + 2 * 4096 + 64), start(all.data()) {
    while (reinterpret_cast<std::uintptr_t>(start) % 4096 != place * 64) ++start;
  }
};

template <class T>
void fill(void* to, long n, unsigned seed) {
  std::mt19937 chance(seed);
  std::uniform_real_distribution<double> some(0, std::is_integral_v<T> ? 100 : 1);
  for (long i = 0; i < n; ++i) static_cast<T*>(to)[i] = static_cast<T>(some(chance));
}
void fill(type t, void* to, long n, unsigned seed) {
  switch (t) {
    case type::f32: return fill<float>(to, n, seed);
    case type::f64: return fill<double>(to, n, seed);
    case type::i32: return fill<std::int32_t>(to, n, seed);
    case type::u8: return fill<std::uint8_t>(to, n, seed);
  }
}

double element(type t, const void* p, long i) {
  switch (t) {
    case type::f32: return static_cast<double>(static_cast<const float*>(p)[i]);
    case type::f64: return static_cast<const double*>(p)[i];
    case type::i32: return static_cast<const std::int32_t*>(p)[i];
    default: return static_cast<const std::uint8_t*>(p)[i];
  }
}

std::vector<double> result(work w, type t, const arrays& a) {
  const bool integers = t == type::i32 || t == type::u8;
  if (w == work::argmax || (integers && (w == work::sum || w == work::dot)))
    return {static_cast<double>(*static_cast<const std::int64_t*>(a.out))};
  std::vector<double> r;
  for (long i = 0; i < result_size(w, a.n); ++i) r.push_back(element(t, a.out, i));
  return r;
}
bool close(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(a[i] - b[i]) <= 1e-3 * (std::fabs(a[i]) + 1e-3))) return false;
  return true;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? std::nan("") : v[v.size() / 2];
}

struct entrant {
  const char* name;
  call run;
  long times = 1;
  std::vector<double> rounds{};
  bool right = true;
};

struct settings {
  int threads = 1;
  double seconds = 0.04;  // of each case
  bool count = false;
  std::string json;
  std::vector<std::string> works, types;
  std::vector<long> sizes{16, 64, 256, 1024, 4096, 16384, 65536, 1 << 18, 1 << 20, 4 << 20};
};
bool wanted(const std::vector<std::string>& some, const char* name) {
  return some.empty() || std::find(some.begin(), some.end(), name) != some.end();
}

class bench {
 public:
  explicit bench(settings s) : s_(std::move(s)), numpy_(BENCH_FOLDER "/cache_numpy.py") {}

  bool run() {
    if (s_.count) CALLGRIND_DUMP_STATS_AT("what came before");
    std::printf("%-16s %4s %8s   ns of one call on %d thread%s (its ratio to the loop by hand), ns of an element\n",
                "work", "type", "n", s_.threads, s_.threads == 1 ? "" : "s");
    for (int w = 0; w < static_cast<int>(work::count); ++w)
      for (int t = 0; t < 4; ++t) {
        const auto what = static_cast<work>(w);
        if (!wanted(s_.works, works[w].name) || !wanted(s_.types, type_names[t]) ||
            !runs(works[w], static_cast<type>(t)))
          continue;
        if (works[w].kind == kind::few)
          one(what, static_cast<type>(t), size_of_few(what));
        else
          for (const long n : s_.sizes) one(what, static_cast<type>(t), n);
      }
    write_json();
    return right_;
  }

 private:
  void one(work w, type t, long n) {
    std::vector<entrant> all;
    for (const contender& c : {hand(), broadloom(), eigen(), torch()})
      if (const call f = c.find != nullptr ? c.find(w, t) : nullptr; f != nullptr && (c.threads || s_.threads == 1))
        all.push_back({c.name, f});
    const auto bytes = static_cast<std::size_t>(n * type_sizes[static_cast<int>(t)]);
    const memory x(bytes, 0), y(bytes, 17), z(bytes, 34), out(std::max(bytes, std::size_t{256}), 51);
    fill(t, x.start, n, 1);
    fill(t, y.start, n, 2);
    fill(t, z.start, n, 3);
    const arrays a{x.start, y.start, z.start, out.start, n, s_.threads};
    std::vector<double> first;
    for (entrant& e : all) {
      std::memset(out.start, 0, 256);
      e.run(a, 1);
      if (first.empty())
        first = result(w, t, a);
      else if (!close(first, result(w, t, a))) {
        e.right = false;
        // peers add and multiply narrow integers in types of their own
        if (std::strcmp(e.name, "broadloom") == 0) right_ = false;
      }
    }
    if (s_.count) return count(w, t, a, all);
    for (entrant& e : all)
      for (;; e.times *= 2) {
        const auto start = clock_type::now();
        e.run(a, e.times);
        if (since_ns(start) > 5e4 || e.times >= 1l << 22) break;
      }
    const auto start = clock_type::now();
    for (int round = 0; round < 5 || (since_ns(start) < s_.seconds * 1e9 && round < 100); ++round)
      for (entrant& e : all) {
        const auto from = clock_type::now();
        e.run(a, e.times);
        e.rounds.push_back(since_ns(from) / static_cast<double>(e.times));
      }
    const double numpy = s_.threads == 1 ? numpy_.number(std::string(works[static_cast<int>(w)].name) + " " +
                                                         type_names[static_cast<int>(t)] + " " + std::to_string(n))
                                         : std::nan("");
    report(w, t, n, all, numpy);
  }

  // What valgrind counts of a few calls, as a dump of its own with a name.
  static void count(work w, type t, const arrays& a, const std::vector<entrant>& all) {
    constexpr long times = 8;
    for (const entrant& e : all) {
      const std::string name = std::string("case ") + works[static_cast<int>(w)].name + " " +
                               type_names[static_cast<int>(t)] + " " + std::to_string(a.n) + " " + e.name + " " +
                               std::to_string(times);
      CALLGRIND_ZERO_STATS;
      e.run(a, times);
      CALLGRIND_DUMP_STATS_AT(name.c_str());
    }
  }

  void report(work w, type t, long n, const std::vector<entrant>& all, double numpy) {
    const listed& what = works[static_cast<int>(w)];
    std::ostringstream json, ratios;
    json << "{\"work\": \"" << what.name << "\", \"formula\": \"" << what.formula << "\", \"kind\": \""
         << (what.kind == kind::reduction ? "reduction"
             : what.kind == kind::formula ? "formula"
                                          : "few")
         << "\", \"type\": \"" << type_names[static_cast<int>(t)] << "\", \"n\": " << n
         << ", \"threads\": " << s_.threads << ", \"ns\": {";
    std::printf("%-16s %4s %8ld ", what.name, type_names[static_cast<int>(t)], n);
    const double by_hand = median(all[0].rounds);
    const auto add = [&](const char* name, double ns, double ratio, bool right) {
      std::printf("  %s %.1f (%.2f)%s", name, ns, ratio, right ? "" : " DIFFERS");
      json << (ratios.tellp() == 0 ? "" : ", ") << "\"" << name << "\": " << ns;
      ratios << (ratios.tellp() == 0 ? "" : ", ") << "\"" << name << "\": " << ratio;
    };
    for (const entrant& e : all) {
      std::vector<double> over;
      for (std::size_t i = 0; i < e.rounds.size(); ++i) over.push_back(e.rounds[i] / all[0].rounds[i]);
      add(e.name, median(e.rounds), median(over), e.right);
    }
    if (numpy == numpy) add("numpy", numpy, numpy / by_hand, true);
    std::printf("  %.3f ns/element\n", median(all[1].rounds) / static_cast<double>(n));
    std::fflush(stdout);
    json << "}, \"ratio\": {" << ratios.str() << "}}";
    json_.push_back(json.str());
  }

  void write_json() const {
    if (s_.json.empty()) return;
    std::ofstream f(s_.json);
    std::ifstream info("/proc/cpuinfo"), load("/proc/loadavg");
    std::string cpu = "unknown", busy;
    for (std::string line; std::getline(info, line);)
      if (line.rfind("model name", 0) == 0) {
        cpu = line.substr(line.find(':') + 2);
        break;
      }
    load >> busy;
    f << "{\"processor\": \"" << cpu << "\", \"hardware_threads\": " << std::thread::hardware_concurrency()
      << ", \"load\": " << busy << ", \"flags\": \"" << BENCH_FLAGS << "\", \"cases\": [\n";
    for (std::size_t i = 0; i < json_.size(); ++i) f << (i > 0 ? ",\n" : "") << json_[i];
    f << "\n]}\n";
  }

  settings s_;
  numpy_worker numpy_;
  std::vector<std::string> json_;
  bool right_ = true;
};

std::vector<std::string> split(const std::string& s) {
  std::vector<std::string> r;
  std::istringstream in(s);
  for (std::string part; std::getline(in, part, ',');) r.push_back(part);
  return r;
}

}  // namespace

int main(int words, char** word) {
  settings s;
  for (int i = 1; i < words; ++i) {
    const std::string a = word[i];
    if (a == "--count") {
      s.count = true;
      continue;
    }
    if (a.rfind("--", 0) == 0 && i + 1 >= words) return 2;
    if (a == "--threads")
      s.threads = std::atoi(word[++i]);
    else if (a == "--seconds")
      s.seconds = std::atof(word[++i]);
    else if (a == "--json")
      s.json = word[++i];
    else if (a == "--types")
      s.types = split(word[++i]);
    else if (a == "--sizes") {
      s.sizes.clear();
      for (const std::string& n : split(word[++i])) s.sizes.push_back(std::atol(n.c_str()));
    } else
      s.works.push_back(a);
  }
  return bench(s).run() ? 0 : 1;
}
