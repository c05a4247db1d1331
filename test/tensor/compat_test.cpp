// compat: falls back to one axis with a warning, warns of broadcasting on request. strict: refuses what broadcasting
// would do.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

std::vector<std::string> warnings;
void keep(const char* text) { warnings.emplace_back(text); }

struct kept_warnings {
  bl::compat::warning_handler before = bl::compat::set_warning_handler(keep);
  kept_warnings() { warnings.clear(); }
  ~kept_warnings() {
    bl::compat::set_warning_handler(before);
    bl::compat::broadcast_warning.enabled = false;
  }
};

const std::string falls_back = "Falling back to deprecated pointwise behavior";

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_compat)

BOOST_AUTO_TEST_CASE(operands_that_do_not_broadcast_are_taken_as_of_one_axis) {
  const kept_warnings w;
  const bl::dtensor<float, 2> a{{1, 2}, {3, 4}};
  const bl::dtensor<float, 1> b{10, 20, 30, 40};
  const auto r = bl::compat::add(a, b);
  BOOST_TEST(bl::to_string(r) == "[[11. 22.]\n [33. 44.]]");
  BOOST_TEST(warnings.size() == 1u);
  BOOST_TEST(warnings.at(0).find(falls_back) != std::string::npos);
  BOOST_TEST(bl::to_string(bl::compat::mul(b, a)) == "[[ 10.  40.  90. 160.]]");
  BOOST_TEST(bl::to_string(bl::compat::addcmul(a, b, a, 2)) == "[[ 21.  82.]\n [183. 324.]]");
  BOOST_TEST(bl::to_string(bl::compat::pow(a, b - 9)) ==
             bl::to_string(bl::eval(bl::pow(a, bl::dtensor<float, 2>{{1, 11}, {21, 31}}))));
  BOOST_TEST(bl::to_string(bl::compat::remainder(b, bl::dtensor<float, 2>{{3, 3}, {7, 7}}.T())) == "[[1. 6. 0. 5.]]");
  BOOST_TEST(warnings.size() == 5u);
}

BOOST_AUTO_TEST_CASE(other_sizes_are_an_error_and_broadcasting_is_not_changed) {
  const kept_warnings w;
  const bl::dtensor<float, 2> a{{1, 2}, {3, 4}};
  const bl::dtensor<float, 1> three{1, 2, 3}, two{10, 20};
  BOOST_CHECK_THROW(bl::compat::add(a, three), bl::shape_error);
  BOOST_TEST(bl::to_string(bl::compat::sub(a, two)) == bl::to_string(bl::eval(a - two)));
  BOOST_TEST(bl::to_string(bl::compat::div(a, 2)) == bl::to_string(bl::eval(a / 2)));
  BOOST_CHECK_THROW(bl::add(a, bl::dtensor<float, 1>{1, 2, 3, 4}), bl::shape_error);
  BOOST_TEST(warnings.empty());
}

BOOST_AUTO_TEST_CASE(broadcasting_between_equal_sizes_warns_when_asked) {
  const kept_warnings w;
  const bl::dtensor<float, 2> column{{1}, {2}};
  const bl::dtensor<float, 1> row{10, 20};
  BOOST_TEST(bl::compat::add(column, row).size() == 4);
  BOOST_TEST(warnings.empty());
  bl::compat::broadcast_warning.enabled = true;
  BOOST_TEST(bl::compat::add(column, row).size() == 4);
  BOOST_TEST(warnings.size() == 1u);
  BOOST_TEST(
      warnings.at(0) ==
      "self and other do not have the same shape, but are broadcastable, and have the same number of elements.\n"
      "Changing behavior in a backwards incompatible manner to broadcasting rather than viewing as 1-dimensional.");
  bl::compat::add(row, row);
  bl::compat::add(row, 1);
  BOOST_TEST(warnings.size() == 1u);
}

template <class F, class... A>
concept accepts = requires(const F& f, const A&... a) { f(a...); };

BOOST_AUTO_TEST_CASE(strict_refuses_rank_promotion_and_two_sided_expansion) {
  const bl::dtensor<float, 2> a{{1, 2}, {3, 4}}, column{{1}, {2}}, row{{1, 2}};
  const bl::tensor<float, bl::shape<2, 1>> static_column{{1}, {2}};
  const bl::tensor<float, bl::shape<1, 2>> static_row{{1, 2}};
  using strict_add = decltype(bl::strict(bl::add));
  using any_expansion = decltype(bl::strict<bl::forbidden::rank_promotion>(bl::add));
  using any_rank = decltype(bl::strict<bl::forbidden::two_sided_expansion>(bl::add));
  static_assert(accepts<strict_add, bl::dtensor<float, 2>, bl::dtensor<float, 2>>);
  static_assert(!accepts<strict_add, bl::dtensor<float, 2>, bl::dtensor<float, 1>>);
  static_assert(accepts<any_rank, bl::dtensor<float, 2>, bl::dtensor<float, 1>>);
  static_assert(!accepts<strict_add, bl::tensor<float, bl::shape<2, 1>>, bl::tensor<float, bl::shape<1, 2>>>);
  static_assert(accepts<any_expansion, bl::tensor<float, bl::shape<2, 1>>, bl::tensor<float, bl::shape<1, 2>>>);
  static_assert(accepts<strict_add, bl::dtensor<float, 2>, int>);
  BOOST_TEST(bl::to_string(bl::eval(bl::strict(bl::add)(a, row))) == bl::to_string(bl::eval(a + row)));
  BOOST_CHECK_THROW(bl::strict(bl::add)(column, row), bl::shape_error);
  BOOST_CHECK_THROW(bl::strict(bl::add)(column, static_row), bl::shape_error);
  BOOST_TEST(bl::strict<bl::forbidden::rank_promotion>(bl::add)(column, row).size() == 4);
  BOOST_TEST(bl::eval(bl::strict(bl::mul)(a, 2))(1, 1) == 8);
}

BOOST_AUTO_TEST_SUITE_END()
