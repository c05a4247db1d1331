// Reductions of all elements to one, which need no plan where their leaves lie in row-major order.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/unplanned.hpp>

namespace broadloom::runtime {

// What sums are often of: x * y, square(x), square(x - y) where y is one number, and where it is an array.
enum class summed_term : unsigned char { product, square, squared_difference, squared_distance, other };

// What a stage computes of these from its inputs, an array and another one or a number.
constexpr summed_term summed_term_of(const stage& only, bool by_number) {
  if (only.type != dtype::f32 && only.type != dtype::f64) return summed_term::other;
  for (int j = 0; j < only.input_count; ++j)
    if (only.input_types[j] != only.type) return summed_term::other;
  switch (only.known) {
    case arithmetic::squared: return summed_term::square;
    case arithmetic::minus_squared: return by_number ? summed_term::squared_difference : summed_term::squared_distance;
    case arithmetic::times: return by_number ? summed_term::other : summed_term::product;
    default: return summed_term::other;
  }
}

// What compilers know of such a reduction.
struct whole_reduction {
  const program* code;
  const row_reduce_kernel* rows;  // null: none
  dtype result, computed;         // the type that elements are reduced in
  unsigned char rank;             // of the elements
  unsigned char count;            // of leaves
  summed_term term;               // of one axis, and added up
  bool reads_array;               // the elements are those of an array of one axis
  bool by_number;                 // the second leaf is a number
  unsigned short numbers;         // a bit for each leaf that is a number, where leaves are listed as they stand
};
constexpr whole_reduction whole_form(const program& code, const row_reduce_kernel* rows, dtype result, int rank,
                                     int count, bool is_sum, bool of_arrays, bool by_number, unsigned short numbers) {
  const stage& only = code.stages[0];
  const bool direct =
      rank == 1 && of_arrays && code.stage_count == 1 && only.kind == stage_kind::compute && only.input_count == count;
  return {&code,
          rows,
          result,
          only.type,
          static_cast<unsigned char>(rank),
          static_cast<unsigned char>(count),
          direct && is_sum ? summed_term_of(only, by_number) : summed_term::other,
          direct && only.copies && only.known != arithmetic::widened,
          by_number,
          numbers};
}

// Reduces all elements of the program to *to. Leaves are scalars (advance 0) or row-major; `extents` are those of the
// elements, then those of each leaf with ones in front; a scalar has those of the elements. Elements that one kernel
// reads where they are, of equal extents, are reduced at once: `explain` is to name this "whole reduction". Others are
// planned as everywhere. The result has the bits of docs/reference/reductions.md either way. Throws what reduce()
// throws.
BROADLOOM_API void reduce_whole(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                reduction how, const options& o);
// The same of leaves that are listed as they stand in the tree, none of them a ramp, and tensors with the extents that
// they had when the tree was built: the library looks up their extents and elements.
inline constexpr int max_listed_rank = 4;
BROADLOOM_API void reduce_listed(const listed_leaf* leaves, void* to, const whole_reduction& form, reduction how,
                                 const options& o);
// The same of an array of n elements, where the form says that it reads one.
BROADLOOM_API void reduce_array(const void* x, index n, void* to, const whole_reduction& form, reduction how,
                                const options& o);
// The sum of the form's term. y: null where there is one leaf. It has `other` elements; as a number, n.
BROADLOOM_API void sum_products(const void* x, const void* y, index n, void* to, index other,
                                const whole_reduction& form, const options& o);

}  // namespace broadloom::runtime
