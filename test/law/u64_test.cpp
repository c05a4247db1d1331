// The laws of the catalogue for u64.
// Build: clang-alone
#include <cstdint>

namespace law {
using tested = std::uint64_t;
}

#include "law/catalogue.hpp"
