// Functions that are not f32's, rounded, of elements of 16 bits: nextafter, which steps from one of them to the next,
// and nan_to_num, whose largest number is theirs.
#pragma once

#include <broadloom/fn/catalogue.hpp>
#include <broadloom/fn/half.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace lanes {

// The next element towards y, among elements of 16 bits.
struct nextafter_of_halves_f : detail::lane_function {
  static constexpr const char* name() { return "nextafter"; }
  template <class T, class>
  using result = T;
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x, const V& y) {
    using Half = lane<V>;
    const auto from = half_lanes<Half>::widened(x), to = half_lanes<Half>::widened(y);
    const auto bits = half_bits(x);
    using Int = std::remove_cvref_t<decltype(bits)>;
    const Int size = Int(bits & 0x7fff);
    const auto outwards = equal(less(from, to), equal(Int(bits & 0x8000), Int{}));
    const Int next = Int((bits & 0x8000) | select(outwards, Int(size + 1), Int(size - 1)));
    const Int from_zero = Int((half_bits(y) & 0x8000) | 1);
    const V moved = half_of_bits<Half>(select(equal(size, Int{}), from_zero, next));
    const auto nan = either(unequal(from, from), unequal(to, to));
    return select(nan, half_lanes<Half>::rounded(plus(from, to)), select(equal(from, to), y, moved));
  }
};

}  // namespace lanes

namespace detail {

template <>
struct on_halves<lanes::nextafter_f> {
  using type = lanes::nextafter_of_halves_f;
};

// The largest number of f32, which stands for one that was not given, as the largest number of Half.
template <class Half>
struct bounded_f : lane_function {
  template <class...>
  using result = float;
  static constexpr const char* name() { return "bounded"; }
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x) {
    constexpr float largest = static_cast<float>(Half::from_bits(__is_same(Half, float16) ? 0x7bff : 0x7f7f));
    const V most = lanes::each<V>(__FLT_MAX__), bound = lanes::each<V>(largest);
    return lanes::select(lanes::equal(x, most), bound,
                         lanes::select(lanes::equal(x, lanes::negative(most)), lanes::negative(bound), x));
  }
};

}  // namespace detail

namespace lanes {

// More special than the conversion of any other node.
template <class Half, class Shape, class... Args>
constexpr auto rounded_to(map<nan_to_num_f, Shape, Args...>&& n) {
  using node = map<nan_to_num_f, Shape, Args...>;
  return detail::make_map(detail::cast_f<Half>{}, detail::make_map(detail::bounded_f<Half>{}, static_cast<node&&>(n)));
}

}  // namespace lanes

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
