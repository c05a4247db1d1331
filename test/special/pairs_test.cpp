// Functions with two results: those of the C library, their types, and both in one pass.
#include <broadloom/special/pairs.hpp>

#include <broadloom/eval/assign_all.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/special/functions.hpp>
#include <broadloom/tensor/factories.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>

namespace bl = broadloom;

namespace {

template <class T>
bl::dtensor<T, 1> numbers() {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  return {T(0),
          -T(0),
          T(1),
          T(-1),
          T(0.75),
          T(-2.5),
          T(1e30),
          T(-3.7),
          std::numeric_limits<T>::denorm_min(),
          std::numeric_limits<T>::max(),
          T(8388607.5),
          infinity,
          -infinity,
          std::numeric_limits<T>::quiet_NaN()};
}
template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T>
void check() {
  const bl::dtensor<T, 1> x = numbers<T>();
  const auto [m, e] = bl::frexp(x);
  const auto [f, w] = bl::modf(x);
  const bl::tensor mantissa = m, fraction = f, whole = w;
  const bl::dtensor<std::int32_t, 1> exponent = e;
  for (bl::index i = 0; i < x.size(); ++i) {
    int n = 0;
    T c = 0;
    BOOST_TEST(same(mantissa(i), std::frexp(x(i), &n)));
    BOOST_TEST(exponent(i) == (std::isfinite(x(i)) ? n : 0));
    BOOST_TEST(same(fraction(i), std::modf(x(i), &c)));
    BOOST_TEST(same(whole(i), c));
  }
  // Lines of each length, with any number at any place, and every third element of them.
  for (bl::index n = 1; n <= 140; ++n) {
    bl::dtensor<T, 1> line(n), m2(n);
    bl::dtensor<std::int32_t, 1> e2(n);
    for (bl::index i = 0; i < n; ++i)
      line(i) = n % 3 != 0 || i % 29 == n % 29 ? x((i * i + n) % x.size()) : T(i) - T(n) / 2 + T(0.25);
    m2 = bl::frexp(line).mantissa;
    e2 = bl::frexp(line).exponent;
    bool right = true;
    for (bl::index i = 0; i < n; ++i) {
      int e1 = 0;
      right = right && same(m2(i), std::frexp(line(i), &e1)) && e2(i) == (std::isfinite(line(i)) ? e1 : 0);
    }
    BOOST_TEST(right, n);
    const auto third = line(bl::range(0, n, 3));
    BOOST_TEST(bl::array_equal(bl::frexp(third).exponent, e2(bl::range(0, n, 3))), n);
    auto same_memory = bl::dtensor<T, 1>(line);
    same_memory = bl::frexp(same_memory).mantissa;
    BOOST_TEST(std::memcmp(same_memory.data(), m2.data(), static_cast<std::size_t>(n) * sizeof(T)) == 0, n);
  }
  // Both in one pass.
  bl::dtensor<T, 1> to_m(x.size());
  bl::dtensor<std::int32_t, 1> to_e(x.size());
  bl::assign_all(bl::to(to_m, m), bl::to(to_e, e));
  BOOST_TEST(bl::array_equal(to_e, exponent));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(special_pairs)

BOOST_AUTO_TEST_CASE(parts_of_numbers) {
  check<float>();
  check<double>();
  const auto [f, w] = bl::modf(bl::arange<int>(3));
  static_assert(std::is_same_v<decltype(bl::eval(f)), bl::dtensor<double, 1>>);
  BOOST_TEST(bl::eval(w)(2) == 2.0F);
}

BOOST_AUTO_TEST_CASE(quotients_and_remainders) {
  const bl::tensor<int, bl::shape<4>> x{7, -7, 7, -7}, y{2, 2, -2, -2};
  const auto [q, r] = bl::divmod(x, y);
  const bl::tensor quotient = q, remainder = r;
  static_assert(std::is_same_v<decltype(quotient), const bl::tensor<int, bl::shape<4>>>);
  BOOST_TEST(bl::array_equal(quotient, bl::tensor<int, bl::shape<4>>{3, -4, -4, 3}));
  BOOST_TEST(bl::array_equal(remainder, bl::tensor<int, bl::shape<4>>{1, 1, -1, -1}));
  const auto [h, s] = bl::divmod(7.5, bl::dtensor<float, 1>{2});
  BOOST_TEST((bl::eval(h)(0) == 3 && bl::eval(s)(0) == 1.5F));
}

// Shapes and types of the special functions, their forms in place, and what is composed of others.
BOOST_AUTO_TEST_CASE(functions_are_pointwise) {
  const bl::tensor<int, bl::shape<2, 1>> x{{1}, {2}};
  const bl::tensor<double, bl::shape<3>> q{1, 2, 3};
  const bl::tensor z = bl::zeta(x + 1, q);
  static_assert(std::is_same_v<decltype(z), const bl::tensor<double, bl::shape<2, 3>>>);
  BOOST_TEST(std::abs(z(0, 0) - 1.6449340668482264) < 1e-15);
  static_assert(std::is_same_v<decltype(bl::eval(bl::digamma(x))), bl::tensor<double, bl::shape<2, 1>>>);
  bl::dtensor<double, 1> y{0.5, -0.5};
  bl::erfinv_(y);
  BOOST_TEST((y(0) == -y(1) && std::abs(std::erf(y(0)) - 0.5) < 1e-15));
  const bl::tensor m = bl::multigammaln(q + 1, 3);
  BOOST_TEST(std::abs(m(0) - (std::lgamma(2.0) + std::lgamma(1.5) + std::lgamma(1.0) + 1.5 * std::log(M_PI))) < 1e-14);
  BOOST_CHECK_THROW(bl::multigammaln(q, 0), std::invalid_argument);
  static_assert(std::is_same_v<decltype(bl::eval(bl::float_power(x, 3))), bl::tensor<double, bl::shape<2, 1>>>);
  BOOST_CHECK_THROW(bl::zeta(bl::dtensor<float, 1>{1, 2}, bl::dtensor<float, 1>{1, 2, 3}), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
