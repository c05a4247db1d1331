// The laws of the catalogue for u32.
#include <cstdint>

namespace law {
using tested = std::uint32_t;
}

#include "law/catalogue.hpp"
