// The type of sizes, indices and strides: signed and as wide as a pointer.
#pragma once

#include <cstddef>

namespace broadloom {

using index = std::ptrdiff_t;

}  // namespace broadloom
