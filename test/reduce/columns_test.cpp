// Columns have one result each, however many lie side by side, and however they are shared out among threads.
// Build: gcc-alone
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/tuning.hpp>

#include <cstring>
#include <type_traits>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

std::uint32_t seed = 2024;
template <class T>
T next() {
  seed = seed * 1664525u + 1013904223u;
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<int>(seed >> 8) - (1 << 23)) / T{65536};
  else
    return static_cast<T>(seed >> 8);
}

template <class Op, class T, class Function>
void check_columns(const Function& reduced) {
  constexpr int tile = 4096 / static_cast<int>(sizeof(T));  // columns side by side at most
  for (const bl::index n : {bl::index{513}, bl::index{1100}})
    for (const bl::index columns : {bl::index{65}, bl::index{tile + 1}}) {
      bl::dtensor<T, 2> x(n, columns + 2);
      for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = next<T>();
      // memory without gaps, with gaps, and a program
      const auto apart = bl::slice(x, bl::all, bl::range(1, columns + 1));
      const bl::dtensor<T, 2> dense = bl::eval(apart);
      std::vector<T> expected;
      for (bl::index c = 0; c < columns; ++c)
        expected.push_back(static_cast<T>(bl::detail::combine<Op, T>(n, [&](bl::index i) { return x(i, c + 1); })));
      const auto bytes = expected.size() * sizeof(T);
      for (const bl::isa level : bl::runtime::every_isa) {
        if (bl::set_isa(level) != level) continue;
        for (const int threads : {1, 2, 3, 8}) {
          const bl::policy how = bl::par.threads(threads);
          const bl::dtensor<T, 1> a = bl::eval(reduced(dense), how), b = bl::eval(reduced(apart), how),
                                  c = bl::eval(reduced(dense * T{1}), how);
          for (const bl::dtensor<T, 1>* r : {&a, &b, &c})
            BOOST_TEST(std::memcmp(r->data(), expected.data(), bytes) == 0,
                       n << " rows, " << columns << " columns, " << threads << " threads");
        }
      }
      bl::set_isa(bl::runtime::highest_isa());
    }
}

// Sums of products and of squares, whose bits are those of sums of what they are in memory.
template <class T>
void check_products(bl::index n, bl::index columns) {
  bl::dtensor<T, 2> in_x(n, columns + 2), y(n, columns);
  bl::dtensor<T, 1> row(columns);
  for (auto* const each : {&in_x, &y})
    for (bl::index i = 0; i < each->size(); ++i) each->data()[i] = next<T>();
  for (bl::index i = 0; i < columns; ++i) row(i) = next<T>();
  const auto x = bl::slice(in_x, bl::all, bl::range(1, columns + 1));  // with gaps
  const auto backwards = bl::flip(y, 0);
  const auto check = [&](const auto& e) {
    const bl::dtensor<T, 2> values = bl::eval(e);
    const bl::dtensor<T, 1> expected = bl::eval(bl::sum(values, bl::axes<0>));
    for (const int threads : {1, 2, 8}) {
      const bl::dtensor<T, 1> r = bl::eval(bl::sum(e, bl::axes<0>), bl::par.threads(threads));
      BOOST_TEST(std::memcmp(r.data(), expected.data(), static_cast<std::size_t>(columns) * sizeof(T)) == 0,
                 n << " rows, " << columns << " columns, " << threads << " threads");
    }
  };
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    check(x * y);
    check(x * backwards);
    check(x * row);
    check(bl::square(x));
    check(bl::square(x - y));
    check(bl::square(x - row));
    check(bl::square(x - T{3}));
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Rows one after the other, which count as being in a cache and then as being in memory, have the same bits.
template <class T>
void check_memory(bl::index n, bl::index columns) {
  const bl::tuning before = bl::current_tuning();
  bl::dtensor<T, 2> x(n, columns), y(n, columns);
  for (auto* const each : {&x, &y})
    for (bl::index i = 0; i < each->size(); ++i) each->data()[i] = next<T>();
  const auto check = [&](const auto& e) {
    for (const int threads : {1, 2}) {
      const bl::policy how = bl::par.threads(threads);
      bl::tuning t = before;
      bl::set_tuning(t);
      const bl::dtensor<T, 1> in_cache = bl::eval(e, how);
      t.streamed_bytes = 1;
      bl::set_tuning(t);
      const bl::dtensor<T, 1> in_memory = bl::eval(e, how);
      BOOST_TEST(std::memcmp(in_cache.data(), in_memory.data(), static_cast<std::size_t>(columns) * sizeof(T)) == 0,
                 n << " rows, " << columns << " columns, " << threads << " threads");
    }
  };
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    check(bl::sum(x, bl::axes<0>));
    check(bl::amax(x, bl::axes<0>));
    check(bl::sum(x * y, bl::axes<0>));
    check(bl::sum(bl::abs(x - y), bl::axes<0>));
    check(bl::amax(bl::abs(x - y), bl::axes<0>));
    check(bl::sum(x * y + x, bl::axes<0>));
  }
  bl::set_tuning(before);
  bl::set_isa(bl::runtime::highest_isa());
}

// Columns of several reduced axes, beside the same elements in memory one after the other. `rows`: of one result.
template <class Op, class T, class Reduced, class Rows>
void check_rows_apart(const Reduced& reduced, const Rows& in_rows) {
  const auto rows = bl::eval(in_rows);
  std::vector<T> expected;
  const bl::index results = rows.extent(0) * rows.extent(1), n = rows.extent(2) * rows.extent(3);
  for (bl::index r = 0; r < results; ++r)
    expected.push_back(
        static_cast<T>(bl::detail::combine<Op, T>(n, [&](bl::index i) { return rows.data()[r * n + i]; })));
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const int threads : {1, 3}) {
      const bl::dtensor<T, 2> a = bl::eval(reduced, bl::par.threads(threads));
      BOOST_TEST(std::memcmp(a.data(), expected.data(), expected.size() * sizeof(T)) == 0,
                 results << " results of " << n << ", " << threads << " threads");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}
template <class Op, class T, class Function>
void check_rows_apart(const Function& reduced) {
  const auto filled = [](bl::index a, bl::index b, bl::index c, bl::index d) {
    bl::dtensor<T, 4> x(a, b, c, d);
    for (T& e : x) e = next<T>();
    return x;
  };
  for (const bl::index columns : {4, 16, 33, 130, 300}) {
    const bl::dtensor<T, 4> x = filled(5, 3, 7, columns), y = filled(41, 2, 30, columns);  // a strip, and three
    check_rows_apart<Op, T>(reduced(x, bl::axes<0, 2>), bl::permute(x, 1, 3, 0, 2));
    check_rows_apart<Op, T>(reduced(bl::flip(x, 2), bl::axes<0, 2>), bl::permute(bl::flip(x, 2), 1, 3, 0, 2));
    if (columns > 33) check_rows_apart<Op, T>(reduced(y, bl::axes<0, 2>), bl::permute(y, 1, 3, 0, 2));
    const auto image = x(0, 0, bl::all, bl::all);
    const auto windows = bl::windows(bl::windows(image, 0, 3), 1, 3),
               wide = bl::windows(bl::windows(image, 0, 7), 1, 4);
    if (columns > 4) check_rows_apart<Op, T>(reduced(windows, bl::axes<-2, -1>), windows);
    check_rows_apart<Op, T>(reduced(wide, bl::axes<-2, -1>), wide);
    const auto wider = bl::windows(bl::windows(image, 0, 2), 1, columns > 33 ? 20 : 3);
    check_rows_apart<Op, T>(reduced(wider, bl::axes<-2, -1>), wider);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_columns)

BOOST_AUTO_TEST_CASE(rows_from_memory_are_added_up_as_those_from_a_cache) {
  for (const bl::index columns : {5, 16, 17, 64, 100, 256}) {
    check_memory<float>(33000 / columns + 2, columns);
    check_memory<double>(33000 / columns + 2, columns);
  }
}

BOOST_AUTO_TEST_CASE(products_are_added_up_as_their_values_are) {
  // the last tile is narrower than a vector, or is not; columns fill vectors four and two at a time, or overlap
  for (const bl::index columns : {7, 16, 31, 65, 100, 515, 1027, 1100}) {
    check_products<float>(1100, columns);
    check_products<double>(1100, columns);
  }
  for (const bl::index n : {1, 5, 15, 16, 17, 511, 513}) {
    check_products<float>(n, 1100);
    check_products<double>(n, 1100);
  }
}

BOOST_AUTO_TEST_CASE(each_is_combined_as_if_it_were_alone) {
  const auto sum = [](const auto& x) { return bl::sum(x, bl::axes<0>); };
  const auto largest = [](const auto& x) { return bl::amax(x, bl::axes<0>); };
  check_columns<bl::detail::sum_r, float>(sum);
  check_columns<bl::detail::sum_r, double>(sum);
  check_columns<bl::detail::sum_r, std::int64_t>(sum);
  check_columns<bl::detail::amax_r, float>(largest);
  check_columns<bl::detail::amax_r, std::int8_t>(largest);
  check_columns<bl::detail::amax_r, std::uint16_t>(largest);
  check_columns<bl::detail::amax_r, std::int32_t>(largest);
}

BOOST_AUTO_TEST_CASE(rows_of_several_reduced_axes_are_combined_in_their_order) {
  check_rows_apart<bl::detail::sum_r, float>([](const auto& x, auto axes) { return bl::sum(x, axes); });
  check_rows_apart<bl::detail::prod_r, double>([](const auto& x, auto axes) { return bl::prod(x, axes); });
  check_rows_apart<bl::detail::amin_r, float>([](const auto& x, auto axes) { return bl::amin(x, axes); });
  check_rows_apart<bl::detail::amax_r, std::int16_t>([](const auto& x, auto axes) { return bl::amax(x, axes); });
  check_rows_apart<bl::detail::sum_r, std::int64_t>([](const auto& x, auto axes) { return bl::sum(x, axes); });
  const bl::dtensor<bool, 2> x = bl::eye<int>(40, 90) > 0;
  const auto windows = bl::windows(bl::windows(x, 0, 3), 1, 3);
  BOOST_TEST(bl::array_equal(bl::any(windows, bl::axes<-2, -1>), bl::any(bl::any(windows, -1), -1)));
  BOOST_TEST(bl::array_equal(bl::all(windows, bl::axes<-2, -1>), bl::all(bl::all(windows, -1), -1)));
}

BOOST_AUTO_TEST_SUITE_END()
