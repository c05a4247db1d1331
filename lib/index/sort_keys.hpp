// Elements as unsigned integers that have their order, and with an index below them.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <broadloom/core/wide.hpp>

#include "types.hpp"

namespace broadloom::detail {

// Keys in the order of the elements: NaN last, both zeros equal.
template <class T>
using key_of = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
key_of<T> key(T x) {
  using K = key_of<T>;
  [[maybe_unused]] constexpr K top = K{1} << (sizeof(K) * 8 - 1);
  if constexpr (std::is_floating_point_v<T>) {
    if (runtime::is_nan(x)) return static_cast<K>(~K{0});
    x += T(0);  // -0 becomes 0
    K bits;
    std::memcpy(&bits, &x, sizeof bits);
    return (bits & top) != 0 ? static_cast<K>(~bits) : static_cast<K>(bits | top);
  } else if constexpr (std::is_signed_v<T> && sizeof(T) < 4) {
    // In as many bytes as the element has: the others are 0.
    using U = std::make_unsigned_t<T>;
    return static_cast<K>(static_cast<U>(static_cast<U>(x) ^ (U{1} << (sizeof(T) * 8 - 1))));
  } else if constexpr (std::is_signed_v<T>)
    return static_cast<K>(static_cast<K>(x) ^ top);
  else
    return static_cast<K>(x);
}

// A key of 4 bytes above an index of 4, or of 8 above 8.
template <class K>
using packed = std::conditional_t<sizeof(K) == 4, std::uint64_t, u128>;

}  // namespace broadloom::detail
