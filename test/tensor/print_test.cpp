// What a stream takes: shapes, arrays of any kind and expressions, as to_string writes them.
#include <broadloom/tensor/print.hpp>

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

namespace {

template <class X>
std::string streamed(const X& x) {
  std::ostringstream to;
  to << x;
  return to.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_print)

BOOST_AUTO_TEST_CASE(shapes_are_lists_of_extents) {
  BOOST_TEST(streamed(bl::shape<>{}) == "()");
  BOOST_TEST(streamed(bl::shape<5, 1, 3>{}) == "(5, 1, 3)");
  BOOST_TEST(streamed(bl::shape<bl::dyn, 3>(0)) == "(0, 3)");
  const bl::dtensor<float, 2> x(4, 1);
  BOOST_TEST(streamed((x + bl::zeros<float>(3)).shape()) == "(4, 3)");
  BOOST_TEST(streamed(x.shape()) == bl::to_string(x.shape()));
}

BOOST_AUTO_TEST_CASE(arrays_views_and_expressions_are_their_elements) {
  bl::dtensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(streamed(x) == "[[1 2 3]\n [4 5 6]]");
  BOOST_TEST(streamed(x.T()) == "[[1 4]\n [2 5]\n [3 6]]");
  BOOST_TEST(streamed(x(1, bl::range(bl::none, bl::none, -2)) * 10) == "[60 40]");
  BOOST_TEST(streamed(bl::sum(x)) == "21");
  BOOST_TEST(streamed(bl::dtensor<int, 1>(0)) == "[]");
}

BOOST_AUTO_TEST_SUITE_END()
