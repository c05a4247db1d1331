// Tiles of transposed operands: elements of every size, extents around those of squares and tiles, rows that begin at
// any element, operands that broadcast along the row, at every level. Rows of a few elements, such as pixels.
// Build: optimised-by-sanitizers, gcc-alone, clang-too
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>

namespace bl = broadloom;

namespace {

using bl::index;

template <class T>
bl::dtensor<T, 2> numbers(index rows, index columns, index seed) {
  bl::dtensor<T, 2> x(rows, columns);
  T* to = x.data();
  for (index i = 0; i < rows; ++i)
    for (index j = 0; j < columns; ++j) *to++ = static_cast<T>((i * 31 + j * 7 + seed) % 50);
  return x;
}

template <class T>
void check_tiles(index rows, index columns) {
  const auto a = numbers<T>(rows, columns, 1), b = numbers<T>(columns, rows, 2);
  const auto column = numbers<T>(rows, 1, 3), row = numbers<T>(1, columns, 4);
  const T *x = a.data(), *y = b.data(), *z = column.data(), *w = row.data();
  // Of the rows of an output, which are `stride` elements apart; `i` and `t` are where its element lies in a and in b.
  const auto right = [&](const T* out, index stride, auto wanted) {
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j)
        if (out[i * stride + j] != static_cast<T>(wanted(i, j, i * columns + j, j * rows + i))) return false;
    return true;
  };
  for (const bl::policy& p : {bl::seq, bl::par.threads(2)}) {
    bl::dtensor<T, 2> out(rows, columns);
    bl::assign(out, a + b.T(), p);
    BOOST_TEST(right(out.data(), columns, [&](index, index, index i, index t) { return x[i] + y[t]; }));
    bl::assign(out, b.T(), p);
    BOOST_TEST(right(out.data(), columns, [&](index, index, index, index t) { return y[t]; }));
    bl::assign(out, b.T() + column + row, p);
    BOOST_TEST(right(out.data(), columns, [&](index i, index j, index, index t) { return y[t] + z[i] + w[j]; }));
    // Turned: columns are read upwards, or the last one first.
    bl::assign(out, bl::rot90(b), p);
    BOOST_TEST(right(out.data(), columns, [&](index i, index j, index, index) { return y[j * rows + rows - 1 - i]; }));
    bl::assign(out, bl::rot90(b, 3), p);
    BOOST_TEST(
        right(out.data(), columns, [&](index i, index j, index, index) { return y[(columns - 1 - j) * rows + i]; }));
    // Rows of the output that begin at odd elements, and are not whole vectors apart.
    bl::dtensor<T, 2> larger(rows, columns + 3);
    larger = T{};
    auto part = larger(bl::all, bl::range(1, columns + 1));
    bl::assign(part, b.T() + column, p);
    BOOST_TEST(right(larger.data() + 1, columns + 3, [&](index i, index, index, index t) { return y[t] + z[i]; }));
    // Copies are written where they go: of turned operands, and of rows or every second element backwards.
    bl::assign(part, b.T(), p);
    BOOST_TEST(right(larger.data() + 1, columns + 3, [&](index, index, index, index t) { return y[t]; }));
    bl::assign(part, bl::rot90(b), p);
    BOOST_TEST(right(larger.data() + 1, columns + 3,
                     [&](index i, index j, index, index) { return y[j * rows + rows - 1 - i]; }));
    bl::assign(part, bl::flip(a, 1), p);
    const auto backwards = [&](index i, index j, index, index) { return x[i * columns + columns - 1 - j]; };
    BOOST_TEST(right(larger.data() + 1, columns + 3, backwards));
    bl::assign(out, bl::flip(a, 1), p);
    BOOST_TEST(right(out.data(), columns, backwards));
    auto half = out(bl::all, bl::range(0, columns / 2));
    bl::assign(half, a(bl::all, bl::range(0, columns / 2 * 2, 2)), p);
    bool halved = true;
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns / 2; ++j) halved = halved && out(i, j) == x[i * columns + 2 * j];
    BOOST_TEST(halved);
    bool kept = true;
    for (index i = 0; i < rows; ++i)
      kept = kept && larger(i, 0) == T{} && larger(i, columns + 1) == T{} && larger(i, columns + 2) == T{};
    BOOST_TEST(kept);
  }
}

// Rows of few elements: one number for each, the same row for all, and rows that lie apart.
template <class T>
void check_pixels(index rows, index columns) {
  const auto a = numbers<T>(rows, columns, 1), column = numbers<T>(rows, 1, 3), row = numbers<T>(1, columns, 4);
  const auto apart = numbers<T>(2 * rows, columns + 1, 5);
  const T *x = a.data(), *y = column.data(), *z = row.data(), *w = apart.data();
  const auto right = [&](const T* out, index stride, auto wanted) {
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j)
        if (out[i * stride + j] != static_cast<T>(wanted(i, j))) return false;
    return true;
  };
  for (const bl::policy& p : {bl::seq, bl::par.threads(2)}) {
    bl::dtensor<T, 2> out(rows, columns), larger(rows, columns + 1);
    bl::assign(out, (a + column) + row, p);
    BOOST_TEST(right(out.data(), columns, [&](index i, index j) { return x[i * columns + j] + y[i] + z[j]; }));
    bl::assign(out, a + apart(bl::range(0, bl::end, 2), bl::range(0, 1)), p);
    BOOST_TEST(
        right(out.data(), columns, [&](index i, index j) { return x[i * columns + j] + w[2 * i * (columns + 1)]; }));
    bl::assign(out, apart(bl::range(0, rows), bl::range(1, columns + 1)) + row, p);
    BOOST_TEST(right(out.data(), columns, [&](index i, index j) { return w[i * (columns + 1) + j + 1] + z[j]; }));
    bl::assign(out, apart(bl::range(rows, 2 * rows), bl::range(1, columns + 1)) + row, p);
    BOOST_TEST(
        right(out.data(), columns, [&](index i, index j) { return w[(rows + i) * (columns + 1) + j + 1] + z[j]; }));
    larger = T{9};
    auto part = larger(bl::all, bl::range(0, columns));
    bl::assign(part, a + row, p);
    BOOST_TEST(right(larger.data(), columns + 1, [&](index i, index j) { return x[i * columns + j] + z[j]; }));
    bool kept = true;
    for (index i = 0; i < rows; ++i) kept = kept && larger(i, columns) == T{9};
    BOOST_TEST(kept);
  }
}

template <class T>
void check_all() {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const index sizes[][2] = {{8, 16},    {16, 16},  {17, 33},  {31, 129}, {64, 128}, {65, 127}, {130, 300},
                              {257, 145}, {3, 2},    {17, 2},   {4099, 2}, {5, 4},    {33, 4},   {2051, 4},
                              {33, 5},    {1000, 6}, {14, 7},   {3, 13},   {2, 300},  {3, 1000}, {4, 2051},
                              {5, 129},   {7, 700},  {1024, 70}};  // columns of 4096 bytes, of f32
    for (const auto& [rows, columns] : sizes)
      BOOST_TEST_CONTEXT("level " << static_cast<int>(level) << ", " << rows << " x " << columns)
    check_tiles<T>(rows, columns);
    for (const index columns : {2, 3, 4, 5, 7, 12, 24})
      BOOST_TEST_CONTEXT("level " << static_cast<int>(level) << ", pixels of " << columns)
    check_pixels<T>(12345 / columns, columns);
    for (index rows = 1; rows < 10; ++rows) check_pixels<T>(rows, 3);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Outputs too large to stay in the caches, whose rows are whole vectors or not; the last tiles are not full.
template <class T>
void check_large(index rows, index columns) {
  const auto a = numbers<T>(rows, columns, 1), b = numbers<T>(columns, rows, 2), c = numbers<T>(columns, rows, 3);
  const T *x = a.data(), *y = b.data(), *z = c.data();
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const index beyond : {0, 3})
      BOOST_TEST_CONTEXT("level " << static_cast<int>(level) << ", rows apart by " << beyond << " elements more") {
        bl::dtensor<T, 2> larger(rows, columns + beyond);
        larger = T{};
        auto out = larger(bl::all, bl::range(beyond / 2, columns + beyond / 2));
        const auto right = [&](auto wanted) {
          for (index i = 0; i < rows; ++i) {
            const T* const row = larger.data() + i * (columns + beyond);
            for (index j = 0; j < beyond; ++j)
              if (row[j < beyond / 2 ? j : columns + j] != T{}) return false;
            for (index j = 0; j < columns; ++j)
              if (row[beyond / 2 + j] != static_cast<T>(wanted(i * columns + j, j * rows + i))) return false;
          }
          return true;
        };
        bl::assign(out, a + b.T(), bl::par.threads(2));
        BOOST_TEST(right([&](index i, index t) { return x[i] + y[t]; }));
        bl::assign(out, b.T());
        BOOST_TEST(right([&](index, index t) { return y[t]; }));
        bl::assign(out, b.T() + c.T(), bl::par.threads(2));
        BOOST_TEST(right([&](index, index t) { return y[t] + z[t]; }));
      }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(move_transpose)

BOOST_AUTO_TEST_CASE(elements_of_one_byte) { check_all<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(elements_of_two_bytes) { check_all<std::int16_t>(); }
BOOST_AUTO_TEST_CASE(elements_of_four_bytes) { check_all<float>(); }
BOOST_AUTO_TEST_CASE(elements_of_eight_bytes) { check_all<double>(); }
BOOST_AUTO_TEST_CASE(large_outputs) {
  check_large<std::uint8_t>(5100, 5056);
  check_large<float>(2500, 2576);
  check_large<float>(3, 2200001);
  check_large<double>(1771, 1800);
}

BOOST_AUTO_TEST_SUITE_END()
