// The largest of many positions, at one instruction-set level.
#include "largest.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace broadloom::runtime {
namespace BROADLOOM_LEVEL {
namespace {

position_range range(const index* x, index n) {
  constexpr int lanes = 16;
  index most[lanes], together[lanes] = {}, i = 0;
  for (int k = 0; k < lanes; ++k) most[k] = x[0];
  for (; i + lanes <= n; i += lanes)
    for (int k = 0; k < lanes; ++k) {
      together[k] |= x[i + k];
      most[k] = x[i + k] > most[k] ? x[i + k] : most[k];
    }
  position_range r{x[0], 0};
  for (int k = 0; k < lanes; ++k) {
    r.together |= together[k];
    r.largest = most[k] > r.largest ? most[k] : r.largest;
  }
  for (; i < n; ++i) {
    r.together |= x[i];
    r.largest = x[i] > r.largest ? x[i] : r.largest;
  }
  return r;
}

}  // namespace
}  // namespace BROADLOOM_LEVEL

constinit const position_kernels BROADLOOM_OF_LEVEL(position_code){BROADLOOM_LEVEL::range};

}  // namespace broadloom::runtime
