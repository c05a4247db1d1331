// All elements to one, where some operands are one row for all of them: strips of elements, which need not begin where
// rows do, by the program's own kernel.
#pragma once

#include <broadloom/plan/source.hpp>
#include <broadloom/plan/stage.hpp>

namespace broadloom::runtime {

// Whether `rows` rows of n elements can be reduced so; there is at least one element.
bool are_rows_of_all(const stage& only, index rows, index n, const row_reduce_kernel* kernel, reduction how);

// `shared`: inputs that are one row for all, a bit each. Others are scalars, or have all elements.
void reduce_rows_of_all(const stage& only, const slot* in, unsigned shared, index rows, index n,
                        const row_reduce_kernel& kernel, reduction how, void* to);

}  // namespace broadloom::runtime
