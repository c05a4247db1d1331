// Elements selected by a mask, compressed to contiguous memory.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/tensor/mask.hpp>

#include "mask.hpp"

namespace broadloom::detail {

namespace {

constexpr index block = index{1} << 16;

index count_in(const bool* mask, index n) {
  index count = 0, i = 0;
  for (; i + 8 <= n; i += 8) {  // eight at once: each byte is 0 or 1
    std::uint64_t eight;
    std::memcpy(&eight, mask + i, 8);
    count += static_cast<index>((eight * 0x0101010101010101ULL) >> 56);
  }
  for (; i < n; ++i) count += mask[i] ? 1 : 0;
  return count;
}

template <class F>
void for_blocks(index n, const F& f) {
  const index blocks = (n + block - 1) / block;
  const auto body = [](void* context, index first, index last) {
    for (index b = first; b < last; ++b) (*static_cast<const F*>(context))(b);
  };
  if (blocks < 2)
    body(const_cast<F*>(&f), 0, blocks);
  else
    runtime::parallel_for(blocks, 0, body, const_cast<F*>(&f));
}

index end_of(index b, index n) { return (b + 1) * block < n ? (b + 1) * block : n; }

// Without a branch: each element is written where the next selected one belongs. There may be no room for the last one.
template <class T>
void compress(const bool* mask, index n, const void* from, void* to) {
  const T* const x = static_cast<const T*>(from);
  T* out = static_cast<T*>(to);
  T* const end = out + count_in(mask, n);
  for (index i = 0; i < n && out < end; ++i) {
    *out = x[i];
    out += mask[i] ? 1 : 0;
  }
}
struct sixteen {
  std::uint64_t a, b;
};

compress_fn compress_of(int size) {
  if (const narrow_mask_kernels* const code = narrow_mask_code()) {
    if (size == 1) return code->compress1;
    if (size == 2) return code->compress2;
  }
  if (const mask_kernels* const code = mask_code()) {
    if (size == 4) return code->compress4;
    if (size == 8) return code->compress8;
  }
  switch (size) {
    case 1: return compress<std::uint8_t>;
    case 2: return compress<std::uint16_t>;
    case 4: return compress<std::uint32_t>;
    case 8: return compress<std::uint64_t>;
    default: return compress<sixteen>;
  }
}

// A bit for each of eight truths, whose bytes are 0 or 1, the first one lowest.
std::uint64_t bits_of_eight(const bool* mask) {
  std::uint64_t eight;
  std::memcpy(&eight, mask, sizeof eight);
  if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
  return eight * 0x0102040810204080ULL >> 56;
}

// By the bits of 64 elements: which of them are set cannot be predicted, but how many there are costs one branch.
template <class T>
void expand(const bool* mask, index n, const void* from, void* to) {
  const T* x = static_cast<const T*>(from);
  T* const out = static_cast<T*>(to);
  index i = 0;
  for (; i + 64 <= n; i += 64) {
    std::uint64_t set = 0;
    for (int k = 0; k < 64; k += 8) set |= bits_of_eight(mask + i + k) << k;
    for (; set != 0; set &= set - 1) out[i + std::countr_zero(set)] = *x++;
  }
  for (; i < n; ++i)
    if (mask[i]) out[i] = *x++;
}

expand_fn expand_of(int size) {
  const mask_kernels* const code = mask_code();
  switch (size) {
    case 1: return expand<std::uint8_t>;
    case 2: return expand<std::uint16_t>;
    case 4: return code != nullptr ? code->expand4 : expand<std::uint32_t>;
    case 8: return code != nullptr && code->expand8 != nullptr ? code->expand8 : expand<std::uint64_t>;
    default: return expand<sixteen>;
  }
}

}  // namespace

void gather_set(const bool* mask, index n, const void* from, void* to, int size) {
  // the index of each block's first element in the result
  std::vector<index> first(static_cast<std::size_t>((n + block - 1) / block));
  if (first.size() > 1)
    for_blocks(
        n, [&](index b) { first[static_cast<std::size_t>(b)] = count_in(mask + b * block, end_of(b, n) - b * block); });
  index sum = 0;
  for (index& c : first) {
    const index own = c;
    c = sum;
    sum += own;
  }
  const compress_fn f = compress_of(size);
  for_blocks(n, [&](index b) {
    f(mask + b * block, end_of(b, n) - b * block, static_cast<const std::byte*>(from) + b * block * size,
      static_cast<std::byte*>(to) + first[static_cast<std::size_t>(b)] * size);
  });
}

void scatter_set(const bool* mask, index n, const void* from, void* to, int size) {
  expand_of(size)(mask, n, from, to);
}

}  // namespace broadloom::detail
