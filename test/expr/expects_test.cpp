// expects<...>: sizes of arguments that must be the same, against a plain comparison of all pairs, and its messages.
#include <broadloom/expr/expects.hpp>

#include <boost/test/unit_test.hpp>
#include <string>
#include <type_traits>

#include <broadloom/broadloom.hpp>

#include "thrown.hpp"

namespace bl = broadloom;
using bl::dyn;

namespace {

constexpr bl::index N = bl::size<"n">, B = bl::size<"b">;

template <class X, bl::index... E>
constexpr bool has = std::is_same_v<typename std::remove_cvref_t<X>::shape_type, bl::shape<E...>>;

static_assert(bl::detail::read_expectation("(b, n),( n ,3),()").ok);
static_assert(bl::detail::read_expectation("(_)").ok);
static_assert(!bl::detail::read_expectation("").ok && !bl::detail::read_expectation("(b").ok);
static_assert(!bl::detail::read_expectation("(b,),(n)").ok && !bl::detail::read_expectation("(b)(n)").ok);
static_assert(!bl::detail::read_expectation("(much_too_long)").ok && !bl::detail::read_expectation("(3b)").ok);

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_expects)

BOOST_AUTO_TEST_CASE(arguments_come_back_with_names_and_not_copied) {
  bl::dtensor<float, 2> x(3, 4), y(3, 4);
  const auto [p, q] = bl::expects<"(b,n),(b,n)">(x, y);
  static_assert(has<decltype(p), B, N> && has<decltype(q), B, N>);
  BOOST_TEST(p.data() == x.data());
  BOOST_TEST(q.data() == y.data());
  static_assert(has<decltype(p + q), B, N>);
  // a number in any type is known for all
  bl::tensor<float, bl::shape<dyn, 4>> z(3);
  const auto [r, s] = bl::expects<"(b,n),(b,n)">(x, z);
  static_assert(has<decltype(r), B, 4> && has<decltype(s), B, 4>);
  const auto [t, u, v] = bl::expects<"(_,n),(n),()">(x, bl::ones<float>(4), bl::sum(x));
  static_assert(has<decltype(t), dyn, N> && has<decltype(u), N> && has<decltype(v)>);
}

BOOST_AUTO_TEST_CASE(sizes_are_compared_wherever_a_name_stands) {
  for (bl::index a = 0; a < 3; ++a)
    for (bl::index b = 0; b < 3; ++b)
      for (bl::index c = 0; c < 3; ++c)
        for (bl::index d = 0; d < 3; ++d) {
          const bl::dtensor<float, 2> x(a, b), y(c, d);
          const auto fails = [&](auto call) { return thrown<bl::shape_error>(call) != "nothing was thrown"; };
          BOOST_TEST(fails([&] { bl::expects<"(b,n),(n,b)">(x, y); }) == (a != d || b != c));
          BOOST_TEST(fails([&] { bl::expects<"(b,n),(b,_)">(x, y); }) == (a != c));
          BOOST_TEST(fails([&] { bl::expects<"(n,n),(2,n)">(x, y); }) == (a != b || c != 2 || d != a));
          BOOST_TEST(fails([&] { bl::expects<"(_,_),(_,_)">(x, y); }) == false);
        }
}

BOOST_AUTO_TEST_CASE(a_refusal_names_argument_axis_name_and_both_sizes) {
  const bl::dtensor<float, 2> x(3, 4), y(5, 4);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::expects<"(b,n),(b,n)">(x, y); }) ==
             "expects: argument 1, axis 0 has size 5, not 3 as b in argument 0\n  expected (b,n),(b,n)");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::expects<"(b,7)">(x); }) ==
             "expects: argument 0, axis 1 has size 4, not 7\n  expected (b,7)");
  const bl::tensor<float, bl::shape<dyn, 4>> z(3);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::expects<"(b,n),(n)">(z, bl::ones<float>(5)); }) ==
             "expects: argument 1, axis 0 has size 5, not 4\n  expected (b,n),(n)");
}

BOOST_AUTO_TEST_SUITE_END()
