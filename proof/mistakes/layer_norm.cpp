// Layer norm of a sequence with position embeddings and a residual.
#include "levels.hpp"

constexpr bl::index batch = SIZE(batch, bl::dyn), time = SIZE(time, bl::dyn), feature = SIZE(feature, 256),
                    hidden = SIZE(hidden, 1024);

array_of<batch, time, feature> block(const array_of<batch, time, feature>& x, const array_of<feature>& gain,
                                     const array_of<feature>& bias, const array_of<time, feature>& positions,
                                     const array_of<feature, hidden>& up, const array_of<hidden, feature>& down,
                                     const array_of<batch>& weights) {
#if MISTAKE == 1  // positions are transposed
  auto y = x + bl::transpose(positions);
#elif MISTAKE == 2  // weights of the batch lie along the features
  auto y = x * weights + positions;
#else
  auto y = x * bl::unsqueeze(bl::unsqueeze(weights, 1_c), 1_c) + positions;
#endif
#if MISTAKE == 3  // keepdim is forgotten
  auto centred = y - bl::mean(y, AXIS(feature, 2));
#elif MISTAKE == 4  // the mean is over the time
  auto centred = y - bl::mean(y, AXIS(time, 1), bl::keepdim);
#else
  auto centred = y - bl::mean(y, AXIS(feature, 2), bl::keepdim);
#endif
#if MISTAKE == 5  // keepdim is forgotten, in the variance
  auto normal = centred * bl::rsqrt(bl::mean(bl::square(centred), AXIS(feature, 2)) + 1e-5f);
#else
  auto normal = centred * bl::rsqrt(bl::mean(bl::square(centred), AXIS(feature, 2), bl::keepdim) + 1e-5f);
#endif
#if MISTAKE == 6  // the gain is a column
  auto scaled = normal * bl::unsqueeze(gain, 1_c) + bias;
#elif MISTAKE == 7  // the gain of another layer
  auto scaled = normal * bl::sum(down, AXIS(feature, 1)) + bias;
#else
  auto scaled = normal * gain + bias;
#endif
#if MISTAKE == 8  // the matrices change places
  auto wide = bl::matmul(scaled, down);
  return x + bl::matmul(bl::relu(wide), up);
#elif MISTAKE == 9   // the second product is forgotten
  return x + bl::relu(bl::matmul(scaled, up));
#elif MISTAKE == 10  // the second matrix is transposed, too
  auto wide = bl::matmul(scaled, up);
  return x + bl::matmul(bl::relu(wide), bl::transpose(down));
#else
  auto wide = bl::matmul(scaled, up);
  return x + bl::matmul(bl::relu(wide), down);
#endif
}
