// The laws of the catalogue for u32.
// Build: clang-alone
#include <cstdint>

namespace law {
using tested = std::uint32_t;
}

#include "law/catalogue.hpp"
