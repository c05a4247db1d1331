// The laws of the catalogue for i32.
// Build: clang-too, not-sanitized
#include <cstdint>

namespace law {
using tested = std::int32_t;
}

#include "law/catalogue.hpp"
