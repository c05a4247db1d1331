// Parameters that are true or false take bool alone: no text, no letter, no number.
#include <broadloom/core/flag.hpp>

#include <broadloom/broadloom.hpp>
#include <broadloom/index/membership.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

using vector = const bl::dtensor<double, 1>&;
using matrix = const bl::dtensor<double, 2>&;

template <class F, class Flag, class... A>
concept takes = requires(const F& f, A... a, Flag x) { f(a..., x); };
// F takes a bool as its last argument, and nothing that C++ would make one of.
template <class F, class... A>
constexpr bool takes_bool_alone() {
  return takes<F, bool, A...> && takes<F, const bool&, A...> && !takes<F, const char*, A...> && !takes<F, char, A...> &&
         !takes<F, double, A...> && !takes<F, int, A...>;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core_flag)

BOOST_AUTO_TEST_CASE(a_flag_is_a_bool) {
  static_assert(bl::detail::plain_flag(true) && !bl::detail::plain_flag(false));
  static_assert(bl::detail::right_flag(bl::detail::plain_flag(true)));
  static_assert(sizeof(bl::detail::plain_flag) == sizeof(bool));
  BOOST_TEST(bl::searchsorted(bl::dtensor<double, 1>{1, 2}, bl::dtensor<double, 1>{1}, true)(0) == 1);
}

BOOST_AUTO_TEST_CASE(functions_take_bool_alone) {
  static_assert(takes_bool_alone<decltype(bl::searchsorted), vector, vector>());
  static_assert(takes_bool_alone<decltype(bl::bucketize), vector, vector>());
  static_assert(takes_bool_alone<decltype(bl::sort), vector, int>());
  static_assert(takes_bool_alone<decltype(bl::argsort), vector, int>());
  static_assert(takes_bool_alone<decltype(bl::topk), vector, int, int>());
  static_assert(takes_bool_alone<decltype(bl::isin), vector, vector>());
  static_assert(takes_bool_alone<decltype(bl::eigh), matrix>());
  static_assert(takes_bool_alone<decltype(bl::eigvalsh), matrix>());
  static_assert(takes_bool_alone<decltype(bl::cholesky), matrix>());
  static_assert(takes_bool_alone<decltype(bl::cholesky_inverse), matrix>());
  static_assert(takes_bool_alone<decltype(bl::solve_triangular), matrix, matrix>());
  static_assert(takes_bool_alone<decltype(bl::ormqr), matrix, vector, matrix>());
}

BOOST_AUTO_TEST_SUITE_END()
