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

// Truths in row-major order are read where they lie.
BOOST_AUTO_TEST_CASE(truths_of_any_layout_give_the_bits_of_their_elements) {
  bl::dtensor<bool, 2> x(70, 33);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = i * i % 7 < 3;
  const auto same = [](const auto& view) {
    const auto copy = bl::eval(bl::cast<int>(view));
    for (const bl::bit_order order : {bl::bit_order::big, bl::bit_order::little}) {
      BOOST_TEST(equal(bl::packbits(view, order), bl::packbits(copy, order)));
      for (const bl::index axis : {0, 1})
        BOOST_TEST(equal(bl::packbits(view, axis, order), bl::packbits(copy, axis, order)));
    }
  };
  same(x);
  same(bl::transpose(x, 0, 1));
  same(bl::slice(x, bl::range(3, 60)));
  same(bl::slice(x, bl::range(0, 70), bl::range(1, 30, 2)));
  same(!x);
  BOOST_TEST(equal(bl::packbits(bl::dtensor<bool, 2>(x)), bl::packbits(x)));
  BOOST_TEST(bl::packbits(bl::dtensor<bool, 1>(0)).size() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
