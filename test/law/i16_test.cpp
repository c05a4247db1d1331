// The laws of the catalogue for i16.
#include <cstdint>

namespace law {
using tested = std::int16_t;
}

#include "law/catalogue.hpp"
