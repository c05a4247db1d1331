// The weights of observations, and what their sums of squares are divided by.
#include <broadloom/linalg/covariance.hpp>

#include <stdexcept>
#include <string>

namespace broadloom::runtime {

namespace {

void check_weights(const char* name, index size, index n) {
  if (size != n)
    throw shape_error(std::string("cov(): expected ") + name +
                      " to have the same numel as there are observations in the input but got " + std::to_string(size) +
                      " != " + std::to_string(n));
}

template <class T>
void multiply_by(double* weights, const T* list, index size, index n, const char* name) {
  if (list == nullptr) return;
  check_weights(name, size, n);
  for (index i = 0; i < n; ++i) {
    if (list[i] < 0) throw std::invalid_argument(std::string("cov(): ") + name + " cannot be negative");
    weights[i] *= static_cast<double>(list[i]);
  }
}

}  // namespace

weight_sums observation_weights(const std::int64_t* counts, index count_size, const double* reliability,
                                index reliability_size, index n, double correction, double* weights) {
  for (index i = 0; i < n; ++i) weights[i] = 1;
  multiply_by(weights, counts, count_size, n, "fweights");
  multiply_by(weights, reliability, reliability_size, n, "aweights");
  double total = 0, squares = 0;
  for (index i = 0; i < n; ++i) {
    total += weights[i];
    if (reliability != nullptr) squares += weights[i] * reliability[i];
  }
  if (total == 0) throw std::invalid_argument("cov(): weights sum to zero, can't be normalized");
  const double lost = correction == 0 ? 0 : reliability == nullptr ? correction : correction * squares / total;
  return {total, total > lost ? total - lost : 0.0};
}

}  // namespace broadloom::runtime
