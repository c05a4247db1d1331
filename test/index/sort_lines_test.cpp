// Short lines, which are sorted eight at a time: elements and indices as of a stable sort, at every level.
#include "cases.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <broadloom/core/isa.hpp>

namespace {

namespace bl = broadloom;
using bl::index;

// NaN comes last, first in descending order.
template <class T>
bool before(T a, T b, bool descending) {
  if (descending) return b < a || (a != a && b == b);
  return a < b || (b != b && a == a);
}

template <class T>
T element(std::mt19937& random) {
  using limits = std::numeric_limits<T>;
  const unsigned what = random() % 16;
  if constexpr (limits::has_quiet_NaN) {
    if (what == 0) return random() % 2 != 0 ? limits::quiet_NaN() : -limits::quiet_NaN();
    if (what == 1) return random() % 2 != 0 ? limits::infinity() : -limits::infinity();
    if (what == 2) return random() % 2 != 0 ? T(0) : -T(0);
    if (what == 3) return random() % 2 != 0 ? limits::denorm_min() : -limits::denorm_min();
  } else {
    if (what == 0) return random() % 2 != 0 ? limits::max() : limits::lowest();
  }
  if (what < 8) return static_cast<T>(static_cast<int>(random() % 7) - 3);  // equal ones
  return static_cast<T>(static_cast<int>(random()));
}

// The first `count` of every line along the middle axis of (outer, n, inner).
template <class T>
void compare(index outer, index n, index inner, index count, bool descending, std::mt19937& random) {
  bl::dtensor<T, 3> x(outer, n, inner);
  for (index i = 0; i < x.size(); ++i) x.data()[i] = element<T>(random);
  const auto check = [&](const auto& found) {
    index wrong = 0;
    std::vector<index> order(static_cast<std::size_t>(n));
    for (index o = 0; o < outer; ++o)
      for (index c = 0; c < inner; ++c) {
        std::iota(order.begin(), order.end(), index{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](index a, index b) { return before(x(o, a, c), x(o, b, c), descending); });
        for (index k = 0; k < count; ++k) {
          const index at = order[static_cast<std::size_t>(k)];
          const T want = x(o, at, c), value = found.values(o, k, c);
          if (found.indices(o, k, c) != at || std::memcmp(&want, &value, sizeof want) != 0) ++wrong;
        }
      }
    BOOST_TEST(wrong == 0, outer << " x " << n << " x " << inner << ", " << count << ", descending " << descending);
  };
  if (count == n)
    check(bl::sort(x, 1, descending));
  else
    check(bl::topk(x, count, 1, descending));
}

template <class T>
void all_lengths() {
  std::mt19937 random(7);
  for (const bl::isa level : {bl::isa::base, bl::isa::v3, bl::isa::v4}) {
    if (bl::set_isa(level) != level) continue;
    for (index n = 1; n <= 70; ++n)
      for (const bool descending : {false, true}) {
        compare<T>(19, n, 1, n, descending, random);
        compare<T>(2, n, 11, n, descending, random);
        if (n > 1)
          compare<T>(9, n, 2, 1 + static_cast<index>(random() % static_cast<unsigned>(n - 1)), descending, random);
      }
    for (const index n : {127, 128, 129, 255, 256, 257, 511, 512, 513}) compare<T>(8, n, 1, n, n % 2 == 0, random);
    for (const index n : {257, 1000, 1023, 1024, 1025}) compare<T>(1, n, 9, n, n % 2 == 0, random);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_lines_of_f32) { all_lengths<float>(); }
BOOST_AUTO_TEST_CASE(short_lines_of_i32) { all_lengths<std::int32_t>(); }
