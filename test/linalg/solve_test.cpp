// Systems of equations: the tables of the seed row by row, stacks against stacks, factors, least squares, refusals.
// Build: run-by-gcc
#include <broadloom/linalg/solve.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>

#include <string>

#include "matrices.hpp"

using matrices::distance;
using matrices::positive;
using matrices::random;

namespace {

template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

template <class T, class... N>
auto regular(int seed, N... n) {
  const auto a = random<T>(seed, n...);
  return bl::eval(a + bl::eye<T>(a.shape()[sizeof...(N) - 1]) * T(3));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_solve)

// A.shape, B.shape, shape of gesv[0], shape of gesv1[0]: the table of the seed.
BOOST_AUTO_TEST_CASE(the_table_of_gesv) {
  const bl::index m = 3;
  const auto a = regular<double>(1, m, m);
  // (m,m) (m): (m,1), (m)
  const auto v = random<double>(2, m);
  BOOST_TEST((bl::gesv(a, v).shape() == bl::dshape<2>(m, 1)));
  BOOST_TEST((bl::gesv1(a, v).shape() == bl::dshape<1>(m)));
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::gesv1(a, v))), v) <= 1e-14);
  // (m,m) (m,1): (m,1), and (m,1) if m = 1, otherwise an error (a vector of size 1, not m)
  BOOST_TEST((bl::gesv(a, random<double>(3, m, 1)).shape() == bl::dshape<2>(m, 1)));
  BOOST_CHECK_THROW(bl::gesv1(a, random<double>(3, m, 1)), bl::shape_error);
  BOOST_TEST((bl::gesv1(regular<double>(4, 1, 1), random<double>(5, 1, 1)).shape() == bl::dshape<2>(1, 1)));
  // (m,m) (m,k): (m,k), and (m,k) if m = k, otherwise an error
  BOOST_TEST((bl::gesv(a, random<double>(6, m, 2)).shape() == bl::dshape<2>(m, 2)));
  BOOST_CHECK_THROW(bl::gesv1(a, random<double>(6, m, 2)), bl::shape_error);
  const auto square = random<double>(7, m, m);
  BOOST_TEST((bl::gesv1(a, square).shape() == bl::dshape<2>(m, m)));
  // As a stack of vectors each row is a right side; as a matrix each column.
  BOOST_TEST(distance(bl::eval(bl::gesv1(a, square)), bl::eval(bl::gesv(a, square.T()).T())) <= 1e-14);
}

// The examples of the seed: no rank decides how b is read.
BOOST_AUTO_TEST_CASE(the_examples_of_solve) {
  const auto a = regular<double>(8, 2, 4, 5, 9, 6, 6);
  const auto shape_is = [](const auto& e, bl::index k) { return e.shape() == bl::dshape<6>(2, 4, 5, 9, 6, k); };
  BOOST_TEST(shape_is(bl::solve(a, random<double>(9, 6, 15)), 15));
  BOOST_TEST(shape_is(bl::solve(a, random<double>(10, 9, 6, 15)), 15));
  BOOST_TEST(shape_is(bl::solve(a, random<double>(11, 5, 9, 6, 15)), 15));
  BOOST_TEST(shape_is(bl::solve(a, random<double>(12, 4, 5, 9, 6, 15)), 15));
  const auto vectors = random<double>(13, 2, 4, 5, 9, 6);
  BOOST_TEST((bl::solve_vec(a, vectors).shape() == bl::dshape<5>(2, 4, 5, 9, 6)));
  BOOST_CHECK_THROW(bl::solve(a, vectors), bl::shape_error);
  const auto b = random<double>(11, 5, 9, 6, 15);
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::solve(a, b))), b) <= 1e-13);
  const bl::tensor x = bl::solve_vec(a, vectors);
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::unsqueeze(x, -1))), bl::unsqueeze(vectors, -1)) <= 1e-13);
  // (5,5,5) and (5,5): a matrix, for every matrix of the stack.
  const auto c = regular<double>(14, 5, 5, 5);
  BOOST_TEST((bl::solve(c, random<double>(15, 5, 5)).shape() == bl::dshape<3>(5, 5, 5)));
  BOOST_TEST((bl::solve(c, random<double>(15, 5)).shape() == bl::dshape<2>(5, 5)));
}

template <class T>
void check_residuals(double tolerance) {
  for (const bl::index n : {1, 2, 3, 4, 7, 8, 9, 30})
    for (const bl::index k : {1, 2, 20}) {
      const auto a = regular<T>(16, 3, 1, n, n);
      const auto b = random<T>(17, 2, n, k);
      const bl::tensor x = bl::solve(a, b);
      BOOST_TEST((x.shape() == bl::dshape<4>(3, 2, n, k)));
      BOOST_TEST(distance(bl::eval(bl::matmul(a, x)), b) <= tolerance);
    }
}
BOOST_AUTO_TEST_CASE(residuals_of_stacks) {
  check_residuals<double>(1e-13);
  check_residuals<float>(1e-4);
}

BOOST_AUTO_TEST_CASE(triangles) {
  const auto a = regular<double>(18, 2, 6, 6);
  const auto b = random<double>(19, 6, 3);
  bl::dtensor<double, 3> lower(a), unit(a);
  for (bl::index k = 0; k < 2; ++k)
    for (bl::index i = 0; i < 6; ++i)
      for (bl::index j = i; j < 6; ++j) {
        if (j > i) lower(k, i, j) = 0;
        unit(k, i, j) = i == j;
      }
  BOOST_TEST(distance(bl::eval(bl::matmul(lower, bl::solve_triangular(a, b, false))), b) <= 1e-14);
  BOOST_TEST(distance(bl::eval(bl::matmul(unit, bl::solve_triangular(a, b, false, true))), b) <= 1e-11);
  const auto upper = bl::transpose(lower, 1, 2);
  BOOST_TEST(distance(bl::eval(bl::matmul(upper, bl::solve_triangular(bl::transpose(a, 1, 2), b, true))), b) <= 1e-14);
  const auto c = random<double>(20, 2, 6);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::solve_triangular_right(a, c, false), lower)), c) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(solutions_from_factors) {
  const auto a = regular<double>(21, 4, 5, 5);
  const auto b = random<double>(22, 3, 1, 5, 2);
  const auto [lu, pivots] = bl::lu_factor(a);
  const bl::tensor x = bl::lu_solve(lu, pivots, b);
  BOOST_TEST((x.shape() == bl::dshape<4>(3, 4, 5, 2)));
  BOOST_TEST(distance(bl::eval(bl::matmul(a, x)), b) <= 1e-13);
  BOOST_TEST(distance(bl::eval(bl::btrisolve(b, lu, pivots)), x) == 0);
  const bl::dtensor<std::int32_t, 2> wrong(4, 5);
  BOOST_CHECK_THROW(bl::eval(bl::lu_solve(lu, wrong, b)), bl::index_error);
  const auto p = positive<double>(23, 4, 5);
  const bl::tensor l = bl::cholesky(p);
  BOOST_TEST(distance(bl::eval(bl::matmul(p, bl::cholesky_solve(b, l))), b) <= 1e-12);
  const bl::tensor u = bl::potrf(p);
  BOOST_TEST(distance(bl::eval(bl::matmul(p, bl::potrs(b, u))), b) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(least_squares) {
  // Normal equations hold at the minimum.
  const auto a = random<double>(24, 2, 9, 4);
  const auto b = random<double>(25, 9, 3);
  const bl::tensor x = bl::lstsq(a, b);
  BOOST_TEST((x.shape() == bl::dshape<3>(2, 4, 3)));
  const auto residual = bl::matmul(a, x) - b;
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::transpose(a, 1, 2), residual)), bl::zeros<double>(2, 4, 3)) <= 1e-13);
  // A wide matrix: solved exactly, by the shortest x, which is in the space of its rows.
  const auto w = random<double>(26, 3, 7);
  const auto c = random<double>(27, 3);
  const bl::tensor y = bl::lstsq(w, c);
  BOOST_TEST((y.shape() == bl::dshape<1>(7)));
  BOOST_TEST(distance(bl::eval(bl::mv(w, y)), c) <= 1e-14);
  const bl::tensor in_rows = bl::mv(w.T(), bl::solve(bl::mm(w, w.T()), c));
  BOOST_TEST(distance(y, in_rows) <= 1e-13);
  BOOST_TEST((bl::gels(w, c).shape() == bl::dshape<2>(7, 1)));
  BOOST_TEST((bl::lstsq_vec(a, random<double>(28, 2, 9)).shape() == bl::dshape<2>(2, 4)));
  // Of deficient rank.
  const auto ones = bl::ones<double>(3, 2);
  const bl::tensor z = bl::lstsq(ones, bl::ones<double>(3));
  BOOST_TEST((std::abs(z(0) - 0.5) <= 1e-15 && std::abs(z(1) - 0.5) <= 1e-15));
}

BOOST_AUTO_TEST_CASE(refusals) {
  auto a = bl::eval(bl::eye<double>(3) + bl::zeros<double>(4, 3, 3));
  a(2, 0, 0) = 0;
  const auto b = random<double>(29, 3, 1);
  const bl::dtensor<double, 2> before(b);
  BOOST_TEST(message([&] { bl::eval(bl::solve(a, b)); }) ==
             "linalg.solve: (Batch element 2): The solver failed because the input matrix is singular.");
  BOOST_TEST(message([&] { bl::eval(bl::solve(bl::slice(a, 2), b)); }) ==
             "linalg.solve: The solver failed because the input matrix is singular.");
  BOOST_TEST(distance(b, before) == 0);
  const bl::dtensor<double, 2> square(3, 3), tall(4, 2);
  BOOST_TEST(message([&] {
               bl::solve(square, tall);
             }).rfind("linalg.solve: Incompatible shapes of A and B for the equation AX = B (3x3 and 4x2)\n", 0) == 0u);
  BOOST_TEST(
      message([&] {
        bl::solve(a, random<double>(30, 5, 3, 2));
      }).rfind("The size of tensor a (4) must match the size of tensor b (5) at non-singleton dimension 0\n", 0) == 0u);
  const auto nan = bl::full<double>(bl::dshape<2>(9, 9), std::numeric_limits<double>::quiet_NaN());
  BOOST_TEST(std::isnan(bl::eval(bl::solve(nan, random<double>(31, 9)))(0)));
  BOOST_TEST(std::isnan(bl::eval(bl::lstsq(nan, random<double>(31, 9)))(0)));
}

// What failed has nothing written to its part of the output, whoever computes it: few elements where they stand, small
// matrices by the lane, larger ones by Eigen.
template <class Matrix, class Column>
void check_output_of_failures(const Matrix& zero) {
  const auto seven = [](const auto& x) { return distance(x, bl::full<double>(bl::shape<>{}, 7)) == 0; };
  auto out = bl::eval(zero + 7.0);
  BOOST_CHECK_THROW(out = bl::solve(zero, zero), bl::linalg_error);
  BOOST_TEST(seven(out));
  BOOST_CHECK_THROW(out = bl::inv(zero), bl::linalg_error);
  BOOST_TEST(seven(out));
  BOOST_CHECK_THROW(out = bl::cholesky(zero), bl::linalg_error);
  BOOST_TEST(seven(out));
  Column column = bl::eval(bl::slice(out, 0) * 1.0);
  BOOST_CHECK_THROW(column = bl::solve_vec(zero, column), bl::linalg_error);
  BOOST_TEST(seven(column));
}
BOOST_AUTO_TEST_CASE(what_fails_is_not_written) {
  check_output_of_failures<bl::tensor<double, bl::shape<3, 3>>, bl::tensor<double, bl::shape<3>>>(
      bl::tensor<double, bl::shape<3, 3>>{});
  for (const bl::index n : {3, 20}) {
    check_output_of_failures<bl::dtensor<double, 2>, bl::dtensor<double, 1>>(bl::zeros<double>(n, n));
    const auto good = regular<double>(32, 40, n, n);
    const auto b = random<double>(33, n, n);
    const bl::tensor want = bl::solve(good, b);
    auto bad = good;
    bl::slice(bad, 23) = 0.0;
    auto out = bl::eval(good * 0.0 + 7.0);
    BOOST_TEST(message([&] { out = bl::solve(bad, b); }) ==
               "linalg.solve: (Batch element 23): The solver failed because the input matrix is singular.");
    for (bl::index i = 0; i < 40; ++i) {
      const auto part = bl::slice(out, i);
      BOOST_TEST((distance(part, bl::full<double>(bl::shape<>{}, 7)) == 0 ||
                  (i != 23 && distance(part, bl::slice(want, i)) == 0)));
    }
  }
}

// Static sizes up to 8, in constant expressions.
constexpr bl::tensor<double, bl::shape<3, 3>> matrix{{0, 2, 1}, {1, 1, 0}, {4, 0, 2}};
constexpr bl::tensor<double, bl::shape<3>> right{4, 2, 8};
static_assert(bl::det(matrix)() == -8);
constexpr bool constant_solutions() {
  const auto near = [](double a, double b) { return (a < b ? b - a : a - b) <= 1e-14; };
  bl::tensor<double, bl::shape<3, 3>> inverse, one;
  bl::tensor<double, bl::shape<3>> x, y, back;
  x = bl::solve(matrix, right);
  y = bl::solve_vec(matrix, right);
  back = bl::matmul(matrix, x);
  inverse = bl::inv(matrix);
  one = bl::matmul(matrix, inverse);
  bool fine = bl::solve(matrix, right)(1) == x(1);
  for (int i = 0; i < 3; ++i) {
    fine = fine && near(back(i), right(i)) && y(i) == x(i);
    for (int j = 0; j < 3; ++j) fine = fine && near(one(i, j), i == j);
  }
  return fine;
}
static_assert(constant_solutions());
constexpr bl::tensor<float, bl::shape<2, 2, 2>> stack{{{2, 0}, {0, 4}}, {{0, 1}, {1, 0}}};
constexpr bool constant_stacks() {
  bl::tensor<float, bl::shape<2>> d;
  bl::tensor<float, bl::shape<2, 2, 2>> i;
  d = bl::det(stack);
  i = bl::inv(stack);
  return d(0) == 8 && d(1) == -1 && i(0, 1, 1) == 0.25f && i(1, 0, 1) == 1;
}
static_assert(constant_stacks());

BOOST_AUTO_TEST_CASE(constant_expressions_give_what_run_time_gives) {
  const bl::tensor x = bl::solve(matrix, right);
  constexpr double second = bl::solve(matrix, right)(1);
  BOOST_TEST(std::abs(x(1) - second) <= 1e-15);
  BOOST_TEST(std::abs(bl::eval(bl::det(matrix)).item() + 8) <= 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()
