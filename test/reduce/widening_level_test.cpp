// Sums of bool and of integers of up to 32 bits, and of their products, in i64: at every level of the processor,
// against loops that wrap around as semantics say.
// Build: gcc-alone
#include <limits>
#include <random>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

namespace {

namespace bl = broadloom;

std::mt19937_64 bits{7};
bl::index below(int n) { return static_cast<bl::index>(bits() % static_cast<unsigned>(n)); }

// Any numbers, or only the largest, or only the smallest, whose sums are the first to overflow.
template <class T>
bl::dtensor<T, 2> numbers(bl::index rows, bl::index columns) {
  bl::dtensor<T, 2> x(rows, columns);
  const auto kind = bits() % 3;
  T* const to = x.data();
  for (bl::index i = 0, size = x.size(); i < size; ++i)
    to[i] = kind == 0   ? static_cast<T>(bits())
            : kind == 1 ? std::numeric_limits<T>::max()
                        : std::numeric_limits<T>::min();
  return x;
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
template <class T>
T times(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// Rows of n elements of wider arrays, from `first` on.
template <class T>
void check(bl::index rows, bl::index n, bl::index first) {
  const auto wide_x = numbers<T>(rows, n + first + 1), wide_y = numbers<T>(rows, n + first + 1);
  const auto x = wide_x(bl::all, bl::range(first, first + n)), y = wide_y(bl::all, bl::range(first, first + n));
  const bl::dtensor<T, 2> own = x, own_y = y;  // without gaps
  const T factor = static_cast<T>(3);
  const bl::dtensor<std::int64_t, 1> sums = bl::sum(x, 1), products = bl::sum(x * y, 1), joined = bl::sum(own, 1),
                                     joined_products = bl::sum(own * own_y, 1), scaled = bl::sum(own * factor, 1);
  std::int64_t all = 0, all_products = 0;
  bl::index bad = 0;
  for (bl::index i = 0; i < rows; ++i) {
    std::int64_t s = 0, p = 0, f = 0;
    T most = std::numeric_limits<T>::min(), least = std::numeric_limits<T>::max();
    const T *x_row = wide_x.data() + i * (n + first + 1) + first, *y_row = wide_y.data() + i * (n + first + 1) + first;
    for (bl::index j = 0; j < n; ++j) {
      const T a = x_row[j];
      s = plus(s, static_cast<std::int64_t>(a));
      p = plus(p, static_cast<std::int64_t>(times<T>(a, y_row[j])));
      f = plus(f, static_cast<std::int64_t>(times<T>(a, factor)));
      most = a > most ? a : most;
      least = a < least ? a : least;
    }
    bad += sums(i) != s || products(i) != p || joined(i) != s || joined_products(i) != p || scaled(i) != f;
    if (n > 0) bad += bl::amax(x(i)).item() != most || bl::amin(x(i)).item() != least || bl::sum(x(i)).item() != s;
    all = plus(all, s);
    all_products = plus(all_products, p);
  }
  bad += bl::sum(x).item() != all || bl::sum(x * y).item() != all_products;
  bad += bl::sum(bl::transpose(x, 0, 1)).item() != all;
  BOOST_TEST(bad == 0, "rows " << rows << ", " << n << " elements from " << first);
}

template <class T>
void check_type() {
  for (bl::index n = 0; n < 140; ++n) check<T>(1 + below(3), n, below(4));
  for (bl::index n = 1; n < 36; ++n)
    check<T>(512 / n + below(40), n, 0);                                  // short rows, more than are evaluated at once
  for (bl::index n = 36; n < 210; n += 7) check<T>(7 + below(20), n, 0);  // batches of them
  for (int k = 0; k < 20; ++k) check<T>(1 + below(40), below(700), below(4));
  check<T>(1, 300000 + below(1000), 1);
  check<T>(3, 70000, 0);
}

// Rows of squares, of x and of its differences from an array, a row, a column and a number, which end where their
// memory does.
template <class T>
void check_squares(bl::index rows, bl::index n) {
  const auto x = numbers<T>(rows, n), y = numbers<T>(rows, n);
  const bl::dtensor<T, 1> row = y(rows / 2);
  const bl::dtensor<T, 2> column = y(bl::all, bl::range(n - 1, n));
  const T number = static_cast<T>(bits());
  const auto check = [&](const char* name, const auto& e, const auto& other) {
    const bl::dtensor<std::int64_t, 1> found = bl::sum(e, 1);
    bl::index bad = 0;
    for (bl::index i = 0; i < rows; ++i) {
      std::int64_t s = 0;
      for (bl::index j = 0; j < n; ++j) {
        const T d = static_cast<T>(static_cast<std::uint64_t>(x(i, j)) - static_cast<std::uint64_t>(other(i, j)));
        s = plus(s, static_cast<std::int64_t>(times<T>(d, d)));
      }
      bad += found(i) != s;
    }
    BOOST_TEST(bad == 0, name << ", " << rows << " rows of " << n);
  };
  check("squares", bl::square(x), [](bl::index, bl::index) { return T(0); });
  check("an array", bl::square(x - y), [&](bl::index i, bl::index j) { return y(i, j); });
  check("a row", bl::square(x - row), [&](bl::index, bl::index j) { return row(j); });
  check("a row first", bl::square(row - x), [&](bl::index, bl::index j) { return row(j); });
  check("a column", bl::square(x - column), [&](bl::index i, bl::index) { return column(i, 0); });
  check("a column first", bl::square(column - x), [&](bl::index i, bl::index) { return column(i, 0); });
  check("a number", bl::square(x - number), [&](bl::index, bl::index) { return number; });
}
template <class T>
void check_squares_of_type() {
  for (bl::index n = 1; n < 210; n += n < 70 ? 1 : 7) check_squares<T>(1 + below(40), n);
  check_squares<T>(3, 1000);
  check_squares<T>(3000, 20);  // in tasks
  check_squares<T>(300, 100);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_widening_level)

BOOST_AUTO_TEST_CASE(values_are_those_of_loops_at_every_level) {
  const bl::isa before = bl::runtime::active_isa();
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    check_type<std::int8_t>();
    check_type<std::uint8_t>();
    check_type<std::int16_t>();
    check_type<std::uint16_t>();
    check_type<std::int32_t>();
    check_type<std::uint32_t>();
  }
  bl::set_isa(before);
}

BOOST_AUTO_TEST_CASE(squares_are_those_of_loops_at_every_level) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    check_squares_of_type<std::int8_t>();
    check_squares_of_type<std::uint8_t>();
    check_squares_of_type<std::int16_t>();
    check_squares_of_type<std::uint16_t>();
    check_squares_of_type<std::int32_t>();
    check_squares_of_type<std::uint32_t>();
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(bools_are_counted) {
  bl::dtensor<bool, 1> x(bl::dshape<1>(100003));
  std::int64_t count = 0, first = 0;
  for (bl::index i = 0; i < x.size(); ++i) {
    x.data()[i] = (bits() & 1) != 0;
    count += x.data()[i];
    first += i < 77 && x.data()[i];
  }
  BOOST_TEST(bl::sum(x).item() == count);
  BOOST_TEST(bl::sum(x(bl::range(0, 77))).item() == first);
}

BOOST_AUTO_TEST_SUITE_END()
