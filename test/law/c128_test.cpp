// The laws of the catalogue for c128.
#include <complex>

namespace law {
using tested = std::complex<double>;
}

#include "law/catalogue.hpp"
