// Shapes and axes in braces, and extents as arguments, are the same numbers given otherwise.
#include <broadloom/broadloom.hpp>
#include <broadloom/half.hpp>
#include <broadloom/index/index_lists.hpp>
#include <broadloom/random.hpp>
#include <broadloom/shape/braced.hpp>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <span>
#include <string>
#include <vector>

#include "thrown.hpp"

namespace bl = broadloom;

namespace {

template <class A, class B>
bool same(const A& a, const B& b) {
  const auto x = bl::eval(a), y = bl::eval(b);
  return x.shape() == y.shape() && std::equal(x.data(), x.data() + x.size(), y.data());
}

// Integers of any type, as sizes of the standard library are; their number is the rank.
const std::size_t two = 2;
const unsigned short three = 3;
constexpr bl::dshape<2> as_shape(2, 3);

}  // namespace

static_assert(bl::detail::braced_shape<3>({2, 0, 4}) == bl::dshape<3>(2, 0, 4));

BOOST_AUTO_TEST_CASE(new_arrays) {
  static_assert(std::is_same_v<decltype(bl::zeros<float>({two, three})), bl::dtensor<float, 2>>);
  BOOST_TEST(same(bl::zeros<float>({two, three}), bl::zeros<float>(2, 3)));
  BOOST_TEST(same(bl::ones<int>({4}), bl::ones<int>(4)));
  BOOST_TEST((bl::empty<double>({2, 0, 5}).shape() == bl::dshape<3>(2, 0, 5)));
  BOOST_TEST(same(bl::full({two, three}, 7), bl::full(as_shape, 7)));
  BOOST_TEST(same(bl::full<float>({two, three}, 7), bl::full<float>(as_shape, 7)));
  BOOST_TEST(thrown<bl::shape_error>([] { bl::zeros<float>({2, -3}); }) ==
             thrown<bl::shape_error>([] { bl::zeros<float>(2, -3); }));
  BOOST_TEST(thrown<bl::shape_error>([] {
               bl::full({-1}, 1);
             }).starts_with("Trying to create tensor with negative dimension: [-1]"));
}

BOOST_AUTO_TEST_CASE(tensors_of_a_type) {
  const std::size_t size = 3;
  BOOST_TEST((bl::dtensor<float, 2>({2, 3}).shape() == as_shape));
  BOOST_TEST((bl::dtensor<float, 2>({two, 3}).shape() == as_shape));
  BOOST_TEST((bl::dtensor<float, 2>({size, size}).shape() == bl::dshape<2>(3, 3)));
  const bl::dtensor<float, 3> zero({2, 1, 2});
  BOOST_TEST((zero(1, 0, 1) == 0.F && zero.size() == 4));
  BOOST_TEST(same(bl::dtensor<float, 2>({{1, 2}, {3, 4}}), bl::dtensor<float, 2>{{1, 2}, {3, 4}}));
  BOOST_TEST(same(bl::dtensor<float, 2>({{1}, {2}}), bl::dtensor<float, 2>{{1}, {2}}));
  BOOST_TEST(same(bl::dtensor<float, 2>{{2, 3}}, bl::dtensor<float, 2>({{2, 3}})));  // one row
  BOOST_TEST(same(bl::dtensor<float, 1>({2}), bl::dtensor<float, 1>{2}));            // one element
  BOOST_TEST(thrown<bl::shape_error>([] {
               bl::dtensor<float, 2>({-1, 2});
             }).starts_with("Trying to create tensor with negative dimension: [-1, 2]"));
}

BOOST_AUTO_TEST_CASE(memory_of_the_caller) {
  std::vector<float> v{1, 2, 3, 4, 5, 6};
  const std::array<int, 6> fixed{1, 2, 3, 4, 5, 6};
  const bl::dtensor<float, 2> expected{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(same(bl::from(v, {two, three}), expected));
  BOOST_TEST(same(bl::from(v.data(), {two, three}), expected));
  BOOST_TEST(same(bl::from(std::span(v), {two, three}), expected));
  BOOST_TEST(same(bl::from(fixed, {two, three}), bl::cast<int>(expected)));
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from(v, {2, 4}); }) ==
             thrown<bl::shape_error>([&] { bl::from(v, bl::dshape<2>(2, 4)); }));
  BOOST_TEST(same(bl::adopt(std::move(v), {two, three}) * 1, expected));
}

BOOST_AUTO_TEST_CASE(shapes_to_see_an_array_in) {
  const bl::dtensor<float, 1> x{1, 2, 3};
  const bl::dtensor<float, 1> y{1, 2, 3, 4, 5, 6};
  BOOST_TEST(same(bl::expand(x, {two, three}), bl::expand(x, as_shape)));
  BOOST_TEST(same(bl::broadcast_to(x + 1, {two, three}), bl::broadcast_to(x + 1, as_shape)));
  BOOST_TEST(same(bl::reshape(y, {two, three}), bl::reshape(y, 2, 3)));
  BOOST_TEST(same(bl::reshape(y + 1, {three, -1}), bl::reshape(y + 1, 3, 2)));
  BOOST_TEST(same(bl::sum_to(y, {1}), bl::sum_to(y, bl::dshape<1>(1))));
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::reshape(y, {-1, -1}); }) ==
             thrown<bl::shape_error>([&] { bl::reshape(y, -1, -1); }));
  BOOST_TEST(
      thrown<bl::shape_error>([&] { static_cast<void>(bl::expand(x, {2, 4})); }).starts_with("The expanded size"));
  const auto [row, column] = bl::unravel_index(5, {two, three});
  BOOST_TEST((row == 1 && column == 2));
  BOOST_TEST(same(bl::unravel_index(bl::index_array{5, 1}, {two, three}, bl::column_major)[0], bl::index_array{1, 1}));
}

BOOST_AUTO_TEST_CASE(axes) {
  const auto x = bl::reshape(bl::arange<float>(24), {2, 3, 4});
  BOOST_TEST(same(bl::sum(x, {0, -1}), bl::sum(x, 0, 2)));
  BOOST_TEST(same(bl::mean(x, {0, 1}, bl::keepdim), bl::mean(x, 0, 1, bl::keepdim)));
  BOOST_TEST(same(bl::norm(x, 1, {1, 2}), bl::norm(x, 1, 1, 2)));
  BOOST_TEST(same(bl::permute(x, {2, 0, 1}), bl::permute(x, 2, 0, 1)));
  BOOST_TEST(same(bl::flip(x, {0, 2}), bl::flip(x, 0, 2)));
  BOOST_TEST(same(bl::squeeze(bl::reshape(x, {1, 24, 1}), {0, 2}), bl::arange<float>(24)));
  BOOST_CHECK_THROW(static_cast<void>(bl::sum(x, {0, 0})), bl::index_error);
}

// Extents as arguments; -1 keeps one (PyTorch).
BOOST_AUTO_TEST_CASE(expanded_to_arguments) {
  using namespace bl::literals;
  const bl::dtensor<float, 2> x{{1}, {2}};
  const bl::dtensor<float, 2> expected{{1, 1, 1}, {2, 2, 2}};
  BOOST_TEST(same(bl::expand(x, -1, 3), expected));
  BOOST_TEST(same(bl::expand(x, {-1, 3}), expected));
  static_assert(std::is_same_v<decltype(bl::expand(x, 5_c, -1, 3_c))::shape_type, bl::shape<5, bl::dyn, 3>>);
  BOOST_TEST((bl::expand(x, 5_c, -1, 3_c).shape() == bl::dshape<3>(5, 2, 3)));
  BOOST_TEST(thrown<bl::shape_error>([&] {
               static_cast<void>(bl::expand(x, -1, 2, 3));
             }).starts_with("Trying to create tensor with neg"));
}

// The same numbers at the same place of the stream.
BOOST_AUTO_TEST_CASE(random_numbers) {
  const bl::dtensor<double, 1> weights{0.125, 0.25, 0.625};
  const auto both = [](const auto& braced, const auto& shaped) {
    bl::generator g(7), h(7);
    return same(braced(g), shaped(h));
  };
#define BOTH(F, ...)                                                                    \
  BOOST_TEST(both([&](bl::generator& g) { return bl::F(g __VA_ARGS__, {two, three}); }, \
                  [&](bl::generator& g) { return bl::F(g __VA_ARGS__, as_shape); }))
  BOTH(rand<float>);
  BOTH(randn<double>);
  BOTH(rand<bl::float16>);
  BOOST_TEST(both([](bl::generator& g) { return bl::rand<float>(g, two, three); },
                  [](bl::generator& g) { return bl::rand<float>(g, as_shape); }));
  BOOST_TEST(both([](bl::generator& g) { return bl::randn<bl::float16>(g, two, three); },
                  [](bl::generator& g) { return bl::randn<bl::float16>(g, as_shape); }));
  BOTH(uniform<float>);
  BOTH(uniform<float>, , 2, 3);
  BOTH(normal<double>);
  BOTH(normal<double>, , 1, 2);
  BOTH(exponential<double>);
  BOTH(exponential<double>, , 2);
  BOTH(gamma<double>, , 2);
  BOTH(gamma<double>, , 2, 3);
  BOTH(beta<double>, , 2, 3);
  BOTH(truncated_normal<double>, , 0, 1, -1, 1);
  BOTH(dirichlet, , weights);
  BOTH(randint, , 10);
  BOTH(randint<int>, , -5, 10);
  BOTH(bernoulli<bool>, , 0.5);
  BOTH(poisson<int>, , 3.0);
  BOTH(binomial<int>, , 5, 0.5);
  BOTH(multinomial_counts, , 5, weights);
  BOTH(choice, , weights);
#undef BOTH
  BOOST_TEST(both([&](bl::generator& g) { return bl::choice(g, 3, {two, three}, true, weights); },
                  [&](bl::generator& g) { return bl::choice(g, 3, as_shape, true, weights); }));
}
