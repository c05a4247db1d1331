// Products against plain loops: every layout, stacks that broadcast, sizes around the blocks, element types, threads.
// Build: gcc-alone, clang-too
#include <broadloom/linalg/products.hpp>

#include <boost/test/unit_test.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "matrices.hpp"

using matrices::distance;
using matrices::random;

namespace {

// The same bits; where a BLAS takes large products, which promises none, the same up to rounding.
template <class A, class B>
bool same(const A& a, const B& b) {
#ifdef BROADLOOM_TEST_BLAS
  return distance(a, b) <= 1e-3;
#else
  return std::memcmp(a.data(), b.data(), sizeof(float) * static_cast<std::size_t>(a.size())) == 0;
#endif
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_products)

// The seed's example: NumPy's matmul is PyTorch's bmm of expanded stacks.
BOOST_AUTO_TEST_CASE(a_stack_is_expand_reshape_bmm) {
  const auto a = random<double>(1, 2, 5, 7);
  const auto b = random<double>(2, 5, 2, 7, 3);
  const bl::tensor c = bl::matmul(a, b);
  BOOST_TEST((c.shape() == bl::dshape<4>(5, 2, 5, 3)));
  const bl::dtensor<double, 4> expanded = bl::expand(a, bl::dshape<4>(5, 2, 5, 7));
  const auto flat_a = bl::from(expanded.data(), bl::dshape<3>(10, 5, 7));
  const auto flat_b = bl::from(b.data(), bl::dshape<3>(10, 7, 3));
  const bl::tensor flat = bl::bmm(flat_a, flat_b);
  BOOST_TEST(distance(bl::from(c.data(), bl::dshape<3>(10, 5, 3)), flat) <= 1e-14);
}

template <class T>
void check_sizes() {
  const double tolerance = std::is_same_v<T, float> ? 1e-6 : 1e-15;
  for (const bl::index m : {1, 2, 7, 33, 200})
    for (const bl::index k : {1, 3, 16, 257, 600})
      for (const bl::index n : {1, 5, 48, 130}) {
        const auto a = random<T>(3, m, k);
        const auto b = random<T>(4, k, n);
        const double far = tolerance * static_cast<double>(k + 8);
        const auto want = matrices::product(a, b);
        BOOST_TEST(distance(bl::eval(bl::mm(a, b)), want) <= far);
        // The same numbers in other layouts.
        const bl::dtensor<T, 2> at = a.T(), bt = b.T();
        BOOST_TEST(distance(bl::eval(bl::mm(at.T(), b)), want) <= far);
        BOOST_TEST(distance(bl::eval(bl::mm(a, bt.T())), want) <= far);
        BOOST_TEST(distance(bl::eval(bl::mm(at.T(), bt.T())), want) <= far);
        BOOST_TEST(distance(bl::eval(bl::mm(b.T(), a.T())), want.T()) <= far);
      }
}
BOOST_AUTO_TEST_CASE(sizes_and_layouts_f32) { check_sizes<float>(); }
BOOST_AUTO_TEST_CASE(sizes_and_layouts_f64) { check_sizes<double>(); }

struct sizes {
  bl::index m, k, n;
};

// Sizes around those of blocks of rows, of columns and of the depth, rows that do not begin at whole vectors, lie far
// apart or go backwards, what is added to, and rows that are read as they come.
template <class T>
void check_blocks() {
  for (const auto [m, k, n] : {sizes{513, 385, 65}, sizes{66, 767, 513}, sizes{7, 1025, 1031}, sizes{1025, 13, 129},
                               sizes{193, 384, 512}, sizes{390, 511, 67}}) {
    const double far = (std::is_same_v<T, float> ? 1e-6 : 1e-15) * static_cast<double>(k + 8);
    const auto wide = random<T>(60, m, k + 3);
    const auto a = bl::slice(wide, bl::all, bl::range(1, k + 1));
    const auto b = random<T>(61, k, n);
    const auto want = matrices::product(a, b);
    const bl::dtensor<T, 2> at = a.T(), bt = b.T();
    BOOST_TEST(distance(bl::eval(bl::mm(a, b)), want) <= far);
    BOOST_TEST(distance(bl::eval(bl::mm(at.T(), b)), want) <= far);
    BOOST_TEST(distance(bl::eval(bl::mm(a, bt.T())), want) <= far);
    BOOST_TEST(distance(bl::eval(bl::flip(bl::mm(bl::flip(a, 0), b), 0)), want) <= far);
    auto apart = bl::full<T>(bl::dshape<2>(m, 16384 / static_cast<bl::index>(sizeof(T)) + 5), T(0));
    const auto spread = bl::slice(apart, bl::all, bl::range(3, k + 3));
    bl::assign(spread, a);
    const bl::dtensor<T, 2> whole = bl::mm(spread, b);
    BOOST_TEST(distance(whole, want) <= far);
    auto doubled = bl::full<T>(bl::dshape<2>(m, 2 * k), T(0));
    const auto every_second = bl::slice(doubled, bl::all, bl::range(1, bl::end, 2));
    bl::assign(every_second, a);
    BOOST_TEST(distance(bl::eval(bl::mm(every_second, b)), want) <= far);
    const auto c = random<T>(62, m, n);
    const auto sum = bl::eval(0.5 * bl::cast<double>(c) - 2.0 * want);
    BOOST_TEST(distance(bl::eval(bl::addmm(c, a, b, 0.5, -2)), sum) <= 2 * far);
    BOOST_TEST(distance(bl::eval(bl::addmm(c, at.T(), bt.T(), 0.5, -2)), sum) <= 2 * far);
    // Into columns of something wider.
    auto frame = bl::full<T>(bl::dshape<2>(m, n + 5), T(7));
    bl::assign(bl::slice(frame, bl::all, bl::range(2, n + 2)), bl::mm(a, b));
    BOOST_TEST(distance(bl::slice(frame, bl::all, bl::range(2, n + 2)), want) <= far);
    BOOST_TEST((frame(m - 1, 1) == T(7) && frame(m - 1, n + 2) == T(7)));
    const auto steps = bl::eval(bl::relu(whole) + T(1));
    for (const int threads : {1, 2, 3}) {
      const auto how = bl::par.threads(threads);
      BOOST_TEST(distance(bl::eval(bl::mm(a, b), how), whole) <= matrices::other_order());
      BOOST_TEST(distance(bl::eval(bl::relu(bl::mm(a, b)) + T(1), how), steps) <= matrices::other_order());
      BOOST_TEST(distance(bl::eval(bl::relu(bl::mm(a * T(1), b)) + T(1), how), steps) <= matrices::other_order());
    }
  }
}
BOOST_AUTO_TEST_CASE(blocks_f32) { check_blocks<float>(); }
BOOST_AUTO_TEST_CASE(blocks_f64) { check_blocks<double>(); }

// Right sides that are read where they lie: in whole vectors, across the lines of the cache and a page apart, with rows
// enough for several blocks or for none, more depth than is taken at a time, and columns that are not whole panels.
template <class T>
void check_right_sides() {
  for (const auto [m, k, n] : {sizes{64, 64, 64}, sizes{150, 130, 128}, sizes{5, 200, 320}, sizes{400, 401, 48},
                               sizes{203, 96, 208}, sizes{1200, 65, 112}}) {
    const auto a = random<T>(63, m, k), b = random<T>(64, k, n), c = random<T>(65, m, n);
    const bl::dtensor<T, 2> want = bl::eval(bl::mm(a, b), bl::seq), sum = bl::eval(bl::addmm(c, a, b, 2, 3), bl::seq);
    const double far = (std::is_same_v<T, float> ? 1e-6 : 1e-15) * static_cast<double>(k + 8);
    BOOST_TEST(distance(want, matrices::product(a, b)) <= far);
    for (const bl::index width : {n + 1, n + 32, bl::index{1100}})
      for (const bl::index from : {0, 1}) {
        auto wide = bl::full<T>(bl::dshape<2>(k, width), T(9));
        const auto part = bl::slice(wide, bl::all, bl::range(from, from + n));
        bl::assign(part, b);
        for (const int threads : {1, 2, 5}) {
          const auto how = bl::par.threads(threads);
          BOOST_TEST(distance(bl::eval(bl::mm(a, part), how), want) <= matrices::other_order());
          BOOST_TEST(distance(bl::eval(bl::addmm(c, a, part, 2, 3), how), sum) <= matrices::other_order());
        }
      }
  }
}
BOOST_AUTO_TEST_CASE(right_sides_where_they_lie) {
  check_right_sides<float>();
  check_right_sides<double>();
}

// Half of a product with the operand's own transpose is a copy of the other half: with the bits of a product with
// another matrix of the same numbers.
template <class T>
void check_own_transpose() {
  for (const auto& [n, k] : {std::pair<bl::index, bl::index>{95, 40}, {96, 7}, {128, 128}, {201, 33}, {307, 500}}) {
    const auto wide = random<T>(66, n, k + 3);
    const bl::dtensor<T, 2> other = wide;
    const auto check = [&](const auto& a, const auto& b) {
      const bl::dtensor<T, 2> want = bl::eval(bl::mm(a, b.T()), bl::seq), down = bl::eval(bl::mm(b.T(), a), bl::seq);
      for (const int threads : {1, 2, 5}) {
        const auto how = bl::par.threads(threads);
        BOOST_TEST(distance(bl::eval(bl::mm(a, a.T()), how), want) <= matrices::other_order());
        BOOST_TEST(distance(bl::eval(bl::mm(a.T(), a), how), down) <= matrices::other_order());
        auto room = bl::full<T>(bl::dshape<2>(n, n + 5), T(9));
        const auto part = bl::slice(room, bl::all, bl::range(2, n + 2));
        bl::assign(part, bl::mm(a, a.T()), how);
        BOOST_TEST(distance(bl::dtensor<T, 2>(part), want) <= matrices::other_order());
        BOOST_TEST(bl::all(bl::slice(room, bl::all, bl::range(n + 2, n + 5)) == T(9)).item());
      }
    };
    const auto columns = [&](const auto& x) { return bl::slice(x, bl::all, bl::range(1, k + 1)); };
    const auto turned = [&](const auto& x) { return bl::flip(columns(x), 0); };
    check(columns(wide), columns(other));
    check(turned(wide), turned(other));
  }
}
BOOST_AUTO_TEST_CASE(a_matrix_with_its_own_transpose) {
  check_own_transpose<float>();
  check_own_transpose<double>();
}

// So large that a BLAS takes it, where the library has one; and rows that overlap, which a BLAS does not take.
template <class T>
void check_large(double tolerance) {
  const auto a = random<T>(50, 380, 390);
  const auto b = random<T>(51, 390, 360);
  const auto want = matrices::product(a, b);
  const bl::dtensor<T, 2> at = a.T(), bt = b.T();
  BOOST_TEST(distance(bl::eval(bl::mm(a, b)), want) <= tolerance);
  BOOST_TEST(distance(bl::eval(bl::mm(at.T(), bt.T())), want) <= tolerance);
  const auto c = random<T>(52, 380, 360);
  BOOST_TEST(distance(bl::eval(bl::addmm(c, at.T(), b, 1, 2)), bl::eval(bl::cast<double>(c) + 2.0 * want)) <=
             2 * tolerance);
}
BOOST_AUTO_TEST_CASE(large_products) {
  check_large<float>(2e-4);
  check_large<double>(1e-12);
  const auto row = random<double>(53, 800);
  const auto windows = bl::windows(row, 0, 390);
  const auto b = random<double>(54, 390, 360);
  const bl::dtensor<double, 2> own = windows;
  BOOST_TEST(distance(bl::eval(bl::mm(windows, b)), matrices::product(own, b)) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(strided_reversed_and_repeated_operands) {
  const auto wide = random<double>(5, 20, 30);
  const auto b = random<double>(6, 10, 9);
  const auto every_third = bl::slice(wide, bl::all, bl::range(0, bl::end, 3));
  const bl::dtensor<double, 2> copy = every_third;
  const auto want = matrices::product(copy, b);
  BOOST_TEST(distance(bl::eval(bl::mm(every_third, b)), want) <= 1e-14);
  const auto reversed = bl::flip(bl::flip(copy, 0), 1);
  const bl::dtensor<double, 2> reversed_copy = reversed;
  BOOST_TEST(distance(bl::eval(bl::mm(reversed, b)), matrices::product(reversed_copy, b)) <= 1e-14);
  const bl::dtensor<double, 2> row(bl::slice(copy, bl::range(3, 4)));
  const auto repeated = bl::expand(row, bl::dshape<2>(20, 10));
  const bl::dtensor<double, 2> repeated_copy = repeated;
  BOOST_TEST(distance(bl::eval(bl::mm(repeated, b)), matrices::product(repeated_copy, b)) <= 1e-14);
  const auto all_one = bl::expand(bl::slice(copy, bl::range(0, 1), bl::range(0, 1)), bl::dshape<2>(20, 10));
  const bl::dtensor<double, 2> all_one_copy = all_one;
  BOOST_TEST(distance(bl::eval(bl::mm(all_one, b)), matrices::product(all_one_copy, b)) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(stacks_broadcast_both_ways) {
  const auto a = random<double>(7, 4, 1, 6, 5);
  const auto b = random<double>(8, 3, 5, 2);
  const bl::tensor c = bl::matmul(a, b);
  BOOST_TEST((c.shape() == bl::dshape<4>(4, 3, 6, 2)));
  for (bl::index i = 0; i < 4; ++i)
    for (bl::index j = 0; j < 3; ++j)
      BOOST_TEST(distance(bl::slice(c, i, j), matrices::product(bl::slice(a, i, 0), bl::slice(b, j))) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(many_small_products_share_their_right_side) {
  const auto a = random<float>(9, 12, 1, 17, 20);
  const auto b = random<float>(10, 1, 4, 20, 9);
  const bl::tensor c = bl::matmul(a, b);
  for (bl::index i = 0; i < 12; ++i)
    for (bl::index j = 0; j < 4; ++j)
      BOOST_TEST(distance(bl::slice(c, i, j), matrices::product(bl::slice(a, i, 0), bl::slice(b, 0, j))) <= 2e-5);
}

BOOST_AUTO_TEST_CASE(a_vector_is_a_row_on_the_left_and_a_column_on_the_right) {
  const auto v = random<double>(11, 6);
  const auto m = random<double>(12, 3, 6, 6);
  const bl::tensor left = bl::matmul(v, m);
  const bl::tensor right = bl::matmul(m, v);
  const bl::tensor number = bl::matmul(v, v);
  BOOST_TEST((left.shape() == bl::dshape<2>(3, 6)));
  BOOST_TEST((right.shape() == bl::dshape<2>(3, 6)));
  static_assert(decltype(number)::rank() == 0);
  double dot = 0;
  for (bl::index i = 0; i < 6; ++i) dot += v(i) * v(i);
  BOOST_TEST(std::abs(number.item() - dot) <= 1e-14);
  for (bl::index k = 0; k < 3; ++k) {
    BOOST_TEST(distance(bl::slice(left, k), bl::matmul(bl::unsqueeze(v, 0), bl::slice(m, k))) <= 1e-14);
    BOOST_TEST(distance(bl::unsqueeze(bl::slice(right, k), 1), bl::matmul(bl::slice(m, k), bl::unsqueeze(v, 1))) <=
               1e-14);
  }
  BOOST_TEST(distance(bl::eval(bl::mv(bl::slice(m, 1), v)), bl::slice(right, 1)) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(empty_axes) {
  BOOST_TEST((bl::matmul(bl::zeros<float>(3, 0), bl::zeros<float>(0, 4)).shape() == bl::dshape<2>(3, 4)));
  const bl::dtensor<float, 2> nothing = bl::matmul(bl::ones<float>(3, 0), bl::ones<float>(0, 4));
  for (bl::index i = 0; i < 12; ++i) BOOST_TEST(nothing.data()[i] == 0);
  BOOST_TEST(
      (bl::eval(bl::matmul(bl::zeros<float>(0, 3, 2), bl::zeros<float>(1, 2, 5))).shape() == bl::dshape<3>(0, 3, 5)));
  BOOST_TEST(bl::eval(bl::dot(bl::zeros<double>(0), bl::zeros<double>(0))).item() == 0);
}

BOOST_AUTO_TEST_CASE(integers_wrap) {
  const auto a = random<std::int8_t>(13, 9, 12);
  const auto b = random<std::int8_t>(14, 12, 5);
  const bl::tensor c = bl::matmul(a, b);
  const auto want = matrices::product(a, b);
  for (bl::index i = 0; i < 9; ++i)
    for (bl::index j = 0; j < 5; ++j)
      BOOST_TEST(c(i, j) == static_cast<std::int8_t>(static_cast<std::int64_t>(want(i, j))));
  const bl::dtensor<std::int64_t, 1> big{std::int64_t{1} << 62, 3};
  const bl::dtensor<std::int64_t, 1> four{4, 5};
  BOOST_TEST(bl::eval(bl::dot(big, four)).item() == 15);
  const bl::dtensor<std::uint16_t, 1> most{65535, 65535};
  BOOST_TEST(bl::eval(bl::dot(most, most)).item() == 2);
}

BOOST_AUTO_TEST_CASE(mixed_element_types_are_promoted) {
  const auto a = random<std::int32_t>(15, 4, 6);
  const auto b = random<double>(16, 6, 3);
  static_assert(std::is_same_v<decltype(bl::matmul(a, b))::value_type, double>);
  BOOST_TEST(distance(bl::eval(bl::matmul(a, b)), matrices::product(a, b)) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_threads) {
  const auto a = random<float>(17, 300, 700);
  const auto b = random<float>(18, 700, 600);
  const auto stack = random<float>(19, 50, 30, 20);
  const auto one = random<float>(20, 20, 7);
  for (const int threads : {2, 7})
    BOOST_TEST(distance(bl::eval(bl::mm(a, b), bl::seq), bl::eval(bl::mm(a, b), bl::par.threads(threads))) <=
               matrices::other_order());
  BOOST_TEST(same(bl::eval(bl::matmul(stack, one), bl::seq), bl::eval(bl::matmul(stack, one), bl::par.threads(3))));
}

BOOST_AUTO_TEST_CASE(products_are_operands_of_trees) {
  const auto a = random<double>(21, 8, 5);
  const auto b = random<double>(22, 5, 6);
  const auto bias = random<double>(23, 6);
  const bl::tensor layer = bl::relu(bl::matmul(a, b) + bias);
  const auto plain = matrices::product(a, b);
  for (bl::index i = 0; i < 8; ++i)
    for (bl::index j = 0; j < 6; ++j) BOOST_TEST(std::abs(layer(i, j) - std::max(0.0, plain(i, j) + bias(j))) <= 1e-14);
  // Expressions and products as operands of products; transposed results.
  const bl::tensor chain = bl::matmul(bl::matmul(a, b) * 2.0, bl::matmul(a, b).T());
  const auto twice = bl::eval(2.0 * plain);
  BOOST_TEST(distance(chain, matrices::product(twice, plain.T())) <= 1e-13);
}

// What reads a large product reads it block by block; the bits are those of the whole, wherever blocks begin.
BOOST_AUTO_TEST_CASE(a_layer_is_computed_by_blocks_of_rows) {
  for (const bl::index m : {383, 384, 401, 1030}) {
    const auto x = random<float>(40, m, 70);
    const auto w = random<float>(41, 70, 150);
    const auto b = random<float>(42, 150);
    const auto e = bl::relu(bl::matmul(x, w) + b);
    const bl::dtensor<float, 2> product = bl::matmul(x, w);
    const bl::dtensor<float, 2> steps = bl::relu(product + b);
    for (const int threads : {1, 2, 3}) {
      const bl::dtensor<float, 2> layer(e, bl::par.threads(threads));
      BOOST_TEST(same(layer, steps));
    }
    // No temporary of the product's size.
    const bl::explanation plan = bl::explain(e);
    BOOST_TEST_REQUIRE(plan.passes.size() == 1u);
    BOOST_TEST(plan.passes[0].by_rows == (m >= 384));
    if (m >= 1030) BOOST_TEST(plan.passes[0].bytes < m * 150 * 4 / 2);
  }
}

// The same of stacks and of a left operand that is a tree.
template <class E, class F>
void check_by_rows(const E& e, const F& product) {
  using tensor = bl::dtensor<float, std::remove_cvref_t<decltype(e.shape())>::axes_count>;
  const bl::tensor steps = bl::relu(product + 1.0f);
  for (const int threads : {1, 2, 3}) {
    const tensor layer(e, bl::par.threads(threads));
    BOOST_TEST(distance(layer, steps) <= matrices::other_order());
  }
  const bl::explanation plan = bl::explain(e);
  BOOST_TEST_REQUIRE(plan.passes.size() == 1u);
  BOOST_TEST(plan.passes[0].by_rows);
  BOOST_TEST(plan.passes[0].bytes <= product.size() * 4 / 2);
}
BOOST_AUTO_TEST_CASE(stacks_and_trees_are_computed_by_blocks_too) {
  const auto w = random<float>(43, 70, 150);
  for (const bl::index m : {26, 130}) {
    const auto x = random<float>(44, 40, m, 70);
    check_by_rows(bl::relu(bl::matmul(x, w) + 1.0f), bl::eval(bl::matmul(x, w)));
    const auto each = random<float>(45, 40, 70, 30);
    check_by_rows(bl::relu(bl::matmul(x, each) + 1.0f), bl::eval(bl::matmul(x, each)));
  }
  const auto x = random<float>(46, 2001, 70);
  const bl::dtensor<float, 2> doubled = x * 2.0f;
  check_by_rows(bl::relu(bl::matmul(x * 2.0f, w) + 1.0f), bl::eval(bl::matmul(doubled, w)));
  const auto stack = random<float>(47, 60, 21, 70);
  const bl::dtensor<float, 3> shifted = stack - 1.0f;
  check_by_rows(bl::relu(bl::matmul(stack - 1.0f, w) + 1.0f), bl::eval(bl::matmul(shifted, w)));
  // The last block is one matrix.
  const auto last = random<float>(57, 41, 130, 70);
  BOOST_TEST(same(bl::eval(bl::matmul(last * 1.0f, w)), bl::eval(bl::matmul(last, w))));
  // One row, whose columns are its blocks, in every layout.
  for (const bl::index n : {bl::index{1} << 17, (bl::index{1} << 17) + 1025}) {
    const auto row = random<float>(48, 7);
    const auto wide = random<float>(49, 7, n);
    const bl::dtensor<float, 2> tall = wide.T();
    const auto rows = random<float>(50, 14, 2 * n);
    const auto apart = bl::slice(rows, bl::range(0, bl::end, 2), bl::range(0, bl::end, 2));
    check_by_rows(bl::relu(bl::matmul(row, wide) + 1.0f), bl::eval(bl::matmul(row, wide)));
    check_by_rows(bl::relu(bl::matmul(row, tall.T()) + 1.0f), bl::eval(bl::matmul(row, tall.T())));
    check_by_rows(bl::relu(bl::matmul(row, apart) + 1.0f), bl::eval(bl::matmul(row, apart)));
    check_by_rows(bl::relu(bl::matmul(row * 1.0f, wide) + 1.0f), bl::eval(bl::matmul(row, wide)));
    check_by_rows(bl::relu(bl::matmul(bl::flip(apart, 0).T(), row) + 1.0f),
                  bl::eval(bl::matmul(bl::flip(apart, 0).T(), row)));
    BOOST_TEST(distance(bl::eval(bl::matmul(row, wide)),
                        bl::eval(bl::slice(matrices::product(bl::expand(row, bl::dshape<2>(1, 7)), wide), 0))) <= 1e-5);
  }
  const auto whole = random<std::int32_t>(51, 19);
  const auto matrix = random<std::int32_t>(52, 19, 140000);
  const bl::tensor all = bl::matmul(whole, matrix);
  BOOST_TEST(distance(bl::eval(bl::abs(bl::matmul(whole, matrix))), bl::eval(bl::abs(all))) == 0);
  BOOST_TEST(
      distance(all, bl::eval(bl::slice(matrices::product(bl::expand(whole, bl::dshape<2>(1, 19)), matrix), 0))) == 0);
  // Stacks that are trees, times one vector, a column each or for all, one matrix for all and one each; the last block
  // has one matrix.
  for (const bl::index m : {1, 15, 64, 601}) {
    const bl::index count = (1 << 17) / m + 2;
    const auto some = random<float>(53, count, m, 5);
    const auto vector = random<float>(54, 5);
    const auto column = random<float>(55, count, 5, 1);
    const auto shared_column = bl::slice(column, bl::range(0, 1));
    check_by_rows(bl::relu(bl::matmul(some * 1.0f, vector) + 1.0f), bl::eval(bl::matmul(some, vector)));
    check_by_rows(bl::relu(bl::matmul(some * 1.0f, column) + 1.0f), bl::eval(bl::matmul(some, column)));
    check_by_rows(bl::relu(bl::matmul(some * 1.0f, shared_column) + 1.0f), bl::eval(bl::matmul(some, shared_column)));
    BOOST_TEST(same(bl::eval(bl::matmul(some * 1.0f, vector)), bl::eval(bl::matmul(some, vector))));
    BOOST_TEST(same(bl::eval(bl::matmul(some * 1.0f, column)), bl::eval(bl::matmul(some, column))));
  }
  for (const bl::index m : {2, 15, 64, 601}) {
    const bl::index count = m == 601 ? 33 : 1025;
    const auto some = random<float>(53, count, m, 21);
    const auto vector = random<float>(54, 21);
    const auto each = random<float>(56, count, 21, 10);
    const auto shared = bl::slice(each, bl::range(0, 1));
    const auto one = bl::expand(shared, bl::dshape<3>(count, 21, 10));
    check_by_rows(bl::relu(bl::matmul(some * 1.0f, each) + 1.0f), bl::eval(bl::matmul(some, each)));
    check_by_rows(bl::relu(bl::matmul(some * 1.0f, shared) + 1.0f), bl::eval(bl::matmul(some, shared)));
    check_by_rows(bl::relu(bl::matmul(some * 1.0f, one) + 1.0f), bl::eval(bl::matmul(some, one)));
    check_by_rows(bl::relu(bl::bmm(some * 1.0f, each) + 1.0f), bl::eval(bl::bmm(some, each)));
    check_by_rows(bl::relu(bl::baddbmm(vector(0) + bl::slice(each, 0, 0), some * 1.0f, one) + 1.0f),
                  bl::eval(bl::baddbmm(vector(0) + bl::slice(each, 0, 0), some, one)));
    // Without a reader, too.
    BOOST_TEST(same(bl::eval(bl::matmul(some * 1.0f, vector)), bl::eval(bl::matmul(some, vector))));
    BOOST_TEST(same(bl::eval(bl::matmul(some * 1.0f, each)), bl::eval(bl::matmul(some, each))));
  }
}

BOOST_AUTO_TEST_CASE(an_output_may_be_an_operand) {
  auto a = random<double>(24, 9, 9);
  const auto b = random<double>(25, 9, 9);
  const auto want = matrices::product(a, b);
  a = bl::matmul(a, b);
  BOOST_TEST(distance(a, want) <= 1e-13);
  const bl::dtensor<double, 2> before(a);
  a = bl::matmul(b, a.T());
  BOOST_TEST(distance(a, matrices::product(b, before.T())) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(a_tree_outlives_the_temporaries_it_was_made_of) {
  const auto make = [] { return bl::matmul(random<double>(26, 4, 3), random<double>(27, 3, 4) + 1.0); };
  const auto e = make();
  const bl::dtensor<double, 2> b = random<double>(27, 3, 4) + 1.0;
  BOOST_TEST(distance(bl::eval(e), matrices::product(random<double>(26, 4, 3), b)) <= 1e-14);
  BOOST_TEST(std::abs(bl::eval(e)(2, -1) - matrices::product(random<double>(26, 4, 3), b)(2, 3)) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(static_sizes_are_kept) {
  bl::tensor<float, bl::shape<2, 3>> a{{1, 2, 3}, {4, 5, 6}};
  bl::tensor<float, bl::shape<3, 2>> b{{1, 0}, {0, 1}, {1, 1}};
  using shape_type = decltype(bl::matmul(a, b))::shape_type;
  static_assert(std::is_same_v<shape_type, bl::shape<2, 2>>);
  const bl::tensor c = bl::matmul(a, b);
  BOOST_TEST((c(0, 0) == 4 && c(0, 1) == 5 && c(1, 0) == 10 && c(1, 1) == 11));
  // Half static: the inner size fixes nothing of the result, the outer ones do.
  bl::tensor<float, bl::shape<bl::dyn, 3>> d(bl::index{4});
  using half = decltype(bl::matmul(d, b))::shape_type;
  static_assert(std::is_same_v<half, bl::shape<bl::dyn, 2>>);
}

constexpr float static_product() {
  constexpr bl::tensor<float, bl::shape<2, 3>> a{{1, 2, 3}, {4, 5, 6}};
  constexpr bl::tensor<float, bl::shape<3, 2>> b{{1, 0}, {0, 1}, {1, 1}};
  bl::tensor<float, bl::shape<2, 2>> c;
  c = bl::matmul(a, b);
  return c(1, 1) * 100 + c(0, 0);
}
static_assert(static_product() == 1104);

BOOST_AUTO_TEST_CASE(vectors) {
  const auto x = random<double>(28, 5, 3);
  const auto y = random<double>(29, 3);
  const bl::tensor d = bl::vecdot(x, y);
  const bl::tensor c = bl::cross(x, y);
  const bl::tensor o = bl::outer(y, bl::slice(x, bl::all, 1));
  const bl::tensor i = bl::inner(x, random<double>(30, 2, 4, 3));
  BOOST_TEST((i.shape() == bl::dshape<3>(5, 2, 4)));
  for (bl::index k = 0; k < 5; ++k) {
    BOOST_TEST(std::abs(d(k) - (x(k, 0) * y(0) + x(k, 1) * y(1) + x(k, 2) * y(2))) <= 1e-15);
    BOOST_TEST(std::abs(c(k, 0) - (x(k, 1) * y(2) - x(k, 2) * y(1))) <= 1e-15);
    BOOST_TEST(std::abs(c(k, 1) - (x(k, 2) * y(0) - x(k, 0) * y(2))) <= 1e-15);
    BOOST_TEST(std::abs(c(k, 2) - (x(k, 0) * y(1) - x(k, 1) * y(0))) <= 1e-15);
    BOOST_TEST(o(1, k) == y(1) * x(k, 1));
  }
  const auto z = random<double>(30, 2, 4, 3);
  BOOST_TEST(std::abs(i(2, 1, 3) - (x(2, 0) * z(1, 3, 0) + x(2, 1) * z(1, 3, 1) + x(2, 2) * z(1, 3, 2))) <= 1e-15);
}

// Of integers and complex numbers, over axes that broadcast, lie backwards, and end within a task's share.
template <class T>
void compare_cross() {
  const auto number = [](bl::index i) { return static_cast<T>(static_cast<float>(i * 7919 % 251 - 125)); };
  bl::dtensor<T, 3> x(3, 2000, 3);
  bl::dtensor<T, 2> y(2000, 3), one(1, 3);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = number(i);
  for (bl::index i = 0; i < y.size(); ++i) y.data()[i] = number(i + 17);
  for (bl::index i = 0; i < 3; ++i) one.data()[i] = number(i + 5);
  const bl::tensor c = bl::cross(x, y), turned = bl::cross(bl::flip(x, 2), bl::flip(y, 0)),
                   with_one = bl::cross(one, y);
  bl::index wrong = 0;
  for (bl::index n = 0; n < 3; ++n)
    for (bl::index k = 0; k < 2000; ++k)
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        wrong += c(n, k, i) != static_cast<T>(x(n, k, j) * y(k, l) - x(n, k, l) * y(k, j));
        const bl::index at = 1999 - k;
        wrong += turned(n, k, i) != static_cast<T>(x(n, k, 2 - j) * y(at, l) - x(n, k, 2 - l) * y(at, j));
        wrong += with_one(k, i) != static_cast<T>(one(0, j) * y(k, l) - one(0, l) * y(k, j));
      }
  BOOST_TEST(wrong == 0);
}
BOOST_AUTO_TEST_CASE(cross_products_of_other_elements) {
  compare_cross<std::int64_t>();
  compare_cross<std::int32_t>();
  compare_cross<std::int8_t>();
  compare_cross<std::complex<float>>();
}

BOOST_AUTO_TEST_CASE(kronecker_products) {
  const auto a = random<double>(31, 2, 3);
  const auto b = random<double>(32, 4, 5);
  const bl::tensor c = bl::kron(a, b);
  BOOST_TEST((c.shape() == bl::dshape<2>(8, 15)));
  for (bl::index i = 0; i < 8; ++i)
    for (bl::index j = 0; j < 15; ++j) BOOST_TEST(c(i, j) == a(i / 4, j / 5) * b(i % 4, j % 5));
  const bl::tensor v = bl::kron(bl::slice(a, 0), b);
  BOOST_TEST((v.shape() == bl::dshape<2>(4, 15)));
  BOOST_TEST(v(1, 7) == a(0, 1) * b(1, 2));
}

template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const bl::shape_error& e) {
    return e.what();
  }
  return "";
}

BOOST_AUTO_TEST_CASE(errors_name_the_function_the_signature_the_operand_and_the_sizes) {
  const bl::dtensor<float, 2> a(2, 3), b(4, 2);
  const bl::dtensor<float, 3> s(5, 2, 4);
  BOOST_TEST(
      message([&] { bl::mm(a, b); }) ==
      "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x2)\n  mm: Input operand 1 has a mismatch in its core "
      "dimension 0, with signature (m,k),(k,n)->(m,n) (size 4 is different from 3)\n  mm((2, 3), (4, 2))");
  BOOST_TEST(message([&] { bl::matmul(a, s); })
                 .find("matmul: Input operand 1 has a mismatch in its core dimension 0, with "
                       "signature (m?,k),(k,n?)->(m?,n?) (size 2 is different from 3)") != std::string::npos);
  const bl::dtensor<float, 3> u(3, 4, 6), w(2, 6, 1);
  BOOST_TEST(
      message([&] {
        bl::matmul(u, w);
      }).rfind("The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0\n", 0) == 0u);
  BOOST_TEST(
      message([&] {
        bl::inner(a, b);
      }).rfind("inner() the last dimension must match on both input tensors but got shapes [2, 3] and [4, 2]", 0) ==
      0u);
}

BOOST_AUTO_TEST_SUITE_END()
