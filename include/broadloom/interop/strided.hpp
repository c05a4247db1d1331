// What the headers of this folder share: views with strides that are known to the compiler where the other library
// knows them, and the checks of what cannot be represented.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/tensor/foreign.hpp>
#include <broadloom/tensor/from.hpp>

namespace broadloom::detail {

// A view with these strides: the ones in the list where all are known to the compiler, else those at run time.
template <index... Known, class T, class S, class... At>
constexpr auto strided(T* data, const S& s, At... at) {
  static_assert(sizeof...(At) == S::axes_count && sizeof...(Known) == sizeof...(At));
  if constexpr (((Known != dyn) && ...) && S::is_static)
    return view<T, S, static_strides<Known...>>(data, s, {});
  else
    return view<T, S, dyn_strides<S::axes_count>>(data, s, {{{at...}}});
}

template <class T, class S>
constexpr auto strided(T* data, const S& s, const indices<S::axes_count>& strides) {
  return view<T, S, dyn_strides<S::axes_count>>(data, s, {strides});
}

// These throw shape_error and name the call.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_negative_stride(const char* call, index stride) {
  throw_error(error_kind::negative_stride, {call, stride});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_representable(const char* call, const char* what) {
  throw_error(error_kind::not_representable, {call, what});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_wrong_rank(const char* call, index expected, index given) {
  throw_error(error_kind::wrong_rank, {call, expected, given});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_wrong_type(const char* call, const char* expected,
                                                                    const char* given) {
  throw_error(error_kind::wrong_type, {call, expected, given});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_wrong_dlpack_type(const char* call, const char* expected,
                                                                           int code, int bits, int lanes) {
  throw_error(error_kind::wrong_dlpack_type, {call, expected, code, bits, lanes});
}

constexpr void require_no_negative_stride(const char* call, index stride) {
  if (stride < 0) throw_negative_stride(call, stride);
}

}  // namespace broadloom::detail
