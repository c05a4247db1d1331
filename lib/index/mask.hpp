// Compresses selected elements, by the processor's own instruction if it has one.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

namespace broadloom::detail {

// Writes the elements of `from` whose mask is set to `to`, contiguously. Nothing is written behind them.
using compress_fn = void (*)(const bool* mask, index n, const void* from, void* to);

void compress4_v4(const bool* mask, index n, const void* from, void* to);
void compress8_v4(const bool* mask, index n, const void* from, void* to);

// Writes as many elements of `from` as are set to where the mask is set.
void expand4_v4(const bool* mask, index n, const void* from, void* to);
void expand8_v4(const bool* mask, index n, const void* from, void* to);

// The numbers, from `first` on, of the bytes that are not 0, and how many these are. There is room for eight more.
index places_v4(const std::uint8_t* x, index n, index first, index* to);

// Bits of 64 truths each, and back; `big`: the highest bit of a byte is the first.
void pack_bits_v4(const bool* x, index words, bool big, std::uint8_t* to);
void unpack_bits_v4(const std::uint8_t* x, index words, bool big, std::uint8_t* to);

}  // namespace broadloom::detail
