// Row-major leaves without a plan: which way the shipped library takes, as explain says, and that leaves that overlap
// the output, broadcast, or have other element sizes are computed as a copy of them would be.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

template <class T = float, class... N>
auto counted(N... n) {
  bl::dtensor<T, sizeof...(N)> x(n...);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 37) % 101 - 40) / 8;
  return x;
}

template <class Out, class E>
std::string way(Out&& out, const E& e) {
  return bl::explain(out, e).routes.front();
}

// Elements of type T of a buffer that is shared with elements of another type, from a byte on.
template <class T>
bl::view<T, bl::dshape<2>, bl::row_major> seen(std::vector<double>& memory, bl::index byte, bl::index rows,
                                               bl::index columns) {
  return {reinterpret_cast<T*>(reinterpret_cast<char*>(memory.data()) + byte), bl::dshape<2>(rows, columns), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(assign_unplanned)

BOOST_AUTO_TEST_CASE(a_function_of_two_leaves_broadcasts_them) {
  for (const bl::index rows : {1, 3, 8})
    for (const bl::index columns : {1, 5, 16, 37}) {
      const auto a = counted(rows, columns), column = counted(rows, bl::index{1});
      const auto row = counted(columns);
      bl::dtensor<float, 2> o(rows, columns);
      const auto check = [&](const auto& e, const auto& element) {
        bl::assign(o, e);
        for (bl::index i = 0; i < rows; ++i)
          for (bl::index j = 0; j < columns; ++j) {
            const bl::tensor<float, bl::shape<1>> x{element(i, j).first}, y{element(i, j).second};
            BOOST_TEST(o(i, j) == bl::eval(bl::atan2(x, y))(0));
          }
      };
      check(bl::atan2(a, row), [&](bl::index i, bl::index j) { return std::pair(a(i, j), row(j)); });
      check(bl::atan2(column, a), [&](bl::index i, bl::index j) { return std::pair(column(i, 0), a(i, j)); });
      check(bl::atan2(column, row), [&](bl::index i, bl::index j) { return std::pair(column(i, 0), row(j)); });
    }
}

BOOST_AUTO_TEST_CASE(leaves_of_other_element_sizes_may_begin_where_the_output_does) {
  // As large in bytes, or of other extents, or both: none coincides with the output.
  for (const bl::index rows : {2, 8, 64})
    for (const bl::index columns : {8, 16, 32, 60, 64, 256}) {
      std::vector<double> memory(static_cast<std::size_t>(rows * columns + 64));
      const auto fill = [&] {
        for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i % 97) + 0.25;
      };
      const auto same = [&](auto out, const auto& e, const auto& copied) {
        fill();
        const bl::tensor wanted = bl::cast<typename decltype(out)::value_type>(copied());
        bl::assign(out, e);
        for (bl::index i = 0; i < rows; ++i)
          for (bl::index j = 0; j < columns; ++j)
            if (out(i, j) != wanted(i, j)) return false;
        return true;
      };
      const auto all = seen<double>(memory, 0, rows, columns);
      const auto one = seen<double>(memory, 0, 1, columns);
      const auto out = seen<float>(memory, 0, rows, columns);
      BOOST_TEST(same(out, bl::cast<float>(all) * 2, [&] { return bl::eval(bl::cast<float>(all) * 2); }));
      BOOST_TEST(same(out, bl::cast<float>(one) + 1,
                      [&] { return bl::eval(bl::expand(bl::cast<float>(one) + 1, bl::dshape<2>(rows, columns))); }));
      // Wider elements than the leaf's: what is written lies ahead of what is read.
      const auto narrow = seen<float>(memory, 0, rows, columns);
      const auto wide = seen<double>(memory, 0, rows, columns);
      BOOST_TEST(same(wide, bl::cast<double>(narrow) * 2, [&] { return bl::eval(bl::cast<double>(narrow) * 2); }));
    }
}

// Elements of a buffer that others lie on both sides of: expressions of every length, at every level.
template <class T, class F, class G>
void check_lengths(const F& expression, const G& element) {
  constexpr bl::index most = 140, margin = 70;
  const auto a = counted<T>(most), b = counted<T>(most), c = counted<T>(most);
  const bl::isa before = bl::runtime::active_isa();
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index n = 1; n <= most; ++n) {
      using result = std::remove_cvref_t<decltype(element(T{}, T{}, T{}))>;
      bl::dtensor<result, 1> memory = bl::full(bl::dshape<1>(most + 2 * margin), result(1));
      const bl::view<result, bl::dshape<1>> out(memory.data() + margin, bl::dshape<1>(n));
      const auto x = a(bl::range(0, n)), z = c(bl::range(most - n, most));
      const bl::view<const T, bl::dshape<1>> y(b.data() + most - n, bl::dshape<1>(n));
      bl::assign(out, expression(x, y, z));
      bl::index wrong = 0;
      for (bl::index i = 0; i < most + 2 * margin; ++i) {
        const bl::index k = i - margin;
        wrong += memory(i) != (k < 0 || k >= n ? result(1) : element(x(k), y(k), z(k)));
      }
      BOOST_TEST(wrong == 0, "n = " << n << ", level " << bl::to_string(level));
    }
  }
  bl::set_isa(before);
}

BOOST_AUTO_TEST_CASE(every_length_writes_its_elements_and_no_others) {
  check_lengths<float>([](const auto& x, const auto& y, const auto& z) { return x + y * z; },
                       [](float x, float y, float z) { return x + y * z; });
  check_lengths<double>([](const auto& x, const auto& y, const auto&) { return x - y * 0.5; },
                        [](double x, double y, double) { return x - y * 0.5; });
  check_lengths<float>([](const auto& x, const auto& y, const auto&) { return x < y; },
                       [](float x, float y, float) { return x < y; });
  check_lengths<int>([](const auto& x, const auto& y, const auto& z) { return x * y + z * x; },
                     [](int x, int y, int z) { return x * y + z * x; });
  // Bound leaves, and three stages: the exponential of 0 is 1.
  check_lengths<float>(
      [](const auto& x, const auto& y, const auto& z) { return bl::exp(bl::flip(bl::flip(x, 0), 0) * 0) + y * z; },
      [](float, float y, float z) { return 1 + y * z; });
  check_lengths<std::int8_t>([](const auto& x, const auto& y, const auto&) { return x + y; },
                             [](std::int8_t x, std::int8_t y, std::int8_t) { return std::int8_t(x + y); });
}

BOOST_AUTO_TEST_CASE(ends_are_computed_once_where_a_leaf_is_the_output) {
  for (bl::index n = 1; n <= 70; ++n) {
    const auto before = counted(n);
    auto x = counted(n), y = counted(n), z = counted(n);
    bl::assign(x, x * 3 + 1);
    bl::assign(y, bl::flip(bl::flip(y, 0), 0) * 3 + 1);
    bl::assign(z, bl::exp(bl::flip(bl::flip(z, 0), 0) * 0) + z * 3);
    bl::index wrong = 0;
    for (bl::index i = 0; i < n; ++i) {
      const float wanted = before(i) * 3 + 1;
      wrong += (x(i) != wanted) + (y(i) != wanted) + (z(i) != wanted);
    }
    BOOST_TEST(wrong == 0, "n = " << n);
  }
}

// Whether `o = e` has the shape and elements that assigning to another array gives.
template <class T, class F>
bool is_replaced(T o, const F& expression) {
  T wanted(expression(o).shape());
  bl::assign(wanted, expression(o));
  o = expression(o);
  return o.shape() == wanted.shape() &&
         std::memcmp(o.data(), wanted.data(), static_cast<std::size_t>(o.size()) * sizeof *o.data()) == 0;
}
template <class... N>
void check_listed(N... n) {
  const auto a = counted(n...), b = counted(n...), c = counted(n...), ones = counted((n - n + 1)...);
  const auto bytes = counted<std::int8_t>(n...);
  const auto other = counted((n + 1)...);
  const auto each = [](auto& o, const auto& expression) {
    BOOST_TEST(is_replaced(o, expression), "o of " << o.size() << " elements");
  };
  for (const auto& o : {a, other, ones, decltype(other){}}) {
    each(o, [&](auto&) { return a * 2; });
    each(o, [&](auto&) { return 2 - a; });
    each(o, [&](auto&) { return (3 - a) * (b + 0.5f); });
    each(o, [&](auto&) { return (a + b) * (c - a); });
    each(o, [&](auto&) { return (a + 1) * ones - b * (c + bytes); });
    each(o, [&](auto&) { return 2 * ones; });
    each(o, [&](auto&) { return bl::exp(a * 0.125f) + b; });
    each(o, [&](auto&) { return a.as_view() * 2; });
  }
  each(a, [&](auto& o) { return 3 - o; });
  each(a, [&](auto& o) { return (3 - o) * (b + 0.5f); });
  each(a, [&](auto& o) { return (o + b) * (o - c); });
  each(ones, [&](auto& o) { return (o + b) * (o - c); });
}

BOOST_AUTO_TEST_CASE(tensors_and_numbers_are_listed_as_they_stand) {
  const bl::isa before = bl::runtime::active_isa();
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const bl::index n : {1, 3, 8, 16, 17, 31, 64, 100, 8200}) check_listed(n);
    for (const bl::index n : {1, 3, 8, 20}) check_listed(n, n + 2);
    check_listed(bl::index{2}, bl::index{3}, bl::index{5});
  }
  bl::set_isa(before);
  auto a = counted(5), b = counted(5), o = counted(5);
  const auto e = (a + b) * (a - 2);
  const auto f = a * 2;
  a = counted(1);
  BOOST_CHECK_THROW(o = e, bl::shape_error);
  BOOST_CHECK_THROW(o = f, bl::shape_error);
  BOOST_TEST(o(4) == counted(5)(4));
}

BOOST_AUTO_TEST_CASE(explain_names_the_way) {
  auto small = counted(4, 8);
  BOOST_TEST(way(small, small * 2 + counted(4, 8)) == "one call of the kernel in place");
  BOOST_TEST(way(counted(4, 8), small * 2) == "one call of the kernel");
  BOOST_TEST(way(counted(64), counted(64) * 2) == "one call of the kernel");
  BOOST_TEST(way(counted(300, 400), counted(300, 400) * 2) == "flat blocks");
  BOOST_TEST(way(counted(1, 8), bl::sum(small, bl::axes<0>, bl::keepdim)) == "barrier in the output");
  BOOST_TEST(way(counted(4, 8), bl::exp(small)) == "one call of the function");
  BOOST_TEST(way(counted(8192), counted(8192) * 2) == "one call of the kernel");
  BOOST_TEST(way(counted(8193), counted(8193) * 2) == "flat blocks");
}

// Rows do not matter beside single elements.
BOOST_AUTO_TEST_CASE(single_elements_reach_each_row) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index rows = 2; rows < 20; ++rows)
      for (const bl::index columns : {8, 16, 17, 24, 32, 33, 67, 100}) {
        const auto a = counted(rows, columns), corner = bl::eval(counted(1, 1) * 3);
        const auto one = counted(1);
        auto o = counted(rows, columns), in_place = counted(rows, columns);
        o = a * corner - one;
        in_place = in_place * corner - one;
        bool all = true;
        for (bl::index i = 0; i < a.size(); ++i)
          all = all && o.data()[i] == a.data()[i] * corner(0, 0) - one(0) && in_place.data()[i] == o.data()[i];
        BOOST_TEST(all, rows << " x " << columns);
      }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Beside a row, a column and both, apart from the output and in place; and more of them than are splat on the stack.
template <class T>
void check_beside(bl::index rows, bl::index columns) {
  const auto a = counted<T>(rows, columns);
  const auto row = bl::eval(counted<T>(1, columns) * T(3)), column = bl::eval(counted<T>(rows, 1) * T(5));
  bl::index wrong = 0;
  const auto check = [&](const auto& e, const auto& element) {
    auto o = counted<T>(rows, columns);
    bl::assign(o, e);
    for (bl::index i = 0; i < rows; ++i)
      for (bl::index j = 0; j < columns; ++j) wrong += o(i, j) != T(element(a(i, j), row(0, j), column(i, 0)));
  };
  check(a - row, [](T x, T y, T) { return x - y; });
  check(column - a, [](T x, T, T z) { return z - x; });
  check(a * column - row, [](T x, T y, T z) { return T(x * z) - y; });
  check(row - column, [](T, T y, T z) { return y - z; });
  check(a + row + column + row + column + row + column + row + column,
        [](T x, T y, T z) { return T(x + T(4) * y + T(4) * z); });
  auto o = a;
  bl::assign(o, o * column - row);
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < columns; ++j) wrong += o(i, j) != T(T(a(i, j) * column(i, 0)) - row(0, j));
  BOOST_TEST(wrong == 0, rows << " x " << columns << ", " << sizeof(T) << " bytes");
}
BOOST_AUTO_TEST_CASE(small_arrays_beside_rows_and_columns) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const bl::index rows : {1, 2, 3, 15, 16, 17, 40, 100})
      for (const bl::index columns : {1, 2, 3, 4, 5, 8, 12, 16, 17, 20, 31, 32, 33, 40, 48, 64, 67, 100}) {
        check_beside<float>(rows, columns);
        check_beside<double>(rows, columns);
        check_beside<int>(rows, columns);
      }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(narrow_elements_are_as_many_bytes) {
  using bytes = bl::dtensor<std::uint8_t, 1>;
  const auto fill = [](auto& x) {
    for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  };
  for (const bl::index n : {8193, 20000, 32768, 32769}) {
    bytes x(n), y(n), o(n);
    fill(x);
    y = 3;
    BOOST_TEST((way(o, x + y) == "flat blocks") == (n > 32768));
    BOOST_TEST((way(x, x + y) == "one call of the kernel in place") == (n <= 32768));
    o = x + y;
    bool all = true;
    for (bl::index i = 0; i < n; ++i) all = all && o(i) == static_cast<std::uint8_t>(x(i) + 3);
    BOOST_TEST(all);
    x = x + y;
    BOOST_TEST(std::memcmp(x.data(), o.data(), static_cast<std::size_t>(n)) == 0);
  }
  bl::dtensor<std::uint8_t, 2> x(300, 100), row(1, 100);
  fill(x);
  fill(row);
  BOOST_TEST(way(bl::dtensor<std::uint8_t, 2>(300, 100), x + row).find("one call") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
