// Elements chosen by masks, positions of what is not zero, and bits of bytes: what a loop finds, at each level and for
// lengths around those of vectors.
#include <broadloom/core/isa.hpp>
#include <broadloom/index/compress.hpp>
#include <broadloom/index/pack_bits.hpp>
#include <broadloom/tensor/mask.hpp>
#include <broadloom/tensor/tensor.hpp>

#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

namespace bl = broadloom;

namespace {

// Of each length so many masks: of none, of few, of half, of most and of all.
template <class F>
void each_mask(F f) {
  std::mt19937 random(7);
  std::vector<bl::index> lengths{127, 128, 129, 255, 256, 257, 66001};
  for (bl::index n = 0; n < 100; ++n) lengths.push_back(n);
  for (int level = 0; level <= static_cast<int>(bl::runtime::highest_isa()); ++level) {
    bl::set_isa(static_cast<bl::isa>(level));
    for (const bl::index n : lengths)
      for (const unsigned of_16 : {0U, 1U, 8U, 15U, 16U}) {
        bl::dtensor<bool, 1> mask{bl::dshape<1>(n)};
        for (bl::index i = 0; i < n; ++i) mask(i) = random() % 16 < of_16;
        BOOST_TEST(f(mask), bl::to_string(static_cast<bl::isa>(level)) << ", " << n << " elements, " << of_16 << "/16");
      }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

template <class T>
bl::dtensor<T, 1> counting(bl::index n, int from) {
  bl::dtensor<T, 1> x{bl::dshape<1>(n)};
  for (bl::index i = 0; i < n; ++i) x(i) = static_cast<T>(static_cast<std::uint8_t>(from + i % 101));
  return x;
}

// Chosen elements, and they put back where others were.
template <class T>
bool chosen(const bl::dtensor<bool, 1>& mask) {
  const bl::index n = mask.size();
  const auto x = counting<T>(n, 1);
  const auto found = bl::masked_select(x, mask);
  auto back = counting<T>(n, 120);
  const auto before = back;
  bl::masked_scatter_(back, mask, found);
  bl::index k = 0;
  bool same = true;
  for (bl::index i = 0; i < n; ++i) {
    if (mask(i)) same = same && k < found.size() && found(k++) == x(i);
    same = same && back(i) == (mask(i) ? x(i) : before(i));
  }
  return same && k == found.size();
}

template <class T>
bool listed(const bl::dtensor<bool, 1>& mask) {
  const bl::index n = mask.size();
  bl::dtensor<T, 1> x{bl::dshape<1>(n)};
  for (bl::index i = 0; i < n; ++i) x(i) = static_cast<T>(mask(i) ? 1 + i % 3 : 0);
  const auto at = bl::flatnonzero(x);
  bl::index k = 0;
  bool same = true;
  for (bl::index i = 0; i < n; ++i)
    if (mask(i)) same = same && k < at.size() && at(k++) == i;
  return same && k == at.size();
}

bool packed(const bl::dtensor<bool, 1>& mask, bl::bit_order order) {
  const bl::index n = mask.size();
  if (n == 0) return true;
  const auto bytes = bl::eval(bl::packbits(mask, order));
  const auto bits = bl::eval(bl::unpackbits(bytes, order));
  bool same = bytes.size() == (n + 7) / 8 && bits.size() == bytes.size() * 8;
  for (bl::index i = 0; same && i < bits.size(); ++i) {
    const int shift = static_cast<int>(order == bl::bit_order::big ? 7 - i % 8 : i % 8);
    const int wanted = i < n && mask(i) ? 1 : 0;
    same = (bytes(i / 8) >> shift & 1) == wanted && bits(i) == wanted;
  }
  return same;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_mask_levels)

BOOST_AUTO_TEST_CASE(chosen_elements_are_those_of_a_loop_and_go_back) {
  each_mask([](const auto& mask) {
    return chosen<std::uint8_t>(mask) && chosen<std::int16_t>(mask) && chosen<float>(mask) && chosen<double>(mask) &&
           chosen<std::complex<float>>(mask) && chosen<std::complex<double>>(mask);
  });
}

BOOST_AUTO_TEST_CASE(positions_are_those_of_a_loop) {
  each_mask([](const auto& mask) {
    return listed<bool>(mask) && listed<std::uint8_t>(mask) && listed<std::int16_t>(mask) && listed<float>(mask) &&
           listed<double>(mask) && listed<std::complex<double>>(mask);
  });
}

BOOST_AUTO_TEST_CASE(bits_are_those_of_a_loop) {
  each_mask([](const auto& mask) { return packed(mask, bl::bit_order::big) && packed(mask, bl::bit_order::little); });
}

BOOST_AUTO_TEST_SUITE_END()
