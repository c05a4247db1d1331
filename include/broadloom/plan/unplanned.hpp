// Evaluation without a plan: of trees whose leaves are scalars or row-major with no more axes than the output.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/stage.hpp>

namespace broadloom::runtime {

inline constexpr int max_flat_inputs = 12;

// Whether all leaves of a tree are numbers of up to 8 bytes or dynamic tensors of the output's rank, which are listed
// as they stand in the tree, or, of one loop of rank 1, ramps in memory; and a bit for each that is a number, and for
// each that is a ramp, from the lowest on.
struct listed_leaves {
  bool all;
  unsigned short numbers, ramps;
};

// What is known when compiling of a tree whose leaves are scalars or row-major with no more axes than the output.
struct unplanned_form {
  const program* code;
  const kernel* only;  // the program's only kernel, over the leaves in order; null: there are more stages
  dtype type;          // of the output
  writing to;
  unsigned char count;        // of leaves
  unsigned char widest;       // bytes of an element, of the output or a leaf
  unsigned char rank;         // of the output
  unsigned char result_rank;  // of the result, before it is broadcast to the output
  unsigned char at_once;      // elements of which AVX-512 reads all before it writes: up to a vector; 0: none
  bool one_loop;              // only != nullptr, which is no constant expression under some sanitizers
  listed_leaves leaves;
};
constexpr unplanned_form form_of(const program& code, dtype type, int rank, int result_rank, int count, writing to,
                                 listed_leaves leaves) {
  unplanned_form f{&code,
                   nullptr,
                   type,
                   to,
                   static_cast<unsigned char>(count),
                   static_cast<unsigned char>(size_of(type)),
                   static_cast<unsigned char>(rank),
                   static_cast<unsigned char>(result_rank),
                   0,
                   false,
                   leaves};
  const stage& first = code.stages[0];
  const bool is_one_loop = code.stage_count == 1 && first.kind == stage_kind::compute && count <= max_flat_inputs;
  if (leaves.ramps != 0 && !(is_one_loop && first.function == dense_ramps)) f.leaves = {false, 0, 0};
  if (!is_one_loop) return f;
  f.only = first.code;
  f.one_loop = true;
  bool is_own = first.type != dtype::c64 && first.type != dtype::c128;  // else the library's kernels: no constants
  for (int k = 0; k < count; ++k) {
    const dtype t = first.input_types[k];
    const auto size = static_cast<unsigned char>(size_of(t));
    if (size > f.widest) f.widest = size;
    is_own = is_own && t != dtype::c64 && t != dtype::c128;
  }
  f.at_once = is_own && f.only->masked_tail ? f.only->lanes[static_cast<int>(isa::v4)] : 0;
  return f;
}

// Which of a table's functions runs such a form: for one kernel and an output of one or two axes [rank][leaves], where
// [rank][0] takes any number of leaves; else [0][0].
struct unplanned_place {
  unsigned char rank, count;
};
constexpr unplanned_place place_of(const unplanned_form& f) {
  if (!f.one_loop || f.rank < 1 || f.rank > 2) return {0, 0};
  return {f.rank, static_cast<unsigned char>(f.count > 3 ? 0 : f.count)};
}

// As assign, but checks that the extents fit the output's and throws shape_error if not. Extents are the output's, then
// those of each leaf, with leading ones; a scalar has the output's.
using assign_fn = void(const slot* leaves, const index* extents, void* out, const unplanned_form& form, options how);
BROADLOOM_API extern assign_fn* const unplanned_assign[3][4];

// A dynamic tensor in memory; its extents follow. For the error, a leaf that is one has its address as data.
struct tensor_elements {
  void* data;
  index size;
};
constexpr index advance_of_tensor(int rank) { return -1 - rank; }
// Leaves as for an assign_fn, but for those that are tensors, of which at least one no longer has the extents that
// are listed.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_tensor_changed(const slot* leaves, int count,
                                                                        const index* extents, int rank) {
  detail::throw_error(detail::error_kind::tensor_changed, {leaves, count, extents, rank});
}

// A tensor becomes the value of a tree of this form, with options as they are if nobody sets them. Leaves and extents
// are as for an assign_fn.
BROADLOOM_API void replace_elements(void* tensor, const slot* leaves, const index* extents, const unplanned_form& form);

// A ramp as a tensor of one axis is in memory. `first` is no address, but as the data of a slot of ramp_advance.
struct listed_ramp {
  const void* first;
  index size, extent;
};
// A leaf as it stands in a tree: the address of a dynamic tensor or of a listed_ramp, or a number.
union listed_leaf {
  const void* tensor;
  alignas(8) char number[8];
};
// The same for leaves that are listed so, `form.leaves.all`, and tensors with the extents that they had when the tree
// was built. The library looks up their extents and elements.
struct listed_functions {
  void (*any)(void* tensor, const unplanned_form& form, const listed_leaf* leaves);
  // For one kernel, and one, two or three tensors, or one and a number, of rank 1 or 2, by their addresses: for few
  // elements a list takes a fifth longer.
  struct {
    void (*one)(void* tensor, const unplanned_form& form, const void* a);
    void (*two)(void* tensor, const unplanned_form& form, const void* a, const void* b);
    void (*three)(void* tensor, const unplanned_form& form, const void* a, const void* b, const void* c);
    void (*with_number)(void* tensor, const unplanned_form& form, const void* a, const void* number);
  } rank[2];
  // The same of rank 1 for one tensor and one ramp.
  void (*with_ramp)(void* tensor, const unplanned_form& form, const void* a, const void* ramp);
};
BROADLOOM_API extern const listed_functions unplanned_listed;

// Elements on the heap: an address that allocate() gave, or null, and the number of elements.
struct owned_elements {
  void* data;
  index size;
};
// As the function of this form, into memory for the output's extents: `old` where it has as many elements, else a new
// block, and then `old` is given back. What it throws besides: std::bad_alloc; a new block is given back, and `old`
// stays.
BROADLOOM_API owned_elements replace_unplanned(owned_elements old, const slot* leaves, const index* extents,
                                               const unplanned_form& form, options how);

}  // namespace broadloom::runtime
