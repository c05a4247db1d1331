// A program compiled with BROADLOOM_CHECKED is told when it uses a view of memory that its tensor gave back.
#define BROADLOOM_CHECKED
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/prepare.hpp>

#include <boost/test/unit_test.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "thrown.hpp"

namespace bl = broadloom;

namespace {

using matrix = bl::dtensor<float, 2>;
const std::string text =
    "a view was used after its tensor had given the memory back: the tensor was destroyed, or assigned a value of "
    "another size";

[[gnu::noinline]] void destroy(std::optional<matrix>& a) { a.reset(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(core_checked)

BOOST_AUTO_TEST_CASE(a_view_of_a_tensor_that_took_another_size_is_refused) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  auto row = a(1, bl::all);
  auto turned = a.T();
  const auto tree = turned + 1;
  const auto sum = bl::sum(row);
  const bl::view<float, bl::dshape<2>> whole(a);
  BOOST_TEST((row(2) == 6.f && turned(2, 1) == 6.f && tree(0, 0) == 2.f && sum.item() == 15.f));
  a = a + 1;  // the same size: the memory is the same
  BOOST_TEST((row(2) == 7.f && turned(2, 1) == 7.f && whole(0, 0) == 2.f));
  a = bl::ones<float>(7, 9) * 2;
  for (int i = 0; i < 50; ++i) matrix(2, 3);  // takes the freed memory where it is not kept aside
  BOOST_TEST(thrown<bl::lifetime_error>([&] { row(2); }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { turned(2, 1); }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { static_cast<void>(tree(0, 0)); }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { bl::eval(tree); }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { bl::eval(sum); }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { row = 1.f; }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { whole(bl::all, 0) = 1.f; }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { turned += 1; }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { bl::to_string(row); }) == text);
  BOOST_TEST((a(6, 8) == 2.f && a.T()(8, 6) == 2.f));
}

BOOST_AUTO_TEST_CASE(a_view_of_a_tensor_that_is_gone_is_refused) {
  auto a = std::make_unique<matrix>(300, 1000);  // large enough to be mapped, and used again
  const auto column = (*a)(bl::all, 3);
  auto nothing = (*a)(bl::range(300, 300));
  BOOST_TEST(column(299) == 0.f);
  matrix moved = std::move(*a);
  a.reset();
  BOOST_TEST(column(299) == 0.f);  // the memory moved along
  moved = matrix(2, 2);
  const matrix other(300, 1000);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { column(299); }) == text);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { bl::eval(column * 2); }) == text);
  nothing = 1.f;  // has no elements to be read or written
  BOOST_TEST(bl::eval(nothing + 1).size() == 0);
}

BOOST_AUTO_TEST_CASE(an_expression_of_a_tensor_that_is_gone_is_refused) {
  const std::string gone = "an expression was evaluated after a tensor that it refers to was destroyed";
  std::optional<matrix> a(matrix{{1, 2}, {3, 4}});
  const auto tree = *a * 2 + 1;
  const auto part = bl::slice(*a + 1, bl::all, 0);
  const auto sum = bl::sum(*a);
  BOOST_TEST(bl::eval(tree)(1, 1) == 9.f);
  destroy(a);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { bl::eval(tree); }) == gone);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { bl::eval(part); }) == gone);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { sum.item(); }) == gone);
  a = matrix{{1, 2}, {3, 4}};  // in the same place: a tensor as any other
  BOOST_TEST(bl::eval(tree)(1, 1) == 9.f);
}

BOOST_AUTO_TEST_CASE(what_is_prepared_knows_that_its_arrays_are_gone) {
  const std::string gone = "an expression was evaluated after a tensor that it refers to was destroyed";
  std::optional<matrix> a(matrix{{1, 2}, {3, 4}});
  auto o = std::make_unique<std::optional<matrix>>(matrix(2, 2));
  auto step = bl::prepare(**o, *a * 2);
  step();
  BOOST_TEST((**o)(1, 1) == 8.f);
  destroy(a);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { step(); }) == gone);
  a = matrix{{1, 2}, {3, 5}};
  step();
  BOOST_TEST((**o)(1, 1) == 10.f);
  destroy(*o);
  BOOST_TEST(thrown<bl::lifetime_error>([&] { step(); }) == gone);
}

BOOST_AUTO_TEST_CASE(what_owns_its_elements_is_not_concerned) {
  const auto tree = [] {
    matrix a{{1, 2}, {3, 4}};
    return std::move(a).T() + 1;
  }();
  for (int i = 0; i < 50; ++i) matrix(2, 2);
  BOOST_TEST((bl::eval(tree)(1, 0) == 3.f && tree(0, 1) == 4.f));
  static constexpr bl::tensor<int, bl::shape<2, 2>> c{{1, 2}, {3, 4}};
  static_assert(c.T()(0, 1) == 3);
  BOOST_TEST(bl::eval(c.T() + 1)(0, 1) == 4);
}

BOOST_AUTO_TEST_CASE(an_extent_of_no_axis_is_refused) {
  const matrix a(2, 3);
  const bl::shape<2, 3> fixed;
  BOOST_TEST(a.shape()[1] == 3);
  for (const bl::index axis : {-1, 2, 7}) {
    BOOST_CHECK_THROW(static_cast<void>(a.shape()[axis]), bl::index_error);
    BOOST_CHECK_THROW(static_cast<void>(fixed[axis]), bl::index_error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
