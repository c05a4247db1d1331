// The errors of functions on signals, and what their parameters mean.
#include <cmath>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/signal/fourier.hpp>

#include "../base/list_text.hpp"

namespace broadloom::detail {

void throw_transform_length(const char* call, index n, int axis, const index* extents, int rank) {
  throw shape_error("Invalid number of data points (" + std::to_string(n) + ") specified\n  in " + call + ": axis " +
                    std::to_string(axis) + " of " + list(extents, rank, '(', ')'));
}

double transform_scale(index n, bool inverse, fft_norm norm) {
  const auto count = static_cast<double>(n);
  if (norm == fft_norm::ortho) return 1 / std::sqrt(count);
  return inverse == (norm == fft_norm::backward) ? 1 / count : 1;
}

}  // namespace broadloom::detail
