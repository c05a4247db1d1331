// The benchmark program: loads the contender modules, gives each the same inputs, checks every result, and times all
// of them in interleaved rounds.
//   broadloom_bench [--modules DIR] [--threads N] [--seconds S] [--json FILE] [--only CONTENDER,...] FAMILY_OR_CASE...
// Ends with 1 if a contender's result is wrong.
#include <dlfcn.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

#include "contender.hpp"
#include "workloads.hpp"

// ---------------------------------------------------------------- counted allocation
// The program's own malloc family, which every module and library in the process then uses. operator new ends here too.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {
std::atomic<long> allocations{0};
std::atomic<long> allocated_bytes{0};
void counted(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  allocated_bytes.fetch_add(long(bytes), std::memory_order_relaxed);
}
}  // namespace

extern "C" {
void* malloc(std::size_t n) {
  counted(n);
  return __libc_malloc(n);
}
void* calloc(std::size_t k, std::size_t n) {
  counted(k * n);
  return __libc_calloc(k, n);
}
void* realloc(void* p, std::size_t n) {
  counted(n);
  return __libc_realloc(p, n);
}
void* memalign(std::size_t a, std::size_t n) {
  counted(n);
  return __libc_memalign(a, n);
}
void* aligned_alloc(std::size_t a, std::size_t n) {
  counted(n);
  return __libc_memalign(a, n);
}
int posix_memalign(void** p, std::size_t a, std::size_t n) {
  counted(n);
  *p = __libc_memalign(a, n);
  return *p ? 0 : ENOMEM;
}
}

namespace bench {
namespace {

using clock = std::chrono::steady_clock;
double since_ns(clock::time_point start) {
  return std::chrono::duration<double, std::nano>(clock::now() - start).count();
}

// Memory of one array. Large ones lie on huge pages where the system gives them; small ones start at different
// offsets into a page, as arrays from malloc would.
class buffer {
 public:
  explicit buffer(std::size_t n) {
    const std::size_t huge = std::size_t(2) << 20;
    const bool large = n >= huge / 2;
    const std::size_t alignment = large ? huge : 64;
    bytes_ = (n + 1024 + alignment - 1) / alignment * alignment;
    memory_ = __libc_memalign(alignment, bytes_);
    if (!memory_) throw std::bad_alloc();
    if (large) madvise(memory_, bytes_, MADV_HUGEPAGE);
    std::memset(memory_, 0, bytes_);
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { std::free(memory_); }
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

double median(std::vector<double> v) {
  if (v.empty()) return std::nan("");
  std::sort(v.begin(), v.end());
  const std::size_t h = v.size() / 2;
  return v.size() % 2 ? v[h] : (v[h - 1] + v[h]) / 2;
}

struct options {
  std::string modules = ".";
  std::string json;
  int threads = int(std::thread::hardware_concurrency());
  double seconds = 3;  // of timing, for each case
  std::vector<std::string> only, wanted;
};

struct entrant {
  std::string name;
  job work;
  long calls = 1;                // in one sample
  std::vector<double> rounds{};  // ns of one call, one figure for each round
  double sum = 0, error = 0;
  bool right = true;
  std::string bits = "-";             // "same" or "differ", against the hand-written loop
  double allocations = 0, bytes = 0;  // in one warm call
};

std::string escaped(const std::string& s) {
  std::string r;
  for (char c : s) {
    if (c == '"' || c == '\\') r += '\\';
    r += c;
  }
  return r;
}

std::string time_text(double ns) {
  char text[32];
  if (ns < 1e4)
    std::snprintf(text, sizeof text, "%.1f ns", ns);
  else if (ns < 1e7)
    std::snprintf(text, sizeof text, "%.1f us", ns / 1e3);
  else
    std::snprintf(text, sizeof text, "%.2f ms", ns / 1e6);
  return text;
}

std::string ratio_text(double r, const char* format = "%.3f") {
  if (!std::isfinite(r)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, format, r);
  return text;
}

// Median over the rounds of a / b: both were measured within the same round.
double paired(const entrant& a, const entrant& b) {
  std::vector<double> r;
  for (std::size_t i = 0; i < std::min(a.rounds.size(), b.rounds.size()); ++i) r.push_back(a.rounds[i] / b.rounds[i]);
  return median(r);
}

bool is_ours(const std::string& name) { return name.rfind("broadloom", 0) == 0; }
bool is_limit(const std::string& name) { return name.rfind("limit", 0) == 0; }
bool is_hand(const std::string& name) { return name.rfind("hand", 0) == 0; }
// The hand-written loop that the others are compared with comes first, then those beside it.
int turn_of(const std::string& name) { return name == "hand" ? 0 : is_hand(name) ? 1 : 2; }

class runner {
 public:
  explicit runner(options o) : o_(std::move(o)) { load(); }

  bool run() {
    describe();
    bool right = true;
    for (const workload& w : all_workloads())
      if (std::any_of(o_.wanted.begin(), o_.wanted.end(),
                      [&](const std::string& s) { return s == w.family || s == w.name; }))
        right &= run(w);
    write_json();
    return right;
  }

 private:
  void load() {
    std::vector<std::filesystem::path> files;
    for (const auto& f : std::filesystem::directory_iterator(o_.modules))
      if (f.path().filename().string().rfind("contender_", 0) == 0 && f.path().extension() == ".so")
        files.push_back(f.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      // A module that is not wanted is not even loaded: its libraries and their threads stay out of the process.
      const std::string stem = file.stem().string().substr(10);
      if (!wanted_module(stem)) continue;
      void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!handle) throw std::runtime_error(std::string("cannot load a contender: ") + dlerror());
      const auto enter = reinterpret_cast<void (*)(registry&)>(dlsym(handle, "broadloom_bench_register"));
      if (!enter) throw std::runtime_error("no broadloom_bench_register in " + file.string());
      enter(contenders_);
    }
    if (contenders_.entries.empty()) throw std::runtime_error("no contender modules in " + o_.modules);
  }
  bool wanted_module(const std::string& stem) const {
    return o_.only.empty() || std::any_of(o_.only.begin(), o_.only.end(), [&](const std::string& s) {
             return stem.rfind(s, 0) == 0 || (stem == "python" && s.rfind("num", 0) == 0);  // NumPy, numexpr, numba
           });
  }

  void describe() {
    std::ifstream cpu("/proc/cpuinfo");
    for (std::string line; std::getline(cpu, line);)
      if (line.rfind("model name", 0) == 0) {
        cpu_ = line.substr(line.find(':') + 2);
        break;
      }
    std::printf(
        "processor: %s, %u hardware threads; threads used: %d; one evaluation into existing memory, warm;\n"
        "medians of interleaved rounds; ratios are medians of the ratios within a round\n\n",
        cpu_.c_str(), std::thread::hardware_concurrency(), o_.threads);
    for (const auto& a : contenders_.about)
      std::printf("  %-18s %s\n  %-18s %s\n", a[0].c_str(), a[1].c_str(), "", a[2].c_str());
    std::printf("\n");
  }

  bool run(const workload& w) {
    std::vector<std::unique_ptr<buffer>> memory;
    problem p;
    p.name = w.name;
    p.threads = w.latency ? 1 : o_.threads;
    for (std::size_t k = 0; k < w.operands.size(); ++k) {
      memory.push_back(
          std::make_unique<buffer>(std::size_t(count(w.operands[k].extents)) * size_of(w.operands[k].type)));
      fill(memory.back()->get(), w.operands[k], w.name, int(k));
      p.operands.push_back(memory.back()->get());
      p.shapes.push_back(w.operands[k].extents);
    }
    for (const auto& s : w.streams) p.streams.push_back({p.operands[s.operand], s.bytes});
    buffer output(w.write_bytes), right(w.write_bytes), hand(w.write_bytes);
    p.output = output.get();
    p.output_shape = w.extents;
    p.output_bytes = w.write_bytes;
    w.solve(p.operands, w.extents, right.get());
    const long n = count(w.extents);
    double square = 0;
    for (long i = 0; i < n; ++i) square += std::pow(element_at(right.get(), w.type, i), 2);
    const double rms = std::sqrt(square / double(n));

    // Set up and check each contender, the hand-written loop first: the others' bits are compared with its own.
    std::vector<entrant> entrants;
    for (int turn = 0; turn < 3; ++turn)
      for (const auto& e : contenders_.entries)
        if (e.workload == w.name && turn_of(e.contender) == turn) entrants.push_back({e.contender, e.make(p)});
    entrants.erase(std::remove_if(entrants.begin(), entrants.end(), [](const entrant& e) { return !e.work.calls; }),
                   entrants.end());
    if (entrants.empty()) return true;
    bool all_right = true, have_hand = false;
    for (entrant& e : entrants) {
      std::memset(output.get(), 0xA5, w.write_bytes);
      e.work.calls(1);
      const void* result = e.work.output ? e.work.output : output.get();
      if (e.work.checked) {
        double worst = 0;
        for (long i = 0; i < n; ++i) {
          const double r = element_at(right.get(), w.type, i);
          const double error = std::fabs(element_at(result, w.type, i) - r) / (std::fabs(r) + rms);
          if (!(error <= worst)) worst = error;  // a NaN stays
        }
        e.error = worst;
        e.sum = checksum(result, w.type, n);
        e.right = worst <= w.tolerance;
        all_right &= e.right;
        if (is_hand(e.name) && !have_hand) {
          std::memcpy(hand.get(), result, w.write_bytes);
          have_hand = true;
          e.bits = "same";
        } else if (have_hand) {
          e.bits = std::memcmp(hand.get(), result, w.write_bytes) == 0 ? "same" : "differ";
          if (w.exact && is_ours(e.name) && e.bits == "differ") {
            e.right = false;
            all_right = false;
          }
        }
      }
      calibrate(e);
    }
    time(entrants);
    for (entrant& e : entrants) count_allocations(e);
    report(w, entrants);
    return all_right;
  }

  // As many calls in a sample as fill 20 microseconds.
  static void calibrate(entrant& e) {
    for (;;) {
      const auto start = clock::now();
      e.work.calls(e.calls);
      if (since_ns(start) > 20e3 || e.calls >= (1l << 20)) return;
      e.calls *= 2;
    }
  }

  static void count_allocations(entrant& e) {
    e.work.calls(1);
    const long n = allocations.load(), b = allocated_bytes.load();
    e.work.calls(4);
    e.allocations = double(allocations.load() - n) / 4;
    e.bytes = double(allocated_bytes.load() - b) / 4;
  }

  void time(std::vector<entrant>& entrants) {
    std::mt19937 shuffle(7);
    std::vector<std::size_t> order(entrants.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto start = clock::now();
    for (int round = 0; round < 5 || (since_ns(start) < o_.seconds * 1e9 && round < 400); ++round) {
      std::shuffle(order.begin(), order.end(), shuffle);
      for (std::size_t k : order) {
        entrant& e = entrants[k];
        e.work.calls(e.calls);  // warm: this contender's code, threads and data
        std::vector<double> samples;
        const auto turn = clock::now();
        do {
          const auto t = clock::now();
          e.work.calls(e.calls);
          samples.push_back(since_ns(t) / double(e.calls));
        } while (samples.size() < 3 || (samples.size() < 15 && since_ns(turn) < 1e6));
        e.rounds.push_back(median(samples));
        if (e.work.settle_ms > 0)
          std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(e.work.settle_ms));
      }
    }
  }

  void report(const workload& w, std::vector<entrant>& entrants) {
    const entrant *hand = nullptr, *exact = nullptr, *limit = nullptr, *peer = nullptr;
    for (const entrant& e : entrants) {
      const double t = median(e.rounds);
      if (is_limit(e.name)) {
        if (!limit || t < median(limit->rounds)) limit = &e;
      } else if (is_hand(e.name)) {
        if (!hand) hand = &e;
        if (e.name == "hand_exact") exact = &e;
      } else if (!is_ours(e.name) && e.right && (!peer || t < median(peer->rounds))) {
        peer = &e;
      }
    }
    double bytes = double(w.write_bytes);
    for (const auto& s : w.streams) bytes += double(s.bytes);
    std::printf("%s: %s", w.name.c_str(), w.formula.c_str());
    if (limit)
      std::printf("; %.1f MB, streaming limit %s = %.1f GB/s (%s)", bytes / 1e6,
                  time_text(median(limit->rounds)).c_str(), bytes / median(limit->rounds), limit->name.c_str());
    std::printf("; %zu rounds\n", entrants[0].rounds.size());
    std::printf("  %-18s %8s %11s %8s %8s %8s %8s %6s %9s  %-22s %s\n", "contender", "threads", "median", "/hand",
                "/exact", "/peer", "/limit", "bits", "alloc", "checksum", "error");
    std::ostringstream json;
    json << "{\"family\": \"" << w.family << "\", \"case\": \"" << w.name << "\", \"formula\": \"" << escaped(w.formula)
         << "\", \"elements\": " << count(w.extents) << ", \"bytes\": " << long(bytes)
         << ", \"operations\": " << w.operations * double(count(w.extents)) << ", \"contenders\": [";
    bool first = true;
    for (const entrant& e : entrants) {
      const double t = median(e.rounds);
      const auto over = [&](const entrant* x) { return x ? paired(e, *x) : std::nan(""); };
      const double to_hand = over(hand), to_exact = over(exact), to_peer = over(peer), to_limit = over(limit);
      char checksum_text[64] = "-";
      if (e.work.checked) std::snprintf(checksum_text, sizeof checksum_text, "%.12g", e.sum);
      std::printf("  %-18s %8d %11s %8s %8s %8s %8s %6s %9s  %-22s %s%s\n", e.name.c_str(), e.work.threads,
                  time_text(t).c_str(), ratio_text(to_hand).c_str(), ratio_text(to_exact).c_str(),
                  ratio_text(to_peer).c_str(), ratio_text(to_limit).c_str(), e.bits.c_str(),
                  ratio_text(e.allocations, "%.4g").c_str(), checksum_text,
                  e.work.checked ? ratio_text(e.error, "%.2g").c_str() : "-", e.right ? "" : "  WRONG");
      const auto number = [&](const char* key, double x) {
        json << ", \"" << key << "\": ";
        if (std::isfinite(x))
          json << x;
        else
          json << "null";
      };
      json << (first ? "" : ", ") << "\n  {\"name\": \"" << e.name << "\", \"threads\": " << e.work.threads;
      first = false;
      json.precision(10);
      number("median_ns", t);
      number("least_ns", *std::min_element(e.rounds.begin(), e.rounds.end()));
      number("to_hand", to_hand);
      number("to_exact", to_exact);
      number("to_best_peer", to_peer);
      number("to_limit", to_limit);
      number("allocations", e.allocations);
      number("allocated_bytes", e.bytes);
      number("checksum", e.sum);
      number("error", e.error);
      json << ", \"bits\": \"" << e.bits << "\", \"right\": " << (e.right ? "true" : "false") << "}";
    }
    json << "]}";
    json_.push_back(json.str());
    std::printf("\n");
    std::fflush(stdout);
  }

  void write_json() const {
    if (o_.json.empty()) return;
    std::ofstream f(o_.json);
    f << "{\"processor\": \"" << escaped(cpu_) << "\", \"hardware_threads\": " << std::thread::hardware_concurrency()
      << ", \"threads\": " << o_.threads << ",\n\"contenders\": [";
    for (std::size_t i = 0; i < contenders_.about.size(); ++i) {
      const auto& a = contenders_.about[i];
      f << (i ? ",\n " : "") << "{\"name\": \"" << escaped(a[0]) << "\", \"version\": \"" << escaped(a[1])
        << "\", \"flags\": \"" << escaped(a[2]) << "\"}";
    }
    f << "],\n\"cases\": [";
    for (std::size_t i = 0; i < json_.size(); ++i) f << (i ? ",\n" : "") << json_[i];
    f << "]}\n";
    if (!f) throw std::runtime_error("cannot write " + o_.json);
  }

  options o_;
  registry contenders_;
  std::string cpu_ = "unknown";
  std::vector<std::string> json_;
};

std::vector<std::string> split(const std::string& s) {
  std::vector<std::string> parts;
  std::istringstream in(s);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

options parse(int argc, char** argv) {
  options o;
  o.modules = std::filesystem::path(argv[0]).parent_path().string();
  if (o.modules.empty()) o.modules = ".";
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw std::runtime_error(a + " needs a value");
      return std::string(argv[++i]);
    };
    if (a == "--modules")
      o.modules = value();
    else if (a == "--threads")
      o.threads = std::stoi(value());
    else if (a == "--seconds")
      o.seconds = std::stod(value());
    else if (a == "--json")
      o.json = value();
    else if (a == "--only")
      o.only = split(value());
    else if (a == "--list") {
      std::string last;
      for (const workload& w : all_workloads())
        if (w.family != last) std::printf("%s\n", (last = w.family).c_str());
      std::exit(0);
    } else if (a.rfind("--", 0) == 0)
      throw std::runtime_error("unknown option " + a);
    else
      o.wanted.push_back(a);
  }
  for (const std::string& name : o.wanted)
    if (std::none_of(all_workloads().begin(), all_workloads().end(),
                     [&](const workload& w) { return w.family == name || w.name == name; }))
      throw std::runtime_error("no family or case named " + name);
  if (o.wanted.empty())
    for (const workload& w : all_workloads()) o.wanted.push_back(w.family);
  if (o.threads < 1) throw std::runtime_error("--threads needs a positive number");
  return o;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    if (!bench::runner(bench::parse(argc, argv)).run()) {
      std::fprintf(stderr, "a contender's result is wrong\n");
      return 1;
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "broadloom_bench: %s\n", e.what());
    return 2;
  }
}
