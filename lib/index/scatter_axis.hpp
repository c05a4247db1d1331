// Writes to destinations that depend on one index operand alone.
#pragma once

#include <broadloom/index/problem.hpp>

namespace broadloom::runtime {

// As write(), for indices that are checked. False, and nothing done, if there is more than one list of indices, or too
// little work.
bool write_line(const selection& to, const char* call, const void* from, const index* strides, dtype type, update what,
                const options& how);

}  // namespace broadloom::runtime
