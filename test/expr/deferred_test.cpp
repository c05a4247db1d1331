// Which barriers of a tree are one: those whose trees have the same leaves, numbers compared bit by bit.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace {

namespace bl = broadloom;
using bl::detail::same_tree;

constexpr double infinity = __builtin_inf(), quiet = __builtin_nan("");

bl::dtensor<double, 1> some(bl::index n) { return bl::arange<double>(1, double(n) + 1, 1); }
// Copied and moved without an exception, as their members are.
using sum_of_kept = decltype(bl::sum(std::declval<bl::dtensor<double, 2>>() * 2, 0));
using sum_of_view = decltype(bl::sum(std::declval<bl::dtensor<double, 2>&>() * 2, 0));
static_assert(std::is_nothrow_move_constructible_v<sum_of_kept> && std::is_nothrow_copy_constructible_v<sum_of_kept>);
static_assert(std::is_nothrow_move_constructible_v<sum_of_view> && std::is_nothrow_copy_constructible_v<sum_of_view>);

bl::index passes(const auto& e) { return static_cast<bl::index>(bl::explain(e).passes.size()); }

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_deferred)

BOOST_AUTO_TEST_CASE(zeros_of_both_signs_are_two_constants) {
  for (const bl::index n : {1, 3, 17, 5000}) {
    const auto x = some(n);
    const auto plus = bl::sum(x * 0.0), minus = bl::sum(x * -0.0);
    BOOST_TEST(bl::eval(bl::reciprocal(plus) - bl::reciprocal(minus)).item() == infinity, n);
    BOOST_TEST(bl::eval(bl::atan2(plus, minus)).item() == std::numbers::pi, n);
    BOOST_TEST(bl::eval(bl::atan2(minus, plus)).item() == 0, n);
    BOOST_TEST(passes(bl::atan2(plus, minus)) == 2);
    BOOST_TEST(!same_tree(plus, minus));
    BOOST_TEST(same_tree(plus, bl::sum(x * 0.0)));
  }
}

BOOST_AUTO_TEST_CASE(nans_of_other_bits_are_two_constants) {
  const auto x = some(40);
  const auto one = bl::sum(x * quiet), negative = bl::sum(x * -quiet), other = bl::sum(x * __builtin_nan("3"));
  BOOST_TEST(!same_tree(one, negative));
  BOOST_TEST(!same_tree(one, other));
  BOOST_TEST(same_tree(one, bl::sum(x * quiet)));
  BOOST_TEST(passes(one + bl::sum(x * quiet)) == 1);  // equal ones are computed once
  BOOST_TEST(passes(one + other) == 2);
}

BOOST_AUTO_TEST_CASE(fillers_are_compared_bit_by_bit) {
  for (const bl::index n : {2, 40, 5000}) {
    const auto x = some(n);
    const auto plus = bl::pad(x, {1, 1}, bl::padding::constant, 0.0),
               minus = bl::pad(x, {1, 1}, bl::padding::constant, -0.0);
    const auto both = bl::eval(bl::reciprocal(plus) - bl::reciprocal(minus));
    BOOST_TEST(both(0) == infinity, n);
    BOOST_TEST(both(n + 1) == infinity, n);
    BOOST_TEST(both(1) == 0, n);
    BOOST_TEST(!same_tree(plus, minus));
  }
  using kind = bl::detail::remap_kind<1, double>;
  BOOST_TEST((kind{{0}, quiet, {}} == kind{{0}, quiet, {}}));
  BOOST_TEST(!(kind{{0}, quiet, {}} == kind{{0}, -quiet, {}}));
  BOOST_TEST(!(kind{{0}, 0.0, {}} == kind{{0}, -0.0, {}}));
}

BOOST_AUTO_TEST_CASE(factors_of_products_are_compared_bit_by_bit) {
  const auto a = bl::eval(bl::ones<double>(2, 2)), c = bl::eval(bl::ones<double>(2, 2));
  BOOST_TEST(same_tree(bl::addmm(c, a, a, quiet, 1.0), bl::addmm(c, a, a, quiet, 1.0)));
  BOOST_TEST(!same_tree(bl::addmm(c, a, a, quiet, 1.0), bl::addmm(c, a, a, -quiet, 1.0)));
  BOOST_TEST(!same_tree(bl::addmm(c, a, a, 1.0, quiet), bl::addmm(c, a, a, 1.0, -quiet)));
  BOOST_TEST(!same_tree(bl::addmm(c, a, a, 1.0, 0.0), bl::addmm(c, a, a, 1.0, -0.0)));
}

BOOST_AUTO_TEST_SUITE_END()
