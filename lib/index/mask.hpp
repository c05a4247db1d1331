// Kept elements brought together: the processor's own instruction for it, where there is one.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::detail {

// Writes the elements of `from` whose mask is set to `to`, one after the other; nothing behind them is written.
using compress_fn = void (*)(const bool* mask, index n, const void* from, void* to);

void compress4_v4(const bool* mask, index n, const void* from, void* to);
void compress8_v4(const bool* mask, index n, const void* from, void* to);

}  // namespace broadloom::detail
