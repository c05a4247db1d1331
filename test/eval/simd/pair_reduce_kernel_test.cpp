// Extremes of comparisons of all pairs of rows: are all elements of a row below those of another, or some?
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>

namespace bl = broadloom;

namespace {

template <class T>
void check() {
  for (const bl::index n : {1, 3, 64, 70}) {
    bl::dtensor<T, 3> a(5, 1, n), b(1, 37, n);
    unsigned state = 1;
    for (auto* x : {&a, &b})
      for (T& e : *x) e = static_cast<T>((state = state * 1664525u + 1013904223u) >> 30);
    bl::dtensor<T, 2> table(6, 37);
    for (bl::index k = 0; k < 6 * 37; ++k) table(k / 37, k % 37) = b(0, k % 37, k % n);
    bl::dtensor<bl::index, 2> ids(5, n);
    for (bl::index k = 0; k < 5 * n; ++k) ids(k / n, k % n) = k * k % 6;
    const bl::dtensor<T, 1> row = table(3);

    const auto below = bl::eval(a < b);
    const bl::dtensor<bool, 2> every = bl::amin(a < b, bl::axes<2>), some = bl::amax(a < b, bl::axes<-1>);
    const bl::dtensor<bool, 2> found = bl::amax(bl::take(table, ids, 0) < row, bl::axes<1>);
    for (bl::index i = 0; i < 5; ++i)
      for (bl::index j = 0; j < 37; ++j) {
        bool all_of = true, any_of = false, of_table = false;
        for (bl::index k = 0; k < n; ++k) {
          all_of = all_of && below(i, j, k);
          any_of = any_of || below(i, j, k);
          of_table = of_table || table(ids(i, k), j) < row(j);
        }
        BOOST_TEST_REQUIRE(every(i, j) == all_of);
        BOOST_TEST_REQUIRE(some(i, j) == any_of);
        BOOST_TEST_REQUIRE(found(i, j) == of_table);
      }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_simd_pair_reduce_kernel)

BOOST_AUTO_TEST_CASE(extremes_of_comparisons_of_pairs_of_rows) {
  check<std::uint8_t>();
  check<std::int16_t>();
  check<int>();
  check<std::int64_t>();
  check<float>();
  check<double>();
}

BOOST_AUTO_TEST_SUITE_END()
