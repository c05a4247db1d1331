// Bits of bytes from truths, and back.
#include <broadloom/index/pack_bits.hpp>

#include <bit>
#include <cstring>

#include "mask.hpp"

namespace broadloom::detail {

namespace {

int shift_of(index i, bit_order order) {
  return order == bit_order::big ? 7 - static_cast<int>(i % 8) : static_cast<int>(i % 8);
}

// Eight truths at once, in the bytes of a word. A product puts each of them at its bit of the highest byte; no two of
// the 64 meet, so that nothing is carried.
constexpr bool by_words = std::endian::native == std::endian::little;
constexpr std::uint64_t ones = 0x0101010101010101, rising = 0x8040201008040201, falling = 0x0102040810204080;

std::uint8_t packed(const bool* x, bit_order order) {
  std::uint64_t truths = 0;
  std::memcpy(&truths, x, 8);
  return static_cast<std::uint8_t>(truths * (order == bit_order::big ? rising : falling) >> 56);
}
void unpack(std::uint8_t x, bit_order order, std::uint8_t* to) {
  const std::uint64_t each = x * ones & (order == bit_order::big ? falling : rising);
  const std::uint64_t truths = (each + 0x7f * ones) >> 7 & ones;
  std::memcpy(to, &truths, 8);
}

}  // namespace

void pack_bits(const bool* x, index outer, index n, index inner, bit_order order, std::uint8_t* to) {
  const index bytes = (n + 7) / 8;
  for (index o = 0; o < outer; ++o) {
    index begin = 0;
    if (const mask_kernels* const code = mask_code(); code != nullptr && inner == 1) {
      code->pack_bits(x + o * n, n / 64, order == bit_order::big, to + o * bytes);
      begin = n / 64 * 8;
    }
    for (index b = begin; b < bytes; ++b)
      for (index k = 0; k < inner; ++k) {
        if (by_words && inner == 1 && b * 8 + 8 <= n) {
          to[o * bytes + b] = packed(x + o * n + b * 8, order);
          continue;
        }
        unsigned byte = 0;
        for (index i = b * 8; i < n && i < b * 8 + 8; ++i)
          byte |= static_cast<unsigned>(x[(o * n + i) * inner + k]) << shift_of(i, order);
        to[(o * bytes + b) * inner + k] = static_cast<std::uint8_t>(byte);
      }
  }
}

void unpack_bits(const std::uint8_t* x, index outer, index n, index inner, index count, bit_order order,
                 std::uint8_t* to) {
  for (index o = 0; o < outer; ++o) {
    index whole = 0;  // elements that are unpacked eight at once, or 64
    if (const mask_kernels* const code = mask_code(); code != nullptr && inner == 1) {
      const index words = (n < count / 8 ? n : count / 8) / 8;
      code->unpack_bits(x + o * n, words, order == bit_order::big, to + o * count);
      whole = words * 64;
    }
    if (by_words && inner == 1)
      for (; whole + 8 <= count && whole / 8 < n; whole += 8)
        unpack(x[o * n + whole / 8], order, to + o * count + whole);
    for (index i = whole; i < count; ++i)
      for (index k = 0; k < inner; ++k)
        to[(o * count + i) * inner + k] =
            i / 8 < n ? static_cast<std::uint8_t>(x[(o * n + i / 8) * inner + k] >> shift_of(i, order) & 1) : 0;
  }
}

}  // namespace broadloom::detail
