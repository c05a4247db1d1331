// The check of indices for AVX2.
#include "bounds_check_level.hpp"

namespace broadloom::runtime {

index look_v3(const std::int32_t* p, index n, index low, index high, findings& f) {
  return look_at_vectors(p, n, low, high, f);
}
index look_v3(const std::int64_t* p, index n, index low, index high, findings& f) {
  return look_at_vectors(p, n, low, high, f);
}
index narrow_v3(const std::int32_t* p, index n, index low, index extent, std::uint32_t* to, findings& f) {
  return narrow_vectors(p, n, low, extent, to, f);
}
index narrow_v3(const std::int64_t* p, index n, index low, index extent, std::uint32_t* to, findings& f) {
  return narrow_vectors(p, n, low, extent, to, f);
}

}  // namespace broadloom::runtime
