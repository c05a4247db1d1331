// C++ numbers beside integers that do not hold them: comparisons and bounds are by value, where a number would become
// an element an error is thrown when the tree is built.
// Build: gcc-alone
#include <broadloom/fn/number.hpp>

#include <broadloom/broadloom.hpp>
#include <broadloom/index/membership.hpp>
#include <broadloom/sets.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace bl = broadloom;

namespace {

using i8 = std::int8_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T>
bl::dtensor<T, 1> some() {
  using limits = std::numeric_limits<T>;
  bl::dtensor<T, 1> r(9);
  const T list[] = {limits::lowest(), T(limits::lowest() + 1), T(0),         T(1), T(2), T(3),
                    T(100),           T(limits::max() - 1),    limits::max()};
  for (bl::index k = 0; k < 9; ++k) r(k) = list[k];
  return r;
}

// The six comparisons of arrays with n and of n with arrays. Long double holds every element and every number here.
template <class T, class N>
void check_comparisons(const bl::dtensor<T, 1>& x, N n) {
  const bl::dtensor<bool, 1> lt = x<n, le = n >= x, gt = x> n, ge = n <= x, eq = x == n, ne = n != x;
  const auto m = static_cast<long double>(n);
  for (bl::index k = 0; k < x.size(); ++k) {
    const auto e = static_cast<long double>(x(k));
    BOOST_TEST((lt(k) == (e < m) && le(k) == (e <= m) && gt(k) == (e > m) && ge(k) == (e >= m) && eq(k) == (e == m) &&
                ne(k) == (e != m)),
               "element " << e << ", number " << m);
  }
}

// The elements by which x is compared with n say what the comparison with n says.
template <class T, class N>
void check_elements(const bl::dtensor<T, 1>& x, N n) {
  using namespace bl::detail;
  const auto m = static_cast<long double>(n);
  const auto lt = elements_at_most<T>(n, true), le = elements_at_most<T>(n, false), gt = elements_at_least<T>(n, true),
             ge = elements_at_least<T>(n, false), eq = elements_equal_to<T>(n);
  bool right = true;
  for (const T e : x) {
    const auto v = static_cast<long double>(e);
    right = right && (std::max(e, lt.with) == lt.to) == (v < m) && (std::max(e, le.with) == le.to) == (v <= m) &&
            (std::min(e, gt.with) == gt.to) == (v > m) && (std::min(e, ge.with) == ge.to) == (v >= m) &&
            (static_cast<T>(e & eq.with) == eq.to) == (v == m);
  }
  BOOST_TEST(right, bl::to_string(bl::dtype_of<T>) << ", number " << m);
}

template <class T>
void check_type() {
  using limits = std::numeric_limits<T>;
  const auto x = some<T>();
  for (const i64 n : {i64{0}, i64{2}, i64{-1}, i64{-129}, i64{255}, i64{256}, i64{1} << 40,
                      std::numeric_limits<i64>::min(), std::numeric_limits<i64>::max()})
    check_elements(x, n);
  for (const u64 n : {u64{0}, u64{3}, u64{1} << 63, ~u64{0}}) check_elements(x, n);
  const double top = std::ldexp(1.0, limits::digits), low = static_cast<double>(limits::lowest());
  for (const double n : {0.0, -0.0, 2.5, -0.5, 2.0, 100.0, 1e300, -1e300, top, std::nextafter(top, 0.0), low,
                         std::nextafter(low, -1e300), low - 0.5, std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    check_elements(x, n);
  check_elements(x, 2.5f);
}

template <class F>
std::string said(const F& f) {
  try {
    f();
  } catch (const bl::arithmetic_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_number)

BOOST_AUTO_TEST_CASE(comparisons_are_by_value) {
  check_type<i8>();
  check_type<u8>();
  check_type<std::int16_t>();
  check_type<std::uint16_t>();
  check_type<i32>();
  check_type<u32>();
  check_type<i64>();
  check_type<u64>();
  for (const int n : {-1, 0, 1, 255, 256}) check_comparisons(some<u8>(), n);
  for (const double n : {-0.5, 2.0, 2.5, 0x1p62, 0x1p63, 1e300}) check_comparisons(some<i64>(), n);
}

BOOST_AUTO_TEST_CASE(bool_is_compared_as_0_and_1) {
  const bl::dtensor<bool, 1> b{false, true};
  BOOST_TEST(bl::all(bl::eq(b < 0.5, !b))());
  BOOST_TEST(!bl::any(b == 1.00000001)());
  BOOST_TEST(!bl::any(b == 2)());
  BOOST_TEST(bl::all(b < 300)());
  BOOST_TEST(bl::all(bl::eq(b == 1, b))());
}

BOOST_AUTO_TEST_CASE(what_users_wrote) {
  const bl::dtensor<u8, 1> u{0, 1, 255};
  const bl::dtensor<i32, 1> i{5, -5};
  const bl::dtensor<u32, 1> w{0, 7};
  BOOST_TEST(bl::all(u < 256)());
  BOOST_TEST(!bl::any(u == 256)());
  BOOST_TEST(bl::all(u >= -1)());
  BOOST_TEST(bl::all(i < (1LL << 40))());
  BOOST_TEST(bl::all(w > -1)());
  BOOST_TEST(bl::all(bl::eq(bl::clamp(u, -129, 300), u))());
  BOOST_TEST(bl::all(bl::eq(bl::minimum(u, 300), u))());
  BOOST_TEST(bl::all(bl::eq(bl::maximum(-1, u), u))());
  BOOST_TEST(bl::all(bl::eq(bl::fmin(u, 300), u))());
  BOOST_TEST(bl::all(bl::eq(bl::clamp(u, -1, bl::none), u))());
  BOOST_TEST(bl::all(bl::eq(bl::hardtanh(u), bl::minimum(u, 1)))());
  using namespace bl::literals;
  BOOST_TEST(bl::all(u < 256_c)());
  BOOST_TEST(bl::all(bl::eq(bl::minimum(u, 300_c), u))());
  BOOST_TEST(bl::sum(u + 1_c)() == 1 + 2 + 0);
  BOOST_TEST(bl::sum(bl::where(u < 300, u, 0))() == 256);
  BOOST_TEST(bl::sum(bl::isin(u, bl::dtensor<int, 1>{256, 255}))() == 1);
  const bl::index n = 40000001;
  BOOST_TEST(bl::count_nonzero(bl::arange<bl::index>(n) < 0.5 * double(n))() == 20000001);
}

BOOST_AUTO_TEST_CASE(a_number_that_would_become_an_element_is_refused) {
  bl::dtensor<u8, 1> u{0, 1, 255};
  const bl::dtensor<i8, 1> s{1, 2};
  const bl::dtensor<bool, 1> m{true, false, true};
  const std::string text = "the number 300 is outside the range of u8, 0 to 255";
  BOOST_TEST(said([&] { bl::eval(u + 300); }) == text);
  BOOST_TEST(said([&] { static_cast<void>(300 - u); }) == text);  // when the tree is built
  BOOST_TEST(said([&] { u += 300; }) == text);
  BOOST_TEST(said([&] { u = 300; }) == text);
  BOOST_TEST(said([&] { bl::slice(u, bl::range(0, 2)) = 300; }) == text);
  BOOST_TEST(said([&] { bl::full<u8>({3}, 300); }) == text);
  BOOST_TEST(said([&] { bl::dtensor<u8, 2> x({3, 2}, 300); }) == text);
  BOOST_TEST(said([&] { static_cast<void>(bl::maximum(u, 300)); }) == text);
  BOOST_TEST(said([&] { static_cast<void>(bl::clamp(u, 300, 400)); }) == text);
  BOOST_TEST(said([&] { static_cast<void>(bl::where(m, u, 300)); }) == text);
  BOOST_TEST(said([&] { static_cast<void>(bl::masked_fill(u, m, 300)); }) == text);
  BOOST_TEST(said([&] { bl::masked_fill_(u, m, 300); }) == text);
  BOOST_TEST(said([&] { bl::eval(bl::pad(u, {1, 1}, bl::padding::constant, 300)); }) == text);
  BOOST_TEST(said([&] { static_cast<void>(u & 300); }) == text);
  BOOST_TEST(said([&] { static_cast<void>(u * -1); }) == "the number -1 is outside the range of u8, 0 to 255");
  BOOST_TEST(said([&] { static_cast<void>(s + 128); }) == "the number 128 is outside the range of i8, -128 to 127");
  BOOST_TEST(said([&] { bl::full<i64>({2}, 1e19); }) ==
             "the number 1e+19 is outside the range of i64, -9223372036854775808 to 9223372036854775807");
  BOOST_TEST(said([&] { bl::full<u64>({2}, -1); }) ==
             "the number -1 is outside the range of u64, 0 to 18446744073709551615");
  BOOST_TEST(said([&] { bl::full<i32>({2}, std::nan("")); }) != "");
  BOOST_TEST(bl::sum(u)() == 256);  // unchanged
}

BOOST_AUTO_TEST_CASE(what_fits_is_as_before) {
  bl::dtensor<u8, 1> u{0, 1, 255};
  BOOST_TEST(bl::sum(u + 255)() == 0xff + 0 + 0xfe);
  BOOST_TEST(bl::full<u8>({1}, 255.9)(0) == 255);
  BOOST_TEST(bl::full<u8>({1}, -0.9)(0) == 0);
  BOOST_TEST(bl::full<i8>({1}, -128.9)(0) == -128);
  BOOST_TEST(bl::sum(bl::cast<u8>(bl::dtensor<int, 1>{300}))() == 44);  // cast wraps
  static_assert(bl::detail::holds_numbers<i32, int>() && bl::detail::holds_numbers<i64, u32>());
  static_assert(bl::detail::holds_numbers<float, double>() && !bl::detail::holds_numbers<u64, int>());
  static_assert(bl::detail::number_as<u8>(200) == 200);
}

BOOST_AUTO_TEST_SUITE_END()
