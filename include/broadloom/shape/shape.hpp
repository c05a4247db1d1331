// Shapes: one extent per axis, each known to the compiler (a number) or at run time (dyn, or a size with a name).
#pragma once

#include <type_traits>
#include <utility>

#include <broadloom/core/array.hpp>
#include <broadloom/core/checked_arithmetic.hpp>
#include <broadloom/core/constant.hpp>
#include <broadloom/core/error.hpp>
#include <broadloom/core/mistakes.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/shape/forward.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_negative_extent(const index* extents, index rank) {
  throw_error(error_kind::negative_extent, {extents, rank});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_size_overflow(const index* extents, index rank,
                                                                       const char* call = nullptr) {
  throw_error(error_kind::size_overflow, {extents, rank, call});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_extent_mismatch(index axis, index expected, index given) {
  throw_error(error_kind::extent_mismatch, {axis, expected, given});
}
// Two axes of one shape have the same name and different extents.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_two_sizes(index name, index first, index second) {
  throw_error(error_kind::two_sizes, {name, first, second});
}

// The product of the extents; -1 when it overflows. A shape with a 0 in it has size 0, whatever the others are.
constexpr index checked_size(const index* extents, index rank) {
  index n = 1;
  bool over = false;
  for (index i = 0; i < rank; ++i) {
    if (extents[i] == 0) return 0;
    over = over || __builtin_mul_overflow(n, extents[i], &n);
  }
  return over ? -1 : n;
}

// Throws shape_error unless the bytes of an array of these extents, those of 0 left out, fit an index (NumPy's rule).
// Then no product of some extents overflows. Without the size of an element, the widest is assumed.
inline constexpr index widest_element = 16;
constexpr void check_count(const char* call, const index* extents, index rank, index element_size = widest_element) {
  index n = element_size;
  bool over = false;
  for (index i = 0; i < rank; ++i) over = over || (extents[i] > 1 && __builtin_mul_overflow(n, extents[i], &n));
  if (over) throw_size_overflow(extents, rank, call);
}
template <class Shape>
  requires requires { Shape::axes_count; }
constexpr void check_count(const char* call, const Shape& s, index element_size = widest_element) {
  const auto x = s.extents();
  check_count(call, x.v, x.count, element_size);
}

template <index... E>
constexpr index count_dyn = (index{0} + ... + index{is_dyn(E)});

// Sizes of one name in one shape are the same.
template <int R>
constexpr bool repeats_a_name(const indices<R>& x) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < i; ++j)
      if (is_named(x[i]) && x[i] == x[j]) return true;
  return false;
}
template <int R>
constexpr void check_names(const indices<R>& known, const index* e) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < i; ++j)
      if (is_named(known[i]) && known[i] == known[j] && e[i] != e[j]) throw_two_sizes(known[i], e[j], e[i]);
}

// What a shape stores: nothing if every extent is static.
template <int Rank, bool Static>
struct shape_storage {
  index e[Rank == 0 ? 1 : Rank];
};
template <int Rank>
struct shape_storage<Rank, true> {};

}  // namespace detail

namespace errors_md {
// shape(z)
struct write_z_shape_with_a_point;
}  // namespace errors_md

// shape<5, dyn, 4> s{n}: rank 3, the middle extent is the run-time value n. Throws shape_error when an extent is
// negative.
template <index... E>
class shape : detail::shape_storage<sizeof...(E), detail::count_dyn<E...> == 0> {
  static_assert(((E >= 0 || detail::is_dyn(E)) && ...),
                "an extent is a size >= 0, dyn, or size<\"name\"> [errors.md#extent]");

 public:
  static constexpr int axes_count = sizeof...(E);
  static constexpr index dyn_count = detail::count_dyn<E...>;
  static constexpr bool is_static = dyn_count == 0;
  static constexpr detail::indices<axes_count> static_extents{{E...}};

  // One value per dyn extent or name, from left to right.
  constexpr shape()
    requires(is_static)
  = default;
  template <class... N>
    requires(!is_static && sizeof...(N) == dyn_count && (std::is_convertible_v<N, index> && ...))
  constexpr explicit(sizeof...(N) == 1) shape(N... n) {
    const index given[] = {static_cast<index>(n)...};
    int k = 0;
    for (int i = 0; i < axes_count; ++i)
      this->e[i] = detail::is_dyn(static_extents[i]) ? given[k++] : static_extents[i];
    for (index x : given)
      if (x < 0) detail::throw_negative_extent(this->e, axes_count);
    if constexpr (detail::repeats_a_name(static_extents)) detail::check_names(static_extents, this->e);
  }

  // From another shape of the same rank; throws shape_error where a static extent differs. A name may be lost, and is
  // given by bl::named only.
  template <index... F>
    requires(sizeof...(F) == sizeof...(E) && (detail::may_become(F, E) && ...) && !__is_same(shape, shape<F...>))
  constexpr explicit(((!detail::is_dyn(E) && F == dyn) || ...)) shape(const shape<F...>& s) {
    for (int i = 0; i < axes_count; ++i) {
      if (!detail::is_dyn(static_extents[i]) && static_extents[i] != s[i])
        detail::throw_extent_mismatch(i, static_extents[i], s[i]);
      if constexpr (!is_static) this->e[i] = s[i];
    }
  }

  // shape(z) of an array
  template <class A, class Error = errors_md::write_z_shape_with_a_point, class = typename A::shape_type>
  constexpr explicit shape(const A&) = delete;

  // From extents that the caller has already checked.
  static constexpr shape unchecked(const detail::indices<axes_count>& extents) {
    shape s{private_tag{}};
    if constexpr (!is_static)
      for (int i = 0; i < axes_count; ++i) s.e[i] = extents[i];
    return s;
  }

  static constexpr index rank() { return axes_count; }

  // The extent of axis i, counted from the left. Programs that are not optimised, or compiled with BROADLOOM_CHECKED,
  // get index_error outside [0, rank); array.extent(i) always checks.
  constexpr index operator[](index i) const {
#if defined(BROADLOOM_CHECKED) || !defined(__OPTIMIZE__)
    if (i < 0 || i >= axes_count) detail::throw_axis_out_of_range(i, axes_count, "shape()[i]");
#endif
    if constexpr (is_static)
      return static_extents[i];
    else
      return this->e[i];
  }

  // auto [rows, columns] = x.shape();
  template <std::size_t Axis>
    requires(Axis < sizeof...(E))
  constexpr index get() const {
    return (*this)[static_cast<index>(Axis)];
  }

  constexpr detail::indices<axes_count> extents() const {
    if constexpr (is_static)
      return static_extents;
    else {
      detail::indices<axes_count> r{};
      for (int i = 0; i < axes_count; ++i) r[i] = this->e[i];
      return r;
    }
  }

  // The extents in memory, for compiled code; valid as long as this shape.
  constexpr const index* data() const {
    if constexpr (is_static)
      return static_extents.v;
    else
      return this->e;
  }

  // The number of elements. Throws shape_error if it does not fit an index.
  constexpr index size() const {
    const auto x = extents();
    const index n = detail::checked_size(x.v, axes_count);
    if (n < 0) detail::throw_size_overflow(x.v, axes_count);
    return n;
  }

  template <index... F>
  friend constexpr bool operator==(const shape& a, const shape<F...>& b) {
    if constexpr (sizeof...(F) != sizeof...(E))
      return false;
    else {
      for (int i = 0; i < axes_count; ++i)
        if (a[i] != b[i]) return false;
      return true;
    }
  }

 private:
  struct private_tag {};
  constexpr explicit shape(private_tag) {}
};

// shape(2, n) is dshape<2>(2, n).
template <detail::integer... N>
shape(N...) -> shape<(static_cast<void>(sizeof(N)), dyn)...>;

namespace detail {

template <class T>
inline constexpr bool is_shape = false;
template <index... E>
inline constexpr bool is_shape<shape<E...>> = true;

template <integer_like T>
constexpr index extent_of() {
  if constexpr (constant<T>)
    return T::value;
  else
    return dyn;
}

}  // namespace detail

// make_shape(5_c, n, 4_c) is shape<5, dyn, 4>{n}: constants become static extents, integers dynamic ones.
template <detail::integer_like... N>
constexpr auto make_shape(N... n) {
  using result = shape<detail::extent_of<N>()...>;
  const detail::indices<sizeof...(N)> x{{static_cast<index>(n)...}};
  for (index e : x)
    if (e < 0) detail::throw_negative_extent(x.v, sizeof...(N));
  return result::unchecked(x);
}

// A type that is a shape.
template <class T>
concept shape_type = detail::is_shape<std::remove_cvref_t<T>>;

}  // namespace broadloom

template <broadloom::index... E>
struct std::tuple_size<broadloom::shape<E...>> : std::integral_constant<std::size_t, sizeof...(E)> {};
template <std::size_t Axis, broadloom::index... E>
struct std::tuple_element<Axis, broadloom::shape<E...>> {
  using type = broadloom::index;
};
