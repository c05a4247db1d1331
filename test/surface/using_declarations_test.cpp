// Programs with using-declarations of the library's names at global scope: templates have no local variables of these
// names, of which GCC would warn there (-Wshadow).
#pragma GCC diagnostic error "-Wshadow"
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>
#include <broadloom/linalg/multi_dot.hpp>
#include <broadloom/reduce/own.hpp>

using broadloom::add, broadloom::adopt, broadloom::end, broadloom::reduce, broadloom::scan, broadloom::size;
using broadloom::all, broadloom::any, broadloom::from, broadloom::sum, broadloom::prod, broadloom::mean,
    broadloom::range;
using broadloom::amax, broadloom::argmax, broadloom::sign;
using broadloom::cat, broadloom::take, broadloom::where, broadloom::windows, broadloom::matmul, broadloom::median;
using broadloom::nonzero, broadloom::index_put_, broadloom::indices, broadloom::let, broadloom::none, broadloom::slice;

BOOST_AUTO_TEST_SUITE(surface_using_declarations)

BOOST_AUTO_TEST_CASE(templates_do_not_shadow_them) {
  namespace bl = broadloom;
  bl::dtensor<double, 2> x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const bl::dtensor<double, 1> sums = sum(windows(windows(x, 0, 2), 1, 2), {-2, -1}).T()(0);
  BOOST_TEST(bl::array_equal(sums, bl::dtensor<double, 1>{12, 24}));
  BOOST_TEST(bl::eval(matmul(x, x))(0, 0) == 30);
  BOOST_TEST(where(x > 5)[0].size() == 4);
  BOOST_TEST(nonzero(x > 5).extent(0) == 4);
  const bl::index_array at{0, 2};
  index_put_(x, indices(at, at), 1.0, true);
  x(at) = 2 * x(at);
  BOOST_TEST(x(2, 2) == 20);
  BOOST_TEST(bl::eval(cat(0, x, x)).extent(0) == 6);
  BOOST_TEST(bl::eval(amax(x, 1))(2) == 20);
  const auto e = let(bl::exp(x - amax(x, bl::axes<1>, bl::keepdim)));
  BOOST_TEST(all(e <= 1).item());
  BOOST_TEST(any(argmax(x, 1) == 2).item());
  BOOST_TEST(mean(take(x, at, 0)).item() > 0);
  BOOST_TEST(median(x, 1).values(1) == 5);
  const bl::dtensor<double, 2> squares = sum(bl::square(bl::unsqueeze(x, 1) - x), 2);
  BOOST_TEST(squares(1, 1) == 0);
  const auto plus = [](double a, double b) { return a + b; };
  const bl::dtensor<double, 1> columns = reduce(x, 0, 0.0, plus), rows = reduce(x, 1, 0.0, plus, bl::any_order);
  BOOST_TEST(columns(2) == 32);
  BOOST_TEST(rows(2) == 50);
  BOOST_TEST(bl::eval(scan(x, 0, 0.0, plus))(2, 2) == 32);
  BOOST_TEST(bl::eval(bl::pointwise(plus, x, x))(0, 0) == 8);
  BOOST_TEST(bl::eval(bl::multi_dot(x, x, x)).extent(0) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
