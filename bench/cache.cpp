// Times what fits in a cache: each reduction and eight formulas, from 16 elements to 4Mi, beside loops by hand, Eigen,
// libtorch and NumPy, and small reductions.
//   broadloom_bench_cache [--threads N] [--json FILE] [--types f32,...] [--seconds S] [WORK...]
//   broadloom_bench_cache --only CONTENDER TIMES WORK TYPE N     does this and nothing else: for counts of instructions
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

#include "cache.hpp"
#include "cache_numpy.hpp"

using namespace bench_cache;

namespace {

using clock_type = std::chrono::steady_clock;
double since_ns(clock_type::time_point start) {
  return std::chrono::duration<double, std::nano>(clock_type::now() - start).count();
}

constexpr long sizes[] = {16, 64, 256, 1024, 4096, 65536, 1 << 20, 4 << 20};

struct memory {
  std::vector<unsigned char> all;
  unsigned char* start;
  explicit memory(std::size_t n) : all(n + 128), start(all.data()) {
    while (reinterpret_cast<std::uintptr_t>(start) % 64 != 0) ++start;
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

// What the result is in memory: an i64 for sums of integers and positions, else the type.
std::vector<double> result(work w, type t, const arrays& a) {
  const bool integers = t == type::i32 || t == type::u8;
  if (is_reduction(w) || w == work::mean_64) {
    if (w == work::argmax || (integers && (w == work::sum || w == work::dot)))
      return {static_cast<double>(*static_cast<const std::int64_t*>(a.out))};
    return {element(t, a.out, 0)};
  }
  std::vector<double> r;
  for (long i = 0; i < a.n; ++i) r.push_back(element(t, a.out, i));
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
  int threads;
  long times = 1;
  std::vector<double> rounds{};
  bool right = true;
};

struct settings {
  int threads = 1;
  double seconds = 0.05;  // of each case
  std::string json;
  std::vector<std::string> wanted, types;
};

class bench {
 public:
  explicit bench(settings s) : s_(std::move(s)) {}

  bool run() {
    std::printf("%-12s %4s %8s", "work", "type", "n");
    std::printf("   ns of one call on %d thread%s (its ratio to the loop by hand), ns of an element\n", s_.threads,
                s_.threads == 1 ? "" : "s");
    for (int w = 0; w < static_cast<int>(work::count); ++w) {
      if (!s_.wanted.empty() && std::find(s_.wanted.begin(), s_.wanted.end(), work_names[w]) == s_.wanted.end())
        continue;
      for (int t = 0; t < 4; ++t) {
        if (!s_.types.empty() && std::find(s_.types.begin(), s_.types.end(), type_names[t]) == s_.types.end()) continue;
        const auto what = static_cast<work>(w);
        if (is_small(what)) {
          if (t == 0) one(what, type::f32, what == work::softmax_10 ? 10 : 64);
          continue;
        }
        for (const long n : sizes) one(what, static_cast<type>(t), n);
      }
    }
    write_json();
    return right_;
  }

 private:
  void one(work w, type t, long n) {
    std::vector<entrant> all;
    for (const contender& c : {hand(), broadloom(), eigen(), torch()})
      if (const call f = c.find != nullptr ? c.find(w, t) : nullptr; f != nullptr && (c.threads || s_.threads == 1))
        all.push_back({c.name, f, s_.threads});
    if (all.size() < 2) return;
    const auto bytes = static_cast<std::size_t>(n * type_sizes[static_cast<int>(t)]);
    const memory x(bytes), y(bytes), z(bytes), out(std::max(bytes, std::size_t{64}));
    fill(t, x.start, n, 1);
    fill(t, y.start, n, 2);
    fill(t, z.start, n, 3);
    const arrays a{x.start, y.start, z.start, out.start, n, s_.threads};
    std::vector<double> first;
    for (entrant& e : all) {
      std::memset(out.start, 0, 64);
      e.run(a, 1);
      if (first.empty())
        first = result(w, t, a);
      else if (!close(first, result(w, t, a))) {
        e.right = false;
        // peers add and multiply narrow integers in types of their own
        if (std::strcmp(e.name, "broadloom") == 0) right_ = false;
      }
      for (;;) {
        const auto start = clock_type::now();
        e.run(a, e.times);
        if (since_ns(start) > 1e5 || e.times >= 1l << 22) break;
        e.times *= 2;
      }
    }
    const auto start = clock_type::now();
    for (int round = 0; round < 5 || (since_ns(start) < s_.seconds * 1e9 && round < 100); ++round)
      for (entrant& e : all) {
        const auto from = clock_type::now();
        e.run(a, e.times);
        e.rounds.push_back(since_ns(from) / static_cast<double>(e.times));
      }
    const double numpy =
        s_.threads == 1 ? numpy_ns(work_names[static_cast<int>(w)], type_names[static_cast<int>(t)], n) : std::nan("");
    report(w, t, n, all, numpy);
  }

  void report(work w, type t, long n, const std::vector<entrant>& all, double numpy) {
    std::printf("%-12s %4s %8ld", work_names[static_cast<int>(w)], type_names[static_cast<int>(t)], n);
    std::ostringstream json;
    json << "{\"work\": \"" << work_names[static_cast<int>(w)] << "\", \"formula\": \""
         << work_formulas[static_cast<int>(w)] << "\", \"type\": \"" << type_names[static_cast<int>(t)]
         << "\", \"n\": " << n << ", \"threads\": " << s_.threads << ", \"ns\": {";
    std::ostringstream ratios;
    for (const entrant& e : all) {
      std::vector<double> over;
      for (std::size_t i = 0; i < e.rounds.size(); ++i) over.push_back(e.rounds[i] / all[0].rounds[i]);
      const double ns = median(e.rounds), ratio = median(over);
      std::printf("  %s %.1f (%.2f)%s", e.name, ns, ratio, e.right ? "" : " DIFFERS");
      json << (&e == all.data() ? "" : ", ") << "\"" << e.name << "\": " << ns;
      ratios << (&e == all.data() ? "" : ", ") << "\"" << e.name << "\": " << ratio;
    }
    if (numpy == numpy) {
      const double over = numpy / median(all[0].rounds);
      std::printf("  numpy %.1f (%.2f)", numpy, over);
      json << ", \"numpy\": " << numpy;
      ratios << ", \"numpy\": " << over;
    }
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
  std::vector<std::string> json_;
  bool right_ = true;
};

std::vector<std::string> split(const std::string& s) {
  std::vector<std::string> r;
  std::istringstream in(s);
  for (std::string part; std::getline(in, part, ',');) r.push_back(part);
  return r;
}

// A case by itself, so many times: what valgrind counts.
int only(char** word) {
  const std::string name = word[0], what = word[2], kind = word[3];
  const long times = std::atol(word[1]), n = std::atol(word[4]);
  for (const contender& c : {hand(), broadloom(), eigen(), torch()})
    for (int w = 0; w < static_cast<int>(work::count); ++w)
      for (int t = 0; t < 4; ++t) {
        if (name != c.name || what != work_names[w] || kind != type_names[t]) continue;
        const call f = c.find != nullptr ? c.find(static_cast<work>(w), static_cast<type>(t)) : nullptr;
        if (f == nullptr) return 2;
        const auto bytes = static_cast<std::size_t>(n * type_sizes[t]);
        const memory x(bytes), y(bytes), z(bytes), out(std::max(bytes, std::size_t{64}));
        f({x.start, y.start, z.start, out.start, n, 1}, times);
        return 0;
      }
  return 2;
}

}  // namespace

int main(int words, char** word) {
  settings s;
  for (int i = 1; i < words; ++i) {
    const std::string a = word[i];
    if (a == "--only" && i + 5 < words) return only(word + i + 1);
    if (a.rfind("--", 0) == 0 && i + 1 >= words) return 2;
    if (a == "--threads")
      s.threads = std::atoi(word[++i]);
    else if (a == "--seconds")
      s.seconds = std::atof(word[++i]);
    else if (a == "--json")
      s.json = word[++i];
    else if (a == "--types")
      s.types = split(word[++i]);
    else
      s.wanted.push_back(a);
  }
  return bench(s).run() ? 0 : 1;
}
