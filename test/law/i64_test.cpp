// The laws of the catalogue for i64.
// Build: seldom, not-sanitized
#include <cstdint>

namespace law {
using tested = std::int64_t;
}

#include "law/catalogue.hpp"
