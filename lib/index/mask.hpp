// Compresses selected elements, by the processor's own instruction if it has one.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::detail {

// Writes the elements of `from` whose mask is set to `to`, contiguously. Nothing is written behind them.
using compress_fn = void (*)(const bool* mask, index n, const void* from, void* to);

void compress4_v4(const bool* mask, index n, const void* from, void* to);
void compress8_v4(const bool* mask, index n, const void* from, void* to);

// Writes as many elements of `from` as are set to where the mask is set.
void expand4_v4(const bool* mask, index n, const void* from, void* to);
void expand8_v4(const bool* mask, index n, const void* from, void* to);

}  // namespace broadloom::detail
