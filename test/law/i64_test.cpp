// The laws of the catalogue for i64.
#include <cstdint>

namespace law {
using tested = std::int64_t;
}

#include "law/catalogue.hpp"
