// Compresses selected elements, expands them, and lists where they are, by the processor's vectors if it has them.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>
#include <broadloom/core/isa.hpp>

namespace broadloom::detail {

// Writes the elements of `from` whose mask is set to `to`, contiguously. Nothing is written behind them.
using compress_fn = void (*)(const bool* mask, index n, const void* from, void* to);
// Writes as many elements of `from` as are set to where the mask is set, and nothing elsewhere.
using expand_fn = void (*)(const bool* mask, index n, const void* from, void* to);

struct mask_kernels {
  compress_fn compress4, compress8;  // elements of 4 and of 8 bytes
  expand_fn expand4, expand8;        // null where other loops are as fast
  // The numbers, from `first` on, of the bytes that are not 0, and how many these are. There is room for eight more.
  index (*places)(const std::uint8_t* x, index n, index first, index* to);
  // Bits of 64 truths each, and back; `big`: the highest bit of a byte is the first.
  void (*pack_bits)(const bool* x, index words, bool big, std::uint8_t* to);
  void (*unpack_bits)(const std::uint8_t* x, index words, bool big, std::uint8_t* to);
};

// Elements of 1 and of 2 bytes: by AVX2 at every level that has it.
struct narrow_mask_kernels {
  compress_fn compress1, compress2;
};

// Those of the level in force; null if it has none, as in the header without a library.
#if defined(__x86_64__) && !defined(BROADLOOM_SINGLE)
extern const mask_kernels mask_code_v3, mask_code_v4;
inline const mask_kernels* mask_code() noexcept {
  const isa level = runtime::active_isa();
  return level >= isa::v4 ? &mask_code_v4 : level >= isa::v3 ? &mask_code_v3 : nullptr;
}
extern const narrow_mask_kernels narrow_mask_code_v3;
inline const narrow_mask_kernels* narrow_mask_code() noexcept {
  return runtime::active_isa() >= isa::v3 ? &narrow_mask_code_v3 : nullptr;
}
#else
inline const mask_kernels* mask_code() noexcept { return nullptr; }
inline const narrow_mask_kernels* narrow_mask_code() noexcept { return nullptr; }
#endif

}  // namespace broadloom::detail
