// Factorisations by what they must satisfy, stacked; what they refuse, and that operands stay as they are.
// Build: gcc-alone
#include <broadloom/linalg/factor.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>

#include <string>

#include "matrices.hpp"
#include "thrown.hpp"

using matrices::distance;
using matrices::positive;
using matrices::random;

namespace {

template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 2e-4 : 1e-12;

template <class T>
auto identities(bl::index n) {
  return bl::eye<T>(n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_factor)

template <class T>
void check_square(bl::index n) {
  const auto a = bl::eval(random<T>(1, 3, n, n) + bl::eye<T>(n) * T(2));
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::inv(a))), identities<T>(n)) <= tolerance<T> * 10);
  const auto [lu, pivots] = bl::lu_factor(a);
  const auto [p, l, u] = bl::lu(a);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::matmul(p, l), u)), a) <= tolerance<T>);
  for (bl::index k = 0; k < 3; ++k)
    for (bl::index i = 0; i < n; ++i)
      for (bl::index j = 0; j < n; ++j) {
        BOOST_TEST(lu(k, i, j) == (i > j ? l(k, i, j) : u(k, i, j)));
        if (i > j) BOOST_TEST(std::abs(l(k, i, j)) <= 1);
      }
  // The determinant from the factors.
  const bl::tensor d = bl::det(a);
  const auto [sign, log] = bl::slogdet(a);
  for (bl::index k = 0; k < 3; ++k) {
    double product = 1;
    for (bl::index i = 0; i < n; ++i) product *= (pivots(k, i) == i + 1 ? 1.0 : -1.0) * static_cast<double>(u(k, i, i));
    BOOST_TEST(std::abs(static_cast<double>(d(k)) - product) <=
               tolerance<T> * std::abs(product) * static_cast<double>(n));
    BOOST_TEST(std::abs(static_cast<double>(sign(k)) * std::exp(static_cast<double>(log(k))) - product) <=
               tolerance<T> * std::abs(product) * static_cast<double>(n) * 10);
  }
}
BOOST_AUTO_TEST_CASE(inverses_lu_and_determinants) {
  for (const bl::index n : {1, 2, 3, 8, 17, 40}) {
    check_square<double>(n);
    check_square<float>(n);
  }
}

BOOST_AUTO_TEST_CASE(lu_of_rectangles) {
  for (const auto& [m, n] : {std::pair<bl::index, bl::index>{5, 3}, {3, 5}, {20, 7}, {1, 4}}) {
    const auto a = random<double>(2, 2, m, n);
    const auto [p, l, u] = bl::lu(a);
    BOOST_TEST((l.shape() == bl::dshape<3>(2, m, std::min(m, n))));
    BOOST_TEST(distance(bl::eval(bl::matmul(bl::matmul(p, l), u)), a) <= 1e-14);
    const auto [packed, pivots] = bl::lu_factor(a);
    BOOST_TEST((pivots.shape() == bl::dshape<2>(2, std::min(m, n))));
  }
}

BOOST_AUTO_TEST_CASE(powers_and_exponentials) {
  const auto a = random<double>(3, 2, 4, 4);
  const auto square = bl::eval(bl::matmul(a, a));
  BOOST_TEST(distance(bl::eval(bl::matrix_power(a, 0)), bl::eye<double>(4)) == 0);
  BOOST_TEST(distance(bl::eval(bl::matrix_power(a, 1)), a) == 0);
  BOOST_TEST(distance(bl::eval(bl::matrix_power(a, 5)), bl::eval(bl::matmul(bl::matmul(square, square), a))) <= 1e-13);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::matrix_power(a, -2), square)), bl::eye<double>(4)) <= 1e-10);
  // exp(a) exp(-a) = 1, and of a diagonal the exponentials.
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::matrix_exp(a), bl::matrix_exp(-a))), bl::eye<double>(4)) <= 1e-13);
  const auto d = bl::eval(bl::eye<double>(3) * 2.0);
  BOOST_TEST(std::abs(bl::eval(bl::matrix_exp(d))(1, 1) - std::exp(2.0)) <= 1e-14);
}

// Powers of integers wrap around as repeated products do, whatever factors they are made of.
template <class T>
void check_powers_of_integers() {
  bl::dtensor<T, 3> a(2, 9, 9);
  for (bl::index i = 0; i < a.size(); ++i)
    a.data()[i] = static_cast<T>(static_cast<int>(1e3 * matrices::noise(static_cast<std::uint64_t>(i))));
  bl::dtensor<T, 3> expected(a * T(0) + bl::eye<T>(9));
  for (int power = 0; power < 12; ++power) {
    BOOST_TEST_CONTEXT("power " << power << " of integers of " << sizeof(T) << " bytes") {
      const bl::dtensor<T, 3> found(bl::matrix_power(a, power));
      BOOST_TEST(bl::all(found == expected).item());
    }
    const bl::dtensor<T, 3> next(bl::matmul(expected, a));
    expected = next;
  }
}
BOOST_AUTO_TEST_CASE(powers_of_integers) {
  check_powers_of_integers<std::uint8_t>();
  check_powers_of_integers<std::int16_t>();
  check_powers_of_integers<std::int32_t>();
  check_powers_of_integers<std::int64_t>();
}

template <class T>
void check_positive(bl::index n) {
  const auto a = positive<T>(4, 3, n);
  const bl::tensor l = bl::cholesky(a);
  const bl::tensor u = bl::potrf(a);
  const double far = tolerance<T> * static_cast<double>(n);
  BOOST_TEST(distance(bl::eval(bl::matmul(l, bl::transpose(l, 1, 2))), a) <= far);
  BOOST_TEST(distance(bl::transpose(u, 1, 2), l) <= far);
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = i + 1; j < n; ++j) BOOST_TEST((l(0, i, j) == 0 && u(0, j, i) == 0));
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::cholesky_inverse(l))), bl::eye<T>(n)) <= far * 10);
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::potri(u))), bl::eye<T>(n)) <= far * 10);
  // Only one triangle is read.
  bl::dtensor<T, 3> half(a);
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = i + 1; j < n; ++j) half(1, i, j) = std::numeric_limits<T>::quiet_NaN();
  BOOST_TEST(distance(bl::eval(bl::cholesky(half)), l) == 0);
}
BOOST_AUTO_TEST_CASE(cholesky_factors) {
  for (const bl::index n : {1, 2, 5, 16, 70}) {
    check_positive<double>(n);
    check_positive<float>(n);
  }
}

BOOST_AUTO_TEST_CASE(pivoted_cholesky_finds_the_rank) {
  const auto thin = random<double>(5, 2, 7, 3);
  const bl::tensor a = bl::matmul(thin, bl::transpose(thin, 1, 2));
  for (const bool upper : {true, false}) {
    const auto [factor, pivots, rank] = bl::pstrf(a, upper, 1e-10);
    for (bl::index k = 0; k < 2; ++k) {
      BOOST_TEST(rank(k) == 3);
      const auto f = bl::slice(factor, k);
      const auto product = upper ? matrices::product(f.T(), f) : matrices::product(f, f.T());
      for (bl::index i = 0; i < 7; ++i)
        for (bl::index j = 0; j < 7; ++j)
          BOOST_TEST(std::abs(product(i, j) - a(k, pivots(k, i), pivots(k, j))) <= 1e-13);
    }
  }
}

template <class T>
void check_qr(bl::index m, bl::index n) {
  const auto a = random<T>(6, 2, m, n);
  const bl::index k = std::min(m, n);
  const double far = tolerance<T>;
  const auto [q, r] = bl::qr(a);
  BOOST_TEST((q.shape() == bl::dshape<3>(2, m, k)));
  BOOST_TEST((r.shape() == bl::dshape<3>(2, k, n)));
  BOOST_TEST(distance(bl::eval(bl::matmul(q, r)), a) <= far);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::transpose(q, 1, 2), q)), bl::eye<T>(k)) <= far);
  const auto [whole, tall] = bl::qr(a, bl::complete);
  BOOST_TEST((whole.shape() == bl::dshape<3>(2, m, m)));
  BOOST_TEST(distance(bl::eval(bl::matmul(whole, tall)), a) <= far);
  BOOST_TEST(distance(bl::eval(bl::matmul(whole, bl::transpose(whole, 1, 2))), bl::eye<T>(m)) <= far);
  const auto [packed, tau] = bl::geqrf(a);
  for (bl::index i = 0; i < k; ++i)
    for (bl::index j = i; j < n; ++j) BOOST_TEST(packed(1, i, j) == r(1, i, j));
  const auto vectors = bl::slice(packed, bl::all, bl::all, bl::range(0, k));
  BOOST_TEST(distance(bl::eval(bl::householder_product(vectors, tau)), q) <= far);
  const auto c = random<T>(7, m, 4);
  BOOST_TEST(distance(bl::eval(bl::ormqr(packed, tau, c)), bl::eval(bl::matmul(whole, c))) <= far);
  BOOST_TEST(distance(bl::eval(bl::ormqr(packed, tau, c, true)), bl::eval(bl::matmul(bl::transpose(whole, 1, 2), c))) <=
             far);
  BOOST_TEST(distance(bl::eval(bl::ormqr_right(packed, tau, c.T())), bl::eval(bl::matmul(c.T(), whole))) <= far);
}
BOOST_AUTO_TEST_CASE(qr_factors) {
  for (const auto& [m, n] : {std::pair<bl::index, bl::index>{1, 1}, {6, 4}, {4, 6}, {5, 5}, {70, 60}}) {
    check_qr<double>(m, n);
    check_qr<float>(m, n);
  }
}

BOOST_AUTO_TEST_CASE(empty_matrices_and_stacks) {
  BOOST_TEST(bl::eval(bl::det(bl::zeros<double>(0, 0))).item() == 1);
  BOOST_TEST(bl::eval(bl::det(bl::zeros<double>(3, 0, 0)))(2) == 1);
  BOOST_TEST((bl::eval(bl::inv(bl::zeros<double>(0, 3, 3))).shape() == bl::dshape<3>(0, 3, 3)));
  BOOST_TEST((bl::eval(bl::cholesky(bl::zeros<double>(2, 0, 0))).shape() == bl::dshape<3>(2, 0, 0)));
  const auto [q, r] = bl::qr(bl::zeros<double>(3, 0), bl::complete);
  BOOST_TEST(distance(q, bl::eye<double>(3)) == 0);
  BOOST_TEST((r.shape() == bl::dshape<2>(3, 0)));
}

BOOST_AUTO_TEST_CASE(strided_operands) {
  const auto a = bl::eval(random<double>(8, 3, 5, 5) + bl::eye<double>(5) * 2.0);
  BOOST_TEST(distance(bl::eval(bl::inv(bl::transpose(a, 1, 2))), bl::transpose(bl::eval(bl::inv(a)), 1, 2)) <= 1e-13);
  const auto flipped = bl::flip(a, 0);
  const bl::tensor f = bl::inv(flipped);
  BOOST_TEST(distance(bl::slice(f, 0), bl::eval(bl::inv(bl::slice(a, 2)))) == 0);
  const auto same = bl::expand(bl::slice(a, 1), bl::dshape<3>(4, 5, 5));
  BOOST_TEST(distance(bl::eval(bl::det(same)), bl::eval(bl::det(bl::slice(a, 1)))) == 0);
}

BOOST_AUTO_TEST_CASE(failures_name_the_function_and_the_first_matrix) {
  auto a = bl::eval(bl::eye<double>(3) + bl::zeros<double>(6, 3, 3));
  a(3, 1, 1) = 0;
  a(5, 0, 0) = 0;
  const bl::dtensor<double, 3> before(a);
  const std::string singular =
      "The diagonal element 2 is zero, the inversion could not be completed because the input matrix "
      "is singular.";
  BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::inv(a)); }) == "linalg.inv: (Batch element 3): " + singular);
  BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::inv(a), bl::seq); }) ==
             "linalg.inv: (Batch element 3): " + singular);
  BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::inv(bl::slice(a, 3))); }) == "linalg.inv: " + singular);
  BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::matrix_power(a, -1)); }) ==
             "linalg.inv: (Batch element 3): " + singular);
  BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::cholesky_inverse(a)); }) ==
             "cholesky_inverse: (Batch element 3): " + singular);
  BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::cholesky(a)); }) ==
             "linalg.cholesky: (Batch element 3): The factorization could not be completed because the input is not "
             "positive-definite (the leading minor of order 2 is not positive-definite).");
  BOOST_TEST(thrown<bl::linalg_error>([&] {
               bl::lu_factor(a);
             }).rfind("linalg.lu_factor: (Batch element 3): U[2,2] is zero", 0) == 0u);
  const auto [p, l, u] = bl::lu(a);
  BOOST_TEST(u(3, 1, 1) == 0);
  const auto [sign, log] = bl::slogdet(a);
  BOOST_TEST((sign(3) == 0 && std::isinf(log(3)) && log(3) < 0));
  BOOST_TEST(bl::eval(bl::det(a))(3) == 0);
  BOOST_TEST(distance(a, before) == 0);
}

// Of a stack of which some fail: their parts of an output stay, each of the others is written whole or not at all, and
// nothing is written by an expression of which it is a part.
template <class Out, class E>
void check_stack_of_failures(Out out, const E& e, const Out& wanted, std::initializer_list<bl::index> bad,
                             const std::string& sentence) {
  const bl::index count = out.shape()[0], each = out.size() / count;
  for (const bl::policy how : {bl::seq, bl::par, bl::par.threads(2)}) {
    for (bl::index i = 0; i < out.size(); ++i) out.data()[i] = 7;
    BOOST_TEST(thrown<bl::linalg_error>([&] { bl::assign(out, e * 2.0, how); }).rfind(sentence, 0) == 0u);
    bool kept = true, right = true;
    for (bl::index i = 0; i < out.size(); ++i) kept &= out.data()[i] == 7;
    BOOST_TEST(kept);
    BOOST_TEST(thrown<bl::linalg_error>([&] { bl::assign(out, e, how); }).rfind(sentence, 0) == 0u);
    for (bl::index s = 0; s < count; ++s) {
      bool old = true, fresh = true;
      for (bl::index i = s * each; i < (s + 1) * each; ++i) {
        old &= out.data()[i] == 7;
        fresh &= out.data()[i] == wanted.data()[i];
      }
      const bool failed = std::find(bad.begin(), bad.end(), s) != bad.end();
      right &= failed ? old : old || fresh;
    }
    BOOST_TEST(right);
  }
}
template <class Out>
void check_failures_of(Out a) {
  const bl::index n = a.shape()[2];
  for (bl::index s = 0; s < 40; ++s) {
    for (bl::index i = 0; i < n; ++i)
      for (bl::index j = 0; j < n; ++j)
        a(s, i, j) = (i == j ? 2 * static_cast<double>(n) : 0) +
                     matrices::noise(static_cast<std::uint64_t>(1000 * s + std::max(i, j) * n + std::min(i, j)));
  }
  const Out inverses = bl::inv(a), factors = bl::cholesky(a), powers = bl::matrix_power(a, -2);
  for (const bl::index s : {17, 33})
    for (bl::index j = 0; j < n; ++j) a(s, n - 1, j) = a(s, j, n - 1) = 0;
  check_stack_of_failures(a, bl::inv(a), inverses, {17, 33}, "linalg.inv: (Batch element 17)");
  check_stack_of_failures(a, bl::cholesky(a), factors, {17, 33}, "linalg.cholesky: (Batch element 17)");
  check_stack_of_failures(a, bl::matrix_power(a, -2), powers, {17, 33}, "linalg.inv: (Batch element 17)");
}
BOOST_AUTO_TEST_CASE(of_a_stack_what_fails_is_not_written) {
  check_failures_of(bl::dtensor<double, 3>(40, 3, 3));
  check_failures_of(bl::dtensor<double, 3>(40, 20, 20));
  check_failures_of(bl::tensor<double, bl::shape<40, 3, 3>>{});
  // A single one.
  bl::dtensor<double, 2> out = bl::full<double>(bl::dshape<2>(20, 20), 7), zero = bl::zeros<double>(20, 20);
  BOOST_CHECK_THROW(bl::assign(out, bl::inv(zero)), bl::linalg_error);
  BOOST_TEST(distance(out, bl::full<double>(bl::dshape<2>(20, 20), 7)) == 0);
}

BOOST_AUTO_TEST_CASE(nan_terminates) {
  const auto a = bl::full<double>(bl::dshape<3>(2, 20, 20), std::numeric_limits<double>::quiet_NaN());
  BOOST_TEST(std::isnan(bl::eval(bl::inv(a))(0, 3, 4)));
  BOOST_TEST(std::isnan(bl::eval(bl::det(a))(1)));
  BOOST_TEST(std::isnan(bl::eval(bl::matrix_exp(a))(1, 0, 0)));
  const auto [q, r] = bl::qr(a);
  BOOST_TEST(std::isnan(r(0, 0, 0)));
  const auto [lu, pivots] = bl::lu_factor(a);
  BOOST_TEST(pivots(0, 0) >= 1);
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_fit) {
  const bl::dtensor<float, 2> a(3, 4);
  BOOST_CHECK_EXCEPTION(bl::inv(a), bl::shape_error, [](const bl::shape_error& e) {
    return std::string(e.what()).rfind(
               "linalg.inv: A must be batches of square matrices, but they are 3 by 4 matrices\n", 0) == 0;
  });
  BOOST_CHECK_THROW(bl::householder_product(a, bl::zeros<float>(2)), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
