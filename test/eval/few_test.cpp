// Products of small dynamic matrices by themselves and in trees: the bits of bl::reproducible, and nothing on the heap.
// Build: sanitizers-alone
#include <broadloom/eval/few.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <string>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg/products.hpp>

namespace bl = broadloom;

namespace {

template <class... N>
auto some(int seed, N... n) {
  bl::dtensor<float, sizeof...(N)> x(static_cast<bl::index>(n)...);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 37 + seed * 11) % 101) / 17 - 3;
  return x;
}
template <class A, class B>
bool same(const A& a, const B& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), sizeof(float) * static_cast<std::size_t>(a.size())) == 0;
}
// `e` as it comes and in the order of the index.
template <int Rank, class E>
void check(const std::string& what, const E& e) {
  const bl::dtensor<float, Rank> x = e;
  bl::dtensor<float, Rank> y(e.shape());
  bl::assign(y, e, bl::par | bl::reproducible);
  BOOST_TEST(same(x, y), what);
  BOOST_TEST(
      bl::explain(e).routes[0] ==
          (bl::detail::few_count<E> > 0 && bl::detail::map_node<E> ? "small parts in place" : "by the function itself"),
      what);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_few)

// A product as a whole, of few elements and of more, into outputs that it is not written to as it is: one that repeats
// its rows, one that is an operand, and as a view of another shape.
BOOST_AUTO_TEST_CASE(outputs_of_whole_products) {
  for (const int k : {3, 40}) {
    const auto a = some(1, 1, k), b = some(2, k, 4), square = some(3, k, k);
    const bl::dtensor<float, 2> row = bl::matmul(a, b), power = bl::matmul(square, square);
    bl::dtensor<float, 2> rows({3, 4}, 9.f);
    bl::assign(rows, bl::matmul(a, b));
    for (bl::index i = 0; i < 3; ++i) BOOST_TEST(bl::all(rows(i, bl::all) == row(0, bl::all)).item());
    BOOST_TEST(bl::explain(rows, bl::matmul(a, b)).routes[0] != "by the function itself");

    bl::dtensor<float, 2> x = square;
    x = bl::matmul(x, x);
    BOOST_TEST(same(x, power));
    x = square;
    bl::assign(x, bl::matmul(x, square.T().T()));
    BOOST_TEST(same(x, power));

    bl::dtensor<float, 2> column(4, 1);
    column = bl::reshape(bl::matmul(a, b), 4, 1);
    for (bl::index i = 0; i < 4; ++i) BOOST_TEST(column(i, 0) == row(0, i));
    bl::dtensor<float, 2> none(0, k), of_none(2, 2);
    of_none = bl::matmul(none, b);
    BOOST_TEST(of_none.shape()[0] == 0);
    BOOST_TEST(of_none.shape()[1] == 4);
  }
}

BOOST_AUTO_TEST_CASE(every_small_size) {
  for (const int m : {1, 2, 3, 7, 8})
    for (const int k : {1, 3, 8})
      for (const int n : {1, 2, 4, 5, 8}) {
        const std::string what = std::to_string(m) + " x " + std::to_string(k) + " x " + std::to_string(n);
        const auto a = some(1, m, k), at = some(2, k, m), b = some(3, k, n), bt = some(4, n, k), c = some(5, m, n);
        const auto x = some(6, k);
        check<2>(what, bl::matmul(a, b));
        check<2>(what + " transposed", bl::matmul(at.T(), bt.T()));
        check<2>(what + " plus", bl::matmul(a, b) + c);
        check<1>(what + " mv", bl::matmul(a, x) * 2.f);
        check<1>(what + " vm", bl::matmul(x, b));
      }
}

BOOST_AUTO_TEST_CASE(dot_products) {
  for (const int k : {1, 2, 3, 8, 16}) {
    const auto x = some(1, k), y = some(2, k);
    const auto all = some(3, k, 2);
    const auto column = bl::select(all, 1, 1);
    check<0>("dot of " + std::to_string(k), bl::dot(x, y));
    check<0>("dot of a column of " + std::to_string(k), bl::dot(x, column));
    check<1>("a tree with a dot product", x * bl::dot(x, y) + y);
    bl::dtensor<float, 0> in_order{bl::dshape<0>()};
    bl::assign(in_order, bl::dot(x, column), bl::par | bl::reproducible);
    const float number = bl::dot(x, column);
    BOOST_TEST(number == in_order.item());
  }
  BOOST_CHECK_THROW(static_cast<void>(bl::dot(some(1, 3), some(1, 4))), bl::shape_error);
  const bl::dtensor<float, 1> none(0);
  BOOST_TEST(bl::dot(none, none).item() == 0);
  const auto x = some(1, 1000);
  BOOST_TEST(std::abs(bl::dot(x, x).item() - bl::sum(x * x).item()) < 1e-2f);
}

// Rows and terms that do not fill vectors.
BOOST_AUTO_TEST_CASE(products_with_vectors) {
  for (const int m : {3, 4, 5, 13, 16})
    for (const int k : {2, 4, 6, 16}) check<1>("mv", bl::matmul(some(1, m, k), some(2, k)));
}

BOOST_AUTO_TEST_CASE(outputs_that_are_operands) {
  auto a = some(1, 4, 4), b = some(2, 4, 4);
  const bl::dtensor<float, 2> product = bl::matmul(a, b), want = product + a;
  auto o = a;
  o = bl::matmul(o, b);
  BOOST_TEST(same(o, product));
  o = a;
  o = bl::matmul(o, b) + o;
  BOOST_TEST(same(o, want));
  o = a;
  o(bl::all, bl::all) = bl::matmul(o.T(), b);
  BOOST_TEST(same(o, bl::eval(bl::matmul(bl::eval(a.T()), b))));
}

// Errors as for large ones, and no product of nothing.
BOOST_AUTO_TEST_CASE(edges) {
  const auto a = some(1, 3, 4), b = some(2, 3, 4);
  BOOST_CHECK_THROW(bl::matmul(a, b), bl::shape_error);
  const bl::dtensor<float, 2> none(3, 0), other(0, 2);
  const bl::dtensor<float, 2> zeros = bl::matmul(none, other) + 1.f;
  BOOST_TEST(same(zeros, bl::eval(bl::ones<float>(3, 2))));
  bl::dtensor<float, 2> o(2, 2);
  BOOST_CHECK_THROW(bl::assign(o, bl::matmul(a, a.T()) + 1.f), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
