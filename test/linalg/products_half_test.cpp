// Products of matrices and vectors of elements of 16 bits: accumulated in f32 and rounded once. What is not computed of
// them is refused by name (test/fail).
// Build: seldom
#include <broadloom/decompositions.hpp>
#include <broadloom/half.hpp>
#include <broadloom/linalg.hpp>
#include <broadloom/linalg/covariance.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>

BOOST_AUTO_TEST_SUITE(linalg_products_half)

namespace bl = broadloom;
using bl::bfloat16;
using bl::float16;

namespace {

template <class H>
bl::dtensor<H, 2> numbers(bl::index n, bl::index m, std::uint32_t state) {
  bl::dtensor<H, 2> r(n, m);
  for (bl::index i = 0; i < r.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    r.data()[i] = static_cast<float>(static_cast<int>(state >> 16 & 255) - 128) / 50;
  }
  return r;
}

template <class H>
struct products {
  bl::dtensor<H, 2> a = numbers<H>(7, 12, 1), b = numbers<H>(12, 5, 2), c = numbers<H>(7, 5, 3);
  bl::dtensor<float, 2> wa = bl::cast<float>(a), wb = bl::cast<float>(b), wc = bl::cast<float>(c);

  template <class F>
  void compare(const char* name, const F& f) const {
    const auto r = bl::eval(f(a, b, c));
    const auto wanted = bl::eval(f(wa, wb, wc));
    static_assert(std::is_same_v<typename decltype(r)::value_type, H>);
    BOOST_TEST_REQUIRE(r.size() == wanted.size());
    int wrong = 0;
    for (bl::index i = 0; i < r.size(); ++i) wrong += r.data()[i].bits() != H(wanted.data()[i]).bits();
    BOOST_TEST(wrong == 0, name);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(float16_is_accumulated_in_f32) {
  const products<float16> p;
#define COMPARE(...)                                                        \
  p.compare(#__VA_ARGS__, [](const auto& a, const auto& b, const auto& c) { \
    static_cast<void>(a), static_cast<void>(b), static_cast<void>(c);       \
    return __VA_ARGS__;                                                     \
  })
  using namespace bl::literals;
  COMPARE(bl::matmul(a, b));
  COMPARE(bl::matmul(bl::transpose(b), bl::transpose(a)));
  COMPARE(bl::mv(a, bl::eval(b(bl::all, 0))));
  COMPARE(bl::dot(a(0), a(1)));
  COMPARE(bl::inner(a, a));
  COMPARE(bl::outer(a(0), b(0)));
  COMPARE(bl::einsum<"ij,jk->ki">(a, b));
  COMPARE(bl::addmm(c, a, b, 0.5, 2));
  COMPARE(bl::addr(c, bl::eval(a(bl::all, 0)), bl::eval(b(0))));
  COMPARE(bl::multi_dot(a, b, bl::eval(bl::transpose(c))));
  COMPARE(bl::tensordot(a, b, 1_c));
  COMPARE(bl::cdist(a, a));
  COMPARE(bl::cov(a));
  COMPARE(bl::corrcoef(a));
#undef COMPARE
  bl::dtensor<float16, 2> in_place = p.c;
  bl::addmm_(in_place, p.a, p.b);
  const bl::dtensor<float16, 2> wanted = bl::addmm(p.c, p.a, p.b);
  for (bl::index i = 0; i < wanted.size(); ++i) BOOST_TEST(in_place.data()[i].bits() == wanted.data()[i].bits());
}

BOOST_AUTO_TEST_CASE(bfloat16_is_accumulated_in_f32) {
  const products<bfloat16> p;
  p.compare("matmul", [](const auto& a, const auto& b, const auto&) { return bl::matmul(a, b); });
  p.compare("addmm", [](const auto& a, const auto& b, const auto& c) { return bl::addmm(c, a, b); });
  // 256 + 1 is 256 in bfloat16.
  const bl::dtensor<bfloat16, 1> ones = bl::ones<bfloat16>(1024);
  BOOST_TEST(float(bl::dot(ones, ones).item()) == 1024.0f);
}

BOOST_AUTO_TEST_CASE(mixed_operands_are_promoted) {
  const products<float16> p;
  static_assert(std::is_same_v<typename decltype(bl::matmul(p.a, p.wb))::value_type, float>);
  const bl::dtensor<float, 2> r = bl::matmul(p.a, p.wb), wanted = bl::matmul(p.wa, p.wb);
  for (bl::index i = 0; i < r.size(); ++i) BOOST_TEST(r.data()[i] == wanted.data()[i]);
}

BOOST_AUTO_TEST_CASE(tiny_static_products) {
  constexpr auto product = [] {
    const bl::tensor<float16, bl::shape<2, 2>> a{{1, 2}, {3, 4.5}};
    return a;
  };
  const auto a = product();
  const bl::tensor<float16, bl::shape<2, 2>> r = bl::matmul(a, a);
  BOOST_TEST(float(r(0, 0)) == 7);
  BOOST_TEST(float(r(1, 1)) == 26.25f);
}

BOOST_AUTO_TEST_SUITE_END()
