// Determinants and inverses by vectors have the bits of small_matrix, and inverses may be written over their operand.
#include <broadloom/linalg/straight_square.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <random>

#include "matrices.hpp"

namespace {

template <class T, int N>
using square = bl::tensor<T, bl::shape<N, N>>;

// Irregular numbers, whole ones, those of all sizes, and zeros of both signs.
template <class T, int N>
square<T, N> matrix(std::mt19937_64& bits, int k) {
  constexpr int range = sizeof(T) == 4 ? 60 : 500;
  square<T, N> a;
  for (bl::index i = 0; i < a.size(); ++i) {
    T x = k % 3 == 0 ? static_cast<T>(static_cast<int>(bits() % 7) - 3)
                     : static_cast<T>(static_cast<std::int64_t>(bits())) / static_cast<T>(0x1p60);
    if (k % 5 == 1) x = std::ldexp(x, static_cast<int>(bits() % range) - range / 2);
    if (k % 7 == 2 && bits() % 4 == 0) x = static_cast<T>(-0.0);
    a.data()[i] = x;
  }
  return a;
}

template <class T, int N>
void check() {
  std::mt19937_64 bits(5);
  int different = 0, determinants = 0, inverses = 0;
  for (int k = 0; k < 20000; ++k) {
    square<T, N> a = matrix<T, N>(bits, k);
    bl::detail::small_matrix<T, N> m;
    std::memcpy(m.v, a.data(), sizeof m.v);
    const T d = m.determinant(), found = bl::det(a).item();
    if (m.keeps_determinant(d) || m.is_exact()) {
      different += std::memcmp(&d, &found, sizeof d) != 0;
      ++determinants;
    }
    T r[N * N];
    if (!m.keeps(m.inverse(r))) continue;
    const square<T, N> inverse = bl::inv(a);
    a = bl::inv(a);
    different += std::memcmp(r, inverse.data(), sizeof r) != 0;
    different += std::memcmp(r, a.data(), sizeof r) != 0;
    ++inverses;
  }
  BOOST_TEST(different == 0, N << " x " << N << " of " << sizeof(T) << " bytes");
  BOOST_TEST(determinants > 15000);
  BOOST_TEST(inverses > 10000);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_straight_square)

BOOST_AUTO_TEST_CASE(the_bits_of_small_matrix) {
  check<float, 1>();
  check<float, 2>();
  check<float, 3>();
  check<float, 4>();
  check<double, 2>();
  check<double, 3>();
  check<double, 4>();
}

// What overflows, what is not finite, and what underflows beside large elements goes to elimination.
BOOST_AUTO_TEST_CASE(odd_sizes_are_refused) {
  const float infinite = std::numeric_limits<float>::infinity();
  square<float, 3> a;
  for (bl::index i = 0; i < 9; ++i) a.data()[i] = 0;
  a(1, 1) = 0x1p-80f;
  a(2, 2) = 0x1p-80f;
  a(0, 0) = 0x1p120f;
  BOOST_TEST(bl::det(a).item() == 0x1p-40f);
  a(0, 0) = infinite;
  BOOST_TEST(!std::isfinite(bl::det(a).item()));
  square<float, 2> b;
  b(0, 0) = 0x1p100f;
  b(1, 1) = 0x1p20f;
  b(0, 1) = b(1, 0) = 0;
  BOOST_TEST(bl::det(b).item() == 0x1p120f);
  const square<float, 2> c = bl::inv(b);
  BOOST_TEST(c(0, 0) == 0x1p-100f);
  BOOST_TEST(c(1, 1) == 0x1p-20f);
}

BOOST_AUTO_TEST_SUITE_END()
