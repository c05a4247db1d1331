// reshape: a view where elements lie in order, else computed once.
#include <broadloom/broadloom.hpp>

#include <array>
#include <boost/test/unit_test.hpp>
#include <string>

#include "thrown.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class V>
using shape_of = typename std::remove_cvref_t<V>::shape_type;
using fixed = bl::tensor<int, bl::shape<4, 6>>;
using free_rows = bl::tensor<int, bl::shape<bl::dyn, 6>>;
static_assert(
    std::is_same_v<shape_of<decltype(bl::reshape(std::declval<fixed&>(), 2_c, 3_c, 4_c))>, bl::shape<2, 3, 4>>);
static_assert(std::is_same_v<shape_of<decltype(bl::reshape(std::declval<fixed&>(), 3_c, -1_c))>, bl::shape<3, 8>>);
static_assert(std::is_same_v<shape_of<decltype(bl::reshape(std::declval<fixed&>(), 3_c, -1))>, bl::shape<3, 8>>);
static_assert(std::is_same_v<shape_of<decltype(bl::reshape(std::declval<free_rows&>(), -1_c, 2_c, 3_c))>,
                             bl::shape<bl::dyn, 2, 3>>);
static_assert(std::is_same_v<shape_of<decltype(bl::reshape(std::declval<free_rows&>(), bl::shape<6, bl::dyn>(2)))>,
                             bl::shape<6, bl::dyn>>);

struct counted {
  long* calls;
  int operator()(int x) const { return ++*calls, x; }
};

bl::dtensor<int, 2> numbers() {
  bl::dtensor<int, 2> x(4, 6);
  for (int i = 0; i < 24; ++i) x.data()[i] = i;
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_reshape)

BOOST_AUTO_TEST_CASE(of_a_tensor_it_is_a_view) {
  auto x = numbers();
  auto y = bl::reshape(x, 2, -1, 3);
  BOOST_TEST((y.shape() == bl::make_shape(2, 4, 3)));
  BOOST_TEST(y.data() == x.data());
  y(1, 2, 0) = 100;
  BOOST_TEST(x(3, 0) == 100);
  y = 7;
  BOOST_TEST(x(2, 2) == 7);
  BOOST_TEST(bl::reshape(x, -1).size() == 24);
  BOOST_TEST(bl::reshape(bl::ones<int>(1, 1))(/* rank 0 */) == 1);
  BOOST_TEST(bl::reshape(x, bl::dshape<2>(24, 1))(5, 0) == 7);
  BOOST_TEST((bl::reshape(x, bl::shape(24, 1)).shape() == bl::shape<24, 1>{}));
  BOOST_TEST((bl::reshape(x, std::array{2, -1, 3}).shape() == y.shape()));
}

BOOST_AUTO_TEST_CASE(of_anything_else_it_has_the_elements_in_row_major_order) {
  const auto x = numbers();
  const auto check = [](const auto& source, const auto& shaped) {
    const auto s = bl::eval(source);
    const auto r = bl::eval(shaped);
    BOOST_TEST(r.size() == s.size());
    bool same = true;
    for (bl::index i = 0; i < s.size(); ++i) same = same && r.data()[i] == s.data()[i];
    BOOST_TEST(same);
  };
  check(x.T(), bl::reshape(x.T(), 3, 8));
  check(x * 2, bl::reshape(x * 2, 8, -1));
  check(bl::flip(x, 1), bl::reshape(bl::flip(x, 1), 2, 2, -1));
  check(bl::slice(x, bl::range(1, 3), bl::range(0, 6, 2)),
        bl::reshape(bl::slice(x, bl::range(1, 3), bl::range(0, 6, 2)), -1));
  check(bl::sum(x, bl::axes<0>), bl::reshape(bl::sum(x, bl::axes<0>), 2, 3));
  check(bl::sum(x, bl::axes<0>) * 3, bl::reshape(bl::sum(x, bl::axes<0>) * 3, 2, 3));
  check(bl::sum(bl::unsqueeze(x, 0), bl::axes<1>).T(),
        bl::reshape(bl::sum(bl::unsqueeze(x, 0), bl::axes<1>).T(), 3, 2));
  check(bl::expand(bl::arange<int>(3), bl::make_shape(4, 3)),
        bl::reshape(bl::expand(bl::arange<int>(3), bl::make_shape(4, 3)), 2, 6));
  check(bl::cumsum(x, 1), bl::reshape(bl::cumsum(x, 1), 24));
  const auto kept = [] { return bl::reshape(numbers() + numbers(), 24); }();
  BOOST_TEST(bl::eval(kept)(5) == 10);
  const auto owned = [] { return bl::reshape(numbers(), 24); }();
  BOOST_TEST(bl::eval(owned + 1)(5) == 6);
  // views of it, and functions of it
  BOOST_TEST(bl::eval(bl::reshape(x.T(), 3, 8).T() + 1)(2, 1) == bl::eval(x.T()).data()[10] + 1);
  BOOST_TEST(bl::eval(bl::sum(bl::reshape(x.T(), 3, 8), bl::axes<1>))(0) == 0 + 6 + 12 + 18 + 1 + 7 + 13 + 19);
}

BOOST_AUTO_TEST_CASE(elements_are_computed_once) {
  const auto x = numbers();
  long calls = 0;
  const auto r = bl::reshape(bl::pointwise(counted{&calls}, x), 6, 4);
  BOOST_TEST(calls == 0);
  const bl::dtensor<int, 2> two = bl::eval(r + bl::flip(r, 0), bl::seq);
  BOOST_TEST(calls == 24);
  BOOST_TEST(two(0, 1) == 1 + 21);
}

BOOST_AUTO_TEST_CASE(what_is_read_may_be_written) {
  auto x = numbers();
  x = bl::reshape(x.T(), 4, 6) + x;
  const auto y = numbers();
  const auto turned = bl::eval(y.T());
  bool same = true;
  for (bl::index i = 0; i < 24; ++i) same = same && x.data()[i] == turned.data()[i] + i;
  BOOST_TEST(same);
  bl::reshape(x, 24) = bl::flip(bl::reshape(x, 24), 0);
  BOOST_TEST(x(0, 0) == turned.data()[23] + 23);
}

BOOST_AUTO_TEST_CASE(in_constant_expressions) {
  constexpr bl::tensor<int, bl::shape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};
  constexpr bl::tensor<int, bl::shape<3, 2>> r = bl::reshape(x, 3_c, 2_c) * 10;
  static_assert(r(1, 0) == 30);
  constexpr bl::tensor<int, bl::shape<3, 2>> t = bl::reshape(x.T(), 3_c, -1_c);
  static_assert(t(1, 0) == 2 && t(0, 1) == 4);
  BOOST_TEST(r(2, 1) == 60);
}

BOOST_AUTO_TEST_CASE(mistakes_are_named) {
  const bl::dtensor<float, 2> x(4, 6), none(0, 3);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::reshape(x, 5, -1); }) ==
             "shape '[5, -1]' is invalid for input of size 24\n  in reshape");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::reshape(x, 5, 5); }) ==
             "shape '[5, 5]' is invalid for input of size 24\n  in reshape");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::reshape(x, bl::dshape<1>(25)); }) ==
             "shape '[25]' is invalid for input of size 24\n  in reshape");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::reshape(x, -1, -1); }) ==
             "only one dimension can be inferred\n  in reshape");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::reshape(x, -2, 3); }) == "invalid shape dimension -2\n  in reshape");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::reshape(none, 0, -1); }) ==
             "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be "
             "any value and is ambiguous\n  in reshape");
  BOOST_TEST(bl::reshape(none, -1, 5).shape()[0] == 0);
}

BOOST_AUTO_TEST_SUITE_END()
