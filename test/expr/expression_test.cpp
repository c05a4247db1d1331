// Elements asked for one at a time: they are what eval gives, and nothing is computed again for each of them.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace {

namespace bl = broadloom;
using namespace bl::literals;

struct counted {
  std::atomic<long>* calls;
  template <class T>
  T operator()(T x) const {
    ++*calls;
    return x;
  }
};
// How often f is called while make(f) is asked for its only element.
template <class Make>
long calls_of(const Make& make) {
  std::atomic<long> calls{0};
  const auto f = [&](const auto& x) { return bl::pointwise(counted{&calls}, x); };
  static_cast<void>(make(f));
  return calls;
}

template <class E, class... I>
concept readable = requires(const E& e, I... i) { e(i...); };

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);  // which NaN it is is no promise
}
// The first element of e that eval gives otherwise; -1: none.
template <class E>
bl::index different(const E& e) {
  const auto all = bl::eval(e);
  for (bl::index i = 0; i < all.size(); ++i)
    if (!same(all(i), e(i))) return i;
  return -1;
}

template <class T>
bl::dtensor<T, 1> telling() {
  using l = std::numeric_limits<T>;
  const bl::dtensor<T, 1> special{{T(0), -T(0), T(1), T(-1), T(0.5), T(-2.5), l::infinity(), -l::infinity(),
                                   l::quiet_NaN(), -l::quiet_NaN(), l::min(), l::denorm_min(), l::max(), -l::max(),
                                   T(1e-30), T(700), T(-19.6344128), T(1e5)}};
  bl::generator g(5);
  return bl::eval(bl::cat(0, special, bl::eval(bl::rand<T>(g, bl::dshape<1>(61)) * T(20) - T(10))));
}
template <class T>
void check_bits() {
  const auto x = telling<T>();
  const bl::dtensor<T, 1> y = bl::roll(x, 7);
#define CHECK(CALL) BOOST_TEST(different(CALL) == -1, #CALL)
  CHECK(bl::exp(x));
  CHECK(bl::exp2(x));
  CHECK(bl::expm1(x));
  CHECK(bl::log(x));
  CHECK(bl::log1p(x));
  CHECK(bl::log2(x));
  CHECK(bl::log10(x));
  CHECK(bl::sin(x));
  CHECK(bl::cos(x));
  CHECK(bl::tan(x));
  CHECK(bl::asin(x));
  CHECK(bl::acos(x));
  CHECK(bl::atan(x));
  CHECK(bl::sinh(x));
  CHECK(bl::cosh(x));
  CHECK(bl::tanh(x));
  CHECK(bl::asinh(x));
  CHECK(bl::acosh(x));
  CHECK(bl::atanh(x));
  CHECK(bl::erf(x));
  CHECK(bl::erfc(x));
  CHECK(bl::lgamma(x));
  CHECK(bl::sqrt(x));
  CHECK(bl::reciprocal(x));
  CHECK(bl::sigmoid(x));
  CHECK(bl::softplus(x));
  CHECK(bl::gelu(x));
  CHECK(bl::silu(x));
  CHECK(bl::logit(x));
  CHECK(bl::sinc(x));
  CHECK(bl::square(x));
  CHECK(bl::pow(x, y));
  CHECK(bl::atan2(x, y));
  CHECK(bl::hypot(x, y));
  CHECK(bl::fmod(x, y));
  CHECK(bl::remainder(x, y));
  CHECK(bl::floor_divide(x, y));
  CHECK(bl::logaddexp(x, y));
  CHECK(bl::xlogy(x, y));
  CHECK(bl::lerp(x, y, x));
  CHECK(bl::addcmul(x, y, x));
  CHECK(bl::addcdiv(x, y, x));
  CHECK(bl::where(x > y, x / y, x * y + x));
  CHECK(bl::nan_to_num(x));
  CHECK(bl::fmax(x, y));
  CHECK(bl::minimum(x, y));
  CHECK(bl::exp(x) * bl::tan(y) - bl::log(x));
#undef CHECK
}

constexpr bl::tensor<float, bl::shape<3>> constant{{1, 2, 3}};
static_assert((constant / bl::sum(constant))(1) == 2.0f / 6.0f);
static_assert(bl::sum(constant).item() == 6 && bl::sum(constant)() == 6 && bl::let(constant + 1)(2) == 4);
constexpr float element_of_a_mean() {
  const bl::tensor<float, bl::shape<2, 2>> x{{1, 2}, {3, 4}};
  return (x - bl::mean(x, bl::axes<1>, bl::keepdim))(1, 1);
}
static_assert(element_of_a_mean() == 0.5f);

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_expression)

BOOST_AUTO_TEST_CASE(the_only_element_of_an_expression_is_evaluated) {
  const bl::index n = 2000;
  const bl::dtensor<double, 1> x = bl::arange<double>(0, double(n), 1);
  const bl::dtensor<double, 2> m = bl::reshape(x, 40, 50);
  BOOST_TEST(calls_of([&](auto f) { return bl::sum(f(x)).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::sum(f(x))(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::std(f(x)).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::var(f(m)).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::mean(f(m), bl::axes<0, 1>, bl::keepdim).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::sum(bl::softmax(f(m), 1_c)).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::sum(bl::cumsum(f(x), 0)).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::amax(x - bl::mean(f(x))).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::dot(f(x), x).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::sum(bl::mm(f(m), m.T())).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::norm(bl::let(f(x)) * 2).item(); }) == n);
  BOOST_TEST(calls_of([&](auto f) { return bl::slice(f(x), bl::range(3, 4)).item(); }) == 1);
  BOOST_TEST(bl::std(x).item() == bl::eval(bl::std(x)).item());
  BOOST_TEST((bl::sum(m) + 1).item() == bl::eval(bl::sum(m)).item() + 1);
  BOOST_CHECK_THROW(static_cast<void>((x + x).item()), bl::shape_error);
  BOOST_CHECK_THROW(static_cast<void>(bl::cumsum(x, 0).item()), bl::shape_error);
  const bl::tensor<float, bl::shape<4>> fixed{{1, 2, 3, 6}};
  BOOST_TEST(bl::sum(fixed).item() == 12);
  BOOST_TEST(bl::sum(fixed)() == 12);
}

BOOST_AUTO_TEST_CASE(elements_of_functions_and_views_are_read_one_by_one) {
  const bl::dtensor<double, 2> m = bl::reshape(bl::arange<double>(0, 12, 1), 3, 4);
  const bl::dtensor<bl::index, 1> at{{2, 0}};
  BOOST_TEST(calls_of([&](auto f) { return (f(m) + m)(1, 2); }) == 1);
  BOOST_TEST(calls_of([&](auto f) { return f(m).T()(-1, 0); }) == 1);
  BOOST_TEST((m.T() * 2 + 1)(3, 2) == 23);
  BOOST_TEST(m(at, bl::all)(0, 3) == 11);  // an element of what is selected is one element
  BOOST_TEST(bl::cat(0, m, m + 100)(5, 0) == 108);
  BOOST_TEST(bl::tril(m)(0, 3) == 0);
  BOOST_TEST(bl::reshape(m.T(), 2, 6)(0, 1) == 4);
  BOOST_CHECK_THROW(static_cast<void>((m + m)(3, 0)), bl::index_error);
}

BOOST_AUTO_TEST_CASE(elements_behind_a_barrier_are_refused) {
  const bl::dtensor<double, 2> m(3, 4);
  static_assert(readable<decltype(m + m), int, int>);
  static_assert(!readable<decltype(m / bl::sum(m)), int, int>);
  static_assert(!readable<decltype(bl::sum(m, 1_c)), int>);
  static_assert(!readable<decltype(bl::let(m + m)), int, int>);
  static_assert(!readable<decltype(bl::softmax(m, 1_c)), int, int>);
  static_assert(!readable<decltype(bl::cumsum(m, 1)), int, int>);
  static_assert(!readable<decltype(bl::mm(m, m.T())), int, int>);
  static_assert(!readable<decltype(bl::mm(m, m.T()).T() * 2), int, int>);
  static_assert(!readable<decltype(bl::cat(0, m, bl::cumsum(m, 1))), int, int>);
  static_assert(readable<decltype(bl::sum(m))>);  // of rank 0: its number
}

BOOST_AUTO_TEST_CASE(elements_of_floats_have_the_bits_of_eval) { check_bits<float>(); }
BOOST_AUTO_TEST_CASE(elements_of_doubles_have_the_bits_of_eval) { check_bits<double>(); }

BOOST_AUTO_TEST_CASE(elements_of_integers_and_complex_numbers_are_what_eval_gives) {
  const bl::dtensor<int, 1> i{{-7, 3, 2147483647, -2147483647 - 1, 0, 12}}, j{{2, -1, 2, -1, 5, 7}};
  BOOST_TEST(different(i * j + i) == -1);
  BOOST_TEST(different(bl::floor_divide(i, j)) == -1);
  BOOST_TEST(different(bl::fmod(i, j)) == -1);
  BOOST_TEST(different(bl::div(i, j)) == -1);
  BOOST_TEST(different(bl::gcd(i, j)) == -1);
  using z = std::complex<double>;
  const bl::dtensor<z, 1> c{{z(1, -2), z(-0.0, 3), z(2, 3e100), z(0.25, -0.5)}};
  for (bl::index k = 0; k < 4; ++k) {
    BOOST_TEST(bl::eval(c * c)(k) == (c * c)(k));
    BOOST_TEST(bl::eval(c / (c + 1))(k) == (c / (c + 1))(k));
    BOOST_TEST(bl::eval(bl::sqrt(c) * 3)(k) == (bl::sqrt(c) * 3)(k));
  }
}

BOOST_AUTO_TEST_SUITE_END()
