// Short rows: of two leaves one has the output's extents and the other broadcasts. That one is materialized as the
// vectors that a kernel reads, one row or two in each, so that one call of the kernel does it all. Each file for a
// level of the processor has vectors of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

#define ALWAYS_INLINE [[gnu::always_inline]] inline

typedef int bits32 __attribute__((may_alias, aligned(1)));
typedef long long bits64 __attribute__((may_alias, aligned(1)));

// Vectors::one(p) is a vector of one row of elements like that at p, two(p, q) of two; row(p) is one of the row at p,
// half_row(p) of two such rows of half its bytes.
template <class Vectors, int Rows>
struct short_rows {
  static constexpr index columns = Vectors::bytes / Vectors::size / Rows;

  ALWAYS_INLINE static auto elements(const std::byte* p, [[maybe_unused]] index gap) {
    if constexpr (Rows == 1)
      return Vectors::one(p);
    else
      return Vectors::two(p, p + gap);
  }
  ALWAYS_INLINE static auto row(const std::byte* p) {
    if constexpr (Rows == 1)
      return Vectors::row(p);
    else
      return Vectors::half_row(p);
  }

  ALWAYS_INLINE static void materialize(std::byte* to, const std::byte* last, const slot& leaf, const index* own) {
    const auto* from = static_cast<const std::byte*>(leaf.data);
    if (own[1] == 1) {
      const index gap = own[0] == 1 ? 0 : Vectors::size;
      for (; to < last; to += Vectors::bytes, from += Rows * gap) Vectors::store(to, elements(from, gap));
    } else {
      const auto x = row(from);
      for (; to < last; to += Vectors::bytes) Vectors::store(to, x);
    }
  }

  // By itself, so that what the choice of it needs takes no register.
  [[gnu::noinline]] static void run(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                    int broadcast) {
    alignas(64) std::byte memory[limits::short_rows::max_materialized_bytes];
    slot inputs[2];
    const index n = extents[0] * columns;
    const std::byte* const last = memory + n * Vectors::size;
    // A member at a time, as leaves are written and read, too: copied as one they would be waited for.
    for (int k = 0; k < 2; ++k) {
      inputs[k].data = leaves[k].data;
      inputs[k].advance = leaves[k].advance;
    }
    if (broadcast == 0) {
      materialize(memory, last, leaves[0], extents + 2);
      inputs[0].data = memory;
    } else {
      materialize(memory, last, leaves[1], extents + 4);
      inputs[1].data = memory;
    }
    form.only->run[Vectors::level](inputs, out, n, kernel_mode::dense);
  }
};

// Where a vector of one level is full of a leaf's elements, those of the others are.
template <class Four, class Eight>
ALWAYS_INLINE void run_short_rows(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                  int broadcast) {
  const bool half = extents[1] * form.leaf_size != Four::bytes;
  if (form.leaf_size == 4) {
    if (half) return short_rows<Four, 2>::run(leaves, extents, out, form, broadcast);
    return short_rows<Four, 1>::run(leaves, extents, out, form, broadcast);
  }
  if (half) return short_rows<Eight, 2>::run(leaves, extents, out, form, broadcast);
  short_rows<Eight, 1>::run(leaves, extents, out, form, broadcast);
}

#undef ALWAYS_INLINE

}  // namespace broadloom::runtime
