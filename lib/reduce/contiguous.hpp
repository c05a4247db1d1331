// Reductions of contiguous rows and columns of few elements in one call, without a nest.
#pragma once

#include <broadloom/core/isa.hpp>
#include <broadloom/plan/problem.hpp>

#include "../maths/find.hpp"
#include "../plan/contiguous_rows.hpp"
#include "../plan/reduction.hpp"
#include "kernels.hpp"

namespace broadloom::runtime {

// One contiguous row.
void reduce_row(const reduce_kernels& k, const void* x, index n, void* to);

// Functions below that take a plan: where it is not null, it gets what they would do, and nothing is done.

// All elements of a stage that is computed, over leaves in order that are numbers or have n elements each, to one by
// its kernel; false, and nothing is done, where n is large or no kernel does it.
bool reduce_row_of_leaves(const stage& only, const slot* leaves, index n, const row_reduce_kernel* kernel, reduction op,
                          void* to, reduction_plan* plan = nullptr);

// Reduces the last axes of few elements that lie in row-major order, by one kernel; false, and nothing is done, where p
// is not that. The bits are those of a planned reduction.
bool reduce_contiguous(const problem& p, unsigned reduced, reduction op, const row_reduce_kernel* rows_kernel,
                       reduction_plan* plan = nullptr);

// The same of a source whose leaves, in memory now, are scalars, row-major arrays of its extents, or of one number for
// each row; and of the first axes of an array.
bool reduce_leaves(const source& s, const leaf_array* leaves, void* to, reduction_plan* plan = nullptr);
// Whether it does, for sure, whatever its leaves are computed from.
bool reduces_leaves(const source& s);

// Which kernels there are, as plan_rows() asks: each is looked up once, when it is asked for. Inline, so that it stays
// in registers where rows are reduced at once.
struct kernels_of_rows {
  kernels_of_rows() = default;
  kernels_of_rows(const stage& s, reduction how, const row_reduce_kernel* of_program)
      : only(&s),
        op(how),
        at(active_isa()),
        program(of_program),
        sum(&find_widening_kernels(how, s, at)),
        found(find_kernels(how, s.type, at)) {}

  isa level() const { return at; }
  bool widens() const { return sum->one != nullptr; }
  [[gnu::always_inline]] bool widens_rows(index n) const { return are_widened_rows(*only, n, true, at); }
  [[gnu::always_inline]] widening_rows* squares(const slot* inputs) const {
    if (inputs[0].advance == 0) return nullptr;
    return find_widening_squares(op, *only, only->input_count > 1 && inputs[1].advance == 0, at);
  }
  [[gnu::always_inline]] bool widens_squares(const slot* inputs, index n) const {
    return squares(inputs) != nullptr && are_widened_rows(*only, n, reduces_rows(), at);
  }
  bool exists() const { return found != nullptr; }
  bool has_parts() const { return found->parts != 1; }
  bool finishes() const { return found->finish != nullptr; }
  bool finds_indices() const { return found->position != nullptr; }
  bool reduces_rows() const { return has_row_kernel(program, at); }
  [[gnu::always_inline]] bool adds_products(const slot* inputs) {
    products = &find_products(op, *only, inputs, at);
    return products->one != nullptr;
  }
  const stage* only;
  reduction op;
  isa at;
  const row_reduce_kernel* program;
  const widening_kernels* sum;
  const reduce_kernels* found;
  // what was found when it was asked for
  const product_kernels* products;
};

// What reduce_leaves() does for leaves in memory, planned once and run later.
class rows_of_leaves {
 public:
  // False where these are no rows; nor where integers are widened, or partial results are of two elements: rows of
  // those are reduced one at a time.
  bool plan(const source& s, const leaf_array* leaves);
  void run(void* to) const;

 private:
  const stage* only_;
  row_inputs x_;
  slot inputs_[max_short_inputs];
  kernels_of_rows k_;
  reduction_way way_;
};

// The first axes of an array, `rows` rows, few_columns.cpp.
bool reduce_columns(const source& s, const leaf_array* leaves, index rows, index columns, void* to,
                    reduction_plan* plan);

// The columns of such inputs, by a kernel for their type whose partial results are results. `rows`: the program's
// kernel of rows, or null.
void reduce_dense_columns(const stage& only, const row_reduce_kernel* rows, reduction how, const column_inputs& x,
                          const reduce_kernels& k, void* to);

// The same of few elements of a function, or of one of a stage: columns, and sums of rows that are a function of one
// operand, or of its differences from a number of each row or products with it, which its loop adds up without writing
// them. With `to` and `plan` null nothing is done.
bool reduce_function(const source& s, const leaf_array* leaves, accuracy maths, void* to,
                     reduction_plan* plan = nullptr);
// The columns, few_columns.cpp.
bool reduce_function_columns(const source& s, const leaf_array* leaves, accuracy maths, void* to, reduction_plan* plan);
// Sums of such rows that lie one after the other, of at most unplanned_rows_elements. False where the function has no
// such loop.
bool sum_function(const stage& last, before how, const void* x, const void* by, index by_pitch, index rows, index n,
                  accuracy maths, void* to);

// Whether a source of few elements reduces its last axes; and that, of its program's elements in row-major memory.
bool reduces_rows(const source& s);
void reduce_rows(const source& s, const void* elements, void* to);
reduction_plan plan_rows_of(const source& s, bool by_function);  // what reduce_rows() does

// Whether a source sums these elements, which lie in row-major order.
bool sums_all(const source& s, const leaf_array* leaves, const void* elements);
// Rows of few elements of a function, which may follow a difference or product with one number of the row, and their
// sums in the same loop; `s` says which axes are summed. False, and nothing done, where the program is not that. With
// `to` null nothing is done in any case.
bool map_and_sum_leaves(const source& s, const program& code, const leaf_array* leaves, accuracy maths, void* elements,
                        void* to);

// Has results of s that left the range computed again: `count` of them from number `first` on.
void repair_results(const source& s, index first, index count, void* to);

}  // namespace broadloom::runtime
