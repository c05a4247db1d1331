// Short rows: leaves that broadcast are written out as the vectors that a kernel reads, one row or two in each, so that
// one call of it does it all. Each file for a level of the processor has vectors of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"
#include "small_broadcast.hpp"

namespace broadloom::runtime {

#define ALWAYS_INLINE [[gnu::always_inline]] inline

typedef int bits32 __attribute__((may_alias, aligned(1)));
typedef long long bits64 __attribute__((may_alias, aligned(1)));

using limits::short_rows::max_materialized_bytes;

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

  // Whether an input that is read where it is overlaps the output, whose elements are as wide at most. What is written
  // out has been read before.
  ALWAYS_INLINE static bool may_disturb(const std::byte* from, const void* out, index bytes) {
    const auto size = static_cast<std::uintptr_t>(bytes);
    return reinterpret_cast<std::uintptr_t>(from) - reinterpret_cast<std::uintptr_t>(out) + (size - 1) < 2 * size - 1;
  }

  // An input as the kernel reads it, written out to `to` where the leaf is not as the output is. False where it does
  // not serve, or fit.
  ALWAYS_INLINE static bool prepare(slot& input, const slot& leaf, const index* own, index rows, index bytes,
                                    std::byte*& to, const void* out, const unplanned_form& form, int k) {
    const auto* from = static_cast<const std::byte*>(leaf.data);
    const index own_rows = own[0], own_columns = own[1];
    // A member at a time, as leaves are written and read, too.
    input.data = from;
    input.advance = leaf.advance;
    if (own_rows == rows && own_columns == columns)
      return leaf.advance == 0 || !may_disturb(from, out, bytes) ||
             (from == out && form.code->stages->input_types[k] == form.type);
    input.data = to;
    std::byte* const last = to + bytes;
    if (own_columns == 1) {
      if (own_rows != rows && own_rows != 1) return false;
      const index gap = own_rows == 1 ? 0 : Vectors::size;
      for (; to < last; to += Vectors::bytes, from += Rows * gap) Vectors::store(to, elements(from, gap));
    } else {
      if (own_rows != 1 || own_columns != columns) return false;
      const auto x = row(from);
      for (; to < last; to += Vectors::bytes) Vectors::store(to, x);
    }
    return true;
  }

  // By itself, so that what the choice of it needs takes no register.
  [[gnu::noinline]] static void run(const slot* leaves, const index* extents, void* out, const unplanned_form& form) {
    alignas(64) std::byte memory[max_materialized_bytes];
    slot inputs[max_flat_inputs];
    const index rows = extents[0], bytes = rows * columns * Vectors::size;
    std::byte* to = memory;
    const auto ready = [&](int k) __attribute__((always_inline)) {
      return prepare(inputs[k], leaves[k], extents + 2 * (k + 1), rows, bytes, to, out, form, k);
    };
    bool ok = true;
    if (form.count == 2)
      ok = ready(0) && ready(1);
    else
      for (int k = 0; k < form.count; ++k) ok = ok && ready(k);
    if (!ok) return assign_differing_extents(leaves, extents, out, form, {});
    form.only->run[Vectors::level](inputs, out, rows * columns, kernel_mode::dense);
  }
};

template <class Vectors>
ALWAYS_INLINE void run_short_rows(const slot* leaves, const index* extents, void* out, const unplanned_form& form) {
  if (extents[1] == Vectors::bytes / Vectors::size / 2) return short_rows<Vectors, 2>::run(leaves, extents, out, form);
  short_rows<Vectors, 1>::run(leaves, extents, out, form);
}

// Rows of one vector, or an even number of rows of half of one.
template <class Four, class Eight>
ALWAYS_INLINE void assign_short_rows(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                     const options& how) {
  // Where a vector of one level is full of a leaf's elements, those of the others are.
  const index size = form.leaf_size, row = extents[1] * size;
  const bool fills = row == Four::bytes || (row == Four::bytes / 2 && extents[0] % 2 == 0);
  if (fills && extents[0] * row * form.count <= max_materialized_bytes) {
    if (size == 4) return run_short_rows<Four>(leaves, extents, out, form);
    if (size == 8) return run_short_rows<Eight>(leaves, extents, out, form);
  }
  assign_differing_extents(leaves, extents, out, form, how);
}

#undef ALWAYS_INLINE

}  // namespace broadloom::runtime
