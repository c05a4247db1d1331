// A strict scope: operators and functions refuse what strict refuses there, and nowhere else.
// Build: gcc-alone, clang-too
#include <broadloom/broadloom.hpp>
#include <broadloom/fn/strictly.hpp>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

using matrix = bl::dtensor<float, 2>;
using row = bl::dtensor<float, 1>;

namespace loose {
template <class A, class B>
concept adds = requires(A& a, B& b) { a + b; };
template <class A, class B>
concept multiplies = requires(A& a, B& b) { bl::mul(a, b); };
}  // namespace loose

namespace tight {
using namespace bl::strictly;
template <class A, class B>
concept adds = requires(A& a, B& b) { a + b; };
template <class A, class B>
concept compares = requires(A& a, B& b) { a < b; };
template <class A, class B>
concept multiplies = requires(A& a, B& b) { mul(a, b); };
template <class A, class B>
concept grows = requires(A& a, B& b) { a += b; };
template <class A, class B>
concept scales = requires(A& a, B& b) { mul_(a, b); };
}  // namespace tight

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_strictly)

// GCC 11 looks an operator of a template's parameters up by the operands alone where it stands outside of functions, as
// in a concept (its bug 51577).
#if defined(__clang__) || __GNUC__ >= 12
constexpr bool finds_operators_in_concepts = true;
#else
constexpr bool finds_operators_in_concepts = false;
#endif

BOOST_AUTO_TEST_CASE(what_types_decide_does_not_compile_in_the_scope_only) {
  static_assert(loose::adds<matrix, row> && tight::adds<matrix, row> != finds_operators_in_concepts);
  static_assert(tight::compares<matrix, row> != finds_operators_in_concepts);
  static_assert(loose::multiplies<matrix, row> && !tight::multiplies<matrix, row>);
  using column_of_2 = bl::tensor<float, bl::shape<2, 1>>;
  using row_of_2 = bl::tensor<float, bl::shape<1, 2>>;
  static_assert(loose::adds<column_of_2, row_of_2> &&
                tight::adds<column_of_2, row_of_2> != finds_operators_in_concepts);
  // Equal ranks, numbers and arrays of rank 0 go together.
  static_assert(tight::adds<matrix, matrix> && tight::adds<matrix, float> && tight::adds<bl::dtensor<float, 0>, row>);
}

BOOST_AUTO_TEST_CASE(what_extents_decide_throws) {
  const matrix column{{1}, {2}}, line{{1, 2}}, square{{1, 2}, {3, 4}};
  BOOST_TEST(bl::eval(column + line)(1, 1) == 4);
  {
    using namespace bl::strictly;
    BOOST_CHECK_THROW(column + line, bl::shape_error);
    BOOST_CHECK_THROW(mul(column, line), bl::shape_error);
    BOOST_CHECK_THROW(addcmul(square, column, line), bl::shape_error);
    const bl::tensor<float, bl::shape<bl::dyn, 1>> typed{{1}, {2}};
    BOOST_TEST(bl::eval(square * typed + 1)(1, 0) == 7);
    // (2, 1), but not in the type
    BOOST_CHECK_THROW(square * column, bl::shape_error);
    BOOST_CHECK_THROW(where(square > 0, column, square), bl::shape_error);
    BOOST_TEST(bl::eval(2 * square - square / 2)(1, 1) == 6);
    BOOST_TEST(bl::eval(bl::strictly::atan2(square, square))(0, 0) == bl::eval(bl::atan2(square, square))(0, 0));
  }
  {
    using bl::strictly::operator-;
    BOOST_CHECK_THROW(column - line, bl::shape_error);
    BOOST_TEST(bl::eval(column + line)(1, 1) == 4);
  }
}

BOOST_AUTO_TEST_CASE(in_place_forms_are_strict_and_write_nothing_when_they_refuse) {
  matrix square{{1, 2}, {3, 4}};
  const matrix column{{1}, {2}};
  const bl::tensor<float, bl::shape<bl::dyn, 1>> typed{{1}, {2}};
  const row line{10, 20};
  {
    using namespace bl::strictly;
    static_assert(tight::grows<matrix, matrix> && !tight::grows<matrix, row>);
    static_assert(tight::scales<matrix, matrix> && !tight::scales<matrix, row>);
    BOOST_CHECK_THROW(square += column, bl::shape_error);
    BOOST_CHECK_THROW(mul_(square, column), bl::shape_error);
    BOOST_TEST((square(0, 0) == 1 && square(1, 1) == 4));
    square += typed;
    mul_(square, square);
    addcmul_(square, square, square);
    BOOST_TEST(square(1, 1) == 36 + 36 * 36);
    BOOST_TEST(&(square -= 1) == &square);
  }
  square += line;
  BOOST_TEST(square(0, 1) == 9 + 81 - 1 + 20);
}

BOOST_AUTO_TEST_CASE(each_rule_can_be_asked_for_alone) {
  const matrix column{{1}, {2}}, square{{1, 2}, {3, 4}};
  BOOST_CHECK_THROW(bl::strict<bl::forbidden::run_time_ones>(bl::add)(square, column), bl::shape_error);
  BOOST_TEST(bl::eval(bl::strict(bl::add)(square, column))(1, 1) == 6);
  const row single{5};
  try {
    static_cast<void>(bl::strict<bl::forbidden::run_time_ones>(bl::add)(square, single));
    BOOST_TEST(false);
  } catch (const bl::shape_error& e) {
    BOOST_TEST(std::string(e.what()) ==
               "strict: axis 0 of operand 1 would be expanded, and has size 1 in this run only; shapes (2, 2) (1)");
  }
}

BOOST_AUTO_TEST_SUITE_END()
