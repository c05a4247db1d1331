// Products of complex matrices: the numbers, at each instruction set; and that parts have the bits of the whole.
#include <boost/test/unit_test.hpp>

#include <complex>
#include <cstring>

#include "matrices.hpp"

using matrices::random;

namespace {

template <class T, class... N>
auto numbers(int seed, N... n) {
  return bl::eval(bl::complex(random<T>(seed, n...), random<T>(seed + 100, n...)));
}

// By the real products of the parts.
template <class A, class B>
auto by_parts(const A& a, const B& b) {
  const auto ar = bl::eval(bl::real(a)), ai = bl::eval(bl::imag(a)), br = bl::eval(bl::real(b)),
             bi = bl::eval(bl::imag(b));
  return bl::eval(bl::complex(matrices::product(ar, br) - matrices::product(ai, bi),
                              matrices::product(ar, bi) + matrices::product(ai, br)));
}

template <class A, class B>
double distance(const A& a, const B& b) {
  return bl::eval(bl::amax(bl::abs(bl::cast<std::complex<double>>(a) - b))).item();
}

template <class A, class B>
bool same(const A& a, const B& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(*a.data()) * std::size_t(a.size())) == 0;
}

template <class T>
void check_sizes() {
  using C = std::complex<T>;
  const double tolerance = std::is_same_v<T, float> ? 1e-6 : 1e-15;
  for (const bl::index m : {2, 7, 33, 200})
    for (const bl::index k : {1, 3, 16, 257, 400})
      for (const bl::index n : {2, 5, 32, 47, 130}) {
        const auto a = numbers<T>(1, m, k), b = numbers<T>(2, k, n);
        const auto want = by_parts(a, b);
        const double far = tolerance * static_cast<double>(k + 8);
        BOOST_TEST(distance(bl::eval(bl::mm(a, b)), want) <= far);
        // The same numbers in other layouts.
        const bl::dtensor<C, 2> at = a.T(), bt = b.T();
        BOOST_TEST(distance(bl::eval(bl::mm(at.T(), b)), want) <= far);
        BOOST_TEST(distance(bl::eval(bl::mm(a, bt.T())), want) <= far);
        BOOST_TEST(distance(bl::eval(bl::mm(bl::flip(bl::eval(bl::flip(a, 1)), 1), bt.T())), want) <= far);
        BOOST_TEST(distance(bl::eval(bl::mm(b.T(), a.T())), want.T()) <= far);
        // Added to, with real and complex factors.
        const auto c = numbers<T>(3, m, n);
        for (const C alpha : {C(-2), C(T(0.5), 1)})
          BOOST_TEST(distance(bl::eval(bl::addmm(c, a, b, 1, alpha)),
                              bl::eval(c + std::complex<double>(alpha) * want)) <= 4 * far);
      }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_products_complex)

BOOST_AUTO_TEST_CASE(sizes_and_layouts_at_each_instruction_set) {
  const bl::isa highest = bl::set_isa(bl::isa::v4);
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    check_sizes<float>();
    check_sizes<double>();
  }
  bl::set_isa(highest);
}

template <class T>
void check_parts() {
  using C = std::complex<T>;
  for (const bl::index m : {390, 777})
    for (const bl::index n : {13, 90}) {
      const auto a = numbers<T>(4, m, 40), b = numbers<T>(5, 40, n);
      const auto p = bl::eval(bl::mm(a, b));
      const auto want = bl::eval(p * C(2) + C(1));
      for (const int threads : {1, 2, 3})
        BOOST_TEST(same(bl::eval(bl::mm(a, b) * C(2) + C(1), bl::par.threads(threads)), want));
      // Fewer rows have the bits of the same rows of more.
      const auto top = bl::eval(bl::slice(a, bl::range(0, 7)));
      BOOST_TEST(same(bl::eval(bl::mm(top, b)), bl::eval(bl::slice(p, bl::range(0, 7)))));
    }
  for (const bl::index count : {3, 11}) {
    const auto x = numbers<T>(6, count, 75, 40), y = numbers<T>(7, count, 40, 13);
    const auto one = numbers<T>(8, 40, 13);
    const auto each = bl::eval(bl::matmul(x, y)), shared = bl::eval(bl::matmul(x, one));
    for (const int threads : {1, 2, 3}) {
      const auto how = bl::par.threads(threads);
      BOOST_TEST(same(bl::eval(bl::matmul(x, y) + C(1), how), bl::eval(each + C(1))));
      BOOST_TEST(same(bl::eval(bl::matmul(x, one) + C(1), how), bl::eval(shared + C(1))));
    }
    for (bl::index i = 0; i < count; ++i) {
      const auto left = bl::eval(bl::slice(x, i)), right = bl::eval(bl::slice(y, i));
      BOOST_TEST(same(bl::eval(bl::mm(left, right)), bl::eval(bl::slice(each, i))));
      BOOST_TEST(same(bl::eval(bl::mm(left, one)), bl::eval(bl::slice(shared, i))));
    }
  }
}
BOOST_AUTO_TEST_CASE(parts_have_the_bits_of_the_whole) {
  check_parts<float>();
  check_parts<double>();
}

BOOST_AUTO_TEST_SUITE_END()
