// stack of as many arrays as the run has: what stack of the same arrays, named one by one, gives.
#include <broadloom/index/stack.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <list>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(index_stack)

template <class A, class B>
void equal(const A& a, const B& b) {
  BOOST_TEST_REQUIRE(bl::to_string(a.shape()) == bl::to_string(b.shape()));
  BOOST_TEST(bool(bl::all(a == b)));
}

template <int R>
void agrees(const bl::dshape<R>& s) {
  std::vector<bl::dtensor<double, R>> arrays;
  double n = 0;
  for (int k = 0; k < 3; ++k) {
    arrays.emplace_back(s);
    for (double& x : arrays.back()) x = ++n;
  }
  for (int axis = -R - 1; axis <= R; ++axis) {
    equal(bl::stack(arrays, axis), bl::stack(axis, arrays[0], arrays[1], arrays[2]));
    equal(bl::stack(std::list<bl::dtensor<double, R>>(arrays.begin(), arrays.end()), axis), bl::stack(arrays, axis));
    if constexpr (R > 0)
      if (axis >= -R && axis < R) equal(bl::cat(arrays, axis), bl::cat(axis, arrays[0], arrays[1], arrays[2]));
  }
  BOOST_CHECK_THROW(bl::stack(arrays, R + 1), bl::index_error);
  BOOST_CHECK_THROW(bl::stack(arrays, -R - 2), bl::index_error);
}

BOOST_AUTO_TEST_CASE(a_list_is_stacked_as_its_arrays_are) {
  agrees<0>({});
  for (bl::index i = 0; i < 4; ++i) {
    agrees<1>(bl::dshape<1>(i));
    for (bl::index j = 0; j < 4; ++j) agrees<2>(bl::dshape<2>(i, j));
  }
  agrees<3>(bl::dshape<3>(2, 3, 4));
}

// Two or four arrays in memory along the last axis, which are written together, beside others.
template <class T>
void by_turns() {
  const auto numbers = [](bl::index n, int seed) {
    bl::dtensor<T, 1> x(n);
    for (bl::index i = 0; i < n; ++i) x(i) = static_cast<T>(static_cast<float>((i * 7 + seed) % 120));
    return x;
  };
  const auto right = [](const auto& r, const auto&... parts) {
    bool same = true;
    bl::index c = 0;
    const auto one = [&](const auto& p) {
      for (bl::index i = 0; i < p.size(); ++i) same = same && r(i, c) == p(i);
      ++c;
    };
    (one(parts), ...);
    return same;
  };
  for (bl::index n : {1, 3, 63, 64, 65, 127, 257, 300, 511, 513, 1040, 40000, 70001}) {
    const auto a = numbers(n, 1), b = numbers(n, 2), c = numbers(n, 3), d = numbers(n, 4), twice = numbers(2 * n, 5);
    const auto second = bl::eval(twice(bl::range(0, 2 * n, 2)));
    for (const bl::policy& p : {bl::seq, bl::par.threads(2)}) {
      BOOST_TEST(right(bl::eval(bl::stack(1, a, b), p), a, b), n);
      BOOST_TEST(right(bl::eval(bl::column_stack(a, b, c, d), p), a, b, c, d), n);
      BOOST_TEST(right(bl::eval(bl::column_stack(a, b, c), p), a, b, c), n);
      BOOST_TEST(right(bl::eval(bl::dstack(a, b), p)(0), a, b), n);
      BOOST_TEST(right(bl::eval(bl::stack(-1, twice(bl::range(0, 2 * n, 2)), b), p), second, b), n);
      BOOST_TEST(right(bl::eval(bl::stack(-1, a, a), p), a, a), n);
    }
    // To rows that are further apart, and onto what is read.
    bl::dtensor<T, 2> wide(n, 5), m(n, 2);
    wide = T{};
    wide(bl::all, bl::range(1, 3)) = bl::stack(1, a, b);
    BOOST_TEST(right(wide, bl::dtensor<T, 1>(n), a, b, bl::dtensor<T, 1>(n)), n);
    m = bl::stack(1, a, b);
    m = bl::stack(1, m(bl::all, 1), m(bl::all, 0));
    BOOST_TEST(right(m, b, a), n);
    bl::assign_all(bl::to(m(bl::all, 0), c), bl::to(m(bl::all, 1), d));
    BOOST_TEST(right(m, c, d), n);
    auto line = bl::flatten(m);
    bl::assign_all(bl::to(m(bl::all, 0), line(bl::range(0, n))), bl::to(m(bl::all, 1), line(bl::range(n, 2 * n))));
    const auto was = bl::eval(bl::stack(1, c, d));
    const auto flat = bl::eval(bl::flatten(was));
    BOOST_TEST(right(m, bl::eval(flat(bl::range(0, n))), bl::eval(flat(bl::range(n, 2 * n)))), n);
  }
  const auto x = bl::eval(bl::reshape(numbers(600, 1), 20, 30)), y = bl::eval(bl::reshape(numbers(600, 2), 20, 30));
  const auto r = bl::eval(bl::stack(2, x, bl::transpose(bl::eval(bl::transpose(y)))));
  BOOST_TEST(bl::array_equal(r(bl::ellipsis, 0), x));
  BOOST_TEST(bl::array_equal(r(bl::ellipsis, 1), y));
  BOOST_TEST(
      right(bl::eval(bl::reshape(bl::stack(2, x, y), 600, 2)), bl::eval(bl::flatten(x)), bl::eval(bl::flatten(y))));
}
BOOST_AUTO_TEST_CASE(two_or_four_arrays_by_turns) {
  by_turns<std::uint8_t>();
  by_turns<std::int16_t>();
  by_turns<float>();
  by_turns<double>();
  by_turns<std::complex<float>>();
  by_turns<std::complex<double>>();
}

BOOST_AUTO_TEST_CASE(static_extents_stay) {
  using part = bl::tensor<float, bl::shape<2, 3>>;
  const std::vector<part> parts(4);
  static_assert(std::is_same_v<decltype(bl::stack(parts, 0_c))::shape_type, bl::shape<bl::dyn, 2, 3>>);
  static_assert(std::is_same_v<decltype(bl::stack(parts, -1_c))::shape_type, bl::shape<2, 3, bl::dyn>>);
  static_assert(std::is_same_v<decltype(bl::cat(parts, 0_c))::shape_type, bl::shape<bl::dyn, 3>>);
  static_assert(std::is_same_v<decltype(bl::stack(parts))::shape_type, bl::shape<bl::dyn, 2, 3>>);
  static_assert(std::is_same_v<decltype(bl::cat(parts))::shape_type, bl::shape<bl::dyn, 3>>);
  BOOST_TEST(bl::to_string(bl::stack(parts, 1).shape()) == "(2, 4, 3)");
  BOOST_TEST(bl::to_string(bl::stack(parts).shape()) == "(4, 2, 3)");
}

BOOST_AUTO_TEST_CASE(other_shapes_and_no_arrays_are_refused) {
  std::vector<bl::dtensor<float, 2>> arrays;
  BOOST_CHECK_THROW(bl::stack(arrays, 0), bl::shape_error);
  BOOST_CHECK_THROW(bl::cat(arrays, 0), bl::shape_error);
  arrays.emplace_back(2, 3);
  arrays.emplace_back(3, 2);
  BOOST_CHECK_THROW(bl::stack(arrays, 0), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
