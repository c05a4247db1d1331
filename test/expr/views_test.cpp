// Views: every one against a loop that computes where each element comes from, on writable arrays, and with the types'
// knowledge.
#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "thrown.hpp"

namespace bl = broadloom;
using namespace bl::literals;
using bl::dyn;

namespace {

// Element (i, j, k) of a (2, 3, 4) array is 100 i + 10 j + k.
bl::dtensor<int, 3> numbers() {
  bl::dtensor<int, 3> r(2, 3, 4);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) r(i, j, k) = 100 * i + 10 * j + k;
  return r;
}

template <class V>
using shape_of = typename std::remove_cvref_t<V>::shape_type;

using fixed = bl::tensor<int, bl::shape<2, 3, 4>>;
using mixed = bl::tensor<int, bl::shape<2, dyn, 4>>;

}  // namespace

// What is static stays static.
static_assert(std::is_same_v<shape_of<decltype(std::declval<fixed&>().T())>, bl::shape<4, 3, 2>>);
static_assert(std::is_same_v<shape_of<decltype(bl::transpose(std::declval<mixed&>()))>, bl::shape<4, dyn, 2>>);
static_assert(std::is_same_v<shape_of<decltype(bl::transpose(std::declval<fixed&>(), 0_c, 2_c))>, bl::shape<4, 3, 2>>);
static_assert(std::is_same_v<shape_of<decltype(bl::transpose(std::declval<fixed&>(), 0, 2))>, bl::dshape<3>>);
static_assert(
    std::is_same_v<shape_of<decltype(bl::permute(std::declval<mixed&>(), bl::axes<1, -1, 0>))>, bl::shape<dyn, 4, 2>>);
static_assert(
    std::is_same_v<shape_of<decltype(bl::permute(std::declval<mixed&>(), 1_c, 2_c, 0_c))>, bl::shape<dyn, 4, 2>>);
static_assert(std::is_same_v<shape_of<decltype(bl::unsqueeze(std::declval<mixed&>(), 3_c))>, bl::shape<2, dyn, 4, 1>>);
static_assert(std::is_same_v<shape_of<decltype(bl::squeeze(std::declval<bl::tensor<int, bl::shape<2, 1>>&>(), 1_c))>,
                             bl::shape<2>>);
static_assert(std::is_same_v<shape_of<decltype(bl::select(std::declval<mixed&>(), 0_c, 1_c))>, bl::shape<dyn, 4>>);
static_assert(
    std::is_same_v<shape_of<decltype(bl::narrow(std::declval<mixed&>(), 2_c, 1_c, 2_c))>, bl::shape<2, dyn, 2>>);
static_assert(std::is_same_v<shape_of<decltype(bl::movedim(std::declval<fixed&>(), 0_c, 2_c))>, bl::shape<3, 4, 2>>);
static_assert(std::is_same_v<shape_of<decltype(bl::diagonal(std::declval<fixed&>()))>, bl::shape<4, 2>>);
static_assert(std::is_same_v<
              shape_of<decltype(bl::expand(std::declval<bl::tensor<int, bl::shape<3, 1>>&>(), bl::shape<2, 3, 5>{}))>,
              bl::shape<2, 3, 5>>);
static_assert(std::is_same_v<shape_of<decltype(bl::flip(std::declval<fixed&>(), 0_c, 2_c))>, bl::shape<2, 3, 4>>);
// and static geometry takes no room beside the pointer
static_assert(sizeof(bl::flip(std::declval<fixed&>(), 0_c)) == sizeof(int*));
static_assert(sizeof(bl::permute(std::declval<fixed&>(), bl::axes<2, 0, 1>)) == sizeof(int*));

BOOST_AUTO_TEST_SUITE(expr_views)

BOOST_AUTO_TEST_CASE(transpose_swaps_or_reverses_axes) {
  auto x = numbers();
  const auto t = x.T();
  const auto s = bl::transpose(x, 0, -1), m = bl::transpose(x, 1, 2);
  BOOST_TEST((t.shape() == bl::shape<4, 3, 2>{} && m.shape() == bl::shape<2, 4, 3>{}));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) {
        BOOST_TEST(t(k, j, i) == 100 * i + 10 * j + k);
        BOOST_TEST(s(k, j, i) == 100 * i + 10 * j + k);
        BOOST_TEST(m(i, k, j) == 100 * i + 10 * j + k);
      }
  BOOST_CHECK_THROW(bl::transpose(x, 0, 3), bl::index_error);
  const bl::dtensor<int, 1> v{1, 2};
  BOOST_TEST(v.T()(1) == 2);
}

BOOST_AUTO_TEST_CASE(permute_takes_axis_i_from_the_ith_number) {
  auto x = numbers();
  const auto p = bl::permute(x, 2, 0, 1), q = bl::permute(x, -1, -3, -2);
  const auto c = bl::permute(x, bl::axes<2, 0, 1>);
  BOOST_TEST((p.shape() == bl::shape<4, 2, 3>{} && q.shape() == p.shape() && c.shape() == p.shape()));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        BOOST_TEST((p(k, i, j) == x(i, j, k) && q(k, i, j) == x(i, j, k) && c(k, i, j) == x(i, j, k)));
  BOOST_TEST((bl::transpose(x, {2, 0, 1}).shape() == bl::shape<4, 2, 3>{}));
  BOOST_TEST((bl::transpose(x, {1, 0, 2})(2, 1, 3) == x(1, 2, 3) && bl::transpose(x, 1, 0)(2, 1, 3) == x(1, 2, 3)));
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::permute(x, 0, 0, 1); }) ==
             "axes [0, 0, 1] are not a permutation of the 3 axes of the array\n  in permute");
  BOOST_CHECK_THROW(bl::permute(x, 0, 1, 3), bl::shape_error);
  BOOST_CHECK_THROW(bl::permute(x, 0, 1, -2), bl::shape_error);
}

// Strides (1, 0) and (0, 1) in one program: GCC 12 took them for the same template argument.
BOOST_AUTO_TEST_CASE(expanded_rows_and_columns_of_static_extents) {
  const bl::tensor<float, bl::shape<3, 1>> column{{10}, {20}, {30}};
  const bl::tensor<float, bl::shape<2>> row{1, 2};
  const bl::shape<3, 2> s;
  const bl::tensor columns = bl::expand(column, s) + 0, rows = bl::expand(row, s) + 0,
                   sum = bl::expand(column, s) + bl::expand(row, s);
  for (bl::index i = 0; i < 3; ++i)
    for (bl::index j = 0; j < 2; ++j) {
      BOOST_TEST(columns(i, j) == column(i, 0));
      BOOST_TEST(rows(i, j) == row(j));
      BOOST_TEST(sum(i, j) == column(i, 0) + row(j));
    }
}

BOOST_AUTO_TEST_CASE(expand_repeats_without_copying) {
  bl::dtensor<int, 2> x{{1}, {2}, {3}};
  const auto e = bl::expand(x, bl::dshape<3>(2, 3, 4));
  BOOST_TEST((e.shape() == bl::shape<2, 3, 4>{} && e.strides()[0] == 0 && e.strides()[2] == 0));
  BOOST_TEST((e.data() == x.data() && e(1, 2, 3) == 3 && e(0, 0, 3) == 1));
  BOOST_TEST((bl::expand(x, std::array{2, -1, 4}).shape() == e.shape()));
  BOOST_TEST((bl::broadcast_to(x, bl::shape<3, 2>{})(2, 1) == 3));
  BOOST_TEST((bl::expand_as(x, bl::zeros<float>(3, 5)).shape() == bl::shape<3, 5>{}));
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::expand(x, bl::dshape<2>(4, 1)); }) ==
             "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 0.  "
             "Target sizes: [4, 1].  Tensor sizes: [3, 1]\n  in expand");
  BOOST_CHECK_THROW(bl::expand(x, bl::dshape<2>(1, 1)), bl::shape_error);  // the target never gives way
  BOOST_TEST((bl::expand(x, bl::dshape<2>(3, 0)).size() == 0));
}

BOOST_AUTO_TEST_CASE(unsqueeze_and_squeeze_undo_each_other) {
  auto x = numbers();
  for (bl::index axis = -4; axis < 4; ++axis) {
    const auto u = bl::unsqueeze(x, axis);
    const bl::index a = axis < 0 ? axis + 4 : axis;
    BOOST_TEST(u.shape()[a] == 1);
    const auto s = bl::squeeze(u, axis);
    BOOST_TEST((s.shape() == x.shape() && s(1, 2, 3) == 123));
  }
  BOOST_CHECK_THROW(bl::unsqueeze(x, 4), bl::index_error);
  BOOST_CHECK_THROW(bl::unsqueeze(x, -5), bl::index_error);
  for (const bl::index extent : {0, 2}) BOOST_CHECK_THROW(bl::squeeze(bl::zeros<float>(3, extent), 1), bl::shape_error);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::squeeze(x, 1); }) == "squeeze: axis 1 has extent 3, not 1");
}

BOOST_AUTO_TEST_CASE(flip_reverses_axes) {
  auto x = numbers();
  const auto f = bl::flip(x, 1), g = bl::flip(x, 0, -1);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) BOOST_TEST((f(i, 2 - j, k) == x(i, j, k) && g(1 - i, j, 3 - k) == x(i, j, k)));
  BOOST_TEST(bl::flip(bl::flip(x, 2), 2).data() == x.data());
  BOOST_TEST(bl::flip(bl::zeros<int>(0), 0).size() == 0);
  const auto all = bl::flip(x);
  BOOST_TEST((all(0, 0, 0) == x(1, 2, 3) && all(1, 0, 3) == x(0, 2, 0) && all.shape() == x.shape()));
}

BOOST_AUTO_TEST_CASE(select_takes_one_index_of_an_axis) {
  auto x = numbers();
  BOOST_TEST(bl::select(x, 1, 2)(1, 3) == 123);
  BOOST_TEST(bl::select(x, -1, -1)(1, 0) == 103);
  BOOST_TEST(bl::select(bl::select(bl::select(x, 0, 1), 0, 1), 0, 1)() == 111);
  BOOST_TEST(thrown<bl::index_error>([&] { bl::select(x, 0, 2); }) ==
             "index 2 is out of bounds for dimension 0 with size 2\n  in select");
  BOOST_TEST(thrown<bl::index_error>([&] { bl::select(x, 2, -5); }) ==
             "index -5 is out of bounds for dimension 2 with size 4\n  in select");
}

BOOST_AUTO_TEST_CASE(narrow_takes_a_part_of_an_axis) {
  auto x = numbers();
  const auto n = bl::narrow(x, 2, 1, 2);
  BOOST_TEST((n.shape() == bl::shape<2, 3, 2>{} && n(0, 0, 0) == 1 && n(1, 2, 1) == 122));
  BOOST_TEST(bl::narrow(x, 1, -2, 1)(0, 0, 0) == 10);
  BOOST_TEST(bl::narrow(x, 1, 3, 0).size() == 0);
  BOOST_TEST(thrown<bl::index_error>([&] { bl::narrow(x, 2, 3, 2); }) ==
             "start (3) + length (2) exceeds dimension size (4).\n  in narrow");
  BOOST_CHECK_THROW(bl::narrow(x, 2, -5, 1), bl::index_error);
  BOOST_CHECK_THROW(bl::narrow(x, 2, 0, -1), bl::index_error);
  BOOST_CHECK_THROW(bl::narrow(x, 2, 0, 5), bl::index_error);
}

BOOST_AUTO_TEST_CASE(movedim_moves_one_axis_and_keeps_the_order_of_the_others) {
  auto x = numbers();
  const auto a = bl::movedim(x, 0, 2), b = bl::movedim(x, -1, 0);
  BOOST_TEST((a.shape() == bl::shape<3, 4, 2>{} && b.shape() == bl::shape<4, 2, 3>{}));
  BOOST_TEST((a(2, 3, 1) == 123 && b(3, 1, 2) == 123 && a(0, 1, 0) == 1 && b(0, 0, 1) == 10));
  BOOST_TEST(bl::movedim(x, 1, 1)(1, 2, 3) == 123);
}

BOOST_AUTO_TEST_CASE(diagonal_is_the_last_axis_of_its_result) {
  auto x = numbers();
  BOOST_TEST((bl::diagonal(x).shape() == bl::shape<4, 2>{} && bl::diagonal(x)(3, 1) == 113));
  const auto d = bl::diagonal(x, 1, 1, 2);
  BOOST_TEST((d.shape() == bl::shape<2, 3>{} && d(1, 0) == 101 && d(0, 2) == 23));
  BOOST_TEST((bl::diagonal(x, -1, -2, -1).shape() == bl::shape<2, 2>{} && bl::diagonal(x, -1, 1, 2)(0, 1) == 21));
  BOOST_TEST(bl::diagonal(x, 9, 1, 2).size() == 0);
  bl::dtensor<int, 2> m(3, 3);
  bl::diagonal(m) = 1;
  bl::diagonal(m, 1) += 5;
  BOOST_TEST((m(0, 0) == 1 && m(2, 2) == 1 && m(0, 1) == 5 && m(1, 2) == 5 && m(1, 0) == 0 && m(0, 2) == 0));
  BOOST_CHECK_THROW(bl::diagonal(m, 0, 1, 1), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(a_view_of_an_array_is_writable_and_of_a_const_array_is_not) {
  auto x = numbers();
  bl::permute(x, 2, 1, 0)(3, 2, 1) = 7;
  BOOST_TEST(x(1, 2, 3) == 7);
  bl::select(x, 0, 0) = 0;
  BOOST_TEST((x(0, 2, 3) == 0 && x(1, 0, 0) == 100));
  const auto& c = x;
  static_assert(std::is_same_v<decltype(c.T()(0, 0, 0)), const int&>);
  static_assert(std::is_same_v<decltype(x.T()(0, 0, 0)), int&>);
  static_assert(std::is_same_v<decltype(bl::flip(c, 0).data()), const int*>);
}

BOOST_AUTO_TEST_CASE(views_of_views_and_of_static_arrays_agree_with_dynamic_ones) {
  const fixed f = [] {
    fixed r;
    r = numbers();
    return r;
  }();
  const auto x = numbers();
  const auto chain = [](const auto& a) {
    return bl::eval(bl::select(bl::flip(bl::permute(bl::narrow(a, 2_c, 1_c, 3_c), bl::axes<2, 0, 1>), 1_c), 2_c, 2_c));
  };
  const auto one = chain(f);
  const auto two = chain(x);
  static_assert(std::is_same_v<shape_of<decltype(one)>, bl::shape<3, 2>>);
  BOOST_TEST((one.shape() == two.shape()));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) BOOST_TEST((one(i, j) == two(i, j) && one(i, j) == 100 * (1 - j) + 20 + i + 1));
}

// Axes in a container are the same axes one by one.
template <class A, class B>
void same_geometry(const A& a, const B& b) {
  BOOST_TEST((a.shape().extents() == b.shape().extents()));
  BOOST_TEST((a.strides() == b.strides()));
  BOOST_TEST(a.data() == b.data());
}

BOOST_AUTO_TEST_CASE(axes_may_come_in_a_container) {
  bl::dtensor<float, 3> a(2, 3, 4);
  for (int i = -3; i < 3; ++i)
    for (int j = -3; j < 3; ++j)
      for (int k = -3; k < 3; ++k) {
        const std::vector<int> axes{i, j, k};
        if ((1 << (i + 3) % 3 | 1 << (j + 3) % 3 | 1 << (k + 3) % 3) != 7) {
          BOOST_CHECK_THROW(bl::permute(a, axes), bl::shape_error);
          BOOST_CHECK_THROW(bl::flip(a, axes), bl::index_error);
          continue;
        }
        same_geometry(bl::permute(a, axes), bl::permute(a, i, j, k));
        same_geometry(bl::permute(a, std::array{i, j, k}), bl::permute(a, i, j, k));
        same_geometry(bl::flip(a, axes), bl::flip(a, i, j, k));
        same_geometry(bl::flip(a, std::vector<long>{i, j}), bl::flip(a, i, j));
      }
  same_geometry(bl::flip(a, std::vector<int>()), a.as_view());
  BOOST_CHECK_THROW(bl::permute(a, std::vector{0, 1}), bl::shape_error);
  BOOST_CHECK_EXCEPTION(bl::permute(a, std::vector{0, 1, 2, 2}), bl::shape_error, [](const bl::shape_error& e) {
    return std::string(e.what()).find("[0, 1, 2, 2]") != std::string::npos;
  });
  BOOST_CHECK_THROW(bl::flip(a, std::vector{3}), bl::index_error);

  bl::dtensor<float, 4> ones(1, 3, 1, 1);
  for (int i = -4; i < 4; ++i)
    for (int j = -4; j < 4; ++j) {
      const int first = (i + 4) % 4, second = (j + 4) % 4;
      if (first == second)
        BOOST_CHECK_THROW(bl::squeeze(ones, std::array{i, j}), bl::index_error);
      else if (first == 1 || second == 1)
        BOOST_CHECK_THROW(bl::squeeze(ones, std::array{i, j}), bl::shape_error);
      else
        same_geometry(bl::squeeze(ones, std::array{i, j}),
                      bl::squeeze(bl::squeeze(ones, std::max(first, second)), std::min(first, second)));
    }
  same_geometry(bl::squeeze(ones, std::array<int, 0>()), ones.as_view());
  static_assert(
      std::is_same_v<decltype(bl::flip(bl::tensor<float, bl::shape<2, 3>>() * 2, std::vector<int>()))::shape_type,
                     bl::shape<2, 3>>);
}

BOOST_AUTO_TEST_SUITE_END()
