// Special functions beside PyTorch's and SciPy's results (test/data/special_cases.tsv): poles, infinities and NaN as
// they are there, others within few units of the last place.
#include <broadloom/special/functions.hpp>

#include <broadloom/broadloom.hpp>
#include <broadloom/fn/strict.hpp>
#include <broadloom/tensor/factories.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace bl = broadloom;

namespace {

struct special_case {
  std::string function, type;
  std::vector<double> given;
  double wanted = 0;
};

std::vector<special_case> read_cases() {
  std::ifstream file("test/data/special_cases.tsv");
  std::vector<special_case> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    special_case c;
    words >> c.function >> c.type;
    for (std::string word; words >> word;) c.given.push_back(std::strtod(word.c_str(), nullptr));
    c.wanted = c.given.back();
    c.given.pop_back();
    all.push_back(c);
  }
  return all;
}

template <class T>
bool call(const special_case& c, T& result) {
  const bl::tensor<T, bl::shape<1>> x{static_cast<T>(c.given[0])}, y{static_cast<T>(c.given.back())};
#define BROADLOOM_SPECIAL1(NAME)       \
  if (c.function == #NAME) {           \
    result = bl::eval(bl::NAME(x))(0); \
    return true;                       \
  }
#define BROADLOOM_SPECIAL2(NAME)          \
  if (c.function == #NAME) {              \
    result = bl::eval(bl::NAME(x, y))(0); \
    return true;                          \
  }
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
  return false;
}

// The distance in units of the last place of the wanted number.
template <class T>
double distance(T found, T wanted) {
  if (found == wanted && std::signbit(found) == std::signbit(wanted)) return 0;
  if (std::isnan(found) && std::isnan(wanted)) return 0;
  if (found == 0 || wanted == 0 || !std::isfinite(found) || !std::isfinite(wanted))
    return std::numeric_limits<double>::infinity();
  const T size = std::fabs(wanted), place = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return std::fabs(static_cast<double>((static_cast<long double>(found) - wanted) / place));
}

// Ai(-x) is an amplitude of x^(-1/4) / sqrt(pi) times the sine of 2/3 x^(3/2), of which 120 bits are known.
bool is_within_phase(const special_case& c, double found) {
  if (c.function != "airy_ai" || !(c.given[0] < -1e10) || !std::isfinite(found)) return false;
  const double x = -c.given[0];
  const double amplitude = 0.5641895835477563 / std::sqrt(std::sqrt(x)), phase = x * std::sqrt(x) * 2 / 3;
  return std::fabs(found - c.wanted) <= amplitude * std::fmin(2, 0x1p-120 * phase);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(special_functions)

BOOST_AUTO_TEST_CASE(results_of_pytorch_and_mpmath) {
  int count = 0;
  for (const special_case& c : read_cases()) {
    double off = 0, found = 0;
    if (c.type == "f32") {
      float r = 0;
      BOOST_REQUIRE(call(c, r));
      off = distance(r, static_cast<float>(c.wanted));
      found = r;
    } else {
      BOOST_REQUIRE(call(c, found));
      off = distance(found, c.wanted);
    }
    std::string given;
    for (const double x : c.given) given += " " + std::to_string(x);
    const double most = c.type == "f32" ? 1 : c.function.find("polynomial") != std::string::npos ? 16 : 2;
    BOOST_TEST((off <= most || is_within_phase(c, found)),
               c.function << " " << c.type << given << ": " << found << ", not " << c.wanted << ", off by " << off);
    ++count;
  }
  BOOST_TEST(count == 7221);
}

// Vectors compute most of them: what an element becomes depends neither on its place nor on its neighbours, which may
// want other formulas.
using reals = std::tuple<float, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(elements_of_long_arrays_are_those_of_single_ones, T, reals) {
  const auto given = [](bl::index i) {
    const T size = i % 7 == 0 ? 900 : i % 3 == 0 ? 12 : 3;
    const T x = size * static_cast<T>(i * 7919 % 2003 - 1001) / 1001;
    using limits = std::numeric_limits<T>;
    if (i % 53 == 50) return i % 2 == 0 ? T(1) : i % 3 == 0 ? -limits::max() : limits::min() / 4;
    return i % 101 == 50 ? limits::infinity() : i % 103 == 50 ? limits::quiet_NaN() : x;
  };
  for (const bl::index n : {2, 7, 31, 33, 256, 257, 1003}) {
    bl::dtensor<T, 1> x(n), y(n), degree(n);
    for (bl::index i = 0; i < n; ++i) x(i) = given(i), degree(i) = 7;
    const auto compare = [&](const char* name, const auto& of_one, const auto& of_all) {
      y = of_all(x);
      int wrong = 0;
      for (bl::index i = 0; i < n; ++i) {
        const T alone = bl::eval(of_one(bl::tensor<T, bl::shape<1>>{x(i)}, i))(0);
        wrong += !(alone == y(i) && std::signbit(alone) == std::signbit(y(i))) && !(alone != alone && y(i) != y(i));
      }
      BOOST_TEST(wrong == 0, name << " of " << n << " elements: " << wrong << " differ");
    };
#define BROADLOOM_SPECIAL1(NAME) \
  compare(#NAME, [](const auto& e, bl::index) { return bl::NAME(e); }, [](const auto& e) { return bl::NAME(e); });
#define BROADLOOM_SPECIAL2(NAME)
#define BROADLOOM_SPECIAL_ORDER(NAME)
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
    // An array of degrees goes by runs of equal ones, a number at once, in place too.
#define POLYNOMIAL(NAME)                                                                                             \
  compare(                                                                                                           \
      #NAME, [](const auto& e, bl::index) { return bl::NAME(e, 7); }, [](const auto& e) { return bl::NAME(e, 7); }); \
  y = bl::NAME(x, degree);                                                                                           \
  degree = x;                                                                                                        \
  degree = bl::NAME(degree, 7);                                                                                      \
  BOOST_TEST(bl::array_equal(y, degree, bl::equal_nan{}), #NAME);                                                    \
  for (bl::index i = 0; i < n; ++i) degree(i) = 7;
    POLYNOMIAL(chebyshev_polynomial_t)
    POLYNOMIAL(chebyshev_polynomial_v)
    POLYNOMIAL(shifted_chebyshev_polynomial_w)
    POLYNOMIAL(hermite_polynomial_h)
    POLYNOMIAL(hermite_polynomial_he)
    POLYNOMIAL(laguerre_polynomial_l)
    POLYNOMIAL(legendre_polynomial_p)
#undef POLYNOMIAL
  }
}

// Functions of two floats that vectors compute, beside f64 and single elements: arguments for series, fractions, sums
// of few and many terms, and such as are left to single numbers.
BOOST_AUTO_TEST_CASE(pairs_of_floats_are_those_of_f64_rounded) {
  constexpr bl::index n = 3003;
  bl::dtensor<float, 1> a(n), x(n), s(n);
  for (bl::index i = 0; i < n; ++i) {
    const double turn = static_cast<double>(i * 7919 % 3001) / 3001,
                 other = static_cast<double>(i * 104729 % 2999) / 2999;
    a(i) = static_cast<float>(std::exp((i % 5 == 0 ? 17 : 10) * turn - 5 - (i % 17 == 0 ? 20 : 0)));
    x(i) = i % 3 == 0   ? static_cast<float>(std::exp(12 * other - 6))
           : i % 3 == 1 ? a(i) * static_cast<float>(1 + (other - 0.5) * (i % 2 == 0 ? 1 : 8 / std::sqrt(64 + a(i))))
                        : a(i) + 1 + static_cast<float>(other - 0.5) / 8;
    s(i) = 1 + static_cast<float>(std::exp(9 * other - 4));
    if (i % 101 == 50) x(i) = std::numeric_limits<float>::infinity();
    if (i % 103 == 50) a(i) = std::numeric_limits<float>::quiet_NaN();
    if (i % 107 == 50) x(i) = 0;
    if (i % 109 == 50) a(i) = 0;
    if (i % 113 == 50) x(i) = -1.5f;
  }
  const auto check = [&](const char* name, const auto& f, const auto& first, const auto& second) {
    const auto f32 = bl::eval(f(first, second));
    const auto f64 = bl::eval(f(bl::cast<double>(first), bl::cast<double>(second)));
    double worst = 0;
    int wrong = 0;
    for (bl::index i = 0; i < n; ++i) {
      const double wanted = f64(i);
      const float alone =
          bl::eval(f(bl::tensor<float, bl::shape<1>>{first(i)}, bl::tensor<float, bl::shape<1>>{second(i)}))(0);
      wrong += !(alone == f32(i) || (alone != alone && f32(i) != f32(i)));
      const float rounded = static_cast<float>(wanted);
      if (rounded == f32(i) || (rounded != rounded && f32(i) != f32(i))) continue;
      const float next = std::nextafter(std::fabs(rounded), std::numeric_limits<float>::infinity());
      worst = std::fmax(worst, std::fabs(f32(i) - wanted) / (next - std::fabs(rounded)));
    }
    BOOST_TEST(wrong == 0, name << ": " << wrong << " single elements differ");
    BOOST_TEST(worst <= 0.501, name << ": off by " << worst);
  };
  check("gammainc", [](const auto& p, const auto& q) { return bl::gammainc(p, q); }, a, x);
  check("gammaincc", [](const auto& p, const auto& q) { return bl::gammaincc(p, q); }, a, x);
  check("zeta", [](const auto& p, const auto& q) { return bl::zeta(p, q); }, s, x);
  for (const int order : {2, 3, 40, 63, 64, 102, 171})
    check("polygamma", [&](const auto&, const auto& q) { return bl::polygamma(order, q); }, a, x);
  const bl::dtensor<float, 1> wanted = bl::eval(bl::gammainc(a, x));
  bl::gammainc_(a, x);
  BOOST_TEST(bl::array_equal(bl::nan_to_num(a), bl::nan_to_num(wanted)));
}

// Functions of one float that vectors compute, beside f64: both sides of poles, zeros and ends of their domains, and of
// any size.
BOOST_AUTO_TEST_CASE(functions_of_floats_are_those_of_f64_rounded) {
  constexpr bl::index n = 6007;
  const float around[] = {0, 0.5f, 1, 1.46163214f, 2, -0.504083f, -1, -1.573498f, -2, -7.5f, -20, 9.25f, -9.25f, 14};
  bl::dtensor<float, 1> x(n);
  for (bl::index i = 0; i < n; ++i) {
    const double turn = static_cast<double>(i * 7919 % 6011) / 6011;
    const auto place = static_cast<float>(std::exp(-16 * turn));
    const float sign = i % 2 == 0 ? 1.0f : -1.0f;
    x(i) = i % 4 == 0   ? around[i / 4 % 14] + sign * place
           : i % 4 == 1 ? sign * static_cast<float>(std::exp(170 * turn - 85))
           : i % 4 == 2 ? static_cast<float>(60 * turn - 40)
                        : static_cast<float>(2.2 * turn - 1.1);
    if (i % 101 == 50) x(i) = sign * std::numeric_limits<float>::infinity();
    if (i % 103 == 50) x(i) = around[i / 103 % 14];
    if (i % 107 == 50) x(i) = sign * std::numeric_limits<float>::denorm_min();
  }
  const auto check = [&](const char* name, const auto& f) {
    const auto f32 = bl::eval(f(x));
    const auto f64 = bl::eval(f(bl::cast<double>(x)));
    double worst = 0, of_worst = 0;
    for (bl::index i = 0; i < n; ++i) {
      const auto rounded = static_cast<float>(f64(i));
      if (distance(f32(i), rounded) == 0) continue;
      const float size = std::fabs(rounded), next = std::nextafter(size, std::numeric_limits<float>::infinity());
      const double off =
          std::isfinite(size) && std::isfinite(f32(i)) ? std::fabs(f32(i) - f64(i)) / (next - size) : 1e9;
      if (off > worst) worst = off, of_worst = x(i);
    }
    BOOST_TEST(worst <= 0.502, name << " of " << of_worst << ": off by " << worst);
  };
#define CHECK(NAME) check(#NAME, [](const auto& e) { return bl::NAME(e); });
  CHECK(digamma)
  CHECK(trigamma)
  CHECK(erfcx)
  CHECK(log_ndtr)
  CHECK(erfinv)
  CHECK(erfcinv)
  CHECK(ndtri)
  CHECK(lgamma)
#undef CHECK
}

// Degrees that change from element to element, those that are no degrees of polynomials among them, beside numbers.
BOOST_AUTO_TEST_CASE_TEMPLATE(polynomials_of_arrays_of_degrees, T, reals) {
  constexpr bl::index n = 2500;
  bl::dtensor<T, 1> x(n), degree(n);
  for (bl::index i = 0; i < n; ++i) {
    x(i) = static_cast<T>(i * 7919 % 2003 - 1001) / 1001;
    degree(i) = static_cast<T>(i * 104729 % 23) / 2 - 1;
    if (i % 101 == 50) degree(i) = i % 2 == 0 ? T(80) : std::numeric_limits<T>::quiet_NaN();
    if (i > 1200 && i < 1300) degree(i) = 6;
  }
  const auto check = [&](const char* name, const auto& of) {
    const bl::dtensor<T, 1> all = bl::eval(of(x, degree));
    int wrong = 0;
    for (bl::index i = 0; i < n; ++i) {
      const bl::tensor<T, bl::shape<1>> one{x(i)}, its{degree(i)};
      const T alone = bl::eval(of(one, its))(0);
      wrong += !(alone == all(i) || (alone != alone && all(i) != all(i)));
    }
    BOOST_TEST(wrong == 0, name << ": " << wrong << " differ");
    bl::dtensor<T, 1> in_place = degree;
    in_place = of(x, in_place);
    BOOST_TEST(bl::array_equal(in_place, all, bl::equal_nan{}), name);
    in_place = of(T(0.3), degree);
    BOOST_TEST(in_place(n - 1) ==
               bl::eval(of(bl::tensor<T, bl::shape<1>>{T(0.3)}, bl::tensor<T, bl::shape<1>>{degree(n - 1)}))(0));
  };
  check("chebyshev_polynomial_t", [](const auto& e, const auto& d) { return bl::chebyshev_polynomial_t(e, d); });
  check("hermite_polynomial_he", [](const auto& e, const auto& d) { return bl::hermite_polynomial_he(e, d); });
  check("laguerre_polynomial_l", [](const auto& e, const auto& d) { return bl::laguerre_polynomial_l(e, d); });
}

// Negative q of whole s, whose terms have both signs: mpmath's digits.
BOOST_AUTO_TEST_CASE(zeta_of_negative_numbers) {
  struct known {
    double s, q, wanted;
  };
  const known all[] = {
      {2, -0.5, 8.9348022005446793094},     {2, -3.75, 19.504980060599575273},
      {3, -2.5, 0.054102025820863701502},   {3, -0.4375, -5.9494912647377551021},
      {4, -19.25, 259.75753287695497928},   {5, -7.625, 124.48336734527213662},
      {7, -12.501, 3.5847282345015701134},  {9, -2.5, 0.000014295254262647134613},
      {12, -30.875, 68719476741.208785849}, {21, -1.0625, -1.9342813113834066795e+25},
      {40, -5.5, 2199023255552.0000002},    {63, -63.25, -8.5070591730234615866e+37},
      {3, -50.71, 38.522058692972059479},
  };
  for (const known& z : all) {
    const bl::dtensor<double, 1> s{3, z.s, 2, 1.5}, q{-0.25, z.q, -7, 4};
    const double found = bl::eval(bl::zeta(s, q))(1);
    BOOST_TEST(distance(found, z.wanted) <= 0.51, z.s << ", " << z.q << ": " << found << ", not " << z.wanted);
    BOOST_TEST(found ==
               bl::eval(bl::zeta(bl::tensor<double, bl::shape<1>>{z.s}, bl::tensor<double, bl::shape<1>>{z.q}))(0));
    const auto rounded = static_cast<float>(z.q);
    if (rounded == z.q)
      BOOST_TEST((bl::eval(bl::zeta(bl::dtensor<float, 1>{3, static_cast<float>(z.s)},
                                    bl::dtensor<float, 1>{-0.25f, rounded}))(1) == static_cast<float>(z.wanted)));
  }
}

// The same of doubles: single elements are computed as those of long arrays, in place too, and by a recurrence
// zeta(s, q) = q^-s + zeta(s, q + 1) whatever number of terms they take.
BOOST_AUTO_TEST_CASE(zeta_of_doubles) {
  constexpr bl::index n = 1003;
  bl::dtensor<double, 1> s(n), q(n);
  for (bl::index i = 0; i < n; ++i) {
    s(i) = 1 + std::exp(10 * static_cast<double>(i * 7919 % 1009) / 1009 - 4);
    q(i) = std::exp(12 * static_cast<double>(i * 4729 % 1013) / 1013 - 6);
    if (i % 101 == 50) q(i) = i % 202 == 50 ? -1.5 : 1e300;
    if (i % 103 == 50) s(i) = 7;
  }
  const bl::dtensor<double, 1> all = bl::eval(bl::zeta(s, q)), next = bl::eval(bl::zeta(s, q + 1)),
                               gamma = bl::eval(bl::polygamma(40, q));
  int wrong = 0;
  double worst = 0;
  for (bl::index i = 0; i < n; ++i) {
    const bl::tensor<double, bl::shape<1>> a{s(i)}, b{q(i)};
    const double alone = bl::eval(bl::zeta(a, b))(0), of_gamma = bl::eval(bl::polygamma(40, b))(0);
    wrong += !(alone == all(i) || (alone != alone && all(i) != all(i))) || of_gamma != gamma(i);
    if (!(q(i) > 0 && q(i) < 1e6 && std::isfinite(all(i)) && all(i) > 1e-290)) continue;
    // What q + 1 is rounded by multiplies its power by s times that.
    const double sum = std::pow(q(i), -s(i)) + next(i), slope = 1 + s(i) * (next(i) / all(i)) * q(i) / (q(i) + 1);
    worst = std::fmax(worst, std::fabs(sum - all(i)) / (all(i) * slope));
  }
  BOOST_TEST(wrong == 0, wrong << " single elements differ");
  BOOST_TEST(worst <= 4 * std::numeric_limits<double>::epsilon(), "off by " << worst);
  bl::zeta_(s, q);
  BOOST_TEST(bl::array_equal(bl::nan_to_num(s), bl::nan_to_num(all)));
  // Powers of q that are no numbers of usual size, beside others.
  struct known {
    double s, q, wanted;
  };
  const known far[] = {
      {150.5, 110.25, 5.6446489440587223626e-308},
      {150.0, 3.5, 2.4535411569703797155e-82},
      {144.67595803690028, 111.36768117405074, 1.0547794555643308983e-296},
      {800.0, 1.5, 1.339654340222607488e-141},
      {500.25, 0.25, 1.5153420044823244615e+301},
      {160.0, 95.0, 4.5150647787975163295e-317},
      {899.0, 7.0, 0},
      {120.0, 0.01, 9.99999999999997502e+239},
      {1.0001, 1e308, 9315.3676523868402},
      {1.05, 1e308, 7.9621434110696872e-15},
  };
  for (const known& z : far) {
    const double found = bl::eval(bl::zeta(bl::dtensor<double, 1>{3, z.s, 40}, bl::dtensor<double, 1>{2, z.q, 9}))(1);
    BOOST_TEST(distance(found, z.wanted) <= 1.5, z.s << ", " << z.q << ": " << found << ", not " << z.wanted);
  }
  // Infinite ones, beside a factorial that is not.
  BOOST_TEST((bl::eval(bl::polygamma(150, bl::dtensor<double, 1>{0.01, 0.01}))(1) ==
              -std::numeric_limits<double>::infinity()));
}

// Orders in an array: each element has the bits of its order alone, wherever it is, and in place of either operand.
BOOST_AUTO_TEST_CASE(polygamma_of_orders) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    constexpr bl::index n = 701;
    bl::dtensor<T, 1> order(n), x(n);
    for (bl::index i = 0; i < n; ++i) {
      order(i) = static_cast<T>(i % 7 == 6 ? 170 : i % 11 == 10 ? -1 : i / 3 * 5 % 31);
      x(i) = static_cast<T>(0.01 + 0.07 * static_cast<double>(i * 211 % 701));
    }
    const bl::dtensor<T, 1> all = bl::eval(bl::polygamma(order, x)), of_one = bl::eval(bl::polygamma(order, T(1.25)));
    bl::dtensor<T, 1> in_orders = order, in_x = x;
    in_orders = bl::polygamma(in_orders, x);
    in_x = bl::polygamma(order, in_x);
    const auto same = [](T a, T b) { return a == b || (a != a && b != b); };
    bl::index wrong = 0;
    for (bl::index i = 0; i < n; ++i) {
      const bl::dtensor<T, 1> own =
          bl::eval(bl::polygamma(order(i), bl::slice(x, bl::range(i, i + 9 < n ? i + 9 : n))));
      wrong += !same(all(i), own(0));
      wrong += !same(all(i), bl::eval(bl::polygamma(bl::dtensor<T, 1>{order(i)}, bl::dtensor<T, 1>{x(i)}))(0));
      wrong += !same(of_one(i), bl::eval(bl::polygamma(order(i), bl::dtensor<T, 1>{T(1.25), T(2)}))(0));
      wrong += !same(in_orders(i), all(i)) + !same(in_x(i), all(i));
    }
    BOOST_TEST(wrong == 0);
  };
  check(float{});
  check(double{});
}

// Of doubles, what vectors compute and what is left to single numbers beside it: in sum 1, and P(a, x) less P(a + 1, x)
// is x^a e^-x / gamma(a + 1).
BOOST_AUTO_TEST_CASE(gammainc_of_doubles) {
  constexpr bl::index n = 1003;
  bl::dtensor<double, 1> a(n), x(n);
  for (bl::index i = 0; i < n; ++i) {
    a(i) = std::exp(11 * static_cast<double>(i * 7919 % 1009) / 1009 - 4);
    x(i) = a(i) * std::exp(2 * static_cast<double>(i * 4729 % 1013) / 1013 - (i % 3 == 0 ? 9 : 1));
    if (i % 101 == 50) a(i) = 1e-30;
    if (i % 103 == 50) x(i) = 1e-300;
    if (i % 107 == 50) x(i) = i % 2 == 0 ? 1e300 : 1200 - 0.5 * static_cast<double>(i);
  }
  const bl::dtensor<double, 1> p = bl::eval(bl::gammainc(a, x)), q = bl::eval(bl::gammaincc(a, x)),
                               next = bl::eval(bl::gammainc(a + 1, x));
  int wrong = 0;
  double worst_sum = 0, worst_step = 0;
  for (bl::index i = 0; i < n; ++i) {
    const bl::tensor<double, bl::shape<1>> of_a{a(i)}, of_x{x(i)};
    wrong += bl::eval(bl::gammainc(of_a, of_x))(0) != p(i) || bl::eval(bl::gammaincc(of_a, of_x))(0) != q(i);
    worst_sum = std::fmax(worst_sum, std::fabs(p(i) + q(i) - 1));
    const double term = std::exp(a(i) * std::log(x(i)) - x(i) - std::lgamma(a(i) + 1));
    worst_step = std::fmax(worst_step, std::fabs(p(i) - next(i) - term));
  }
  BOOST_TEST(wrong == 0, wrong << " single elements differ");
  BOOST_TEST(worst_sum <= 2 * std::numeric_limits<double>::epsilon(), "off by " << worst_sum);
  BOOST_TEST(worst_step <= 1e-13, "off by " << worst_step);
  bl::gammainc_(a, x);
  BOOST_TEST(bl::array_equal(a, p));

  // Of large a: mpmath's digits.
  struct known {
    double a, x, p, q;
  };
  const known all[] = {
      {100.5, 80.25, 0.01616288081922254726, 0.9838371191807774527},
      {128.0, 129.0, 0.5468110246745148245, 0.4531889753254851755},
      {333.25, 334.25, 0.5290893276234437624, 0.4709106723765562376},
      {333.25, 336.0, 0.5668966290206084622, 0.4331033709793915378},
      {500.0, 650.5, 0.9999999996545659146, 3.454340853605429651e-10},
      {777.0, 600.0, 2.671170237873419531e-12, 0.9999999999973288298},
      {1000.0, 1000.5, 0.5105107109231790316, 0.4894892890768209684},
      {1000.0, 1300.0, 0.9999999999999999981, 1.873615571578555124e-18},
      {999.5, 700.0, 1.215723523399116129e-26, 1.0},
      {1000.0, 1.0, 0, 1.0},
      {1000.0, 4000.0, 1.0, 0},
      {900.0, 2000.0, 1.0, 2.634452595152580133e-168},
      {1000.5, 1000.5, 0.5042041932516275955, 0.4957958067483724045},
      {1024.0, 900.0, 0.00002753930176335944984, 0.9999724606982366406},
      {2500.25, 2600.0, 0.975900859311289972, 0.02409914068871002798},
      {4096.0, 3500.0, 5.540347128267371888e-23, 1.0},
      {5000.0, 5001.0, 0.5075216837260982103, 0.4924783162739017897},
      {12345.5, 12000.0, 0.0008563284211568675121, 0.9991436715788431325},
      {100000.0, 100100.0, 0.6244451307044054954, 0.3755548692955945046},
      {65536.0, 64000.0, 7.41409387248080206e-10, 0.9999999992585906128},
      {1500.0, 1495.0, 0.4519904657298364499, 0.5480095342701635501},
  };
  for (const known& k : all) {
    const bl::dtensor<double, 1> of_a{k.a, 3, 101}, of_x{k.x, 50, 99};
    const double of_p = bl::eval(bl::gammainc(of_a, of_x))(0), of_q = bl::eval(bl::gammaincc(of_a, of_x))(0);
    BOOST_TEST((distance(of_p, k.p) <= 1 && distance(of_q, k.q) <= 1),
               k.a << ", " << k.x << ": " << of_p << ", " << of_q);
  }
}

// Beyond 8: J1 Y0 less J0 Y1 is 2 / (pi x), of arguments that vectors compute and that they leave out; next to zeros,
// what mpmath says within 2^-64 of the modulus, far ones within 2^-78.
BOOST_AUTO_TEST_CASE(bessel_functions_of_large_doubles) {
  constexpr double pi = 3.14159265358979324;
  constexpr bl::index n = 2003;
  bl::dtensor<double, 1> x(n);
  for (bl::index i = 0; i < n; ++i) x(i) = 8 * std::exp(20 * static_cast<double>(i * 7919 % 2003) / 2003);
  const bl::dtensor<double, 1> j0 = bl::eval(bl::bessel_j0(x)), j1 = bl::eval(bl::bessel_j1(x)),
                               y0 = bl::eval(bl::bessel_y0(x)), y1 = bl::eval(bl::bessel_y1(x));
  double worst = 0;
  for (bl::index i = 0; i < n; ++i)
    worst = std::fmax(worst, std::fabs((j1(i) * y0(i) - j0(i) * y1(i)) * (pi * x(i) / 2) - 1));
  BOOST_TEST(worst <= 4 * std::numeric_limits<double>::epsilon(), "off by " << worst);
  BOOST_TEST(bl::array_equal(bl::bessel_j0(-x), j0));
  BOOST_TEST(bl::array_equal(bl::bessel_j1(-x), -j1));

  const auto check = [&](const char* name, const auto& of, double zero, double wanted) {
    const double found = bl::eval(of(bl::dtensor<double, 1>{zero, zero}))(1), modulus = std::sqrt(2 / (pi * zero));
    BOOST_TEST(std::fabs(found - wanted) <= modulus * (zero < 100 ? 0x1p-64 : 0x1p-78),
               name << " of " << zero << ": " << found << ", not " << wanted);
  };
#define ZERO(NAME, X, WANTED) check(#NAME, [](const auto& e) { return bl::NAME(e); }, X, WANTED);
  ZERO(bessel_j0, 8.653727912911013, -7.948465570525162e-17)
  ZERO(bessel_j1, 10.173468135062722, 1.1192177797744682e-16)
  ZERO(bessel_y0, 10.222345043496418, -1.9894684038304838e-16)
  ZERO(bessel_y1, 8.596005868331169, -7.7137599894980546e-17)
  ZERO(bessel_j0, 941.6925306531796, 8.6922867035527068e-16)
  ZERO(bessel_j1, 946.40439065758, -8.5677416945376052e-16)
  ZERO(bessel_y0, 946.404918972621, -1.315717932194938e-15)
  ZERO(bessel_y1, 951.1167816011503, -1.0754308637932109e-15)
#undef ZERO
}

// Beyond 8 mpmath's digits, within 2 units of the last place, or next to zeros within 2^-65 of the modulus.
BOOST_AUTO_TEST_CASE(airy_function_of_large_doubles) {
  struct known {
    double x, wanted;
  };
  const known all[] = {
      {8.0, 4.6922076160992316256e-8},
      {8.000001, 4.6921942017250314105e-8},
      {9.5, 5.3302637046174916266e-10},
      {12.25, 5.8041656305271374667e-14},
      {20.0, 1.6916728686705403136e-27},
      {33.3, 2.7108195263522671437e-57},
      {60.0, 2.7831487094969355371e-136},
      {95.5, 5.5898977127801042893e-272},
      {103.9, 2.0652690463570115447e-308},
      {106.0, 9.3252800336115039497e-318},
      {-8.0, -0.052705050356386202622},
      {-8.125, -0.16393357215918073375},
      {-9.02265085334098, 2.183467197721923757e-16},
      {-10.5, -0.31192603505105060085},
      {-16.132599305817024, -0.000097074643243206937138},
      {-23.0, -0.22693405337408287512},
      {-40.1, 0.092778565649303171312},
      {-89.8559195217081, -0.00012170654070072249956},
      {-98.91109012201468, 0.000054977250259019335126},
      {-512.25, 0.11846698996023785583},
      {-12345.678, 0.011457890743303643086},
      {-999999.5, -0.0063446585778097938693},
      {-10.040174341558085, 6.30844555636478175e-16},
      {-20.537332907677566, -2.635017770351267488e-16},
      {-60.4555572741167, 1.6765404090329122005e-15},
  };
  for (const known& k : all) {
    const double found = bl::eval(bl::airy_ai(bl::dtensor<double, 1>{1, k.x}))(1);
    const double modulus = k.x < 0 ? 1 / std::sqrt(3.14159265358979324 * std::sqrt(-k.x)) : 0;
    BOOST_TEST((distance(found, k.wanted) <= 2 || std::fabs(found - k.wanted) <= 0x1p-65 * modulus),
               k.x << ": " << found << ", not " << k.wanted);
  }
}

// Chunks outside of the domain, and such with both kinds of elements.
BOOST_AUTO_TEST_CASE(inverses_outside_of_their_domains) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto check = [&](const char* name, const auto& of, double lower, double upper, double at_lower) {
    for (const bool any_inside : {false, true}) {
      bl::dtensor<double, 1> x(600);
      for (bl::index i = 0; i < x.size(); ++i)
        x(i) = i % 5 == 0   ? lower
               : i % 5 == 1 ? upper
               : i % 5 == 2 ? lower - 0x1p-50
               : i % 5 == 3 ? infinity
                            : (any_inside ? (lower + upper) / 2 : -infinity);
      const bl::dtensor<double, 1> r = bl::eval(of(x));
      int wrong = 0;
      for (bl::index i = 0; i < x.size(); ++i)
        wrong += i % 5 == 0   ? r(i) != at_lower
                 : i % 5 == 1 ? r(i) != -at_lower
                 : i % 5 < 4  ? !std::isnan(r(i))
                              : (any_inside ? r(i) != 0 : !std::isnan(r(i)));
      BOOST_TEST(wrong == 0, name << ": " << wrong);
    }
  };
  check("erfinv", [](const auto& e) { return bl::erfinv(e); }, -1, 1, -infinity);
  check("erfcinv", [](const auto& e) { return bl::erfcinv(e); }, 0, 2, infinity);
  check("ndtri", [](const auto& e) { return bl::ndtri(e); }, 0, 1, -infinity);
}

// Elements in strips, and those of which an argument is no positive number, beside the sum in long double; the same
// alone.
BOOST_AUTO_TEST_CASE(multigammaln_in_strips) {
  constexpr bl::index n = 600;
  bl::dtensor<double, 1> x(n);
  bl::dtensor<float, 1> of_floats(n);
  for (const int p : {1, 2, 3, 8}) {
    for (bl::index i = 0; i < n; ++i) {
      x(i) = 0.5 * (p - 1) + std::exp(12 * static_cast<double>(i * 367 % 601) / 601 - 6);
      if (i % 101 == 50) x(i) = 0.3;
      of_floats(i) = static_cast<float>(x(i));
    }
    const bl::dtensor<double, 1> r = bl::eval(bl::multigammaln(x, p));
    const bl::dtensor<float, 1> s = bl::eval(bl::multigammaln(of_floats, p));
    int wrong = 0;
    const auto sum = [p](long double given) {
      long double largest = p * (p - 1) / 4.0L * std::log(std::acos(-1.0L)), total = largest;
      for (int k = 0; k < p; ++k) {
        const long double term = std::lgamma(given - k / 2.0L);
        total += term;
        largest = std::fmax(largest, std::fabs(term));
      }
      return std::pair(total, std::fmax(largest, std::fabs(total)));
    };
    for (bl::index i = 0; i < n; ++i) {
      const auto [wanted, size] = sum(x(i));
      const auto [wanted_of_floats, size_of_floats] = sum(of_floats(i));
      wrong += !(std::fabs(r(i) - wanted) <= 1.5L * std::numeric_limits<double>::epsilon() * size);
      wrong += !(std::fabs(s(i) - wanted_of_floats) <= 0.51L * std::numeric_limits<float>::epsilon() * size_of_floats);
      const bl::tensor<double, bl::shape<1>> one{x(i)};
      wrong += bl::eval(bl::multigammaln(one, p))(0) != r(i);
    }
    BOOST_TEST(wrong == 0, "p = " << p << ": " << wrong);
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const bl::tensor<double, bl::shape<3>> edges =
        bl::eval(bl::multigammaln(bl::tensor<double, bl::shape<3>>{nan, infinity, 0.5 * (p - 1)}, p));
    BOOST_TEST((std::isnan(edges(0)) && edges(1) == infinity && edges(2) == infinity));
  }
}

// Negative numbers: mpmath's digits, next to a zero too, among positive ones; poles and infinities.
BOOST_AUTO_TEST_CASE(digamma_and_trigamma_below_0) {
  struct known {
    double x, digamma, trigamma;
  };
  const known all[] = {
      {-0.3, 2.1133097796353988734, 13.945160267805722489},
      {-0.51, -0.052931736969635927023, 8.9527676088333449225},
      {-0.75, -2.8941202000429320748, 18.975106932284888517},
      {-1.5, 0.70315664064524318723, 9.3792466449891237539},
      {-3.9999, -9998.4935754561890713, 100000003.06811830143},
      {-7.25, 5.1899772149562878875, 19.610354539293269016},
      {-8.5, 2.1977378764029495332, 9.7586071126202595865},
      {-20.4, 4.0606098400296190906, 10.863728492268650591},
      {-63.515625, 4.0048008109841006141, 9.8778033032548185141},
      {-123.456, 5.2569791725822653171, 10.052549591076545685},
      {-4096.0625, 24.111756304439379821, 259.31514705370031343},
      {-1e-05, 99999.422767885629412, 10000000001.644956472},
  };
  for (const known& k : all) {
    const bl::dtensor<double, 1> x{k.x, 3, k.x};
    const bl::dtensor<double, 1> of_digamma = bl::eval(bl::digamma(x)), of_trigamma = bl::eval(bl::trigamma(x));
    BOOST_TEST(distance(of_digamma(2), k.digamma) <= 2, "digamma(" << k.x << ") " << of_digamma(2));
    BOOST_TEST(distance(of_trigamma(2), k.trigamma) <= 1, "trigamma(" << k.x << ") " << of_trigamma(2));
    BOOST_TEST((of_digamma(0) == of_digamma(2) && of_trigamma(0) == of_trigamma(2)));
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bl::dtensor<double, 1> poles{-1, -7, -1e300, -infinity};
  const bl::dtensor<double, 1> of_digamma = bl::eval(bl::digamma(poles)), of_trigamma = bl::eval(bl::trigamma(poles));
  for (bl::index i = 0; i < 4; ++i) {
    BOOST_TEST(std::isnan(of_digamma(i)));
    BOOST_TEST((i < 3 ? of_trigamma(i) == infinity : std::isnan(of_trigamma(i))));
  }
}

// Where modified Bessel functions of doubles overflow, or are 0.
BOOST_AUTO_TEST_CASE(ends_of_modified_bessel_functions) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bl::dtensor<double, 1> x{713.9, 713.98, 713.99, 714, 1e300, -713.9, -713.99, -714, -1e300};
  const bl::dtensor<double, 1> of_i0 = bl::eval(bl::i0(x)), of_i1 = bl::eval(bl::i1(x));
  for (bl::index i = 0; i < x.size(); ++i) {
    const bool finite = std::fabs(x(i)) < 713.985;
    BOOST_TEST((finite ? of_i0(i) > 1e308 && of_i0(i) < infinity : of_i0(i) == infinity));
    BOOST_TEST(std::signbit(of_i1(i)) == (x(i) < 0));
    BOOST_TEST(std::isfinite(of_i1(i)) == (std::fabs(x(i)) < 713.989));
  }
  const bl::dtensor<double, 1> y{741, 745.9, 746, 1e300, -746};
  const bl::dtensor<double, 1> of_k0 = bl::eval(bl::modified_bessel_k0(y)), of_k1 = bl::eval(bl::modified_bessel_k1(y));
  for (bl::index i = 0; i < 4; ++i) BOOST_TEST(((of_k0(i) > 0) == (i == 0) && (of_k1(i) > 0) == (i == 0)));
  BOOST_TEST((std::isnan(of_k0(4)) && std::isnan(of_k1(4))));
}

BOOST_AUTO_TEST_SUITE_END()
