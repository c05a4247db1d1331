// Complex numbers: what PyTorch gives (test/data/complex_cases.tsv), their types, their parts as views, and constant
// expressions.
#include <complex>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace bl = broadloom;
using c64 = std::complex<float>;
using c128 = std::complex<double>;

namespace {

template <class R>
R part_from(const std::string& hex) {
  const std::uint64_t bits = std::stoull(hex, nullptr, 16);
  R x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T>
T element_from(const std::string& text) {
  if constexpr (std::is_same_v<T, bool>)
    return text != "00";
  else if constexpr (bl::detail::is_complex_type<T>) {
    using R = typename T::value_type;
    const auto comma = text.find(',');
    return {part_from<R>(text.substr(0, comma)), part_from<R>(text.substr(comma + 1))};
  } else
    return part_from<T>(text);
}

struct line {
  std::string name, which, type;
  std::vector<std::string> elements;
};
std::vector<line> read_table(const std::string& type) {
  std::ifstream file("test/data/complex_cases.tsv");
  BOOST_REQUIRE(file.good());
  std::vector<line> r;
  for (std::string text; std::getline(file, text);) {
    std::istringstream columns(text);
    std::string kind, elements;
    line l;
    std::getline(columns, l.name, '\t');
    std::getline(columns, kind, '\t');
    std::getline(columns, l.which, '\t');
    if (l.name != "values") std::getline(columns, l.type, '\t');
    std::getline(columns, elements, '\t');
    std::istringstream words(elements);
    for (std::string w; words >> w;) l.elements.push_back(w);
    if (kind == type) r.push_back(l);
  }
  return r;
}

bool same_bits(double a, double b) { return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b)); }

// How far a result may be from PyTorch's: in units of the last place of its length. C99's functions of one argument are
// within a few of these, and both sides call them; quotients and powers go different ways.
double allowed(const std::string& f) {
  static const std::map<std::string, double> list{
      {"mul", 2},  {"div", 4},  {"square", 2}, {"reciprocal", 4}, {"pow", 8},   {"abs", 2},    {"angle", 2},
      {"sgn", 3},  {"sqrt", 3}, {"rsqrt", 6},  {"exp", 4},        {"log", 3},   {"log2", 5},   {"log10", 5},
      {"sin", 4},  {"cos", 4},  {"tan", 6},    {"asin", 6},       {"acos", 6},  {"atan", 6},   {"sinh", 4},
      {"cosh", 4}, {"tanh", 6}, {"asinh", 6},  {"acosh", 6},      {"atanh", 6}, {"sigmoid", 8}};
  const auto found = list.find(f);
  return found == list.end() ? 0 : found->second;
}

template <class T>
bool agree(const T& ours, const T& theirs, double ulps, double scale) {
  if constexpr (std::is_same_v<T, bool>)
    return ours == theirs;
  else {
    const c128 a = ours, b = theirs;
    if (same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag())) return true;
    using R = bl::detail::real_of<T>;
    const double place = std::max(std::abs(b), scale) * static_cast<double>(std::numeric_limits<R>::epsilon());
    return std::abs(a - b) <= ulps * place;
  }
}

template <class C>
struct table_test {
  std::vector<line> lines = read_table(bl::to_string(bl::dtype_of<C>));
  int compared = 0, refused = 0;

  std::vector<C> arguments(const std::string& which) const {
    for (const line& l : lines)
      if (l.name == "values" && l.which == which) {
        std::vector<C> r;
        for (const auto& e : l.elements) r.push_back(element_from<C>(e));
        return r;
      }
    return {};
  }

  template <class F, class... X>
  void compare(const line& l, const F& f, const X&... x) {
    const auto r = bl::eval(f(x...));
    using T = typename decltype(r)::value_type;
    BOOST_TEST(l.type == bl::to_string(bl::dtype_of<T>), l.name << " gives another type than " << l.type);
    BOOST_REQUIRE(static_cast<bl::index>(l.elements.size()) == r.size());
    ++compared;
    for (bl::index i = 0; i < r.size(); ++i) {
      const T theirs = element_from<T>(l.elements[static_cast<std::size_t>(i)]);
      // x / y and the like by way of products: a part may cancel, the length does not
      if (agree(r.data()[i], theirs, allowed(l.name), 0)) continue;
      std::ostringstream s;
      s.precision(17);
      s << l.name << " of";
      ((s << ' ' << x.data()[i]), ...);
      s << " is " << r.data()[i] << ", PyTorch's " << theirs;
      BOOST_ERROR(s.str());
      return;
    }
  }

  template <class F>
  void one(const char* name, const F& f) {
    for (const line& l : lines) {
      if (l.name != name) continue;
      const auto xs = arguments(l.which);
      const auto x = bl::from(xs, bl::dshape<1>(static_cast<bl::index>(xs.size())));
      if constexpr (requires { f(x); }) {
        BOOST_TEST(l.elements.size() > 0u, name << " is defined here, and PyTorch refuses it");
        compare(l, f, x);
      } else {
        BOOST_TEST(l.type == "error", name << " is refused here, and PyTorch has it");
        ++refused;
      }
    }
  }
  template <class F>
  void two(const char* name, const F& f) {
    for (const line& l : lines) {
      if (l.name != name) continue;
      const auto values = arguments(l.which);
      std::vector<C> xs, ys;
      for (const C& x : values)
        for (const C& y : values) {
          xs.push_back(x);
          ys.push_back(y);
        }
      const bl::dshape<1> n(static_cast<bl::index>(xs.size()));
      const auto x = bl::from(xs, n), y = bl::from(ys, n);
      if constexpr (requires { f(x, y); }) {
        BOOST_TEST(l.elements.size() > 0u, name << " is defined here, and PyTorch refuses it");
        compare(l, f, x, y);
      } else {
        BOOST_TEST(l.type == "error", name << " is refused here, and PyTorch has it");
        ++refused;
      }
    }
  }

  void run() {
#define UNARY(NAME, ...) one(#NAME, bl::NAME);
#define BINARY(NAME, ...) two(#NAME, bl::NAME);
#define BINARY_OPERATOR(NAME, ...) two(#NAME, bl::NAME);
#define COMPARISON(NAME, ...) two(#NAME, bl::NAME);
#define TERNARY(NAME, ...)
#define STRIP1(NAME, ...) one(#NAME, bl::NAME);
#define STRIP2(NAME, ...) two(#NAME, bl::NAME);
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
    one("real", bl::real);
    one("imag", bl::imag);
    one("conj_physical", bl::conj_physical);
    one("isreal", bl::isreal);
    one("sigmoid", bl::sigmoid);
    BOOST_TEST(compared == 61);
    BOOST_TEST(refused == 22);
  }
};

template <class... T>
using promoted = bl::promoted<bl::dtensor<T, 1>&...>;

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_complex)

BOOST_AUTO_TEST_CASE(functions_of_c64_give_what_pytorch_gives) { table_test<c64>{}.run(); }
BOOST_AUTO_TEST_CASE(functions_of_c128_give_what_pytorch_gives) { table_test<c128>{}.run(); }

BOOST_AUTO_TEST_CASE(types_meet_as_in_pytorch) {
  using bl::dtensor;
  static_assert(std::is_same_v<promoted<float, c64>, c64> && std::is_same_v<promoted<double, c64>, c128>);
  static_assert(std::is_same_v<promoted<c64, double>, c128> && std::is_same_v<promoted<c64, c128>, c128>);
  static_assert(std::is_same_v<promoted<std::int64_t, c64>, c64> && std::is_same_v<promoted<bool, c128>, c128>);
  // Numbers and arrays of rank 0 bring their category, not their width.
  static_assert(std::is_same_v<bl::promoted<dtensor<float, 1>&, c128>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<double, 1>&, c64>, c128>);
  static_assert(std::is_same_v<bl::promoted<dtensor<int, 1>&, c128>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<c64, 1>&, double>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<double, 1>&, dtensor<c64, 0>&>, c128>);
  static_assert(std::is_same_v<bl::promoted<dtensor<float, 1>&, dtensor<c128, 0>&>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<c64, 1>&, dtensor<double, 0>&>, c64>);
  static_assert(bl::element<c64> && bl::dtype_of<c128> == bl::dtype::c128);
}

BOOST_AUTO_TEST_CASE(real_numbers_and_complex_ones_take_part_in_one_expression) {
  const bl::dtensor<c64, 1> z{{1, 2}, {3, -4}};
  const bl::dtensor<float, 1> x{2, 3};
  const bl::dtensor<double, 1> d{2, 3};
  const auto r = bl::eval(z * x + c64(0, 1));
  BOOST_TEST(r(0) == c64(2, 5));
  BOOST_TEST(r(1) == c64(9, -11));
  const auto wide = bl::eval(d + z);
  static_assert(std::is_same_v<decltype(wide)::value_type, c128>);
  BOOST_TEST(wide(1) == c128(6, -4));
  BOOST_TEST(bl::eval(2.0 - z)(0) == c64(1, -2));
  BOOST_TEST(bl::eval(z == c64(3, -4))(1));
  BOOST_TEST(bl::eval(bl::where(z == c64(1, 2), z, x))(1) == c64(3, 0));
  BOOST_TEST(bl::eval(bl::addcmul(z, z, x))(0) == c64(3, 6));
  BOOST_TEST(bl::eval(bl::lerp(z, z * 2, 0.25f))(0) == c64(1.25, 2.5));
  BOOST_TEST(bl::eval(bl::cast<c128>(z))(1) == c128(3, -4));
  BOOST_TEST(bl::eval(bl::cast<bool>(z))(0));
}

BOOST_AUTO_TEST_CASE(in_place_forms_keep_the_destination) {
  bl::dtensor<c64, 2> z{{{1, 1}, {2, 0}}, {{0, 1}, {0, 0}}};
  const bl::dtensor<float, 1> x{2, -1};
  z *= x;
  BOOST_TEST(z(0, 0) == c64(2, 2));
  BOOST_TEST(z(0, 1) == c64(-2, 0));
  bl::square_(z);
  BOOST_TEST(z(0, 0) == c64(0, 8));
  bl::conj_(z);
  BOOST_TEST(z(0, 0) == c64(0, -8));
  z = z + z.T();
  BOOST_TEST(z(0, 1) == z(1, 0));
  z += 1;
  bl::copy_(z, x);
  BOOST_TEST(z(1, 1) == c64(-1, 0));
  bl::masked_fill_(z, bl::cast<bool>(bl::real(z) > 0), c64(0, 7));
  BOOST_TEST(z(0, 0) == c64(0, 7));
  // What a complex result does not fit.
  static_assert(!std::is_invocable_v<decltype(bl::add_), bl::dtensor<float, 1>&, bl::dtensor<c64, 1>&>);
}

BOOST_AUTO_TEST_CASE(the_parts_of_an_array_are_views_of_it) {
  bl::dtensor<c64, 2> z{{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
  bl::real(z) = 0;
  bl::imag(z.T())(2, 1) = -1;
  BOOST_TEST(z(1, 1) == c64(0, 10));
  BOOST_TEST(z(1, 2) == c64(0, -1));
  bl::imag(bl::slice(z, bl::all, bl::range(bl::none, bl::none, -2))) += 1;
  BOOST_TEST(z(0, 0) == c64(0, 3));
  BOOST_TEST(z(0, 1) == c64(0, 4));
  const auto e = bl::real(z * c64(0, 1));
  BOOST_TEST(e(0, 0) == -3);
  const bl::dtensor<double, 1> re{1, 0}, im{-2, 0.5};
  const auto made = bl::eval(bl::complex(re, im));
  static_assert(std::is_same_v<decltype(made)::value_type, c128>);
  BOOST_TEST(made(0) == c128(1, -2));
  const auto turned = bl::eval(bl::polar(re, im));
  BOOST_TEST(std::abs(turned(0) - std::polar(1.0, -2.0)) < 1e-15);
  BOOST_TEST(turned(1) == c128(0, 0));
}

BOOST_AUTO_TEST_CASE(arithmetic_is_constant) {
  using pair = bl::tensor<c64, bl::shape<2>>;
  constexpr auto r = [] {
    const pair a{{1, 2}, {3, 4}};
    return pair(a * a - a / c64(0, 1) + bl::conj(a) * 2);
  }();
  static_assert(r(0) == c64(-3 - 2 + 2, 4 + 1 - 4) && r(1) == c64(-7 - 4 + 6, 24 + 3 - 8));
  const pair a{{1, 2}, {3, 4}};
  const pair at_run_time = a * a - a / c64(0, 1) + bl::conj(a) * 2;
  BOOST_TEST(at_run_time(0) == r(0));
  BOOST_TEST(at_run_time(1) == r(1));
}

BOOST_AUTO_TEST_CASE(they_are_printed_as_numpy_prints_them) {
  const bl::dtensor<c64, 1> z{{1, 2}, {3, -0.5}};
  BOOST_TEST(bl::to_string(z) == "[1.+2.j  3.-0.5j]");
  BOOST_TEST(bl::to_string(bl::ones<c128>(2)) == "[1.+0.j 1.+0.j]");
  BOOST_TEST(bl::eval(bl::eye<c64>(3) * z(0))(2, 2) == c64(1, 2));
}

BOOST_AUTO_TEST_CASE(functions_that_are_not_defined_are_refused) {
  using z = bl::dtensor<c64, 1>&;
  static_assert(!std::is_invocable_v<bl::lt_t, z, z> && !std::is_invocable_v<bl::maximum_t, z, z>);
  static_assert(!std::is_invocable_v<bl::floor_t, z> && !std::is_invocable_v<bl::erf_t, z>);
  static_assert(!std::is_invocable_v<bl::fmod_t, z, z> && !std::is_invocable_v<bl::bitwise_and_t, z, z>);
  static_assert(!std::is_invocable_v<bl::imag_t, bl::dtensor<float, 1>&>);
  static_assert(!std::is_invocable_v<decltype(bl::isclose), z, z>);
}

BOOST_AUTO_TEST_SUITE_END()
