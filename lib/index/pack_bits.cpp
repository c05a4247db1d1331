// Bits of bytes from truths, and back.
#include <broadloom/index/pack_bits.hpp>

namespace broadloom::detail {

namespace {

int shift_of(index i, bit_order order) {
  return order == bit_order::big ? 7 - static_cast<int>(i % 8) : static_cast<int>(i % 8);
}

}  // namespace

void pack_bits(const bool* x, index outer, index n, index inner, bit_order order, std::uint8_t* to) {
  const index bytes = (n + 7) / 8;
  for (index o = 0; o < outer; ++o)
    for (index b = 0; b < bytes; ++b)
      for (index k = 0; k < inner; ++k) {
        unsigned byte = 0;
        for (index i = b * 8; i < n && i < b * 8 + 8; ++i)
          byte |= static_cast<unsigned>(x[(o * n + i) * inner + k]) << shift_of(i, order);
        to[(o * bytes + b) * inner + k] = static_cast<std::uint8_t>(byte);
      }
}

void unpack_bits(const std::uint8_t* x, index outer, index n, index inner, index count, bit_order order,
                 std::uint8_t* to) {
  for (index o = 0; o < outer; ++o)
    for (index i = 0; i < count; ++i)
      for (index k = 0; k < inner; ++k)
        to[(o * count + i) * inner + k] =
            i / 8 < n ? static_cast<std::uint8_t>(x[(o * n + i / 8) * inner + k] >> shift_of(i, order) & 1) : 0;
}

}  // namespace broadloom::detail
