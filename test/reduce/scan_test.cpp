// Running sums that are evaluated a block at a time; those of columns, at every level, of an array that is read where
// it lies, of one with gaps between rows, and of what is computed first: each element as a loop adds it.
#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/streaming.hpp"

namespace bl = broadloom;

namespace {

// Of sums and products along the first axis of a matrix, and along the second one of three.
template <class T>
void compare_columns(bl::index rows, bl::index columns, const std::string& where) {
  const std::string at = std::to_string(rows) + " x " + std::to_string(columns) + where;
  bl::dtensor<T, 2> x(rows, columns), wide(rows, columns + 3);
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index k = 0; k < columns; ++k)
      wide(i, k) = x(i, k) = static_cast<T>(static_cast<T>((i * 31 + k * 17) % 61 + 1) / static_cast<T>(3));
  const auto compare = [&](const bl::dtensor<T, 2>& got, T factor, const auto& join, const char* what) {
    bl::dtensor<T, 2> expected(rows, columns);
    for (bl::index k = 0; k < columns; ++k) {
      T all = expected(0, k) = static_cast<T>(x(0, k) * factor);
      for (bl::index i = 1; i < rows; ++i) expected(i, k) = all = join(all, static_cast<T>(x(i, k) * factor));
    }
    const auto bytes = static_cast<std::size_t>(got.size()) * sizeof(T);
    BOOST_TEST(std::memcmp(got.data(), expected.data(), bytes) == 0, what << at);
  };
  const auto plus = [](T a, T b) { return static_cast<T>(a + b); };
  const auto times = [](T a, T b) { return static_cast<T>(a * b); };
  const auto type = bl::of_type<T>;
  compare(bl::cumsum(x, 0, type), T(1), plus, "an array ");
  compare(bl::cumsum(bl::slice(wide, bl::all, bl::range(0, columns)), 0, type), T(1), plus, "gaps between rows ");
  compare(bl::cumsum(x * T(2), 0, type), T(2), plus, "computed ");
  compare(bl::cumprod(x, 0, type), T(1), times, "products ");
  const bl::dtensor<T, 3> three = bl::stack(0, x, x);
  const bl::dtensor<T, 3> sums = bl::cumsum(three, 1, type), of_computed = bl::cumsum(three * T(2), 1, type);
  for (bl::index i = 0; i < 2; ++i) {
    compare(bl::eval(bl::select(sums, 0, i)), T(1), plus, "one of two arrays ");
    compare(bl::eval(bl::select(of_computed, 0, i)), T(2), plus, "one of two computed ");
  }
}

// Of sums along rows that are streamed, into results that begin `offset` elements after a cache line, and in place.
template <class T>
void compare_streamed_rows(bl::index rows, bl::index n, bl::index offset, const std::string& where) {
  const std::string at = std::to_string(rows) + " x " + std::to_string(n) + ", " + std::to_string(offset) + where;
  const bl::index line = 64 / static_cast<bl::index>(sizeof(T)), size = rows * n;
  bl::dtensor<T, 1> memory(size + 2 * line);
  memory = T(-1);
  const auto past = reinterpret_cast<std::uintptr_t>(memory.data()) % 64 / sizeof(T);
  T* const out = memory.data() + (line - static_cast<bl::index>(past)) % line + offset;
  bl::dtensor<T, 2> x(rows, n);
  for (bl::index i = 0; i < size; ++i)
    x.data()[i] = static_cast<T>(static_cast<T>(i * 37 % 59 + 1) / static_cast<T>(3));
  std::vector<T> expected(static_cast<std::size_t>(size));
  for (bl::index i = 0; i < size; ++i) {
    const T before = i % n == 0 ? T(0) : expected[static_cast<std::size_t>(i - 1)];
    expected[static_cast<std::size_t>(i)] = static_cast<T>(before + x.data()[i]);
  }
  const auto bytes = static_cast<std::size_t>(size) * sizeof(T);
  const streaming set;
  bl::view<T, bl::dshape<2>, bl::row_major> result{out, bl::dshape<2>(rows, n)};
  bl::assign(result, bl::cumsum(x, 1, bl::of_type<T>));
  BOOST_TEST(std::memcmp(out, expected.data(), bytes) == 0, "streamed " << at);
  BOOST_TEST((out == memory.data() || out[-1] == T(-1)), "what is before " << at);
  BOOST_TEST(out[size] == T(-1), "what follows " << at);
  bl::assign(x, bl::cumsum(x, 1, bl::of_type<T>));
  BOOST_TEST(std::memcmp(x.data(), expected.data(), bytes) == 0, "in place " << at);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_scan)

BOOST_AUTO_TEST_CASE(columns_are_scanned_one_row_after_the_other) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    // From fewer columns than a vector has to several tasks, and more bytes than are scanned some columns at a time.
    for (const auto& [rows, columns] :
         {std::pair{2, 1}, {3, 2}, {1, 40}, {2, 77}, {17, 31}, {40, 133}, {5, 2500}, {600, 401}}) {
      const std::string where = std::string(" at ") + bl::to_string(level);
      compare_columns<float>(rows, columns, where + ", f32");
      compare_columns<double>(rows, columns, where + ", f64");
      compare_columns<std::int64_t>(rows, columns, where + ", i64");
      compare_columns<std::int32_t>(rows, columns, where + ", i32");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(rows_are_streamed_by_whole_lines) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const std::string where = std::string(" at ") + bl::to_string(level);
    // Rows that fill squares or do not, of lengths around a line and some lines, so that rows begin amid one, too.
    for (const bl::index rows : {1, 8, 19})
      for (const bl::index n : {1, 7, 8, 15, 16, 17, 24, 31, 32, 40, 64, 77})
        for (const bl::index offset : {0, 1, 4, 8}) {
          compare_streamed_rows<float>(rows, n, offset, where + ", f32");
          compare_streamed_rows<double>(rows, n, offset % 8, where + ", f64");
        }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(a_ramp_goes_on_from_block_to_block) {
  const bl::index n = 40000;
  for (const int threads : {1, 2}) {
    bl::set_max_threads(threads);
    for (const double first : {0.0, 5.0}) {
      const bl::dtensor<double, 1> sums = bl::cumsum((bl::iota<double>(n) + first) * 3.0, 0);
      double sum = 0;
      bl::index wrong = 0;
      for (bl::index i = 0; i < n; ++i) wrong += sums(i) != (sum += (static_cast<double>(i) + first) * 3);  // exact
      BOOST_TEST(wrong == 0, threads << " threads, from " << first);
    }
  }
  bl::set_max_threads(0);
}

// Sums and products that wrap around, of every length of a group and what is left of it.
template <class T>
void compare_integers(bl::index n) {
  bl::dtensor<T, 1> x(n);
  for (bl::index i = 0; i < n; ++i)
    x(i) = static_cast<T>((static_cast<std::uint64_t>(i) + 3) * 0x9E3779B97F4A7C15u | 1u);
  const bl::dtensor<std::int64_t, 1> sums = bl::cumsum(x, 0), products = bl::cumprod(x, 0);
  bl::dtensor<std::int64_t, 1> in_place = bl::cast<std::int64_t>(x);
  in_place = bl::cumsum(in_place, 0);
  std::uint64_t sum = 0, product = 1;
  bl::index wrong = 0;
  for (bl::index i = 0; i < n; ++i) {
    sum += static_cast<std::uint64_t>(x(i));
    product *= static_cast<std::uint64_t>(x(i));
    wrong += static_cast<std::uint64_t>(sums(i)) != sum;
    wrong += static_cast<std::uint64_t>(in_place(i)) != sum;
    wrong += static_cast<std::uint64_t>(products(i)) != product;
  }
  BOOST_TEST(wrong == 0, n << " elements of " << sizeof(T) << " bytes");
}

BOOST_AUTO_TEST_CASE(integers_wrap_around_in_groups_and_behind_them) {
  for (const bl::index n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 100, 5003, 40001}) {
    compare_integers<std::int64_t>(n);
    compare_integers<std::int32_t>(n);
    compare_integers<std::int16_t>(n);
  }
}

BOOST_AUTO_TEST_SUITE_END()
