// Whole trees of dynamic tensors and numbers, which the library gets as they stand in the tree, have the bits of the
// same trees of views, whose elements and extents are listed by the program.
// Build: optimised, gcc-alone
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>
#include <string>

#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

namespace {

namespace bl = broadloom;

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class F>
void at_each_level(const F& f) {
  for (const bl::isa level : bl::runtime::every_isa)
    if (bl::set_isa(level) == level) f(std::string(bl::to_string(level)));
  bl::set_isa(bl::runtime::highest_isa());
}

template <class T, class Shape>
auto numbers(const Shape& s, int seed) {
  bl::dtensor<T, Shape::axes_count> x(s);
  T* const data = x.data();
  for (bl::index i = 0; i < s.size(); ++i) data[i] = static_cast<T>((i * 7919 + seed * 104729) % 1009) / T(8);
  return x;
}

// The same formulas of tensors and of views of them. Each is a type of its own.
template <class T, int R>
void compare(const std::string& where, const bl::dtensor<T, R>& a, const bl::dtensor<T, R>& b,
             const bl::dtensor<T, R>& c, const bl::dtensor<T, R>& d) {
  const auto u = bl::dview<const T, R>(a), v = bl::dview<const T, R>(b), w = bl::dview<const T, R>(c),
             x = bl::dview<const T, R>(d);
#define COMPARE(F)                                                                                                    \
  {                                                                                                                   \
    const auto f = []([[maybe_unused]] const auto& p, [[maybe_unused]] const auto& q, [[maybe_unused]] const auto& r, \
                      [[maybe_unused]] const auto& s) { return bl::eval(F)(); };                                      \
    BOOST_TEST(same_bits(f(a, b, c, d), f(u, v, w, x)), where << ": " #F);                                            \
  }
  COMPARE(bl::sum(p))
  COMPARE(bl::sum(p + q))
  COMPARE(bl::sum(T(3) - p))
  COMPARE(bl::sum(p * q - r))
  COMPARE(bl::sum(T(2) * (p + q) * T(5) + (r - s)))
  COMPARE(bl::sum(p + q + r + s + p * q + T(1)))
  COMPARE(bl::amax(p - q * r))
  COMPARE(bl::prod(p + T(1)))
  COMPARE(bl::any(p > q))
  COMPARE(bl::count_nonzero(p < r))
#undef COMPARE
}
template <class T, class Shape>
void compare_all_of(const std::string& where, const Shape& s) {
  compare<T, Shape::axes_count>(where, numbers<T>(s, 1), numbers<T>(s, 2), numbers<T>(s, 3), numbers<T>(s, 4));
}

BOOST_AUTO_TEST_CASE(trees_of_equal_extents_have_the_bits_of_views) {
  at_each_level([](const std::string& level) {
    for (const bl::index n : {1, 2, 3, 5, 16, 22, 23, 40, 100, 181}) {
      const std::string where = level + ", " + std::to_string(n);
      compare_all_of<float>(where, bl::dshape<2>(n, n));
      compare_all_of<double>(where, bl::dshape<1>(n * n));
    }
    compare_all_of<std::int32_t>(level, bl::dshape<2>(9, 11));
    compare_all_of<std::int64_t>(level, bl::dshape<2>(31, 33));
    compare_all_of<float>(level, bl::dshape<3>(3, 5, 7));
    compare_all_of<float>(level, bl::dshape<4>(2, 3, 5, 7));
  });
}

BOOST_AUTO_TEST_CASE(broadcast_trees_have_the_bits_of_views) {
  at_each_level([](const std::string& level) {
    for (const bl::index n : {3, 17, 100, 600})
      for (int k = 0; k < 16; ++k) {  // which have one row, and which one column
        const auto s = [&](int j) { return bl::dshape<2>((k >> j & 1) != 0 ? 1 : 6, (k >> (3 - j) & 1) != 0 ? 1 : n); };
        compare<float, 2>(level + ", " + std::to_string(n) + ", " + std::to_string(k), numbers<float>(s(0), 1),
                          numbers<float>(s(1), 2), numbers<float>(s(2), 3), numbers<float>(s(3), 4));
      }
  });
}

// Numbers of rows are splat for some rows at a time.
BOOST_AUTO_TEST_CASE(rows_beside_one_number_a_row_have_the_bits_of_evaluated_ones) {
  at_each_level([](const std::string& level) {
    for (const bl::index rows : {1, 2, 31, 33, 100})
      for (const bl::index n : {5, 16, 17, 31, 512, 515, 1100}) {
        const auto x = numbers<float>(bl::dshape<2>(rows, n), 1), y = numbers<float>(bl::dshape<2>(rows, n), 2);
        const auto k = numbers<float>(bl::dshape<2>(rows, 1), 3), l = numbers<float>(bl::dshape<2>(rows, 1), 4);
        const auto m = numbers<float>(bl::dshape<2>(1, 1), 5);
        const auto wide = numbers<float>(bl::dshape<2>(rows, 3), 6);
        const auto strided = wide(bl::all, bl::range(1, 2));
        const std::string where = level + ", " + std::to_string(rows) + " x " + std::to_string(n);
        const auto same = [&](const auto& e) {
          const bl::dtensor<float, 2> evaluated = e;
          const bl::dtensor<float, 1> one = bl::sum(e, bl::axes<1>), other = bl::sum(evaluated, bl::axes<1>);
          BOOST_TEST(bl::eval(bl::all(one == other))(), where);
        };
        same((x - k) * y);
        same((x - k) * (y - l));
        same((x - k) * (y - l) + m * (l + k));
        same((x - strided) * y * 2);
      }
  });
}

BOOST_AUTO_TEST_CASE(none_and_tensors_of_another_shape) {
  const bl::dtensor<float, 2> none(0, 5);
  bl::dtensor<float, 2> x = numbers<float>(bl::dshape<2>(4, 5), 1);
  const bl::dtensor<float, 2> row = numbers<float>(bl::dshape<2>(1, 5), 2);
  BOOST_TEST(bl::eval(bl::sum(none * none + none))() == 0);
  BOOST_TEST(bl::eval(bl::sum(none * row + row))() == 0);
  const auto e = bl::sum(x * row + x);
  x = numbers<float>(bl::dshape<2>(5, 5), 1);
  BOOST_CHECK_THROW(bl::eval(e), bl::shape_error);
}

}  // namespace
