// Owning arrays are regular values: made, copied, moved, swapped and kept in containers; the shape changes with the
// whole value only.
// Build: run-by-gcc
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "thrown.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

using matrix = bl::dtensor<float, 2>;

template <class A, class B>
bool equal(const A& a, const B& b) {
  if (!(a.shape() == b.shape())) return false;
  for (bl::index i = 0; i < a.size(); ++i)
    if (a.data()[i] != b.data()[i]) return false;
  return true;
}

}  // namespace

static_assert(std::is_same_v<matrix, bl::tensor<float, bl::shape<bl::dyn, bl::dyn>>>);
static_assert(std::is_nothrow_move_constructible_v<matrix> && std::is_nothrow_move_assignable_v<matrix>);
static_assert(std::is_nothrow_move_constructible_v<bl::tensor<int, bl::shape<3>>>);
static_assert(std::is_copy_constructible_v<matrix> && std::is_copy_assignable_v<matrix>);
static_assert(std::is_default_constructible_v<matrix>);
// Static elements lie inside the object and nothing else does.
static_assert(sizeof(bl::tensor<float, bl::shape<2, 3>>) == 6 * sizeof(float));
static_assert(sizeof(bl::tensor<double, bl::shape<>>) == sizeof(double));
static_assert(sizeof(bl::tensor<double, bl::shape<3, 3>>) == 9 * sizeof(double));
static_assert(alignof(bl::tensor<float, bl::shape<16>>) == alignof(float));

// Static tensors are values of constant expressions.
constexpr bl::tensor<int, bl::shape<2, 3>> constant{{1, 2, 3}, {4, 5, 6}};
static_assert(constant(0, 0) == 1 && constant(1, 2) == 6 && constant(-1, -3) == 4);
static_assert(constant.size() == 6 && constant.rank() == 2 && constant.shape() == bl::shape<2, 3>{});
constexpr auto folded = [] {
  bl::tensor<int, bl::shape<2, 3>> r;
  r = constant + constant.T().T() * 10;
  r -= bl::tensor<int, bl::shape<3>>{1, 1, 1};
  return r;
}();
static_assert(folded(0, 0) == 10 && folded(1, 2) == 65);
static_assert((constant + constant * 2)(1, 2) == 18);
static_assert(bl::eval(bl::sqrt(constant))(1, 0) == 2.f);

BOOST_AUTO_TEST_SUITE(tensor_tensor)

BOOST_AUTO_TEST_CASE(a_tensor_of_extents_is_all_zero) {
  const matrix a(4, 5);
  BOOST_TEST((a.shape() == bl::shape<4, 5>{}));
  BOOST_TEST((a.size() == 20 && a.rank() == 2 && a.strides()[0] == 5 && a.strides()[1] == 1));
  BOOST_TEST(std::all_of(a.data(), a.data() + 20, [](float x) { return x == 0.f; }));
  const bl::tensor<std::int8_t, bl::shape<2, bl::dyn, 3>> m(7);
  BOOST_TEST((m.shape() == bl::shape<2, 7, 3>{}));
  BOOST_TEST((bl::tensor<float, bl::shape<3>>()(2) == 0.f));
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0u);
  BOOST_CHECK_THROW(matrix(-1, 5), bl::shape_error);
  BOOST_CHECK_THROW(matrix(std::numeric_limits<bl::index>::max(), 4), bl::shape_error);
  BOOST_CHECK_THROW(matrix(std::numeric_limits<bl::index>::max(), 1), bl::shape_error);  // its bytes do not fit
  BOOST_CHECK_THROW(matrix(0, std::numeric_limits<bl::index>::max()), bl::shape_error);  // a stride would not fit
  const matrix none(0, 1 << 30);
  BOOST_TEST(none.size() == 0);
}

BOOST_AUTO_TEST_CASE(extents_may_come_in_an_array) {
  const std::array<int, 2> extents{2, 3};
  BOOST_TEST((bl::zeros<float>(extents).shape() == bl::shape<2, 3>{} && bl::ones<float>(extents)(1, 2) == 1));
  BOOST_TEST((bl::empty<int>(extents).shape() == bl::shape<2, 3>{}));
}

BOOST_AUTO_TEST_CASE(a_tensor_of_extents_in_braces_and_a_number_has_it_everywhere) {
  const matrix a({2, std::size_t{3}}, 1.5);
  BOOST_TEST((a.shape() == bl::shape<2, 3>{}));
  BOOST_TEST(std::all_of(a.data(), a.data() + 6, [](float x) { return x == 1.5f; }));
  const bl::dtensor<std::int8_t, 3> b({1, 2, 0}, 5);
  BOOST_TEST((b.shape() == bl::shape<1, 2, 0>{}));
  const bl::dtensor<bool, 1> c({2}, true);
  BOOST_TEST((c.size() == 2 && c(0) && c(1)));
  BOOST_CHECK_THROW(matrix({2, -1}, 1), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(braces_nest_as_deep_as_the_rank) {
  const matrix a{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST((a.shape() == bl::shape<2, 3>{}));
  BOOST_TEST((a(0, 1) == 2.f && a(1, 0) == 4.f && a(-1, -1) == 6.f));
  const bl::dtensor<int, 3> b{{{1}, {2}}, {{3}, {4}}, {{5}, {6}}};
  BOOST_TEST((b.shape() == bl::shape<3, 2, 1>{} && b(2, 0, 0) == 5));
  const bl::tensor<float, bl::shape<>> s{7.5f};
  BOOST_TEST(s() == 7.5f);
  BOOST_TEST(s.item() == 7.5f);
  const bl::dtensor<bool, 1> flags{true, false, true};
  BOOST_TEST((flags.size() == 3 && flags(0) && !flags(1)));
  const bl::dtensor<float, 1> pair{4, 5};  // two elements, not the extents 4 and 5
  BOOST_TEST((pair.size() == 2 && pair(1) == 5.f));
  BOOST_TEST(thrown<bl::shape_error>([] { matrix{{1, 2, 3}, {4, 5}}; }) ==
             "braces at axis 1 hold 2 elements where 3 are expected");
  BOOST_CHECK_THROW((bl::dtensor<int, 3>{{{1, 2}, {3, 4}}, {{5, 6}, {7}}}), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(a_copy_has_elements_of_its_own) {
  matrix a{{1, 2}, {3, 4}};
  matrix b = a;
  b(0, 0) = 9;
  BOOST_TEST(a(0, 0) == 1.f);
  matrix c(5, 7);
  c = a;  // same type: value and shape
  BOOST_TEST(equal(c, a));
  c(1, 1) = 0;
  BOOST_TEST(a(1, 1) == 4.f);
  const matrix& self = c;
  c = self;
  BOOST_TEST((c(1, 1) == 0.f && c(0, 1) == 2.f));
  c = b;  // same shape
  BOOST_TEST((equal(c, b) && c.data() != b.data()));
  const matrix shapeless;
  c = shapeless;
  BOOST_TEST(!c.has_shape());
}

BOOST_AUTO_TEST_CASE(a_moved_tensor_keeps_its_memory_and_leaves_a_shapeless_one) {
  matrix a{{1, 2}, {3, 4}};
  const float* const memory = a.data();
  matrix b = std::move(a);
  BOOST_TEST((b.data() == memory && b(1, 0) == 3.f));
  BOOST_TEST(!a.has_shape());
  matrix c(9, 9);
  c = std::move(b);
  BOOST_TEST((c.data() == memory && !b.has_shape()));
  matrix& self = c;
  c = std::move(self);
  BOOST_TEST((c.data() == memory && c(1, 1) == 4.f));
  bl::tensor<int, bl::shape<2>> s{1, 2};
  const auto t = std::move(s);
  BOOST_TEST((t(1) == 2 && s.has_shape()));
  a = c + 1;  // a moved-from tensor can be used again
  BOOST_TEST((a.shape() == bl::shape<2, 2>{} && a(0, 1) == 3.f));
}

BOOST_AUTO_TEST_CASE(reading_a_shapeless_tensor_throws) {
  matrix a{{1, 2}, {3, 4}};
  const matrix moved = std::move(a);
  matrix fresh;
  const matrix good{{1, 2}, {3, 4}};
  const std::string wanted =
      "this tensor has no shape yet: it was default-constructed or moved from, and nothing was assigned to it";
  for (matrix* const x : {&a, &fresh}) {
    BOOST_TEST(thrown<bl::shape_error>([&] { x->shape(); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { (*x)(0, 0); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { x->strides(); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { x->item(); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(*x + good); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { bl::eval(-*x); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { x->T(); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { *x += good; }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { *x += 1; }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { *x = 1.f; }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { bl::assign(*x, good); }) == wanted);
    BOOST_TEST(thrown<bl::shape_error>([&] { static_cast<void>(std::move(*x) + good); }) == wanted);
    BOOST_TEST(x->size() == 0);
  }
}

BOOST_AUTO_TEST_CASE(assignment_replaces_the_value_and_the_shape) {
  matrix a;
  a = bl::ones<float>(3, 1) + bl::ones<float>(1, 2);
  BOOST_TEST((a.shape() == bl::shape<3, 2>{} && a(2, 1) == 2.f));
  a = bl::ones<float>(4, 2) + 0;
  BOOST_TEST((a.shape() == bl::shape<4, 2>{} && a.size() == 8 && a(3, 1) == 1.f));
  a = bl::ones<float>(1, 2) * 3;  // does not broadcast: there is nothing left of the other rows
  BOOST_TEST((a.shape() == bl::shape<1, 2>{} && a.size() == 2 && a(0, 1) == 3.f));
  a = bl::tensor<float, bl::shape<1, 3>>{{5, 6, 7}};
  BOOST_TEST((a.shape() == bl::shape<1, 3>{} && a(0, 2) == 7.f));
  a = a(bl::all, bl::range(3, 3));
  BOOST_TEST((a.shape() == bl::shape<1, 0>{} && a.size() == 0));
  a = bl::dtensor<int, 2>{{1}, {2}};  // another element type
  BOOST_TEST((a.shape() == bl::shape<2, 1>{} && a(1, 0) == 2.f));
  a = 4;  // a number fills what is there
  BOOST_TEST((a.shape() == bl::shape<2, 1>{} && a(0, 0) == 4.f && a(1, 0) == 4.f));
}

BOOST_AUTO_TEST_CASE(assignment_reuses_memory_that_has_the_size) {
  matrix a(6, 2), row{{1, 2}};
  const float* const memory = a.data();
  a = bl::ones<float>(6, 2) + row;
  BOOST_TEST((a.data() == memory && a(5, 1) == 3.f));
  a = bl::ones<float>(3, 4) + 1;
  BOOST_TEST((a.data() == memory && a.shape() == bl::shape<3, 4>{} && a(2, 3) == 2.f));
  const matrix b(4, 3);
  a = b;
  BOOST_TEST((a.data() == memory && a.shape() == b.shape() && a(3, 2) == 0.f));
}

BOOST_AUTO_TEST_CASE(a_right_side_may_read_what_it_replaces) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  a = a.T();  // another shape, the same size
  BOOST_TEST(equal(a, matrix{{1, 4}, {2, 5}, {3, 6}}));
  a = bl::cat(0, a, a);
  BOOST_TEST(equal(a, matrix{{1, 4}, {2, 5}, {3, 6}, {1, 4}, {2, 5}, {3, 6}}));
  a = a(bl::range(1, 3)) * 10;
  BOOST_TEST(equal(a, matrix{{20, 50}, {30, 60}}));
  a = a(bl::range(1, 2));
  BOOST_TEST(equal(a, matrix{{30, 60}}));
  a = a + matrix{{1}, {2}, {3}};
  BOOST_TEST(equal(a, matrix{{31, 61}, {32, 62}, {33, 63}}));
  a = std::move(a).T() + 0;
  BOOST_TEST(equal(a, matrix{{31, 32, 33}, {61, 62, 63}}));
  a = bl::matmul(a, a.T());
  BOOST_TEST((a.shape() == bl::shape<2, 2>{} && a(0, 0) == 31.f * 31 + 32 * 32 + 33 * 33));
  bl::dtensor<float, 1> v{1, 2, 3};
  v = bl::cumsum(v, 0)(bl::range(1, 3));
  BOOST_TEST(equal(v, bl::dtensor<float, 1>{3, 6}));
}

// A tensor of every earlier shape, or none, takes the value of formulas that read it.
BOOST_AUTO_TEST_CASE(a_tensor_grows_and_shrinks_while_it_is_read) {
  for (const bl::index rows : {0, 1, 3, 40, 700})
    for (const bl::index columns : {0, 1, 5, 64}) {
      matrix column(rows, 1);
      for (bl::index i = 0; i < rows; ++i) column(i, 0) = static_cast<float>(i) / 2;
      matrix a(1, columns);
      for (bl::index j = 0; j < columns; ++j) a(0, j) = static_cast<float>(j);
      matrix fresh = a + column * a, shapeless;
      shapeless = a + column * a;
      a = a + column * a;
      BOOST_REQUIRE((a.shape() == bl::dshape<2>(rows, columns) && a.size() == rows * columns));
      for (bl::index i = 0; i < rows; ++i)
        for (bl::index j = 0; j < columns; ++j)
          BOOST_REQUIRE(a(i, j) == static_cast<float>(j) + static_cast<float>(i) / 2 * static_cast<float>(j));
      BOOST_TEST((equal(a, fresh) && equal(a, shapeless)));
      const float* const memory = a.data();
      a = fresh - a;
      BOOST_TEST((a.data() == memory && equal(a, bl::dtensor<float, 2>(rows, columns))));
    }
}

BOOST_AUTO_TEST_CASE(an_assignment_that_throws_leaves_the_tensor_as_it_was) {
  matrix a{{1, 2}, {3, 4}}, b{{1, 2}};
  const matrix before = a;
  const float* const memory = a.data();
  const auto stale = a * 2 + b;
  b = matrix{{1, 2}, {3, 4}, {5, 6}};  // not the shape that the tree was built for
  BOOST_CHECK_THROW(a = stale, bl::shape_error);
  BOOST_TEST((a.data() == memory && equal(a, before)));
  matrix c(5, 1);
  BOOST_CHECK_THROW(c = stale, bl::shape_error);
  BOOST_TEST((equal(c, matrix(5, 1))));
  BOOST_CHECK_THROW(const matrix made = stale, bl::shape_error);
  // More bytes than an index counts. No element is read.
  constexpr bl::index many = bl::index{1} << 40;
  const float x = 1;
  const bl::view<const float, bl::dshape<2>, bl::row_major> tall(&x, {many, 1}, {}), wide(&x, {1, many}, {}),
      none(&x, {1, 0}, {});
  BOOST_CHECK_THROW(a = tall + wide, bl::shape_error);
  BOOST_CHECK_THROW(const matrix made = tall + wide, bl::shape_error);
  BOOST_TEST((a.data() == memory && equal(a, before)));
  a = none + 1;
  BOOST_TEST((a.shape() == bl::shape<1, 0>{}));
}

BOOST_AUTO_TEST_CASE(static_extents_must_be_those_of_the_value) {
  const matrix a{{1, 2, 3}, {4, 5, 6}}, row{{1, 2, 3}};
  bl::tensor<float, bl::shape<2, 3>> s;
  s = a;
  BOOST_TEST((s(1, 2) == 6.f));
  BOOST_TEST(thrown<bl::shape_error>([&] { s = row; }) == "the shape's type fixes the extent of axis 0 to 2, not 1");
  BOOST_TEST((s(0, 0) == 1.f && s(1, 0) == 4.f));
  bl::assign(s, row);  // this broadcasts
  BOOST_TEST((s(0, 0) == 1.f && s(1, 0) == 1.f));
  bl::tensor<float, bl::shape<bl::dyn, 2>> c;
  BOOST_CHECK_THROW(c = bl::ones<float>(4, 3) + 0, bl::shape_error);
  BOOST_TEST(!c.has_shape());
  c = bl::ones<float>(4, 2) + 0;
  BOOST_TEST((c.shape() == bl::shape<4, 2>{}));
  BOOST_CHECK_THROW(c = bl::ones<float>(4, 3) + 1, bl::shape_error);
  BOOST_TEST((c.shape() == bl::shape<4, 2>{} && c(3, 1) == 1.f));
}

// An extent of 0 behind others leaves no elements, and strides of 0 that share none.
static_assert([] {
  bl::tensor<int, bl::shape<2, 0>> x;
  x = x + 1;
  return x.size();
}() == 0);

BOOST_AUTO_TEST_CASE(a_static_shape_may_have_no_elements) {
  bl::tensor<float, bl::shape<2, 0>> a, b;
  a = b + 1;
  a = 2;
  a += b;
  bl::assign(a, b);
  a = matrix(2, 0);
  const bl::tensor sum = a + b;
  const bl::tensor none = bl::zeros<float>(bl::shape<3, 0, 2>{}) * 2;
  BOOST_TEST((sum.size() == 0 && none.size() == 0 && bl::eval(a.T() + 1).size() == 0));
  const bl::tensor<float, bl::shape<2>> sums = bl::sum(a, bl::axes<1>);
  BOOST_TEST((sums(0) == 0.f && sums(1) == 0.f));
  BOOST_CHECK_THROW(a = matrix(2, 1), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(what_throws_leaves_neither_a_shape_nor_elements_behind) {
  const auto refuses_two = [](float x) {
    if (x == 2) throw std::runtime_error("no");
    return x;
  };
  matrix fresh;
  BOOST_CHECK_THROW(fresh = bl::pointwise(refuses_two, matrix{{1, 2}}), std::runtime_error);
  BOOST_TEST((!fresh.has_shape() && fresh.size() == 0));
  matrix other{{7, 8, 9}};
  const float* const memory = other.data();
  BOOST_CHECK_THROW(other = bl::pointwise(refuses_two, matrix{{1, 2}}), std::runtime_error);
  BOOST_TEST((other.data() == memory && equal(other, matrix{{7, 8, 9}})));
  const bl::dtensor<int, 1> zero{0};
  bl::dtensor<int, 1> quotients;
  BOOST_CHECK_THROW(quotients = bl::floor_divide(bl::dtensor<int, 1>{1}, zero), bl::arithmetic_error);
  BOOST_TEST(!quotients.has_shape());
}

BOOST_AUTO_TEST_CASE(vectors_swaps_and_sorting_work) {
  std::vector<matrix> list;
  for (int i = 0; i < 20; ++i) {
    matrix m(i % 4 + 1, 2);
    m = static_cast<float>((i * 7) % 20);
    list.push_back(m);
  }
  std::sort(list.begin(), list.end(), [](const matrix& a, const matrix& b) { return a(0, 0) < b(0, 0); });
  for (std::size_t i = 0; i < list.size(); ++i) BOOST_TEST(list[i](0, 1) == static_cast<float>(i));
  list.erase(list.begin() + 3);
  BOOST_TEST(list[3](0, 0) == 4.f);
  matrix a{{1}}, b{{2, 3}};
  std::swap(a, b);
  BOOST_TEST((a.shape() == bl::shape<1, 2>{} && b.shape() == bl::shape<1, 1>{} && a(0, 1) == 3.f && b(0, 0) == 1.f));
  std::array<bl::tensor<int, bl::shape<2>>, 2> s{{{1, 2}, {3, 4}}};
  std::swap(s[0], s[1]);
  BOOST_TEST((s[0](0) == 3 && s[1](1) == 2));
  list.resize(40);
  BOOST_TEST((!list[39].has_shape() && list[0](0, 0) == 0.f));
}

BOOST_AUTO_TEST_CASE(other_forms_write_into_what_is_there) {
  matrix a{{1, 2}, {3, 4}};
  const float* const memory = a.data();
  bl::assign(a, matrix{{5, 6}});
  BOOST_TEST((a.data() == memory && equal(a, matrix{{5, 6}, {5, 6}})));
  a(bl::all) = matrix{{1}, {2}};
  BOOST_TEST((a.data() == memory && equal(a, matrix{{1, 1}, {2, 2}})));
  a += bl::dtensor<float, 1>{1, 0};
  BOOST_TEST((a.data() == memory && equal(a, matrix{{2, 1}, {3, 2}})));
  BOOST_CHECK_THROW(bl::assign(a, matrix(3, 2)), bl::shape_error);
  BOOST_CHECK_THROW(a(bl::all) = matrix(1, 3), bl::shape_error);
  BOOST_CHECK_THROW(a += matrix(3, 2), bl::shape_error);
  BOOST_TEST((a.data() == memory && equal(a, matrix{{2, 1}, {3, 2}})));
}

BOOST_AUTO_TEST_CASE(a_tensor_of_an_expression_and_a_policy_has_the_expressions_type) {
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  const bl::tensor y(x + 1, bl::seq);
  static_assert(std::is_same_v<decltype(y), const matrix>);
  BOOST_TEST(equal(y, matrix{{2, 3, 4}, {5, 6, 7}}));
  const bl::tensor sum(bl::sum(bl::tensor<int, bl::shape<3, 2>>{{1, 2}, {3, 4}, {5, 6}}, 0_c), bl::seq);
  static_assert(std::is_same_v<decltype(sum)::shape_type, bl::shape<2>>);
  BOOST_TEST((sum(0) == 9 && sum(1) == 12));
}

BOOST_AUTO_TEST_CASE(conversions_keep_static_knowledge_or_check_it) {
  const bl::tensor<int, bl::shape<2, 3>> s{{1, 2, 3}, {4, 5, 6}};
  const bl::dtensor<int, 2> d = s;
  BOOST_TEST((d.shape() == s.shape() && d(1, 2) == 6));
  const bl::tensor<int, bl::shape<2, bl::dyn>> m(d);
  BOOST_TEST(m(1, 0) == 4);
  BOOST_CHECK_THROW((bl::tensor<int, bl::shape<3, bl::dyn>>(d)), bl::shape_error);
  BOOST_CHECK_THROW((bl::tensor<int, bl::shape<2, 2>>(d)), bl::shape_error);
  const bl::dtensor<double, 2> wide = s;
  BOOST_TEST(wide(1, 1) == 5.0);
  bl::tensor deduced = s + bl::ones<float>(3_c);
  static_assert(std::is_same_v<decltype(deduced), bl::tensor<float, bl::shape<2, 3>>>);
  BOOST_TEST(deduced(0, 0) == 2.f);
  bl::tensor half = d + s;
  static_assert(std::is_same_v<decltype(half), bl::tensor<int, bl::shape<2, 3>>>);
  bl::tensor copy = d;
  static_assert(std::is_same_v<decltype(copy), bl::dtensor<int, 2>>);
  BOOST_TEST((copy.data() != d.data() && equal(copy, d)));
  static_assert(!std::is_constructible_v<bl::dtensor<int, 3>, const bl::dtensor<int, 2>&>);
  static_assert(!std::is_constructible_v<bl::dtensor<int, 2>, const bl::dtensor<float, 2>&>);
  static_assert(std::is_constructible_v<bl::dtensor<float, 2>, const bl::dtensor<int, 2>&>);
  static_assert(std::is_convertible_v<const bl::dtensor<int, 2>&, bl::tensor<int, bl::shape<2, 3>>>);
  const auto to_static = [](const bl::tensor<int, bl::shape<2, 3>>& x) { return x(1, 2); };
  const bl::dtensor<int, 2> fits{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(to_static(fits) == 6);
  BOOST_CHECK_THROW(to_static(bl::dtensor<int, 2>{{1, 2}, {4, 5}}), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(elements_are_found_by_indices_from_either_end) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  a(1, -1) = 9;
  BOOST_TEST((a(1, 2) == 9.f && a(-2, -3) == 1.f));
  BOOST_TEST(thrown<bl::index_error>([&] { a(2, 0); }) == "index 2 is out of bounds for dimension 0 with size 2");
  BOOST_TEST(thrown<bl::index_error>([&] { a(0, 3); }) == "index 3 is out of bounds for dimension 1 with size 3");
  BOOST_TEST(thrown<bl::index_error>([&] { a(0, -4); }) == "index -4 is out of bounds for dimension 1 with size 3");
  BOOST_TEST(thrown<bl::index_error>([&] { static_cast<void>((a + a)(0, 3)); }) ==
             "index 3 is out of bounds for dimension 1 with size 3");
  BOOST_CHECK_THROW(a.item(), bl::shape_error);
  BOOST_CHECK_THROW((bl::dtensor<float, 1>{1, 2}.item()), bl::shape_error);
  BOOST_CHECK_THROW((bl::dtensor<float, 2>(1, 0).item()), bl::shape_error);
  // operands that broadcast: with fewer axes, and with an extent of 1
  const bl::dtensor<float, 2> column{{10}, {20}};
  const bl::dtensor<float, 1> row{100, 200, 300};
  const auto sum = column + row;
  for (bl::index i = 0; i < 2; ++i)
    for (bl::index j = 0; j < 3; ++j) BOOST_TEST(sum(i, j) == column(i, 0) + row(j));
  BOOST_TEST((matrix{{8}}.item() == 8.f));
  BOOST_CHECK_THROW(static_cast<void>((a + a).item()), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(arrays_have_the_members_of_mdspan_and_numpy) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  const auto check = [](const auto& x) {
    BOOST_TEST(x.extent(0) == 2);
    BOOST_TEST(x.extent(-1) == 3);
    BOOST_TEST(x.ndim() == 2);
    BOOST_TEST(x.nbytes() == 24);
    BOOST_TEST(equal(x.copy(), bl::eval(x)));
    for (const bl::index axis : {2, -3})
      BOOST_TEST(thrown<bl::index_error>([&] { static_cast<void>(x.extent(axis)); }) ==
                 "Dimension out of range (expected to be in range of [-2, 1], but got " + std::to_string(axis) +
                     ")\n  in extent");
  };
  check(a);
  check(a + 1);
  check(+a);
  check(a.T().T());
  check(bl::tensor<float, bl::shape<2, 3>>{{1, 2, 3}, {4, 5, 6}});
  auto copy = a.copy();
  copy.fill(7);
  copy(0, bl::all).fill(8);
  BOOST_TEST(equal(copy, bl::dtensor<float, 2>{{8, 8, 8}, {7, 7, 7}}));
  BOOST_TEST((a(0, 0) == 1 && bl::inf > 1e300 && bl::nan != bl::nan));
  static_assert(std::is_same_v<decltype(a + bl::inf)::value_type, float>);
}

BOOST_AUTO_TEST_SUITE_END()
