// Runs a program over the blocks of a nest: on one thread, or handed out to many.
#pragma once

#include "blocks.hpp"

namespace broadloom::runtime {

// Whether the work is worth waking threads for, and how many.
int choose_threads(const nest& n, const blocks& b, const program& code, const options& how);

// Everything for every block. Throws std::bad_alloc and what a user's callable throws.
void run(const nest& n, const blocks& b, const program& code, const options& how);

}  // namespace broadloom::runtime
