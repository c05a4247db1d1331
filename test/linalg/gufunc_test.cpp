// A user's function of core arrays: every protocol, static and dynamic sizes, errors, exceptions.
#include <broadloom/linalg/gufunc.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "matrices.hpp"

using matrices::distance;
using matrices::random;

BOOST_AUTO_TEST_SUITE(linalg_gufunc)

constexpr auto inner = [](const auto& x, const auto& y) {
  double s = 0;
  for (bl::index i = 0; i < x.shape()[0]; ++i) s += x(i) * y(i);
  return s;
};

BOOST_AUTO_TEST_CASE(a_number_for_each_pair) {
  const auto a = random<double>(1, 4, 1, 5);
  const auto b = random<double>(2, 3, 5);
  std::atomic<int> calls{0};
  const bl::tensor r = bl::gufunc<"(n),(n)->()">([&](const auto& x, const auto& y) {
    ++calls;
    return inner(x, y);
  })(a, b);
  BOOST_TEST((r.shape() == bl::dshape<2>(4, 3)));
  BOOST_TEST(calls.load() == 12);
  BOOST_TEST(distance(r, bl::eval(bl::vecdot(a, b))) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(a_result_that_is_an_expression) {
  const auto a = random<double>(3, 6, 4);
  const bl::tensor r = bl::gufunc<"(n)->(n)">([](const auto& x) { return x - bl::sum(x) / 4.0; })(a);
  BOOST_TEST(distance(r, bl::eval(a - bl::mean(a, bl::axes<1>, bl::keepdim))) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(results_that_are_written_to) {
  const auto a = random<double>(4, 5, 3, 7);
  const bl::tensor turned = bl::gufunc<"(m,n)->(n,m)">([](const auto& x, const auto& to) { to = x.T(); })(a);
  BOOST_TEST((turned.shape() == bl::dshape<3>(5, 7, 3)));
  BOOST_TEST(distance(turned, bl::transpose(a, 1, 2)) == 0);
  const auto [low, high] = bl::gufunc<"(n)->(),()">([](const auto& x, const auto& least, const auto& most) {
    double l = x(0), h = x(0);
    for (bl::index i = 1; i < x.shape()[0]; ++i) {
      l = std::min(l, x(i));
      h = std::max(h, x(i));
    }
    least = bl::full<double>(bl::shape<>{}, l);
    most = bl::full<double>(bl::shape<>{}, h);
  })(a);
  BOOST_TEST(distance(low, bl::amin(a, bl::axes<2>)) == 0);
  BOOST_TEST(distance(high, bl::amax(a, bl::axes<2>)) == 0);
}

BOOST_AUTO_TEST_CASE(static_sizes_reach_the_function) {
  bl::tensor<float, bl::shape<bl::dyn, 3>> a(bl::index{2});
  a(1, 2) = 5;
  const auto e = bl::gufunc<"(n)->()">([](const auto& x) {
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(x)>::shape_type, bl::shape<3>>);
    return x(2);
  })(a);
  BOOST_TEST(bl::eval(e)(1) == 5);
  using shape_type = decltype(e)::shape_type;
  static_assert(std::is_same_v<shape_type, bl::dshape<1>>);
}

BOOST_AUTO_TEST_CASE(it_is_lazy_and_part_of_trees) {
  const auto a = random<double>(5, 6, 4);
  int built = 0;
  const auto e = bl::gufunc<"(n)->()">([&](const auto& x) {
    ++built;
    return x(0);
  })(a);
  BOOST_TEST(built == 0);
  BOOST_TEST(distance(bl::eval(e * 2.0 + 1.0, bl::seq), bl::eval(bl::slice(a, bl::all, 0) * 2.0 + 1.0)) == 0);
  BOOST_TEST(built == 6);
}

BOOST_AUTO_TEST_CASE(errors) {
  const auto a = random<double>(6, 4, 5);
  const auto b = random<double>(7, 4);
  const auto f = bl::gufunc<"(n),(n)->()">(inner);
  BOOST_CHECK_EXCEPTION(f(a, b), bl::shape_error, [](const bl::shape_error& e) {
    return std::string(e.what()).find(
               "gufunc: Input operand 1 has a mismatch in its core dimension 0, with signature "
               "(n),(n)->() (size 4 is different from 5)") != std::string::npos;
  });
  const auto throws = bl::gufunc<"(n)->()">([](const auto& x) -> double {
    if (x(0) == x(0)) throw std::runtime_error("as asked");
    return 0;
  });
  BOOST_CHECK_THROW(bl::eval(throws(a)), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
