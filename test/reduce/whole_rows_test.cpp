// Sums of rows that are computed as they are added up, by kernels that programs with optimisation have: the bits of
// sums of the same elements in memory, whatever the rows' steps, lengths and number.
// Build: optimised
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

namespace {

namespace bl = broadloom;
using rows = bl::dtensor<float, 3>;

rows numbers(bl::index a, bl::index b, bl::index c) {
  rows x(a, b, c);
  unsigned bits = 7;
  for (float& e : x) {
    bits = bits * 1664525u + 1013904223u;
    e = static_cast<float>(static_cast<int>(bits >> 8) % 1000) * 0.013f;
  }
  return x;
}

template <class X, class Y>
bool adds_up(const X& x, const Y& y, const bl::policy& how) {
  const bl::dtensor<float, 2> sums(bl::sum(x * y + 0.25f, bl::axes<2>), how);
  const rows elements = x * y + 0.25f;
  const bl::dtensor<float, 2> whole = bl::sum(elements, bl::axes<2>);
  return sums.shape() == whole.shape() &&
         std::memcmp(sums.data(), whole.data(), static_cast<std::size_t>(sums.size()) * sizeof(float)) == 0;
}

template <class T, class E>
bool same_sum(const E& e) {
  const bl::dtensor<T, 1> elements = e;
  const T sum = bl::sum(e).item(), whole = bl::sum(elements).item();
  return std::memcmp(&sum, &whole, sizeof(T)) == 0;
}

// Products, squares and squares of differences of n elements, at the level in force.
template <class T>
void terms_add_up(bl::index n) {
  const rows some = numbers(1, 2, n);
  const bl::dtensor<T, 1> x = bl::cast<T>(some(0, 0)) / T(3), y = bl::cast<T>(some(0, 1)) / T(7);
  BOOST_TEST(same_sum<T>(x * y));
  BOOST_TEST(same_sum<T>(bl::square(x)));
  BOOST_TEST(same_sum<T>(bl::square(x - y)));
  BOOST_TEST(same_sum<T>(bl::square(x - T(1.7))));
  BOOST_TEST(same_sum<T>(x * T(1.7)));
  BOOST_TEST(same_sum<T>(bl::square(T(1.7) - x)));
  BOOST_TEST(same_sum<T>(x * T(-0.0)));  // a sum of negative zeros
  BOOST_TEST(bl::norm(x).item() == std::sqrt(bl::sum(bl::eval(x * x)).item()));
  BOOST_TEST(bl::sum(bl::square(x - std::numeric_limits<T>::infinity())).item() == std::numeric_limits<T>::infinity());
}

template <class X, class Y>
bool same_bits(const X& x, const Y& y) {
  return x.shape() == y.shape() &&
         std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(*x.data())) == 0;
}

// Rows that lie one after the other, at the end of their memory, and the same rows with an element between them.
template <class T>
void rows_come_to_the_same(bl::index count, bl::index n) {
  const bl::dtensor<T, 2> wide = bl::cast<T>(numbers(1, count, n + 1)(0) - 6.0f);
  const auto apart = wide(bl::all, bl::range(0, n));
  std::vector<T> memory;
  for (bl::index i = 0; i < count; ++i)
    for (bl::index j = 0; j < n; ++j) memory.push_back(wide(i, j));
  const bl::view<const T, bl::dshape<2>, bl::row_major> dense(memory.data(), bl::dshape<2>(count, n), {});
  BOOST_TEST(same_bits(bl::eval(bl::sum(dense, 1)), bl::eval(bl::sum(apart, 1))));
  BOOST_TEST(same_bits(bl::eval(bl::prod(dense, 1)), bl::eval(bl::prod(apart, 1))));
  BOOST_TEST(same_bits(bl::eval(bl::amax(dense, 1)), bl::eval(bl::amax(apart, 1))));
  BOOST_TEST(same_bits(bl::eval(bl::amin(dense, 1)), bl::eval(bl::amin(apart, 1))));
}

// Each reduction of rows that are computed gives the bits of the same elements in memory.
template <class E>
void reduces_as_in_memory(const E& e, const bl::policy& how) {
  const auto elements = bl::eval(e);
  BOOST_TEST(same_bits(bl::eval(bl::sum(e, 1), how), bl::eval(bl::sum(elements, 1))));
  BOOST_TEST(same_bits(bl::eval(bl::amax(e, 1), how), bl::eval(bl::amax(elements, 1))));
}

// A NaN anywhere, infinities, and zeros of either sign, of which the last one stays.
template <class T>
void extremes_keep_nan(bl::index count, bl::index n) {
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (bl::index with = 0; with < 5; ++with) {
    bl::dtensor<T, 2> x = bl::cast<T>(numbers(1, count, n)(0) - 6.0f);
    const bl::dtensor<T, 2> y = bl::zeros<T>(count, n);
    for (bl::index i = 0; i < x.size() && with < 2; ++i)
      if (with == 0)
        x.data()[i] = x.data()[i] > 0 ? T(0) : T(-0.0);
      else if (i % 7 == 0)
        x.data()[i] = -infinity;
    for (bl::index r = 0; r < count && with > 1; ++r) {
      x(r, (r * 31 + with) % n) = with == 2 ? infinity : nan;
      if (with == 4) x(r, (r * 17 + n - 1) % n) = infinity;
    }
    const auto same = [&](const auto& found, const auto& expected) {
      bool all = found.shape() == expected.shape();
      for (bl::index i = 0; i < found.size() && all; ++i) {
        const T a = found.data()[i], b = expected.data()[i];
        all = a != a ? b != b : std::memcmp(&a, &b, sizeof a) == 0;
      }
      BOOST_TEST(all, count << " x " << n << ", " << with);
    };
    const auto e = x - y * x;
    const bl::dtensor<T, 2> elements = e;
    same(bl::eval(bl::amax(e, bl::axes<1>)), bl::eval(bl::amax(elements, bl::axes<1>)));
    same(bl::eval(bl::amin(e, bl::axes<1>)), bl::eval(bl::amin(elements, bl::axes<1>)));
    same(bl::eval(bl::amax(e, bl::axes<0>)), bl::eval(bl::amax(elements, bl::axes<0>)));
    same(bl::eval(bl::amin(e, bl::axes<0>)), bl::eval(bl::amin(elements, bl::axes<0>)));
    same(bl::eval(bl::amax(e)), bl::eval(bl::amax(elements)));
    same(bl::eval(bl::amin(e)), bl::eval(bl::amin(elements)));
  }
}

// Absolute values of an array and of its differences from another one, a row, a column and a number, with a NaN in one
// row, of integers the least, or without, along rows, along columns and all: as elements in memory. The arrays end
// where their memory does.
template <class T>
void absolute_values(bl::index count, bl::index n) {
  for (const bl::index nan_at : {bl::index{-1}, bl::index{0}, n / 2, n - 1}) {
    std::vector<T> memory;
    for (const float e : numbers(2, count, n)) memory.push_back(T(e) / T(3) - T(2));
    if (nan_at >= 0)
      memory[static_cast<std::size_t>((count / 2) * n + nan_at)] =
          std::is_integral_v<T> ? std::numeric_limits<T>::min() : std::numeric_limits<T>::quiet_NaN();
    const bl::view<const T, bl::dshape<3>, bl::row_major> both(memory.data(), bl::dshape<3>(2, count, n), {});
    const auto x = both(0), y = both(1);
    const bl::dtensor<T, 1> row = y(0);
    const bl::dtensor<T, 2> column = y(bl::all, bl::range(0, 1));
    const auto check = [&](const auto& e) {
      const bl::dtensor<T, 2> elements = e;
      const auto same = [&](const auto& found, const auto& expected) {
        bool all = found.shape() == expected.shape();
        for (bl::index i = 0; i < found.size() && all; ++i) {
          const auto a = found.data()[i], b = expected.data()[i];
          all = a != a ? b != b : std::memcmp(&a, &b, sizeof a) == 0;
        }
        BOOST_TEST(all, count << " x " << n << ", " << nan_at);
      };
      same(bl::eval(bl::sum(e, 1)), bl::eval(bl::sum(elements, 1)));
      same(bl::eval(bl::amax(e, 1)), bl::eval(bl::amax(elements, 1)));
      same(bl::eval(bl::amin(e, 1)), bl::eval(bl::amin(elements, 1)));
      same(bl::eval(bl::sum(e, 0)), bl::eval(bl::sum(elements, 0)));
      same(bl::eval(bl::amax(e, 0)), bl::eval(bl::amax(elements, 0)));
      same(bl::eval(bl::sum(e)), bl::eval(bl::sum(elements)));
      same(bl::eval(bl::amax(e)), bl::eval(bl::amax(elements)));
    };
    check(bl::abs(x));
    check(bl::abs(x - y));
    check(bl::abs(x - row));
    check(bl::abs(x - column));
    check(bl::abs(x - T(1.7)));
    check(bl::abs(T(1.7) - x));
    check(bl::abs(row - x));
    check(bl::abs(column - x));
    const bl::dtensor<std::int16_t, 2> integers = bl::cast<std::int16_t>(y * T(9));  // are converted first
    check(bl::abs(x - integers));
    check(bl::abs(integers - x));
    check(bl::abs(x - bl::iota<T>(n, T(2), T(3))));
    check(bl::abs(bl::iota<T>(n, T(2), T(3)) - x));
    const bl::view<const T, bl::dshape<1>, bl::row_major> first(memory.data(), bl::dshape<1>(count * n), {}),
        second(memory.data() + count * n, bl::dshape<1>(count * n), {});
    const bl::dtensor<T, 1> flat = bl::abs(first - second);
    const auto found = bl::amax(bl::abs(first - second)).item(), expected = bl::amax(flat).item();
    BOOST_TEST((found == expected || (found != found && expected != expected)), count << " x " << n << ", " << nan_at);
    if (nan_at < 0) BOOST_TEST(bl::sum(bl::abs(first - second)).item() == bl::sum(flat).item(), count << " x " << n);
  }
}

// Products and squares of rows that are planned: of arrays and parts of them, beside one row, one number for each row
// and one for all.
template <class T>
void planned_products(bl::index count, bl::index n) {
  const bl::dtensor<T, 3> wide = bl::cast<T>(numbers(3, count + 1, n + 3) - 6.0f) / T(3),
                          y = bl::cast<T>(numbers(3, count, n)) / T(7);
  const auto x = wide(bl::all, bl::range(1, count + 1), bl::range(2, n + 2));
  const auto row = y(bl::range(1, 2), bl::range(0, 1)), column = y(bl::all, bl::all, bl::range(0, 1));
  const auto check = [&](const auto& e) {
    const bl::dtensor<T, 3> elements = e;
    const auto whole = bl::eval(bl::sum(elements, bl::axes<2>));
    for (const auto& how : {bl::seq, bl::par.threads(2)}) {
      const bl::dtensor<T, 2> sums(bl::sum(e, bl::axes<2>), how);
      BOOST_TEST(same_bits(sums, whole), count << " x " << n);
    }
  };
  check(x * y);
  check(y * row);
  check(x * column);
  check(bl::square(x));
  check(bl::square(y));
  check(bl::square(x - y));
  check(bl::square(y - bl::flip(x, 1)));
  check(bl::square(x - row));
  check(bl::square(row - y));
  check(bl::square(y - column));
  check(bl::square(column - x));
  check(bl::square(y - T(1.7)));
}

// Of integers computed in 32 bits.
template <class T>
void extremes_of_integers(bl::index count, bl::index n) {
  const bl::dtensor<T, 2> x = bl::reshape(bl::remainder(bl::iota<T>(count * n, T(7), T(48271)), T(99991)), count, n);
  const bl::dtensor<T, 1> row = bl::remainder(bl::iota<T>(n, T(3), T(91813)), T(99991));
  const auto e = x - row;
  const bl::dtensor<T, 2> elements = e;
  BOOST_TEST(same_bits(bl::eval(bl::amax(e, bl::axes<1>)), bl::eval(bl::amax(elements, bl::axes<1>))));
  BOOST_TEST(same_bits(bl::eval(bl::amin(e, bl::axes<1>)), bl::eval(bl::amin(elements, bl::axes<1>))));
  BOOST_TEST(same_bits(bl::eval(bl::amax(e, bl::axes<0>)), bl::eval(bl::amax(elements, bl::axes<0>))));
  BOOST_TEST(same_bits(bl::eval(bl::amin(e, bl::axes<0>)), bl::eval(bl::amin(elements, bl::axes<0>))));
  BOOST_TEST(bl::amax(e).item() == bl::amax(elements).item());
  BOOST_TEST(bl::amin(e).item() == bl::amin(elements).item());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_whole_rows)

BOOST_AUTO_TEST_CASE(absolute_values_reduce_as_elements_in_memory_do) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const bl::index n : {7, 8, 15, 16, 17, 24, 31, 33, 64, 100, 511, 512, 513})
      for (const bl::index count : {1, 2, 7, 8, 16, 17, 23, 70}) {
        absolute_values<float>(count, n);
        absolute_values<double>(count, n);
        absolute_values<std::int32_t>(count, n);
      }
    for (const bl::index n : {7, 17, 24}) {  // in tasks
      absolute_values<float>(3000, n);
      absolute_values<double>(3000, n);
      absolute_values<std::int32_t>(3000, n);
    }
    for (const auto& [count, n] : {std::pair{40, 513}, {16, 1100}, {300, 80}, {9000, 32}}) {
      absolute_values<float>(count, n);
      absolute_values<double>(count, n);
      absolute_values<std::int32_t>(count, n);
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(rows_that_end_within_a_vector_reduce_as_elements_in_memory_do) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index n : {1, 7, 15, 17, 31, 33, 100, 513, 519, 1000, 8199, 66000})
      for (bl::index count : {1, 2, 33, 70}) {
        if (n * count > 70000) continue;
        const rows x = numbers(1, count, n), other = numbers(1, count, n + 3);
        const auto part = other(0)(bl::all, bl::range(3, n + 3));
        for (const auto& how : {bl::seq, bl::par.threads(2)}) {
          reduces_as_in_memory(bl::cast<double>(x(0)) * 1.5 - bl::cast<double>(part), how);
          reduces_as_in_memory(x(0) - part(bl::all, bl::range(0, 1)) * bl::iota<float>(n), how);
          reduces_as_in_memory(bl::flip(x(0), 0) * x(0)(0) + part, how);
        }
      }
  }
  bl::set_isa(bl::isa::v4);
}

BOOST_AUTO_TEST_CASE(computed_rows_add_up_as_elements_in_memory_do) {
  for (const auto& how : {bl::seq, bl::par.threads(3)})
    for (bl::index n : {64, 100, 512, 700, 3000, 70000, 200000}) {
      const bl::index count = n > 9000 ? 1 : 11;
      const rows x = numbers(3, count + 2, n + 5), y = numbers(3, count, n);
      const rows turned = numbers(n, 3, count);
      const auto part = x(bl::all, bl::range(1, count + 1), bl::range(2, n + 2));
      BOOST_TEST(adds_up(part, y, how));
      BOOST_TEST(adds_up(part, y(bl::all, bl::range(0, 1), bl::all), how));
      BOOST_TEST(adds_up(part, y(bl::all, bl::all, bl::range(3, 4)), how));
      BOOST_TEST(adds_up(bl::flip(part, 1), bl::permute(turned, 1, 2, 0), how));
    }
}

BOOST_AUTO_TEST_CASE(one_computed_row_adds_up_as_elements_in_memory_do) {
  for (bl::index n : {8193, 32768, 40000, 65536, 99000, 300000}) {
    const rows x = numbers(1, 1, n), y = numbers(1, 2, n);
    const auto a = x(0, 0), b = y(0, 1);
    const bl::dtensor<float, 1> elements = a * b + 0.25f;
    const float whole = bl::sum(elements).item();
    for (const int threads : {1, 2, 5})
      BOOST_TEST(bl::eval(bl::sum(a * b + 0.25f), bl::par.threads(threads)).item() == whole);
    BOOST_TEST(bl::sum(a * b + 0.25f).item() == whole);
  }
}

BOOST_AUTO_TEST_CASE(products_and_squares_add_up_as_elements_in_memory_do) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index n : {1,    3,    8,    15,   16,   17,   31,   40,   64,   100,  511,  512,  513,
                        1024, 1030, 1536, 2048, 2300, 3000, 4096, 4097, 6144, 7000, 8192, 8193, 9000}) {
      terms_add_up<float>(n);
      terms_add_up<double>(n);
    }
  }
  bl::set_isa(bl::isa::v4);
}

BOOST_AUTO_TEST_CASE(planned_products_and_squares_add_up_as_elements_in_memory_do) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [count, n] : std::vector<std::pair<bl::index, bl::index>>{{900, 7},
                                                                               {700, 8},
                                                                               {500, 16},
                                                                               {400, 17},
                                                                               {200, 40},
                                                                               {150, 64},
                                                                               {1400, 64},
                                                                               {100, 100},
                                                                               {20, 511},
                                                                               {40, 512},
                                                                               {20, 513}}) {
      planned_products<float>(count, n);
      planned_products<double>(count, n);
    }
  }
  bl::set_isa(bl::isa::v4);
}

BOOST_AUTO_TEST_CASE(short_computed_rows_add_up_as_elements_in_memory_do) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index n : {1, 2, 3, 5, 7, 8, 9, 13, 15, 16})
      for (bl::index count : {2, 3, 16, 31, 63, 64, 65, 102, 103, 171, 256, 400, 500}) {
        const rows x = numbers(1, count, n);
        const bl::dtensor<std::int32_t, 3> whole = bl::cast<std::int32_t>(x * 1000.0f);
        BOOST_TEST(adds_up(x, x, bl::seq));
        BOOST_TEST(adds_up(x, numbers(1, count, 1), bl::seq));
        // Of several numbers for each row, too.
        const rows of_rows = numbers(3, count, 1);
        const auto e = x(0) * of_rows(0) + of_rows(1) * 0.5f - of_rows(2);
        BOOST_TEST(same_bits(bl::eval(bl::sum(e, 1)), bl::eval(bl::sum(bl::eval(e), 1))));
        const bl::dtensor<std::int32_t, 3> elements = whole * 3 - 5;
        BOOST_TEST(bl::array_equal(bl::amax(whole * 3 - 5, bl::axes<2>), bl::amax(elements, bl::axes<2>)));
        BOOST_TEST(bl::array_equal(bl::argmin(whole * 3 - 5, bl::axes<2>), bl::argmin(elements, bl::axes<2>)));
        BOOST_TEST(bl::array_equal(bl::any(x > 3.0f, bl::axes<2>), bl::any(bl::eval(x > 3.0f), bl::axes<2>)));
      }
  }
  bl::set_isa(bl::isa::v4);
}

BOOST_AUTO_TEST_CASE(many_short_computed_rows_add_up_as_elements_in_memory_do) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index n : {3, 15, 16, 24, 48, 63, 64, 65, 100, 127, 128})
      for (const auto& how : {bl::seq, bl::par.threads(3)}) {
        const bl::index count = 70000 / n;
        const rows x = numbers(2, count, n), wide = numbers(2, count, n + 1);
        BOOST_TEST(adds_up(x, x, how));
        BOOST_TEST(adds_up(x, numbers(2, count, 1), how));
        BOOST_TEST(adds_up(x, wide(bl::all, bl::all, bl::range(0, n)), how));
        BOOST_TEST(adds_up(x, wide(bl::all, bl::all, bl::range(1, 2)), how));
        BOOST_TEST(adds_up(x, wide(bl::range(0, 1), bl::range(0, 1), bl::range(0, n)), how));
      }
  }
  bl::set_isa(bl::isa::v4);
}

BOOST_AUTO_TEST_CASE(short_rows_come_to_the_same_wherever_they_lie) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (bl::index n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16})
      for (bl::index count : {15, 16, 50}) {
        rows_come_to_the_same<float>(count, n);
        rows_come_to_the_same<double>(count, n);
        rows_come_to_the_same<std::int32_t>(count, n);
        rows_come_to_the_same<std::uint64_t>(count, n);
      }
    // Zeros of both signs and NaN.
    bl::dtensor<float, 2> x(64, 5);
    for (float& e : x) e = -0.0f;
    x(3, 4) = 0.0f;
    x(9, 1) = std::numeric_limits<float>::quiet_NaN();
    const bl::dtensor<float, 1> sums = bl::sum(x, 1), most = bl::amax(x, 1);
    for (bl::index i = 0; i < 64; ++i) {
      BOOST_TEST(std::isnan(sums(i)) == (i == 9));
      BOOST_TEST(std::isnan(most(i)) == (i == 9));
      if (i != 9) BOOST_TEST(std::signbit(sums(i)) == (i != 3));
    }
  }
  bl::set_isa(bl::isa::v4);
}

BOOST_AUTO_TEST_CASE(maxima_and_minima_of_what_is_computed) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [count, n] : {std::pair{1, 64}, {3, 128}, {64, 256}, {17, 65}, {40, 700}, {2, 2049}}) {
      extremes_keep_nan<float>(count, n);
      extremes_keep_nan<double>(count, n);
      extremes_of_integers<std::int32_t>(count, n);
      extremes_of_integers<std::uint32_t>(count, n);
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_SUITE_END()
