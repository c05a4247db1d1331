// The laws of the catalogue for u16.
// Build: clang-alone
#include <cstdint>

namespace law {
using tested = std::uint16_t;
}

#include "law/catalogue.hpp"
