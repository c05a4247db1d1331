// Draws of elements of 16 bits: those of f32, rounded; uniform ones are cut off and stay below 1.
// Build: seldom
#include <broadloom/half.hpp>
#include <broadloom/random.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>

BOOST_AUTO_TEST_SUITE(random_continuous_half)

namespace bl = broadloom;
using bl::bfloat16;
using bl::float16;

namespace {

template <class H>
void draws() {
  const bl::dshape<1> s(20000);
  bl::generator g(7), h(7);
  const bl::dtensor<H, 1> u = bl::uniform<H>(g, s);
  const bl::dtensor<float, 1> wide = bl::uniform<float>(h, s);
  const float steps = std::ldexp(1.0f, std::numeric_limits<H>::digits);
  int wrong = 0;
  for (bl::index i = 0; i < u.size(); ++i) wrong += float(u(i)) != std::floor(wide(i) * steps) / steps;
  BOOST_TEST(wrong == 0);
  BOOST_TEST(float(bl::amax(u).item()) < 1);
  const bl::dtensor<H, 1> z = bl::normal<H>(g, s), e = bl::exponential<H>(g, s), k = bl::gamma<H>(g, 2, s);
  const bl::dtensor<float, 1> wide_z = bl::normal<float>(h, s), wide_e = bl::exponential<float>(h, s);
  for (bl::index i = 0; i < u.size(); ++i)
    wrong += z(i).bits() != H(wide_z(i)).bits() || e(i).bits() != H(wide_e(i)).bits() || !(k(i) >= 0);
  BOOST_TEST(wrong == 0);
  const bl::dtensor<H, 1> between = bl::uniform<H>(g, -2, 3, s);
  bl::generator drawn(7), eager(7);
  BOOST_TEST(bl::array_equal(bl::rand<H>(eager, s), bl::uniform<H>(drawn, s)));
  BOOST_TEST(bl::array_equal(bl::randn<H>(eager, s), bl::normal<H>(drawn, s)));
  BOOST_TEST((float(bl::amin(between).item()) >= -2 && float(bl::amax(between).item()) <= 3));
}

}  // namespace

BOOST_AUTO_TEST_CASE(float16_is_drawn_as_f32) { draws<float16>(); }
BOOST_AUTO_TEST_CASE(bfloat16_is_drawn_as_f32) { draws<bfloat16>(); }

BOOST_AUTO_TEST_SUITE_END()
