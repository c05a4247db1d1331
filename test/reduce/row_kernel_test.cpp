// Sums of comparisons and of integers: kernels and the library's loops add them up in narrow lanes, which are widened
// before they overflow, along rows, columns and whole, whether or not vectors are filled.
// Build: optimised
#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

std::uint32_t seed = 11;
template <class T>
T next() {
  seed = seed * 1664525u + 1013904223u;
  if constexpr (!std::is_floating_point_v<T>) {
    if (seed >> 29 == 0) return std::numeric_limits<T>::max();
    if (seed >> 29 == 1) return std::numeric_limits<T>::lowest();
  }
  return static_cast<T>(seed >> 20);
}

template <class T>
class sums {
 public:
  sums(bl::index rows, bl::index columns)
      : x_(rows, columns), y_(rows, columns), row_(columns), rows_(rows), columns_(columns) {
    for (bl::index i = 0; i < x_.size(); ++i) x_.data()[i] = next<T>();
    for (bl::index i = 0; i < y_.size(); ++i) y_.data()[i] = i % 3 == 0 ? x_.data()[i] : next<T>();
    for (bl::index i = 0; i < columns; ++i) row_(i) = next<T>();
  }

  void compare(const std::string& where) const {
    check(x_ == y_, where + ", equal", [](T x, T y, T) { return x == y ? 1 : 0; });
    check(row_ < x_, where + ", a row", [](T x, T, T r) { return r < x ? 1 : 0; });
    check(x_ != T{3} && x_ > y_, where + ", two", [](T x, T y, T) { return x != T{3} && x > y ? 1 : 0; });
    if constexpr (std::is_integral_v<T>) check(x_, where + ", an array", [](T x, T, T) { return x; });
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
      using U = std::make_unsigned_t<T>;
      const auto squared = [](T x, T y) {
        const U d = static_cast<U>(x) - static_cast<U>(y);
        return static_cast<T>(d * d);
      };
      check(x_ * y_, where + ", products",
            [](T x, T y, T) { return static_cast<T>(static_cast<U>(x) * static_cast<U>(y)); });
      check(bl::square(x_ - y_), where + ", differences", [&](T x, T y, T) { return squared(x, y); });
      check(bl::square(x_ - row_), where + ", differences from a row", [&](T x, T, T r) { return squared(x, r); });
    }
  }

 private:
  template <class E, class Get>
  void check(const E& e, const std::string& where, const Get& get) const {
    std::vector<std::int64_t> down(static_cast<std::size_t>(columns_)), across(static_cast<std::size_t>(rows_));
    std::int64_t all = 0;
    for (bl::index i = 0; i < rows_; ++i)
      for (bl::index j = 0; j < columns_; ++j) {
        const auto value = static_cast<std::int64_t>(get(x_(i, j), y_(i, j), row_(j)));
        down[static_cast<std::size_t>(j)] += value;
        across[static_cast<std::size_t>(i)] += value;
        all += value;
      }
    const auto same = [&](const auto& found, const std::vector<std::int64_t>& wanted, const char* axis) {
      bool equal = true;
      for (std::size_t i = 0; i < wanted.size(); ++i) equal = equal && found.data()[i] == wanted[i];
      BOOST_TEST(equal, where << " " << axis);
    };
    same(bl::eval(bl::sum(e, bl::axes<0>)), down, "columns");
    same(bl::eval(bl::sum(e, bl::axes<1>)), across, "rows");
    BOOST_TEST(bl::sum(e)() == all, where << " whole");
  }

  bl::dtensor<T, 2> x_, y_;
  bl::dtensor<T, 1> row_;
  bl::index rows_, columns_;
};

// One element is unlike all others, at some places: the whole, its row and its column tell, and no other.
template <class T>
int wrong_truths(bl::index rows, bl::index columns) {
  int wrong = 0;
  bl::dtensor<T, 2> x(rows, columns);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = T{1};
  bl::dtensor<T, 1> row(columns);
  for (bl::index i = 0; i < columns; ++i) row(i) = T{2};
  const bl::index step = x.size() / 13 + 1;
  for (bl::index at = -1; at < x.size(); at = at < 0               ? 0
                                              : at == x.size() - 1 ? x.size()
                                                                   : std::min(at + step, x.size() - 1)) {
    if (at >= 0) x.data()[at] = T{3};
    const auto few = [&](const auto& found, bl::index place, bool other) {
      for (bl::index i = 0; i < found.size(); ++i) wrong += found.data()[i] != (at >= 0 && i == place ? !other : other);
    };
    const bl::index r = at < 0 ? 0 : at / columns, c = at < 0 ? 0 : at % columns;
    few(bl::eval(bl::any(x > T{2})), 0, false);
    few(bl::eval(bl::all(x < row)), 0, true);
    few(bl::eval(bl::any(x == T{3}, bl::axes<1>)), r, false);
    few(bl::eval(bl::all(x != row + T{1}, bl::axes<1>)), r, true);
    few(bl::eval(bl::any(x > row && x != T{7}, bl::axes<0>)), c, false);
    few(bl::eval(bl::all(x < T{2}, bl::axes<0>)), c, true);
    few(bl::eval(bl::any(bl::flatten(x) > T{2})), 0, false);
    if (at >= 0) x.data()[at] = T{1};
  }
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_row_kernel)

BOOST_AUTO_TEST_CASE(whether_any_is_true_or_all_are_is_found_in_wide_lanes) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [rows, columns] :
         {std::pair{1, 7}, {2, 64}, {5, 65}, {17, 33}, {64, 256}, {31, 577}, {300, 54}, {3, 4100}, {1, 40001}}) {
      const std::string where = std::to_string(rows) + " x " + std::to_string(columns) + " at " + bl::to_string(level);
      BOOST_TEST(wrong_truths<std::uint8_t>(rows, columns) == 0, where);
      BOOST_TEST(wrong_truths<std::int16_t>(rows, columns) == 0, where);
      BOOST_TEST(wrong_truths<float>(rows, columns) == 0, where);
      BOOST_TEST(wrong_truths<std::int64_t>(rows, columns) == 0, where);
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(integers_are_added_up_in_narrow_lanes_that_do_not_overflow) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [rows, columns] : {std::pair{1, 7},
                                        {2, 64},
                                        {5, 65},
                                        {17, 33},
                                        {64, 256},
                                        {250, 64},
                                        {300, 54},
                                        {513, 16},
                                        {1000, 7},
                                        {2048, 8},
                                        {130, 301},
                                        {1, 40001},
                                        {40, 700},
                                        {130, 300}}) {
      const std::string where = std::to_string(rows) + " x " + std::to_string(columns) + " at " + bl::to_string(level);
      sums<std::uint8_t>(rows, columns).compare(where + ", u8");
      sums<std::int16_t>(rows, columns).compare(where + ", i16");
      sums<std::int32_t>(rows, columns).compare(where + ", i32");
      sums<std::uint32_t>(rows, columns).compare(where + ", u32");
      sums<float>(rows, columns).compare(where + ", f32");
      sums<double>(rows, columns).compare(where + ", f64");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_SUITE_END()
