// The laws of the catalogue for c64.
#include <complex>

namespace law {
using tested = std::complex<float>;
}

#include "law/catalogue.hpp"
