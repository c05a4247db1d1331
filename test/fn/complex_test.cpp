// Complex numbers: their types, their parts as views, what they print, and constant expressions. What functions give is
// compared by complex_table.hpp.
// Build: gcc-alone
#include <complex>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace bl = broadloom;
using c64 = std::complex<float>;
using c128 = std::complex<double>;

namespace {

template <class... T>
using promoted = bl::promoted<bl::dtensor<T, 1>&...>;

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_complex)

BOOST_AUTO_TEST_CASE(types_meet_as_in_pytorch) {
  using bl::dtensor;
  static_assert(std::is_same_v<promoted<float, c64>, c64> && std::is_same_v<promoted<double, c64>, c128>);
  static_assert(std::is_same_v<promoted<c64, double>, c128> && std::is_same_v<promoted<c64, c128>, c128>);
  static_assert(std::is_same_v<promoted<std::int64_t, c64>, c64> && std::is_same_v<promoted<bool, c128>, c128>);
  // Numbers and arrays of rank 0 bring their category, not their width.
  static_assert(std::is_same_v<bl::promoted<dtensor<float, 1>&, c128>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<double, 1>&, c64>, c128>);
  static_assert(std::is_same_v<bl::promoted<dtensor<int, 1>&, c64>, c128>);
  static_assert(std::is_same_v<bl::promoted<dtensor<std::int16_t, 1>&, c128>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<c64, 1>&, double>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<double, 1>&, dtensor<c64, 0>&>, c128>);
  static_assert(std::is_same_v<bl::promoted<dtensor<float, 1>&, dtensor<c128, 0>&>, c64>);
  static_assert(std::is_same_v<bl::promoted<dtensor<c64, 1>&, dtensor<double, 0>&>, c64>);
  static_assert(bl::element<c64> && bl::dtype_of<c128> == bl::dtype::c128);
}

BOOST_AUTO_TEST_CASE(real_numbers_and_complex_ones_take_part_in_one_expression) {
  const bl::dtensor<c64, 1> z{{1, 2}, {3, -4}};
  const bl::dtensor<float, 1> x{2, 3};
  const bl::dtensor<double, 1> d{2, 3};
  const auto r = bl::eval(z * x + c64(0, 1));
  BOOST_TEST(r(0) == c64(2, 5));
  BOOST_TEST(r(1) == c64(9, -11));
  const auto wide = bl::eval(d + z);
  static_assert(std::is_same_v<decltype(wide)::value_type, c128>);
  BOOST_TEST(wide(1) == c128(6, -4));
  BOOST_TEST(bl::eval(2.0 - z)(0) == c64(1, -2));
  BOOST_TEST(bl::eval(z == c64(3, -4))(1));
  BOOST_TEST(bl::eval(bl::where(z == c64(1, 2), z, x))(1) == c64(3, 0));
  BOOST_TEST(bl::eval(bl::addcmul(z, z, x))(0) == c64(3, 6));
  BOOST_TEST(bl::eval(bl::lerp(z, z * 2, 0.25f))(0) == c64(1.25, 2.5));
  BOOST_TEST(bl::eval(bl::cast<c128>(z))(1) == c128(3, -4));
  BOOST_TEST(bl::eval(bl::cast<bool>(z))(0));
}

BOOST_AUTO_TEST_CASE(in_place_forms_keep_the_destination) {
  bl::dtensor<c64, 2> z{{{1, 1}, {2, 0}}, {{0, 1}, {0, 0}}};
  const bl::dtensor<float, 1> x{2, -1};
  z *= x;
  BOOST_TEST(z(0, 0) == c64(2, 2));
  BOOST_TEST(z(0, 1) == c64(-2, 0));
  bl::square_(z);
  BOOST_TEST(z(0, 0) == c64(0, 8));
  bl::conj_(z);
  BOOST_TEST(z(0, 0) == c64(0, -8));
  z = z + z.T();
  BOOST_TEST(z(0, 1) == z(1, 0));
  z += 1;
  bl::copy_(z, x);
  BOOST_TEST(z(1, 1) == c64(-1, 0));
  bl::masked_fill_(z, bl::cast<bool>(bl::real(z) > 0), c64(0, 7));
  BOOST_TEST(z(0, 0) == c64(0, 7));
  // What a complex result does not fit.
  static_assert(!std::is_invocable_v<decltype(bl::add_), bl::dtensor<float, 1>&, bl::dtensor<c64, 1>&>);
}

BOOST_AUTO_TEST_CASE(the_parts_of_an_array_are_views_of_it) {
  bl::dtensor<c64, 2> z{{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
  bl::real(z) = 0;
  bl::imag(z.T())(2, 1) = -1;
  BOOST_TEST(z(1, 1) == c64(0, 10));
  BOOST_TEST(z(1, 2) == c64(0, -1));
  bl::imag(bl::slice(z, bl::all, bl::range(bl::none, bl::none, -2))) += 1;
  BOOST_TEST(z(0, 0) == c64(0, 3));
  BOOST_TEST(z(0, 1) == c64(0, 4));
  const auto e = bl::real(z * c64(0, 1));
  BOOST_TEST(e(0, 0) == -3);
  const bl::dtensor<double, 1> re{1, 0}, im{-2, 0.5};
  const auto made = bl::eval(bl::complex(re, im));
  static_assert(std::is_same_v<decltype(made)::value_type, c128>);
  BOOST_TEST(made(0) == c128(1, -2));
  const auto turned = bl::eval(bl::polar(re, im));
  BOOST_TEST(std::abs(turned(0) - std::polar(1.0, -2.0)) < 1e-15);
  BOOST_TEST(turned(1) == c128(0, 0));
}

BOOST_AUTO_TEST_CASE(arithmetic_is_constant) {
  using pair = bl::tensor<c64, bl::shape<2>>;
  constexpr auto r = [] {
    const pair a{{1, 2}, {3, 4}};
    return pair(a * a - a / c64(0, 1) + bl::conj(a) * 2);
  }();
  static_assert(r(0) == c64(-3 - 2 + 2, 4 + 1 - 4) && r(1) == c64(-7 - 4 + 6, 24 + 3 - 8));
  const pair a{{1, 2}, {3, 4}};
  const pair at_run_time = a * a - a / c64(0, 1) + bl::conj(a) * 2;
  BOOST_TEST(at_run_time(0) == r(0));
  BOOST_TEST(at_run_time(1) == r(1));
}

BOOST_AUTO_TEST_CASE(they_are_close_where_their_distance_is_small) {
  const float inf = __builtin_inff(), nan = __builtin_nanf("");
  const bl::dtensor<c64, 1> x{{1, 2}, {1, 2}, {3e38f, 3e38f}, {inf, 1}, {inf, 0}, {nan, 1}};
  const bl::dtensor<c64, 1> y{{1.00001f, 2}, {1, 2.0001f}, {-3e38f, 3e38f}, {inf, 1}, {inf, 1}, {0, nan}};
  const bl::dtensor<bool, 1> close{true, false, false, true, false, false}, both{true, false, false, true, false, true};
  BOOST_TEST(bl::eval(bl::all(bl::eq(bl::isclose(x, y), close))).item());
  BOOST_TEST(bl::eval(bl::all(bl::eq(bl::isclose(x, y, 1e-5, 1e-8, bl::equal_nan{}), both))).item());
  BOOST_TEST(bl::eval(bl::isclose(x, c128(1, 2)))(1));
}

BOOST_AUTO_TEST_CASE(they_are_printed_as_numpy_prints_them) {
  const bl::dtensor<c64, 1> z{{1, 2}, {3, -0.5}};
  BOOST_TEST(bl::to_string(z) == "[1.+2.j  3.-0.5j]");
  BOOST_TEST(bl::to_string(bl::ones<c128>(2)) == "[1.+0.j 1.+0.j]");
  BOOST_TEST(bl::eval(bl::eye<c64>(3) * z(0))(2, 2) == c64(1, 2));
}

// By vectors, whose numbers do not depend on one another: of every length and place, in place, and beside numbers that
// are left to other functions.
template <class C>
void exponentials_are_those_of_one_number() {
  using R = typename C::value_type;
  const R inf = std::numeric_limits<R>::infinity(), most = std::numeric_limits<R>::max();
  const R parts[] = {0, -R(0), 1, R(-2.5), 88, -700, 710, R(1e7), R(-2e7), most, inf, -inf, R(1e-40)};
  std::vector<C> list;
  for (const R a : parts)
    for (const R b : parts) list.emplace_back(a, b);
  const auto same = [](const C& x, const C& y) {
    const auto alike = [](R a, R b) {
      return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
    };
    return alike(x.real(), y.real()) && alike(x.imag(), y.imag());
  };
  const bl::index count = static_cast<bl::index>(list.size());
  bl::dtensor<C, 1> z(count), alone(count);
  for (bl::index i = 0; i < count; ++i) {
    z(i) = list[static_cast<std::size_t>(i)];
    bl::dtensor<C, 1> one(1);
    one(0) = z(i);
    alone(i) = bl::eval(bl::exp(one))(0);
    const C by_library = std::exp(z(i));
    const R scale = 4 * std::numeric_limits<R>::epsilon();
    const auto close = [&](R a, R b) {
      return !(std::abs(b) <= most) || std::abs(a - b) <= scale * std::abs(b) + std::numeric_limits<R>::denorm_min();
    };
    if (!close(alone(i).real(), by_library.real()) || !close(alone(i).imag(), by_library.imag()))
      BOOST_ERROR("exp(" << z(i) << ") is " << alone(i) << ", not " << by_library);
  }
  for (bl::index first : {0, 1, 5})
    for (bl::index n = 1; first + n <= count; ++n) {
      bl::dtensor<C, 1> x(n);
      for (bl::index i = 0; i < n; ++i) x(i) = z(first + i);
      const auto r = bl::eval(bl::exp(x));
      x = bl::exp(x);
      for (bl::index i = 0; i < n; ++i)
        if (!same(r(i), alone(first + i)) || !same(x(i), alone(first + i)))
          BOOST_ERROR("exp(" << z(first + i) << ") of " << n << " is " << r(i) << ", in place " << x(i));
    }
}
BOOST_AUTO_TEST_CASE(exponentials_do_not_depend_on_their_neighbours) {
  const bl::isa before = bl::runtime::active_isa();
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    exponentials_are_those_of_one_number<c64>();
    exponentials_are_those_of_one_number<c128>();
  }
  bl::set_isa(before);
}

// Whether vectors compute it or not, and whatever stands beside it: angles that they leave to others among them.
BOOST_AUTO_TEST_CASE(the_exponential_of_an_element_does_not_depend_on_the_others) {
  const auto check = [](auto zero) {
    using R = decltype(zero);
    for (const bl::index n : {1, 3, 7, 64, 131, 200}) {
      bl::dtensor<std::complex<R>, 1> z(n);
      for (bl::index i = 0; i < n; ++i) {
        const R angle = i % 50 == 49 ? R(3e7) + static_cast<R>(i) : i % 31 == 30 ? R(0) : static_cast<R>(i * i) / R(7);
        z(i) = {static_cast<R>(i % 5) - R(2), i % 2 == 0 ? angle : -angle};
      }
      const auto all = bl::eval(bl::exp(z));
      bool same = true;
      for (bl::index i = 0; i < n; ++i) {
        const bl::dtensor<std::complex<R>, 1> one{z(i)};
        same = same && bl::eval(bl::exp(one))(0) == all(i);
      }
      BOOST_TEST(same, n);
    }
  };
  check(0.0F);
  check(0.0);
}

BOOST_AUTO_TEST_CASE(functions_that_are_not_defined_are_refused) {
  using z = bl::dtensor<c64, 1>&;
  static_assert(!std::is_invocable_v<bl::lt_t, z, z> && !std::is_invocable_v<bl::maximum_t, z, z>);
  static_assert(!std::is_invocable_v<bl::floor_t, z> && !std::is_invocable_v<bl::erf_t, z>);
  static_assert(!std::is_invocable_v<bl::fmod_t, z, z> && !std::is_invocable_v<bl::bitwise_and_t, z, z>);
  static_assert(!std::is_invocable_v<bl::imag_t, bl::dtensor<float, 1>&>);
}

BOOST_AUTO_TEST_SUITE_END()
