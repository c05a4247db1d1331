// ndenumerate visits every element in row-major order, with its indices.
#include <broadloom/index/ndenumerate.hpp>

#include <boost/test/unit_test.hpp>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(index_ndenumerate)

BOOST_AUTO_TEST_CASE(elements_and_indices) {
  bl::dtensor<int, 3> x(2, 3, 4);
  int n = 0;
  for (auto [at, value] : bl::ndenumerate(x)) {
    value = n++;
    BOOST_TEST(&value == &x(at[0], at[1], at[2]));
  }
  BOOST_TEST(n == 24);
  n = 0;
  for (const auto& [at, value] : bl::ndenumerate(x.T() * 2)) {
    BOOST_TEST(value == 2 * x(at[2], at[1], at[0]));
    ++n;
  }
  BOOST_TEST(n == 24);
  const bl::tensor<float, bl::shape<2, 2>> fixed{{1, 2}, {3, 4}};
  float sum = 0;
  for (const auto& [at, value] : bl::ndenumerate(fixed)) sum += value * static_cast<float>(at[1]);
  BOOST_TEST(sum == 6);
  for (const auto& each : bl::ndenumerate(bl::dtensor<int, 2>(0, 3))) BOOST_FAIL(each.value);
  for (const auto& each : bl::ndenumerate(bl::dtensor<int, 0>(7))) BOOST_TEST(each.value == 7);
}

BOOST_AUTO_TEST_SUITE_END()
