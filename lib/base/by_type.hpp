// Calls a function with the element type that a dtype names.
#pragma once

#include <complex>
#include <cstdint>

#include <broadloom/core/complex.hpp>
#include <broadloom/core/dtype.hpp>

namespace broadloom::runtime {

template <class... T>
struct type_list {};
using floating_types = type_list<float, double>;
using floating_and_complex_types = type_list<float, double, std::complex<float>, std::complex<double>>;
using integer_types = type_list<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                std::uint32_t, std::uint64_t>;

template <class... T, class... U>
type_list<T..., U...> operator+(type_list<T...>, type_list<U...>);
using real_types = decltype(floating_types{} + integer_types{});
using number_types = decltype(floating_and_complex_types{} + integer_types{});
// Those of dtypes.def. Functions of 16-bit ones include <broadloom/fn/half.hpp>.
#define BROADLOOM_DTYPE(enumerator, name, T, category, bytes, npy, dlpack, torch, hdf5) +type_list<T>()
using all_types = decltype(type_list<>()
#include <broadloom/core/dtypes.def>
);
#undef BROADLOOM_DTYPE

// f.operator()<T>() for the type of the list that t names. Where none is, f is not called and the result is a default
// one.
template <class First, class... T, class F>
auto by_type(type_list<First, T...>, dtype t, const F& f) {
  using result = decltype(f.template operator()<First>());
  if constexpr (__is_same(result, void)) {
    static_cast<void>(((t == dtype_of<First> && (f.template operator()<First>(), true)) || ... ||
                       (t == dtype_of<T> && (f.template operator()<T>(), true))));
  } else {
    result r{};
    static_cast<void>(((t == dtype_of<First> && (r = f.template operator()<First>(), true)) || ... ||
                       (t == dtype_of<T> && (r = f.template operator()<T>(), true))));
    return r;
  }
}

}  // namespace broadloom::runtime
