// Ramps of any type, and the first elements of each in memory.
#include <broadloom/expr/ramp.hpp>
#include <broadloom/fn/half.hpp>
#include <broadloom/plan/stage.hpp>

#include "../base/by_type.hpp"
#include "ramp.hpp"

namespace broadloom::runtime {

namespace {

using all_types = decltype(number_types{} + type_list<float16, bfloat16>{});

// Signed and unsigned ones are the same bytes.
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
  switch (type) {
    case dtype::i8:
    case dtype::u8: return first_elements<std::uint8_t>.v;
    case dtype::i16:
    case dtype::u16: return first_elements<std::uint16_t>.v;
    case dtype::i32:
    case dtype::u32: return first_elements<std::uint32_t>.v;
    case dtype::i64:
    case dtype::u64: return first_elements<std::uint64_t>.v;
    case dtype::f32: return first_elements<float>.v;
    case dtype::f64: return first_elements<double>.v;
    case dtype::c64: return first_elements<std::complex<float>>.v;
    case dtype::c128: return first_elements<std::complex<double>>.v;
    case dtype::f16: return first_elements<float16>.v;
    case dtype::bf16: return first_elements<bfloat16>.v;
    case dtype::b8:
    case dtype::own: break;
  }
  return nullptr;
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
  by_type(all_types{}, type, [&]<class T>() { fill_each(static_cast<T*>(to), n, first, step); });
}

}  // namespace broadloom::runtime
