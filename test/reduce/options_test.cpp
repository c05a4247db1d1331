// Axes in a container give what the same axes give one by one.
#include <broadloom/reduce/options.hpp>

#include <array>
#include <boost/test/unit_test.hpp>
#include <span>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(reduce_options)

using cube = bl::dtensor<double, 3>;
using fixed_cube = bl::tensor<double, bl::shape<2, 3, 4>>;

template <class X>
using shape_of = typename std::remove_cvref_t<X>::shape_type;
// The run knows which axes go, the compiler how many.
static_assert(decltype(bl::sum(std::declval<cube&>(), std::array<int, 2>()))::rank() == 1);
static_assert(decltype(bl::sum(std::declval<cube&>(),
                               std::span<const long, 1>(std::declval<const std::array<long, 1>&>())))::rank() == 2);
static_assert(decltype(bl::sum(std::declval<cube&>(), std::vector<int>(), bl::keepdim))::rank() == 3);
static_assert(
    std::is_same_v<shape_of<decltype(bl::sum(std::declval<fixed_cube&>(), std::array<int, 3>()))>, bl::shape<>>);
static_assert(
    std::is_same_v<shape_of<decltype(bl::sum(std::declval<fixed_cube&>(), std::array<int, 3>(), bl::keepdim))>,
                   bl::shape<1, 1, 1>>);
static_assert(
    std::is_same_v<
        shape_of<decltype(bl::sum(std::declval<bl::tensor<double, bl::shape<5, 5, 5>>&>(), std::array<int, 1>()))>,
        bl::shape<5, 5>>);

// A constant axis that is named twice does not compile (test/fail/reduction_repeated_axis.cpp), counted from either
// end.
static_assert(bl::detail::axes_are_distinct<0, -1>(3) && bl::detail::axes_are_distinct<>(3));
static_assert(!bl::detail::axes_are_distinct<0, 0>(3) && !bl::detail::axes_are_distinct<2, 1, -1>(3));

template <class A, class B>
void equal(const A& a, const B& b) {
  const auto x = bl::eval(a);
  const auto y = bl::eval(b);
  BOOST_TEST_REQUIRE(bl::to_string(x.shape()) == bl::to_string(y.shape()));
  BOOST_TEST(bool(bl::all(x == y)));
}

// Every reduction over these axes, as a list and as a pack.
template <class X, class List, class... Axis>
void agree(const X& x, const List& list, Axis... axis) {
  const std::vector<bl::index> any_number(list.begin(), list.end());
  const auto each = [&](const auto& f) {
    equal(f(list), f(axis...));
    equal(f(list, bl::keepdim), f(axis..., bl::keepdim));
    equal(f(any_number, bl::keepdim), f(axis..., bl::keepdim));
  };
  each([&](const auto&... o) { return bl::sum(x, o...); });
  each([&](const auto&... o) { return bl::amax(x, o...); });
  each([&](const auto&... o) { return bl::mean(x, o...); });
  each([&](const auto&... o) { return bl::std(x, o...); });
  each([&](const auto&... o) { return bl::norm(x, 2.0, o...); });
  each([&](const auto&... o) { return bl::logsumexp(x, o...); });
  each([&](const auto&... o) { return bl::count_nonzero(x, o...); });
  each([&](const auto&... o) { return bl::all(x > 1, o...); });
  each([&](const auto&... o) { return bl::any(x > 1, o...); });
}

template <class X>
void agree_over_all_axes(const X& x) {
  for (int i = -3; i < 3; ++i) {
    agree(x, std::array{i}, i);
    for (int j = -3; j < 3; ++j)
      if ((i + 3) % 3 != (j + 3) % 3) agree(x, std::array{i, j}, i, j);
  }
  agree(x, std::array<short, 3>{2, 0, 1}, 2, 0, 1);
  agree(x, std::array<int, 0>{});
}

BOOST_AUTO_TEST_CASE(lists_of_axes_are_their_axes) {
  cube a(2, 3, 4);
  fixed_cube b;
  double n = 0.25;
  for (double& x : a) x = n = 3.9 * n * (1 - n);
  b = a * 2;
  agree_over_all_axes(a);
  agree_over_all_axes(b);
  agree_over_all_axes(a.T());
}

BOOST_AUTO_TEST_CASE(wrong_lists_are_refused) {
  const cube a(2, 3, 4);
  BOOST_CHECK_THROW(bl::sum(a, std::array{3}), bl::index_error);
  BOOST_CHECK_THROW(bl::sum(a, std::vector{0, -3}, bl::keepdim), bl::index_error);
  BOOST_CHECK_THROW(bl::mean(a, std::vector{0, 1, 2, 0}, bl::keepdim), bl::index_error);
}

BOOST_AUTO_TEST_CASE(a_true_behind_axes_is_keepdim) {
  cube a(2, 3, 4);
  double n = 0.25;
  for (double& x : a) x = n = 3.9 * n * (1 - n);
  const auto same = [](const auto& x, const auto& y) { BOOST_TEST(bl::array_equal(x, y)); };
  same(bl::sum(a, {0, 1}, true), bl::sum(a, bl::axes<0, 1>, bl::keepdim));
  same(bl::mean(a, 1, true), bl::mean(a, 1, bl::keepdim));
  same(bl::amax(a, bl::axes<0, -1>, true), bl::amax(a, bl::axes<0, -1>, bl::keepdim));
  same(bl::sum(a, std::vector{2}, true), bl::sum(a, 2, bl::keepdim));
  same(bl::argmin(a, -1, true), bl::argmin(a, -1, bl::keepdim));
  same(bl::nansum(a, {0, 2}, true), bl::nansum(a, bl::axes<0, 2>, bl::keepdim));
  static_assert(decltype(bl::std(a, {0, 2}, true))::shape_type::axes_count == 3);
}

// Sums of narrow integers have no kernels of their own.
BOOST_AUTO_TEST_CASE(a_type_that_is_asked_for_may_be_any) {
  bl::dtensor<int, 2> a(700, 40);
  int n = 0;
  for (int& x : a) x = n = (n * 29 + 7) % 251;
  const bl::dtensor<float, 2> f = bl::cast<float>(a) + 0.75f;
  for (const int threads : {1, 3}) {
    const bl::policy how = bl::par.threads(threads);
    const auto check = [&](const auto& result, const auto& expected) {
      const auto x = bl::eval(result, how), y = bl::eval(expected, how);
      static_assert(std::is_same_v<decltype(x), decltype(y)>);
      BOOST_TEST(bl::array_equal(x, y));
    };
    check(bl::sum(a, 0, bl::of_type<int>), bl::cast<int>(bl::sum(a, 0)));
    check(bl::sum(a, 1, bl::of_type<int>), bl::cast<int>(bl::sum(a, 1)));
    check(bl::sum(a, bl::of_type<std::int16_t>), bl::cast<std::int16_t>(bl::sum(a)));
    check(bl::prod(a, 0, bl::of_type<std::uint8_t>), bl::cast<std::uint8_t>(bl::prod(bl::cast<std::uint8_t>(a), 0)));
    check(bl::sum(f, 1, bl::of_type<int>), bl::cast<int>(bl::sum(a, 1)));
    check(bl::sum(f, 0, bl::accumulate_in<int>), bl::cast<float>(bl::sum(a, 0)));
    check(bl::sum(a, 0, bl::of_type<bool>), bl::any(a, 0));
    check(bl::any(a, 0, bl::of_type<int>), bl::cast<int>(bl::any(a, 0)));
    check(bl::amax(a, 1, bl::of_type<std::uint8_t>), bl::cast<std::uint8_t>(bl::amax(a, 1)));
    check(bl::nansum(f, 0, bl::of_type<int>), bl::cast<int>(bl::sum(a, 0)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
