// What compilers look at more closely when they optimise: arrays that are empty or have no axes, and what they pass.
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using number = bl::tensor<double, bl::shape<>>;

double of_no_axes(const number& x, number& y) {
  y = bl::erf(x) * y;
  return bl::sum(y).item() + bl::exp(x).item();
}
