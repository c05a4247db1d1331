// bl::reproducible: products add up in one order, whatever the layout, the slice, the function, the threads and the
// level. The sign of a sum that is zero.
#include <complex>

#include <broadloom/eval/policy.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstring>
#include <vector>

#include "matrices.hpp"

using matrices::random;

namespace {

template <class T>
bool same(const T& x, const T& y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}
template <class A, class B>
bool all_same(const A& a, const B& b) {
  if (!(a.shape() == b.shape())) return false;
  for (bl::index i = 0; i < a.size(); ++i)
    if (!same(a.data()[i], b.data()[i])) return false;
  return true;
}

// The order that the policy promises.
template <class T>
bl::dtensor<T, 2> by_hand(const bl::dtensor<T, 2>& a, const bl::dtensor<T, 2>& b) {
  const bl::index rows = a.shape()[0], depth = a.shape()[1], cols = b.shape()[1];
  bl::dtensor<T, 2> c(rows, cols);
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < cols; ++j) {
      volatile T sum = T(-0.0);
      for (bl::index k = 0; k < depth; ++k) {
        volatile T product = a.data()[i * depth + k] * b.data()[k * cols + j];
        sum = sum + product;
      }
      c.data()[i * cols + j] = sum;
    }
  return c;
}

// Other levels and schedulers, as they were when this ends.
struct machine {
  bl::isa level = bl::runtime::active_isa();
  bl::scheduler scheduler = bl::runtime::active_scheduler();
  ~machine() {
    bl::set_isa(level);
    bl::set_scheduler(scheduler);
  }
};

constexpr bl::policy fixed = bl::par | bl::reproducible;

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_ordered)

template <class T>
void check_sizes() {
  for (const auto& [m, k, n] : {std::array<bl::index, 3>{1, 1, 1},
                                {3, 4, 5},
                                {8, 8, 8},
                                {1, 300, 40},
                                {40, 300, 1},
                                {1, 1000, 1},
                                {97, 129, 33},
                                {200, 5, 3},
                                {5, 200, 130}}) {
    const auto a = random<T>(1, m, k);
    const auto b = random<T>(2, k, n);
    const auto wanted = by_hand(a, b);
    const bl::dtensor<T, 2> at = bl::eval(a.T()), bt = bl::eval(b.T());
    const auto wide_a = random<T>(3, 2 * m, 3 * k);
    bl::dtensor<T, 2> spread = wide_a;
    bl::slice(spread, bl::range(0, 2 * m, 2), bl::range(0, 3 * k, 3)) = a;
    const auto strided = bl::slice(spread, bl::range(0, 2 * m, 2), bl::range(0, 3 * k, 3));
    for (const int threads : {0, 1, 2, 3}) {
      const bl::policy how = fixed.threads(threads);
      BOOST_TEST(all_same(bl::dtensor<T, 2>(bl::eval(bl::matmul(a, b), how)), wanted));
      BOOST_TEST(all_same(bl::dtensor<T, 2>(bl::eval(bl::matmul(at.T(), bt.T()), how)), wanted));
      BOOST_TEST(all_same(bl::dtensor<T, 2>(bl::eval(bl::matmul(strided, bt.T()), how)), wanted));
      BOOST_TEST(all_same(bl::dtensor<T, 2>(bl::eval(bl::einsum<"ij,jk->ik">(a, b), how)), wanted));
      BOOST_TEST(all_same(bl::dtensor<T, 2>(bl::dtensor<T, 2>(bl::eval(bl::matmul(bt, at), how)).T()), wanted));
    }
    // A row, a column, an element by themselves.
    const bl::dtensor<T, 1> row = bl::eval(bl::matmul(bl::slice(a, m - 1), b), fixed),
                            column = bl::eval(bl::mv(a, bl::slice(b, bl::all, n - 1)), fixed);
    BOOST_TEST(all_same(row, bl::dtensor<T, 1>(bl::slice(wanted, m - 1))));
    BOOST_TEST(all_same(column, bl::dtensor<T, 1>(bl::slice(wanted, bl::all, n - 1))));
    const T one = bl::eval(bl::dot(bl::slice(a, 0), bl::slice(b, bl::all, 0)), fixed).item();
    BOOST_TEST(same(one, wanted(0, 0)));
    // In trees, which read products by blocks.
    const bl::dtensor<T, 2> more = bl::eval(bl::matmul(a, b) * T(2) + T(1), fixed), doubled = wanted * T(2) + T(1);
    BOOST_TEST(all_same(more, doubled));
  }
}
BOOST_AUTO_TEST_CASE(sizes_layouts_and_threads_f32) { check_sizes<float>(); }
BOOST_AUTO_TEST_CASE(sizes_layouts_and_threads_f64) { check_sizes<double>(); }

BOOST_AUTO_TEST_CASE(levels_and_schedulers) {
  const machine before;
  const auto a = random<float>(1, 500, 70), b = random<float>(2, 70, 300);
  const auto wanted = by_hand(a, b);
  for (const bl::isa level : bl::runtime::every_isa)
    for (const bl::scheduler by : {bl::scheduler::tbb, bl::scheduler::threads}) {
      bl::set_isa(level);
      bl::set_scheduler(by);
      BOOST_TEST(all_same(bl::dtensor<float, 2>(bl::eval(bl::matmul(a, b), fixed)), wanted));
      BOOST_TEST(all_same(bl::dtensor<float, 2>(bl::eval(bl::relu(bl::matmul(a, b)), fixed)),
                          bl::dtensor<float, 2>(bl::relu(wanted))));
    }
}

BOOST_AUTO_TEST_CASE(complex_numbers) {
  using C = std::complex<double>;
  bl::dtensor<C, 2> a(37, 50), b(50, 21);
  for (bl::index i = 0; i < a.size(); ++i)
    a.data()[i] = {matrices::noise(2 * static_cast<std::uint64_t>(i)),
                   matrices::noise(2 * static_cast<std::uint64_t>(i) + 1)};
  for (bl::index i = 0; i < b.size(); ++i)
    b.data()[i] = {matrices::noise(9000 + 2 * static_cast<std::uint64_t>(i)),
                   matrices::noise(9001 + 2 * static_cast<std::uint64_t>(i))};
  const bl::dtensor<C, 2> whole = bl::eval(bl::matmul(a, b), fixed), at = bl::eval(a.T());
  BOOST_TEST(all_same(bl::dtensor<C, 2>(bl::eval(bl::matmul(at.T(), b), bl::seq | bl::reproducible)), whole));
  for (bl::index i = 0; i < 37; i += 4) {
    const bl::dtensor<C, 1> row = bl::eval(bl::matmul(bl::slice(a, i), b), fixed);
    BOOST_TEST(all_same(row, bl::dtensor<C, 1>(bl::slice(whole, i))));
  }
}

BOOST_AUTO_TEST_CASE(stacks_and_several_summed_axes) {
  const auto a = random<double>(1, 4, 6, 5), b = random<double>(2, 4, 5, 7);
  const bl::dtensor<double, 3> stack = bl::eval(bl::bmm(a, b), fixed);
  const bl::dtensor<double, 3> two =
      bl::eval(bl::bmm(bl::slice(a, bl::range(1, 3)), bl::slice(b, bl::range(1, 3))), fixed);
  BOOST_TEST(all_same(two, bl::dtensor<double, 3>(bl::slice(stack, bl::range(1, 3)))));
  // Summed over the batch and the depth, in this order, wherever they lie.
  bl::dtensor<double, 2> wanted(6, 7);
  for (bl::index i = 0; i < 6; ++i)
    for (bl::index j = 0; j < 7; ++j) {
      volatile double sum = 0;
      for (bl::index s = 0; s < 4; ++s)
        for (bl::index k = 0; k < 5; ++k) {
          volatile double product = a(s, i, k) * b(s, k, j);
          sum = sum + product;
        }
      wanted(i, j) = sum;
    }
  const bl::dtensor<double, 3> turned_a = bl::eval(bl::permute(a, 2, 1, 0)),
                               turned_b = bl::eval(bl::permute(b, 1, 2, 0));
  BOOST_TEST(all_same(bl::dtensor<double, 2>(bl::eval(bl::einsum<"sik,skj->ij">(a, b), fixed)), wanted));
  BOOST_TEST(
      all_same(bl::dtensor<double, 2>(bl::eval(
                   bl::einsum<"sik,skj->ij">(bl::permute(turned_a, 2, 1, 0), bl::permute(turned_b, 2, 0, 1)), fixed)),
               wanted));
  const bl::dtensor<double, 2> c = random<double>(5, 6, 7);
  bl::dtensor<double, 2> added(6, 7);
  for (bl::index i = 0; i < added.size(); ++i) {
    volatile double x = 0.5 * c.data()[i], y = 3.0 * wanted.data()[i];
    added.data()[i] = x + y;
  }
  BOOST_TEST(all_same(bl::dtensor<double, 2>(bl::eval(bl::addbmm(c, a, b, 0.5, 3.0), fixed)), added));
  BOOST_TEST(all_same(
      bl::dtensor<double, 2>(bl::eval(bl::addbmm(c, bl::permute(turned_a, 2, 1, 0), b, 0.5, 3.0), fixed)), added));
}

// Static sizes are written out where they stand, and constants are computed by the compiler: the same order.
constexpr bl::tensor<float, bl::shape<2, 3>> left{{0.1f, 0.7f, -0.3f}, {1.3f, 0.2f, 0.9f}};
constexpr bl::tensor<float, bl::shape<3, 2>> right{{0.3f, 1.1f}, {-0.6f, 0.7f}, {0.123f, 0.5f}};
constexpr bl::tensor<float, bl::shape<2, 2>> known = bl::matmul(left, right);
BOOST_AUTO_TEST_CASE(static_sizes_and_constants) {
  const bl::tensor<float, bl::shape<2, 2>> now = bl::matmul(left, right);
  const bl::dtensor<float, 2> a = left, b = right, c = bl::eval(bl::matmul(a, b), fixed);
  for (int i = 0; i < 4; ++i) {
    BOOST_TEST(same(now.data()[i], known.data()[i]));
    BOOST_TEST(same(c.data()[i], known.data()[i]));
  }
}

// Each product is -0: the sum in order begins with the first of them, any other with 0.
template <class T>
void check_zeros() {
  for (const auto& [m, k, n] : {std::array<bl::index, 3>{1, 1, 1},
                                {1, 3, 1},
                                {3, 1, 3},
                                {3, 3, 3},
                                {8, 8, 8},
                                {5, 2, 1},
                                {1, 2, 5},
                                {40, 3, 2},
                                {40, 50, 60}}) {
    const bl::dtensor<T, 2> a = bl::full<T>(bl::dshape<2>(m, k), T(-0.0)), b = bl::full<T>(bl::dshape<2>(k, n), T(1));
    const bl::dtensor<T, 3> stack = bl::full<T>(bl::dshape<3>(9, k, n), T(1));
    const auto negative = [](const auto& c) {
      bl::index count = 0;
      for (bl::index i = 0; i < c.size(); ++i) count += std::signbit(c.data()[i]);
      return count;
    };
    const bl::dtensor<T, 2> at = bl::eval(a.T());
    BOOST_TEST(negative(bl::dtensor<T, 2>(bl::matmul(a, b))) == 0);
    BOOST_TEST(negative(bl::dtensor<T, 2>(bl::matmul(at.T(), b))) == 0);
    BOOST_TEST(negative(bl::dtensor<T, 3>(bl::matmul(a, stack))) == 0);
    BOOST_TEST(negative(bl::dtensor<T, 1>(bl::mv(a, bl::slice(b, bl::all, 0)))) == 0);
    BOOST_TEST(!std::signbit(bl::eval(bl::dot(bl::slice(a, 0), bl::slice(b, bl::all, 0))).item()));
    BOOST_TEST(negative(bl::dtensor<T, 2>(bl::eval(bl::matmul(a, b), fixed))) == m * n);
    BOOST_TEST(negative(bl::dtensor<T, 2>(bl::eval(bl::einsum<"ij,jk->ik">(at.T(), b), fixed))) == m * n);
  }
}
constexpr bl::tensor<float, bl::shape<2, 2>> zeros{{-0.0f, -0.0f}, {-0.0f, -0.0f}}, ones{{1, 1}, {1, 1}};
constexpr bl::tensor<float, bl::shape<2, 2>> known_zeros = bl::matmul(zeros, ones);
BOOST_AUTO_TEST_CASE(negative_zeros) {
  const machine before;
  for (const bl::isa level : bl::runtime::every_isa) {
    bl::set_isa(level);
    check_zeros<float>();
    check_zeros<double>();
  }
  const bl::tensor<float, bl::shape<2, 2>> now = bl::matmul(zeros, ones);
  for (int i = 0; i < 4; ++i) BOOST_TEST((same(now.data()[i], known_zeros.data()[i]) && std::signbit(now.data()[i])));
}

BOOST_AUTO_TEST_SUITE_END()
