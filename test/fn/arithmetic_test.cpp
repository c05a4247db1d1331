// Rounding, integer division, shifts, and the functions with parameters: edges that the laws and PyTorch's table do not
// have.
#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

#include <boost/test/unit_test.hpp>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace bl = broadloom;

namespace {

template <class T, class F, class G>
int wrong_bits(const bl::dtensor<T, 1>& x, F ours, G wanted) {
  const auto r = bl::eval(ours(x));
  int wrong = 0;
  for (bl::index i = 0; i < x.size(); ++i) {
    const T a = r(i), b = wanted(x(i));
    wrong += std::memcmp(&a, &b, sizeof a) != 0 && (a == a || b == b);
  }
  return wrong;
}

// Numbers of every size, halves, and their neighbours.
template <class T>
bl::dtensor<T, 1> hard_numbers() {
  bl::dtensor<T, 1> x(40000);
  std::uint64_t state = 1;
  for (bl::index i = 0; i < x.size(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t bits = state ^ (state >> 29);
    T v;
    if (i % 4 == 0)
      std::memcpy(&v, &bits, sizeof v);
    else
      v = static_cast<T>(static_cast<std::int64_t>(bits >> (i % 3 == 0 ? 10 : 40 + i % 24)) * (i % 2 == 0 ? 1 : -1)) /
          2;
    if (i % 7 == 1) v = std::nextafter(v, T(0));
    if (i % 7 == 2) v = std::nextafter(v, T(1e30));
    x(i) = v;
  }
  return x;
}

template <class T>
void check_rounding() {
  const auto x = hard_numbers<T>();
  BOOST_TEST(wrong_bits(x, bl::floor, [](T v) { return std::floor(v); }) == 0);
  BOOST_TEST(wrong_bits(x, bl::ceil, [](T v) { return std::ceil(v); }) == 0);
  BOOST_TEST(wrong_bits(x, bl::trunc, [](T v) { return std::trunc(v); }) == 0);
  BOOST_TEST(wrong_bits(x, bl::round, [](T v) { return std::nearbyint(v); }) == 0);
}

template <class T, class F>
bool throws_for_zero(F f) {
  for (const bl::index n : {1, 5, 16, 100, 50000}) {
    for (const bl::index at : {bl::index(0), n / 2, n - 1}) {
      bl::dtensor<T, 1> x(n), y(n);
      x += 7;
      y += 3;
      y(at) = 0;
      try {
        bl::eval(f(x, y), bl::par.threads(2));
        return false;
      } catch (const bl::arithmetic_error& e) {
        if (std::string(e.what()).rfind("ZeroDivisionError\n", 0) != 0) return false;
      }
      y(at) = 3;
      if (bl::eval(f(x, y))(at) != f(x, y)(0)) return false;
    }
  }
  return true;
}

template <class T>
void check_division() {
  BOOST_TEST(throws_for_zero<T>(bl::floor_divide));
  BOOST_TEST(throws_for_zero<T>(bl::trunc_divide));
  BOOST_TEST(throws_for_zero<T>(bl::remainder));
  BOOST_TEST(throws_for_zero<T>(bl::fmod));
  if constexpr (std::is_signed_v<T>) {
    constexpr T low = std::numeric_limits<T>::min();
    bl::dtensor<T, 1> x(37);
    x = x + low;
    BOOST_TEST(bl::eval(bl::floor_divide(x, -1))(36) == low);
    BOOST_TEST(bl::eval(bl::div(x, T(-1), bl::rounding::trunc))(36) == low);
    BOOST_TEST(bl::eval(bl::remainder(x, -1))(36) == 0);
    BOOST_TEST(bl::eval(bl::fmod(x, -1))(36) == 0);
    BOOST_TEST(bl::eval(bl::abs(x))(36) == low);
    BOOST_TEST(bl::eval(bl::gcd(x, x))(36) == low);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_arithmetic)

BOOST_AUTO_TEST_CASE(rounding_is_exact_at_every_level) {
  for (const bl::isa level : {bl::isa::base, bl::isa::v3, bl::isa::v4}) {
    if (bl::set_isa(level) != level) continue;
    check_rounding<float>();
    check_rounding<double>();
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(rounding_does_not_depend_on_the_rounding_mode) {
  const auto x = hard_numbers<float>();
  const auto down = bl::eval(bl::floor(x)), even = bl::eval(bl::round(x));
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const auto r = bl::eval(bl::floor(x)), e = bl::eval(bl::round(x));
    std::fesetround(FE_TONEAREST);
    BOOST_TEST(std::memcmp(r.data(), down.data(), 40000 * sizeof(float)) == 0);
    BOOST_TEST(std::memcmp(e.data(), even.data(), 40000 * sizeof(float)) == 0);
  }
}

BOOST_AUTO_TEST_CASE(rounding_in_constant_expressions) {
  constexpr bl::tensor<double, bl::shape<6>> x{-2.5, -0.5, 0.5, 1.5, 2.7, -3.2};
  constexpr auto even = bl::eval(bl::round(x));
  constexpr auto down = bl::eval(bl::floor(x));
  static_assert(even(0) == -2 && even(1) == 0 && even(2) == 0 && even(3) == 2 && even(4) == 3 && even(5) == -3);
  static_assert(down(0) == -3 && down(1) == -1 && down(2) == 0 && down(5) == -4);
  BOOST_TEST(std::signbit(even(1)));
}

BOOST_AUTO_TEST_CASE(integers_divided_by_zero_throw_and_overflow_wraps) {
  check_division<std::int8_t>();
  check_division<std::int16_t>();
  check_division<std::int32_t>();
  check_division<std::int64_t>();
  check_division<std::uint8_t>();
  check_division<std::uint32_t>();
  check_division<std::uint64_t>();
}

BOOST_AUTO_TEST_CASE(a_static_array_divided_by_zero_throws_too) {
  const bl::tensor<int, bl::shape<2>> x{4, 5}, y{2, 0};
  BOOST_CHECK_THROW(bl::eval(bl::floor_divide(x, y)), bl::arithmetic_error);
  BOOST_TEST(bl::to_string(bl::eval(x / y)) == "[ 2. inf]");  // div of integers is floating
}

BOOST_AUTO_TEST_CASE(a_shift_by_a_negative_or_too_large_count_shifts_everything_out) {
  const bl::dtensor<int, 1> x{-5, 7, 1}, by{-1, 32, 31};
  BOOST_TEST(bl::to_string(bl::eval(x << by)) == "[          0           0 -2147483648]");
  BOOST_TEST(bl::to_string(bl::eval(x >> by)) == "[-1  0  0]");
  const bl::dtensor<std::uint8_t, 1> u{200, 3};
  BOOST_TEST(bl::to_string(bl::eval(u >> 9)) == "[0 0]");
  BOOST_TEST(bl::to_string(bl::eval(u << 1)) == "[144   6]");
}

BOOST_AUTO_TEST_CASE(operators_and_assigning_operators_of_bits) {
  bl::dtensor<int, 1> x{12, 10};
  x &= 6;
  BOOST_TEST(bl::to_string(x) == "[4 2]");
  x |= bl::dtensor<int, 1>{1, 2};
  x ^= 8;
  BOOST_TEST(bl::to_string(x) == "[13 10]");
  x <<= 2;
  x >>= 1;
  BOOST_TEST(bl::to_string(bl::eval(~x)) == "[-27 -21]");
  const bl::dtensor<bool, 1> b{true, false}, c{true, true};
  BOOST_TEST(bl::to_string(bl::eval((b & c) ^ ~b)) == "[ True  True]");
  BOOST_TEST(bl::to_string(bl::eval(b | false)) == "[ True False]");
}

BOOST_AUTO_TEST_CASE(bounds_and_parameters) {
  const bl::dtensor<float, 1> x{-2, 0.25f, 3};
  const bl::dtensor<float, 1> nan{std::numeric_limits<float>::quiet_NaN()};
  BOOST_TEST(bl::to_string(bl::eval(bl::clamp(x, 0, 1))) == "[0.   0.25 1.  ]");
  BOOST_TEST(bl::to_string(bl::eval(bl::clamp(x, bl::none, 1))) == "[-2.    0.25  1.  ]");
  BOOST_TEST(bl::to_string(bl::eval(bl::clamp(x, 0))) == "[0.   0.25 3.  ]");
  BOOST_TEST(bl::to_string(bl::eval(bl::clamp(x, 3, 2))) == "[2. 2. 2.]");
  BOOST_TEST(bl::to_string(bl::eval(bl::clamp(x, bl::dtensor<float, 1>{1, 0, 0}, 2.))) == "[1.   0.25 2.  ]");
  BOOST_TEST(std::isnan(bl::eval(bl::clamp(x, nan, 2.))(0)));
  BOOST_TEST(bl::to_string(bl::eval(bl::max(x, 1))) == "[1. 1. 3.]");
  BOOST_TEST(bl::to_string(bl::eval(bl::min(x, x + 1))) == bl::to_string(x));
  BOOST_TEST(bl::to_string(bl::eval(bl::leaky_relu(x, 0.5))) == "[-1.    0.25  3.  ]");
  BOOST_TEST(bl::to_string(bl::eval(bl::hardtanh(x, -1))) == "[-1.    0.25  1.  ]");
  BOOST_TEST(bl::to_string(bl::eval(bl::threshold(x, 0.25, 9))) == "[9. 9. 3.]");
  BOOST_TEST(bl::to_string(bl::eval(bl::nan_to_num(x / 0, 1, 2, -3))) == "[-3.  2.  2.]");
  BOOST_TEST(bl::to_string(bl::eval(bl::isclose(x, x + 1e-6f))) == "[ True  True  True]");
  BOOST_TEST(bl::to_string(bl::eval(bl::isclose(nan, nan))) == "[False]");
  BOOST_TEST(bl::to_string(bl::eval(bl::isclose(nan, nan, 0, 0, bl::equal_nan{}))) == "[ True]");
  auto y = x;
  bl::clamp_(y, bl::none, 1);
  bl::mul_(y, 2);
  BOOST_TEST(bl::to_string(y) == "[-4.   0.5  2. ]");
  bl::dtensor<int, 1> i{7, -7};
  bl::div_(i, 2, bl::rounding::floor);
  BOOST_TEST(bl::to_string(i) == "[ 3 -4]");
}

BOOST_AUTO_TEST_CASE(a_function_in_stages_evaluates_its_argument_once) {
  const bl::dtensor<float, 1> x{-1, 0.5f, 2};
  int calls = 0;
  const auto f = [&calls](float v) {
    ++calls;
    return v;
  };
  const auto r = bl::eval(bl::softplus(bl::silu(bl::logaddexp(bl::pointwise(f, x), x)), 2), bl::seq);
  BOOST_TEST(calls == 3);
  for (bl::index i = 0; i < 3; ++i) {
    const double l = x(i) + std::log(2.0), s = l / (1 + std::exp(-l)), wanted = std::log1p(std::exp(2 * s)) / 2;
    BOOST_TEST(std::abs(r(i) - wanted) < 4e-7 * (1 + std::abs(wanted)));
  }
}

BOOST_AUTO_TEST_CASE(comparisons_are_joined_in_one_loop) {
  const bl::dtensor<float, 1> a{1, 5, 3, 2, 7}, b{2, 4, 3, 1, 9}, c{3, 3, 3, 0, 10};
  BOOST_TEST(bl::to_string(bl::eval((a > b) & (b > c))) == "[False  True False  True False]");
  BOOST_TEST(bl::to_string(bl::eval((a > b) | (c > b))) == "[ True  True False  True  True]");
  BOOST_TEST(bl::to_string(bl::eval((a > b) ^ (c > b))) == "[ True  True False  True  True]");
  BOOST_TEST(bl::to_string(bl::eval(~(a > b) & (c > b))) == "[ True False False False  True]");
  BOOST_TEST(bl::to_string(bl::eval(bl::where((a > b) | ((b < c) & ~(a < b)), a, c) * 2)) == "[ 6. 10.  6.  4. 20.]");
}

BOOST_AUTO_TEST_SUITE_END()
