// Short lines, which are sorted eight at a time: elements and indices as of a stable sort, at every level.
#include "cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
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
void compare(const bl::dtensor<T, 3>& x, index count, bool descending) {
  const index outer = x.shape()[0], n = x.shape()[1], inner = x.shape()[2];
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
void compare(index outer, index n, index inner, index count, bool descending, std::mt19937& random) {
  bl::dtensor<T, 3> x(outer, n, inner);
  for (index i = 0; i < x.size(); ++i) x.data()[i] = element<T>(random);
  compare(x, count, descending);
}

template <class T>
void all_lengths() {
  std::mt19937 random(7);
  for (const bl::isa level : bl::runtime::every_isa) {
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
    // few of many, which the first ones of some lanes exclude
    for (const index n : {127, 128, 129, 144, 300, 1025})
      for (const index count : {1, 2, 3, 7, 8, 9})
        for (const bool descending : {false, true}) compare<T>(5, n, 1, count, descending, random);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_lines_of_f32) { all_lengths<float>(); }
BOOST_AUTO_TEST_CASE(short_lines_of_i32) { all_lengths<std::int32_t>(); }

using whole_types = std::tuple<std::int64_t, std::uint64_t, std::uint32_t, std::int16_t, std::uint8_t, std::int8_t>;
using byte_types = std::tuple<std::int8_t, std::uint8_t>;

// Around the first element, by up to what 32 bits hold and one more, and around the ends of the type.
BOOST_AUTO_TEST_CASE_TEMPLATE(integers_as_those_of_32_bits, T, whole_types) {
  using limits = std::numeric_limits<T>;
  constexpr std::uint64_t half = std::uint64_t{1} << 31;
  std::mt19937 random(11);
  for (const T first : {T(0), T(5), limits::max(), limits::lowest(), static_cast<T>(limits::max() / 2),
                        static_cast<T>(half), static_cast<T>(half + 1), static_cast<T>(0 - half)})
    for (const std::uint64_t reach : {std::uint64_t{3}, half - 1, half, half + 1, 2 * half - 1, 2 * half, 4 * half})
      for (const bool descending : {false, true})
        for (const auto [outer, n, inner] : {std::array<bl::index, 3>{1, 300, 1}, {9, 40, 1}, {1, 30, 17}}) {
          bl::dtensor<T, 3> x(outer, n, inner);
          const std::uint64_t from = static_cast<std::uint64_t>(first);
          for (bl::index i = 0; i < x.size(); ++i) {
            const std::uint64_t at[] = {from, from + reach, from - reach, from + random() % reach,
                                        from - random() % reach};
            x.data()[i] = static_cast<T>(at[random() % 5]);
          }
          x.data()[0] = first;
          compare(x, n, descending);
          compare(x, n / 3, descending);
        }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bytes_are_counted, T, byte_types) {
  std::mt19937 random(12);
  for (const bl::index n : {127, 128, 129, 400, 5000})
    for (const bool descending : {false, true})
      for (const bl::index inner : {1, 3}) {
        bl::dtensor<T, 3> x(2, n, inner);
        for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(random());
        compare(x, n, descending);
        BOOST_TEST(bl::array_equal(bl::argsort(x, 1, descending), bl::sort(x, 1, descending).indices));
      }
}

using quantile_types = std::tuple<float, double>;
using selected_types = std::tuple<float, double, std::int32_t, std::int64_t, std::uint16_t>;
// Long lines are narrowed down by a sample first.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_of_many_is_that_of_the_sorted_line, T, selected_types) {
  for (const bl::index n : {1024, 1500, 16384, 70001})
    for (const int pattern : {0, 1, 2, 3, 4, 5, 6}) {
      bl::dtensor<T, 2> x(n, 2);
      for (bl::index i = 0; i < 2 * n; ++i) {
        const auto mixed = static_cast<unsigned>(i) * 2654435761u >> 7;
        x.data()[i] = pattern == 0   ? static_cast<T>(mixed % 50021u)
                      : pattern == 1 ? static_cast<T>(7)
                      : pattern == 2 ? static_cast<T>(mixed % 3u)
                      : pattern == 3 ? static_cast<T>((2 * n - i) % 65536)
                                     : static_cast<T>(i % (n / 256));  // the pattern of the sample's steps
        if ((pattern == 5 && i % 401 == 17) || (pattern == 6 && i / 2 % 8 != 3))
          x.data()[i] = std::numeric_limits<T>::quiet_NaN();
      }
      const auto order = bl::argsort(x, 0);
      const auto middle = bl::median(x, 0).indices;
      for (bl::index c = 0; c < 2; ++c) {
        bl::index want = order((n - 1) / 2, c);
        if (pattern >= 5 && !std::is_integral_v<T>)
          for (want = 0; x(want, c) == x(want, c);) ++want;
        BOOST_TEST(middle(c) == want, "median of column " << c << " of " << n << ", pattern " << pattern);
        const bl::dtensor<T, 1> line = bl::eval(x(bl::all, c));
        bl::index numbers = 0;
        for (bl::index i = 0; i < n; ++i) numbers += line(i) == line(i) ? 1 : 0;
        const auto of_line = bl::nanmedian(line, 0).indices.item();
        const auto of_column = bl::nanmedian(x, 0).indices(c);
        const bl::index number_wanted = order((numbers - 1) / 2, c);
        BOOST_TEST((of_line == number_wanted && of_column == number_wanted),
                   "nanmedian of column " << c << " of " << n << ", pattern " << pattern);
        for (const bl::index k : {bl::index{1}, n / 7, n / 2, n - 2, n}) {
          const auto found = bl::kthvalue(bl::eval(x(bl::all, c)), k);
          BOOST_TEST(found.indices.item() == order(k - 1, c), "number " << k << " of column " << c << " of " << n);
        }
      }
    }
}

// Of lines with ties, and with NaN: all of them, one, every second.
BOOST_AUTO_TEST_CASE_TEMPLATE(quantiles_of_long_lines_are_between_those_of_the_sorted_line, T, quantile_types) {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  for (const bl::index n : {1023, 1024, 1100, 16384, 70001})
    for (const unsigned different : {2u, 40u, 50021u})
      for (const int nans : {0, 1, 2, 3}) {
        bl::dtensor<T, 2> x(n, 2);
        for (bl::index i = 0; i < 2 * n; ++i) {
          const auto mixed = static_cast<unsigned>(i) * 2654435761u >> 7;
          const bool is_nan = nans == 3 || (nans == 2 && mixed % 2 == 1) || (nans == 1 && i / 2 == n / 3);
          x.data()[i] = is_nan ? nan : static_cast<T>(mixed % different) - T(20);
        }
        const auto order = bl::sort(x, 0).values;
        for (bl::index c = 0; c < 2; ++c) {
          bl::index numbers = 0;
          while (numbers < n && order(numbers, c) == order(numbers, c)) ++numbers;
          const bl::dtensor<T, 1> line = bl::eval(x(bl::all, c));
          const auto check = [&](T found, T of_numbers, bl::index low, const char* how, double q) {
            const bool right = numbers == n ? found == order(low, c) : found != found;
            BOOST_TEST(right,
                       how << " " << q << " of column " << c << " of " << n << ", " << different << ", " << nans);
            if (nans == 0) BOOST_TEST(of_numbers == order(low, c), how << " of numbers, " << q << " of " << n);
            if (numbers == 0) BOOST_TEST((of_numbers != of_numbers));
          };
          for (const double q : {0.0, 0.125, 0.5, 0.875, 1.0}) {
            const T rank = static_cast<T>(q) * static_cast<T>(n - 1);
            check(bl::quantile(line, q, 0, bl::interpolation::lower).item(),
                  bl::nanquantile(line, q, 0, bl::interpolation::lower).item(),
                  static_cast<bl::index>(std::floor(rank)), "lower", q);
            check(bl::quantile(x, q, 0, bl::interpolation::higher)(c),
                  bl::nanquantile(x, q, 0, bl::interpolation::higher)(c), static_cast<bl::index>(std::ceil(rank)),
                  "higher", q);
            if (numbers == 0) continue;
            const T own = static_cast<T>(q) * static_cast<T>(numbers - 1), at = std::floor(own);
            const T low = order(static_cast<bl::index>(at), c), high = order(static_cast<bl::index>(std::ceil(own)), c);
            const T between = bl::nanquantile(line, q, 0).item();
            BOOST_TEST(
                (std::abs(between - (low + (own - at) * (high - low))) <= T(0.01) && between >= low && between <= high),
                "linear " << q << " of " << n << ", " << different << ", " << nans);
            if (nans == 0) BOOST_TEST((between == bl::quantile(line, {q, 0.5}, 0)(0)));
          }
        }
        if (nans == 3) {
          const auto none = bl::nanmedian(x, 0);
          BOOST_TEST((none.indices(0) == 0 && none.indices(1) == 0 && none.values(1) != none.values(1)));
        }
      }
}
