// With the least headers that compile, results of where are taken apart and arrays of rank 0 computed as with all.
#include <broadloom/fn/composite.hpp>
#include <broadloom/index/nonzero.hpp>
#include <broadloom/tensor/tensor.hpp>

#include <boost/test/unit_test.hpp>
#include <type_traits>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(index_nonzero)

BOOST_AUTO_TEST_CASE(results_are_taken_apart) {
  const bl::dtensor<int, 2> a{{1, 2}, {3, 0}};
  const auto [i, j] = bl::where(a > 1);
  static_assert(std::is_same_v<decltype(i), const bl::index_array>);
  BOOST_TEST(i.size() == 2);
  BOOST_TEST((i(0) == 0 && i(1) == 1 && j(0) == 1 && j(1) == 0));
}

BOOST_AUTO_TEST_CASE(arrays_of_rank_0_stay_arrays) {
  const bl::dtensor<double, 0> x;
  static_assert(bl::expression<decltype(x + 1)> && bl::expression<decltype(x < 1)> && bl::expression<decltype(-x)>);
}

BOOST_AUTO_TEST_SUITE_END()
