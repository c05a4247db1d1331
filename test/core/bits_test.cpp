// Equality of elements bit by bit.
#include <broadloom/core/bits.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstring>

namespace {

namespace bl = broadloom;
using bl::detail::same_bits;

constexpr double nan = __builtin_nan("");

static_assert(same_bits(0.0, 0.0) && !same_bits(0.0, -0.0) && same_bits(-0.0f, -0.0f) && !same_bits(0.0f, -0.0f));
static_assert(same_bits(nan, nan) && !same_bits(nan, -nan) && !same_bits(nan, __builtin_nan("1")));
static_assert(!same_bits(__builtin_nanf(""), __builtin_nanf("7")) && same_bits(1.5f, 1.5f) && !same_bits(1.5, 2.5));
static_assert(same_bits(true, true) && !same_bits(true, false) && same_bits(-7, -7) && !same_bits(7u, 8u));
static_assert(same_bits(std::complex<double>(1, -0.0), std::complex<double>(1, -0.0)));
static_assert(!same_bits(std::complex<double>(1, -0.0), std::complex<double>(1, 0.0)));
static_assert(!same_bits(std::complex<float>(-0.0f, 2), std::complex<float>(0.0f, 2)));

}  // namespace

BOOST_AUTO_TEST_SUITE(core_bits)

BOOST_AUTO_TEST_CASE(floats_are_compared_as_their_memory_is) {
  const float values[] = {0.0f,
                          -0.0f,
                          1.0f,
                          -1.0f,
                          __builtin_inff(),
                          -__builtin_inff(),
                          __builtin_nanf(""),
                          -__builtin_nanf(""),
                          __builtin_nanf("5"),
                          1e-45f};
  for (const float x : values)
    for (const float y : values) BOOST_TEST(same_bits(x, y) == (std::memcmp(&x, &y, sizeof x) == 0), x << " " << y);
}

BOOST_AUTO_TEST_SUITE_END()
