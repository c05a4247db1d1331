// Counts and lists the elements that are not zero. Blocks are counted first, so that each knows where its results
// begin.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/index/advanced.hpp>
#include <broadloom/index/nonzero.hpp>
#include <broadloom/plan/stage.hpp>

#include "../base/for_each.hpp"
#include "../base/list_text.hpp"
#include "mask.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace broadloom::detail {

namespace {

constexpr index block = index{1} << 16;
constexpr index piece = 256;  // elements whose places are found together

// Elements of 16 bits: both zeros are equal.
struct half_element {
  std::uint16_t bits;
  friend bool operator!=(half_element a, half_element b) { return ((a.bits ^ b.bits) & 0x7fff) != 0; }
};

template <class T>
struct complex_element {
  T real, imaginary;
  friend bool operator!=(const complex_element& a, const complex_element& b) {
    return a.real != b.real || a.imaginary != b.imaginary;
  }
};

// Zero is recognised by its bits, except for floating elements, as -0 is zero too.
template <class F>
void with_bits(dtype t, F f) {
  switch (t) {
    case dtype::f32: return f(float{});
    case dtype::f64: return f(double{});
    case dtype::c64: return f(complex_element<float>{});
    case dtype::c128: return f(complex_element<double>{});
    default: break;
  }
  if (is_half(t)) return f(half_element{});
  switch (runtime::size_of(t)) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
  }
}

index blocks_of(index n) { return (n + block - 1) / block; }

template <class T>
index count_of(const T* x, index n) {
  std::uint32_t c = 0;
  for (index i = 0; i < n; ++i) c += x[i] != T{} ? 1U : 0U;
  return static_cast<index>(c);
}
// Counted in bytes, as often as these can hold.
index count_of(const std::uint8_t* x, index n) {
  using bytes = simd_vec<std::uint8_t, 16>;
  index sum = 0, i = 0;
  while (n - i >= 16) {
    bytes c{};
    for (int k = 0; k < 255 && n - i >= 16; ++k, i += 16) c -= (bytes)(load<std::uint8_t, 16>(x + i) != bytes{});
    for (int lane = 0; lane < 16; ++lane) sum += c[lane];
  }
  for (; i < n; ++i) sum += x[i] != 0 ? 1 : 0;
  return sum;
}

std::vector<index> block_counts(const void* data, dtype type, index n) {
  std::vector<index> counts(static_cast<std::size_t>(blocks_of(n)));
  with_bits(type, [&]<class T>(T) {
    const T* const x = static_cast<const T*>(data);
    runtime::for_each(blocks_of(n), 0, [&](index b) {
      const index end = (b + 1) * block < n ? (b + 1) * block : n;
      counts[static_cast<std::size_t>(b)] = count_of(x + b * block, end - b * block);
    });
  });
  return counts;
}

// The numbers, from `first` on, of those of at most `piece` elements that are not zero, without a branch: each is
// written where the next that is found belongs.
template <class T>
index find_places(const T* x, index n, index first, index* places) {
  if (const mask_kernels* const code = mask_code()) {
    if constexpr (__is_same(T, std::uint8_t)) return code->places(x, n, first, places);
    std::uint8_t set[piece];
    for (index k = 0; k < n; ++k) set[k] = x[k] != T{} ? 1 : 0;
    return code->places(set, n, first, places);
  }
  index found = 0;
  for (index k = 0; k < n; ++k) {
    places[found] = first + k;
    found += x[k] != T{} ? 1 : 0;
  }
  return found;
}

}  // namespace

index count_nonzero_elements(const void* data, dtype type, index n) {
  index sum = 0;
  for (index c : block_counts(data, type, n)) sum += c;
  return sum;
}

void write_nonzero(const void* data, dtype type, const index* extents, int rank, index* to, index step, bool apart) {
  index n = 1;
  for (int i = 0; i < rank; ++i) n *= extents[i];
  std::vector<index> first = block_counts(data, type, n);
  index sum = 0;
  for (index& c : first) {
    const index own = c;
    c = sum;
    sum += own;
  }
  const index next = apart ? 1 : step, axis_step = apart ? step : 1;
  with_bits(type, [&]<class T>(T) {
    const T* const x = static_cast<const T*>(data);
    runtime::for_each(blocks_of(n), 0, [&](index b) {
      const index end = (b + 1) * block < n ? (b + 1) * block : n;
      index* p = to + first[static_cast<std::size_t>(b)] * next;
      const index* const p_end = to + (b + 1 < blocks_of(n) ? first[static_cast<std::size_t>(b + 1)] : sum) * next;
      const index columns = rank == 0 ? 1 : extents[rank - 1];
      index places[piece + 8];
      for (index i = b * block; i < end;) {
        const index row = i / columns, first_column = i % columns;
        const index n_row = columns - first_column < end - i ? columns - first_column : end - i;
        const index m = n_row < piece ? n_row : piece;
        // Straight to the result where what is written behind the last place is this block's, too.
        const bool straight = rank == 1 && next == 1 && p_end - p >= m + 8;
        const index found = find_places(x + i, m, first_column, straight ? p : places);
        i += m;
        if (straight) {
          p += found;
          continue;
        }
        if (found == 0) continue;
        if (rank > 0 && next == 1)
          std::memcpy(p + (rank - 1) * axis_step, places, static_cast<std::size_t>(found) * sizeof(index));
        else
          for (index k = 0; k < found && rank > 0; ++k) p[k * next + (rank - 1) * axis_step] = places[k];
        index rest = row;
        for (int axis = rank - 2; axis >= 0; --axis) {
          const index at = rest % extents[axis];
          rest /= extents[axis];
          for (index k = 0; k < found; ++k) p[k * next + axis * axis_step] = at;
        }
        p += found * next;
      }
    });
  });
}

}  // namespace broadloom::detail
