// Elements selected by a mask, compressed to contiguous memory.
#include <array>
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

// Of the bits of four elements: the places of those that are set, and how many they are. The last one is repeated, so
// that four are written whatever the mask.
struct four_places {
  std::uint8_t to[4], from[4];
  int count;
};
constexpr auto places_of_four = [] {
  std::array<four_places, 16> all{};
  for (unsigned set = 1; set < all.size(); ++set) {
    four_places& p = all[set];
    for (unsigned i = 0; i < 4; ++i)
      if ((set >> i & 1) != 0) p.to[p.count++] = static_cast<std::uint8_t>(i);
    for (int k = p.count; k < 4; ++k) p.to[k] = p.to[p.count - 1];
    for (int k = 0; k < 4; ++k) p.from[k] = static_cast<std::uint8_t>(k < p.count ? k : p.count - 1);
  }
  return all;
}();

// Branches where none of four is set, or all are: which of them are cannot be predicted.
template <class T>
void expand(const bool* mask, index n, const void* from, void* to) {
  const T* x = static_cast<const T*>(from);
  T* const out = static_cast<T*>(to);
  index i = 0;
  for (; i + 4 <= n; i += 4) {
    const unsigned set =
        (mask[i] ? 1U : 0U) | (mask[i + 1] ? 2U : 0U) | (mask[i + 2] ? 4U : 0U) | (mask[i + 3] ? 8U : 0U);
    if (set == 0) continue;
    if (set == 15) {
      std::memcpy(out + i, x, 4 * sizeof(T));
      x += 4;
      continue;
    }
    const four_places& p = places_of_four[set];
    const T a = x[p.from[0]], b = x[p.from[1]], c = x[p.from[2]], d = x[p.from[3]];
    out[i + p.to[0]] = a;
    out[i + p.to[1]] = b;
    out[i + p.to[2]] = c;
    out[i + p.to[3]] = d;
    x += p.count;
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
