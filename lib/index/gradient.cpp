// Weights of differences of second order, of points at any distances.
#include <broadloom/index/gradient.hpp>

#include <string>

namespace broadloom::detail {

void slope_weights(const double* points, index n, int order, double* inner, double* edges) {
  if (order < 1 || order > 2)
    throw shape_error("'edge_order' greater than 2 not supported: " + std::to_string(order) + "\n  in gradient");
  if (n < order + 1)
    throw shape_error(
        "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are "
        "required.\n  in gradient, of an axis of " +
        std::to_string(n));
  const auto gap = [&](index i) { return points == nullptr ? 1.0 : points[i + 1] - points[i]; };
  if (order == 1) {
    const double first = gap(0), last = gap(n - 2);
    edges[0] = -1 / first;
    edges[1] = 1 / first;
    edges[3] = -1 / last;
    edges[4] = 1 / last;
  } else {
    double p = gap(0), q = gap(1);
    edges[0] = -(2 * p + q) / (p * (p + q));
    edges[1] = (p + q) / (p * q);
    edges[2] = -p / (q * (p + q));
    p = gap(n - 3);
    q = gap(n - 2);
    edges[3] = q / (p * (p + q));
    edges[4] = -(q + p) / (p * q);
    edges[5] = (2 * q + p) / (q * (p + q));
  }
  if (points == nullptr) return;
  for (index i = 0; i + 2 < n; ++i) {
    const double p = gap(i), q = gap(i + 1);
    inner[i] = -q / (p * (p + q));
    inner[i + n - 2] = (q - p) / (p * q);
    inner[i + 2 * (n - 2)] = p / (q * (p + q));
  }
}

}  // namespace broadloom::detail
