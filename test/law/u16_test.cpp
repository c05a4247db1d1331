// The laws of the catalogue for u16.
#include <cstdint>

namespace law {
using tested = std::uint16_t;
}

#include "law/catalogue.hpp"
