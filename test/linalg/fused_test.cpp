// Fused products: what the addend may be, beta and alpha at their edges, and the forms in place.
#include <broadloom/linalg/fused.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>

#include <string>
#include <type_traits>

#include "matrices.hpp"

using matrices::distance;
using matrices::random;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const bl::shape_error& e) {
    const std::string what = e.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_fused)

// The table of the seed: each fused function is its unfused equivalent, c broadcast to its size.
BOOST_AUTO_TEST_CASE(each_is_its_unfused_equivalent) {
  const bl::index n = 4, m = 5, p = 3, b = 2;
  const auto A = random<double>(1, n, m), B = random<double>(2, m, p);
  const auto x = random<double>(3, m), u = random<double>(4, n), v = random<double>(5, m);
  const auto SA = random<double>(6, b, n, m), SB = random<double>(7, b, m, p);
  const auto check = [](const auto& e, const auto& want) {
    BOOST_TEST(distance(bl::eval(e), bl::eval(want)) <= 1e-14);
  };
  const auto with = [&](const auto& c) {
    check(bl::addmm(c, A, B), bl::add(c, bl::mm(A, B)));
    check(bl::addmm(c, A, B, 0.5, -2), 0.5 * c - 2.0 * bl::mm(A, B));
    check(bl::baddbmm(c, SA, SB), bl::add(c, bl::bmm(SA, SB)));
    check(bl::baddbmm(c, SA, SB, 3, 0.25), 3.0 * c + 0.25 * bl::bmm(SA, SB));
    check(bl::addbmm(c, SA, SB), bl::add(c, bl::sum(bl::bmm(SA, SB), bl::axes<0>)));
  };
  with(random<double>(8, n, p));
  with(random<double>(9, p));
  with(random<double>(10, n, 1));
  with(random<double>(11, 1, 1));
  with(bl::full<double>(bl::shape<>{}, 1.5));
  check(bl::baddbmm(random<double>(12, b, n, p), SA, SB), bl::add(random<double>(12, b, n, p), bl::bmm(SA, SB)));
  check(bl::addmv(u, A, x), bl::add(u, bl::mv(A, x)));
  check(bl::addmv(random<double>(13, 1), A, x, 2, 3), 2.0 * random<double>(13, 1) + 3.0 * bl::mv(A, x));
  check(bl::addr(random<double>(14, n, m), u, v), bl::add(random<double>(14, n, m), bl::ger(u, v)));
  check(bl::addr(random<double>(15, m), u, v, 2, 0.5), 2.0 * random<double>(15, m) + 0.5 * bl::ger(u, v));
}

// Integers wrap around, whatever c expands from, and in place.
template <class T>
void check_addr_of_integers() {
  const auto number = [](bl::index i) {
    const auto at = static_cast<std::uint64_t>(i + 1000 * static_cast<int>(sizeof(T)));
    return static_cast<T>(static_cast<std::int64_t>(1e9 * matrices::noise(at)));
  };
  for (const bl::index n : {1, 4, 37})
    for (const bl::index m : {1, 3, 65}) {
      bl::dtensor<T, 1> u(n), v(m);
      for (bl::index i = 0; i < n; ++i) u(i) = number(i);
      for (bl::index i = 0; i < m; ++i) v(i) = number(100 + i);
      for (const bl::index rows : {bl::index{1}, n})
        for (const bl::index columns : {bl::index{1}, m})
          for (const int beta : {0, 1, 3})
            for (const int alpha : {0, 1, std::is_signed_v<T> ? -2 : 2}) {
              bl::dtensor<T, 2> c(rows, columns), expected(n, m);
              for (bl::index i = 0; i < rows; ++i)
                for (bl::index j = 0; j < columns; ++j) c(i, j) = number(200 + i * columns + j);
              for (bl::index i = 0; i < n; ++i)
                for (bl::index j = 0; j < m; ++j) {
                  const auto wide = [](auto x) { return static_cast<std::uint64_t>(x); };
                  const T addend = c(rows == 1 ? 0 : i, columns == 1 ? 0 : j);
                  expected(i, j) = static_cast<T>(wide(beta) * wide(addend) + wide(alpha) * wide(u(i)) * wide(v(j)));
                }
              const bl::dtensor<T, 2> found(bl::addr(c, u, v, beta, alpha));
              BOOST_TEST(bl::all(found == expected).item());
              if (rows != n || columns != m) continue;
              bl::addr_(c, u, v, beta, alpha);
              BOOST_TEST(bl::all(c == expected).item());
            }
    }
}
BOOST_AUTO_TEST_CASE(addr_of_integers) {
  check_addr_of_integers<std::uint8_t>();
  check_addr_of_integers<std::int16_t>();
  check_addr_of_integers<std::int32_t>();
  check_addr_of_integers<std::int64_t>();
}

BOOST_AUTO_TEST_CASE(beta_0_does_not_read_c) {
  const auto a = random<double>(16, 3, 4), b = random<double>(17, 4, 5);
  const auto c = bl::full<double>(bl::dshape<2>(3, 5), not_a_number);
  BOOST_TEST(distance(bl::eval(bl::addmm(c, a, b, 0, 1)), bl::eval(bl::mm(a, b))) <= 1e-15);
  BOOST_TEST(std::isnan(bl::eval(bl::addmm(c, a, b))(0, 0)));
}

BOOST_AUTO_TEST_CASE(alpha_0_does_not_read_the_factors) {
  const auto a = bl::full<double>(bl::dshape<2>(3, 4), not_a_number), b = random<double>(18, 4, 5);
  const auto c = random<double>(19, 3, 5);
  BOOST_TEST(distance(bl::eval(bl::addmm(c, a, b, 2, 0)), bl::eval(2.0 * c)) == 0);
  BOOST_TEST(distance(bl::eval(bl::addmm(c, a, b, 0, 0)), bl::zeros<double>(3, 5)) == 0);
}

BOOST_AUTO_TEST_CASE(an_empty_inner_size_gives_beta_c) {
  const auto c = random<double>(20, 3, 5);
  BOOST_TEST(distance(bl::eval(bl::addmm(c, bl::zeros<double>(3, 0), bl::zeros<double>(0, 5), 0.5, 7)),
                      bl::eval(0.5 * c)) == 0);
  BOOST_TEST(distance(bl::eval(bl::addbmm(c, bl::zeros<double>(0, 3, 4), bl::zeros<double>(0, 4, 5), 0.5, 7)),
                      bl::eval(0.5 * c)) == 0);
}

BOOST_AUTO_TEST_CASE(large_products_add_up_too) {
  const auto a = random<float>(21, 210, 530), b = random<float>(22, 530, 140);
  const auto c = random<float>(23, 140);
  const auto want = bl::eval(bl::cast<double>(c) - 0.5 * matrices::product(a, b));
  BOOST_TEST(distance(bl::eval(bl::addmm(c, a, b, 1, -0.5)), want) <= 1e-4);
}

// Rows computed where they are read, and blocks of c written where they are added to, have the bits of the whole; c may
// be the output, lie across it, or be a tree.
BOOST_AUTO_TEST_CASE(rows_and_blocks_have_the_bits_of_the_whole) {
  for (const bl::index m : {390, 777})
    for (const bl::index n : {13, 530}) {
      const auto a = random<float>(51, m, 70), b = random<float>(52, 70, n);
      const auto c = random<float>(53, n);
      const bl::tensor p = bl::mm(a, b);
      bl::dtensor<float, 2> want = bl::expand(c, p.shape()) * 1.f;
      bl::addmm_(want, a, b, 1, -1);
      for (int threads : {1, 2, 3}) {
        const auto how = bl::par.threads(threads);
        BOOST_TEST(distance(bl::eval(bl::addmm(c, a, b, 1, -1), how), want) == 0);
        BOOST_TEST(distance(bl::eval(bl::relu(bl::addmm(c, a, b, 1, -1)) + 1.f, how), bl::eval(bl::relu(want) + 1.f)) ==
                   0);
        BOOST_TEST(distance(bl::eval(bl::addmm(c * 2.f, a, b, 0.5, -1), how), want) == 0);
      }
      BOOST_TEST(distance(want, bl::eval(c - p)) <= 1e-5);
    }
  const auto a = random<double>(54, 401, 30), b = random<double>(55, 30, 401), c = random<double>(56, 401, 401);
  const bl::tensor want = bl::addmm(bl::eval(c.T() * 1.), a, b, 2);
  auto x = bl::eval(c * 1.), y = x, z = x, w = x;
  x = bl::addmm(x.T(), a, b, 2);
  BOOST_TEST(distance(x, want) == 0);
  y = bl::relu(bl::addmm(y.T(), a, b, 2));
  BOOST_TEST(distance(y, bl::eval(bl::relu(want))) == 0);
  z.T() = bl::relu(bl::addmm(bl::transpose(z), a, b, 2));
  BOOST_TEST(distance(z.T(), bl::eval(bl::relu(want))) == 0);
  w = bl::relu(bl::addmm(w, w, w, 0, 1));
  BOOST_TEST(distance(w, bl::eval(bl::relu(bl::mm(c, c)))) <= matrices::other_order());
}

// The same of stacks, sums of stacks, vectors and outer products.
BOOST_AUTO_TEST_CASE(matrices_of_stacks_and_parts_of_sums_have_the_bits_of_the_whole) {
  const auto parts_are_the_whole = [](const auto& whole, const auto& sum, const auto& of_a_tree) {
    const auto lazy = bl::eval(whole);
    const auto again = bl::eval(bl::relu(whole) + 1.f);
    BOOST_TEST(distance(bl::eval(bl::relu(lazy) + 1.f), again) == 0);
    BOOST_TEST(distance(bl::eval(bl::relu(of_a_tree) + 1.f), again) == 0);
    BOOST_TEST(distance(bl::eval(of_a_tree), lazy) == 0);
    BOOST_TEST(distance(lazy, sum) <= 2e-5);
    for (int threads : {1, 2, 3}) BOOST_TEST(distance(bl::eval(whole, bl::par.threads(threads)), lazy) == 0);
    auto out = bl::eval(0.f * whole);
    out = bl::relu(whole) + 1.f;
    BOOST_TEST(distance(out, again) == 0);
  };
  for (const bl::index count : {1, 3, 11})
    for (const bl::index m : {75, 390})
      for (const bl::index n : {13, 70}) {
        const auto a = random<float>(61, count, m, 40), b = random<float>(62, count, 40, n);
        const auto c = random<float>(63, n);
        const auto tall = random<float>(64, m, 1);
        const bl::tensor p = bl::bmm(a, b);
        const bl::tensor sum = bl::sum(p, bl::axes<0>);
        parts_are_the_whole(bl::baddbmm(c, a, b, 1, -1), bl::eval(c - p), bl::baddbmm(c, a * 1.f, b, 1, -1));
        parts_are_the_whole(bl::baddbmm(tall, a, b), bl::eval(tall + p), bl::baddbmm(tall * 0.5f, a * 1.f, b, 2));
        parts_are_the_whole(bl::addbmm(c, a, b, 1, -1), bl::eval(c - sum), bl::addbmm(c, a * 1.f, b, 1, -1));
        parts_are_the_whole(bl::bmm(a, b), p, bl::matmul(a * 1.f, b));
        // Operands without rows or columns in a piece, and one matrix for all.
        const auto across = bl::eval(bl::transpose(bl::flip(a, 1), 0, 1));
        const auto view = bl::flip(bl::transpose(across, 0, 1), 1);
        parts_are_the_whole(bl::addbmm(c, view, b, 0), sum, bl::addbmm(c, view, b, 0));
        const auto one = bl::expand(bl::slice(b, 0), bl::dshape<3>(count, 40, n));
        parts_are_the_whole(bl::baddbmm(tall, a, one), bl::eval(tall + bl::matmul(a, bl::slice(b, 0))),
                            bl::baddbmm(tall, a * 1.f, one));
      }
  const auto a = random<float>(65, 20001, 17);
  const auto y = random<float>(68, 50);
  const auto x = random<float>(66, 17), u = random<float>(67, 20001);
  parts_are_the_whole(bl::addmv(u, a, x, 1, 0.5), bl::eval(u + 0.5f * bl::mv(a, x)), bl::addmv(u, a * 1.f, x, 1, 0.5));
  // One row more than blocks of them, and columns of which the result shows nothing: of a matrix and of stacks.
  const auto tail = random<float>(71, 8193, 17);
  const auto part = bl::slice(u, bl::range(0, 8193));
  parts_are_the_whole(bl::addmv(part, tail, x), bl::eval(part + bl::mv(tail, x)), bl::addmv(part, tail * 1.f, x));
  parts_are_the_whole(bl::matmul(tail, x), bl::eval(bl::mv(tail, x)), bl::matmul(tail * 1.f, x));
  const auto long_rows = bl::from(a.data(), bl::dshape<3>(3, 6667, 17)),
             short_rows = bl::from(a.data(), bl::dshape<3>(6667, 3, 17));
  parts_are_the_whole(bl::matmul(long_rows, x), bl::eval(bl::sum(long_rows * x, bl::axes<2>)),
                      bl::matmul(long_rows * 1.f, x));
  parts_are_the_whole(bl::matmul(short_rows, x), bl::eval(bl::sum(short_rows * x, bl::axes<2>)),
                      bl::matmul(short_rows * 1.f, x));
  // One column for all matrices of a stack.
  const auto column = bl::expand(bl::slice(a, bl::range(0, 17), bl::range(0, 1)), bl::dshape<3>(6667, 17, 1));
  const auto first = bl::slice(y, bl::range(0, 1));
  parts_are_the_whole(bl::baddbmm(first, short_rows, column), bl::eval(first + bl::bmm(short_rows, column)),
                      bl::baddbmm(first, short_rows * 1.f, column));
  const auto z = random<float>(69, 777);
  parts_are_the_whole(bl::addr(y, z, y, 1, -1), bl::eval(y - bl::outer(z, y)), bl::addr(y, z * 1.f, y, 1, -1));
  const auto w = random<float>(70, 50, 50);
  const auto rows = bl::expand(y, bl::dshape<2>(777, 50));
  parts_are_the_whole(bl::addmm(y, rows, w), bl::eval(y + bl::mm(rows, w)), bl::addmm(y, rows, w));
}

BOOST_AUTO_TEST_CASE(integers) {
  const auto a = random<std::int32_t>(24, 3, 4), b = random<std::int32_t>(25, 4, 5);
  const auto c = random<std::int32_t>(26, 5);
  const bl::tensor r = bl::addmm(c, a, b, 3, -2);
  const auto p = matrices::product(a, b);
  for (bl::index i = 0; i < 3; ++i)
    for (bl::index j = 0; j < 5; ++j) BOOST_TEST(r(i, j) == 3 * c(j) - 2 * static_cast<std::int32_t>(p(i, j)));
}

BOOST_AUTO_TEST_CASE(in_place) {
  const auto a = random<double>(27, 4, 4), b = random<double>(28, 4, 4);
  auto c = random<double>(29, 4, 4);
  const bl::dtensor<double, 2> before(c);
  bl::addmm_(c, a, b, 2, 3);
  BOOST_TEST(distance(c, bl::eval(2.0 * before + 3.0 * matrices::product(a, b))) <= 1e-14);
  // The output among the factors, itself and in a tree.
  auto d = random<double>(30, 4, 4);
  const bl::dtensor<double, 2> old(d);
  bl::addmm_(d, d, b);
  BOOST_TEST(distance(d, bl::eval(old + matrices::product(old, b))) <= 1e-14);
  auto e = random<double>(30, 4, 4);
  bl::addmm_(e, e * 2.0, b, 0.5);
  BOOST_TEST(distance(e, bl::eval(0.5 * old + 2.0 * matrices::product(old, b))) <= 1e-14);
  auto f = random<double>(30, 4, 4);
  bl::addmm_(f, f.T(), b);
  BOOST_TEST(distance(f, bl::eval(old + matrices::product(old.T(), b))) <= 1e-14);
  auto v = random<double>(31, 4);
  const bl::dtensor<double, 1> w(v);
  bl::addmv_(v, a, v);
  BOOST_TEST(distance(v, bl::eval(w + bl::mv(a, w))) <= 1e-14);
  auto g = random<double>(32, 2, 4);
  auto stack = random<double>(33, 3, 2, 4);
  const auto sa = random<double>(34, 3, 2, 5), sb = random<double>(35, 3, 5, 4);
  const bl::dtensor<double, 2> g0(g);
  const bl::dtensor<double, 3> stack0(stack);
  bl::addbmm_(g, sa, sb);
  BOOST_TEST(distance(g, bl::eval(g0 + bl::sum(bl::bmm(sa, sb), bl::axes<0>))) <= 1e-14);
  bl::baddbmm_(stack, sa, sb);
  BOOST_TEST(distance(stack, bl::eval(stack0 + bl::bmm(sa, sb))) <= 1e-14);
  bl::addr_(g, random<double>(36, 2), random<double>(37, 4));

  double square[2][2] = {{1, 2}, {3, 4}}, sum[2][2] = {};  // containers have no shape() of their own
  bl::addmm_(sum, square, square);
  bl::matmul_(square, square);
  BOOST_TEST((sum[1][0] == 15.0 && square[1][0] == 15.0));
}

// Sums over more matrices than are multiplied together at a time, of one tile and of more, with the bits of the sum of
// each term over all matrices, one term after the other.
struct sizes {
  bl::index rows, terms, cols;
};
template <class T>
void check_many_small() {
  for (const bl::index n : {bl::index{9}, bl::index{384}, bl::index{1000}})
    for (const auto& [rows, terms, cols] : {sizes{4, 4, 4}, sizes{6, 3, 7}, sizes{2, 2, 16}, sizes{7, 2, 3}}) {
      const auto a = random<T>(70, n, rows, terms), b = random<T>(71, n, terms, cols);
      const auto c = random<T>(72, rows, cols);
      const auto columns = [](const auto& x, int i) { return bl::dtensor<T, 2>(bl::slice(x, bl::all, bl::all, i)); };
      const auto lines = [](const auto& x, int i) { return bl::dtensor<T, 2>(bl::slice(x, bl::all, i)); };
      bl::dtensor<T, 2> want = bl::eval(c * T(0.5));
      for (int i = 0; i < terms; ++i) bl::addmm_(want, columns(a, i).T(), lines(b, i), 1, -2);
      for (const int threads : {1, 3})
        BOOST_TEST(distance(bl::eval(bl::addbmm(c, a, b, 0.5, -2), bl::par.threads(threads)), want) <=
                   matrices::other_order());
    }
}
BOOST_AUTO_TEST_CASE(sums_of_many_small_products) {
  check_many_small<float>();
  check_many_small<double>();
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  const auto a = random<float>(38, 3, 4), b = random<float>(39, 4, 5);
  BOOST_TEST(message([&] { bl::addmm(random<float>(40, 3), a, b); }) ==
             "The expanded size of the tensor (5) must match the existing size (3) at non-singleton dimension 1.  "
             "Target sizes: "
             "[3, 5].  Tensor sizes: [3]");
  BOOST_TEST(message([&] { bl::addmm(random<float>(41, 3), a, random<float>(42, 5, 4)); }) ==
             "mat1 and mat2 shapes cannot be multiplied (3x4 and 5x4)");
  auto small = random<float>(43, 1, 5);
  BOOST_TEST(message([&] { bl::addmm_(small, a, b); }) ==
             "Bad in-place call: input tensor size [1, 5] and output tensor size [3, 5] should match");
  auto large = random<float>(43, 4, 5);
  BOOST_TEST(message([&] { bl::addmm_(large, a, b); }) ==
             "Bad in-place call: input tensor size [4, 5] and output tensor size [3, 5] should match");
  auto one = random<float>(44, 1, 4);
  BOOST_TEST(message([&] { bl::addr_(one, random<float>(45, 3), random<float>(46, 4)); }) ==
             "size mismatch, input: [1, 4], v1: [3], v2: [4]");
  auto sum = random<float>(47, 1, 5);
  BOOST_TEST(message([&] { bl::addbmm_(sum, random<float>(48, 2, 3, 4), random<float>(49, 2, 4, 5)); }) ==
             "output with shape [1, 5] doesn't match the broadcast shape [3, 5]");
}

BOOST_AUTO_TEST_SUITE_END()
