// Stacks of small matrices at constant steps, at every instruction-set level: products with vectors, determinants,
// eigenvalues and cross products, of each size and any strides. Each matrix has the bits that it has alone.
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

#include "matrices.hpp"
#include "thrown.hpp"

using matrices::distance;
using matrices::random;

namespace {

template <class F>
void at_each_level(F f) {
  const bl::isa before = bl::set_isa(bl::isa::v3);
  for (const bl::isa level : {bl::isa::base, bl::isa::v3})
    if (bl::set_isa(level) == level) f();
  bl::set_isa(before);
}
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-14;

template <class T>
void check_products(bl::index count, bl::index rows, bl::index depth) {
  const auto a = random<T>(1, count, rows, depth);
  const auto x = random<T>(2, count, depth);
  const bl::dtensor<T, 3> by_columns = bl::transpose(a, 1, 2);
  const bl::dtensor<T, 2> apart = bl::transpose(x, 0, 1);
  const bl::tensor y = bl::einsum<"nij,nj->ni">(a, x);
  const bl::tensor sums = bl::sum(bl::cast<double>(a) * bl::cast<double>(bl::unsqueeze(x, 1)), bl::axes<2>);
  BOOST_TEST(distance(y, sums) <= static_cast<double>(depth) * tolerance<T>);
  BOOST_TEST(distance(bl::eval(bl::einsum<"nji,nj->ni">(by_columns, x)), y) == 0);
  BOOST_TEST(distance(bl::eval(bl::einsum<"nij,jn->ni">(a, apart)), y) == 0);
  BOOST_TEST(distance(bl::eval(bl::einsum<"nij,nj->ni">(bl::flip(a, 0), bl::flip(x, 0))), bl::eval(bl::flip(y, 0))) ==
             0);
  for (bl::index k = 0; k < count; ++k) {
    const auto one = bl::range(k, k + 1);
    BOOST_TEST(distance(bl::eval(bl::einsum<"nij,nj->ni">(bl::slice(a, one), bl::slice(x, one))),
                        bl::eval(bl::slice(y, one))) == 0);
  }
}

template <class T>
void check_determinants(bl::index count, bl::index n) {
  auto a = random<T>(3, count, n, n);
  for (bl::index j = 0; j < n; ++j) {
    a(count / 2, 1, j) = a(count / 2, 0, j);  // singular
    a(count - 1, 0, j) *= std::is_same_v<T, float> ? T(1e-30) : T(1e-250);
  }
  const bl::tensor d = bl::det(a);
  BOOST_TEST(d(count / 2) == 0);
  const auto [sign, log] = bl::slogdet(bl::cast<double>(a));
  BOOST_TEST(distance(d, bl::eval(sign * bl::exp(log))) <= 10 * tolerance<T>);
  const bl::dtensor<T, 3> turned = bl::transpose(a, 1, 2);
  BOOST_TEST(distance(bl::eval(bl::det(bl::transpose(turned, 1, 2))), d) == 0);
  for (bl::index k = 0; k < count; ++k) BOOST_TEST(bl::eval(bl::det(a(k))).item() == d(k));
  a(0, n - 1, 0) = std::numeric_limits<T>::quiet_NaN();
  BOOST_TEST(std::isnan(bl::eval(bl::det(a))(0)));
}

template <class T>
void check_symmetric(bl::index count, bl::index n) {
  auto half = random<T>(4, count, n, n);
  const T large = std::is_same_v<T, float> ? T(0x1p100) : T(0x1p900);
  for (bl::index i = 0; i < n; ++i)
    for (bl::index j = 0; j < n; ++j) {
      half(0, i, j) = T(i == j);       // nothing to turn
      half(count / 2, i, j) = T(1);    // eigenvalues 0, more than once
      half(count - 1, i, j) *= large;  // to be scaled
    }
  const bl::tensor a = half + bl::transpose(half, 1, 2);
  const auto [values, vectors] = bl::eigh(a);
  const bl::tensor scale = bl::max(bl::abs(a), bl::axes<1, 2>, bl::keepdim);
  const auto turned = bl::matmul(vectors * bl::unsqueeze(values, 1) / scale, bl::transpose(vectors, 1, 2));
  BOOST_TEST(distance(bl::eval(turned), bl::eval(a / scale)) <= 3 * static_cast<double>(n) * tolerance<T>);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::transpose(vectors, 1, 2), vectors)), bl::eye<T>(n)) <=
             3 * static_cast<double>(n) * tolerance<T>);
  for (bl::index k = 0; k < count; ++k)
    for (bl::index i = 1; i < n; ++i) BOOST_TEST(values(k, i - 1) <= values(k, i));
  // Of one triangle; the other one is not read.
  auto lower = bl::eval(bl::tril(a)), upper = bl::eval(bl::triu(a));
  const auto from_lower = bl::eigh(lower), from_upper = bl::eigh(upper, true);
  BOOST_TEST(distance(from_lower.vectors, vectors) == 0);
  const auto rotated = bl::range(0, count - 1);  // the last one is LAPACK's
  BOOST_TEST(distance(bl::eval(bl::slice(from_upper.values, rotated)), bl::eval(bl::slice(values, rotated))) == 0);
  for (bl::index k = 0; k < count; ++k) {
    const auto alone = bl::eigh(a(k));
    BOOST_TEST(distance(alone.values, bl::eval(values(k))) == 0);
    BOOST_TEST(distance(alone.vectors, bl::eval(vectors(k))) == 0);
  }
  lower(count / 2, n - 1, 0) = std::numeric_limits<T>::quiet_NaN();
  BOOST_TEST(thrown<bl::linalg_error>([&] {
               static_cast<void>(bl::eigh(lower));
             }).rfind("linalg.eigh: (Batch element " + std::to_string(count / 2) + "): ", 0) == 0u);
}

template <class T>
void check_cross(bl::index count) {
  const auto x = random<T>(5, count, 3), y = random<T>(6, count, 3);
  const auto wide = random<T>(7, count, 5);
  const bl::tensor c = bl::cross(x, y);
  const bl::tensor inner = bl::cross(bl::slice(wide, bl::all, bl::range(1, 4)), bl::flip(y, 1));
  for (bl::index k = 0; k < count; ++k)
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      const double want = double(x(k, j)) * double(y(k, l)) - double(x(k, l)) * double(y(k, j));
      const double other = double(wide(k, 1 + j)) * double(y(k, 2 - l)) - double(wide(k, 1 + l)) * double(y(k, 2 - j));
      BOOST_TEST(std::abs(double(c(k, i)) - want) <= tolerance<T>);
      BOOST_TEST(std::abs(double(inner(k, i)) - other) <= tolerance<T>);
    }
}

template <class T>
void check() {
  at_each_level([] {
    for (const bl::index count : {1, 2, 5, 19}) {
      for (bl::index rows = 2; rows <= 8; ++rows)
        for (bl::index depth = 1; depth <= 8; ++depth) check_products<T>(count, rows, depth);
      check_cross<T>(count);
    }
    for (bl::index n = 2; n <= 6; ++n)
      for (const bl::index count : {5, 19}) {
        if (n <= 4) check_determinants<T>(count, n);
        check_symmetric<T>(count, n);
      }
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_run_kernels)

BOOST_AUTO_TEST_CASE(stacks_of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(stacks_of_f64) { check<double>(); }

// Groups with matrices that a quick look does not keep, among others: each determinant is that of its matrix alone.
template <class T, bl::index N>
void check_mixed_determinants() {
  constexpr bl::index count = 1500;
  const T huge = static_cast<T>(sizeof(T) == 4 ? 0x1p22 : 0x1p180);
  bl::dtensor<T, 3> a(count, N, N);
  for (bl::index k = 0; k < count; ++k)
    for (bl::index i = 0; i < N; ++i)
      for (bl::index j = 0; j < N; ++j) {
        const T x = static_cast<T>((k * 37 + i * 11 + j * 5 + i * j * 3) % 17) / 4 - (i == j ? 6 : 1);
        const T y = k % 97 == 50 && i > 0 ? static_cast<T>(j + 1) : x;  // equal rows
        a(k, i, j) = k % 211 == 7 ? x * huge : k % 331 == 9 ? x / huge : y;
      }
  const bl::tensor d = bl::det(a);
  bool same = true;
  for (bl::index k = 0; k < count; ++k) same = same && bl::eval(bl::det(a(k))).item() == d(k);
  BOOST_TEST(same);
  BOOST_TEST((N == 2 || d(50) == 0));
}
BOOST_AUTO_TEST_CASE(determinants_of_mixed_stacks) {
  check_mixed_determinants<float, 2>();
  check_mixed_determinants<float, 3>();
  check_mixed_determinants<float, 4>();
  check_mixed_determinants<double, 2>();
  check_mixed_determinants<double, 3>();
  check_mixed_determinants<double, 4>();
}

BOOST_AUTO_TEST_SUITE_END()
