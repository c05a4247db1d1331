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

// Longer ones go by strips, in the same order of terms.
BOOST_AUTO_TEST_CASE(products_of_any_length_are_those_of_a_loop) {
  std::mt19937 random(3);
  const auto compare = [&](auto zero) {
    using T = decltype(zero);
    for (int round = 0; round < 60; ++round) {
      const auto line = [&] {
        bl::dtensor<T, 1> p(bl::dshape<1>(1 + static_cast<bl::index>(random() % (round % 4 == 0 ? 4 : 90))));
        for (T& c : p)
          c = static_cast<T>(2 * static_cast<int>(random() % 1000) - 999) / T(7);  // none is 0: leading ones go
        if (random() % 8 == 0) p(static_cast<bl::index>(random()) % p.size()) = std::numeric_limits<T>::infinity();
        return p;
      };
      const auto p = line(), q = line();
      bl::dtensor<T, 1> expected = bl::zeros<T>(p.size() + q.size() - 1);
      for (bl::index i = 0; i < p.size(); ++i)
        for (bl::index j = 0; j < q.size(); ++j) expected(i + j) += p(i) * q(j);
      BOOST_TEST(bl::array_equal(bl::polymul(p, q), expected, bl::equal_nan{}), p.size() << " by " << q.size());
    }
  };
  compare(0.0F);
  compare(0.0);
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
