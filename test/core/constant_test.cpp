#include <boost/hana.hpp>
#include <boost/test/unit_test.hpp>

#include <broadloom/broadloom.hpp>

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace boost::hana::literals;  // ours is preferred

static_assert(decltype(0_c)::value == 0 && decltype(12_c)::value == 12 && decltype(1'000'000_c)::value == 1000000);
static_assert(decltype(0x1F_c)::value == 31 && decltype(0XaB_c)::value == 171 && decltype(0b101_c)::value == 5);
static_assert(decltype(017_c)::value == 15 && decltype(0'17_c)::value == 15);
static_assert(decltype(-3_c)::value == -3 && decltype(- -3_c)::value == 3);
static_assert(std::is_same_v<decltype(bl::make_shape(2_c, 3_c)), bl::shape<2, 3>>);

// They are Hana's: its operators and other libraries' constants go along with them.
static_assert(decltype(2_c + 3_c)::value == 5 && decltype(2_c * -3_c)::value == -6 && decltype(2_c < 3_c)::value);
static_assert(
    std::is_same_v<decltype(bl::make_shape(boost::hana::int_c<2>, std::integral_constant<int, 3>{})), bl::shape<2, 3>>);

BOOST_AUTO_TEST_SUITE(core_constant)

BOOST_AUTO_TEST_CASE(the_operands_of_a_node_are_a_foldable_of_hana) {
  const bl::dtensor<float, 1> x(3), y(3), z(3);
  const auto e = bl::where(x > y, x, z);
  static_assert(decltype(boost::hana::length(e.args()))::value == 3);
  const float* const third = boost::hana::unpack(e.args(), [](const auto& a, const auto& b, const auto& c) {
    BOOST_TEST(a.shape().size() + b.shape().size() == 6);
    return c.data();
  });
  BOOST_TEST(third == z.data());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
