// The laws of the catalogue for bool.
namespace law {
using tested = bool;
}

#include "law/catalogue.hpp"
