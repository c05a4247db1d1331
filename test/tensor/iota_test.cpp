// iota, lazy_full, lazy_linspace: the elements of arange, full and linspace, static extents, constant expressions.
#include <broadloom/broadloom.hpp>
#include <broadloom/half.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <string>

namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class A>
using shape_of = typename std::remove_cvref_t<A>::shape_type;

static_assert(std::is_same_v<shape_of<decltype(bl::iota<int>(3_c))>, bl::shape<3>>);
static_assert(std::is_same_v<shape_of<decltype(bl::iota<int>(3_c, 5, 2) * 2_c)>, bl::shape<3>>);
static_assert(std::is_same_v<shape_of<decltype(bl::iota<float>(100000_c))>, bl::shape<100000>>);
static_assert(std::is_same_v<shape_of<decltype(bl::iota<float>(3))>, bl::dshape<1>>);
static_assert(std::is_same_v<shape_of<decltype(bl::lazy_full(bl::shape<2, 3>{}, 1))>, bl::shape<2, 3>>);
static_assert(std::is_same_v<shape_of<decltype(bl::lazy_linspace<double>(0, 1, 5_c))>, bl::shape<5>>);

constexpr bl::tensor<int, bl::shape<3>> of_constants = bl::iota<int>(3_c, 5, 2) * bl::lazy_full(bl::shape<3>{}, 2);
static_assert(of_constants(0) == 10 && of_constants(2) == 18);
static_assert(bl::iota<int>(2000_c)(1999) == 1999);
static_assert(bl::iota<int>(2000)(-1) == 1999);

// The loops that count them are not those of arrays, but those of their views and of those in memory. Numbers of which
// no vector is counted are as arrays.
static_assert(!std::is_same_v<bl::normal_form_t<decltype(bl::iota<float>(3) * 2)>,
                              bl::normal_form_t<decltype(std::declval<bl::dtensor<float, 1>&>() * 2)>>);
static_assert(std::is_same_v<bl::normal_form_t<decltype(bl::iota<float>(3) * 2)>,
                             bl::normal_form_t<decltype(bl::flip(bl::iota<float>(3), 0) * 2)>>);
static_assert(std::is_same_v<bl::normal_form_t<decltype(bl::iota<std::complex<float>>(3) * 2)>,
                             bl::normal_form_t<decltype(std::declval<bl::dtensor<std::complex<float>, 1>&>() * 2)>>);

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_iota)

BOOST_AUTO_TEST_CASE(elements_are_those_of_arange) {
  for (const bl::index n : {0, 1, 7, 5000}) {
    BOOST_TEST(bl::array_equal(bl::iota<float>(n, 0.1f, 0.3f) + 0,
                               bl::slice(bl::arange<float>(0.1f, 10000.f, 0.3f), bl::range(0, n))));
    BOOST_TEST(bl::array_equal(bl::iota<int>(n, 3, -2), bl::slice(bl::arange<int>(3, -100000, -2), bl::range(0, n))));
    BOOST_TEST(bl::array_equal(bl::iota<double>(n), bl::arange<double>(n)));
    BOOST_TEST(bl::array_equal(bl::iota<bl::float16>(n, 0.5f, 0.25f),
                               bl::slice(bl::arange<bl::float16>(0.5f, 2000.f, 0.25f), bl::range(0, n))));
  }
  BOOST_TEST(bl::to_string(bl::iota<std::int8_t>(4, 126)) == "[ 126  127 -128 -127]");
  BOOST_TEST(bl::to_string(bl::iota<std::complex<float>>(3, 1)) == "[1.+0.j 2.+0.j 3.+0.j]");
  BOOST_CHECK_THROW(bl::iota<int>(-1), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(spaced_and_constant_elements_are_those_of_arrays) {
  for (const bl::index n : {0, 1, 2, 5, 100, 5001}) {
    BOOST_TEST(bl::array_equal(bl::lazy_linspace<float>(-0.3f, 7, n), bl::linspace<float>(-0.3f, 7, n)));
    BOOST_TEST(bl::array_equal(bl::lazy_linspace<double>(2, -1, n), bl::linspace<double>(2, -1, n)));
    BOOST_TEST(bl::array_equal(bl::lazy_linspace<bl::float16>(2, -1, n), bl::linspace<bl::float16>(2, -1, n)));
    BOOST_TEST(bl::array_equal(bl::lazy_full({n, 3}, 2.5f), bl::full({n, 3}, 2.5f)));
  }
  BOOST_TEST(bl::array_equal(bl::lazy_full<double>(bl::shape<2, 2>{}, 3), bl::full<double>(bl::shape<2, 2>{}, 3)));
  BOOST_TEST(bl::array_equal(bl::lazy_linspace<double>(0, 1, 5_c), bl::linspace<double>(0, 1, 5_c)));
}

namespace {
// The first thing that everybody writes: the indices outlive the call, as they have no memory.
template <bl::array A>
auto diagonal_of(const A& a) {
  const auto i = bl::iota<bl::index>(a.shape()[0]);
  return a(i, i);
}
template <bl::array A>
auto first_of(const A& x, bl::index k) {
  const auto i = bl::iota<int>(x.shape()[0]);
  const auto zero = bl::lazy_full(x.shape(), 0.f);
  return bl::where(i < k, x, zero);
}
// Overwrites what a function left on the stack.
[[gnu::noinline]] int clobber() {
  volatile int all[1000];
  for (int i = 0; i < 1000; ++i) all[i] = -1;
  return all[7];
}
}  // namespace

BOOST_AUTO_TEST_CASE(functions_return_trees_of_them) {
  const bl::dtensor<int, 2> a{{1, 2}, {3, 4}};
  const bl::dtensor<float, 1> x{1, 2, 3, 4};
  const auto d = diagonal_of(a);
  const auto f = first_of(x, 2);
  BOOST_TEST(clobber() == -1);
  BOOST_TEST(bl::to_string(d) == "[1 4]");
  BOOST_TEST(bl::to_string(f) == "[1. 2. 0. 0.]");
}

BOOST_AUTO_TEST_CASE(constants_stay_static) {
  static_assert(std::is_same_v<decltype(bl::arange<int>(3_c)), bl::tensor<int, bl::shape<3>>>);
  static_assert(std::is_same_v<decltype(bl::arange<float>(2_c, 11_c, 3_c)), bl::tensor<float, bl::shape<3>>>);
  static_assert(std::is_same_v<decltype(bl::arange<int>(5_c, 0_c, -2_c)), bl::tensor<int, bl::shape<3>>>);
  static_assert(std::is_same_v<decltype(bl::linspace<double>(0, 1, 3_c)), bl::tensor<double, bl::shape<3>>>);
  static_assert(bl::arange<int>(5_c, 0_c, -2_c)(2) == 1 && bl::linspace<double>(0, 1, 3_c)(1) == 0.5);
  BOOST_TEST(bl::array_equal(bl::arange<float>(2_c, 11_c, 3_c), bl::arange<float>(2, 11, 3)));
  BOOST_TEST(bl::array_equal(bl::arange<bl::float16>(3_c), bl::arange<bl::float16>(3)));
}

BOOST_AUTO_TEST_CASE(constants_are_operands) {
  const bl::tensor<float, bl::shape<3>> x{1.5f, 4, -1};
  const bl::dtensor<std::int8_t, 1> i{7, 8, -1};
  static_assert(std::is_same_v<decltype(bl::eval(x * 3_c)), bl::tensor<float, bl::shape<3>>>);
  static_assert(std::is_same_v<decltype(bl::eval(bl::remainder(i, 3_c))), bl::dtensor<std::int8_t, 1>>);
  static_assert(std::is_same_v<decltype(bl::eval(x * (2_c * 3_c))), bl::tensor<float, bl::shape<3>>>);
  BOOST_TEST(bl::array_equal(x * (2_c * 3_c), x * 6));
  BOOST_TEST(bl::array_equal(bl::remainder(i, 3_c), bl::remainder(i, 3)));
  BOOST_TEST(bl::array_equal(3_c - x, 3 - x));
}

BOOST_AUTO_TEST_CASE(linspace_without_its_end) {
  for (const bl::index n : {0, 1, 2, 5, 40}) {
    const auto x = bl::linspace<double>(-0.3, 7, n, false);
    BOOST_TEST(x.size() == n);
    for (bl::index i = 0; i < n; ++i)
      BOOST_TEST(x(i) == -0.3 + static_cast<double>(i) * ((7 - -0.3) / static_cast<double>(n)));
    BOOST_TEST(bl::array_equal(bl::linspace<float>(1, 2, n, true), bl::linspace<float>(1, 2, n)));
    BOOST_TEST(bl::array_equal(bl::linspace<bl::float16>(1, 2, n, false),
                               bl::cast<bl::float16>(bl::linspace<float>(1, 2, n, false))));
  }
}

BOOST_AUTO_TEST_SUITE_END()
