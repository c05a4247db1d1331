// What arrays and expressions are as values: parts by fewer indices, numbers where their rank is 0, and view
// parameters.
#include <broadloom/expr/view.hpp>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(expr_view)

using matrix = bl::dtensor<float, 2>;
using cube = bl::tensor<int, bl::shape<2, 3, 4>>;

cube counted() {
  cube a;
  int n = 0;
  for (int& x : a) x = n++;
  return a;
}

// --- fewer indices than axes ---

template <class A>
using shape_of = typename std::remove_cvref_t<A>::shape_type;
static_assert(std::is_same_v<shape_of<decltype(std::declval<cube&>()(1))>, bl::shape<3, 4>>);
static_assert(std::is_same_v<shape_of<decltype(std::declval<cube&>()(1, 0_c))>, bl::shape<4>>);
static_assert(std::is_same_v<shape_of<decltype(std::declval<cube&>()())>, bl::shape<2, 3, 4>>);
static_assert(std::is_same_v<decltype(std::declval<const cube&>()(1).data()), const int*>);
static_assert(std::is_same_v<shape_of<decltype((std::declval<cube&>() + 1)(1))>, bl::shape<3, 4>>);
constexpr bool reads_and_writes() {
  bl::tensor<int, bl::shape<2, 2>> a{{1, 2}, {3, 4}};
  a(-1) = 7;
  a(0)(1) += 5;
  return a(1, 0) == 7 && a(1, 1) == 7 && a(0, 0) == 1 && a(0, 1) == 7;
}
static_assert(reads_and_writes());

BOOST_AUTO_TEST_CASE(fewer_indices_than_axes_are_a_part) {
  cube a = counted();
  const auto t = a.T();
  const auto e = a * 2;
  for (bl::index i = -2; i < 2; ++i) {
    for (bl::index j = -3; j < 3; ++j) {
      for (bl::index k = 0; k < 4; ++k) {
        BOOST_TEST(&a(i)(j)(k) == &a(i, j, k));
        BOOST_TEST(&a(i, j)(k) == &a(i, j, k));
        BOOST_TEST(&t(k)(j)(i) == &a(i, j, k));
        BOOST_TEST(&t(k, j)(i) == &a(i, j, k));
        BOOST_TEST(e(i)(j, k) == 2 * a(i, j, k));
        BOOST_TEST(e(i, j)(k) == 2 * a(i, j, k));
      }
    }
  }
  a(1, -1) = -1;
  a.as_view()(0) = a(1) * 10;
  a.T()(0)(0) += bl::tensor<int, bl::shape<2>>{1, 2};
  for (bl::index j = 0; j < 3; ++j)
    for (bl::index k = 0; k < 4; ++k) {
      const int below = j == 2 ? -1 : static_cast<int>(12 + 4 * j + k);
      BOOST_TEST(a(1, j, k) == below + (j == 0 && k == 0 ? 2 : 0));
      BOOST_TEST(a(0, j, k) == below * 10 + (j == 0 && k == 0 ? 1 : 0));
    }
  BOOST_CHECK_THROW(a(2), bl::index_error);
  BOOST_CHECK_THROW(a(0, 3), bl::index_error);
  BOOST_CHECK_THROW(e(-3), bl::index_error);
  // Of a temporary the part owns the elements.
  const auto row = counted()(1, 2);
  BOOST_TEST(row(3) == 23);
  BOOST_TEST(bl::eval(bl::softmax(matrix{{1, 1}, {2, 2}}, 1)(1))(0) == 0.5f);
}

// --- numbers ---

template <class X>
inline constexpr bool is_float = std::is_convertible_v<X, float>;
static_assert(is_float<decltype(bl::mean(std::declval<matrix&>()))> && is_float<bl::tensor<float, bl::shape<>>>);
static_assert(!is_float<matrix> && !is_float<decltype(std::declval<matrix&>() + 1)>);
static_assert(!is_float<decltype(bl::sum(std::declval<matrix&>(), bl::axes<0>))>);
static_assert(std::is_same_v<decltype(std::sqrt(bl::mean(std::declval<matrix&>()))), float>);
static_assert(bl::expression<decltype(std::declval<matrix&>() * bl::mean(std::declval<matrix&>()))>);
static_assert(bl::expression<decltype(bl::mean(std::declval<matrix&>()) * 2)>);
// As an index it is an array of positions, not a number.
static_assert(bl::array<decltype(std::declval<matrix&>()(bl::tensor<bl::index, bl::shape<>>(1)))>);
constexpr float in_constant_expressions() {
  bl::tensor<float, bl::shape<3>> a{1, 2, 3};
  float s = bl::sum(a);
  s += bl::sum(a * a);
  return s;
}
static_assert(in_constant_expressions() == 20);

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

BOOST_AUTO_TEST_CASE(rank_0_is_its_number_and_has_the_bits_of_eval) {
  for (bl::index n : {1, 7, 100, 4096, 70000}) {
    bl::dtensor<float, 1> a(n);
    float x = 0.3f;
    for (float& y : a) y = x = 3.7f * x * (1 - x);
    const float m = bl::mean(a), s = bl::std(a, bl::correction{0}), p = bl::sum(a * a) / bl::sum(a);
    BOOST_TEST(same_bits(m, bl::eval(bl::mean(a)).item()));
    BOOST_TEST(same_bits(s, bl::eval(bl::std(a, bl::correction{0})).item()));
    BOOST_TEST(same_bits(p, bl::eval(bl::sum(a * a) / bl::sum(a)).item()));
    const double wide = bl::amax(a);
    BOOST_TEST(wide == static_cast<double>(bl::eval(bl::amax(a)).item()));
    float sum = 1;
    sum += bl::mean(a);
    BOOST_TEST(sum == 1 + m);
    bool in_order = false;
    if (bl::all(a <= bl::amax(a)) && bl::amin(a) <= bl::amax(a)) in_order = true;
    BOOST_TEST(in_order);
    const bl::index i = bl::argmax(a);
    BOOST_TEST(a(i) == static_cast<float>(bl::amax(a)));
    const std::complex<double> z = bl::tensor<std::complex<double>, bl::shape<>>(std::complex<double>(1, 2));
    BOOST_TEST((z == std::complex<double>(1, 2)));
  }
  const bl::dtensor<float, 1> both{bl::mean(bl::dtensor<float, 1>{1, 3}), 7};
  BOOST_TEST(both(0) == 2);
  BOOST_TEST(both(1) == 7);
}

BOOST_AUTO_TEST_CASE(everything_before_the_number_is_computed_once) {
  const bl::dtensor<float, 1> a = bl::ones<float>(1000);
  int calls = 0;
  const auto each = bl::let(bl::pointwise(
      [&calls](float x) {
        ++calls;
        return x;
      },
      a));
  const auto centred = each - bl::mean(each);
  const float variance = bl::mean(centred * centred) / bl::sum(each);
  BOOST_TEST(variance == 0);
  BOOST_TEST(calls == 1000);
}

// --- view parameters ---

float first(bl::dview<const float, 2> x) { return x.size() == 0 ? 0 : x(0, 0) + 10 * x(x.shape()[0] - 1, 0); }
std::string rank_of(bl::dview<const float, 1>) { return "vector"; }
std::string rank_of(bl::dview<const float, 2>) { return "matrix"; }
void twice(bl::view<float, bl::dshape<2>> x) { x *= 2; }

template <class A>
inline constexpr bool is_taken = std::is_convertible_v<A, bl::dview<const float, 2>>;
static_assert(is_taken<matrix&> && is_taken<const matrix&> && !is_taken<matrix>);
static_assert(is_taken<bl::tensor<float, bl::shape<2, 3>>&> && !is_taken<bl::tensor<float, bl::shape<2>>&>);
static_assert(!is_taken<bl::dtensor<double, 2>&> && !is_taken<decltype(std::declval<matrix&>() + 1)>);
static_assert(is_taken<float (&)[2][3]> && !is_taken<double (&)[2][3]>);
static_assert(!std::is_convertible_v<const matrix&, bl::dview<float, 2>>);

BOOST_AUTO_TEST_CASE(a_view_parameter_takes_every_array_of_its_rank) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  const matrix& c = a;
  BOOST_TEST(first(a) == 41);
  BOOST_TEST(first(c) == 41);
  BOOST_TEST(first(a.T()) == 31);
  BOOST_TEST(first(a(bl::range(bl::none, bl::none, -1), bl::range(1, bl::none))) == 25);
  bl::tensor<float, bl::shape<2, 2>> fixed{{7, 8}, {9, 10}};
  BOOST_TEST(first(fixed) == 97);
  BOOST_TEST(first(fixed.T()) == 87);
  float plain[2][2] = {{1, 0}, {2, 0}};
  BOOST_TEST(first(plain) == 21);
  BOOST_TEST(first(matrix(0, 3).as_view()) == 0);
  std::vector<float> v{1, 2};
  std::array<float, 3> w{1, 2, 3};
  BOOST_TEST(rank_of(v) == "vector");
  BOOST_TEST(rank_of(w) == "vector");
  BOOST_TEST(rank_of(a) == "matrix");
  BOOST_TEST(rank_of(a(0)) == "vector");
  twice(a.T());
  BOOST_TEST(a(1, 2) == 12);
  twice(plain);
  BOOST_TEST(plain[1][0] == 4);
}

BOOST_AUTO_TEST_CASE(a_part_of_an_empty_view_without_memory_has_none) {
  const bl::view<const short, bl::dshape<3>> none(nullptr, bl::dshape<3>(0, 5, 7));
  const auto part = bl::slice(none, bl::all, bl::range(2, 4));
  BOOST_TEST(part.data() == nullptr);
  BOOST_TEST(bl::eval(part + 1).shape().extents()[1] == 2);
}

BOOST_AUTO_TEST_CASE(braces_are_written_into_what_a_view_sees) {
  bl::dtensor<float, 2> x(2, 3);
  x(0, bl::all) = {1, 2, 3};
  x(1) = {0, 5.5, 6};
  BOOST_TEST(bl::array_equal(x, bl::dtensor<float, 2>{{1, 2, 3}, {0, 5.5, 6}}));
  x.T() = {{0, 1}, {2, 3}, {4, 5}};
  BOOST_TEST(bl::array_equal(x, bl::dtensor<float, 2>{{0, 2, 4}, {1, 3, 5}}));
  auto row = x(1);
  row = {7};  // broadcasts
  x(bl::all, bl::range(0, 2)) = {{8, 9}};
  BOOST_TEST(bl::array_equal(x, bl::dtensor<float, 2>{{8, 9, 4}, {8, 9, 7}}));
  BOOST_CHECK_THROW((x(0) = {1, 2}), bl::shape_error);
  BOOST_CHECK_THROW((x(bl::all) = {{1, 2, 3}, {1, 2}}), bl::shape_error);
  bl::tensor<int, bl::shape<2, 2>> fixed;
  fixed(1) = {3, 4};
  BOOST_TEST((fixed(1, 0) == 3 && fixed(1, 1) == 4 && fixed(0, 1) == 0));
}

BOOST_AUTO_TEST_SUITE_END()
