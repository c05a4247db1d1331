// fma rounds once at every level, in vectors, in tails, for static shapes and in constant expressions.
// Build: gcc-alone, clang-too
#include <broadloom/fn/fma.hpp>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace bl = broadloom;

namespace {

struct level_restored {
  bl::isa before = bl::runtime::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

// Any bits, small multiples of 1/8, numbers near powers of 2; a third of z is near -x * y.
template <class T>
struct samples {
  using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::mt19937_64 bits{11};
  std::vector<T> x, y, z;

  explicit samples(int n) {
    for (int i = 0; i < n; ++i) {
      const unsigned kind = static_cast<unsigned>(bits() % 3);
      x.push_back(number(kind));
      y.push_back(number(bits() % 4 == 0 ? static_cast<unsigned>(bits() % 3) : kind));
      T sum = number(kind);
      if (bits() % 3 == 0) sum = -(x.back() * y.back());
      if (bits() % 3 == 0) sum = std::nextafter(sum, T(0));
      z.push_back(sum);
    }
  }
  T number(unsigned kind) {
    const U u = static_cast<U>(bits());
    if (kind == 1) return static_cast<T>(static_cast<int>(u % 2000) - 1000) / 8;
    if (kind == 2)
      return std::ldexp(1 + static_cast<T>(u % 1024) * std::numeric_limits<T>::epsilon(),
                        static_cast<int>(bits() % 10) - 5);
    T v;
    std::memcpy(&v, &u, sizeof v);
    return v;
  }
};

template <class T>
void check() {
  const samples<T> s(20011);
  const bl::index n = static_cast<bl::index>(s.x.size());
  const auto x = bl::from(s.x.data(), bl::dshape<1>(n)), y = bl::from(s.y.data(), bl::dshape<1>(n)),
             z = bl::from(s.z.data(), bl::dshape<1>(n));
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const bl::tensor whole = bl::fma(x, y, z),
                     shifted = bl::fma(bl::narrow(x, 0, 3, 5), bl::narrow(y, 0, 3, 5), bl::narrow(z, 0, 3, 5));
    int wrong = 0;
    for (bl::index i = 0; i < n; ++i) wrong += !same(whole(i), std::fma(x(i), y(i), z(i)));
    for (bl::index i = 0; i < 5; ++i) wrong += !same(shifted(i), std::fma(x(i + 3), y(i + 3), z(i + 3)));
    BOOST_TEST(wrong == 0);
  }
  int wrong = 0;
  for (bl::index i = 0; i < n; ++i)
    wrong += !same(bl::detail::constexpr_fma(x(i), y(i), z(i)), std::fma(x(i), y(i), z(i)));
  BOOST_TEST(wrong == 0, "in constant expressions");
  const bl::tensor<T, bl::shape<11>> a(bl::narrow(x, 0, 100, 11)), b(bl::narrow(y, 0, 100, 11)),
      c(bl::narrow(z, 0, 100, 11)), d = bl::fma(a, b, c);
  for (bl::index i = 0; i < 11; ++i) BOOST_TEST(same(d(i), std::fma(a(i), b(i), c(i))));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(fn_fma, level_restored)

BOOST_AUTO_TEST_CASE(rounds_once) {
  check<float>();
  check<double>();
}

BOOST_AUTO_TEST_CASE(constant_expressions) {
  constexpr bl::tensor<double, bl::shape<2>> x{0.1, 3};
  static_assert(bl::eval(bl::fma(x, 10, -1))(0) == 0x1p-54);
  static_assert(bl::eval(bl::add(bl::mul(x, 10), -1))(0) == 0);
}

BOOST_AUTO_TEST_CASE(types_broadcasting_and_in_place) {
  const bl::tensor<float, bl::shape<2, 1>> x{{1}, {2}};
  const bl::tensor<int, bl::shape<3>> n{10, 20, 30};
  const bl::tensor r = bl::fma(x, n, 0.5);
  static_assert(std::is_same_v<decltype(r), const bl::tensor<float, bl::shape<2, 3>>>);
  BOOST_TEST((r(0, 0) == 10.5F && r(1, 2) == 60.5F));
  // A product that is an operand is rounded by itself.
  const bl::tensor<float, bl::shape<1>> third{1.0F / 3};
  BOOST_TEST(bl::fma(third * 3, 1, -1)(0) == 0.0F);
  BOOST_TEST(bl::fma(third, 3, -1)(0) != 0.0F);
  bl::dtensor<double, 1> y{1, 2, 3};
  bl::fma_(y, y, 1);
  BOOST_TEST((y(0) == 2 && y(2) == 10));
}

BOOST_AUTO_TEST_SUITE_END()
