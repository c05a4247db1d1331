// Dot products of long vectors are sums of equal parts: their bits do not depend on threads, strides or the function.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg/products.hpp>

namespace {

namespace bl = broadloom;

template <class T>
void check(bl::index n) {
  bl::dtensor<T, 1> x(n), y(n), apart(2 * n);
  double sum = 0, magnitudes = 0;
  for (bl::index i = 0; i < n; ++i) {
    x(i) = static_cast<T>((i * 37) % 101 - 50) / 7;
    y(i) = static_cast<T>((i * 13) % 97 - 40) / 9;
    apart(2 * i) = y(i);
    const double product = static_cast<double>(x(i)) * static_cast<double>(y(i));
    sum += product;
    magnitudes += std::abs(product);
  }
  bl::dtensor<T, 0> one, two, of_stack, strided, strided_two;
  bl::assign(one, bl::dot(x, y), bl::seq);
  bl::assign(two, bl::dot(x, y), bl::par);
  bl::assign(of_stack, bl::matmul(x, y), bl::par);
  bl::assign(strided, bl::dot(x, apart(bl::range(0, 2 * n, 2))), bl::seq);
  bl::assign(strided_two, bl::dot(x, apart(bl::range(0, 2 * n, 2))), bl::par);
  BOOST_TEST(one() == two(), n);
  BOOST_TEST(one() == of_stack(), n);
  BOOST_TEST(strided() == strided_two(), n);
  const double allowed = magnitudes * static_cast<double>(std::numeric_limits<T>::epsilon()) * 8;
  BOOST_TEST(std::abs(static_cast<double>(one()) - sum) <= allowed, n);
  BOOST_TEST(std::abs(static_cast<double>(strided()) - sum) <= 64 * allowed, n);
}

}  // namespace

BOOST_AUTO_TEST_CASE(long_dot_products_of_all_threads) {
  for (const bl::index part : {bl::index{1} << 16, bl::index{1} << 17})
    for (const bl::index n : {2 * part - 1, 2 * part, 2 * part + 1, 5 * part + 77}) {
      check<float>(n);
      check<double>(n);
    }
}
