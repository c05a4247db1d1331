// The laws of the catalogue for i16.
// Build: clang-alone
#include <cstdint>

namespace law {
using tested = std::int16_t;
}

#include "law/catalogue.hpp"
