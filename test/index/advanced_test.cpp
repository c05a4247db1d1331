// Advanced slices beyond NumPy's table: writing through them, masks, views, index_put_, refusals. The table itself is
// run by advanced_cases_*_test.cpp.
#include "cases.hpp"

namespace {

namespace bl = broadloom;
using namespace index_cases;

}  // namespace

BOOST_AUTO_TEST_SUITE(index_advanced)

BOOST_AUTO_TEST_CASE(a_place_is_an_operand_and_an_output) {
  auto x = numbered<float>(bl::dshape<2>(4, 5));
  const bl::index_array i{3, 0, 3}, j{1, -1, 1};
  BOOST_TEST(equal(x(i, j) * 2.f + 1.f, bl::dtensor<float, 1>{33, 9, 33}));
  BOOST_TEST(x(i, bl::all)(0, 2) == 17.f);
  x(i, j) += 100.f;  // read, added, written: once for each place
  BOOST_TEST((x(3, 1) == 116.f && x(0, 4) == 104.f));
  x(i, j) = bl::dtensor<float, 1>{1, 2, 3};  // the last one stays
  BOOST_TEST((x(3, 1) == 3.f && x(0, 4) == 2.f));
  bl::mul_(x(bl::index_array{1}), 0.f);
  BOOST_TEST(x(1, 3) == 0.f);
  bl::assign(x(bl::all, bl::index_array{0, 1}), bl::dtensor<float, 2>{{7, 8}}, bl::seq);
  BOOST_TEST((x(2, 0) == 7.f && x(3, 1) == 8.f));
  x(bl::index_array{0, 1}) = x(bl::index_array{1, 0});  // what is read is read first
  BOOST_TEST((x(0, 3) == 0.f && x(1, 3) == 3.f));
}

BOOST_AUTO_TEST_CASE(a_part_of_a_place_reads) {
  const bl::dtensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  const bl::index_array rows{1, 0, 1};
  const auto chosen = bl::eval(x(rows));
  BOOST_TEST(equal(x(rows)(bl::all, bl::range(1, bl::end)), chosen(bl::all, bl::range(1, bl::end))));
  BOOST_TEST(equal(x(rows)(-1), chosen(-1)));
  BOOST_TEST(equal(x(x > 2)(bl::range(1, 3)), bl::dtensor<int, 1>{4, 5}));
  BOOST_TEST(equal(x(rows)(rows), bl::dtensor<int, 2>{{1, 2, 3}, {4, 5, 6}, {1, 2, 3}}));
  BOOST_TEST(x(rows)(2, 1) == 5);
}

BOOST_AUTO_TEST_CASE(masks_select_and_write) {
  auto x = numbered<int>(bl::dshape<2>(3, 4));
  BOOST_TEST(equal(x(x > 8), bl::masked_select(x, x > 8)));
  x(x > 8) = -1;
  BOOST_TEST((x(2, 1) == -1 && x(2, 0) == 8));
  const bl::dtensor<bool, 1> rows{true, false, true};
  BOOST_TEST(equal(x(rows, 1), bl::dtensor<int, 1>{1, -1}));
  BOOST_TEST((x(rows).shape() == bl::dshape<2>(2, 4)));
  BOOST_TEST((x(bl::dtensor<bool, 1>(3)).shape() == bl::dshape<2>(0, 4)));
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { x(bl::dtensor<bool, 1>(4)); })) ==
             "The shape of the mask [4] at index 0 does not match the shape of the indexed tensor [3, 4] at index 0");
}

BOOST_AUTO_TEST_CASE(index_put_accumulates_each_time_a_position_occurs) {
  bl::dtensor<double, 2> x(3, 4);
  const bl::index_array i{1, 1, 2};
  bl::index_put_(x, bl::indices(i, 3), bl::dtensor<double, 1>{1, 2, 4}, true);
  BOOST_TEST((x(1, 3) == 3.0 && x(2, 3) == 4.0));
  bl::index_put_(x, bl::indices(i), 9.0);
  BOOST_TEST((x(1, 0) == 9.0 && x(0, 0) == 0.0));
  for (const bool accumulate : {false, true})
    BOOST_TEST(text_of<bl::index_error>([&] { bl::index_put_(x, bl::indices(bl::index_array{7}), 1.0, accumulate); }) ==
               "index 7 is out of bounds for dimension 0 with size 3\n  in index_put_");
  // many, in order
  const auto at = positions<std::int32_t>(bl::dshape<1>(100000), -50, 50);
  const auto v = bl::eval(numbered<float>(bl::dshape<1>(100000)) * 0.1f);
  bl::dtensor<float, 1> sum(50), want(50);
  for (bl::index k = 0; k < 100000; ++k) want(at(k)) += v(k);
  bl::index_put_(sum, bl::indices(at), v, true);
  BOOST_TEST(equal(sum, want));
}

BOOST_AUTO_TEST_CASE(an_empty_list_of_positions_selects_nothing_and_an_array_without_a_shape_is_refused) {
  auto x = numbered<int>(bl::dshape<2>(3, 4));
  BOOST_TEST((x(bl::index_array{}).shape() == bl::dshape<2>(0, 4)));
  BOOST_TEST((x(bl::all, bl::index_array{}).shape() == bl::dshape<2>(3, 0)));
  x(bl::index_array{}) = 9;
  BOOST_TEST(equal(x, numbered<int>(bl::dshape<2>(3, 4))));
  BOOST_TEST(first_line(text_of<std::exception>([&] { bl::eval(x(bl::dtensor<bl::index, 2>{})); })) ==
             "this tensor has no shape yet: it was default-constructed or moved from, and nothing was assigned to it");
}

BOOST_AUTO_TEST_CASE(views_temporaries_and_expressions_are_indexed) {
  auto x = numbered<int>(bl::dshape<2>(3, 4));
  const bl::index_array i{2, 0};
  x.T()(i, 1) = 50;
  BOOST_TEST((x(1, 2) == 50 && x(1, 0) == 50));
  BOOST_TEST(equal((x + 1)(i), bl::eval(x(i)) + 1));
  const auto kept = numbered<int>(bl::dshape<1>(5))(bl::index_array{4, 0});
  BOOST_TEST(equal(kept, bl::dtensor<int, 1>{4, 0}));
  const auto& constant = x;
  BOOST_TEST(constant(i, bl::range(1, 3))(1, 0) == 1);
  BOOST_TEST(equal(bl::slice(x, bl::ellipsis, 0), bl::slice(x, bl::all, 0)));
  BOOST_TEST(equal(x(bl::newaxis, bl::range(0, 2)), bl::unsqueeze(bl::slice(x, bl::range(0, 2)), 0)));
}

BOOST_AUTO_TEST_CASE(extents_that_the_compiler_knows_are_kept) {
  bl::tensor<int, bl::shape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};
  const bl::tensor<std::int64_t, bl::shape<4>> i{2, 0, 0, -1};
  static_assert(std::is_same_v<decltype(x(bl::all, i))::shape_type, bl::shape<2, 4>>);
  static_assert(std::is_same_v<decltype((x + 1)(bl::newaxis, bl::all, i))::shape_type, bl::shape<1, 2, 4>>);
  static_assert(std::is_same_v<decltype(x(bl::index_array{}))::shape_type, bl::shape<bl::dyn, 3>>);
  BOOST_TEST(equal(x(bl::all, i), bl::dtensor<int, 2>{{3, 1, 1, 3}, {6, 4, 4, 6}}));
  x(bl::all, i) = bl::tensor<int, bl::shape<2, 1>>{{7}, {8}};
  BOOST_TEST(equal(x, bl::dtensor<int, 2>{{7, 2, 7}, {8, 5, 8}}));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_and_nothing_is_written) {
  auto x = numbered<float>(bl::dshape<2>(3, 4));
  const auto before = x;
  const bl::index_array two{0, 1}, three{0, 1, 2}, far{0, 4};
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { x(two, three); })) ==
             "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { x(two) = bl::dtensor<float, 1>{1, 2, 3}; })) ==
             "shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [2, 4]");
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { x(bl::all, far) = 1.f; })) ==
             "index 4 is out of bounds for dimension 1 with size 4");
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { x(two, bl::index_array{0, -5}) += 1.f; })) ==
             "index -5 is out of bounds for dimension 1 with size 4");
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::eval(x(far, bl::all)); })) ==
             "index 4 is out of bounds for dimension 0 with size 3");
  BOOST_TEST(equal(x, before));
}

BOOST_AUTO_TEST_SUITE_END()
