// Containers of C++ among arrays: where they lie, what their type says of their size, and what is moved into a tree.
#include <array>
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <iterator>
#include <list>
#include <ranges>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace bl = broadloom;

template <class X>
concept takes_from = requires(X&& x) { bl::from(static_cast<X&&>(x)); };

BOOST_AUTO_TEST_SUITE(tensor_containers)

template <class A>
using shape_of = bl::detail::shape_of<bl::detail::node_of<A>>;
static_assert(std::is_same_v<shape_of<std::vector<float>&>, bl::dshape<1>>);
static_assert(std::is_same_v<shape_of<std::array<float, 3>&>, bl::shape<3>>);
static_assert(std::is_same_v<shape_of<std::span<const double>>, bl::dshape<1>>);
static_assert(std::is_same_v<shape_of<std::span<int, 4>>, bl::shape<4>>);
static_assert(std::is_same_v<shape_of<double (&)[2][3]>, bl::shape<2, 3>>);
static_assert(!bl::array<bl::list<int>&>);
static_assert(!bl::array<std::vector<bool>>);
static_assert(!bl::array<std::vector<std::vector<float>>>);
static_assert(!bl::array<const char (&)[4]>);
static_assert(!bl::array<bl::dshape<2>>);

BOOST_AUTO_TEST_CASE(they_are_operands_where_they_lie) {
  const std::vector<float> v{1, 2, 3};
  bl::dtensor<float, 2> m{{1, 1, 1}, {10, 20, 30}};
  bl::tensor r = m + v;
  BOOST_TEST(r(1, 2) == 33.0F);
  BOOST_TEST(bl::eval(bl::sum(v)).item() == 6.0F);
  std::array<int, 3> a{1, 2, 3};
  auto e = bl::from(a) * 2 + std::span<int>(a);
  static_assert(std::is_same_v<decltype(e)::shape_type, bl::shape<3>>);
  a[1] = 7;
  BOOST_TEST(e(1) == 21);
}

BOOST_AUTO_TEST_CASE(containers_in_one_another_are_copied) {
  std::vector<std::vector<float>> rows{{1, 2, 3}, {4, 5, 6}};
  const bl::dtensor<float, 2> expected{{1, 2, 3}, {4, 5, 6}};
  bl::dtensor<float, 2> m(rows);
  BOOST_TEST(bl::array_equal(m, expected));
  m = rows;
  BOOST_TEST(bl::array_equal(m, expected));
  BOOST_TEST(bl::array_equal((bl::tensor<double, bl::shape<2, 3>>(rows)), expected));
  const bl::tensor deduced(rows);
  static_assert(std::is_same_v<decltype(deduced), const bl::dtensor<float, 2>>);
  BOOST_TEST(bl::array_equal(deduced, expected));
  const std::array<std::vector<std::array<int, 2>>, 1> deep{{{{1, 2}, {3, 4}, {5, 6}}}};
  BOOST_TEST(bl::array_equal((bl::dtensor<float, 3>(deep)), bl::dtensor<float, 3>{{{1, 2}, {3, 4}, {5, 6}}}));
  const std::vector<std::vector<bool>> flags{{true, false}};
  BOOST_TEST(bl::array_equal((bl::dtensor<bool, 2>(flags)), bl::dtensor<bool, 2>{{true, false}}));
  BOOST_TEST(bl::array_equal((bl::dtensor<bool, 1>(flags[0])), bl::dtensor<bool, 1>{true, false}));
  BOOST_TEST((bl::dtensor<int, 2>(std::vector<std::vector<int>>()).shape() == bl::dshape<2>(0, 0)));
  static_assert(!std::is_constructible_v<bl::dtensor<float, 3>, std::vector<std::vector<float>>&>);
  static_assert(!std::is_constructible_v<bl::dtensor<int, 2>, std::vector<std::vector<float>>&>);
  static_assert(!std::is_convertible_v<std::vector<std::vector<float>>, bl::tensor<float, bl::shape<2, 3>>>);
  rows[1].pop_back();
  BOOST_CHECK_THROW((bl::dtensor<float, 2>(rows)), bl::shape_error);
  rows[1] = {1, 2, 3};
  rows.pop_back();
  BOOST_CHECK_THROW((bl::tensor<double, bl::shape<2, 3>>(rows)), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(a_view_of_them_is_of_their_own_memory) {
  std::vector<double> v{1, 2, 3, 4};
  auto seen = bl::from(v);
  BOOST_TEST(seen.data() == v.data());
  seen += 1;
  BOOST_TEST(v[3] == 5.0);
  const auto& fixed = v;
  static_assert(std::is_same_v<decltype(bl::from(fixed))::element_type, const double>);
  std::array<float, 3> a{1, 2, 3};
  BOOST_TEST(bl::from(a).data() == a.data());
  BOOST_TEST((bl::from(v, 1, 2).data() == v.data() && bl::from(v.data(), 2, 1).shape() == bl::shape<2, 1>{}));
  BOOST_TEST(bl::from(std::span<float, 3>(a)).data() == a.data());
  const bl::dtensor<float, 2> t{{1, 2}, {3, 4}};
  const std::span<const float> out(t.data(), static_cast<std::size_t>(t.size()));
  BOOST_TEST((out.size() == 4U && &out[2] == &t(1, 0)));
  double m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(bl::from(m).data() == &m[0][0]);
  auto rows = bl::from(m);
  rows(1, bl::all) *= 2;
  BOOST_TEST(m[1][2] == 12.0);
  BOOST_TEST(bl::eval(bl::sum(m, bl::axes<0>))(0) == 9.0);
  static_assert(!takes_from<std::vector<double>>);
  static_assert(!takes_from<std::array<double, 2>>);
  static_assert(takes_from<std::span<double>>);
}

BOOST_AUTO_TEST_CASE(an_rvalue_moves_into_the_tree_without_a_copy) {
  std::vector<float> v{1, 2, 3};
  const float* const first = v.data();
  auto e = bl::detail::capture(std::move(v));
  BOOST_TEST(e.data() == first);
  auto sum = [] {
    bl::dtensor<float, 2> m{{1, 1, 1}};
    return std::move(m) + std::vector<float>{1, 2, 3};
  }();
  auto again = sum;
  BOOST_TEST(bl::eval(again)(0, 2) == 4.0F);
}

// Functions that look at the shape of an argument ask its leaf: a container has no shape() of its own.
BOOST_AUTO_TEST_CASE(functions_that_ask_for_their_shape_take_them) {
  const std::vector<double> v{1, 2, 6};
  const double m[2][3] = {{1, 2, 6}, {3, 0, 0}};
  BOOST_TEST(bl::mean(v).item() == 3.0);
  BOOST_TEST(bl::eval(bl::mean(m, bl::axes<1>))(1) == 1.0);
  BOOST_TEST(bl::eval(bl::isclose(v, m))(0, 2));
  BOOST_TEST(bl::eval(bl::strict(bl::add)(v, v))(2) == 12.0);
  BOOST_TEST(bl::compat::add(v, v)(2) == 12.0);
  const auto [x, y] = bl::broadcast_tensors(v, m);
  BOOST_TEST((x(1, 2) == 6.0 && y(1, 0) == 3.0));
}

BOOST_AUTO_TEST_CASE(they_index_arrays) {
  bl::dtensor<int, 1> t{10, 20, 30, 40};
  const std::vector<bl::index> which{3, 0};
  bl::tensor r = t(which);
  BOOST_TEST(r(0) == 40);
  BOOST_TEST(r(1) == 10);
}

BOOST_AUTO_TEST_CASE(an_empty_one_is_an_array_of_no_elements) {
  std::vector<float> none;
  BOOST_TEST(bl::eval(bl::sum(none)).item() == 0.0F);
  bl::tensor r = bl::add(none, 1);
  BOOST_TEST(r.size() == 0);
}

// A class that is a tensor with something added.
struct weights : bl::dtensor<float, 1> {
  using bl::dtensor<float, 1>::dtensor;
  using bl::dtensor<float, 1>::operator=;
};
static_assert(bl::array<weights&> && !bl::expression<weights>);

BOOST_AUTO_TEST_CASE(a_class_derived_from_a_tensor_is_that_tensor) {
  weights w{1, 2, 3};
  const bl::dtensor<float, 1> sum = w + 1;
  BOOST_TEST(bl::array_equal(sum, bl::dtensor<float, 1>{2, 3, 4}));
  w = w * w;
  BOOST_TEST(bl::eval(bl::sum(w)).item() == 14.0F);
  BOOST_TEST(w(bl::range(1, 3)).size() == 2);
}

#if !defined(__clang__) || __clang_major__ >= 16  // before, clang and std::views of GCC's library do not go together
BOOST_AUTO_TEST_CASE(ranges_that_know_their_size_are_copied) {
  const auto halves = std::views::iota(0, 4) | std::views::transform([](int i) { return i * 0.5; });
  const bl::dtensor<double, 1> x(halves);
  BOOST_TEST(bl::array_equal(x, bl::dtensor<double, 1>{0, 0.5, 1, 1.5}));
  const bl::tensor y(std::views::iota(0, 3));
  static_assert(std::is_same_v<std::remove_const_t<decltype(y)>, bl::dtensor<int, 1>>);
  BOOST_TEST(y(2) == 2);
  static_assert(!std::is_constructible_v<bl::dtensor<int, 1>, std::string>);
}
#endif

BOOST_AUTO_TEST_CASE(elements_between_iterators_are_copied) {
  const std::list<int> l{4, 5, 6};
  BOOST_TEST(bl::array_equal(bl::dtensor<double, 1>(l.begin(), l.end()), bl::dtensor<double, 1>{4, 5, 6}));
  auto odd = std::views::iota(0, 10) | std::views::filter([](int i) { return i % 2 == 1; });
  BOOST_TEST(bl::array_equal(bl::dtensor<int, 1>(odd.begin(), odd.end()), bl::dtensor<int, 1>{1, 3, 5, 7, 9}));
  std::istringstream text("1 2 3.5");  // read once
  const bl::dtensor<double, 1> read(std::istream_iterator<double>(text), std::istream_iterator<double>{});
  BOOST_TEST(bl::array_equal(read, bl::dtensor<double, 1>{1, 2, 3.5}));
  const float p[] = {5, 6, 7};
  BOOST_TEST(bl::array_equal(bl::tensor<float, bl::shape<2>>(p + 1, p + 3), bl::dtensor<float, 1>{6, 7}));
  BOOST_CHECK_THROW((bl::tensor<float, bl::shape<2>>(p, p + 3)), bl::shape_error);
  const std::vector<bool> b{true, false};
  BOOST_TEST(bl::array_equal(bl::dtensor<bool, 1>(b.begin(), b.end()), bl::dtensor<bool, 1>{true, false}));
  BOOST_TEST((bl::dtensor<float, 1>(p, p).size() == 0));
  static_assert(!std::is_constructible_v<bl::dtensor<int, 1>, const float*, const float*>);
  static_assert(!std::is_constructible_v<bl::dtensor<float, 2>, const float*, const float*>);
}

BOOST_AUTO_TEST_SUITE_END()
