// The laws of the catalogue for u8.
#include <cstdint>

namespace law {
using tested = std::uint8_t;
}

#include "law/catalogue.hpp"
