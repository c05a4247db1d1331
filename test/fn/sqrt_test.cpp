// The square root of constant expressions is correctly rounded: it agrees with the processor's for every kind of
// number.
// Build: gcc-alone, clang-too
#include <broadloom/fn/sqrt.hpp>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace bl = broadloom;

static_assert(bl::detail::constexpr_sqrt(4.0) == 2.0 && bl::detail::constexpr_sqrt(2.0) == 1.4142135623730951);
static_assert(bl::detail::constexpr_sqrt(2.f) == 1.4142135f);

namespace {

template <class T, class Bits>
bool agrees(Bits bits) {
  const T x = std::bit_cast<T>(bits);
  const T mine = bl::detail::constexpr_sqrt(x), processors = std::sqrt(x);
  if (std::isnan(processors)) return std::isnan(mine);
  return std::bit_cast<Bits>(mine) == std::bit_cast<Bits>(processors);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_sqrt)

BOOST_AUTO_TEST_CASE(special_values) {
  using d = std::numeric_limits<double>;
  using f = std::numeric_limits<float>;
  for (const double x :
       {0.0, -0.0, 1.0, -1.0, d::infinity(), -d::infinity(), d::quiet_NaN(), d::denorm_min(), d::min(), d::max(),
        d::lowest(), -d::denorm_min(), d::min() - d::denorm_min(), 1 - d::epsilon() / 2, 1 + d::epsilon()})
    BOOST_TEST((agrees<double>(std::bit_cast<std::uint64_t>(x))), "of " << x);
  for (const float x : {0.f, -0.f, 1.f, -1.f, f::infinity(), -f::infinity(), f::quiet_NaN(), f::denorm_min(), f::min(),
                        f::max(), f::lowest(), -f::denorm_min(), 1 - f::epsilon() / 2, 1 + f::epsilon()})
    BOOST_TEST((agrees<float>(std::bit_cast<std::uint32_t>(x))), "of " << x);
}

BOOST_AUTO_TEST_CASE(random_bits_and_neighbours_of_squares) {
  std::uint64_t state = 1;
  int wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t bits = state ^ (state >> 29);
    if (!agrees<double>(bits) || !agrees<float>(static_cast<std::uint32_t>(bits >> 32))) ++wrong;
    // an exact square and the numbers beside it are where rounding is hardest
    const double root = static_cast<double>(bits >> 38), square = root * root;
    for (const std::uint64_t by : {std::uint64_t(0), std::uint64_t(1), ~std::uint64_t(0)})
      if (!agrees<double>(std::bit_cast<std::uint64_t>(square) + by)) ++wrong;
    // every exponent of random bits is equally likely; numbers in [1/2, 1) are more so
    if (!agrees<double>((bits & 0xfffffffffffffu) | 0x3fe0000000000000u)) ++wrong;
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
