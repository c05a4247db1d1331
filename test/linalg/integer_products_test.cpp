// Products of integers modulo 2^bits against plain loops, at every instruction-set level: every type, all values, sizes
// around vectors, groups and panels, layouts, stacks, factors, what they are added to, threads.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "matrices.hpp"

namespace {

// Any bits of the type.
template <class T, class... N>
auto any_bits(int seed, N... n) {
  bl::dtensor<T, sizeof...(N)> t(static_cast<bl::index>(n)...);
  for (bl::index i = 0; i < t.size(); ++i)
    t.data()[i] = static_cast<T>(static_cast<std::int64_t>(
        9.2e18 * matrices::noise(static_cast<std::uint64_t>(i) + 7919 * static_cast<std::uint64_t>(seed))));
  return t;
}

// c + factor * a[i, k] b[k, j] by three loops.
template <class T, class A, class B>
bl::dtensor<T, 2> looped(const A& a, const B& b, T factor, T c) {
  const bl::index rows = a.shape()[0], terms = a.shape()[1], cols = b.shape()[1];
  bl::dtensor<T, 2> r(rows, cols);
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < cols; ++j) {
      std::uint64_t sum = 0;
      for (bl::index k = 0; k < terms; ++k)
        sum += static_cast<std::uint64_t>(a.data()[i * terms + k]) * static_cast<std::uint64_t>(b.data()[k * cols + j]);
      r.data()[i * cols + j] = static_cast<T>(static_cast<std::uint64_t>(factor) * sum + static_cast<std::uint64_t>(c));
    }
  return r;
}

struct at_each_level {
  bl::isa before = bl::runtime::active_isa();
  ~at_each_level() { bl::set_isa(before); }
  template <class F>
  void run(const F& f) const {
    for (const bl::isa level : bl::runtime::every_isa) {
      bl::set_isa(level);
      f(level);
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_integer_products)

using types = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                         std::uint32_t, std::uint64_t>;

BOOST_AUTO_TEST_CASE_TEMPLATE(stacks_of_small_ones, T, types) {
  int seed = 500;
  for (const bl::index m : {1, 3, 4, 8})
    for (const bl::index k : {1, 2, 4, 9})
      for (const bl::index n : {1, 2, 3, 4, 5, 6, 7, 8, 16}) {
        const auto a = any_bits<T>(++seed, 3, m, k), b = any_bits<T>(++seed, 3, k, n), c = any_bits<T>(++seed, 3, m, n);
        const bl::dtensor<T, 3> turned = bl::transpose(b, 1, 2);
        at_each_level().run([&](bl::isa level) {
          BOOST_TEST_CONTEXT("m " << m << " k " << k << " n " << n << " level " << static_cast<int>(level)) {
            const auto got = bl::eval(bl::bmm(a, b)), across = bl::eval(bl::bmm(a, bl::transpose(turned, 1, 2))),
                       added = bl::eval(bl::baddbmm(c, a, b));
            for (bl::index i = 0; i < 3; ++i) {
              const bl::dtensor<T, 2> x = bl::select(a, 0, i), y = bl::select(b, 0, i);
              const auto want = looped<T>(x, y, 1, 0);
              BOOST_TEST(bl::array_equal(bl::select(got, 0, i), want));
              BOOST_TEST(bl::array_equal(bl::select(across, 0, i), want));
              BOOST_TEST(bl::array_equal(bl::select(added, 0, i), bl::select(c, 0, i) + want));
            }
          }
        });
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lengths_of_dot_products, T, types) {
  int seed = 900;
  for (const bl::index n : {1, 15, 16, 17, 31, 63, 64, 65, 127, 128, 129, 191, 192, 300}) {
    const auto a = any_bits<T>(++seed, 1, n), b = any_bits<T>(++seed, n, 1);
    const T want = looped<T>(a, b, 1, 0)(0, 0);
    at_each_level().run([&](bl::isa level) {
      BOOST_TEST_CONTEXT("n " << n << " level " << static_cast<int>(level)) {
        BOOST_TEST((bl::dot(bl::flatten(a), bl::flatten(b)).item() == want));
        BOOST_TEST((bl::mm(a, b).item() == want));
      }
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sizes_and_layouts, T, types) {
  int seed = 0;
  for (const bl::index m : {1, 2, 4, 5, 9, 33})
    for (const bl::index k : {1, 2, 17, 70})
      for (const bl::index n : {1, 3, 8, 31, 64, 131}) {
        const auto a = any_bits<T>(++seed, m, k), b = any_bits<T>(++seed, k, n);
        const bl::dtensor<T, 2> at = a.T(), bt = b.T();
        const auto want = looped<T>(a, b, 1, 0);
        at_each_level().run([&](bl::isa level) {
          BOOST_TEST_CONTEXT("m " << m << " k " << k << " n " << n << " level " << static_cast<int>(level)) {
            BOOST_TEST(bl::array_equal(bl::mm(a, b), want));
            BOOST_TEST(bl::array_equal(bl::mm(at.T(), b), want));
            BOOST_TEST(bl::array_equal(bl::mm(a, bt.T()), want));
            BOOST_TEST(bl::array_equal(bl::einsum<"ik,kj->ji">(at.T(), bt.T()), want.T()));
            const T three = 3, minus = static_cast<T>(-5);
            const bl::dtensor<T, 2> added = bl::full<T>(bl::dshape<2>(m, n), three);
            BOOST_TEST(bl::array_equal(bl::addmm(added, a, b, T(1), minus), looped<T>(a, b, minus, three)));
            BOOST_TEST(bl::array_equal(bl::addmm(added, a, b), looped<T>(a, b, 1, three)));
          }
        });
      }
}

// Elements that are some apart, and in reverse.
BOOST_AUTO_TEST_CASE_TEMPLATE(strides, T, types) {
  const auto whole = any_bits<T>(1, 41, 80), other = any_bits<T>(2, 80, 90);
  const bl::dtensor<T, 2> a = whole(bl::range(40, -1, -2), bl::range(1, 80, 3)),
                          b = other(bl::range(1, 80, 3), bl::range(88, 0, -2));
  const auto want = looped<T>(a, b, 1, 0);
  at_each_level().run([&](bl::isa) {
    BOOST_TEST(bl::array_equal(
        bl::mm(whole(bl::range(40, -1, -2), bl::range(1, 80, 3)), other(bl::range(1, 80, 3), bl::range(88, 0, -2))),
        want));
    BOOST_TEST(bl::array_equal(bl::mv(whole(bl::all, bl::range(1, 80, 3)), other(bl::range(1, 80, 3), 5)),
                               bl::eval(bl::mm(bl::eval(whole(bl::all, bl::range(1, 80, 3))),
                                               bl::eval(other(bl::range(1, 80, 3), bl::range(5, 6)))))(bl::all, 0)));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stacks, T, types) {
  for (const bl::index n : {1, 2, 3, 4, 7, 20, 70}) {
    const auto a = any_bits<T>(3, 9, n, n), b = any_bits<T>(4, 9, n, n);
    at_each_level().run([&](bl::isa) {
      for (const int threads : {1, 2}) {
        const bl::tensor c = bl::eval(bl::matmul(a, b), bl::par.threads(threads));
        const bl::tensor one = bl::eval(bl::matmul(a, b(2)), bl::par.threads(threads));
        const bl::tensor dots = bl::vecdot(a, b);
        const bl::tensor sums = bl::einsum<"bik,bkj->ij">(a, b);
        bl::dtensor<T, 2> all = bl::zeros<T>(bl::dshape<2>(n, n));
        for (bl::index i = 0; i < 9; ++i) {
          const bl::dtensor<T, 2> x = a(i), y = b(i), z = b(2), yt = y.T();
          const auto product = looped<T>(x, y, 1, 0);
          BOOST_TEST(bl::array_equal(c(i), product));
          BOOST_TEST(bl::array_equal(one(i), looped<T>(x, z, 1, 0)));
          all = all + product;
          const auto squares = looped<T>(x, yt, 1, 0);
          for (bl::index r = 0; r < n; ++r) BOOST_TEST(static_cast<T>(dots(i, r)) == squares(r, r));
        }
        BOOST_TEST(bl::array_equal(sums, all));
      }
    });
  }
}

// A product that threads share: its columns are packed once.
BOOST_AUTO_TEST_CASE(large) {
  const auto a = any_bits<std::int32_t>(5, 150, 130), b = any_bits<std::int32_t>(6, 130, 170);
  const auto want = looped<std::int32_t>(a, b, 1, 0);
  at_each_level().run([&](bl::isa) {
    for (const int threads : {1, 2})
      BOOST_TEST(bl::array_equal(bl::eval(bl::mm(a, b), bl::par.threads(threads)), want));
  });
}

// No terms: zeros, or what they are added to.
BOOST_AUTO_TEST_CASE(no_terms) {
  const bl::dtensor<std::int32_t, 2> a(3, 0), b(0, 4);
  BOOST_TEST(bl::array_equal(bl::mm(a, b), bl::zeros<std::int32_t>(bl::dshape<2>(3, 4))));
  BOOST_TEST(bl::array_equal(bl::addmm(bl::full<std::int32_t>(bl::dshape<1>(4), 7), a, b),
                             bl::full<std::int32_t>(bl::dshape<2>(3, 4), 7)));
}

BOOST_AUTO_TEST_SUITE_END()
