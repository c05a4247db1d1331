// range(start, stop, step): Python's start:stop:step, an argument of slice.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/shape/axes.hpp>

namespace broadloom {

// A bound that is left out: the end of the axis in the direction of the step.
inline constexpr struct none_t {
} none{};
// The end of the axis, as a bound.
inline constexpr none_t end{};
namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_zero_step() { throw_error(error_kind::zero_step, {}); }

// Python's rule for one bound: negative ones count from the end, then clamped.
constexpr index clamp_bound(index b, index n, index low, index high) {
  if (b < 0) b += n;
  return b < low ? low : b > high ? high : b;
}

struct bound {
  index value = 0;
  bool given = false;
};
template <class B>
constexpr bound as_bound(const B& b) {
  if constexpr (__is_same(B, none_t))
    return {};
  else
    return {static_cast<index>(b), true};
}
template <class B>
concept bound_like = __is_same(B, none_t) || integer_like<B>;

}  // namespace detail

// range(start, stop, step = 1): as Python's start:stop:step; `none` or `end` leaves a bound out. With constants
// (range(0_c, 2_c)) the extent is known to the compiler.
struct range_t {
  detail::bound start, stop;
  index step;
};

namespace detail {

// A range whose type says what is known of each number: none_t, a constant, or index.
template <class A, class B, class S>
struct typed_range : range_t {};
template <class T>
inline constexpr bool is_range = __is_same(T, range_t);
template <class A, class B, class S>
inline constexpr bool is_range<typed_range<A, B, S>> = true;

template <class B>
struct range_number {
  using type = index;
};
template <constant B>
struct range_number<B> {
  using type = boost::hana::integral_constant<index, B::value>;
};
template <>
struct range_number<none_t> {
  using type = none_t;
};

// The first index of a range over n of them, and how many it has.
struct range_places {
  index first, extent;
};
constexpr range_places places_of_range(const range_t& r, index n) {
  const index s = r.step, low = s > 0 ? 0 : -1, high = s > 0 ? n : n - 1;
  const index first = r.start.given ? clamp_bound(r.start.value, n, low, high) : s > 0 ? low : high;
  const index last = r.stop.given ? clamp_bound(r.stop.value, n, low, high) : s > 0 ? high : low;
  const bool some = s > 0 ? last > first : first > last;
  return {first, some ? (s > 0 ? last - first - 1 : last - first + 1) / s + 1 : 0};  // no step overflows this
}

// How many of n indices a range has; dyn if its type does not tell.
template <class Range>
struct range_extent {
  static constexpr index of(index) { return dyn; }
};
template <class A, class B, class S>
struct range_extent<typed_range<A, B, S>> {
  // The extent is monotonic in each number: it is constant if it is so at both ends of the numbers' ranges.
  static constexpr index of(index n) {
    if (is_dyn(n)) return dyn;
    common_extents<1> r;
    for (int i = 0; i < (integer<A> ? 2 : 1); ++i)
      for (int j = 0; j < (integer<B> ? 2 : 1); ++j)
        for (int k = 0; k < (integer<S> ? 4 : 1); ++k)
          if (step(k, n) != 0) r.add({{places_of_range({at<A>(i, n), at<B>(j, n), step(k, n)}, n).extent}});
    return r.extents[0];
  }

 private:
  template <class T>
  static constexpr bound at(int i, index n) {
    if constexpr (integer<T>)
      return {i == 0 ? -n - 1 : n, true};
    else
      return as_bound(T{});
  }
  static constexpr index step(int k, index n) {
    if constexpr (integer<S>) {
      const index s[] = {1, n > 1 ? n : 1, -1, n > 1 ? -n : -1};
      return s[k];
    } else
      return S::value;
  }
};

}  // namespace detail

inline constexpr struct make_range_t {
  template <detail::bound_like A, detail::bound_like B,
            detail::integer_like S = boost::hana::integral_constant<index, 1>>
  constexpr auto operator()(A start, B stop, S step = {}) const {
    using typed = detail::typed_range<typename detail::range_number<A>::type, typename detail::range_number<B>::type,
                                      typename detail::range_number<S>::type>;
    return typed{{detail::as_bound(start), detail::as_bound(stop), static_cast<index>(step)}};
  }
} range{};

}  // namespace broadloom
