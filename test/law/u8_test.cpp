// The laws of the catalogue for u8.
// Build: not-sanitized (its loops exist only with optimisation)
#include <cstdint>

namespace law {
using tested = std::uint8_t;
}

#include "law/catalogue.hpp"
