// The laws of the catalogue for f32.
namespace law {
using tested = float;
}

#include "law/catalogue.hpp"
