// A stored expression follows the tensors it was built from: it reads their present values, and is refused where one of
// them has another shape by then. It never reads memory that was freed.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "thrown.hpp"

namespace bl = broadloom;

namespace {

using vector = bl::dtensor<float, 1>;
using matrix = bl::dtensor<float, 2>;

// Something that takes memory which was just freed.
void overwrite() {
  std::vector<matrix> more;
  for (int i = 0; i < 20; ++i) {
    more.emplace_back(2, 3);
    more.back() = -77.f;
  }
}

const std::string text = "a tensor in this expression had shape [2, 3] when it was built and has ";

}  // namespace

// Expressions over whole tensors are values; those that hold views cannot be assigned, and say so.
static_assert(std::is_copy_assignable_v<decltype(std::declval<matrix&>() * 2 + 1)>);
static_assert(!std::is_copy_assignable_v<decltype(std::declval<matrix&>().T() * 2)>);
static_assert(!std::is_copy_assignable_v<bl::view<const float, bl::dshape<1>>>);
static_assert(std::is_copy_constructible_v<decltype(std::declval<matrix&>().T() * 2)>);
// `view = view` writes elements, so views are not swapped or moved from place to place.
static_assert(std::is_copy_assignable_v<bl::view<float, bl::dshape<1>>>);
static_assert(!std::is_move_assignable_v<bl::view<float, bl::dshape<1>>>);
static_assert(!std::is_swappable_v<bl::view<float, bl::dshape<1>>>);
static_assert(std::is_move_constructible_v<bl::view<float, bl::dshape<1>>>);
using place_type = decltype(std::declval<matrix&>()(std::declval<const bl::dtensor<int, 1>&>(), bl::all));
static_assert(!std::is_move_assignable_v<place_type> && !std::is_swappable_v<place_type>);

BOOST_AUTO_TEST_SUITE(expr_tensor_ref)

BOOST_AUTO_TEST_CASE(a_stored_expression_reads_present_values) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  const auto e = a * 2;
  const auto turned = (a * 2).T();
  const auto sums = bl::sum(a, 1);
  const auto product = bl::matmul(a, bl::ones<float>(3, 1));
  const auto joined = bl::cat(0, a, a);
  const auto compare = [&](float first, float last) {
    BOOST_TEST((e(0, 0) == 2 * first && turned(2, 1) == 2 * last));
    const matrix r = e, t = turned, p = product, j = joined;
    const vector s = sums;
    BOOST_TEST((r(0, 0) == 2 * first && r(1, 2) == 2 * last && t(0, 0) == 2 * first && t(2, 1) == 2 * last));
    BOOST_TEST((s(1) == a(1, 0) + a(1, 1) + a(1, 2) && p(1, 0) == s(1)));
    BOOST_TEST((j(0, 0) == first && j(3, 2) == last));
  };
  compare(1, 6);
  a = matrix{{10, 2, 3}, {4, 5, 60}};  // a move: the memory is another
  overwrite();
  compare(10, 60);
  a = a + 1;
  compare(11, 61);
  a(bl::all) = 7;
  compare(7, 7);
  matrix b{{3, 3, 3}, {3, 3, 4}};
  std::swap(a, b);
  compare(3, 4);
  a = matrix(5, 5);
  a = b;  // the shape is the old one again
  compare(7, 7);
}

BOOST_AUTO_TEST_CASE(another_shape_is_refused) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  const matrix other{{1, 2}, {3, 4}};
  const auto e = a * 2;
  const auto turned = (a * 2).T();
  const auto sums = bl::sum(a, 1);
  const auto one = bl::reshape(bl::sum(a), 1);
  const auto refused = [&](const std::string& now) {
    const std::string all = text + now + " now";
    matrix r{{8}};
    vector v;
    BOOST_TEST(thrown<bl::shape_error>([&] { r = e; }) == all);
    BOOST_TEST(thrown<bl::shape_error>([&] { r = turned; }) == all);
    BOOST_TEST(thrown<bl::shape_error>([&] { v = sums; }) == all);
    BOOST_TEST(thrown<bl::shape_error>([&] { bl::eval(e, bl::seq); }) == all);
    BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(e(0, 0)); }) == all);
    BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(one.item()); }) == all);
    BOOST_TEST((r.size() == 1 && r(0, 0) == 8.f && !v.has_shape()));
  };
  a = other;
  overwrite();
  refused("shape [2, 2]");
  a = a(bl::range(0, 0));
  refused("shape [0, 2]");
  a = matrix(3, 2);  // as many elements
  refused("shape [3, 2]");
  const matrix moved = std::move(a);
  overwrite();
  refused("no shape");
  matrix empty(0, 0);
  const auto of_none = empty + 1;
  BOOST_TEST(bl::eval(of_none).size() == 0);
  const matrix gone = std::move(empty);
  BOOST_CHECK_THROW(bl::eval(of_none), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(an_expression_follows_what_it_is_assigned_to) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  const auto e = a + 1;
  a = e;
  a = e;
  BOOST_TEST((a(0, 0) == 3.f && a(1, 2) == 8.f));
  const auto doubled = bl::cat(0, a, a);
  a = doubled;
  BOOST_TEST((a.shape() == bl::shape<4, 3>{} && a(3, 2) == 8.f));
  BOOST_CHECK_THROW(a = doubled, bl::shape_error);
  BOOST_TEST((a.shape() == bl::shape<4, 3>{} && a(3, 2) == 8.f));
}

BOOST_AUTO_TEST_CASE(expressions_over_whole_tensors_are_assigned) {
  const matrix a{{1, 2}}, b{{3, 4}};
  auto e = a * 2;
  e = b * 2;
  BOOST_TEST((e(0, 1) == 8.f && a(0, 1) == 2.f && b(0, 1) == 4.f));
  std::vector<decltype(e)> list{a * 2, b * 2, a * 2};
  list.erase(list.begin());
  std::swap(list[0], list[1]);
  BOOST_TEST((list[0](0, 0) == 2.f && list[1](0, 0) == 6.f));
}

BOOST_AUTO_TEST_CASE(a_static_tensor_keeps_its_place) {
  bl::tensor<float, bl::shape<2>> a{1, 2};
  const auto e = a * 2;
  a = vector{5, 6};
  bl::tensor<float, bl::shape<2>> b{8, 9};
  BOOST_TEST(e(1) == 12.f);
  std::swap(a, b);
  BOOST_TEST(e(1) == 18.f);
}

BOOST_AUTO_TEST_CASE(one_view_written_to_another_of_its_type) {
  matrix a{{1, 2}, {3, 4}};
  auto first = a(0, bl::all), second = a(1, bl::all);
  first = second;
  BOOST_TEST((a(0, 0) == 3.f && a(0, 1) == 4.f));
  a(1, bl::all) = a(0, bl::all) + 1;
  a(0, bl::all) = a(1, bl::all);
  BOOST_TEST((a(0, 1) == 5.f && first(1) == 5.f));
}

BOOST_AUTO_TEST_SUITE_END()
