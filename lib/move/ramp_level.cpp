// Ramps in vector registers: one addition for each vector.
#include "../base/vectors.hpp"
#include "ramp.hpp"

#include <cstring>

namespace broadloom::runtime {

namespace BROADLOOM_LEVEL {
namespace {

// `Lanes` count, each a vector of elements T further; what is written is `to_elements` of them.
template <class T, class Lane, class ToElements>
[[gnu::always_inline]] inline void fill(T* to, index n, Lane first, Lane step, const ToElements& to_elements) {
  constexpr index lanes = BROADLOOM_LEVEL_BYTES / static_cast<index>(sizeof(Lane));
  using vector = vec<Lane, BROADLOOM_LEVEL_BYTES>;
  Lane each[lanes];
  for (index i = 0; i < lanes; ++i) each[i] = static_cast<Lane>(first + static_cast<Lane>(static_cast<Lane>(i) * step));
  vector now;
  std::memcpy(&now, each, sizeof now);
  const vector by = static_cast<Lane>(static_cast<Lane>(lanes) * step) - vector{};
  for (; n >= lanes; n -= lanes, to += lanes, now += by) {
    const auto x = to_elements(now);
    std::memcpy(to, &x, sizeof x);
  }
  const auto rest = to_elements(now);
  std::memcpy(to, &rest, static_cast<std::size_t>(n) * sizeof(T));
}

template <class T>
void integers(void* to, index n, std::uint64_t first, std::uint64_t step) {
  fill(static_cast<T*>(to), n, static_cast<T>(first), static_cast<T>(step), [](const auto& x) { return x; });
}
void f32(float* to, index n, index first, index step) {
  using counts = vec<std::int32_t, BROADLOOM_LEVEL_BYTES>;
  using floats = vec<float, BROADLOOM_LEVEL_BYTES>;
  fill(to, n, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(step), [](const auto& x) {
    counts signed_counts;
    std::memcpy(&signed_counts, &x, sizeof x);
    return __builtin_convertvector(signed_counts, floats);
  });
}
void f64(double* to, index n, index first, index step) {
  fill(to, n, static_cast<double>(first), static_cast<double>(step), [](const auto& x) { return x; });
}

}  // namespace
}  // namespace BROADLOOM_LEVEL

constinit const ramp_kernels BROADLOOM_OF_LEVEL(ramp_table) = {
    {BROADLOOM_LEVEL::integers<std::uint8_t>, BROADLOOM_LEVEL::integers<std::uint16_t>,
     BROADLOOM_LEVEL::integers<std::uint32_t>, BROADLOOM_LEVEL::integers<std::uint64_t>},
    BROADLOOM_LEVEL::f32,
    BROADLOOM_LEVEL::f64};

}  // namespace broadloom::runtime
