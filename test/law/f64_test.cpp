// The laws of the catalogue for f64.
namespace law {
using tested = double;
}

#include "law/catalogue.hpp"
