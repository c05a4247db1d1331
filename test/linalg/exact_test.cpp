// Singular matrices of whole numbers are singular: determinants are 0, inverses and solutions throw, at every level.
#include <broadloom/broadloom.hpp>
#include <broadloom/decompositions.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace bl = broadloom;

namespace {

constexpr bl::index count = 2000;

// The last row is a combination of the others, and rows are shuffled.
template <class T>
bl::dtensor<T, 3> singular(bl::index n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_int_distribution<int> element(-9, 9), factor(-2, 2);
  bl::dtensor<T, 3> a(count, n, n);
  for (bl::index m = 0; m < count; ++m) {
    T* const x = a.data() + m * n * n;
    const bl::index last = static_cast<bl::index>(random() % static_cast<unsigned>(n));
    for (bl::index j = 0; j < n; ++j) x[last * n + j] = 0;
    for (bl::index i = 0; i < n; ++i) {
      const int f = factor(random);
      for (bl::index j = 0; j < n && i != last; ++j) {
        x[i * n + j] = static_cast<T>(element(random));
        x[last * n + j] += static_cast<T>(f) * x[i * n + j];
      }
    }
  }
  return a;
}

template <class T>
void check(bl::index n) {
  const bl::dtensor<T, 3> a = singular<T>(n);
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const bl::dtensor<T, 1> all = bl::det(a);
    const auto inverses = bl::inv_ex(a);
    const bl::dtensor<std::int32_t, 1> info = inverses.info;
    bl::index found = 0, failed = 0;
    for (bl::index m = 0; m < count; ++m) {
      found += all.data()[m] == 0;
      failed += info.data()[m] != 0;
    }
    BOOST_TEST(found == count, n << " rows: " << found << " at " << bl::to_string(level));
    BOOST_TEST(failed == count, n << " rows: " << failed << " at " << bl::to_string(level));
  }
  bl::set_isa(bl::isa::v4);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_exact)

BOOST_AUTO_TEST_CASE(singular_matrices_of_whole_numbers_are_found) {
  for (const bl::index n : {2, 3, 4, 5, 8, 9, 12}) {
    check<float>(n);
    check<double>(n);
  }
}

BOOST_AUTO_TEST_CASE(others_are_not) {
  const bl::dtensor<double, 2> near{{1, 1}, {3, 3 + 1e-12}}, small{{1e-200, 0}, {0, 1e-200}};
  BOOST_TEST(bl::eval(bl::det(near)).item() != 0);
  BOOST_TEST(bl::eval(bl::inv(small))(0, 0) == 1e200);
  const bl::dtensor<float, 2> large{{30000, 30001}, {30001, 30002}};  // -1
  BOOST_TEST(bl::eval(bl::inv_ex(large).info).item() == 0);
}

BOOST_AUTO_TEST_CASE(static_sizes_and_constant_expressions) {
  constexpr bl::tensor<double, bl::shape<2, 2>> two{{1, 1}, {3, 3}};
  constexpr double nothing = bl::det(two).item();
  static_assert(nothing == 0);
  BOOST_TEST(!std::signbit(nothing));
  constexpr bl::tensor<float, bl::shape<3, 3>> three{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  static_assert(bl::det(three).item() == 0);
  bl::tensor<double, bl::shape<2>> b{1, 2}, x;
  BOOST_CHECK_THROW((x = bl::solve(two, b)), bl::linalg_error);
  bl::tensor<float, bl::shape<3>> c{1, 2, 3}, y;
  BOOST_CHECK_THROW((y = bl::solve(three, c)), bl::linalg_error);
}

BOOST_AUTO_TEST_CASE(infinite_matrices_and_conditions) {
  const double infinity = std::numeric_limits<double>::infinity();
  const bl::dtensor<double, 2> up{{infinity}}, down{{-infinity}}, tiny{{1e-320, 0}, {0, 1e-320}};
  BOOST_TEST(bl::eval(bl::matrix_exp(up))(0, 0) == infinity);
  BOOST_TEST(bl::eval(bl::matrix_exp(down))(0, 0) == 0);
  BOOST_TEST(std::fabs(bl::eval(bl::cond(tiny, 1)).item() - 1) < 1e-15);
  BOOST_TEST(bl::eval(bl::cond(bl::dtensor<double, 2>{{1, 1}, {3, 3}}, 1)).item() == infinity);
}

BOOST_AUTO_TEST_SUITE_END()
