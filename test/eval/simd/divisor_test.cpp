// Division by a divisor that a row shares has the bits of one division, at every level.
// Build: optimised-by-sanitizers, clang-too
#include <broadloom/broadloom.hpp>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

std::uint64_t seed = 7;
std::uint64_t next_bits() {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
T from_bits(std::uint64_t b) {
  const auto own = static_cast<bits_of<T>>(b);
  T x;
  std::memcpy(&x, &own, sizeof x);
  return x;
}

// Everything special, powers of two of all sizes with their neighbours, and significands near 1 and 2.
template <class T>
std::vector<T> special() {
  using limits = std::numeric_limits<T>;
  std::vector<T> x{0,      limits::denorm_min(), limits::min(),      limits::max(),       3,
                   10,     T(1) / T(3),          limits::infinity(), limits::quiet_NaN(), T(2) - limits::epsilon(),
                   T(1e-5)};
  for (int e = limits::min_exponent - limits::digits; e <= limits::max_exponent; e += 1 + (sizeof(T) == 8) * 12)
    for (const T near : {std::ldexp(T(1), e), std::ldexp(T(1.37), e)})
      for (const T y : {std::nextafter(near, T(0)), near, std::nextafter(near, limits::infinity())}) x.push_back(y);
  for (std::size_t i = 0, n = x.size(); i < n; ++i) x.push_back(-x[i]);
  return x;
}

template <class T>
bool same(T x, T y) {
  return std::memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}

template <class T>
void check(const std::vector<T>& over, const std::vector<T>& under) {
  const auto rows = static_cast<bl::index>(under.size()), columns = static_cast<bl::index>(over.size());
  bl::dtensor<T, 2> x(rows, columns);
  bl::tensor<T, bl::shape<bl::dyn, 1>> y(rows);  // an extent of 1 that the compiler knows
  for (bl::index i = 0; i < rows; ++i) {
    y(i, 0) = under[static_cast<std::size_t>(i)];
    std::memcpy(&x(i, 0), over.data(), over.size() * sizeof(T));
  }
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const bl::dtensor<T, 2> q = bl::eval(x / y, bl::seq);
    const bl::dtensor<T, 2> by_number = bl::eval(bl::select(x, 0, 0) / y(0, 0) + bl::zeros<T>(1, columns), bl::seq);
    long wrong = 0;
    for (bl::index i = 0; i < rows; ++i)
      for (bl::index k = 0; k < columns; ++k) {
        const T expected = over[static_cast<std::size_t>(k)] / under[static_cast<std::size_t>(i)];
        wrong += !same(q(i, k), expected) || (i == 0 && !same(by_number(0, k), expected + T(0)));
      }
    BOOST_TEST(wrong == 0, "level " << static_cast<int>(level) << ", " << sizeof(T) << " bytes: " << wrong);
  }
  bl::set_isa(bl::runtime::highest_isa());
}

template <class T>
void check_all() {
  const std::vector<T> all = special<T>();
  check(all, all);
  // any bits, which are mostly outside the safe range, and significands alone, whose quotients come near midpoints
  const auto draw = [](int n, std::uint64_t keep, std::uint64_t set) {
    std::vector<T> x;
    for (int i = 0; i < n; ++i) x.push_back(from_bits<T>((next_bits() & keep) | set));
    return x;
  };
  const std::uint64_t significand = (std::uint64_t{1} << (std::numeric_limits<T>::digits - 1)) - 1;
  T one = 1;
  bits_of<T> exponent;
  std::memcpy(&exponent, &one, sizeof one);
  check(draw(1003, ~std::uint64_t{}, 0), draw(300, ~std::uint64_t{}, 0));
  check(draw(4001, significand, exponent), draw(300, significand, exponent));
  check(draw(1003, significand, exponent), draw(300, 255, exponent | (significand & ~std::uint64_t{255})));
  check(draw(1003, 255, exponent | (significand & ~std::uint64_t{255})), draw(300, significand, exponent));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_simd_divisor)

BOOST_AUTO_TEST_CASE(a_shared_divisor_gives_the_bits_of_one_division) {
  check_all<float>();
  check_all<double>();
}

// Where a program asks for another rounding, it gets that one.
BOOST_AUTO_TEST_CASE(directed_rounding_is_kept) {
  bl::dtensor<float, 2> x(bl::index{3}, bl::index{1000}), y{{3}, {7}, {0.1f}};
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i + 1);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const bl::dtensor<float, 2> q = bl::eval(x / y, bl::seq);
    long wrong = 0;
    for (bl::index i = 0; i < 3; ++i)
      for (bl::index k = 0; k < 1000; ++k) {
        const volatile float a = x(i, k), b = y(i, 0);
        wrong += q(i, k) != a / b;
      }
    std::fesetround(FE_TONEAREST);
    BOOST_TEST(wrong == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
