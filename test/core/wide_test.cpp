// Unsigned integers of 128 bits made of two words.
#include <broadloom/core/wide.hpp>

#include <random>

#include <boost/test/unit_test.hpp>

namespace {

using broadloom::detail::two_words;

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 whole;

two_words words(whole x) { return {static_cast<std::uint64_t>(x >> 64), static_cast<std::uint64_t>(x)}; }

// Numbers of every length, and those beside powers of 2.
whole draw(std::mt19937_64& g) {
  const whole x = static_cast<whole>(g()) << 64 | g();
  const int length = static_cast<int>(g() % 128);
  switch (g() % 4) {
    case 0: return (static_cast<whole>(1) << length) - 1;
    case 1: return static_cast<whole>(1) << length;
    default: return x >> length;
  }
}
#endif

constexpr two_words most{~std::uint64_t{0}, ~std::uint64_t{0}};
static_assert(most + 1 == 0 && two_words(0) - 1 == most && (most >> 127) == 1 && (most << 127) == two_words(1) << 127);
static_assert(two_words(1) << 64 > 0xffffffffffffffff && two_words(3) * most == two_words{most.high, most.low - 2});
static_assert(static_cast<std::uint64_t>((two_words(1) << 64) + 5) == 5 && (two_words(1) << 64 | 5) >> 64 == 1);

}  // namespace

BOOST_AUTO_TEST_SUITE(core_wide)

#if defined(__SIZEOF_INT128__)
BOOST_AUTO_TEST_CASE(two_words_compute_as_the_compilers_integers_of_128_bits) {
  std::mt19937_64 g(7);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const whole a = draw(g), b = draw(g);
    const int n = static_cast<int>(g() % 128);
    const two_words x = words(a), y = words(b);
    two_words shifted = x, next = x;
    shifted <<= n;
    ++next;
    wrong += x + y != words(a + b) || x - y != words(a - b) || x * y != words(a * b);
    wrong += (x | y) != words(a | b) || (x & y) != words(a & b);
    wrong += x << n != words(a << n) || x >> n != words(a >> n) || shifted != words(a << n) || next != words(a + 1);
    wrong += (x < y) != (a < b) || (x > y) != (a > b) || (x <= y) != (a <= b) || (x >= y) != (a >= b) ||
             (x == y) != (a == b);
    wrong += static_cast<std::uint64_t>(x) != static_cast<std::uint64_t>(a);
  }
  BOOST_TEST(wrong == 0);
}
#endif

BOOST_AUTO_TEST_CASE(halves_are_carried) {
  BOOST_TEST((two_words(0xffffffffffffffff) * 0xffffffffffffffff == two_words{0xfffffffffffffffe, 1}));
  BOOST_TEST((two_words{1, 0} - 1 == 0xffffffffffffffff));
}

BOOST_AUTO_TEST_SUITE_END()
