// Polynomials, against NumPy.
#include "index/vocabulary_cases.hpp"

#include <broadloom/polynomial.hpp>

#include <limits>
#include <random>

using namespace vocabulary;

namespace {

constexpr const char* table = "test/data/vocabulary_cases.tsv";
auto at(const line& l, std::size_t k) { return l.arrays[k].as<double, 1>(); }

template <class F>
void each_pair(const char* name, int least, F f) {
  each(name, least, [&](const line& l) { return near(l.result(), f(l)); }, table);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_polynomials)

BOOST_AUTO_TEST_CASE(arithmetic_is_that_of_numpy) {
  each_vocabulary("polyval", 36,
                  [](const line& l, const auto& x) { return near(l.result(), bl::polyval(at(l, 1), x), 64); });
  each_pair("polyadd", 36, [](const line& l) { return bl::polyadd(at(l, 0), at(l, 1)); });
  each_pair("polysub", 36, [](const line& l) { return bl::polysub(at(l, 0), at(l, 1)); });
  each_pair("polymul", 36, [](const line& l) { return bl::polymul(at(l, 0), at(l, 1)); });
  each_pair("polyder", 36, [](const line& l) { return bl::polyder(at(l, 0), std::stol(l.parameter)); });
  each_pair("polyint", 36, [](const line& l) { return bl::polyint(at(l, 0), std::stol(l.parameter), 2.5); });
  each_pair("poly", 36, [](const line& l) { return bl::poly(at(l, 0)); });
  each(
      "polydiv", 25,
      [](const line& l) {
        const auto [q, r] = bl::polydiv(at(l, 0), at(l, 1));
        return near(l.arrays[2], q, 200) && near(l.arrays[3], r, 2000);
      },
      table);
}

// Coefficients of which the first is not 0, so that it stays.
template <class T>
bl::dtensor<T, 1> some_coefficients(std::mt19937& random, unsigned most) {
  bl::dtensor<T, 1> p(bl::dshape<1>(1 + static_cast<bl::index>(random() % most)));
  for (T& c : p) {
    if constexpr (std::is_integral_v<T>)
      c = static_cast<T>((static_cast<std::uint64_t>(random()) << 32 | random()) | 1);
    else
      c = static_cast<T>(2 * static_cast<int>(random() % 1000) - 999) / T(7);
  }
  return p;
}
template <class F>
void each_real(F f) {
  f(float{}), f(double{}), f(std::int8_t{}), f(std::uint8_t{}), f(std::int16_t{}), f(std::uint16_t{}), f(int{}), f(0U),
      f(std::int64_t{}), f(std::uint64_t{});
}
// Integers modulo 2^bits.
template <class T>
using wrapping = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

// Longer ones go by vectors, in the same order of terms.
BOOST_AUTO_TEST_CASE(products_of_any_length_are_those_of_a_loop) {
  std::mt19937 random(3);
  each_real([&](auto zero) {
    using T = decltype(zero);
    for (int round = 0; round < 60; ++round) {
      const auto line = [&] {
        auto p = some_coefficients<T>(random, round % 4 == 0 ? 4 : round % 4 == 1 ? 400 : 90);
        if (!std::is_integral_v<T> && random() % 8 == 0)
          p(static_cast<bl::index>(random()) % p.size()) = std::numeric_limits<T>::infinity();
        return p;
      };
      const auto p = line();
      const auto q = line();
      bl::dtensor<wrapping<T>, 1> sums = bl::zeros<wrapping<T>>(p.size() + q.size() - 1);
      for (bl::index i = 0; i < p.size(); ++i)
        for (bl::index j = 0; j < q.size(); ++j)
          sums(i + j) += static_cast<wrapping<T>>(p(i)) * static_cast<wrapping<T>>(q(j));
      const bl::dtensor<T, 1> expected = bl::cast<T>(sums);
      BOOST_TEST(bl::array_equal(bl::polymul(p, q), expected, bl::equal_nan{}),
                 p.size() << " by " << q.size() << " of " << sizeof(T) << " bytes");
    }
  });
}

BOOST_AUTO_TEST_CASE(values_of_any_number_of_arguments_are_those_of_a_loop) {
  std::mt19937 random(4);
  each_real([&](auto zero) {
    using T = decltype(zero);
    for (int round = 0; round < 40; ++round) {
      const auto p = some_coefficients<T>(random, 30);
      const auto x = some_coefficients<T>(random, round % 4 == 0 ? 4000 : 200);
      const auto found = bl::polyval(p, x);
      bool same = found.size() == x.size();
      for (bl::index i = 0; i < x.size(); ++i) {
        wrapping<T> r = 0;
        for (const T c : p) r = r * static_cast<wrapping<T>>(x(i)) + static_cast<wrapping<T>>(c);
        const T expected = static_cast<T>(r);
        same = same && (found(i) == expected || (found(i) != found(i) && expected != expected));
      }
      BOOST_TEST(same, x.size() << " arguments of " << sizeof(T) << " bytes");
    }
  });
  // Views, other shapes and other types of arguments.
  const bl::dtensor<int, 1> p{2, -1, 3};
  const bl::dtensor<std::int8_t, 2> m{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(equal(bl::polyval(p, bl::transpose(m, 0, 1)), bl::dtensor<int, 2>{{4, 31}, {9, 48}, {18, 69}}));
  BOOST_TEST(equal(bl::polyval(bl::dtensor<int, 1>(0), m), bl::dtensor<int, 2>{{0, 0, 0}, {0, 0, 0}}));
  static_assert(bl::extent_of<decltype(bl::polyval(p, bl::tensor<double, bl::shape<2>>{1, 2})), 0> == 2);
}

BOOST_AUTO_TEST_CASE(zeros_and_fits_are_those_of_numpy) {
  each(
      "roots", 36,
      [](const line& l) {
        const bl::dtensor<double, 1> p = bl::cat(0, bl::zeros<double>(l.axis), 2 * bl::poly(at(l, 0)));
        const auto found = bl::roots(p);
        bool ok = bl::amax(bl::abs(bl::imag(found))).item() < 1e-5;
        const auto real = bl::sort(bl::real(found)).values;
        for (bl::index i = 0; i < real.size(); ++i)
          ok = ok && std::abs(real(i) - l.result().elements[static_cast<std::size_t>(i)]) < 1e-8;
        return ok && real.size() == static_cast<bl::index>(l.result().elements.size());
      },
      table);
  const auto fits = [](const line& l, const auto& y, const auto&... w) {
    return near(l.result(), bl::polyfit(at(l, 0), y, l.axis, w...), 1e4);
  };
  for (const bool weighted : {false, true})
    each(
        weighted ? "polyfit_weights" : "polyfit", 72,
        [&](const line& l) {
          if (l.arrays[1].rank() == 1) return weighted ? fits(l, at(l, 1), at(l, 2)) : fits(l, at(l, 1));
          return weighted ? fits(l, l.arrays[1].as<double, 2>(), at(l, 2)) : fits(l, l.arrays[1].as<double, 2>());
        },
        table);
}

BOOST_AUTO_TEST_CASE(other_types_and_errors) {
  using c64 = std::complex<float>;
  const bl::dtensor<c64, 1> z{c64(0, 1), c64(0, -1)};
  BOOST_TEST(equal(bl::poly(z), bl::dtensor<c64, 1>{1, 0, 1}));
  BOOST_TEST(equal(bl::polyval(bl::dtensor<int, 1>{1, 0, 1}, z), bl::dtensor<c64, 1>{0, 0}));
  const bl::dtensor<int, 1> p{1, 2}, none(0);
  static_assert(std::is_same_v<decltype(bl::polymul(p, p)), bl::dtensor<int, 1>>);
  static_assert(std::is_same_v<decltype(bl::polydiv(p, p).quotient), bl::dtensor<double, 1>>);
  BOOST_TEST(equal(bl::polymul(p, none), bl::dtensor<int, 1>{0, 0}));
  BOOST_TEST(bl::roots(bl::dtensor<float, 1>{3}).size() == 0);
  BOOST_TEST(bl::roots(none).size() == 0);
  BOOST_CHECK_THROW(bl::polydiv(p, none), bl::shape_error);
  BOOST_CHECK_THROW(bl::polyder(p, -1), bl::shape_error);
  BOOST_CHECK_THROW(bl::polyint(p, -1), bl::shape_error);
  BOOST_CHECK_THROW(bl::polyfit(p, p, -1), bl::shape_error);
  BOOST_CHECK_THROW(bl::polyfit(none, none, 1), bl::shape_error);
  BOOST_CHECK_THROW(bl::polyfit(p, none, 1), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
