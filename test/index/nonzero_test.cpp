// With the least headers that compile, results of where are taken apart and arrays of rank 0 computed as with all.
#include <broadloom/fn/composite.hpp>
#include <broadloom/index/nonzero.hpp>
#include <broadloom/tensor/tensor.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <type_traits>
#include <vector>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(index_nonzero)

BOOST_AUTO_TEST_CASE(results_are_taken_apart) {
  const bl::dtensor<int, 2> a{{1, 2}, {3, 0}};
  const auto [i, j] = bl::where(a > 1);
  static_assert(std::is_same_v<decltype(i), const bl::index_array>);
  BOOST_TEST(i.size() == 2);
  BOOST_TEST((i(0) == 0 && i(1) == 1 && j(0) == 1 && j(1) == 0));
}

// Of one axis they are written where they stay, whole vectors at a time: never behind a block's own.
BOOST_AUTO_TEST_CASE(positions_along_one_axis) {
  for (const bl::index n : {0, 1, 7, 8, 9, 255, 256, 257, 265, 600, 65536, 65537, 65800, 131080})
    for (const int kind : {0, 1, 2, 3}) {
      bl::dtensor<float, 1> x{bl::dshape<1>(n)};
      std::vector<bl::index> wanted;
      for (bl::index i = 0; i < n; ++i) {
        const bool set = kind == 0 ? i % 3 != 0 : kind == 1 ? true : kind == 2 ? i % 65536 < 2 : (i * 7919) % 64 > 40;
        x.data()[i] = set ? 2.0F : -0.0F;
        if (set) wanted.push_back(i);
      }
      const bl::index_array mask = bl::where(x > 0)[0], numbers = bl::where(x)[0];
      for (const bl::index_array& at : {mask, numbers})
        BOOST_TEST((at.size() == static_cast<bl::index>(wanted.size()) &&
                    std::equal(wanted.begin(), wanted.end(), at.data())));
    }
}

BOOST_AUTO_TEST_CASE(arrays_of_rank_0_stay_arrays) {
  const bl::dtensor<double, 0> x;
  static_assert(bl::expression<decltype(x + 1)> && bl::expression<decltype(x < 1)> && bl::expression<decltype(-x)>);
}

BOOST_AUTO_TEST_SUITE_END()
