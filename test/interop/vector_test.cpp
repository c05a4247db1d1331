// to_vector: the elements of anything, in row-major order.
#include <broadloom/interop/vector.hpp>

#include <boost/test/unit_test.hpp>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(interop_vector)

template <class T, class X>
void has_the_elements(const X& x) {
  const std::vector<T> v = bl::to_vector(x);
  const auto e = bl::eval(x);
  BOOST_TEST_REQUIRE(v.size() == static_cast<std::size_t>(e.size()));
  std::size_t i = 0;
  for (T y : e) BOOST_TEST(v[i++] == y);
}

BOOST_AUTO_TEST_CASE(elements_of_arrays_views_and_expressions) {
  for (bl::index rows = 0; rows < 5; ++rows)
    for (bl::index columns = 0; columns < 5; ++columns) {
      bl::dtensor<int, 2> a(rows, columns);
      int n = 0;
      for (int& x : a) x = n++;
      has_the_elements<int>(a);
      has_the_elements<int>(a.T());
      has_the_elements<int>(bl::flip(a, 1) * 2);
      has_the_elements<bool>(a > 3);
      has_the_elements<std::int64_t>(bl::sum(a, 1));
      has_the_elements<std::int64_t>(bl::sum(a));
      has_the_elements<float>(bl::cast<float>(a) / 2);
    }
  const bl::tensor<double, bl::shape<2, 2>> fixed{{1, 2}, {3, 4}};
  BOOST_TEST(bl::to_vector(fixed, bl::seq) == (std::vector<double>{1, 2, 3, 4}), boost::test_tools::per_element());
  BOOST_TEST(bl::to_vector(bl::dtensor<float, 1>{1, 2}) == (std::vector<float>{1, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(bl::to_vector(std::vector<float>{3, 4}) == (std::vector<float>{3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
