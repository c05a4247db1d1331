// Running sums that are evaluated a block at a time.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(reduce_scan)

BOOST_AUTO_TEST_CASE(a_ramp_goes_on_from_block_to_block) {
  const bl::index n = 40000;
  for (const int threads : {1, 2}) {
    bl::set_max_threads(threads);
    for (const double first : {0.0, 5.0}) {
      const bl::dtensor<double, 1> sums = bl::cumsum((bl::iota<double>(n) + first) * 3.0, 0);
      double sum = 0;
      bl::index wrong = 0;
      for (bl::index i = 0; i < n; ++i) wrong += sums(i) != (sum += (static_cast<double>(i) + first) * 3);  // exact
      BOOST_TEST(wrong == 0, threads << " threads, from " << first);
    }
  }
  bl::set_max_threads(0);
}

BOOST_AUTO_TEST_SUITE_END()
