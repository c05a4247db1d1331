// bit_cast keeps bits: there and back gives the elements, and the sizes of types count along the last axis.
#include <broadloom/tensor/bit_cast.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(tensor_bit_cast)

BOOST_AUTO_TEST_CASE(there_and_back) {
  const bl::dtensor<float, 2> x{{1, -2, 0.5, 3}, {4, 5, -0.f, 7}};
  const auto same = [&](const auto& bits, bl::index last) {
    BOOST_TEST((bits.shape()[0] == 2 && bits.shape()[1] == last));
    BOOST_TEST(bl::array_equal(bl::bit_cast<float>(bits), x));
  };
  same(bl::bit_cast<std::uint32_t>(x), 4);
  same(bl::bit_cast<std::uint8_t>(x), 16);
  same(bl::bit_cast<double>(x), 2);
  same(bl::bit_cast<std::complex<float>>(x), 2);
  BOOST_TEST(bl::bit_cast<std::uint32_t>(x)(0, 0) == 0x3f800000u);
  BOOST_TEST(bl::bit_cast<std::complex<float>>(x)(0, 0) == std::complex<float>(1, -2));
  BOOST_TEST(bl::array_equal(bl::bit_cast<std::int32_t>(x.T()), bl::bit_cast<std::int32_t>(x).T()));
  const bl::tensor<double, bl::shape<3>> fixed{1, 2, 3};
  static_assert(std::is_same_v<decltype(bl::bit_cast<float>(fixed)), bl::tensor<float, bl::shape<6>>>);
  BOOST_CHECK_THROW(bl::bit_cast<double>(bl::dtensor<float, 1>{1, 2, 3}), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
