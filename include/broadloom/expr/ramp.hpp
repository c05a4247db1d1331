// 0, 1, 2, ... as a leaf without memory: where an element is says what it is. Views of it are such leaves, too.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/expr/deferred.hpp>

namespace broadloom {

namespace runtime {

struct options;

// to[i] = first + i * step as elements of this type: integers modulo their range, others rounded once. Not of bool.
BROADLOOM_API void fill_ramp(dtype type, void* to, index n, index first, index step);

// Ramps of up to so many elements are in memory: the first numbers of each type, and some more to fill a vector. What
// is small goes all ways that arrays in memory go.
inline constexpr index ramp_in_memory = 4096, ramp_padding = 64;
BROADLOOM_API const void* ramp_elements(dtype type) noexcept;

// The advance of an input whose address is no place: a ramp by steps of 1, whose first element is the address over the
// size of an element. It has all bits of the advance of arrays but one, which no number of elements has.
inline constexpr index ramp_advance = ~(index{1} << (8 * sizeof(index) - 2));
// The same of a ramp by steps of 1 that is in memory: loops may read or count it.
inline constexpr index consecutive_advance = ~(index{1} << (8 * sizeof(index) - 3));

}  // namespace runtime

namespace detail {

// Ramps of these types are counted in the registers of kernels.
template <class T>
concept counted_in_registers =
    __is_same(T, float) || __is_same(T, double) || (is_integer(dtype_of<T>) && sizeof(T) >= 2);

// The index as an element.
template <class T>
constexpr T ramp_element(index i) {
  if constexpr (is_complex(dtype_of<T>))
    return T(static_cast<typename T::value_type>(i));
  else if constexpr (is_half_type<T>)
    return static_cast<T>(static_cast<float>(i));
  else
    return static_cast<T>(i);
}

// Of rank 1. It is bound without a source of its own (plan/bind.hpp): the loop that reads it computes it strip by
// strip.
template <class T, class Shape>
class ramp_source {
 public:
  using value_type = T;
  using shape_type = Shape;
  static constexpr bool single_elements = true;

  constexpr explicit ramp_source(const Shape& s) : shape_(s) {}

  static constexpr const char* name() { return "iota"; }
  constexpr const Shape& shape() const { return shape_; }
  template <int R>
  constexpr T element(const indices<R>& at) const {
    return ramp_element<T>(at[0]);
  }
  constexpr bool same(const ramp_source& o) const { return shape_ == o.shape_; }
  static constexpr bool reads(const void*, const void*) { return false; }
  template <int Native>
  void evaluate(T* to, const runtime::options&) const {
    runtime::fill_ramp(dtype_of<T>, to, shape_[0], 0, 1);
  }

 private:
  [[no_unique_address]] Shape shape_;
};

// Static ramps of few elements are constants of the program.
inline constexpr index max_constant_ramp = 1024;
template <class T, index N>
inline constexpr auto ramp_constants = [] {
  fixed_array<T, static_cast<int>(N == 0 ? 1 : N)> r{};
  for (index i = 0; i < N; ++i) r.v[i] = ramp_element<T>(i);
  return r;
}();

// The leaf: 0, 1, ... of a shape of rank 1.
template <class T, class Shape>
constexpr auto ramp(const Shape& s) {
  constexpr index n = Shape::static_extents[0];
  if constexpr (!is_dyn(n) && n <= max_constant_ramp)
    return view<const T, Shape, row_major>(ramp_constants<T, n>.v, s, {});
  else
    return deferred<ramp_source<T, Shape>>(checked_source{}, s);
}

template <class E>
inline constexpr bool is_ramp = false;
template <class T, class Own, class Shape, class Layout>
inline constexpr bool is_ramp<deferred<ramp_source<T, Own>, Shape, Layout>> = true;
// How many leaves of a tree are ramps.
template <class E>
inline constexpr int ramp_count = is_ramp<E>;
template <class F, class Shape, class... Args>
inline constexpr int ramp_count<map<F, Shape, Args...>> = (0 + ... + ramp_count<Args>);

// Whether all ramps of a tree are in memory.
template <class E>
[[gnu::always_inline]] inline bool has_ramps_in_memory([[maybe_unused]] const E& e) {
  if constexpr (ramp_count<E> == 0)
    return true;
  else if constexpr (is_ramp<E>)
    return e.source().shape()[0] <= runtime::ramp_in_memory;
  else
    return unpack(e.args(), [](const auto&... a) { return (has_ramps_in_memory(a) && ...); });
}
// The elements of one that is.
template <class T, class Own, class Shape, class Layout>
[[gnu::always_inline]] inline const T* elements_of_ramp(const deferred<ramp_source<T, Own>, Shape, Layout>& e) {
  return static_cast<const T*>(runtime::ramp_elements(dtype_of<T>)) + e.offset();
}

}  // namespace detail
}  // namespace broadloom
