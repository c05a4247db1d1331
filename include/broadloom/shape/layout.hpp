// Layouts: the offset of an element. Row-major without storage, strides known to the compiler, or strides in memory.
#pragma once

#include <broadloom/shape/shape.hpp>

namespace broadloom {

namespace detail {

template <int Rank>
constexpr indices<Rank> row_major_strides(const indices<Rank>& extents) {
  indices<Rank> r{};
  index n = 1;
  for (int i = Rank - 1; i >= 0; --i) {
    r[i] = n;
    n = static_cast<index>(static_cast<std::size_t>(n) * static_cast<std::size_t>(extents[i]));
  }
  return r;
}

// Whether these strides are row-major and contiguous. Stops at the first that is not: the extents of a broadcast array
// may have no product.
template <int Rank>
constexpr bool is_row_major(const indices<Rank>& extents, const indices<Rank>& strides) {
  index n = 1;
  for (int i = Rank - 1; i >= 0; --i) {
    if (extents[i] == 0) return true;
    if (extents[i] == 1) continue;
    if (strides[i] != n) return false;
    n *= extents[i];
  }
  return true;
}

}  // namespace detail

// Last axis fastest, contiguous: the layout of owning tensors.
struct row_major {
  template <class Shape>
  static constexpr bool is_static = Shape::is_static;
  template <class Shape>
  static constexpr auto strides(const Shape& s) {
    return detail::row_major_strides(s.extents());
  }
  // The strides in memory, for compiled code; null stands for row-major.
  static constexpr const index* data() { return nullptr; }
  constexpr bool operator==(const row_major&) const = default;
};

// Strides in elements, known to the compiler; negative and 0 allowed.
template <index... S>
struct static_strides {
  static constexpr detail::indices<sizeof...(S)> values{{S...}};

  template <class Shape>
  static constexpr bool is_static = Shape::is_static;
  template <class Shape>
  static constexpr auto strides(const Shape&) {
    return values;
  }
  static constexpr const index* data() { return values.v; }
  constexpr bool operator==(const static_strides&) const = default;
};

// Strides in elements, known at run time; negative and 0 allowed.
template <int Rank>
struct dyn_strides {
  detail::indices<Rank> s{};

  template <class Shape>
  static constexpr bool is_static = false;
  template <class Shape>
  constexpr const detail::indices<Rank>& strides(const Shape&) const {
    return s;
  }
  constexpr const index* data() const { return s.v; }
  friend constexpr bool operator==(const dyn_strides&, const dyn_strides&) = default;
};

namespace detail {

template <auto X, class>
struct static_strides_from_sequence;
template <auto X, int... At>
struct static_strides_from_sequence<X, sequence<At...>> {
  using type = static_strides<X.v[At]...>;
};
// Each element stored. GCC 12 takes arrays for one template argument that differ only in where elements lie that were
// never stored, such as {1, 0} and {0, 1} of an array that began as {}.
template <int R>
constexpr indices<R> all_stored(const indices<R>& x) {
  return [&]<int... At>(sequence<At...>) { return indices<R>{{x.v[At]...}}; }(make_sequence<R>{});
}
template <auto X>
using static_strides_from = typename static_strides_from_sequence<X, make_sequence<X.count>>::type;

// Extents, strides and the first element's offset: what a view operation maps to another one.
template <int Rank>
struct geometry {
  indices<Rank> extents{}, strides{};
  index offset = 0;
};

}  // namespace detail
}  // namespace broadloom
