// cat, stack, split and their like: tables of PyTorch and NumPy, evaluation in place, refusals.
#include <vector>

#include "cases.hpp"

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

}  // namespace

BOOST_AUTO_TEST_SUITE(index_join)

BOOST_AUTO_TEST_CASE(cat_and_stack_give_what_numpy_gives) {
  each_array("cat", 20, [](const line& l, const auto& x) {
    constexpr int R = rank_of<decltype(x)>;
    const auto other = l.arrays[1].as<double, R>();
    return l.result().is(bl::cat(l.axis, x, other, x)) && l.result().is(bl::cat(l.axis, x, other * 1.0, x) + 0.0);
  });
  each_array("stack", 20, [](const line& l, const auto& x) {
    constexpr int R = rank_of<decltype(x)>;
    return l.result().is(bl::stack(l.axis < 0 ? l.axis + R : l.axis, x, x + 1.0));
  });
}

BOOST_AUTO_TEST_CASE(element_types_are_promoted_and_static_extents_kept) {
  const bl::tensor<int, bl::shape<2, 3>> a{{1, 2, 3}, {4, 5, 6}};
  const bl::tensor<double, bl::shape<1, 3>> b{{0.5, 1.5, 2.5}};
  const auto e = bl::cat(0_c, a, b);
  static_assert(std::is_same_v<decltype(e)::shape_type, bl::shape<3, 3>>);
  static_assert(std::is_same_v<decltype(e)::value_type, double>);
  BOOST_TEST(equal(e, bl::tensor<double, bl::shape<3, 3>>{{1, 2, 3}, {4, 5, 6}, {0.5, 1.5, 2.5}}));
  static_assert(std::is_same_v<decltype(bl::stack(1_c, a, a))::shape_type, bl::shape<2, 2, 3>>);
  static_assert(bl::cat(0_c, bl::tensor<int, bl::shape<2>>{1, 2}, bl::tensor<int, bl::shape<1>>{3})(2) == 3);
}

BOOST_AUTO_TEST_CASE(parts_are_evaluated_where_they_belong_for_any_number_of_threads) {
  const auto x = bl::eval(numbered<float>(bl::dshape<2>(300, 200)) * 0.5f);
  const auto y = bl::eval(numbered<float>(bl::dshape<2>(300, 200)) * -0.25f);
  for (int axis = 0; axis < 2; ++axis) {
    const auto e = bl::cat(axis, x + y, x * y, bl::abs(y), x);
    const auto one = bl::eval(e, bl::seq);
    int wrong = 0;
    for (bl::index a = 0; a < one.shape()[0]; ++a)
      for (bl::index b = 0; b < one.shape()[1]; ++b) {
        const bl::index part = axis == 0 ? a / 300 : b / 200, i = a % 300, j = b % 200;
        const float p = x(i, j), q = y(i, j);
        wrong += one(a, b) != (part == 0 ? p + q : part == 1 ? p * q : part == 2 ? -q : p);
      }
    BOOST_TEST(wrong == 0);
    for (int threads : {2, 5}) BOOST_TEST(equal(bl::eval(e, bl::par.threads(threads)), one));
    BOOST_TEST(
        equal(bl::eval(bl::cat(axis, x, y) * 2.f + bl::cat(axis, y, x)), bl::cat(axis, x * 2.f + y, y * 2.f + x)));
  }
  // an output that is a part
  auto z = x;
  bl::slice(z, bl::range(0, 100)) = bl::cat(0, bl::slice(z, bl::range(50, 100)), bl::slice(z, bl::range(0, 50)));
  BOOST_TEST((z(0, 0) == x(50, 0) && z(99, 7) == x(49, 7)));
}

BOOST_AUTO_TEST_CASE(parts_with_reductions_are_evaluated_to_where_they_belong) {
  const auto x = bl::eval(numbered<float>(bl::dshape<2>(40, 50)) * 0.5f);
  const auto sums = bl::eval(bl::sum(x, bl::axes<1>, bl::keepdim));
  const auto e = bl::cat(1, x - sums, bl::sum(x, bl::axes<1>, bl::keepdim), x - bl::sum(x, bl::axes<1>, bl::keepdim));
  const auto want = bl::eval(bl::cat(1, x - sums, sums, x - sums));
  BOOST_TEST(equal(e, want));
  // an output of any strides, with nothing written beside it
  bl::dtensor<float, 2> wide(101, 81);
  wide = -1.f;
  bl::slice(wide, bl::range(0, 101), bl::range(1, 81, 2)).T() = e;
  BOOST_TEST(equal(bl::slice(wide, bl::all, bl::range(1, 81, 2)), want.T()));
  BOOST_TEST(equal(bl::slice(wide, bl::all, bl::range(0, 81, 2)), bl::full(bl::dshape<2>(101, 41), -1.f)));
  // an output that is a part
  auto y = bl::eval(bl::cat(0, x, x));
  y = bl::cat(0, bl::slice(y, bl::range(40, 80)) - sums, bl::slice(y, bl::range(0, 40)));
  BOOST_TEST(equal(y, bl::cat(0, x - sums, x)));
}

BOOST_AUTO_TEST_CASE(hstack_vstack_and_lists) {
  const bl::dtensor<int, 1> a{1, 2}, b{3};
  const bl::dtensor<int, 2> m{{5, 6}, {7, 8}};
  BOOST_TEST(equal(bl::hstack(a, b), bl::dtensor<int, 1>{1, 2, 3}));
  BOOST_TEST(equal(bl::hstack(m, m), bl::dtensor<int, 2>{{5, 6, 5, 6}, {7, 8, 7, 8}}));
  BOOST_TEST(equal(bl::vstack(a, m), bl::dtensor<int, 2>{{1, 2}, {5, 6}, {7, 8}}));
  BOOST_TEST(equal(bl::vstack(a, a), bl::dtensor<int, 2>{{1, 2}, {1, 2}}));
  BOOST_TEST(equal(bl::cat(std::vector<bl::dtensor<int, 2>>{m, m, m}, -1), bl::hstack(m, m, m)));
  BOOST_TEST(equal(bl::cat(std::vector<bl::dtensor<int, 2>>{m, m, m}), bl::vstack(m, m, m)));
  BOOST_TEST(equal(bl::stack(std::vector<bl::dtensor<int, 1>>{a, a}), bl::stack(0, a, a)));
}

BOOST_AUTO_TEST_CASE(reductions_and_selections_are_joined_into_any_output) {
  const auto p = numbered<float>(bl::dshape<2>(5, 4));
  const auto ids = positions<std::int64_t>(bl::dshape<1>(5), 0, 5);
  const auto e =
      bl::cat(1, p * 2.f, bl::sum(p, bl::axes<1>, bl::keepdim), bl::index_select(p, 0, ids), bl::cumsum(p, 0) - 1.f);
  const bl::dtensor<float, 2> want(bl::cat(1, bl::eval(p * 2.f), bl::eval(bl::sum(p, bl::axes<1>, bl::keepdim)),
                                           bl::eval(bl::index_select(p, 0, ids)), bl::eval(bl::cumsum(p, 0) - 1.f)));
  BOOST_TEST(equal(e, want));
  bl::dtensor<float, 2> wide(5, 20), tall(13, 10);
  wide(bl::all, bl::range(3, 16)) = e;
  BOOST_TEST(equal(wide(bl::all, bl::range(3, 16)), want));
  BOOST_TEST((wide(4, 2) == 0.f && wide(4, 16) == 0.f));
  tall(bl::all, bl::range(0, bl::end, 2)).T() = e;
  BOOST_TEST(equal(tall(bl::all, bl::range(0, bl::end, 2)), want.T()));
  BOOST_TEST(equal(e * 3.f - want, want * 3.f - want));
  // a view of a join is not the join, and an output may be a part
  const auto rows = bl::cat(0, p(bl::range(0, 1)), p(bl::range(4, 5)));
  bl::dtensor<float, 2> two(2, 4);
  bl::assign(two, bl::narrow(rows, 0, 1, 1));
  BOOST_TEST(equal(two, bl::expand(p(bl::range(4, 5)), bl::dshape<2>(2, 4))));
  two = bl::cat(0, two(bl::range(1, 2)) + 1.f, two(bl::range(0, 1)) * bl::sum(two));
  BOOST_TEST(equal(two(bl::range(0, 1)), p(bl::range(4, 5)) + 1.f));
  BOOST_TEST(equal(two(bl::range(1, 2)), p(bl::range(4, 5)) * bl::sum(p(bl::range(4, 5))) * 2.f));
}

BOOST_AUTO_TEST_CASE(what_is_split_are_views) {
  auto x = numbered<float>(bl::dshape<2>(7, 4));
  auto parts = bl::split(x, 3);
  BOOST_TEST((parts.size() == 3u && parts[2].shape() == bl::dshape<2>(1, 4)));
  parts[1] = 0.f;
  BOOST_TEST((x(3, 0) == 0.f && x(6, 0) == 24.f && x(2, 3) == 11.f));
  const auto sized = bl::split(x, {1, 0, 3}, 1);
  BOOST_TEST((sized[2].shape() == bl::dshape<2>(7, 3) && sized[2](0, 0) == 1.f));
  const auto chunks = bl::chunk(x, 3, -1);
  BOOST_TEST((chunks.size() == 2u && chunks[0].shape()[1] == 2));
  BOOST_TEST(equal(bl::cat(bl::split(x, 2), 0), x));
  BOOST_TEST(bl::split(x + 1.f, 6)[1](0, 0) == 25.f);
}

BOOST_AUTO_TEST_CASE(joins_of_unequal_shapes_are_refused_when_they_are_built) {
  const bl::dtensor<float, 2> a(2, 3), b(1, 4);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::cat(0, a, b); })) ==
             "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in "
             "the list.");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::stack(0, a, b); })) ==
             "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [1, 4] at entry 1");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::split(a, {1, 3}); })) ==
             "split_with_sizes expects split_sizes to sum exactly to 2, but got split_sizes=[1, 3]");
  BOOST_TEST(text_of<bl::index_error>([&] { bl::cat(2, a, a); }) ==
             "Dimension out of range (expected to be in range of [-2, 1], but got 2)\n  in cat");
}

BOOST_AUTO_TEST_SUITE_END()
