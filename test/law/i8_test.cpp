// The laws of the catalogue for i8.
// Build: seldom, not-sanitized
#include <cstdint>

namespace law {
using tested = std::int8_t;
}

#include "law/catalogue.hpp"
