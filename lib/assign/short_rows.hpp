// Short rows: leaves that broadcast are materialized as the vectors that a kernel reads, one row or two in each, so
// that one call of the kernel does it all. Each file for a level of the processor has vectors of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../base/limits.hpp"
#include "../plan/route.hpp"
#include "small_broadcast.hpp"

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

  // Whether an input that is read where it is overlaps the output, whose elements are as wide at most. What is
  // materialized has been read before.
  ALWAYS_INLINE static bool may_overlap(const std::byte* from, const void* out, index bytes) {
    const auto size = static_cast<std::uintptr_t>(bytes);
    return reinterpret_cast<std::uintptr_t>(from) - reinterpret_cast<std::uintptr_t>(out) + (size - 1) < 2 * size - 1;
  }

  // An input as the kernel reads it, materialized to `to` where the leaf has other extents than the output. False where
  // the leaf does not fit. Without Run only that is found out.
  template <bool Run>
  ALWAYS_INLINE static bool prepare(slot& input, const slot& leaf, const index* own, index rows, index bytes,
                                    std::byte*& to, const void* out, const unplanned_form& form, int k) {
    const auto* from = static_cast<const std::byte*>(leaf.data);
    const index own_rows = own[0], own_columns = own[1];
    // A member at a time, as leaves are written and read, too: copied as one they would be waited for.
    input.data = from;
    input.advance = leaf.advance;
    if (own_rows == rows && own_columns == columns)
      return leaf.advance == 0 || !may_overlap(from, out, bytes) ||
             (from == out && form.code->stages->input_types[k] == form.type);
    input.data = to;
    std::byte* const last = to + bytes;
    if (own_columns == 1) {
      if (own_rows != rows && own_rows != 1) return false;
      const index gap = own_rows == 1 ? 0 : Vectors::size;
      if constexpr (Run)
        for (; to < last; to += Vectors::bytes, from += Rows * gap) Vectors::store(to, elements(from, gap));
    } else {
      if (own_rows != 1 || own_columns != columns) return false;
      if constexpr (Run) {
        const auto x = row(from);
        for (; to < last; to += Vectors::bytes) Vectors::store(to, x);
      }
    }
    return true;
  }

  // All inputs. False, and nothing written, where a leaf does not fit.
  template <bool Run>
  ALWAYS_INLINE static bool prepare_all(slot* inputs, std::byte* to, const slot* leaves, const index* extents,
                                        const void* out, const unplanned_form& form) {
    const index rows = extents[0], bytes = rows * columns * Vectors::size;
    const auto ready = [&](int k) __attribute__((always_inline)) {
      return prepare<Run>(inputs[k], leaves[k], extents + 2 * (k + 1), rows, bytes, to, out, form, k);
    };
    if (form.count == 2) return ready(0) && ready(1);
    bool ok = true;
    for (int k = 0; k < form.count; ++k) ok = ok && ready(k);
    return ok;
  }

  // By itself, so that what the choice of it needs takes no register. The last call of each function here and in
  // assign_unplanned.cpp needs nothing kept, so that it is a jump.
  [[gnu::noinline]] static void run(const slot* leaves, const index* extents, void* out, const unplanned_form& form) {
    alignas(64) std::byte memory[limits::short_rows::max_materialized_bytes];
    slot inputs[max_flat_inputs];
    if (!prepare_all<true>(inputs, memory, leaves, extents, out, form))
      return assign_no_short_rows(leaves, extents, out, form, {});
    took(route::short_rows);
    form.only->run[Vectors::level](inputs, out, extents[0] * columns, kernel_mode::dense);
  }
  static bool fits(const slot* leaves, const index* extents, const void* out, const unplanned_form& form) {
    slot inputs[max_flat_inputs];
    return prepare_all<false>(inputs, nullptr, leaves, extents, out, form);
  }
};

// How many rows are one vector: 1, or 2 where there is an even number of rows of half of one; 0 where neither holds or
// there are too many. Where a vector of one level is full of a leaf's elements, those of the others are.
template <class Vectors>
ALWAYS_INLINE int rows_in_a_vector(const index* extents, const unplanned_form& form) {
  const index row = extents[1] * form.leaf_size;
  if (extents[0] * row * form.count > limits::short_rows::max_materialized_bytes) return 0;
  return row == Vectors::bytes ? 1 : row == Vectors::bytes / 2 && extents[0] % 2 == 0 ? 2 : 0;
}

template <class Four, class Eight>
ALWAYS_INLINE void run_short_rows(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                                  const options& how) {
  if (const int rows = rows_in_a_vector<Four>(extents, form); rows != 0) {
    if (form.leaf_size == 4)
      return rows == 2 ? short_rows<Four, 2>::run(leaves, extents, out, form)
                       : short_rows<Four, 1>::run(leaves, extents, out, form);
    if (form.leaf_size == 8)
      return rows == 2 ? short_rows<Eight, 2>::run(leaves, extents, out, form)
                       : short_rows<Eight, 1>::run(leaves, extents, out, form);
  }
  assign_no_short_rows(leaves, extents, out, form, how);
}
template <class Four, class Eight>
bool fit_short_rows(const slot* leaves, const index* extents, const void* out, const unplanned_form& form) {
  const int rows = rows_in_a_vector<Four>(extents, form);
  if (rows == 0) return false;
  if (form.leaf_size == 4)
    return rows == 2 ? short_rows<Four, 2>::fits(leaves, extents, out, form)
                     : short_rows<Four, 1>::fits(leaves, extents, out, form);
  return form.leaf_size == 8 && (rows == 2 ? short_rows<Eight, 2>::fits(leaves, extents, out, form)
                                           : short_rows<Eight, 1>::fits(leaves, extents, out, form));
}

#undef ALWAYS_INLINE

}  // namespace broadloom::runtime
