// Reductions of all elements of arrays and a row that they share: the bits of those of the same elements in memory. And
// counts of comparisons and sums of integers, whose loops keep them in few bits.
// Build: optimised (its loops exist only with optimisation)
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>
#include <string>

namespace bl = broadloom;

namespace {

struct level_restored {
  bl::isa before = bl::runtime::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

template <class T>
bool same_bits(T x, T y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}

template <class F>
void at_each_level(const F& f) {
  const level_restored restored;
  for (const bl::isa level : bl::runtime::every_isa)
    if (bl::set_isa(level) == level) f("level " + std::to_string(static_cast<int>(level)));
}

// Rows that are a part of a strip, several strips, neither, and no whole vectors.
template <class T>
void check() {
  at_each_level([](const std::string& level) {
    for (const bl::index rows : {1, 2, 3, 4, 7, 9, 40, 129})
      for (const bl::index n : {1,   3,   8,   12,  16,  32,  48,  64,   65,   128,  192, 256,
                                272, 342, 400, 500, 511, 512, 768, 1024, 1040, 1536, 5120}) {
        if (rows * n > 70000) continue;
        const bl::dtensor<T, 2> x =
            bl::cast<T>(bl::reshape(bl::remainder(bl::iota<int>(rows * n, 3, 7), 97), rows, n)) / T(7);
        const bl::dtensor<T, 1> b = bl::cast<T>(bl::remainder(bl::iota<int>(n, 5, 11), 89)) / T(3);
        const bl::dtensor<T, 2> c = bl::reshape(b, 1, n);
        const auto same = [&](const char* name, const auto& e) {
          const auto elements = bl::eval(e);
          BOOST_TEST((same_bits(bl::sum(e)(), bl::sum(elements)()) && same_bits(bl::amax(e)(), bl::amax(elements)()) &&
                      same_bits(bl::prod(e)(), bl::prod(elements)()) && same_bits(bl::mean(e)(), bl::mean(elements)())),
                     name << ", " << rows << " x " << n << ", " << level);
        };
        same("a row", bl::square(x - b));
        same("a row of two axes", bl::square(c - x));
        same("products with a row", x * b);
        same("two rows", (x - b) * (c + T(1)) + b);
        same("a row, a number and the array once more", (x - b) * T(3) + x);
        BOOST_TEST(bl::count_nonzero(x > b)() == bl::count_nonzero(bl::eval(x > b))());
      }
  });
}

// As many true ones as there are elements, so that no count is too large for where it is kept.
template <class T>
void count() {
  at_each_level([](const std::string& level) {
    for (const bl::index rows : {1, 8, 64, 513, 4100})
      for (const bl::index n : {7, 16, 64, 640}) {
        const bl::dtensor<T, 2> x = bl::cast<T>(bl::remainder(bl::reshape(bl::iota<int>(rows * n), rows, n), 2));
        const auto all = [&](const auto& e, bl::index of_row) {
          BOOST_TEST(bl::count_nonzero(e)() == rows * of_row, rows << " x " << n << ", " << level);
          const auto found = bl::eval(bl::count_nonzero(e, bl::axes<1>));
          BOOST_TEST(bl::all(found == of_row)(), "rows of " << rows << " x " << n << ", " << level);
          BOOST_TEST(bl::sum(bl::count_nonzero(e, bl::axes<0>))() == rows * of_row,
                     "columns of " << rows << " x " << n << ", " << level);
        };
        all(x < T(2), n);
        all(x > T(2), 0);
        all(x == x * x && !(x > T(1)), n);
        if (n % 2 == 0) all(x != T(0), n / 2);
      }
  });
}

// Sums of 32 bits computed are those of the same elements in memory, whole and of rows: of the largest elements, the
// smallest and ones that wrap.
template <class T>
void sum_integers() {
  at_each_level([](const std::string& level) {
    for (const bl::index rows : {1, 3, 8, 65})
      for (const bl::index n : {1, 3, 7, 8, 9, 16, 64, 65, 200, 256, 400, 512, 520, 1031, 5120})
        for (const int pattern : {0, 1, 2, 3}) {
          bl::dtensor<T, 2> x(rows, n);
          bl::dtensor<T, 1> b(n);
          using limits = std::numeric_limits<T>;
          for (bl::index i = 0; i < rows * n; ++i) {
            const auto mixed = static_cast<std::uint32_t>(i) * 2654435761U;
            x.data()[i] = pattern == 0   ? limits::max()
                          : pattern == 1 ? limits::min()
                          : pattern == 2 ? static_cast<T>(mixed)
                                         : static_cast<T>(i % 2 == 0 ? 0xffffU : 0x10000U);
          }
          for (bl::index i = 0; i < n; ++i) b.data()[i] = pattern < 2 ? T{} : static_cast<T>(i * 7919);
          const auto same = [&](const char* name, const auto& e) {
            const auto elements = bl::eval(e);
            std::int64_t all = 0;
            for (bl::index i = 0; i < rows * n; ++i) all += elements.data()[i];
            BOOST_TEST(bl::sum(e)() == all, name << ", " << rows << " x " << n << ", " << pattern << ", " << level);
            const auto found = bl::eval(bl::sum(e, bl::axes<1>)), columns = bl::eval(bl::sum(e, bl::axes<0>));
            BOOST_TEST((bl::all(found == bl::sum(elements, bl::axes<1>))() &&
                        bl::all(columns == bl::sum(elements, bl::axes<0>))()),
                       name << " of rows, " << rows << " x " << n << ", " << pattern << ", " << level);
          };
          same("as they are", x | x);
          same("squares", bl::square(x - bl::flip(x, 0)));
          same("a row", bl::square(x - b));
          same("a row added", x + b);
          same("a number", (x ^ T(3)) + b - x);
        }
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_rows_of_all)

BOOST_AUTO_TEST_CASE(all_of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(all_of_f64) { check<double>(); }
BOOST_AUTO_TEST_CASE(sums_of_i32) { sum_integers<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(sums_of_u32) { sum_integers<std::uint32_t>(); }
BOOST_AUTO_TEST_CASE(counts_of_f32) { count<float>(); }
BOOST_AUTO_TEST_CASE(counts_of_f64) { count<double>(); }
BOOST_AUTO_TEST_CASE(counts_of_i8) { count<std::int8_t>(); }
BOOST_AUTO_TEST_CASE(counts_of_u16) { count<std::uint16_t>(); }

BOOST_AUTO_TEST_SUITE_END()
