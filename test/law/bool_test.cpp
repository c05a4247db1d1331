// The laws of the catalogue for bool.
// Build: clang-too, not-sanitized
namespace law {
using tested = bool;
}

#include "law/catalogue.hpp"
