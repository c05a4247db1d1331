// Sums of few rows that share a row, an array or a ramp: the bits of those of the same elements in memory.
// Build: optimised (its loops exist only with optimisation)
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstring>

namespace bl = broadloom;

namespace {

struct level_restored {
  bl::isa before = bl::runtime::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

template <class A, class B>
bool same_bits(const A& a, const B& b) {
  const auto x = bl::eval(a), y = bl::eval(b);
  return x.shape() == y.shape() &&
         std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof *x.data()) == 0;
}

template <class T>
void check() {
  const level_restored restored;
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const bl::index rows : {1, 2, 3, 8, 33, 150})
      for (const bl::index n : {1, 2, 3, 4, 5, 8, 13, 16, 31, 32, 33, 64, 100, 255, 511, 512, 513, 1500, 5000}) {
        if (rows * n > 20000) continue;
        const bl::dtensor<T, 2> x =
            bl::cast<T>(bl::reshape(bl::remainder(bl::iota<int>(rows * n, 3, 7), 97), rows, n)) / T(7);
        const bl::dtensor<T, 1> b = bl::cast<T>(bl::remainder(bl::iota<int>(n, 5, 11), 89)) / T(3);
        const bl::dtensor<T, 1> c = bl::cast<T>(bl::iota<int>(rows)) + T(1);
        const auto ramp = bl::iota<T>(n + 5000);
        const auto near = bl::iota<T>(n);
        const auto far = bl::slice(ramp, bl::range(5000, 5000 + n));
        const bl::dtensor<T, 1> r = near, f = far;
        const auto by_row = bl::unsqueeze(c, 1);
        const auto same = [&](const char* name, const auto& e, const auto& array) {
          const auto elements = bl::eval(array);
          BOOST_TEST((same_bits(bl::sum(e, bl::axes<1>), bl::sum(elements, bl::axes<1>)) &&
                      same_bits(bl::amax(e, bl::axes<1>), bl::amax(elements, bl::axes<1>)) &&
                      same_bits(bl::mean(e, bl::axes<1>), bl::mean(elements, bl::axes<1>))),
                     name << ", " << rows << " x " << n << ", level " << static_cast<int>(level));
        };
        same("a row", x * b, x * b);
        same("a row first", b - x, b - x);
        same("two rows", x * b + b, x * b + b);
        same("a row and a number for each", x * b + by_row, x * b + by_row);
        same("a ramp in memory", x * near, x * r);
        same("a ramp", x * far, x * f);
        same("a ramp and a row", x * far - b, x * f - b);
        same("a ramp and a number for each row", by_row * far, by_row * f);
      }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_whole_rows_shared)

BOOST_AUTO_TEST_CASE(rows_of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(rows_of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
