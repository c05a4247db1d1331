// Evaluates a problem whose operands overlap its output: by copies of these operands, or of the result.
#pragma once

#include "../plan/alias.hpp"

namespace broadloom::runtime {

// Copies elements by their size, with strides in elements.
void copy_array(dtype type, const void* from, const index* from_strides, void* to, const index* to_strides, index rank,
                const index* extents, const options& how);

// Evaluates with the temporaries the decision asks for.
void execute_without_aliases(const problem& p, const alias_decision& d);

}  // namespace broadloom::runtime
