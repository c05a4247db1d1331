// Vector maths at every level this processor has: accuracy, C99's special values, and bits that depend on the argument
// alone, whatever the element's position, its neighbours, the alignment, the length, or the level.
// Build: gcc-alone, clang-too
#include <broadloom/core/isa.hpp>
#include <broadloom/core/maths.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/c_library.hpp"
#include "support/fused.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace bl = broadloom;
using bl::runtime::accuracy;
using bl::runtime::map1;
using bl::runtime::map2;
using bl::runtime::maths1;
using bl::runtime::maths2;

namespace {

constexpr const char* names1[] = {"exp",   "exp2",  "exp10", "expm1", "log",  "log2",   "log10",  "log1p", "cbrt",
                                  "sin",   "cos",   "tan",   "asin",  "acos", "atan",   "sinh",   "cosh",  "tanh",
                                  "asinh", "acosh", "atanh", "erf",   "erfc", "lgamma", "tgamma", "gelu"};
constexpr const char* names2[] = {"pow", "atan2", "hypot", "fmod"};
static_assert(std::size(names1) == bl::runtime::maths1_count);
static_assert(std::size(names2) == bl::runtime::maths2_count);

// The type of the reference.
template <class T>
struct wider;
template <>
struct wider<float> {
  using type = double;
};
template <>
struct wider<double> {
  using type = long double;
};

constexpr double wrong = 1e30;

// The distance of `got` from the true value in units of the last place of the latter; `wrong` for a NaN, an infinity
// or a sign of zero that should not be there.
template <class T, class W>
double error(T got, W truth) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(truth) || std::isnan(got)) return std::isnan(truth) && std::isnan(got) ? 0 : wrong;
  const T rounded = static_cast<T>(truth);
  if (std::isinf(truth) && got != rounded) return wrong;
  if (got == 0 && rounded == 0 && std::signbit(got) != std::signbit(rounded)) return wrong;
  if (std::isinf(got) && got == rounded) return 0;
  const W value = std::isinf(got) ? std::copysign(std::ldexp(W(1), limits::max_exponent), W(got)) : W(got);
  const int exponent = truth == 0 ? limits::min_exponent - 1 : std::max(std::ilogb(truth), limits::min_exponent - 1);
  return static_cast<double>(std::abs(value - truth) / std::ldexp(W(1), exponent - (limits::digits - 1)));
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

template <class T>
std::vector<T> special_arguments() {
  using l = std::numeric_limits<T>;
  std::vector<T> all;
  for (const T a : {T(0),
                    l::denorm_min(),
                    l::min() / 2,
                    l::min(),
                    l::epsilon(),
                    T(1e-30),
                    T(0.25),
                    T(0.5),
                    std::nextafter(T(1), T(0)),
                    T(1),
                    std::nextafter(T(1), T(2)),
                    T(1.5),
                    T(2),
                    T(2.5),
                    T(3),
                    T(4),
                    T(10),
                    T(33),
                    T(34.5),
                    T(35),
                    T(38),
                    T(88),
                    T(89),
                    T(100),
                    T(103.9),
                    T(120),
                    T(170),
                    T(171.6),
                    T(172),
                    T(700),
                    T(709.7),
                    T(710),
                    T(745),
                    T(1e5),
                    T(1e10),
                    T(1e15),
                    T(1e30),
                    T(1e38),
                    T(3e38),
                    l::max() / 2,
                    l::max(),
                    l::infinity(),
                    l::quiet_NaN()}) {
    all.push_back(a);
    all.push_back(-a);
  }
  return all;
}

// Special arguments, then random bit patterns mixed with the ranges where most functions have their values.
template <class T>
std::vector<T> arguments(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<T> all = special_arguments<T>();
  while (all.size() < n) {
    T pattern;
    const std::uint64_t bits = random();
    std::memcpy(&pattern, &bits, sizeof(T));
    all.push_back(pattern);
    all.push_back(static_cast<T>(unit(random) * std::exp2(unit(random) * 12)));
    all.push_back(static_cast<T>(unit(random) * 10));
    all.push_back(static_cast<T>(1 + unit(random) * 1e-2));
    all.push_back(static_cast<T>(unit(random) * 200));
  }
  return all;
}

template <class T>
std::vector<T> run(maths1 f, accuracy a, const std::vector<T>& x) {
  std::vector<T> out(x.size());
  map1(f, a, x.data(), out.data(), static_cast<bl::index>(x.size()));
  return out;
}
template <class T>
std::vector<T> run(maths2 f, accuracy a, const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> out(x.size());
  map2(f, a, x.data(), y.data(), out.data(), static_cast<bl::index>(x.size()));
  return out;
}

double allowed(accuracy a, maths1 f) {
  return a == accuracy::fast || f == maths1::gelu ? 4.0 : f == maths1::erfc ? 1.6 : 1.1;
}
double allowed(accuracy a) { return a == accuracy::fast ? 4.0 : 1.1; }

// Calls body(f, name) for every function of one argument, and of two.
template <class Body>
void every_maths1(Body body) {
  for (int i = 0; i < bl::runtime::maths1_count; ++i) body(static_cast<maths1>(i), names1[i]);
}
template <class Body>
void every_maths2(Body body) {
  for (int i = 0; i < bl::runtime::maths2_count; ++i) body(static_cast<maths2>(i), names2[i]);
}

struct level_restored {
  bl::isa before = bl::runtime::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

// Calls body at every level the processor has, for both accuracies.
template <class Body>
void everywhere(Body body) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const accuracy a : {accuracy::accurate, accuracy::fast})
      BOOST_TEST_CONTEXT("level " << bl::to_string(level) << (a == accuracy::fast ? ", fast" : ", accurate")) body(a);
  }
}

template <class T>
void check_accuracy() {
  using W = typename wider<T>::type;
  const std::vector<T> x = arguments<T>(12000, 1);
  std::vector<T> p = arguments<T>(6000, 2);
  std::vector<T> q = arguments<T>(6000, 3);
  for (const T a : special_arguments<T>())
    for (const T b : special_arguments<T>()) {
      p.push_back(a);
      q.push_back(b);
    }
  everywhere([&](accuracy a) {
    every_maths1([&](maths1 f, const char* name) {
      const std::vector<T> got = run(f, a, x);
      double worst = -1;
      std::size_t at = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (const double e = error(got[i], c_library::call<W>(f, x[i])); e > worst) worst = e, at = i;
      BOOST_TEST(worst <= allowed(a, f),
                 name << "(" << x[at] << ") gave " << got[at] << ", off by " << worst << " ULP");
    });
    every_maths2([&](maths2 f, const char* name) {
      const std::vector<T> got = run(f, a, p, q);
      double worst = -1;
      std::size_t at = 0;
      for (std::size_t i = 0; i < p.size(); ++i)
        if (const double e = error(got[i], c_library::call<W>(f, p[i], q[i])); e > worst) worst = e, at = i;
      BOOST_TEST(worst <= allowed(a),
                 name << "(" << p[at] << ", " << q[at] << ") gave " << got[at] << ", off by " << worst << " ULP");
    });
  });
}

// Near odd multiples of pi / 4, where the unit of the last place of a tangent is smallest beside what r has lost: what
// is right to 1 ULP at 12,000 random arguments need not be there.
void check_tangents() {
  std::vector<double> x;
  for (const double middle : {-19.6344128, 16.483465285459413, 165.73072060305378, 715.50829012776921,
                              -7720414.465853096, -0.76866457994473336, 10.204455119081516}) {
    double near = middle;
    for (int i = 0; i < 2000; ++i) x.push_back(near = std::nextafter(near, 1e300));
  }
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 60000; ++i) {
    const double quarter = std::floor(unit(random) * std::pow(10, 1 + i % 6)) + 0.5;
    x.push_back(quarter * (std::acos(-1.0) / 2) + unit(random) * 0.03);
  }
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level || !has_fma(level)) continue;
    const std::vector<double> got = run(maths1::tan, accuracy::accurate, x);
    double worst = -1;
    std::size_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const double e = error(got[i], c_library::call<long double>(maths1::tan, x[i])); e > worst) worst = e, at = i;
    BOOST_TEST(worst <= 1, bl::to_string(level) << ": tan(" << x[at] << ") is off by " << worst << " ULP");
  }
}

// Position, length and alignment: strips of every length up to 70 cut out at every offset give what the whole gives,
// and write nothing beside it.
template <class T>
void check_cuts() {
  const std::vector<T> x = arguments<T>(300, 4);
  const std::vector<T> y = arguments<T>(300, 5);
  everywhere([&](accuracy a) {
    const auto check = [&](const std::vector<T>& whole, const char* name, auto strip) {
      int different = 0;
      std::vector<T> out(90);
      for (std::size_t n = 0; n <= 70; ++n) {
        const std::size_t first = n * 3 % 200 + n % 17;
        const std::size_t shift = n % 9;
        std::fill(out.begin(), out.end(), T(-1234));
        strip(first, out.data() + shift, static_cast<bl::index>(n));
        for (std::size_t i = 0; i < out.size(); ++i)
          if (!same_bits(out[i], i >= shift && i < shift + n ? whole[first + i - shift] : T(-1234))) ++different;
      }
      BOOST_TEST(different == 0, name);
    };
    every_maths1([&](maths1 f, const char* name) {
      check(run(f, a, x), name, [&](std::size_t at, T* out, bl::index n) { map1(f, a, x.data() + at, out, n); });
    });
    every_maths2([&](maths2 f, const char* name) {
      check(run(f, a, x, y), name,
            [&](std::size_t at, T* out, bl::index n) { map2(f, a, x.data() + at, y.data() + at, out, n); });
    });
  });
}

// Neighbours: an element among equals has the bits it has among strangers.
template <class T>
void check_neighbours() {
  const std::vector<T> x = arguments<T>(1200, 6);
  const std::vector<T> y = arguments<T>(1200, 7);
  everywhere([&](accuracy a) {
    every_maths1([&](maths1 f, const char* name) {
      const std::vector<T> mixed = run(f, a, x);
      int different = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!same_bits(run(f, a, std::vector<T>(16, x[i]))[5], mixed[i])) ++different;
      BOOST_TEST(different == 0, name);
    });
    every_maths2([&](maths2 f, const char* name) {
      const std::vector<T> mixed = run(f, a, x, y);
      int different = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!same_bits(run(f, a, std::vector<T>(16, x[i]), std::vector<T>(16, y[i]))[5], mixed[i])) ++different;
      BOOST_TEST(different == 0, name);
    });
  });
}

template <class T>
void check_in_place() {
  const std::vector<T> x = arguments<T>(333, 8);
  const std::vector<T> y = arguments<T>(333, 9);
  const auto n = static_cast<bl::index>(x.size());
  const auto equal = [](const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_bits<T>);
  };
  everywhere([&](accuracy a) {
    every_maths1([&](maths1 f, const char* name) {
      std::vector<T> z = x;
      map1(f, a, z.data(), z.data(), n);
      BOOST_TEST(equal(z, run(f, a, x)), name);
    });
    every_maths2([&](maths2 f, const char* name) {
      std::vector<T> z = x;
      map2(f, a, z.data(), y.data(), z.data(), n);
      BOOST_TEST(equal(z, run(f, a, x, y)), name << " over the first");
      z = y;
      map2(f, a, x.data(), z.data(), z.data(), n);
      BOOST_TEST(equal(z, run(f, a, x, y)), name << " over the second");
      z = x;
      map2(f, a, z.data(), z.data(), z.data(), n);
      BOOST_TEST(equal(z, run(f, a, x, x)), name << " over both");
    });
  });
}

// Remainders, also of quotients at the end of what vectors are for, and of multiples and their neighbours.
template <class T>
void check_remainders() {
  const level_restored restored;
  std::vector<T> x = arguments<T>(3000, 12), y = arguments<T>(3000, 13);
  y.resize(x.size(), 3);
  std::mt19937_64 random(14);
  for (int k = 0; k < 3000; ++k) {
    const T by = static_cast<T>(
        std::ldexp(1 + static_cast<double>(random() % 1000000) / 1e6, static_cast<int>(random() % 60) - 30));
    const T whole = std::floor(
        static_cast<T>(std::ldexp(1.0 + static_cast<double>(random() % 1000) / 1e3, static_cast<int>(random() % 54))));
    const T of = by * whole;
    for (const T near : {of, std::nextafter(of, T(0)), std::nextafter(of, T(1e30)), of + by / 2}) {
      x.push_back(random() % 2 == 0 ? near : -near);
      y.push_back(random() % 2 == 0 ? by : -by);
    }
  }
  everywhere([&](accuracy a) {
    const std::vector<T> got = run(maths2::fmod, a, x, y);
    int off = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T expected = std::fmod(x[i], y[i]);
      if (!(same_bits(got[i], expected) || (got[i] != got[i] && expected != expected))) {
        if (off++ == 0) BOOST_TEST(same_bits(got[i], expected), "fmod(" << x[i] << ", " << y[i] << ") gave " << got[i]);
      }
    }
    BOOST_TEST(off == 0);
  });
}

// Powers by exponents that have loops of their own.
template <class T>
void check_simple_powers() {
  const level_restored restored;
  const std::vector<T> x = arguments<T>(4000, 15);
  const auto n = static_cast<bl::index>(x.size());
  const auto same = [](T a, T b) { return same_bits(a, b) || (a != a && b != b); };
  everywhere([&](accuracy a) {
    for (const double by : {2.0, 0.5, -1.0, 3.0, 1.0, 0.0, 2.5, 1e-39}) {
      const std::vector<T> of_array = run(maths2::pow, a, x, std::vector<T>(x.size(), static_cast<T>(by)));
      std::vector<T> mixed_y(x.size(), static_cast<T>(by)), of_number = x;
      for (std::size_t i = 0; i < x.size(); i += 3) mixed_y[i] = static_cast<T>(i % 7);
      const std::vector<T> mixed = run(maths2::pow, a, x, mixed_y);
      bl::runtime::strip1<T> loop = nullptr;
      if constexpr (sizeof(T) == 4)
        loop = bl::runtime::find_power(by, a).f32;
      else
        loop = bl::runtime::find_power(by, a).f64;
      BOOST_TEST((loop != nullptr) == (by != 2.5 && by != 1e-39));
      if (loop != nullptr) loop(of_number.data(), of_number.data(), n);
      int differ = 0, unlike = 0, off = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (loop != nullptr && !same(of_number[i], of_array[i])) ++differ;
        if (i % 3 != 0 && !same(mixed[i], of_array[i])) ++unlike;
        const T once = by == 2    ? x[i] * x[i]
                       : by == -1 ? 1 / x[i]
                       : by == 1  ? x[i]
                       : by == 0  ? T(1)
                                  : std::sqrt(x[i]) + 0;
        const bool rounds_once =
            by == 2 || by == -1 || by == 1 || by == 0 || (by == 0.5 && x[i] >= 0 && x[i] - x[i] == 0);
        if (rounds_once && !same(of_array[i], once)) ++off;
      }
      BOOST_TEST(differ == 0, "by the number " << by);
      BOOST_TEST(unlike == 0, "among others, by " << by);
      BOOST_TEST(off == 0, "by " << by);
    }
  });
}

// The levels with FMA agree bit for bit in the accurate functions.
template <class T>
void check_levels() {
  if (bl::set_isa(bl::isa::v4) != bl::isa::v4) {
    BOOST_TEST_MESSAGE("this processor has one level with FMA at most: there is nothing to compare");
    return;
  }
  const std::vector<T> x = arguments<T>(5000, 10);
  const std::vector<T> y = arguments<T>(5000, 11);
  every_maths1([&](maths1 f, const char* name) {
    bl::set_isa(bl::isa::v4);
    const std::vector<T> wide = run(f, accuracy::accurate, x);
    bl::set_isa(bl::isa::v3);
    const std::vector<T> narrow = run(f, accuracy::accurate, x);
    BOOST_TEST(std::equal(wide.begin(), wide.end(), narrow.begin(), same_bits<T>), name);
  });
  every_maths2([&](maths2 f, const char* name) {
    bl::set_isa(bl::isa::v4);
    const std::vector<T> wide = run(f, accuracy::accurate, x, y);
    bl::set_isa(bl::isa::v3);
    const std::vector<T> narrow = run(f, accuracy::accurate, x, y);
    BOOST_TEST(std::equal(wide.begin(), wide.end(), narrow.begin(), same_bits<T>), name);
  });
}

template <class T>
struct special1 {
  maths1 f;
  T x;
  T value;
};
template <class T>
struct special2 {
  maths2 f;
  T x;
  T y;
  T value;
};

// C99, annex F.9: what a library must give exactly.
template <class T>
void check_special_values() {
  constexpr T inf = std::numeric_limits<T>::infinity();
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  constexpr T zero = 0;
  std::vector<special1<T>> one;
  for (const maths1 f : {maths1::expm1, maths1::log1p, maths1::cbrt, maths1::sin, maths1::tan, maths1::asin,
                         maths1::atan, maths1::sinh, maths1::tanh, maths1::asinh, maths1::atanh, maths1::erf}) {
    one.push_back({f, zero, zero});
    one.push_back({f, -zero, -zero});
  }
  for (const maths1 f : {maths1::exp, maths1::exp2, maths1::exp10, maths1::cos, maths1::cosh, maths1::erfc})
    for (const T x : {zero, -zero}) one.push_back({f, x, 1});
  for (const maths1 f : {maths1::exp, maths1::exp2, maths1::exp10, maths1::expm1, maths1::log, maths1::log2,
                         maths1::log10, maths1::log1p, maths1::cbrt, maths1::sinh, maths1::cosh, maths1::asinh,
                         maths1::acosh, maths1::lgamma, maths1::tgamma})
    one.push_back({f, inf, inf});
  for (const maths1 f : {maths1::exp, maths1::exp2, maths1::exp10}) one.push_back({f, -inf, zero});
  for (const maths1 f : {maths1::cbrt, maths1::sinh, maths1::asinh}) one.push_back({f, -inf, -inf});
  for (const maths1 f : {maths1::cosh, maths1::lgamma}) one.push_back({f, -inf, inf});
  for (const maths1 f : {maths1::log, maths1::log2, maths1::log10})
    for (const special1<T> s :
         {special1<T>{f, zero, -inf}, {f, -zero, -inf}, {f, 1, zero}, {f, -1, nan}, {f, -inf, nan}})
      one.push_back(s);
  for (const maths1 f : {maths1::sin, maths1::cos, maths1::tan})
    for (const T x : {inf, -inf}) one.push_back({f, x, nan});
  for (const maths1 f : {maths1::asin, maths1::acos, maths1::atanh})
    for (const T x : {std::nextafter(T(1), T(2)), T(-2), inf, -inf}) one.push_back({f, x, nan});
  for (const special1<T> s : {special1<T>{maths1::expm1, -inf, -1},
                              {maths1::log1p, -1, -inf},
                              {maths1::log1p, -2, nan},
                              {maths1::acos, 1, zero},
                              {maths1::atanh, 1, inf},
                              {maths1::atanh, -1, -inf},
                              {maths1::tanh, inf, 1},
                              {maths1::tanh, -inf, -1},
                              {maths1::acosh, 1, zero},
                              {maths1::acosh, T(0.5), nan},
                              {maths1::acosh, -inf, nan},
                              {maths1::erf, inf, 1},
                              {maths1::erf, -inf, -1},
                              {maths1::erfc, inf, zero},
                              {maths1::erfc, -inf, 2},
                              {maths1::lgamma, 1, zero},
                              {maths1::lgamma, 2, zero},
                              {maths1::lgamma, zero, inf},
                              {maths1::lgamma, -3, inf},
                              {maths1::tgamma, zero, inf},
                              {maths1::tgamma, -zero, -inf},
                              {maths1::tgamma, -1, nan},
                              {maths1::tgamma, -inf, nan},
                              {maths1::tgamma, 5, 24},
                              {maths1::gelu, zero, zero},
                              {maths1::gelu, -zero, -zero},
                              {maths1::gelu, inf, inf},
                              {maths1::gelu, -inf, nan},
                              {maths1::gelu, std::numeric_limits<T>::denorm_min(), zero},
                              {maths1::gelu, -std::numeric_limits<T>::denorm_min(), -zero},
                              {maths1::gelu, -50, -zero},
                              {maths1::gelu, 50, 50},
                              {maths1::exp2, 10, 1024},
                              {maths1::exp2, -1, T(0.5)},
                              {maths1::log2, 1024, 10}})
    one.push_back(s);
  every_maths1([&](maths1 f, const char*) { one.push_back({f, nan, nan}); });

  using enum maths2;
  const T big = std::numeric_limits<T>::max();
  std::vector<special2<T>> two = {{pow, zero, -3, inf},      {pow, -zero, -3, -inf},    {pow, -zero, -2, inf},
                                  {pow, zero, 3, zero},      {pow, -zero, 3, -zero},    {pow, -zero, 2, zero},
                                  {pow, -1, inf, 1},         {pow, -1, -inf, 1},        {pow, 1, nan, 1},
                                  {pow, nan, zero, 1},       {pow, nan, -zero, 1},      {pow, -2, T(0.5), nan},
                                  {pow, T(0.5), -inf, inf},  {pow, 2, -inf, zero},      {pow, T(0.5), inf, zero},
                                  {pow, 2, inf, inf},        {pow, -inf, -3, -zero},    {pow, -inf, -2, zero},
                                  {pow, -inf, 3, -inf},      {pow, -inf, 2, inf},       {pow, inf, -1, zero},
                                  {pow, inf, 1, inf},        {pow, nan, 2, nan},        {pow, 2, nan, nan},
                                  {pow, -2, 3, -8},          {pow, 3, 4, 81},           {pow, big, 1, big},
                                  {pow, -big, 1, -big},      {pow, big, 2, inf},        {atan2, zero, 1, zero},
                                  {atan2, -zero, 1, -zero},  {atan2, zero, zero, zero}, {atan2, -zero, zero, -zero},
                                  {atan2, 1, inf, zero},     {atan2, -1, inf, -zero},   {atan2, nan, 1, nan},
                                  {atan2, 1, nan, nan},      {hypot, inf, nan, inf},    {hypot, nan, -inf, inf},
                                  {hypot, nan, 1, nan},      {hypot, 3, -4, 5},         {hypot, -zero, 2, 2},
                                  {hypot, zero, zero, zero}, {fmod, zero, 2, zero},     {fmod, -zero, 2, -zero},
                                  {fmod, 5, inf, 5},         {fmod, -5, 3, -2},         {fmod, 5, -3, 2},
                                  {fmod, inf, 2, nan},       {fmod, 2, zero, nan},      {fmod, nan, 1, nan}};

  everywhere([&](accuracy a) {
    for (const special1<T>& s : one) {
      const T got = run(s.f, a, std::vector<T>(3, s.x))[0];
      BOOST_TEST(same_bits(got, s.value), names1[int(s.f)] << "(" << s.x << ") gave " << got << ", not " << s.value);
    }
    for (const special2<T>& s : two) {
      const T got = run(s.f, a, std::vector<T>(3, s.x), std::vector<T>(3, s.y))[0];
      BOOST_TEST(same_bits(got, s.value),
                 names2[int(s.f)] << "(" << s.x << ", " << s.y << ") gave " << got << ", not " << s.value);
    }
  });
}

// An exponential does not depend on what stands beside its argument: loops ask for whole vectors whether results are
// normal numbers, or 0 where they are not.
template <class T>
void check_exponentials() {
  constexpr T inf = std::numeric_limits<T>::infinity();
  std::vector<T> edges = special_arguments<T>();
  for (const double a : sizeof(T) == 4
                            ? std::vector<double>{9, 13, 18, 37, 37.9, 42, 46, 87, 87.4, 104, 126, 127, 150}
                            : std::vector<double>{40, 307, 307.7, 325, 353, 708, 708.5, 746, 1022, 1023, 1076})
    for (const double e : {-1e-3, 0.0, 1e-3})
      for (const double sign : {1, -1}) edges.push_back(static_cast<T>(sign * (a + e)));
  everywhere([&](accuracy a) {
    for (const maths1 f : {maths1::exp, maths1::exp2, maths1::exp10, maths1::expm1, maths1::sinh, maths1::cosh,
                           maths1::tanh, maths1::erfc, maths1::gelu}) {
      for (const T x : edges) {
        const T alone = run(f, a, std::vector<T>(16, x))[5];
        for (const T beside : {T(0.75), -inf, T(-1e5), inf, std::numeric_limits<T>::quiet_NaN()}) {
          std::vector<T> row(16, beside);
          row[5] = x;
          const T got = run(f, a, row)[5];
          BOOST_TEST(same_bits(got, alone),
                     names1[int(f)] << "(" << x << ") gave " << got << " beside " << beside << ", not " << alone);
        }
      }
    }
  });
}

// Values of MPFR, rounded to nearest: f(x) and f(x rounded to float). Some of the arguments are where vector libraries
// are known to fail: overflow on the way, zeros of lgamma, small results of tgamma, large angles.
struct known_value {
  maths1 f;
  double x;
  double f64;
  float f32;
};
constexpr known_value known_values[] = {
    {maths1::exp, 0x1.6666666666666p-1, 0x1.01c2a61268987p+1, 0x1.01c2a6p+1f},
    {maths1::exp, -0x1.ap+1, 0x1.3da368521902dp-5, 0x1.3da368p-5f},
    {maths1::exp, 0x1.62p+6, 0x1.99b987155fe28p+127, 0x1.99b988p+127f},
    {maths1::exp, -0x1.91p+6, 0x1.4acd31e167ebbp-145, 0x1.5p-145f},
    {maths1::exp2, 0x1.3333333333333p-2, 0x1.3b2c47bff8329p+0, 0x1.3b2c48p+0f},
    {maths1::exp2, -0x1.fp+2, 0x1.306fe0a31b715p-8, 0x1.306fep-8f},
    {maths1::exp10, 0x1.3333333333333p-2, 0x1.fec982d5bb8afp+0, 0x1.fec984p+0f},
    {maths1::exp10, -0x1.fp+2, 0x1.31818e389568ap-26, 0x1.31818ep-26f},
    {maths1::expm1, 0x1.a36e2eb1c432dp-14, 0x1.a3738d2137388p-14, 0x1.a3738cp-14f},
    {maths1::expm1, -0x1.cp+1, -0x1.f089f7f38d805p-1, -0x1.f089f8p-1f},
    {maths1::log, 0x1.6666666666666p-1, -0x1.6d3c324e13f5p-2, -0x1.6d3c34p-2f},
    {maths1::log, 0x1.004p+0, 0x1.ffc00aa8ab11p-11, 0x1.ffc00ap-11f},
    {maths1::log, 0x1.93e5939a08ceap+99, 0x1.144f69ff9ffc4p+6, 0x1.144f6ap+6f},
    {maths1::log2, 0x1.6666666666666p-1, -0x1.0776228967d13p-1, -0x1.077624p-1f},
    {maths1::log2, 0x1.93e5939a08ceap+99, 0x1.8ea1a18e2093ap+6, 0x1.8ea1a2p+6f},
    {maths1::log10, 0x1.6666666666666p-1, -0x1.3d3d3d21ccf04p-3, -0x1.3d3d3ep-3f},
    {maths1::log10, 0x1.93e5939a08ceap+99, 0x1.ep+4, 0x1.ep+4f},
    {maths1::log1p, 0x1.4f8b588e368f1p-17, 0x1.4f8aea9ae7317p-17, 0x1.4f8aeap-17f},
    {maths1::log1p, 0x1.6666666666666p-1, 0x1.0fae81914a991p-1, 0x1.0fae82p-1f},
    {maths1::log1p, 0x1.c363cbf21f28ap+126, 0x1.5f9d632d414a2p+6, 0x1.5f9d64p+6f},
    {maths1::log1p, 0x1.c363cbf21f28ap+127, 0x1.62632b8d20916p+6, 0x1.62632cp+6f},
    {maths1::cbrt, 0x1.6666666666666p-1, 0x1.c69b5a72f1a99p-1, 0x1.c69b5ap-1f},
    {maths1::cbrt, -0x1.eep+6, -0x1.3eb7001ee3c8ap+2, -0x1.3eb7p+2f},
    {maths1::sin, 0x1.6666666666666p-1, 0x1.49d6e694619b8p-1, 0x1.49d6e6p-1f},
    {maths1::sin, 0x1.6p+4, -0x1.220a29f6eb9f4p-7, -0x1.220a2ap-7f},
    {maths1::sin, 0x1.e848p+19, -0x1.6664b2568d867p-2, -0x1.6664b2p-2f},
    {maths1::sin, 0x1.0f0cf064dd592p+73, -0x1.b453ab76bf397p-1, -0x1.77d988p-1f},
    {maths1::cos, 0x1.6666666666666p-1, 0x1.87996529f9d93p-1, 0x1.879966p-1f},
    {maths1::cos, 0x1.6p+3, 0x1.220ae41ee2fdfp-8, 0x1.220ae4p-8f},
    {maths1::cos, 0x1.e848p+19, 0x1.df9df9906d32cp-1, 0x1.df9dfap-1f},
    {maths1::cos, 0x1.0f0cf064dd592p+73, 0x1.0be2cef01c8f4p-1, 0x1.5badeep-1f},
    {maths1::tan, 0x1.6666666666666p-1, 0x1.af406c2fc78aep-1, 0x1.af406cp-1f},
    {maths1::tan, 0x1.6p+3, -0x1.c3e6d558b0924p+7, -0x1.c3e6d6p+7f},
    {maths1::tan, 0x1.0f0cf064dd592p+73, -0x1.a0f79c1b6b257p+0, -0x1.14bdfcp+0f},
    {maths1::asin, 0x1.6666666666666p-1, 0x1.8d00e692afd95p-1, 0x1.8d00e6p-1f},
    {maths1::asin, -0x1.fae147ae147aep-1, -0x1.6de3c6f33d51dp+0, -0x1.6de3c8p+0f},
    {maths1::acos, 0x1.6666666666666p-1, 0x1.973e83f5d5c9bp-1, 0x1.973e84p-1f},
    {maths1::acos, -0x1.fae147ae147aep-1, 0x1.8001be1bc011bp+1, 0x1.8001bep+1f},
    {maths1::atan, 0x1.6666666666666p-1, 0x1.38b112d7bd4adp-1, 0x1.38b112p-1f},
    {maths1::atan, -0x1.eep+6, -0x1.900d105525d9cp+0, -0x1.900d1p+0f},
    {maths1::sinh, 0x1.0624dd2f1a9fcp-10, 0x1.0624e00c1c9e3p-10, 0x1.0624ep-10f},
    {maths1::sinh, 0x1.4p+1, 0x1.83368cdb0b6d3p+2, 0x1.83368cp+2f},
    {maths1::sinh, 0x1.64p+6, 0x1.51c2cc3433801p+127, 0x1.51c2ccp+127f},
    {maths1::sinh, -0x1.65p+6, -0x1.b1b190df7791p+127, -0x1.b1b19p+127f},
    {maths1::cosh, 0x1.0624dd2f1a9fcp-10, 0x1.000008637bdc1p+0, 0x1.000008p+0f},
    {maths1::cosh, 0x1.4p+1, 0x1.88776e4b30aa3p+2, 0x1.88776ep+2f},
    {maths1::cosh, 0x1.64p+6, 0x1.51c2cc3433801p+127, 0x1.51c2ccp+127f},
    {maths1::cosh, -0x1.65p+6, 0x1.b1b190df7791p+127, 0x1.b1b19p+127f},
    {maths1::tanh, 0x1.0624dd2f1a9fcp-10, 0x1.0624d77516ce2p-10, 0x1.0624d8p-10f},
    {maths1::tanh, 0x1.4p+1, 0x1.f9258260a71c2p-1, 0x1.f92582p-1f},
    {maths1::asinh, 0x1.0624dd2f1a9fcp-10, 0x1.0624da5218b95p-10, 0x1.0624dcp-10f},
    {maths1::asinh, 0x1.4p+1, 0x1.a5b0f0be9dcf6p+0, 0x1.a5b0fp+0f},
    {maths1::asinh, 0x1.08b2a2c280291p+83, 0x1.d20fec1473dd9p+5, 0x1.d20fecp+5f},
    {maths1::asinh, -0x1.c363cbf21f28ap+127, -0x1.6528f3ecffd8ap+6, -0x1.6528f4p+6f},
    {maths1::acosh, 0x1.004p+0, 0x1.6a025bf510baep-5, 0x1.6a025cp-5f},
    {maths1::acosh, 0x1.4p+1, 0x1.9119c13a31bbp+0, 0x1.9119c2p+0f},
    {maths1::acosh, 0x1.08b2a2c280291p+83, 0x1.d20fec1473dd9p+5, 0x1.d20fecp+5f},
    {maths1::acosh, 0x1.c363cbf21f28ap+127, 0x1.6528f3ecffd8ap+6, 0x1.6528f4p+6f},
    {maths1::atanh, 0x1.0624dd2f1a9fcp-10, 0x1.0624e2e91ed17p-10, 0x1.0624e4p-10f},
    {maths1::atanh, 0x1.fae147ae147aep-1, 0x1.52c581997cd85p+1, 0x1.52c586p+1f},
    {maths1::erf, 0x1.0624dd2f1a9fcp-10, 0x1.27cc3804d374cp-10, 0x1.27cc38p-10f},
    {maths1::erf, 0x1.8p+0, 0x1.eea5557137aep-1, 0x1.eea556p-1f},
    {maths1::erf, 0x1.1039d428a8b8fp-123, 0x1.332c8d08c0234p-123, 0x1.332c8cp-123f},
    {maths1::erfc, 0x1p-1, 0x1.eb02147ce245cp-2, 0x1.eb0214p-2f},
    {maths1::erfc, -0x1.8p+0, 0x1.f752aab89bd7p+0, 0x1.f752aap+0f},
    {maths1::erfc, 0x1.4p+2, 0x1.b0c1a759f7739p-40, 0x1.b0c1a8p-40f},
    {maths1::erfc, 0x1.28p+3, 0x1.6e0c8fadbb05p-128, 0x1.6e0c9p-128f},
    {maths1::lgamma, 0x1p-1, 0x1.250d048e7a1bdp-1, 0x1.250d04p-1f},
    {maths1::lgamma, 0x1.5p+3, 0x1.be199a0f64394p+3, 0x1.be199ap+3f},
    {maths1::lgamma, -0x1p-1, 0x1.43f89a3f0edd6p+0, 0x1.43f89ap+0f},
    {maths1::lgamma, -0x1.3a7ffde7210bfp+1, -0x1.3e700e8cbac86p-17, -0x1.3f06d4p-17f},
    {maths1::lgamma, -0x1.fa3d70a3d70a4p+1, -0x1.8e494bbcd27d8p-8, -0x1.8e63a2p-8f},
    {maths1::lgamma, -0x1.48p+3, -0x1.c687269b1e743p+3, -0x1.c68726p+3f},
    {maths1::tgamma, 0x1p-1, 0x1.c5bf891b4ef6bp+0, 0x1.c5bf8ap+0f},
    {maths1::tgamma, 0x1.5p+3, 0x1.14ade639225cap+20, 0x1.14ade6p+20f},
    {maths1::tgamma, -0x1p-1, -0x1.c5bf891b4ef6bp+1, -0x1.c5bf8ap+1f},
    {maths1::tgamma, -0x1.ap+1, 0x1.128f7495b6d1dp-1, 0x1.128f74p-1f},
    {maths1::tgamma, -0x1.2ffp+5, 0x1.676efd56012a7p-142, 0x1.68p-142f},
    {maths1::tgamma, -0x1.12p+5, -0x1.0e3553b2741b9p-127, -0x1.0e3554p-127f},
    {maths1::gelu, 0x1.05e353f7ced91p-9, 0x1.064e35891b214p-10, 0x1.064e36p-10f},
    {maths1::gelu, -0x1.8p-1, -0x1.5c19804106bbap-3, -0x1.5c198p-3f},
    {maths1::gelu, 0x1.4p+1, 0x1.3e034de12223cp+1, 0x1.3e034ep+1f},
    {maths1::gelu, -0x1.ap+2, -0x1.1f043d1512146p-32, -0x1.1f043ep-32f},
    {maths1::gelu, -0x1.ap+3, -0x1.b0f71384ef01ep-124, -0x1.b0f714p-124f},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(eval_maths, level_restored)

BOOST_AUTO_TEST_CASE(accuracy_of_float) { check_accuracy<float>(); }
BOOST_AUTO_TEST_CASE(accuracy_of_double) { check_accuracy<double>(); }

BOOST_AUTO_TEST_CASE(tangents_of_doubles_are_right_near_odd_multiples_of_45_degrees) { check_tangents(); }
BOOST_AUTO_TEST_CASE(known_values_come_out) {
  everywhere([](accuracy a) {
    for (const known_value& k : known_values) {
      const float x = static_cast<float>(k.x);
      const float got32 = run(k.f, a, std::vector<float>{x})[0];
      const double got64 = run(k.f, a, std::vector<double>{k.x})[0];
      // Half an ULP more, because the known values are rounded.
      BOOST_TEST(error(got32, static_cast<double>(k.f32)) <= allowed(a, k.f) + 0.5,
                 names1[int(k.f)] << "(" << x << ") gave " << got32 << ", not " << k.f32);
#if defined(__MINGW32__)
      // Next to a zero of lgamma below 0 its C library has the digits of 1 (docs/reference/settings.md).
      if (k.f == maths1::lgamma && k.x < 0 && std::abs(k.f64) < 1e-4) {
        BOOST_TEST(std::abs(got64 - k.f64) < 0x1p-62);
        continue;
      }
#endif
      BOOST_TEST(error(got64, static_cast<long double>(k.f64)) <= allowed(a, k.f) + 0.5,
                 names1[int(k.f)] << "(" << k.x << ") gave " << got64 << ", not " << k.f64);
    }
  });
}

BOOST_AUTO_TEST_CASE(special_values_of_float) { check_special_values<float>(); }
BOOST_AUTO_TEST_CASE(special_values_of_double) { check_special_values<double>(); }

BOOST_AUTO_TEST_CASE(position_length_and_alignment_do_not_matter) {
  check_cuts<float>();
  check_cuts<double>();
}

BOOST_AUTO_TEST_CASE(neighbours_do_not_matter) {
  check_neighbours<float>();
  check_neighbours<double>();
}

BOOST_AUTO_TEST_CASE(a_strip_may_be_its_own_argument) {
  check_in_place<float>();
  check_in_place<double>();
}

BOOST_AUTO_TEST_CASE(levels_with_fma_agree) {
  check_levels<float>();
  check_levels<double>();
}

BOOST_AUTO_TEST_CASE(remainders_are_exact) {
  check_remainders<float>();
  check_remainders<double>();
}
BOOST_AUTO_TEST_CASE(exponentials_do_not_depend_on_what_stands_beside_their_argument) {
  check_exponentials<float>();
  check_exponentials<double>();
}
BOOST_AUTO_TEST_CASE(simple_powers_are_rounded_once_and_the_same_for_a_number_as_for_an_array) {
  check_simple_powers<float>();
  check_simple_powers<double>();
}

BOOST_AUTO_TEST_CASE(the_callers_rounding_mode_and_flush_bits_stay) {
  const std::vector<float> x = arguments<float>(400, 12);
  std::vector<float> out(x.size());
#if defined(__x86_64__)
  constexpr unsigned flags = 0x3f;
  const unsigned usual = _mm_getcsr() & ~flags;
#endif
  const int mode = std::fegetround();
  everywhere([&](accuracy a) {
    every_maths1([&](maths1 f, const char* name) {
      map1(f, a, x.data(), out.data(), static_cast<bl::index>(x.size()));
#if defined(__x86_64__)
      BOOST_TEST((_mm_getcsr() & ~flags) == usual, name);
#endif
      BOOST_TEST(std::fegetround() == mode, name);
    });
  });
}

// The functions of floats in lib/maths/floats.hpp.
bool is_own(maths1 f) {
  switch (f) {
    case maths1::expm1:
    case maths1::sinh:
    case maths1::cosh:
    case maths1::tanh:
    case maths1::asinh:
    case maths1::acosh:
    case maths1::erf:
    case maths1::erfc:
    case maths1::lgamma:
    case maths1::gelu: return true;
    default: return false;
  }
}
// Those of lib/maths/own.hpp, which need FMA.
bool is_fused(maths1 f, accuracy a, bool f64) {
  if (!has_fma(bl::runtime::active_isa())) return false;
  const bool fast_f32 = !f64 && a == accuracy::fast;  // lib/maths/own_quick.hpp; exp10 is the same for both
  switch (f) {
    case maths1::exp:
    case maths1::log:
    case maths1::tanh:
    case maths1::asinh:
    case maths1::acosh:
    case maths1::atanh:
    case maths1::cbrt:
    case maths1::gelu: return true;
    case maths1::sin:
    case maths1::cos: return fast_f32 || a == accuracy::accurate || bl::runtime::active_isa() >= bl::isa::v4;
    case maths1::exp10: return fast_f32 || a == accuracy::accurate;
    case maths1::exp2:
    case maths1::asin: return !f64 || a == accuracy::accurate;
    case maths1::erf: return !f64 || a == accuracy::accurate;
    case maths1::atan: return a == accuracy::accurate;
    case maths1::erfc: return fast_f32 && bl::runtime::active_isa() >= bl::isa::v4;
    case maths1::lgamma:
    case maths1::tgamma: return false;
    default: return a == accuracy::accurate;
  }
}
bool is_fused(maths2 f, accuracy a, bool f64) {
  if (f == maths2::pow && (!f64 || a == accuracy::fast))
    return bl::runtime::active_isa() >= (f64 ? bl::isa::v4 : bl::isa::v3) && a == accuracy::fast;
  return has_fma(bl::runtime::active_isa()) &&
         (f == maths2::hypot || f == maths2::pow || (f == maths2::atan2 && a == accuracy::accurate));
}
bool is_own(maths2 f) { return f == maths2::hypot || f == maths2::pow; }

// Doubles next to multiples of a quarter turn, up to the limit of the library's own functions.
BOOST_AUTO_TEST_CASE(sines_near_quarter_turns_are_accurate_and_within_1) {
  std::vector<double> x;
  for (int k = 0; k < 20000; ++k) {
    double near = (k < 64 ? k : k * 317.0) * 1.5707963267948966;
    for (int i = 0; i < 3; ++i) x.push_back(std::copysign(near = std::nextafter(near, 1e300), k % 2 == 0 ? 1 : -1));
  }
  std::vector<double> y(x.size());
  everywhere([&](accuracy a) {
    for (const maths1 f : {maths1::sin, maths1::cos}) {
      map1(f, a, x.data(), y.data(), static_cast<bl::index>(x.size()));
      double worst = 0;
      bool within_1 = true;
      for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, error(y[i], c_library::call<long double>(f, x[i])));
        within_1 = within_1 && std::abs(y[i]) <= 1;
      }
      BOOST_TEST(worst < (a == accuracy::fast ? 4 : 1));
      BOOST_TEST((within_1 || bl::runtime::backend(f, a, true) == std::string("libmvec")));
    }
  });
}

// Where the error of the logarithm counts most: near 1, at the edges of tables, to exponents that nearly overflow, and
// of negative and subnormal numbers. `most` is the logarithm of the largest number, `least` of the smallest.
template <class T>
void check_large_powers(double most, double least, double bound_of_fast) {
  using limits = std::numeric_limits<T>;
  std::mt19937_64 random(16);
  const auto part = [&random] { return static_cast<double>(random() % 1000003) / 1000003; };
  std::vector<T> x, y;
  const auto add = [&](double exact, double size) {
    const T of = static_cast<T>(exact);
    const double logarithm = std::log(std::abs(static_cast<double>(of)));
    if (logarithm == 0 || of == 0) return;
    x.push_back(of);
    y.push_back(static_cast<T>(of < 0 ? std::trunc(size / logarithm) : size / logarithm));
  };
  for (int k = 0; k < 4000; ++k) {
    const double edge = std::ldexp(1 + static_cast<double>(k % 32) / 32, k % 5 - 2);
    add(edge * (1 + (part() - 0.5) * std::ldexp(1, 12 - limits::digits)), 2 * most * part() - most);
    add(1 + (part() - 0.5) * std::ldexp(1, -(k % (limits::digits - 8))), k % 2 == 0 ? most * 0.9999 : least * 0.9999);
    add(-std::ldexp(1 + part(), k % (2 * limits::max_exponent - 48) - limits::max_exponent + 24),
        1.9 * most * part() - 0.95 * most);
    add(std::ldexp(part(), limits::min_exponent - 1), 2 * most * part() - most);
  }
  for (const T largest : {limits::max(), limits::lowest()})
    for (const T by : {T(1), 1 - limits::epsilon() / 2, T(-1), T(0.5), T(3), T(-3)}) {
      x.push_back(largest);
      y.push_back(by);
    }
  everywhere([&](accuracy a) {
    const std::vector<T> got = run(maths2::pow, a, x, y);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double truth = std::pow(static_cast<long double>(x[i]), static_cast<long double>(y[i]));
      worst = std::max(worst, error(got[i], truth));
    }
    BOOST_TEST(worst < (a == accuracy::fast ? bound_of_fast : 1), "off by " << worst << " ULP");
  });
}
BOOST_AUTO_TEST_CASE(powers_are_within_the_bound_where_exponents_are_large) {
  check_large_powers<float>(88.72, -103.2, 2);
  check_large_powers<double>(709.7, -744, 4);
}

// docs/reference/accuracy.md says what a run over all floats found.
BOOST_AUTO_TEST_CASE(fast_functions_of_any_float_are_within_the_bound_and_sines_within_1) {
  struct bounded {
    maths1 f;
    double most, bound;
  };
  const double any = std::numeric_limits<double>::infinity();
  const bounded all[] = {{maths1::sin, 1, 2},       {maths1::cos, 1, 2},       {maths1::tanh, 1, 2.6},
                         {maths1::exp, any, 4},     {maths1::log, any, 1.4},   {maths1::erf, 1, 2.4},
                         {maths1::asinh, any, 2.6}, {maths1::atanh, any, 1.6}, {maths1::erfc, any, 2.9}};
  everywhere([&](accuracy a) {
    if (a != accuracy::fast || !has_fma(bl::runtime::active_isa())) return;
    for (const bounded& b : all) {
      std::vector<float> x, y;
      for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 20011) {
        const auto low = static_cast<std::uint32_t>(bits);
        float v;
        std::memcpy(&v, &low, sizeof v);
        x.push_back(v);
      }
      y.resize(x.size());
      map1(b.f, a, x.data(), y.data(), static_cast<bl::index>(x.size()));
      double worst = 0, largest = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, error(y[i], c_library::call<double>(b.f, x[i])));
        if (!std::isnan(y[i])) largest = std::max(largest, std::abs(static_cast<double>(y[i])));
      }
      BOOST_TEST(worst <= b.bound, names1[static_cast<int>(b.f)] << " is off by " << worst << " ULP");
      BOOST_TEST(largest <= b.most, names1[static_cast<int>(b.f)]);
    }
    float one = 0;
    map1(maths1::cos, a, &one, &one, 1);
    BOOST_TEST(one == 1.0F);
  });
}

BOOST_AUTO_TEST_CASE(every_function_says_where_it_comes_from) {
#if defined(BROADLOOM_SLEEF) && !BROADLOOM_SLEEF
  static constexpr const char* otherwise = "libm";
#else
  static constexpr const char* otherwise = "sleef";
#endif
  everywhere([](accuracy a) {
    every_maths1([a](maths1 f, const char* name) {
      for (const bool f64 : {false, true}) {
        const std::string from = bl::runtime::backend(f, a, f64);
        const bool always = f == maths1::gelu || f == maths1::lgamma;
        const bool own = is_fused(f, a, f64) || (is_own(f) && !f64 && (a == accuracy::accurate || always));
        BOOST_TEST((from == (own ? "broadloom" : otherwise) || (!own && a == accuracy::fast && from == "libmvec")),
                   name << " is from " << from);
      }
    });
    every_maths2([a](maths2 f, const char* name) {
      for (const bool f64 : {false, true}) {
        const std::string from = bl::runtime::backend(f, a, f64);
        const bool own = is_fused(f, a, f64) || (is_own(f) && !f64 && a == accuracy::accurate);
        const bool by_one = f == maths2::fmod && f64 && !has_fma(bl::runtime::active_isa());
        const char* const expected = by_one ? "libm" : own || f == maths2::fmod ? "broadloom" : otherwise;
        BOOST_TEST((from == expected || (a == accuracy::fast && from == "libmvec")), name << " is from " << from);
      }
    });
  });
}

BOOST_AUTO_TEST_SUITE_END()
