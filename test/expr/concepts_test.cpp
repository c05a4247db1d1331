// What generic functions may ask of their arguments, on arrays, views, expressions and arrays of other libraries.
#include <broadloom/expr/concepts.hpp>

#include <boost/test/unit_test.hpp>
#include <type_traits>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::dyn;

namespace {

constexpr bl::index B = bl::size<"batch">, F = bl::size<"feature">;
using matrix = bl::dtensor<float, 2>;
using named = bl::tensor<float, bl::shape<B, 3>>;

static_assert(bl::rank_of<matrix> == 2 && bl::rank_of<const matrix&> == 2 && bl::rank_of<std::vector<float>&> == 1);
static_assert(std::is_same_v<bl::static_shape_of<named&>, bl::shape<B, 3>>);
static_assert(bl::extent_of<named, 0> == B && bl::extent_of<named, -1> == 3 && bl::extent_of<matrix, 1> == dyn);

static_assert(bl::array_of_rank<matrix, 2> && !bl::array_of_rank<matrix, 1> && !bl::array_of_rank<int, 0>);
static_assert(bl::array_of_rank<decltype(std::declval<matrix&>() + 1), 2>);

static_assert(bl::array_of<named, float, B, 3> && bl::array_of<named&, float, dyn, 3> &&
              bl::array_of<named, float, B, dyn>);
static_assert(!bl::array_of<named, float, F, 3> && !bl::array_of<named, double, B, 3> &&
              !bl::array_of<named, float, B>);
static_assert(!bl::array_of<named, float, B, 4> && !bl::array_of<named, float, 5, 3>);
// A size that only the run knows may be a number, but no name.
static_assert(bl::array_of<matrix, float, dyn, 3> && !bl::array_of<matrix, float, B, 3>);

static_assert(bl::array_with<named, float, bl::shape<dyn, 3>> && !bl::array_with<named, float, bl::shape<dyn, 4>>);
static_assert(bl::broadcastable_with<named, bl::tensor<float, bl::shape<3>>> && !bl::broadcastable_with<named, matrix>);
static_assert(bl::same_shape<named, named&> && !bl::same_shape<named, matrix>);

// As constraints.
template <bl::array_of<float, B, 3> A>
constexpr int kind(const A&) {
  return 1;
}
template <bl::array_of_rank<1> A>
constexpr int kind(const A&) {
  return 2;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_concepts)

BOOST_AUTO_TEST_CASE(functions_are_chosen_by_them) {
  named x(2);
  BOOST_TEST(kind(x) == 1);
  BOOST_TEST(kind(x * 2 + 1) == 1);
  BOOST_TEST(kind(bl::sum(x, bl::axes<1>)) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
