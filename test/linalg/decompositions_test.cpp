// Decompositions that are needed less often, functions of matrices, and factorisations that report: against PyTorch,
// NumPy and SciPy, and by the equations that define them.
#include "index/vocabulary_cases.hpp"

#include <complex>
#include <limits>

#include <broadloom/decompositions.hpp>
#include <broadloom/linalg.hpp>

using namespace vocabulary;
using namespace bl::literals;

namespace {

constexpr const char* table = "test/data/decompositions_cases.tsv";

template <int R = 2>
auto at(const line& l, std::size_t k) {
  return l.arrays[k].as<double, R>();
}

// Extents are the line's, and no element differs by more than this part of the largest one. NaN equals NaN.
template <class X>
bool close(const array_text& wanted, const X& x, double part = 1e-13) {
  const auto r = bl::eval(x);
  if (r.shape().rank() != wanted.rank()) return false;
  for (int i = 0; i < wanted.rank(); ++i)
    if (r.shape()[i] != wanted.extents[static_cast<std::size_t>(i)]) return false;
  double largest = 1e-300;
  for (double e : wanted.elements)
    if (e - e == 0) largest = std::max(largest, std::abs(e));
  for (std::size_t i = 0; i < wanted.elements.size(); ++i) {
    const auto a = static_cast<double>(r.data()[i]);
    const double b = wanted.elements[i];
    if (!(a == b || (a != a && b != b)) && !(std::abs(a - b) <= part * largest)) return false;
  }
  return true;
}

// The largest difference of two arrays, in units of the last place of the largest element of the second.
template <class A, class B>
double difference(const A& a, const B& b) {
  const auto x = bl::eval(a);
  const auto y = bl::eval(b);
  using real = bl::detail::real_of<typename decltype(x)::value_type>;
  BOOST_TEST_REQUIRE(x.size() == y.size());
  double most = 0, largest = 0;
  for (bl::index i = 0; i < x.size(); ++i) {
    const double d = std::abs(x.data()[i] - y.data()[i]);
    most = d > most || d != d ? d : most;
    largest = std::max(largest, static_cast<double>(std::abs(y.data()[i])));
  }
  return largest == 0 ? most : most / largest / static_cast<double>(std::numeric_limits<real>::epsilon());
}

template <class T, class S>
bl::tensor<T, S> random_array(const S& s, unsigned seed) {
  std::mt19937 chance(seed);
  bl::tensor<T, S> r(s);
  const auto next = [&] { return std::uniform_real_distribution<double>(-1, 1)(chance); };
  for (auto& e : r) {
    if constexpr (bl::detail::is_complex_type<T>) {
      const double re = next(), im = next();
      e = T(static_cast<bl::detail::real_of<T>>(re), static_cast<bl::detail::real_of<T>>(im));
    } else
      e = static_cast<T>(next());
  }
  return r;
}

template <class F>
void each_type(const F& f) {
  f(float{});
  f(double{});
  f(std::complex<float>{});
  f(std::complex<double>{});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_decompositions)

BOOST_AUTO_TEST_CASE(what_fails_in_a_stack_is_reported) {
  each(
      "inv_ex", 24,
      [](const line& l) {
        const auto [inverse, info] = bl::inv_ex(at<3>(l, 0));
        return close(l.arrays[1], inverse) && l.result().is(info);
      },
      table);
  each(
      "solve_ex", 32,
      [](const line& l) {
        const auto [x, info] = bl::solve_ex(at<3>(l, 0), at<3>(l, 1));
        const auto turned = bl::solve_ex(bl::transpose(bl::eval(bl::transpose(at<3>(l, 0)))), at<3>(l, 1));
        return close(l.arrays[2], x) && l.result().is(info) && l.result().is(turned.info);
      },
      table);
  each(
      "cholesky_ex", 32,
      [](const line& l) {
        const auto [factor, info] = bl::cholesky_ex(at<3>(l, 0));
        const auto upper = bl::cholesky_ex(at<3>(l, 0), true);
        return close(l.arrays[1], factor) && l.result().is(info) && close(l.arrays[1], bl::mT(upper.l));
      },
      table);
  const bl::dtensor<float, 2> singular{{1, 2}, {2, 4}};
  const auto r = bl::lu_factor_ex(singular);
  BOOST_TEST(r.info.item() == 2);
  BOOST_TEST(r.lu(0, 0) == 2);
  BOOST_TEST(r.pivots(0) == 2);
  const bl::dtensor<std::complex<float>, 2> z{{{1, 0}, {0, 1}}, {{0, 1}, {-1, 0}}};
  BOOST_TEST(bl::inv_ex(z).info.item() == 2);
  BOOST_TEST(bl::solve_ex(singular, bl::dtensor<float, 1>{1, 2}).result.rank() == 1);
  BOOST_CHECK_THROW(bl::eval(bl::inv(singular)), bl::linalg_error);  // as before
}

BOOST_AUTO_TEST_CASE(schur_forms) {
  each_type([](auto zero) {
    using T = decltype(zero);
    for (const bl::index n : {0, 1, 2, 5, 17}) {
      const auto a = random_array<T>(bl::dshape<3>(2, n, n), 3);
      const auto [t, z] = bl::schur(a);
      if (n == 0) continue;
      BOOST_TEST(difference(bl::matmul(bl::matmul(z, t), bl::adjoint(z)), a) < 200);
      BOOST_TEST(difference(bl::matmul(bl::adjoint(z), z), bl::expand(bl::eye<T>(n), bl::dshape<3>(2, n, n))) < 100);
      // below the diagonal zeros, but for the blocks of real matrices
      for (bl::index s = 0; s < 2; ++s)
        for (bl::index i = 1; i < n; ++i)
          for (bl::index j = 0; j < i; ++j) {
            const bool block = !bl::detail::is_complex_type<T> && j + 1 == i && (j == 0 || t(s, j, j - 1) == T(0));
            BOOST_TEST((block || t(s, i, j) == T(0)));
          }
    }
  });
  bl::dtensor<double, 2> bad{{1, std::numeric_limits<double>::quiet_NaN()}, {0, 1}};
  BOOST_CHECK_THROW(bl::schur(bad), bl::linalg_error);
}

// A block of two rows of a real Schur form is known but for a quarter turn, which exchanges both its rows and its
// columns, and LAPACKs differ in it: here the larger of the two beside the diagonal comes above it. The form's elements
// without their signs.
void turn_blocks(double* form, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    if (form[i * n + i - 1] <= form[(i - 1) * n + i]) continue;
    for (std::size_t j = 0; j < n; ++j) std::swap(form[i * n + j], form[(i - 1) * n + j]);
    for (std::size_t j = 0; j < n; ++j) std::swap(form[j * n + i], form[j * n + i - 1]);
  }
}

BOOST_AUTO_TEST_CASE(schur_forms_in_an_order) {
  namespace first = bl::first_eigenvalues;
  const auto sorted = [](const line& l, const auto& a) {
    const auto same = [&](const auto& r) {
      auto wanted = l.arrays[1];
      auto form = bl::eval(bl::abs(r.t));
      turn_blocks(wanted.elements.data(), static_cast<std::size_t>(a.shape()[0]));
      turn_blocks(form.data(), static_cast<std::size_t>(a.shape()[0]));
      return close(wanted, form, 1e-10) && l.result().is(r.count) &&
             difference(bl::matmul(bl::matmul(r.z, r.t), bl::adjoint(r.z)), a) < 200;
    };
    return l.parameter == "lhp"   ? same(bl::schur(a, first::lhp))
           : l.parameter == "rhp" ? same(bl::schur(a, first::rhp))
           : l.parameter == "iuc" ? same(bl::schur(a, first::iuc))
                                  : same(bl::schur(a, first::ouc));
  };
  each("schur_real", 16, [&](const line& l) { return sorted(l, at(l, 0)); }, table);
  each(
      "schur_complex", 32, [&](const line& l) { return sorted(l, bl::eval(bl::cast<std::complex<double>>(at(l, 0)))); },
      table);
  // A callable of the program's, stacks, and no elements.
  const auto a = random_array<float>(bl::dshape<3>(3, 9, 9), 4);
  const double limit = 0.25;
  const auto r = bl::schur(a, [limit](double re, double im) { return re * re + im * im > limit; });
  BOOST_TEST(difference(bl::matmul(bl::matmul(r.z, r.t), bl::mT(r.z)), a) < 200);
  for (bl::index s = 0; s < 3; ++s) {
    const bl::index k = r.count(s);
    BOOST_TEST((k == 9 || r.t(s, k, k - (k > 0)) == 0.0f || k == 0));
  }
  BOOST_TEST(bl::schur(bl::dtensor<double, 3>(2, 0, 0), first::lhp).count(1) == 0);
  BOOST_CHECK_THROW(bl::schur(a, [](double, double) -> bool { throw std::runtime_error("chosen"); }),
                    std::runtime_error);
}

BOOST_AUTO_TEST_CASE(factors_with_pivots) {
  each_type([](auto zero) {
    using T = decltype(zero);
    for (const auto& [m, n] : {std::pair<bl::index, bl::index>{1, 1}, {3, 5}, {6, 4}, {17, 17}, {0, 3}, {3, 0}}) {
      const auto a = random_array<T>(bl::dshape<2>(m, n), 5);
      const auto r = bl::pivoted_qr(a);
      const auto whole = bl::pivoted_qr(bl::transpose(bl::eval(bl::transpose(a))), bl::complete);
      BOOST_TEST(equal(r.order, whole.order));
      BOOST_TEST(whole.q.shape()[1] == m);
      const auto lu = bl::full_pivot_lu(a);
      BOOST_TEST(lu.rank.item() == std::min(m, n));
      if (m == 0 || n == 0) continue;
      const auto ordered = bl::index_select(a, 1, r.order);
      BOOST_TEST(difference(bl::matmul(r.q, r.r), ordered) < 100);
      BOOST_TEST(difference(bl::matmul(whole.q, whole.r), ordered) < 100);
      for (bl::index i = 1; i < std::min(m, n); ++i)
        BOOST_TEST(std::abs(r.r(i, i)) <= std::abs(r.r(i - 1, i - 1)) * 1.001);
      const bl::index k = std::min(m, n);
      const auto l = bl::tril(bl::narrow(lu.lu, 1, 0, k), -1) + bl::slice(bl::eye<T>(m), bl::all, bl::range(0, k));
      const auto u = bl::triu(bl::narrow(lu.lu, 0, 0, k));
      const auto turned = bl::index_select(bl::index_select(a, 0, lu.rows), 1, lu.columns);
      BOOST_TEST(difference(bl::matmul(bl::eval(l), u), turned) < 100);
    }
    // a rank that is less: the third row is the sum of the others
    auto a = random_array<T>(bl::dshape<2>(3, 4), 6);
    a(2) = a(0) + a(1);
    BOOST_TEST(bl::full_pivot_lu(a).rank.item() == 2);
  });
  BOOST_TEST(bl::full_pivot_lu(bl::zeros<double>(3, 3)).rank.item() == 0);
}

BOOST_AUTO_TEST_CASE(symmetric_matrices) {
  each(
      "ldl", 16,
      [](const line& l) {
        bool ok = true;
        with_rank(l.arrays[0].rank(), [&](auto r) {
          constexpr int rank = decltype(r)::value;
          if constexpr (rank > 1) {
            const auto [ld, pivots] = bl::ldl_factor(at<rank>(l, 0));
            ok = close(l.arrays[2], ld) && l.arrays[3].is(pivots) &&
                 close(l.arrays[4], bl::ldl_solve(ld, pivots, at<rank>(l, 1)), 1e-10);
          }
        });
        return ok;
      },
      table);
  each_type([](auto zero) {
    using T = decltype(zero);
    const auto x = random_array<T>(bl::dshape<2>(7, 7), 8);
    const auto b = random_array<T>(bl::dshape<2>(7, 2), 9);
    const auto hermitian = bl::eval(x + bl::adjoint(x));
    const auto symmetric = bl::eval(x + bl::mT(x));
    const auto h = bl::ldl_factor(hermitian, true);
    const auto s = bl::ldl_factor(symmetric);
    BOOST_TEST(difference(bl::matmul(hermitian, bl::ldl_solve(h.ld, h.pivots, b, true)), b) < 2000);
    BOOST_TEST(difference(bl::matmul(symmetric, bl::ldl_solve(s.ld, s.pivots, b)), b) < 2000);
    const auto all = bl::eigh(hermitian);
    const auto some = bl::eigh_subset(hermitian, 2, 3_c);
    static_assert(decltype(some.values)::shape_type::static_extents[0] == 3);
    BOOST_TEST(difference(some.values, bl::narrow(all.values, 0, 2, 3)) < 100);
    BOOST_TEST(difference(bl::matmul(hermitian, some.vectors), some.vectors * bl::cast<T>(some.values)) < 1000);
    const auto upper = bl::eigh_subset(bl::triu(hermitian), 0, 7, true);
    BOOST_TEST(difference(upper.values, all.values) < 100);
  });
  each(
      "eigh_subset", 8,
      [](const line& l) {
        const auto r = bl::eigh_subset(at(l, 0), l.axis, std::stol(l.parameter));
        return close(l.result(), r.values) && r.vectors.shape()[1] == std::stol(l.parameter);
      },
      table);
  const bl::dtensor<double, 2> a{{1, 0}, {0, 2}};
  BOOST_CHECK_THROW(bl::eigh_subset(a, 1, 2), bl::shape_error);
  BOOST_CHECK_THROW(bl::eigh_subset(a, -1, 1), bl::shape_error);
  BOOST_TEST(bl::eigh_subset(a, 0, 0).values.size() == 0);
  BOOST_CHECK_THROW(bl::eval(bl::ldl_solve(a, bl::dtensor<int, 1>{1, 3}, a)), bl::index_error);
  BOOST_CHECK_THROW(bl::eval(bl::ldl_solve(a, bl::dtensor<int, 1>{1, -2}, a)), bl::index_error);
}

BOOST_AUTO_TEST_CASE(systems) {
  each(
      "lstsq_full", 10,
      [](const line& l) {
        const auto r = bl::lstsq_full(at(l, 0), at(l, 1));
        // residuals that are rounding errors of 0 have no digits in common
        bool small = true;
        for (bl::index i = 0; i < r.residuals.size(); ++i)
          small = small && std::abs(r.residuals.data()[i] - l.arrays[3].elements[static_cast<std::size_t>(i)]) < 1e-10;
        return close(l.arrays[2], r.solution, 1e-11) && small && l.arrays[4].is(r.rank) &&
               close(l.arrays[5], r.singular_values);
      },
      table);
  const auto residuals = [](const auto& a, const auto& b, double most) {  // more rows than are in registers together
    const auto r = bl::lstsq_full(a, b);
    const auto left = bl::eval(bl::sum(bl::square(b - bl::matmul(a, r.solution)), bl::axes<0>));
    for (bl::index j = 0; j < left.size(); ++j)
      BOOST_TEST(std::abs(r.residuals(j) - left(j)) <= most * left(j), "column " << j << " of residuals");
  };
  residuals(random_array<double>(bl::dshape<2>(21, 3), 7), random_array<double>(bl::dshape<2>(21, 2), 8), 1e-12);
  residuals(random_array<float>(bl::dshape<2>(53, 4), 9), random_array<float>(bl::dshape<2>(53, 3), 3), 1e-4);
  const auto none = bl::lstsq_full(bl::dtensor<double, 2>(3, 0), bl::ones<double>(3, 2));
  BOOST_TEST(none.residuals(1) == 3);
  BOOST_TEST(none.rank.item() == 0);
  const auto z = random_array<std::complex<float>>(bl::dshape<2>(6, 3), 2);
  const auto exact = bl::lstsq_full(z, bl::matmul(z, bl::eye<std::complex<float>>(3)));
  BOOST_TEST(difference(exact.solution, bl::eye<std::complex<float>>(3)) < 100);
  BOOST_TEST(bl::lstsq_full(bl::dtensor<double, 2>{{1, 0}, {0, 1e-3}}, bl::eye<double>(2), 0.01).rank.item() == 1);

  each(
      "solve_banded", 8,
      [](const line& l) {
        const bl::index lower = l.axis, upper = std::stol(l.parameter);
        const auto x = bl::solve_banded(at(l, 0), at(l, 1), lower, upper);
        const auto first = bl::select(at(l, 1), 1, 0);
        return close(l.result(), x) &&
               equal(bl::solve_banded(at(l, 0), bl::eval(first), lower, upper), bl::select(bl::eval(x), 1, 0)) &&
               close(l.result(),
                     bl::solve_banded(bl::flip(bl::eval(bl::flip(at(l, 0), 0)), 0), at(l, 1) * 1.0, lower, upper));
      },
      table);
  const bl::dtensor<double, 2> bands{{0, 1}, {0, 1}, {1, 0}};
  BOOST_CHECK_THROW(bl::solve_banded(bands, bl::ones<double>(2), 1, 0), bl::shape_error);
  BOOST_CHECK_THROW(bl::eval(bl::solve_banded(bl::zeros<double>(1, 2), bl::ones<double>(2), 0, 0)), bl::linalg_error);
  BOOST_TEST(bl::eval(bl::solve_banded(bands, bl::ones<double>(2), 1, 1))(0) == 0);
}

BOOST_AUTO_TEST_CASE(functions_of_matrices) {
  each("sqrtm", 48, [](const line& l) { return close(l.result(), bl::sqrtm(at(l, 0)), 1e-11); }, table);
  each("logm", 48, [](const line& l) { return close(l.result(), bl::logm(at(l, 0)), 1e-8); }, table);
  each_type([](auto zero) {
    using T = decltype(zero);
    for (const bl::index n : {1, 4, 11}) {
      // eigenvalues near 2, away from the negative axis
      const auto a =
          bl::eval(random_array<T>(bl::dshape<3>(2, n, n), 4) * T(1.0f / static_cast<float>(n)) + bl::eye<T>(n) * T(2));
      const auto root = bl::sqrtm(a);
      BOOST_TEST(difference(bl::matmul(bl::eval(root), bl::eval(root)), a) < 100);
      BOOST_TEST(difference(bl::matrix_exp(bl::logm(a)), a) < 200);
    }
    BOOST_TEST(bl::sqrtm(bl::dtensor<T, 2>(0, 0)).shape()[0] == 0);
  });
  // a rotation by a right angle, whose eigenvalues are a pair
  const bl::dtensor<double, 2> turn{{0, -1}, {1, 0}};
  BOOST_TEST(difference(bl::logm(turn), turn * 1.5707963267948966) < 10);
  BOOST_TEST(difference(bl::matmul(bl::eval(bl::sqrtm(turn)), bl::sqrtm(turn)), turn) < 10);
  const bl::dtensor<double, 2> negative{{-4, 0}, {0, 1}}, nilpotent{{0, 1}, {0, 0}};
  const auto text = [](auto f) { return text_of<bl::linalg_error>(f); };
  BOOST_TEST(text([&] { bl::eval(bl::sqrtm(negative)); }) ==
             "sqrtm: The square root is complex, because the input matrix has a negative eigenvalue: give it complex "
             "elements.");
  BOOST_TEST(text([&] { bl::eval(bl::sqrtm(nilpotent)); }) ==
             "sqrtm: The input matrix is singular and has no square root.");
  BOOST_TEST(text([&] { bl::eval(bl::logm(nilpotent)); }) ==
             "logm: The input matrix is singular and has no logarithm.");
  BOOST_TEST(text([&] { bl::eval(bl::logm(negative / 0.0)); }) ==
             "logm: The input matrix contained non-finite values.");
  using complex = std::complex<double>;
  BOOST_TEST((bl::eval(bl::sqrtm(bl::cast<complex>(negative)))(0, 0) == complex(0, 2)));
  BOOST_TEST(std::abs(bl::eval(bl::logm(bl::cast<complex>(negative)))(0, 0) -
                      complex(std::log(4.0), 3.14159265358979323846)) < 1e-15);
  BOOST_TEST(equal(bl::sqrtm(bl::zeros<double>(2, 2)), bl::zeros<double>(2, 2)));
}

BOOST_AUTO_TEST_SUITE_END()
