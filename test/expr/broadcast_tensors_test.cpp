// Arrays seen with the shape they have together.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <string>

namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(expr_broadcast_tensors)

BOOST_AUTO_TEST_CASE(each_is_expanded_to_the_common_shape) {
  bl::dtensor<int, 2> column(3, 1);
  for (int i = 0; i < 3; ++i) column(i, 0) = 10 * i;
  const auto row = bl::arange<int>(4);
  const auto [x, y, z] = bl::broadcast_tensors(column, row, bl::ones<float>(2, 1, 1) * 2);
  BOOST_TEST((x.shape() == bl::make_shape(2, 3, 4) && y.shape() == x.shape() && z.shape() == x.shape()));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) BOOST_TEST((x(i, j, k) == 10 * j && y(i, j, k) == k && z(i, j, k) == 2.0f));
  BOOST_TEST(x.data() == column.data());  // nothing is copied
  const auto [alone] = bl::broadcast_tensors(row);
  BOOST_TEST((alone.shape() == bl::make_shape(4)));
  const auto [p, q] = bl::broadcast_tensors(bl::sum(column, bl::axes<1>), column);
  BOOST_TEST(bl::eval(p)(2, 1) == 10);
  BOOST_TEST(q(2, 1) == 20);
}

BOOST_AUTO_TEST_CASE(what_is_static_stays_static) {
  bl::tensor<float, bl::shape<5, 1>> a;
  bl::tensor<float, bl::shape<1, bl::dyn>> b(bl::shape<1, bl::dyn>(3));
  const auto [x, y] = bl::broadcast_tensors(a, b);
  static_assert(std::is_same_v<decltype(x.shape()), const bl::shape<5, bl::dyn>&>);
  static_assert(std::is_same_v<decltype(y.shape()), const bl::shape<5, bl::dyn>&>);
  BOOST_TEST(y.shape()[1] == 3);
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_meet_are_named) {
  BOOST_CHECK_EXCEPTION(bl::broadcast_tensors(bl::zeros<float>(4, 6), bl::zeros<float>(5)), bl::shape_error,
                        [](const bl::shape_error& e) {
                          return std::string(e.what()).find(
                                     "The size of tensor a (6) must match the size of tensor b (5) at non-singleton "
                                     "dimension 1\n  broadcast_tensors(4, 6,") == 0;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
