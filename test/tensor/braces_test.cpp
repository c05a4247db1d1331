// Nested braces make tensors of every rank and mixture of static and dynamic axes; where an axis is static, the
// compiler takes only as many elements as it has.
#include <broadloom/tensor/tensor.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "thrown.hpp"

namespace bl = broadloom;

namespace {

constexpr bl::index dyn = bl::dyn;

// Braces as a function of the type that they initialise; it exists where that compiles.
#define BRACES(...)                      \
  []<class T>()                          \
    requires requires { T __VA_ARGS__; } \
  { return T __VA_ARGS__; }
template <class T, class Make>
constexpr bool taken = requires(Make make) { make.template operator()<T>(); };

// What a test may make of an extent: the extent itself, one more, one less, or dyn.
constexpr bl::index variant(bl::index extent, int k) { return k == 3 ? dyn : extent + (k == 2 ? -1 : k); }
constexpr bool fits(bl::index extent, bl::index axis) { return axis == dyn || axis == extent; }

// Tries the braces, whose elements are 1, 2, ... in row-major order, on one of the 4^rank types.
template <int Type, class Make, bl::index... Extents, int... Axis>
int one_type(Make make, bl::shape<Extents...> whole, std::integer_sequence<int, Axis...>) {
  using shape = bl::shape<variant(Extents, Type >> (2 * Axis) & 3)...>;
  using T = bl::tensor<int, shape>;
  constexpr bool right = (fits(Extents, variant(Extents, Type >> (2 * Axis) & 3)) && ...);
  static_assert(taken<T, Make> == right);
  if constexpr (right) {
    const T t = make.template operator()<T>();
    BOOST_TEST((t.shape() == whole));
    for (bl::index i = 0; i < t.size(); ++i) BOOST_TEST(t.data()[i] == i + 1);
  }
  return right;
}
template <bl::index... Extents, class Make>
void all_types(Make make) {
  constexpr int rank = sizeof...(Extents);
  const int taken_by = [&]<int... Type>(std::integer_sequence<int, Type...>) {
    return (one_type<Type>(make, bl::shape<Extents...>{}, std::make_integer_sequence<int, rank>{}) + ...);
  }(std::make_integer_sequence<int, 1 << (2 * rank)>{});
  BOOST_TEST(taken_by == 1 << rank);  // each axis static or dyn
}

bl::index first_extent(const bl::tensor<int, bl::shape<dyn, 2>>& t) { return t.shape()[0]; }
// Functions of tensors of several ranks take braces.
int rank_of_braces(const bl::dtensor<int, 1>&) { return 1; }
int rank_of_braces(const bl::dtensor<int, 2>&) { return 2; }
bl::tensor<float, bl::shape<2, 2>> scaled(float x) { return {{x, 2 * x}, {3 * x, 4 * x}}; }

}  // namespace

// Constant expressions, and elements converted as braces convert them: never narrowed.
constexpr bl::tensor<float, bl::shape<2, 2>> constant{{1, 2}, {3, 4}};
static_assert(constant(0, 1) == 2.f && constant(1, 0) == 3.f);
static_assert(bl::tensor<int, bl::shape<2, 1, 2>>{{{1, 2}}, {{3, 4}}}(1, 0, 1) == 4);
static_assert(!taken<bl::tensor<int, bl::shape<2>>, decltype(BRACES({1.5, 2.}))>);
static_assert(!taken<bl::tensor<int, bl::shape<1, 2>>, decltype(BRACES({{1.5, 2.}}))>);
// Braces nest once for each axis, also where an axis has one element.
static_assert(!taken<bl::tensor<int, bl::shape<3, 1>>, decltype(BRACES({1, 2, 3}))>);
static_assert(!taken<bl::tensor<int, bl::shape<1, 1>>, decltype(BRACES({1}))>);
static_assert(!taken<bl::tensor<int, bl::shape<3>>, decltype(BRACES({{{1, 2, 3}}}))>);
static_assert(!taken<bl::tensor<int, bl::shape<1, 3>>, decltype(BRACES({{{1, 2, 3}}}))>);
static_assert(!std::is_constructible_v<bl::tensor<int, bl::shape<1, 1>>, int>);
static_assert(!taken<bl::dtensor<int, 1>, decltype(BRACES({{1, 2}, {3, 4}}))>);
static_assert(!taken<bl::dtensor<int, 3>, decltype(BRACES({{1, 2}, {3, 4}}))>);
static_assert(!taken<bl::dtensor<float, 2>, decltype(BRACES((3)))>);
static_assert(!taken<bl::dtensor<float, 1>, decltype(BRACES((3, 1.5f)))>);
// Braces add nothing to a tensor, and nothing but a copy to how it is copied.
static_assert(sizeof(bl::tensor<int, bl::shape<dyn, 2>>) == sizeof(bl::dtensor<int, 2>));
static_assert(std::is_nothrow_move_constructible_v<bl::tensor<int, bl::shape<2, 2>>>);

BOOST_AUTO_TEST_SUITE(tensor_braces)

BOOST_AUTO_TEST_CASE(static_axes_take_as_many_elements_as_they_have) {
  all_types<1>(BRACES({1}));
  all_types<3>(BRACES({1, 2, 3}));
  all_types<3>(BRACES({{1, 2, 3}}));
  all_types<3>(BRACES(({1, 2, 3})));
  all_types<2, 3>(BRACES({{1, 2, 3}, {4, 5, 6}}));
  all_types<3, 1>(BRACES({{1}, {2}, {3}}));
  all_types<1, 2>(BRACES({{1, 2}}));
  all_types<1, 1>(BRACES({{1}}));
  all_types<2, 3, 2>(BRACES({{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}}));
  all_types<1, 2, 1>(BRACES({{{1}, {2}}}));
  all_types<2, 1, 2, 1>(BRACES({{{{1}, {2}}}, {{{3}, {4}}}}));
}

BOOST_AUTO_TEST_CASE(rows_of_a_dynamic_axis_are_counted_at_run_time) {
  using mixed = bl::tensor<int, bl::shape<2, dyn, 2>>;
  BOOST_TEST(thrown<bl::shape_error>([] { bl::tensor<int, bl::shape<2, dyn>>{{1, 2, 3}, {4, 5}}; }) ==
             "braces at axis 1 hold 2 elements where 3 are expected");
  BOOST_TEST(thrown<bl::shape_error>([] { mixed{{{1, 2}, {3, 4}}, {{5, 6}}}; }) ==
             "braces at axis 1 hold 1 elements where 2 are expected");
  BOOST_TEST(thrown<bl::shape_error>([] { bl::dtensor<int, 2>{{1, 2}, {3}}; }) ==
             "braces at axis 1 hold 1 elements where 2 are expected");
}

BOOST_AUTO_TEST_CASE(axes_above_256_are_counted_at_run_time) {
  BOOST_TEST(thrown<bl::shape_error>([] { bl::tensor<int, bl::shape<257>>{1, 2}; }) ==
             "braces at axis 0 hold 2 elements where 257 are expected");
  BOOST_TEST(thrown<bl::shape_error>([] { bl::tensor<int, bl::shape<2, 300>>{{1, 2, 3}, {4, 5, 6}}; }) ==
             "braces at axis 1 hold 3 elements where 300 are expected");
}

BOOST_AUTO_TEST_CASE(no_elements) {
  const bl::tensor<int, bl::shape<0>> a{};
  const bl::tensor<int, bl::shape<2, 0>> b{{}, {}};
  const bl::tensor<int, bl::shape<2, dyn>> c{{}, {}};
  BOOST_TEST((a.size() == 0 && b.size() == 0 && c.size() == 0 && c.shape()[1] == 0));
  const bl::tensor<int, bl::shape<2, 3>> zero{}, also = {};
  for (bl::index i = 0; i < 6; ++i) BOOST_TEST((zero.data()[i] == 0 && also.data()[i] == 0));
}

BOOST_AUTO_TEST_CASE(braces_are_arguments_results_and_right_sides) {
  BOOST_TEST(first_extent({{1, 2}, {3, 4}, {5, 6}}) == 3);
  BOOST_TEST(first_extent({{1, 2}}) == 1);
  BOOST_TEST(scaled(2.f)(1, 1) == 8.f);
  BOOST_TEST((rank_of_braces({1, 2, 3}) == 1 && rank_of_braces({{1, 2}, {3, 4}}) == 2));
  bl::tensor<int, bl::shape<1, 2>> row;
  row = {{7, 8}};
  BOOST_TEST((row(0, 0) == 7 && row(0, 1) == 8));
  const bl::tensor<int, bl::shape<1, 2>> copy{row};
  BOOST_TEST(copy(0, 1) == 8);
  using complex = std::complex<double>;
  const bl::tensor<complex, bl::shape<2, 2>> z{{{1, 2}, 3}, {{4}, {5, 6}}};
  BOOST_TEST((z(0, 0) == complex(1, 2) && z(0, 1) == complex(3) && z(1, 0) == complex(4) && z(1, 1) == complex(5, 6)));
}

BOOST_AUTO_TEST_CASE(a_tensor_of_no_type_has_that_of_its_braces) {
  const bl::tensor line{1, 2, 0}, single{5};
  const bl::tensor matrix{{1.5, 2.0}, {3.0, 4.0}};
  const bl::tensor one_row{{1.f, 2.f, 3.f}};
  const bl::tensor column{{1}, {2}};
  const bl::tensor cube{{{1, 2}, {3, 4}, {5, 6}}};
  static_assert(std::is_same_v<decltype(line), const bl::dtensor<int, 1>>);
  static_assert(std::is_same_v<decltype(single), const bl::dtensor<int, 1>>);
  static_assert(std::is_same_v<decltype(matrix), const bl::dtensor<double, 2>>);
  static_assert(std::is_same_v<decltype(one_row), const bl::dtensor<float, 2>>);
  static_assert(std::is_same_v<decltype(column), const bl::dtensor<int, 2>>);
  static_assert(std::is_same_v<decltype(cube), const bl::dtensor<int, 3>>);
  BOOST_TEST((line.size() == 3 && line(1) == 2 && single.size() == 1 && single(0) == 5));
  BOOST_TEST((matrix(1, 0) == 3 && one_row(0, 2) == 3 && one_row.shape()[0] == 1 && column(1, 0) == 2));
  BOOST_TEST((cube.shape()[1] == 3 && cube(0, 2, 1) == 6));
}

BOOST_AUTO_TEST_SUITE_END()
