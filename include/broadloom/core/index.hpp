// The type of sizes, indices and strides: signed and as wide as a pointer.
#pragma once

#include <cstddef>

#include <broadloom/core/compiler.hpp>

namespace broadloom {

using index = std::ptrdiff_t;

}  // namespace broadloom
