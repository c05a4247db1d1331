// cumsum and cumprod against the table.
// Build: unoptimised, seldom
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T, 1>("cumsum", [](const auto& x, broadloom::index axis) { return broadloom::cumsum(x, axis); });
  table::run_all<T, 1>("cumprod", [](const auto& x, broadloom::index axis) { return broadloom::cumprod(x, axis); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_scans_table)

TABLE_CASES(check)

// A single row is read in place, or computed a block at a time; whatever of it is the output.
BOOST_AUTO_TEST_CASE(single_rows_over_their_own_operands) {
  namespace bl = broadloom;
  bl::dtensor<double, 1> a(100003);
  const auto check = [&](const char* what, bl::index n, bl::index to, const auto& tree) {
    for (bl::index i = 0; i < a.size(); ++i) a(i) = static_cast<double>(i * 37 % 101 - 50);
    const auto terms = bl::eval(tree(n));
    auto o = a(bl::range(to, to + n));
    o = bl::cumsum(tree(n), 0);
    double sum = 0;
    bl::index wrong = 0;
    for (bl::index i = 0; i < n; ++i) wrong += a(to + i) != (sum += terms(i));  // integers: exact
    BOOST_TEST(wrong == 0, what << " of " << n);
  };
  const auto at = [&](bl::index first, bl::index n) { return a(bl::range(first, first + n)); };
  for (const int threads : {1, 2}) {
    bl::set_max_threads(threads);
    for (const bl::index n : {5, 1000, 16385, 100000}) {
      check("itself", n, 0, [&](bl::index k) { return at(0, k) + 0; });
      check("one to the right", n, 0, [&](bl::index k) { return at(1, k); });
      check("one to the left", n, 1, [&](bl::index k) { return at(0, k); });
      check("itself from the end", n, 0, [&](bl::index k) { return bl::flip(at(0, k), 0); });
      check("both", n, 0, [&](bl::index k) { return at(0, k) * 2 + bl::flip(at(0, k), 0); });
      check("two to the left", n, 2, [&](bl::index k) { return at(0, k) * 2 + at(1, k); });
      check("a ramp", n, 0, [&](bl::index k) { return bl::iota<double>(k) * 3.0 + 1; });
    }
  }
  bl::set_max_threads(0);
}

BOOST_AUTO_TEST_SUITE_END()
