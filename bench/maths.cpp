// Each function of vector maths in the fused loop, beside a loop over the same vector call written by hand, libtorch
// and xtensor, in one run on one thread: the smallest of several interleaved times, in nanoseconds an element, the
// median of the ratios to the library's time within a round, and the worst error, in units of the last place of the
// true value, over the same arguments for all (maths_errors.hpp).
//
// usage: broadloom_bench_maths [PART_OF_A_NAME]
//
// A peer is ahead where it is faster and right to what the policy of the row promises: 1 unit for `accurate`, 4 for
// `fast`. Of one that is faster and less right than that, it is said how far it is off. Ends with 1 if a peer is ahead,
// if a function in the fused loop has less than 0.95 of the throughput of the loop by hand, or is not right itself.
#include <immintrin.h>
#include <sleef.h>

#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "maths.hpp"
#include "maths_errors.hpp"

#ifndef BENCH_TORCH
const bench_maths::peer* bench_maths::torch() { return nullptr; }
#endif
#ifndef BENCH_XTENSOR
const bench_maths::peer* bench_maths::xtensor() { return nullptr; }
#endif

namespace {

namespace bl = broadloom;
using clock_type = std::chrono::steady_clock;

constexpr bl::index n = bench_maths::count;

#if defined(__AVX512F__)
#define BARE_TYPES(T32, T64) \
  using T32 = __m512;        \
  using T64 = __m512d;
#define SLEEF32(NAME, VARIANT) Sleef_finz_##NAME##f16_##VARIANT##avx512f
#define SLEEF64(NAME, VARIANT) Sleef_finz_##NAME##d8_##VARIANT##avx512f
#define LIBMVEC32(NAME, V) _ZGVeN16##V##_##NAME##f
#define LIBMVEC64(NAME, V) _ZGVeN8##V##_##NAME
#elif defined(__AVX2__)
#define BARE_TYPES(T32, T64) \
  using T32 = __m256;        \
  using T64 = __m256d;
#define SLEEF32(NAME, VARIANT) Sleef_finz_##NAME##f8_##VARIANT##avx2
#define SLEEF64(NAME, VARIANT) Sleef_finz_##NAME##d4_##VARIANT##avx2
#define LIBMVEC32(NAME, V) _ZGVdN8##V##_##NAME##f
#define LIBMVEC64(NAME, V) _ZGVdN4##V##_##NAME
#else
#error "compile this with -march=native on a machine with AVX2"
#endif
BARE_TYPES(v32, v64)

extern "C" {
#define BROADLOOM_MATHS1(NAME, ACCURATE32, ACCURATE64, ACCURATE, FAST, BEST32, BEST64) \
  v32 LIBMVEC32(NAME, v)(v32);                                                         \
  v64 LIBMVEC64(NAME, v)(v64);
#define BROADLOOM_MATHS2(NAME, ACCURATE32, ACCURATE64, ACCURATE, FAST, BEST32, BEST64) \
  v32 LIBMVEC32(NAME, vv)(v32, v32);                                                   \
  v64 LIBMVEC64(NAME, vv)(v64, v64);
#include "../lib/maths/functions.def"
}

template <class T>
struct vector_type;
template <>
struct vector_type<float> {
  using type = v32;
};
template <>
struct vector_type<double> {
  using type = v64;
};

// The loop by hand.
template <auto F, class T>
void bare1(const T* x, const T*, T* o) {
  using V = typename vector_type<T>::type;
  constexpr bl::index lanes = sizeof(V) / sizeof(T);
  for (bl::index i = 0; i < n; i += lanes) {
    V v;
    __builtin_memcpy(&v, x + i, sizeof v);
    v = F(v);
    __builtin_memcpy(o + i, &v, sizeof v);
  }
}
template <auto F, class T>
void bare2(const T* x, const T* y, T* o) {
  using V = typename vector_type<T>::type;
  constexpr bl::index lanes = sizeof(V) / sizeof(T);
  for (bl::index i = 0; i < n; i += lanes) {
    V v, w;
    __builtin_memcpy(&v, x + i, sizeof v);
    __builtin_memcpy(&w, y + i, sizeof w);
    v = F(v, w);
    __builtin_memcpy(o + i, &v, sizeof v);
  }
}

struct contender {
  std::string name;
  std::function<void()> solve;
  double error;
  std::vector<double> times{};
  double ratio = 0;  // of its time and the library's
};

std::string wanted;
int behind = 0, timed = 0, less_right = 0;

// Rounds in which every contender runs once. A ratio is the median of those within a round, for the processor's clock
// changes between rounds by more than what is looked for.
void time_all(std::vector<contender>& all) {
  constexpr int rounds = 61;
  for (int round = -2; round < rounds; ++round)  // two of them to warm up
    for (contender& c : all) {
      const auto start = clock_type::now();
      for (int k = 0; k < 4; ++k) c.solve();
      if (round >= 0) c.times.push_back(std::chrono::duration<double>(clock_type::now() - start).count() / 4);
    }
  for (contender& c : all) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < c.times.size(); ++r) ratios.push_back(c.times[r] / all[1].times[r]);
    std::sort(ratios.begin(), ratios.end());
    c.ratio = ratios[ratios.size() / 2];
  }
}

// The first is the loop by hand, the second the library.
void race(const std::string& title, double promised, std::vector<contender> all) {
  time_all(all);
  std::printf("%-20s", title.c_str());
  for (const contender& c : all)
    std::printf("  %s %.3f (%.2f, %.2f ULP)", c.name.c_str(),
                *std::min_element(c.times.begin(), c.times.end()) * 1e9 / n, c.ratio, c.error);
  bool is_behind = false;
  const auto say = [&](const std::string& what) { std::printf("  %s", what.c_str()), is_behind = true; };
  if (all[0].ratio < 0.95) say("BEHIND THE LOOP BY HAND");
  if (!(all[1].error <= promised)) say("LESS RIGHT THAN PROMISED");
  for (std::size_t k = 2; k < all.size(); ++k) {
    if (!(all[k].ratio < 1)) continue;
    if (all[k].error <= promised) {
      say(all[k].name + " IS AHEAD");
    } else {
      std::printf("  %s is faster, off by %.1f ULP", all[k].name.c_str(), all[k].error);
      ++less_right;
    }
  }
  std::printf("\n");
  ++timed;
  behind += is_behind;
}

template <class T, class Ours>
void row(const char* f, const char* policy, void (*bare)(const T*, const T*, T*), bool two, Ours ours) {
  const std::string title = std::string(f) + (sizeof(T) == 4 ? " f32 " : " f64 ") + policy;
  if (title.find(wanted) == std::string::npos) return;
  const bench_maths::arguments<T>& probes = bench_maths::arguments_of<T>(f, two);
  using array = bl::dtensor<T, 1>;
  const auto copy = [](const std::vector<T>& from, std::size_t piece) {
    array r(n);
    std::copy_n(from.data() + piece * n, n, r.data());
    return r;
  };
  // The first piece is what is timed, into the same memory: where it lies decides how caches serve it.
  const array x = copy(probes.x, 0), y = copy(probes.y, 0);
  array o = x;
  std::vector<contender> all;
  // solve(x, y, out) once for each piece.
  const auto error_of = [&](const auto& solve) {
    double worst = 0;
    for (std::size_t piece = 0; piece < bench_maths::pieces; ++piece) {
      array out(n);
      solve(copy(probes.x, piece), copy(probes.y, piece), out);
      worst = std::fmax(worst, bench_maths::worst_error(probes, piece, out.data()));
    }
    return worst;
  };
  all.push_back({"by hand", [&, bare] { bare(x.data(), y.data(), o.data()); },
                 error_of([&](const array& v, const array& w, array& to) { bare(v.data(), w.data(), to.data()); })});
  all.push_back({"broadloom", [&] { ours(o, x, y); },
                 error_of([&](const array& v, const array& w, array& to) { ours(to, v, w); })});
  const auto add = [&](const char* name, const bench_maths::peer* p) {
    if (p == nullptr) return;
    const auto prepare = [&, p](const array& v, const array& w, array& to) {
      return p->prepare(f, v.data(), two ? w.data() : nullptr, to.data(), n, sizeof(T) == 8);
    };
    void* const call = prepare(x, y, o);
    if (call == nullptr) return;
    all.push_back({name, [p, call] { p->run(call); }, error_of([&](const array& v, const array& w, array& to) {
                     void* const once = prepare(v, w, to);
                     p->run(once);
                     p->finish(once);
                   })});
  };
  add("libtorch", bench_maths::torch());
  add("xtensor", bench_maths::xtensor());
  race(title, std::string(policy) == "fast" ? 4 : 1, std::move(all));
}

}  // namespace

int main(int argc, char** argv) {
  wanted = argc > 1 ? argv[1] : "";
  std::printf("nanoseconds an element (relative to broadloom, worst error), %d elements, one thread\n",
              static_cast<int>(n));
#define ONE(NAME) [](auto& o, const auto& x, const auto&) { bl::assign(o, bl::NAME(x), bl::seq); }
#define ONE_FAST(NAME) [](auto& o, const auto& x, const auto&) { bl::assign(o, bl::NAME(x), bl::seq | bl::fast); }
#define TWO(NAME) [](auto& o, const auto& x, const auto& y) { bl::assign(o, bl::NAME(x, y), bl::seq); }
#define TWO_FAST(NAME) [](auto& o, const auto& x, const auto& y) { bl::assign(o, bl::NAME(x, y), bl::seq | bl::fast); }
#define SOURCE_own(OF_SLEEF, OF_LIBMVEC) OF_SLEEF
#define SOURCE_sleef(OF_SLEEF, OF_LIBMVEC) OF_SLEEF
#define SOURCE_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_fused_or_sleef(OF_SLEEF, OF_LIBMVEC) OF_SLEEF
#define SOURCE_quick_or_sleef(OF_SLEEF, OF_LIBMVEC) OF_SLEEF
#define SOURCE_quick_or_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_short_or_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_short_or_sleef(OF_SLEEF, OF_LIBMVEC) OF_SLEEF
#define SOURCE_short_and_fused_or_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_tabled_or_fused(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_tabled_or_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_wide_or_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_fused_or_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define SOURCE_summed_or_libmvec(OF_SLEEF, OF_LIBMVEC) OF_LIBMVEC
#define BROADLOOM_MATHS1(NAME, ACCURATE32, ACCURATE64, ACCURATE, FAST, BEST32, BEST64)                       \
  row<float>(#NAME, "accurate", bare1<SLEEF32(NAME, ACCURATE), float>, false, ONE(NAME));                    \
  row<double>(#NAME, "accurate", bare1<SLEEF64(NAME, ACCURATE), double>, false, ONE(NAME));                  \
  row<float>(#NAME, "fast", bare1<SOURCE_##BEST32(SLEEF32(NAME, FAST), LIBMVEC32(NAME, v)), float>, false,   \
             ONE_FAST(NAME));                                                                                \
  row<double>(#NAME, "fast", bare1<SOURCE_##BEST64(SLEEF64(NAME, FAST), LIBMVEC64(NAME, v)), double>, false, \
              ONE_FAST(NAME));
#define BROADLOOM_MATHS2(NAME, ACCURATE32, ACCURATE64, ACCURATE, FAST, BEST32, BEST64)                       \
  row<float>(#NAME, "accurate", bare2<SLEEF32(NAME, ACCURATE), float>, true, TWO(NAME));                     \
  row<double>(#NAME, "accurate", bare2<SLEEF64(NAME, ACCURATE), double>, true, TWO(NAME));                   \
  row<float>(#NAME, "fast", bare2<SOURCE_##BEST32(SLEEF32(NAME, FAST), LIBMVEC32(NAME, vv)), float>, true,   \
             TWO_FAST(NAME));                                                                                \
  row<double>(#NAME, "fast", bare2<SOURCE_##BEST64(SLEEF64(NAME, FAST), LIBMVEC64(NAME, vv)), double>, true, \
              TWO_FAST(NAME));
#include "../lib/maths/functions.def"
  std::printf("%d of %d rows are behind; a peer that is less right than the policy asks is faster %d times\n", behind,
              timed, less_right);
  return behind > 0 ? 1 : 0;
}
