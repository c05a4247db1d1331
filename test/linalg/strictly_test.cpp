// Strict products of stacks: what strict refuses of their loop axes, and that all else is matmul.
#include <broadloom/linalg/strictly.hpp>

#include <boost/test/unit_test.hpp>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::dyn;

namespace {

template <class A, class B>
concept multiplies = requires(const A& a, const B& b) { bl::strictly::matmul(a, b); };

using stack = bl::dtensor<float, 3>;
using matrix = bl::dtensor<float, 2>;

static_assert(multiplies<stack, stack> && multiplies<stack, matrix> && multiplies<matrix, stack>);
static_assert(multiplies<matrix, bl::dtensor<float, 1>>);
static_assert(!multiplies<bl::dtensor<float, 4>, stack>);
static_assert(!multiplies<bl::tensor<float, bl::shape<2, 1, 3, 3>>, bl::tensor<float, bl::shape<1, 2, 3, 3>>>);

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_strictly)

BOOST_AUTO_TEST_CASE(stacks_of_one_are_expanded_only_where_the_type_says_so) {
  const stack many = bl::ones<float>(4, 2, 3), one = bl::ones<float>(1, 3, 2);
  const bl::tensor<float, bl::shape<1, dyn, dyn>> typed(one);
  BOOST_CHECK_THROW(static_cast<void>(bl::strictly::matmul(many, one)), bl::shape_error);
  BOOST_TEST(bl::eval(bl::strictly::matmul(many, typed))(3, 1, 1) == 3);
  BOOST_TEST(bl::eval(bl::strictly::matmul(many, bl::select(one, 0, 0)))(3, 1, 1) == 3);
  BOOST_TEST(bl::eval(bl::matmul(many, one))(3, 1, 1) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
