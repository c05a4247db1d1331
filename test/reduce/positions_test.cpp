// Positions of extremes against a loop: lengths around those of vectors and blocks, ties, zeros of both signs,
// infinities and NaN anywhere, at every level.
#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace bl = broadloom;

namespace {

using bl::index;

// The first NaN, else the first extreme.
template <class T, class Before>
index expected_place(const T* x, index n, Before before) {
  index place = 0;
  for (index i = 0; i < n; ++i) {
    if (x[i] != x[i]) return i;
    if (before(x[i], x[place])) place = i;
  }
  return place;
}

// Few different values for ties, or many; of floats also what compares in its own way.
template <class T>
T draw(std::mt19937& random, int kind) {
  const auto r = static_cast<int>(random() % (kind == 0 ? 3u : 100u));
  if constexpr (std::numeric_limits<T>::is_iec559) {
    if (kind == 2 && r == 0) return -T{};
    if (kind == 2 && r == 1) return std::numeric_limits<T>::infinity();
    if (kind == 2 && r == 2) return -std::numeric_limits<T>::infinity();
    if (kind == 3) return r % 2 == 0 ? T{} : -T{};
  }
  return static_cast<T>(r - (std::numeric_limits<T>::is_signed ? 50 : 0));
}

template <class T>
void check_positions() {
  std::mt19937 random(20);
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const index n : {1,    2,    3,    15,   16,   17,   31,   33,   63,   64,   65,   127,  255, 257,
                          1000, 1023, 1024, 1025, 1039, 1040, 2047, 2063, 4095, 4096, 4097, 4160, 9001})
      for (int kind = 0; kind < 4; ++kind) {
        bl::dtensor<T, 2> x(3, n);
        for (index i = 0; i < x.size(); ++i) x.data()[i] = draw<T>(random, kind);
        if constexpr (std::numeric_limits<T>::is_iec559)
          if (kind == 2)  // NaN in the second row, twice
            for (int k = 0; k < 2; ++k) x(1, static_cast<index>(random() % static_cast<unsigned>(n))) = NAN;
        const auto most = bl::eval(bl::argmax(x, bl::axes<1>)), least = bl::eval(bl::argmin(x, bl::axes<1>));
        const auto of_expression = bl::eval(bl::argmax(x + x, bl::axes<1>));
        const bl::dtensor<T, 2> doubled = x + x;
        bool right = true;
        for (index r = 0; r < 3; ++r) {
          const T* const row = x.data() + r * n;
          right = right && most(r) == expected_place(row, n, [](T a, T b) { return a > b; }) &&
                  least(r) == expected_place(row, n, [](T a, T b) { return a < b; }) &&
                  of_expression(r) == expected_place(doubled.data() + r * n, n, [](T a, T b) { return a > b; });
        }
        BOOST_TEST(right, "level " << static_cast<int>(level) << ", length " << n << ", kind " << kind);
      }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Columns, which are looked at together: numbers of rows around what is counted in the elements' size.
template <class T>
void check_columns() {
  std::mt19937 random(21);
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const index rows : {1, 2, 5, 64, 127, 128, 129, 300})
      for (const index columns : {15, 16, 31, 64, 65, 129, 513, 1100})
        for (int kind = 0; kind < 3; ++kind) {
          bl::dtensor<T, 2> x(rows, columns);
          for (index i = 0; i < x.size(); ++i) x.data()[i] = draw<T>(random, kind);
          if constexpr (std::numeric_limits<T>::is_iec559)
            if (kind == 2)
              for (index k = 0; k < columns; ++k) x.data()[random() % static_cast<unsigned>(x.size())] = NAN;
          const bl::dtensor<T, 2> turned = x.T(), doubled = x.T() + x.T();
          bl::dtensor<index, 1> most(columns), least(columns), of_expression(columns);
          bl::assign(most, bl::argmax(x, bl::axes<0>), kind == 1 ? bl::par.threads(3) : bl::seq);
          bl::assign(least, bl::argmin(x, bl::axes<0>), bl::seq);
          bl::assign(of_expression, bl::argmax(x + x, bl::axes<0>), bl::seq);
          bool right = true;
          for (index c = 0; c < columns; ++c) {
            const T *const column = turned.data() + c * rows, *const twice = doubled.data() + c * rows;
            right = right && most(c) == expected_place(column, rows, [](T a, T b) { return a > b; }) &&
                    least(c) == expected_place(column, rows, [](T a, T b) { return a < b; }) &&
                    of_expression(c) == expected_place(twice, rows, [](T a, T b) { return a > b; });
          }
          BOOST_TEST(right, "level " << static_cast<int>(level) << ", " << rows << " x " << columns << ", " << kind);
        }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Sequences that are cut into several parts: the extreme in any of them, met again in one behind it.
void check_long_sequences(const bl::policy& p) {
  constexpr index n = 300001;
  for (const index place : {index{0}, index{70000}, index{140001}, index{262144}, n - 1}) {
    bl::dtensor<float, 2> x(2, n);
    for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 7);
    const index places[] = {place, n - 1 - place};
    for (index r = 0; r < 2; ++r) {
      x(r, places[r]) = 9;
      x(r, std::min(n - 1, places[r] + 100000)) = 9;
    }
    bl::dtensor<std::int64_t, 1> as_it_lies(2), of_expression(2), of_columns(2);
    bl::assign(as_it_lies, bl::argmax(x, bl::axes<1>), p);
    bl::assign(of_expression, bl::argmin(1.0f - x, bl::axes<1>), p);
    const bl::dtensor<float, 2> turned = x.T();
    bl::assign(of_columns, bl::argmax(turned, bl::axes<0>), p);
    for (index r = 0; r < 2; ++r) {
      BOOST_TEST(as_it_lies(r) == places[r]);
      BOOST_TEST(of_expression(r) == places[r]);
      BOOST_TEST(of_columns(r) == places[r]);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_positions)

BOOST_AUTO_TEST_CASE(of_f32) { check_positions<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check_positions<double>(); }
BOOST_AUTO_TEST_CASE(of_i8) { check_positions<std::int8_t>(); }
BOOST_AUTO_TEST_CASE(of_u16) { check_positions<std::uint16_t>(); }
BOOST_AUTO_TEST_CASE(of_i32) { check_positions<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(of_u64) { check_positions<std::uint64_t>(); }
BOOST_AUTO_TEST_CASE(of_columns) {
  check_columns<float>();
  check_columns<double>();
  check_columns<std::int8_t>();
  check_columns<std::uint16_t>();
}
BOOST_AUTO_TEST_CASE(of_long_sequences) {
  check_long_sequences(bl::seq);
  check_long_sequences(bl::par.threads(3));
}

BOOST_AUTO_TEST_SUITE_END()
