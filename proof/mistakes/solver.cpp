// Ridge regression: the normal equations, and one step of gradient descent on several targets.
#include "levels.hpp"

constexpr bl::index sample = SIZE(sample, bl::dyn), feature = SIZE(feature, 32), target = SIZE(target, 4);

array_of<feature, target> step(const array_of<sample, feature>& x, const array_of<sample, target>& y,
                               const array_of<feature, target>& w, const array_of<target>& offset,
                               const array_of<sample>& weight, const array_of<feature>& scale) {
#if MISTAKE == 1  // factors change places
  auto predicted = bl::matmul(w, x) + offset;
#elif MISTAKE == 2  // the matrix is transposed
  auto predicted = bl::matmul(x, bl::transpose(w)) + offset;
#elif MISTAKE == 3  // features' scales taken for targets' offsets
  auto predicted = bl::matmul(x, w) + scale;
#elif MISTAKE == 4  // inputs are not scaled but moved
  auto predicted = bl::matmul(x + weight, w) + offset;
#else
  auto predicted = bl::matmul(x * scale, w) + offset;
#endif
#if MISTAKE == 5  // targets taken for inputs
  auto residual = predicted - x;
#elif MISTAKE == 6  // residuals of the transposed targets
  auto residual = predicted - bl::transpose(y);
#else
  auto residual = predicted - y;
#endif
#if MISTAKE == 7  // weights of samples lie along the targets
  auto weighted = residual * weight;
#else
  auto weighted = residual * bl::unsqueeze(weight, 1_c);
#endif
#if MISTAKE == 8  // the gradient of the targets
  auto gradient = bl::matmul(bl::transpose(y), weighted);
#elif MISTAKE == 9  // the inputs are not transposed
  auto gradient = bl::matmul(x, weighted);
#else
  auto gradient = bl::matmul(bl::transpose(x), weighted);
#endif
#if MISTAKE == 10  // the gradient is that of the transposed weights
  return w - bl::transpose(gradient) * 0.1f;
#else
  return w - gradient * 0.1f;
#endif
}
