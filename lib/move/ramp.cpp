// Ramps of any type, and the first elements of each in memory.
#include <broadloom/expr/ramp.hpp>
#include <broadloom/fn/half.hpp>
#include <broadloom/plan/stage.hpp>

#include "../base/by_type.hpp"
#include "ramp.hpp"

namespace broadloom::runtime {

namespace {

// Signed and unsigned ones are the same bytes.
template <class T>
using bytes_of_ramp =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
template <class T>
constexpr auto first_elements = [] {
  detail::fixed_array<T, ramp_in_memory + ramp_padding> r{};
  for (index i = 0; i < ramp_in_memory + ramp_padding; ++i) r.v[i] = detail::ramp_element<T>(i);
  return r;
}();

// Whether all elements, which are counted by `first` and `step`, lie within +-2^bits.
bool within(index n, index first, index step, int bits) {
  const index last = first + (n - 1) * step, most = index{1} << bits;
  return -most < first && first < most && -most < last && last < most;
}

template <class T>
void fill_each(T* to, index n, index first, index step) {
  for (index i = 0; i < n; ++i) to[i] = detail::ramp_element<T>(first + i * step);
}

}  // namespace

const void* ramp_elements(dtype type) noexcept {
  const void* elements = nullptr;
  by_type(all_types{}, type, [&]<class T>() {
    if constexpr (!__is_same(T, bool)) elements = first_elements<bytes_of_ramp<T>>.v;
  });
  return elements;
}

void fill_ramp(dtype type, void* to, index n, index first, index step) {
  if (n <= 0) return;
  const ramp_kernels& k = ramp_table();
  if (is_integer(type)) {
    const int size = size_of(type), at = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    return k.integers[at](to, n, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(step));
  }
  if (type == dtype::f32 && within(n, first, step, 31)) return k.f32(static_cast<float*>(to), n, first, step);
  if (type == dtype::f64 && within(n, first, step, 53)) return k.f64(static_cast<double*>(to), n, first, step);
  by_type(all_types{}, type, [&]<class T>() {
    if constexpr (!__is_same(T, bool)) fill_each(static_cast<T*>(to), n, first, step);
  });
}

}  // namespace broadloom::runtime
