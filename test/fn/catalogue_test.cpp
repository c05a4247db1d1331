// Rounding, integer division, shifts, and the functions with parameters: edges that the laws and PyTorch's table do not
// have.
// Build: clang-too, alone, not-sanitized
#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

#include <boost/mpl/list.hpp>
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

// All pairs of few bits; else pairs of every size, multiples and their neighbours, and the ends of the range.
template <class T>
void pairs_to_divide(bl::dtensor<T, 1>& x, bl::dtensor<T, 1>& y) {
  using limits = std::numeric_limits<T>;
  const T ends[] = {limits::min(), T(limits::min() + 1), T(-1), 0, 1, 2, T(limits::max() - 1), limits::max()};
  std::uint64_t state = 7;
  for (bl::index i = 0; i < x.size(); ++i) {
    if constexpr (sizeof(T) == 1) {
      x(i) = static_cast<T>(i);
      y(i) = static_cast<T>(i >> 8);
    } else {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const auto first = static_cast<std::int64_t>(state),
                 second = static_cast<std::int64_t>(state << 29 ^ state >> 31);
      y(i) = static_cast<T>(second >> (i % 59));
      x(i) = static_cast<T>(first >> (i / 59 % 61));
      if (i % 4 == 1)
        x(i) = static_cast<T>(static_cast<std::uint64_t>(x(i) / (y(i) == 0 ? T(1) : T(y(i) | 1))) *
                                  static_cast<std::uint64_t>(y(i)) +
                              static_cast<std::uint64_t>(i % 3 - 1));
      if (i % 16 == 2) x(i) = ends[i / 16 % 8];
      if (i % 16 < 4 && i % 3 == 0) y(i) = ends[i / 128 % 8];
    }
    if (y(i) == 0) y(i) = 3;
  }
}

template <class T>
int wrong_quotients() {
  bl::dtensor<T, 1> x(65536), y(65536);
  pairs_to_divide(x, y);
  const auto cut = bl::eval(bl::trunc_divide(x, y)), rest = bl::eval(bl::fmod(x, y));
  const auto down = bl::eval(bl::floor_divide(x, y)), above = bl::eval(bl::remainder(x, y));
  int wrong = 0;
  for (bl::index i = 0; i < x.size(); ++i) {
    const bool wraps = std::is_signed_v<T> && y(i) == T(-1);
    const T q = wraps ? static_cast<T>(0 - static_cast<std::uint64_t>(x(i))) : static_cast<T>(x(i) / y(i));
    const T r = wraps ? T(0) : static_cast<T>(x(i) % y(i));
    const bool lower = r != 0 && (r < 0) != (y(i) < 0);
    wrong += cut(i) != q || rest(i) != r || down(i) != static_cast<T>(q - lower) ||
             above(i) != static_cast<T>(lower ? r + y(i) : r);
  }
  // By one number for all, whose inverse is computed once.
  for (const bl::index k : {0, 7, 1290, 65535}) {
    const auto by_one = bl::eval(bl::floor_divide(x, y(k))),
               all = bl::eval(bl::floor_divide(x, bl::full<T>(x.shape(), y(k))));
    const auto over_one = bl::eval(bl::remainder(x, y(k)));
    for (bl::index i = 0; i < x.size(); ++i) {
      const bool wraps = std::is_signed_v<T> && y(k) == T(-1);
      const T r = wraps ? T(0) : static_cast<T>(x(i) % y(k));
      wrong += by_one(i) != all(i) || over_one(i) != static_cast<T>(r != 0 && (r < 0) != (y(k) < 0) ? r + y(k) : r);
    }
  }
  return wrong;
}

// Multiples of every divisor of 16 bits, the smallest and the largest ones and some between, and their neighbours.
template <class T>
int wrong_around_multiples() {
  using limits = std::numeric_limits<T>;
  constexpr bl::index count = 65536;
  int wrong = 0;
  for (int which = 0; which < 5; ++which)
    for (int beside = -1; beside <= 1; ++beside) {
      bl::dtensor<T, 1> x(count), y(count);
      for (bl::index i = 0; i < count; ++i) {
        y(i) = static_cast<T>(i == 0 ? 1 : i);
        const int d = y(i), largest = (d < 0 ? int(limits::min()) : int(limits::max())) / d,
                  smallest = (d < 0 ? int(limits::max()) : int(limits::min())) / d,
                  q = which == 0   ? largest
                      : which == 1 ? smallest
                      : which == 2 ? largest / 2
                      : which == 3 ? largest - largest / 5
                                   : which - 3;
        x(i) = static_cast<T>(q * d + beside);
      }
      const auto cut = bl::eval(bl::trunc_divide(x, y)), rest = bl::eval(bl::fmod(x, y));
      const auto down = bl::eval(bl::floor_divide(x, y)), above = bl::eval(bl::remainder(x, y));
      for (bl::index i = 0; i < count; ++i) {
        const int q = x(i) / y(i), r = x(i) % y(i), lower = r != 0 && (r < 0) != (y(i) < 0);
        wrong += cut(i) != static_cast<T>(q) || rest(i) != r || down(i) != static_cast<T>(q - lower) ||
                 above(i) != (lower != 0 ? r + y(i) : r);
      }
    }
  return wrong;
}

template <class T>
int wrong_divisors() {
  using U = std::make_unsigned_t<T>;
  bl::dtensor<T, 1> x(65536), y(65536);
  pairs_to_divide(x, y);
  x(3) = y(4) = x(5) = y(5) = 0;
  const auto divisor = bl::eval(bl::gcd(x, y)), multiple = bl::eval(bl::lcm(x, y));
  int wrong = 0;
  for (bl::index i = 0; i < x.size(); ++i) {
    U a = static_cast<U>(x(i) < 0 ? U(0) - static_cast<U>(x(i)) : static_cast<U>(x(i))), b = static_cast<U>(y(i));
    if (y(i) < 0) b = static_cast<U>(U(0) - b);
    while (a != 0) {
      const U rest = static_cast<U>(b % a);
      b = a;
      a = rest;
    }
    wrong += divisor(i) != static_cast<T>(b);
    if (x(i) > 0 && y(i) > 0 && x(i) / static_cast<T>(b) <= std::numeric_limits<T>::max() / y(i))
      wrong += multiple(i) != static_cast<T>(x(i) / static_cast<T>(b) * y(i));
  }
  return wrong;
}

template <class F>
bool wrong_shift(F f) {
  int thrown = 0;
  try {
    f();
  } catch (const bl::arithmetic_error& e) {
    thrown += std::string(e.what()).rfind("shift count out of range\n", 0) == 0;
  }
  return thrown == 1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_catalogue)

BOOST_AUTO_TEST_CASE(rounding_is_exact_at_every_level) {
  for (const bl::isa level : bl::runtime::every_isa) {
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

BOOST_AUTO_TEST_CASE(quotients_of_integers_are_exact_at_every_level_and_however_processors_round) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const int wrong[] = {wrong_quotients<std::int8_t>(),  wrong_quotients<std::uint8_t>(),
                           wrong_quotients<std::int16_t>(), wrong_quotients<std::uint16_t>(),
                           wrong_quotients<std::int32_t>(), wrong_quotients<std::uint32_t>(),
                           wrong_quotients<std::int64_t>(), wrong_quotients<std::uint64_t>()};
      std::fesetround(FE_TONEAREST);
      for (const int w : wrong) BOOST_TEST(w == 0);
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(numbers_around_multiples_of_every_divisor_of_16_bits) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    BOOST_TEST(wrong_around_multiples<std::int16_t>() == 0);
    BOOST_TEST(wrong_around_multiples<std::uint16_t>() == 0);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(common_divisors_and_multiples_are_euclids_at_every_level) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const int wrong[] = {wrong_divisors<std::int8_t>(),  wrong_divisors<std::uint8_t>(),
                         wrong_divisors<std::int16_t>(), wrong_divisors<std::uint16_t>(),
                         wrong_divisors<std::int32_t>(), wrong_divisors<std::uint32_t>(),
                         wrong_divisors<std::int64_t>(), wrong_divisors<std::uint64_t>()};
    for (const int w : wrong) BOOST_TEST(w == 0);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(a_static_array_divided_by_zero_throws_too) {
  const bl::tensor<int, bl::shape<2>> x{4, 5}, y{2, 0};
  BOOST_CHECK_THROW(bl::eval(bl::floor_divide(x, y)), bl::arithmetic_error);
  BOOST_TEST(bl::to_string(bl::eval(x / y)) == "[ 2. inf]");  // div of integers is floating
}

BOOST_AUTO_TEST_CASE(a_count_is_too_large_for_what_is_shifted_whatever_its_own_type_holds) {
  const bl::dtensor<std::uint8_t, 1> u{200, 3};
  BOOST_TEST(bl::to_string(bl::eval(u << 1)) == "[144   6]");
  for (const int count : {8, 9, 256, 257, -1, -256}) {
    BOOST_TEST(wrong_shift([&] { bl::eval(u << count); }));
    BOOST_TEST(wrong_shift([&] { bl::eval(u >> bl::dtensor<std::int64_t, 0>(count)); }));
  }
  BOOST_TEST(wrong_shift([&] { bl::eval(u >> (std::int64_t{1} << 32)); }));
  BOOST_TEST(wrong_shift([&] { bl::eval(u >> ~std::uint64_t{0}); }));
  bl::dtensor<int, 1> x(50);
  for (const int count : {32, -1, std::numeric_limits<int>::min()}) {
    BOOST_TEST(wrong_shift([&] { bl::eval(x << count); }));
    BOOST_TEST(wrong_shift([&] { x >>= count; }));
  }
  BOOST_TEST(bl::to_string(bl::eval(u >> bl::dtensor<std::int64_t, 0>(7))) == "[1 0]");
  // i8 meets u8 in i16
  const bl::dtensor<std::int8_t, 1> i{8, -1};
  BOOST_TEST(wrong_shift([&] { bl::eval(u << i); }));
  BOOST_TEST(bl::to_string(bl::eval(u << bl::abs(i))) == "[-14336      6]");
  BOOST_TEST(bl::to_string(bl::eval(u << bl::dtensor<bool, 1>{true, false})) == "[144   3]");
}

using integers = boost::mpl::list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                  std::int64_t, std::uint64_t>;

BOOST_AUTO_TEST_CASE_TEMPLATE(every_number_shifts_by_every_count, T, integers) {
  constexpr int width = 8 * sizeof(T);
  std::uint64_t state = 7;
  for (const bl::index size : {1, 5, 16, 31, 32, 67, 4096}) {
    bl::dtensor<T, 1> x(size), count(size), left(size), right(size);
    for (bl::index i = 0; i < size; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      x(i) = static_cast<T>(state >> 17);
      count(i) = static_cast<T>((state >> 3) % width);
      left(i) = static_cast<T>(static_cast<std::uint64_t>(x(i)) << count(i));
      right(i) = static_cast<T>(x(i) >> count(i));
    }
    BOOST_TEST(bl::array_equal(x << count, left));
    BOOST_TEST(bl::array_equal(x >> count, right));
  }
}

BOOST_AUTO_TEST_CASE(shifts_of_static_arrays_and_single_elements_throw_too) {
  const bl::tensor<int, bl::shape<2>> x{4, -5}, wrong{2, 32};
  BOOST_TEST(wrong_shift([&] { bl::eval(x << wrong); }));
  BOOST_TEST(wrong_shift([&] { bl::eval(x >> -1); }));
  BOOST_TEST((x << wrong)(0) == 16);
  BOOST_TEST(wrong_shift([&] { (x >> wrong)(1); }));
  constexpr bl::tensor<int, bl::shape<3>> y{1, -5, 3}, by{31, 1, 0};
  constexpr auto left = bl::eval(y << by), right = bl::eval(y >> by);
  static_assert(left(0) == std::numeric_limits<int>::min() && left(1) == -10 && left(2) == 3);
  static_assert(right(0) == 0 && right(1) == -3 && right(2) == 3);
  auto z = x;
  BOOST_TEST(wrong_shift([&] { z <<= wrong; }));
  BOOST_TEST(z(1) == -5);
  z >>= 1;
  BOOST_TEST((z(0) == 2 && z(1) == -3));
}

BOOST_AUTO_TEST_CASE(a_wrong_count_counts_only_where_there_are_elements_to_shift) {
  // once for many elements, and for none
  const bl::dtensor<int, 2> none(0, 50);
  bl::dtensor<int, 2> x(40, 50), row(1, 50), column(40, 1);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = 1;
  row(0, 49) = 32;
  column(39, 0) = -1;
  BOOST_TEST(wrong_shift([&] { bl::eval(x << row); }));
  BOOST_TEST(wrong_shift([&] { bl::eval(x << column); }));
  BOOST_TEST(wrong_shift([&] { bl::eval(x.T() << column.T()); }));
  BOOST_TEST(wrong_shift([&] { bl::eval(x + (column >> column)); }));
  BOOST_TEST(bl::eval(none << row).size() == 0);
  BOOST_TEST(bl::eval(none << 99).size() == 0);
  BOOST_TEST(wrong_shift([&] { bl::eval(bl::sum(x << row)); }));
  BOOST_TEST(wrong_shift([&] { bl::eval(bl::sum(bl::unsqueeze(x, 1) << bl::unsqueeze(row, 0), -1)); }));
  row(0, 49) = 0;
  BOOST_TEST(bl::eval(bl::sum(x << row))() == 40 * 50);
  // all pairs of rows, in register tiles
  for (const bl::index n : {3, 17, 40}) {
    bl::dtensor<int, 2> a(n, n + 1), b(n, n + 1);
    for (bl::index i = 0; i < a.size(); ++i)
      a.data()[i] = static_cast<int>(i % 7), b.data()[i] = static_cast<int>(i % 31);
    const auto pairs = bl::eval(bl::sum(bl::unsqueeze(a, 1) << bl::unsqueeze(b, 0), -1));
    std::int64_t first = 0;
    for (bl::index k = 0; k <= n; ++k) first += std::int64_t{a(n - 1, k) << b(n - 1, k)};
    BOOST_TEST(pairs(n - 1, n - 1) == first);
    b(n - 1, n) = 32;
    BOOST_TEST(wrong_shift([&] { bl::eval(bl::sum(bl::unsqueeze(a, 1) << bl::unsqueeze(b, 0), -1)); }));
  }
}

BOOST_AUTO_TEST_CASE(a_shift_in_place_that_throws_leaves_every_element_as_it_was_or_shifted) {
  for (const int threads : {1, 2, 0}) {
    bl::dtensor<int, 1> x(300000), by(300000);
    for (bl::index i = 0; i < x.size(); ++i) x(i) = static_cast<int>(i), by(i) = static_cast<int>(i % 9);
    const auto before = x;
    by(222222) = 32;
    BOOST_TEST(wrong_shift([&] { bl::assign(x, x << by, bl::par.threads(threads)); }));
    bool right = x(222222) == before(222222);
    for (bl::index i = 0; i < x.size(); ++i)
      right = right && (x(i) == before(i) || (i != 222222 && x(i) == before(i) << by(i)));
    BOOST_TEST(right);
    by(222222) = 1;
    x = before;
    x <<= by;  // the threads work on
    BOOST_TEST(x(222222) == 444444);
  }
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
  BOOST_TEST(bl::to_string(bl::eval(bl::maximum(x, 1))) == "[1. 1. 3.]");
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
