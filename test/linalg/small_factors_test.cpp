// Determinants, inverses, solutions and Cholesky factors of static matrices, against exact values and the library's.
#include <broadloom/linalg/small_factors.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

#include "matrices.hpp"

namespace {

template <class T, int N>
using square = bl::tensor<T, bl::shape<N, N>>;

// Irregular numbers in (-1, 1), and a diagonal by which its inverse is small.
template <class T, int N>
square<T, N> regular(int seed) {
  square<T, N> a;
  for (bl::index i = 0; i < a.size(); ++i)
    a.data()[i] = static_cast<T>(matrices::noise(static_cast<std::uint64_t>(i + 977 * seed))) +
                  (i % (N + 1) == 0 ? static_cast<T>(N) : T(0));
  return a;
}
template <class T, class Shape>
bl::tensor<T, bl::dshape<Shape::axes_count>> dynamic(const bl::tensor<T, Shape>& x) {
  bl::tensor<T, bl::dshape<Shape::axes_count>> r{bl::dshape<Shape::axes_count>(x.shape())};
  for (bl::index i = 0; i < x.size(); ++i) r.data()[i] = x.data()[i];
  return r;
}

template <class T, int N>
void check_size() {
  const std::string what = std::to_string(N) + " x " + std::to_string(N);
  const double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
  for (int seed = 0; seed < 20; ++seed) {
    const auto a = regular<T, N>(seed), b = regular<T, N>(seed + 100);
    const auto da = dynamic(a), db = dynamic(b);
    const square<T, N> i = bl::inv(a), x = bl::solve(a, b);
    BOOST_TEST(matrices::distance(i, bl::eval(bl::inv(da))) <= 8 * eps, what << " inv");
    BOOST_TEST(matrices::distance(x, bl::eval(bl::solve(da, db))) <= 16 * eps, what << " solve");
    const double d = static_cast<double>(bl::det(a).item()), dd = static_cast<double>(bl::det(da).item());
    BOOST_TEST(std::abs(d - dd) <= 16 * eps * std::abs(dd), what << " det");
    // Positive definite.
    const square<T, N> s = bl::matmul(a, a.T());
    const auto ds = dynamic(s);
    const square<T, N> l = bl::cholesky(s), u = bl::cholesky(s, true);
    BOOST_TEST(matrices::distance(l, bl::eval(bl::cholesky(ds))) <= 8 * N * eps, what << " cholesky");
    BOOST_TEST(matrices::distance(u, bl::eval(bl::transpose(l))) == 0, what << " upper cholesky");
  }
}

// By the rule of Leibniz, in integers.
template <int N>
long exact(const int* a) {
  int order[N];
  for (int i = 0; i < N; ++i) order[i] = i;
  long sum = 0;
  for (;;) {
    long product = 1;
    for (int i = 0; i < N; ++i) {
      product *= a[i * N + order[i]];
      for (int j = 0; j < i; ++j)
        if (order[j] > order[i]) product = -product;
    }
    sum += product;
    int i = N - 2;
    while (i >= 0 && order[i] > order[i + 1]) --i;
    if (i < 0) return sum;
    int j = N - 1;
    while (order[j] < order[i]) --j;
    std::swap(order[i], order[j]);
    for (int p = i + 1, q = N - 1; p < q; ++p, --q) std::swap(order[p], order[q]);
  }
}
// Small integers, so that many are singular: the determinant is exact, and the inverse is refused just where it is 0.
template <class T, int N>
int check_integers(int count, int most) {
  int singular = 0, wrong = 0;
  for (int k = 0; k < count; ++k) {
    int a[N * N];
    square<T, N> x;
    for (int i = 0; i < N * N; ++i) {
      a[i] = static_cast<int>(std::lround(most * matrices::noise(static_cast<std::uint64_t>(k * N * N + i))));
      x.data()[i] = static_cast<T>(a[i]);
    }
    const long d = exact<N>(a);
    wrong += bl::det(x).item() != static_cast<T>(d);
    singular += d == 0;
    try {
      const square<T, N> inverse = bl::inv(x);
      wrong += d == 0 || !std::isfinite(inverse(0, 0));
    } catch (const bl::linalg_error&) {
      wrong += d != 0;
    }
  }
  BOOST_TEST(wrong == 0);
  return singular;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_small_factors)

BOOST_AUTO_TEST_CASE(are_the_librarys) {
  check_size<float, 1>();
  check_size<float, 2>();
  check_size<float, 3>();
  check_size<float, 4>();
  check_size<double, 3>();
  check_size<double, 4>();
  check_size<double, 5>();
  check_size<double, 8>();
}

BOOST_AUTO_TEST_CASE(integers_are_exact) {
  BOOST_TEST((check_integers<float, 2>(2000, 3)) > 100);
  BOOST_TEST((check_integers<double, 2>(2000, 9)) > 10);
  BOOST_TEST((check_integers<float, 3>(2000, 2)) > 50);
  BOOST_TEST((check_integers<double, 4>(2000, 1)) > 50);
}

// What would overflow or underflow in minors.
BOOST_AUTO_TEST_CASE(far_from_one) {
  const double tiny = 1e-200, huge = 1e300;
  const square<double, 3> a{{tiny, 0, 0}, {0, tiny, 0}, {0, 0, huge}}, b{{huge, 0, 0}, {0, tiny, 0}, {0, 0, tiny}};
  BOOST_TEST(std::abs(bl::det(b).item() / 1e-100 - 1) < 1e-14);
  const square<double, 3> i = bl::inv(a), j = bl::inv(b);
  BOOST_TEST(std::abs(i(2, 2) / 1e-300 - 1) < 1e-14);
  BOOST_TEST(std::abs(j(0, 0) / 1e-300 - 1) < 1e-14);
  BOOST_TEST(i(0, 0) == 1 / tiny);
  const square<double, 2> same{{1e200, 1e200}, {1e200, 1e200}};
  BOOST_TEST(bl::det(same).item() == 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(std::isnan(bl::det(square<double, 3>{{1, 2, 3}, {4, nan, 6}, {7, 8, 10}}).item()));
  BOOST_CHECK_THROW(bl::eval(bl::cholesky(square<double, 2>{{1, 2}, {2, 1}})), bl::linalg_error);
}

// The compiler's values are those of the run.
constexpr square<float, 3> matrix{{4, 1, 0.3f}, {1, 3, 0.7f}, {0.3f, 0.7f, 5}};
constexpr square<double, 4> wide{{4, 1, 0.3, 0.1}, {1, 3, 0.7, 0.2}, {0.3, 0.7, 5, 0.6}, {0.1, 0.2, 0.6, 2}};
constexpr bl::tensor<float, bl::shape<3>> vector{1, 0.1f, 3};
template <class M>
constexpr auto results(const M& m) {
  struct {
    M inverse, factor, product, solution;
    typename M::value_type determinant;
  } r{};
  r.inverse = bl::inv(m);
  r.factor = bl::cholesky(m);
  r.product = bl::matmul(m, m) + m;
  r.solution = bl::solve(m, m + 0.1f);
  bl::tensor<typename M::value_type, bl::shape<>> d = bl::det(m) * 0.1f;
  r.determinant = d();
  return r;
}
template <class M>
void check_constants(const M& m, const decltype(results(m))& early) {
  const auto now = results(m);
  BOOST_TEST(matrices::distance(now.inverse, early.inverse) == 0);
  BOOST_TEST(matrices::distance(now.factor, early.factor) == 0);
  BOOST_TEST(matrices::distance(now.product, early.product) == 0);
  BOOST_TEST(matrices::distance(now.solution, early.solution) == 0);
  BOOST_TEST(now.determinant == early.determinant);
}
BOOST_AUTO_TEST_CASE(constants_are_what_the_run_gives) {
  constexpr auto of_matrix = results(matrix);
  constexpr auto of_wide = results(wide);
  check_constants(matrix, of_matrix);
  check_constants(wide, of_wide);
  constexpr float early = bl::dot(vector, bl::cross(vector, bl::matmul(matrix, vector) + vector)).item();
  BOOST_TEST(early == bl::dot(vector, bl::cross(vector, bl::matmul(matrix, vector) + vector)).item());
}

// Parts of trees, and what is written to what it reads.
BOOST_AUTO_TEST_CASE(parts_of_trees) {
  const auto a = regular<float, 3>(1), b = regular<float, 3>(2);
  const square<float, 3> i = bl::inv(a), want = i * 2.f + b;
  square<float, 3> c = bl::inv(a) * 2.f + b;
  BOOST_TEST(matrices::distance(c, want) == 0);
  c = a;
  c = bl::inv(c) * 2.f + b;
  BOOST_TEST(matrices::distance(c, want) == 0);
  const square<float, 3> x = bl::solve(a, b - a), y = bl::solve(a, bl::eval(b - a));
  BOOST_TEST(matrices::distance(x, y) == 0);
  // As an operand of arrays of other sizes.
  const bl::dtensor<float, 3> many = matrices::random<float>(3, 5, 3, 3), sums = many + bl::inv(a);
  BOOST_TEST(matrices::distance(sums, bl::eval(many + i)) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
