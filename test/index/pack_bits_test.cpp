// Bits of bytes, against NumPy.
#include "index/vocabulary_cases.hpp"

#include <broadloom/index/pack_bits.hpp>

using namespace vocabulary;

namespace {

bl::bit_order order_of(const line& l) {
  return l.parameter.substr(0, l.parameter.find(',')) == "big" ? bl::bit_order::big : bl::bit_order::little;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_pack_bits)

BOOST_AUTO_TEST_CASE(bytes_are_those_of_numpy) {
  each_vocabulary("packbits", 72, [](const line& l, const auto& x) {
    return l.result().is(bl::packbits(x, l.axis, order_of(l))) &&
           l.result().is(bl::packbits(x != 0.0, l.axis, order_of(l)));
  });
  each_vocabulary("packbits_all", 72,
                  [](const line& l, const auto& x) { return l.result().is(bl::packbits(x, order_of(l))); });
}

BOOST_AUTO_TEST_CASE(bits_are_those_of_numpy) {
  each_vocabulary("unpackbits", 144, [](const line& l, const auto& x) {
    const auto bytes = bl::eval(bl::cast<std::uint8_t>(x));
    const bl::index count = std::stol(l.parameter.substr(l.parameter.find(',') + 1));
    return l.result().is(bl::unpackbits(bytes, l.axis, order_of(l), count));
  });
  const bl::tensor<std::uint8_t, bl::shape<2>> x{3, 128};
  BOOST_TEST(bl::unpackbits(x).size() == 16);
  BOOST_TEST(equal(bl::packbits(bl::unpackbits(x)), x));
}

BOOST_AUTO_TEST_SUITE_END()
