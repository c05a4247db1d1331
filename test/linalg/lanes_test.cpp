// Stacks of small matrices, computed by the lane, at every instruction-set level: against the factorisation of one
// matrix after the other, for every size, any strides, stacks that broadcast and that do not fill their last vector.
#include <broadloom/linalg/solve.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

#include "matrices.hpp"
#include "thrown.hpp"

using matrices::distance;
using matrices::positive;
using matrices::random;

namespace {

// f at every level this processor has.
template <class F>
void at_each_level(F f) {
  const bl::isa before = bl::set_isa(bl::isa::v4);
  for (const bl::isa level : bl::runtime::every_isa)
    if (bl::set_isa(level) == level) f();
  bl::set_isa(before);
}
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 3e-4 : 1e-12;

template <class T>
void check_solutions(bl::index count, bl::index n) {
  // The largest elements of a column are wherever chance has them, so lanes exchange different rows.
  const auto a = random<T>(1, count, n, n);
  const auto [lu, pivots] = bl::lu_factor(a);
  for (const bl::index cols : {1, 3, 8}) {
    const auto b = random<T>(2, count, n, cols);
    const bl::tensor want = bl::lu_solve(lu, pivots, b);
    const double scale = distance(want, bl::zeros<T>(1));
    BOOST_TEST(distance(bl::eval(bl::solve(a, b)), want) <= tolerance<T> * scale * scale);
    // The same matrices by columns, and right sides with elements far apart.
    const bl::dtensor<T, 3> at = bl::transpose(a, 1, 2), bt = bl::transpose(b, 1, 2);
    BOOST_TEST(distance(bl::eval(bl::solve(bl::transpose(at, 1, 2), bl::transpose(bt, 1, 2))),
                        bl::eval(bl::solve(a, b))) == 0);
  }
  const bl::tensor inverse = bl::inv(a);
  const double large = distance(inverse, bl::zeros<T>(1));
  BOOST_TEST(distance(bl::eval(bl::matmul(a, inverse)), bl::eye<T>(n)) <= tolerance<T> * large * large);
  const bl::tensor d = bl::det(a);
  for (bl::index k = 0; k < count; ++k) {
    double product = 1;
    for (bl::index i = 0; i < n; ++i)
      product *= (pivots(k, i) == i + 1 ? 1.0 : -1.0) * static_cast<double>(lu(k, i, i));
    BOOST_TEST(std::abs(static_cast<double>(d(k)) - product) <= tolerance<T>);
  }
}

template <class T>
void check_positive_definite(bl::index count, bl::index n) {
  const auto a = positive<T>(3, count, n);
  const auto b = random<T>(4, n, 2);
  for (const bool upper : {false, true}) {
    const bl::tensor f = bl::cholesky(a, upper);
    const bl::tensor product =
        upper ? bl::eval(bl::matmul(bl::transpose(f, 1, 2), f)) : bl::eval(bl::matmul(f, bl::transpose(f, 1, 2)));
    BOOST_TEST(distance(product, a) <= tolerance<T> * static_cast<double>(n));
    for (bl::index i = 0; i < n; ++i)
      for (bl::index j = 0; j < i; ++j) BOOST_TEST((upper ? f(count - 1, i, j) : f(count - 1, j, i)) == 0);
    BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::cholesky_solve(b, f, upper))), b) <=
               tolerance<T> * static_cast<double>(n));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_lanes)

BOOST_AUTO_TEST_CASE(solutions_inverses_and_determinants) {
  at_each_level([] {
    for (bl::index n = 1; n <= 8; ++n)
      for (const bl::index count : {1, 7, 33}) {
        check_solutions<float>(count, n);
        check_solutions<double>(count, n);
      }
  });
}

BOOST_AUTO_TEST_CASE(cholesky_factors_and_solutions) {
  at_each_level([] {
    for (const bl::index n : {1, 2, 5, 8, 16})
      for (const bl::index count : {1, 19}) {
        check_positive_definite<float>(count, n);
        check_positive_definite<double>(count, n);
      }
  });
}

BOOST_AUTO_TEST_CASE(stacks_that_broadcast) {
  at_each_level([] {
    const auto a = bl::eval(random<double>(5, 5, 1, 3, 3) + bl::eye<double>(3) * 2.0);
    const auto b = random<double>(6, 7, 3, 2);
    const bl::tensor x = bl::solve(a, b);
    for (bl::index i = 0; i < 5; ++i)
      for (bl::index j = 0; j < 7; ++j)
        BOOST_TEST(distance(bl::slice(x, i, j), bl::eval(bl::solve(bl::slice(a, i, 0), bl::slice(b, j)))) == 0);
    const auto v = random<double>(7, 5, 7, 3);
    const bl::tensor y = bl::solve_vec(a, v);
    BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::unsqueeze(y, -1))), bl::unsqueeze(v, -1)) <= 1e-13);
    // Backwards, and every other one.
    const auto some = bl::slice(bl::flip(a, 0), bl::range(0, bl::end, 2));
    const bl::dtensor<double, 4> own = some;
    BOOST_TEST(distance(bl::eval(bl::inv(some)), bl::eval(bl::inv(own))) == 0);
  });
}

BOOST_AUTO_TEST_CASE(the_first_bad_matrix_is_named) {
  at_each_level([] {
    auto a = bl::eval(random<float>(8, 50, 4, 4) + bl::eye<float>(4) * 3.0f);
    for (const bl::index bad : {41, 18, 49})
      for (bl::index j = 0; j < 4; ++j) a(bad, 2, j) = a(bad, 1, j);
    const auto b = random<float>(9, 50, 4);
    const bl::dtensor<float, 3> before(a);
    BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::solve_vec(a, b)); }) ==
               "solve_vec: (Batch element 18): The solver failed because the input matrix is singular.");
    BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::inv(a)); }) ==
               "linalg.inv: (Batch element 18): The diagonal element 4 is zero, the inversion could not be completed "
               "because the input matrix is singular.");
    BOOST_TEST(bl::eval(bl::det(a))(41) == 0);
    BOOST_TEST(distance(a, before) == 0);
    auto p = positive<double>(10, 21, 6);
    p(20, 3, 3) = -1;
    BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::cholesky(p)); })
                   .rfind("linalg.cholesky: (Batch element 20): The factorization could not be completed because the "
                          "input is not positive-definite (the leading minor of order 4",
                          0) == 0u);
    p(20, 3, 3) = 0;
    BOOST_TEST(thrown<bl::linalg_error>([&] { bl::eval(bl::cholesky(bl::slice(p, 20), true)); }).find("order 4") !=
               std::string::npos);
    // NaN stays in its own lane.
    auto c = bl::eval(random<double>(11, 9, 3, 3) + bl::eye<double>(3) * 3.0);
    const bl::tensor clean = bl::inv(c);
    c(4, 1, 1) = std::numeric_limits<double>::quiet_NaN();
    const bl::tensor r = bl::inv(c);
    BOOST_TEST(std::isnan(r(4, 0, 0)));
    for (const bl::index k : {3, 5}) BOOST_TEST(distance(bl::slice(r, k), bl::slice(clean, k)) == 0);
  });
}

BOOST_AUTO_TEST_CASE(products_of_every_small_size) {
  at_each_level([] {
    for (const bl::index m : {2, 3, 8})
      for (bl::index k = 1; k <= 8; ++k)
        for (bl::index n = 2; n <= 8; ++n) {
          const auto a = random<float>(12, 6, m, k), b = random<float>(13, 6, k, n);
          const bl::tensor c = bl::matmul(a, b);
          const bl::tensor by_columns =
              bl::matmul(bl::transpose(bl::eval(bl::transpose(a, 1, 2)), 1, 2), bl::flip(bl::eval(bl::flip(b, 0)), 0));
          for (bl::index i = 0; i < 6; ++i) {
            const auto want = matrices::product(bl::slice(a, i), bl::slice(b, i));
            BOOST_TEST(distance(bl::slice(c, i), want) <= 1e-6);
            BOOST_TEST(distance(bl::slice(by_columns, i), want) <= 1e-6);
          }
        }
  });
}

// A million: one right side for all, and one for each.
BOOST_AUTO_TEST_CASE(a_million_products) {
  const bl::index count = 1000003;
  const auto a = random<float>(14, count, 3, 3);
  const auto one = random<float>(15, 3, 3);
  const bl::tensor shared = bl::matmul(a, one);
  const bl::tensor each = bl::matmul(a, bl::flip(a, 0));
  bool near = true;
  for (bl::index i = 0; i < count; ++i) {  // elements by index would be looked up one by one
    const float *from = a.data() + 9 * i, *other = a.data() + 9 * (count - 1 - i);
    for (bl::index r = 0; r < 3; ++r)
      for (bl::index c = 0; c < 3; ++c) {
        float x = 0, y = 0;
        for (bl::index k = 0; k < 3; ++k) {
          x += from[3 * r + k] * one.data()[3 * k + c];
          y += from[3 * r + k] * other[3 * k + c];
        }
        for (const float d : {x - shared.data()[9 * i + 3 * r + c], y - each.data()[9 * i + 3 * r + c]})
          near = near && std::abs(d) <= 1e-6F;
      }
  }
  BOOST_TEST(near);
  const bl::tensor again = bl::matmul(a, a);
  for (const bl::index i : {bl::index{0}, bl::index{777}, count - 2, count - 1})
    BOOST_TEST(distance(bl::slice(again, i), matrices::product(bl::slice(a, i), bl::slice(a, i))) <= 1e-6);
}

// Outputs begin anywhere in a line of the cache.
BOOST_AUTO_TEST_CASE(products_are_the_same_wherever_they_are_written) {
  const auto a = random<float>(41, 300, 2, 2);
  const auto b = random<float>(42, 2, 2);
  const auto c = random<double>(43, 300, 1, 4);
  const auto d = random<double>(44, 4, 4);
  const bl::tensor ab = bl::matmul(a, b);
  const bl::tensor cd = bl::matmul(c, d);
  for (bl::index at : {1, 2, 3}) {
    bl::dtensor<float, 3> to(304, 2, 2);
    bl::dtensor<double, 3> into(304, 1, 4);
    to(bl::range(at, at + 300)) = bl::matmul(a, b);
    into(bl::range(at, at + 300)) = bl::matmul(c, d);
    BOOST_TEST(distance(to(bl::range(at, at + 300)), ab) == 0);
    BOOST_TEST(distance(into(bl::range(at, at + 300)), cd) == 0);
    BOOST_TEST(
        (to(at - 1, 1, 1) == 0 && to(at + 300, 0, 0) == 0 && into(at - 1, 0, 3) == 0 && into(at + 300, 0, 0) == 0));
  }
}

// Sizes that the compiler knows, written out where they stand: against those it does not know, also where an operand is
// a view and where the output is an operand.
template <class T, int M, int K, int N>
void check_few() {
  const auto x = random<T>(31, M, K), y = random<T>(32, K, N), turned = bl::eval(bl::transpose(y));
  bl::tensor<T, bl::shape<M, K>> a(x);
  bl::tensor<T, bl::shape<K, N>> b(y);
  bl::tensor<T, bl::shape<N, K>> bt(turned);
  bl::tensor<T, bl::shape<M, N>> c;
  const bl::tensor want = bl::matmul(x, y);
  const double near = std::is_same_v<T, float> ? 1e-5 : 1e-14;
  c = bl::matmul(a, b);
  const auto first = c;
  BOOST_TEST(distance(c, want) <= near, M << ", " << K << ", " << N);
  c = bl::mm(a, bt.T());
  BOOST_TEST(distance(c, first) == 0);
  bl::tensor<T, bl::shape<N, M>> ct;
  ct.T() = bl::matmul(a, b);
  BOOST_TEST(distance(bl::transpose(ct), first) == 0);
  bl::tensor<T, bl::shape<M>> column;
  bl::tensor<T, bl::shape<K>> v(bl::slice(y, bl::all, 0));
  column = bl::matmul(a, v);
  BOOST_TEST(distance(column, bl::slice(first, bl::all, 0)) == 0);
  bl::tensor<T, bl::shape<N>> row;
  bl::tensor<T, bl::shape<K>> u(bl::slice(x, 0));
  row = bl::matmul(u, b);
  BOOST_TEST(distance(row, bl::slice(first, 0)) == 0);
  if constexpr (K == N) {
    auto own = a;
    own = bl::matmul(own, b);
    BOOST_TEST(distance(own, first) == 0);
    bl::tensor<T, bl::shape<2 * M, K>> tall;
    tall(bl::range(0, M)) = a;
    bl::slice(tall, boost::hana::integral_constant<bl::index, 0>{}) = bl::matmul(u, b);
    BOOST_TEST(distance(bl::slice(tall, 0), row) <= near);
  }
  if constexpr (M == K) {
    auto right = b, again = b;
    right = bl::solve(a, b);
    const bl::tensor solution = bl::solve(x, y);
    const double scale = distance(solution, bl::zeros<T>(1)) + 1;
    BOOST_TEST(distance(right, solution) <= 100 * near * scale * scale, M << ", " << N);
    again = bl::solve(a, again);
    BOOST_TEST(distance(again, right) == 0);
    v = bl::solve_vec(a, v);
    BOOST_TEST(distance(v, bl::slice(right, bl::all, 0)) == 0);
    a = T(0);
    a(0, 0) = T(1);
    if constexpr (M > 1)
      BOOST_TEST(thrown<bl::linalg_error>([&] { right = bl::solve(a, b); }) ==
                 "linalg.solve: The solver failed because the input matrix is singular.");
  }
}
BOOST_AUTO_TEST_CASE(static_sizes_are_computed_where_they_stand) {
  check_few<double, 1, 1, 1>();
  check_few<float, 2, 2, 2>();
  check_few<float, 3, 3, 3>();
  check_few<double, 4, 4, 4>();
  check_few<float, 5, 7, 6>();
  check_few<double, 7, 7, 3>();
  check_few<float, 8, 8, 8>();
}

BOOST_AUTO_TEST_SUITE_END()
