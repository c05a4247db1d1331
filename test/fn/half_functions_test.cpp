// Every function of the catalogue of elements of 16 bits: the function of f32, rounded, one node after the other; also
// through views, in place, and chosen by masks. Those of float16 that NumPy has, at the ends of the range and at
// PyTorch's extremal numbers, are NumPy's (test/data/half_extremal_cases.tsv).
// Build: unoptimised, parsed-by-gcc, uninstrumented
#include <broadloom/half.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(fn_half_functions)

namespace bl = broadloom;
using bl::bfloat16;
using bl::float16;

namespace {

// The lines of the table: numbers, and results of each number, or of all pairs, the first operand changing first.
using extremal_table = std::map<std::string, std::vector<std::uint16_t>>;
extremal_table read_extremal() {
  std::ifstream in("test/data/half_extremal_cases.tsv");
  extremal_table r;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (std::string w; words >> w;) r[name].push_back(static_cast<std::uint16_t>(std::stoul(w, nullptr, 16)));
  }
  if (r.size() < 60) throw std::runtime_error("cannot read test/data/half_extremal_cases.tsv");
  return r;
}
const extremal_table& extremal() {
  static const extremal_table t = read_extremal();
  return t;
}
const std::vector<std::uint16_t>& extremal_numbers() { return extremal().at("numbers"); }

constexpr bl::index drawn = 61;
bl::index count() { return drawn + static_cast<bl::index>(extremal_numbers().size() * extremal_numbers().size()); }

// Numbers of all sizes, zeros, infinities and NaN; `place` makes other ones. Then all pairs of the table's.
template <class H>
bl::dtensor<H, 1> numbers(int place) {
  bl::dtensor<H, 1> r(count());
  std::uint32_t state = 12345u + static_cast<std::uint32_t>(place) * 977u;
  const float special[] = {0.0f, -0.0f, HUGE_VALF, -HUGE_VALF, std::nanf(""), 1.0f, -1.0f, 0.5f, 2.0f};
  for (bl::index i = drawn; i < r.size(); ++i) {
    const auto& all = extremal_numbers();
    const auto at = static_cast<std::size_t>(i - drawn);
    r(i) = static_cast<float>(float16::from_bits(all[(place == 1 ? at / all.size() : at) % all.size()]));
  }
  for (bl::index i = 0; i < drawn; ++i) {
    state = state * 1664525u + 1013904223u;
    const auto k = state >> 16;
    if (i < 36)
      r(i) = special[(i / (place == 0 ? 1 : place == 1 ? 3 : 5) + place) % 9];
    else if (k % 4 == 0)
      r(i) = H::from_bits(static_cast<std::uint16_t>(state >> 8));
    else
      r(i) = static_cast<float>(static_cast<int>(k % 2001) - 1000) / (k % 3 == 0 ? 999.0f : 91.0f);
  }
  return r;
}

template <class H>
struct operands {
  bl::dtensor<H, 1> x = numbers<H>(0), y = numbers<H>(1), z = numbers<H>(2);
  bl::dtensor<float, 1> wide_x = bl::cast<float>(x), wide_y = bl::cast<float>(y), wide_z = bl::cast<float>(z);
};

bool same(bool a, bool b) { return a == b; }
// NaN has one value here.
template <class H>
bool same(H a, H b) {
  return a.bits() == b.bits() || (std::isnan(float(a)) && std::isnan(float(b)));
}

int functions = 0, numpys = 0;

// One unit of the last place: both round a result of f32 that has an error of its own. The rest is exact.
bool has_own_error(const std::string& name) {
  static const std::set<std::string> names{
      "exp",  "exp2", "expm1", "log",  "log2",  "log10", "log1p", "sin", "cos",   "tan",   "asin",      "acos",
      "atan", "sinh", "cosh",  "tanh", "asinh", "acosh", "atanh", "pow", "atan2", "hypot", "logaddexp", "logaddexp2"};
  return names.count(name) != 0;
}
bool is_extreme(const std::string& name) {
  return name == "maximum" || name == "minimum" || name == "fmax" || name == "fmin";
}
int ordered(float16 x) { return x.bits() < 0x8000 ? x.bits() : 0x8000 - x.bits(); }

template <class T>
void compare_with_numpy(const std::string& name, const bl::dtensor<T, 1>& r) {
  const auto line = extremal().find(name);
  if (line == extremal().end()) return;
  ++numpys;
  for (std::size_t i = 0; i < line->second.size(); ++i) {
    const T ours = r(drawn + static_cast<bl::index>(i));
    const std::uint16_t theirs = line->second[i];
    const std::size_t n = extremal_numbers().size();
    const auto given = [&](std::size_t k) { return float(float16::from_bits(extremal_numbers()[k % n])); };
    bool ok = false;
    if constexpr (std::is_same_v<T, bool>)
      ok = ours == (theirs != 0);
    else if constexpr (std::is_same_v<T, float16>) {
      const float16 wanted = float16::from_bits(theirs);
      // Of two zeros maximum and the like give either.
      ok = same(ours, wanted) || (float(ours) == 0 && float(wanted) == 0 && is_extreme(name)) ||
           (has_own_error(name) && std::abs(ordered(ours) - ordered(wanted)) <= 1);
    }
    if (!ok)
      BOOST_ERROR(name << " of float16 " << given(i) << ", " << given(i / n) << " is " << float(ours)
                       << ", NumPy's has bits " << theirs);
  }
}

// The result, and single elements of f32's, each rounded.
template <class H, class E, class Wide>
void compare(const char* name, const E& result, const Wide& wide) {
  using T = typename E::value_type;
  static_assert(std::is_same_v<T, H> || std::is_same_v<T, bool>);
  ++functions;
  const bl::dtensor<T, 1> r = result;
  if constexpr (std::is_same_v<H, float16>) compare_with_numpy(name, r);
  bl::index wrong = 0, first = -1;
  for (bl::index i = 0; i < r.size(); ++i)
    if (!same(r(i), static_cast<T>(wide.element(bl::detail::indices<1>{{i}})))) {
      ++wrong;
      if (first < 0) first = i;
    }
  BOOST_TEST(wrong == 0,
             name << " of " << bl::to_string(bl::dtype_of<H>) << ": " << wrong << " elements, the first " << first);
}

template <class H, class F>
void unary(const char* name, const F& f) {
  const operands<H> o;
  if constexpr (!std::is_same_v<F, bl::nan_to_num_t> && std::is_invocable_v<const F&, const bl::dtensor<H, 1>&>)
    compare<H>(name, f(o.x), f(o.wide_x));
}
template <class H, class F>
void binary(const char* name, const F& f) {
  const operands<H> o;
  if constexpr (!std::is_same_v<F, bl::nextafter_t> &&
                std::is_invocable_v<const F&, const bl::dtensor<H, 1>&, const bl::dtensor<H, 1>&>)
    compare<H>(name, f(o.x, o.y), f(o.wide_x, o.wide_y));
}
template <class H, class F>
void ternary(const char* name, const F& f) {
  const operands<H> o;
  if constexpr (std::is_invocable_v<const F&, const bl::dtensor<H, 1>&, const bl::dtensor<H, 1>&,
                                    const bl::dtensor<H, 1>&>)
    compare<H>(name, f(o.x, o.y, o.z), f(o.wide_x, o.wide_y, o.wide_z));
}

template <class H>
H rounded(float x) {
  return H(x);
}

template <class H>
void places_and_forms() {
  const operands<H> o;
  const bl::index n = 7, m = 9;
  bl::dtensor<H, 2> a(n, m), b(m, n);
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = 0; j < m; ++j) {
      a(i, j) = static_cast<float>(i * m + j) * 0.37f;
      b(j, i) = 3 - static_cast<float>(i + 2 * j) * 0.11f;
    }
  const bl::dtensor<H, 1> row = bl::arange<H>(0, 9) / 7;
  // Transposed, reversed and broadcast operands, and numbers, which are rounded first.
  const bl::dtensor<H, 2> r = a + bl::transpose(b) * bl::flip(row, 0) - 0.1;
  bl::dtensor<H, 2> in_place = a;
  in_place += bl::transpose(b);
  bl::assign(bl::slice(in_place, bl::range(0, 3), bl::all), 1.1);
  const bl::dtensor<H, 2> chosen = bl::where(bl::gt(a, 3), a, row);
  bl::dtensor<H, 2> every_second(n, m);
  every_second = -1;
  bl::assign(every_second(bl::all, bl::range(0, 9, 2)), a(bl::all, bl::range(0, 9, 2)) * 3);
  int wrong = 0;
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = 0; j < m; ++j) {
      const H product = rounded<H>(float(b(j, i)) * float(row(m - 1 - j)));
      const H sum = rounded<H>(float(a(i, j)) + float(product));
      wrong += !same(r(i, j), rounded<H>(float(sum) - float(H(0.1f))));
      wrong += !same(in_place(i, j), i < 3 ? H(1.1f) : rounded<H>(float(a(i, j)) + float(b(j, i))));
      wrong += !same(chosen(i, j), a(i, j) > 3 ? a(i, j) : row(j));
      wrong += !same(every_second(i, j), j % 2 != 0 ? H(-1) : rounded<H>(float(a(i, j)) * 3.0f));
    }
  BOOST_TEST(wrong == 0);

  // Casts, from and to every kind of element.
  const auto cast_and_back = [&]<class T>(T) {
    const bl::dtensor<T, 1> there = bl::cast<T>(o.x);
    const bl::dtensor<H, 1> back = bl::cast<H>(there);
    int bad = 0;
    for (bl::index i = 0; i < there.size(); ++i) {
      const float x = o.wide_x(i);
      if (!(std::abs(x) < 100) || (x < 0 && !(T(-1) < T(0)))) continue;
      bad += there(i) != static_cast<T>(x);
      bad += !same(back(i), H(static_cast<float>(static_cast<T>(x))));
    }
    BOOST_TEST(bad == 0, bl::to_string(bl::dtype_of<T>));
  };
  cast_and_back(std::int8_t{});
  cast_and_back(std::uint16_t{});
  cast_and_back(std::int32_t{});
  cast_and_back(std::int64_t{});
  cast_and_back(0.0);
  cast_and_back(true);
  // Mixed with others.
  const bl::dtensor<std::int32_t, 1> whole = bl::arange<std::int32_t>(static_cast<int>(count()));
  const bl::dtensor<H, 1> with_integers = o.x + whole;
  const bl::dtensor<double, 1> doubles = o.x * bl::cast<double>(whole);
  const bl::dtensor<float, 1> floats = o.x / bl::cast<float>(whole);
  static_assert(std::is_same_v<typename decltype(o.x + whole)::value_type, H>);
  static_assert(std::is_same_v<typename decltype(o.x * bl::cast<double>(whole))::value_type, double>);
  static_assert(std::is_same_v<typename decltype(o.x / bl::cast<float>(whole))::value_type, float>);
  for (bl::index i = 0; i < drawn; ++i) {
    const float x = o.wide_x(i);
    if (std::isnan(x) || (i == 0 && std::isinf(x))) continue;
    BOOST_TEST(same(with_integers(i), H(x + static_cast<float>(i))));
    if (i > 0) BOOST_TEST((doubles(i) == static_cast<double>(x) * static_cast<double>(i)));
    if (i > 0) BOOST_TEST((floats(i) == x / static_cast<float>(i)));
  }
}

}  // namespace

#define BROADLOOM_UNARY(NAME, ...) unary<float16>(#NAME, bl::NAME);
#define BROADLOOM_BINARY(NAME, ...)
#define BROADLOOM_BINARY_OPERATOR(NAME, ...)
#define BROADLOOM_COMPARISON(NAME, ...)
#define BROADLOOM_TERNARY(NAME, ...)
#define BROADLOOM_STRIP1(NAME, ...) unary<float16>(#NAME, bl::NAME);
#define BROADLOOM_STRIP2(NAME, ...)
BOOST_AUTO_TEST_CASE(functions_of_one_operand) {
  functions = numpys = 0;
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
  BOOST_TEST(functions > 65);
  BOOST_TEST(numpys == 37);
  // One of each kind: in registers, by strips, in stages, with numbers, composed.
  unary<bfloat16>("abs", bl::abs);
  unary<bfloat16>("rsqrt", bl::rsqrt);
  unary<bfloat16>("isfinite", bl::isfinite);
  unary<bfloat16>("exp", bl::exp);
  unary<bfloat16>("gelu", bl::gelu);
  unary<bfloat16>("softplus", bl::softplus);
  unary<bfloat16>("sigmoid", bl::sigmoid);
  unary<float16>("sigmoid", bl::sigmoid);
}
#define BROADLOOM_UNARY(NAME, ...)
#define BROADLOOM_BINARY(NAME, ...) binary<float16>(#NAME, bl::NAME);
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) binary<float16>(#NAME, bl::NAME);
#define BROADLOOM_COMPARISON(NAME, ...) binary<float16>(#NAME, bl::NAME);
#define BROADLOOM_TERNARY(NAME, ...) ternary<float16>(#NAME, bl::NAME);
#define BROADLOOM_STRIP1(NAME, ...)
#define BROADLOOM_STRIP2(NAME, ...) binary<float16>(#NAME, bl::NAME);
BOOST_AUTO_TEST_CASE(functions_of_two_and_three_operands) {
  functions = numpys = 0;
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
  BOOST_TEST(functions > 35);
  BOOST_TEST(numpys == 27);
  binary<bfloat16>("div", bl::div);
  binary<bfloat16>("le", bl::le);
  binary<bfloat16>("pow", bl::pow);
  binary<bfloat16>("remainder", bl::remainder);
  ternary<bfloat16>("clamp", bl::clamp);
}
BOOST_AUTO_TEST_CASE(nextafter_steps_among_elements_of_16_bits) {
  const auto steps = []<class H>(H) {
    bl::dtensor<H, 1> all(65536);
    for (int i = 0; i < 65536; ++i) all(i) = H::from_bits(static_cast<std::uint16_t>(i));
    const bl::dtensor<H, 1> up = bl::nextafter(all, std::numeric_limits<float>::infinity());
    const bl::dtensor<H, 1> down = bl::nextafter(all, -std::numeric_limits<float>::infinity());
    int wrong = 0;
    const auto infinity = std::numeric_limits<H>::infinity().bits();
    for (int i = 0; i < 65536; ++i) {
      const int size = i & 0x7fff;
      if (size > infinity) {
        wrong += !std::isnan(float(up(i))) || !std::isnan(float(down(i)));
        continue;
      }
      const int above = i == infinity ? i : i == 0x8000 ? 1 : i < 0x8000 ? i + 1 : i - 1;
      const int below = i == (infinity | 0x8000) ? i : i == 0 ? 0x8001 : i < 0x8000 ? i - 1 : i + 1;
      wrong += up(i).bits() != above || down(i).bits() != below;
    }
    BOOST_TEST(wrong == 0);
  };
  steps(float16{});
  steps(bfloat16{});
}
BOOST_AUTO_TEST_CASE(infinities_become_the_largest_element) {
  const auto replaced = []<class H>(H) {
    const bl::dtensor<H, 1> x{HUGE_VALF, -HUGE_VALF, std::nanf(""), 2.5};
    const bl::dtensor<H, 1> r = bl::nan_to_num(x), given = bl::nan_to_num(x, 1, 2, 3);
    BOOST_TEST(r(0).bits() == std::numeric_limits<H>::max().bits());
    BOOST_TEST(r(1).bits() == std::numeric_limits<H>::lowest().bits());
    BOOST_TEST((float(r(2)) == 0 && float(r(3)) == 2.5f));
    BOOST_TEST((float(given(0)) == 2 && float(given(1)) == 3 && float(given(2)) == 1));
  };
  replaced(float16{});
  replaced(bfloat16{});
}
BOOST_AUTO_TEST_CASE(float16_through_views_masks_and_casts) { places_and_forms<float16>(); }
BOOST_AUTO_TEST_CASE(bfloat16_through_views_masks_and_casts) { places_and_forms<bfloat16>(); }

BOOST_AUTO_TEST_SUITE_END()
