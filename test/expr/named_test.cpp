// Names given and taken, axes in the order of their names, and names that go through views, reductions, products and
// functions: they never change an element.
#include <broadloom/expr/named.hpp>

#include <boost/test/unit_test.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include "thrown.hpp"

namespace bl = broadloom;
using namespace bl::literals;
using bl::dyn;

namespace {

constexpr bl::index B = bl::size<"batch">, T = bl::size<"time">, F = bl::size<"feature">;

template <class X, bl::index... E>
constexpr bool has = std::is_same_v<typename std::remove_cvref_t<X>::shape_type, bl::shape<E...>>;

bl::dtensor<float, 3> numbers(bl::index a, bl::index b, bl::index c) {
  bl::dtensor<float, 3> x(a, b, c);
  int k = 0;
  for (float& v : x) v = static_cast<float>((k = (k * 7919 + 13) % 1009)) - 500;
  return x;
}

template <class X, class Y>
bool equal(const X& x, const Y& y) {
  const bl::tensor p = x;
  const bl::tensor q = y;
  if (p.size() != q.size() || p.rank() != q.rank()) return false;
  for (int i = 0; i < p.rank(); ++i)
    if (p.shape()[i] != q.shape()[i]) return false;
  for (bl::index i = 0; i < p.size(); ++i)
    if (p.data()[i] != q.data()[i]) return false;
  return true;
}

// Ten expressions are the same program, and so the same loops, with names and without.
template <class X, class Y>
constexpr bool same_program = std::is_same_v<bl::normal_form_t<X>, bl::normal_form_t<Y>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_named)

BOOST_AUTO_TEST_CASE(names_are_given_and_taken_without_a_copy) {
  auto x = numbers(2, 3, 4);
  const auto n = bl::named<"batch", 3, "feature">(x);
  static_assert(has<decltype(n), B, 3, F>);
  BOOST_TEST(n.data() == x.data());
  const auto u = bl::unnamed(n);
  static_assert(has<decltype(u), dyn, 3, dyn>);
  BOOST_TEST(u.data() == x.data());
  bl::named<"batch", dyn, dyn>(x) += 1;
  BOOST_TEST(equal(x, numbers(2, 3, 4) + 1));
  // of an expression, and again
  const auto e = bl::named<"batch", "time", dyn>(x * 2 + bl::sum(x, bl::axes<2>, bl::keepdim));
  static_assert(has<decltype(e), B, T, dyn>);
  BOOST_TEST(equal(e, x * 2 + bl::sum(x, bl::axes<2>, bl::keepdim)));
  static_assert(has<decltype(bl::named<"x", dyn, "y">(e)), bl::size<"x">, dyn, bl::size<"y">>);
  // an owned array stays alive in it
  const auto owned = bl::named<"batch", "time", "feature">(numbers(2, 3, 4));
  BOOST_TEST(equal(owned, numbers(2, 3, 4)));
}

BOOST_AUTO_TEST_CASE(what_named_says_is_checked_once) {
  const auto x = numbers(2, 3, 4);
  BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(bl::named<"batch", 5, dyn>(x)); }) ==
             "the shape's type fixes the extent of axis 1 to 5, not 3");
  BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(bl::named<"n", "n", dyn>(x)); }) ==
             "the size n is both 2 and 3 in one shape");
  BOOST_TEST(equal(bl::named<"n", dyn, "n">(numbers(4, 3, 4)), numbers(4, 3, 4)));
}

BOOST_AUTO_TEST_CASE(names_go_through_views_reductions_and_functions) {
  bl::tensor<float, bl::shape<B, T, F>> x(2, 3, 4);
  bl::assign(x, bl::named<"batch", "time", "feature">(numbers(2, 3, 4)));
  const auto plain = numbers(2, 3, 4);
  static_assert(has<decltype(x + 1), B, T, F> && has<decltype(bl::exp(x)), B, T, F>);
  static_assert(has<decltype(bl::transpose(x, 0_c, 1_c)), T, B, F>);
  static_assert(has<decltype(bl::flip(x, 1)), B, T, F>);
  static_assert(has<decltype(bl::select(x, 1_c, 0)), B, F>);
  static_assert(has<decltype(bl::narrow(x, 1_c, 0, 2_c)), B, 2, F>);
  static_assert(has<decltype(bl::unsqueeze(x, 1_c)), B, 1, T, F>);
  static_assert(has<decltype(bl::slice(x, bl::all, bl::newaxis, bl::range(0_c, 2_c), bl::all)), B, 1, dyn, F>);
  static_assert(has<decltype(bl::slice(x, bl::all, bl::range(1, bl::end), bl::all)), B, dyn, F>);
  static_assert(has<decltype(bl::sum(x, bl::axes<1>)), B, F> &&
                has<decltype(bl::sum(x, bl::axes<1>, bl::keepdim)), B, 1, F>);
  static_assert(has<decltype(bl::softmax(x, 2_c)), B, T, F> && has<decltype(bl::cumsum(x, 1_c)), B, T, F>);
  static_assert(has<decltype(bl::sort(x, 2_c).values), B, T, F>);
  static_assert(has<decltype(bl::eval(x)), B, T, F>);
  bl::tensor r = x * 2;
  static_assert(has<decltype(r), B, T, F>);
  BOOST_TEST(equal(r, plain * 2));
  BOOST_TEST(equal(bl::flip(x, 1), bl::flip(plain, 1)));
  BOOST_TEST(equal(bl::softmax(x, 2_c), bl::softmax(plain, 2_c)));
  BOOST_TEST(equal(bl::cat(0_c, x, x), bl::cat(0_c, plain, plain)));
  static_assert(has<decltype(bl::cat(0_c, x, x)), dyn, T, F> && has<decltype(bl::stack(0_c, x, x)), 2, B, T, F>);
  static_assert(has<decltype(bl::windows(x, 1_c, 2_c)), B, dyn, F, 2>);
  const bl::dtensor<float, 3> without = x;
  BOOST_TEST(equal(without, plain));
}

BOOST_AUTO_TEST_CASE(names_go_through_products) {
  constexpr bl::index N = bl::size<"n">, K = bl::size<"k">, M = bl::size<"m">;
  bl::tensor<float, bl::shape<N, K>> a(3, 4);
  bl::tensor<float, bl::shape<K, M>> b(4, 5);
  for (float& v : a) v = 2;
  for (float& v : b) v = 3;
  const auto p = bl::matmul(a, b);
  static_assert(has<decltype(p), N, M>);
  BOOST_TEST(bl::eval(p)(2, 4) == 24);
  bl::tensor<float, bl::shape<K, M>> wrong(6, 5);
  BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(bl::matmul(a, wrong)); }).find("nothing") ==
             std::string::npos);
  const auto e = bl::einsum<"ij,jk->ik">(a, b);
  static_assert(has<decltype(e), N, M>);
  BOOST_TEST(bl::eval(e)(2, 4) == 24);
  // stacks: names of loop axes meet, and 1 does not give way where it has a name
  bl::tensor<float, bl::shape<B, N, K>> stack(2, 3, 4);
  bl::tensor<float, bl::shape<B, K, M>> other(2, 4, 5), single(1, 4, 5);
  static_assert(has<decltype(bl::matmul(stack, other)), B, N, M>);
  BOOST_TEST(bl::eval(bl::matmul(stack, other)).size() == 30);
  BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(bl::matmul(stack, single)); }) != "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(axes_in_the_order_of_their_names) {
  bl::tensor<float, bl::shape<B, T, F>> x(2, 3, 4);
  bl::assign(x, bl::named<"batch", "time", "feature">(numbers(2, 3, 4)));
  const auto t = bl::transpose_to<"feature", "batch", "time">(x);
  static_assert(has<decltype(t), F, B, T>);
  BOOST_TEST(equal(t, bl::permute(numbers(2, 3, 4), 2, 0, 1)));
  bl::tensor<float, bl::shape<F, B>> w(4, 2);
  for (bl::index i = 0; i < 8; ++i) w.data()[i] = static_cast<float>(i);
  const auto a = bl::align(w, x);
  static_assert(has<decltype(a), B, 1, F>);
  const bl::tensor r = x + a;
  for (bl::index i = 0; i < 2; ++i)
    for (bl::index j = 0; j < 3; ++j)
      for (bl::index k = 0; k < 4; ++k) BOOST_TEST(r(i, j, k) == numbers(2, 3, 4)(i, j, k) + w(k, i));
  BOOST_TEST(a.data() == w.data());
}

BOOST_AUTO_TEST_CASE(names_leave_the_program_as_it_is) {
  bl::dtensor<float, 2> x(3, 4);
  bl::dtensor<float, 1> y(4);
  const auto n = bl::named<"batch", "feature">(x);
  const auto m = bl::named<"feature">(y);
  const auto v = bl::named<dyn, dyn>(x);
  const auto w = bl::named<dyn>(y);
  static_assert(same_program<decltype(n + m), decltype(v + w)>);
  static_assert(same_program<decltype(n * m + n), decltype(v * w + v)>);
  static_assert(same_program<decltype(bl::exp(n) - m), decltype(bl::exp(v) - w)>);
  static_assert(same_program<decltype(bl::addcmul(n, n, m)), decltype(bl::addcmul(v, v, w))>);
  static_assert(same_program<decltype(bl::where(n > m, n, 0)), decltype(bl::where(v > w, v, 0))>);
  static_assert(same_program<decltype(n / bl::sum(n, 1_c, bl::keepdim)), decltype(v / bl::sum(v, 1_c, bl::keepdim))>);
  static_assert(same_program<decltype(bl::softmax(n, 1_c)), decltype(bl::softmax(v, 1_c))>);
  static_assert(same_program<decltype(bl::transpose(n) + 1), decltype(bl::transpose(v) + 1)>);
  static_assert(same_program<decltype(bl::clamp(n, -1, 1) * m), decltype(bl::clamp(v, -1, 1) * w)>);
  static_assert(same_program<decltype(bl::pow(n, 2) + bl::abs(m)), decltype(bl::pow(v, 2) + bl::abs(w))>);
  BOOST_TEST(equal(n + m, x + y));
}

BOOST_AUTO_TEST_SUITE_END()
