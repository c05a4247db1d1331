// The broadcasting rule over extents that compilers know, and what they say of shapes that do not broadcast.
#pragma once

#include <broadloom/core/text.hpp>
#include <broadloom/shape/shape.hpp>

namespace broadloom {

namespace detail {

// The result of the rule for two extents that do not broadcast.
inline constexpr index clash = -2;

// The rule for one axis, over sizes, dyn and names. A dyn extent that meets a static n != 1 is n: it must turn out to
// be 1 or n. A name meets itself and a static 1.
constexpr index broadcast_axis(index a, index b) {
  if (a == b) return a;
  if (a == 1) return b;
  if (b == 1) return a;
  if (is_named(a) || is_named(b)) return clash;
  if (a == dyn) return b;
  if (b == dyn) return a;
  return clash;
}

template <int A, int B>
struct static_broadcast {
  indices<(A > B ? A : B)> extents{};
  index axis = -1, left = 0, right = 0;  // the first clash counted from the right: result axis and the two extents
};

template <int A, int B>
constexpr auto broadcast_static(const indices<A>& a, const indices<B>& b) {
  static_broadcast<A, B> r{};
  constexpr int rank = A > B ? A : B;
  for (int k = 1; k <= rank; ++k) {
    const index x = k <= A ? a[A - k] : 1, y = k <= B ? b[B - k] : 1;
    const index z = broadcast_axis(x, y);
    if (z == clash && r.axis < 0) {
      r.axis = rank - k;
      r.left = x;
      r.right = y;
    }
    r.extents[rank - k] = z;
  }
  return r;
}

// What is known statically of a set of shapes, folded from left to right.
template <class Known, class... S>
struct broadcast_fold {
  using type = Known;
  static constexpr bool ok = true;
};
template <class Known, class S, class... Rest>
struct broadcast_fold<Known, S, Rest...> {
  static constexpr auto step = broadcast_static(Known::static_extents, S::static_extents);
  static constexpr bool ok = [] {
    if constexpr (step.axis < 0)
      return broadcast_fold<shape_from<step.extents>, Rest...>::ok;
    else
      return false;
  }();
  static constexpr auto next() {
    if constexpr (step.axis < 0)
      return broadcast_fold<shape_from<step.extents>, Rest...>{};
    else
      return broadcast_fold<Known>{};
  }
  using type = typename decltype(next())::type;
};

template <class... S>
struct broadcast_of : broadcast_fold<S...> {};

// Static extents in a sentence: [5, ?, batch], with ? for those that only the run knows.
template <int R>
constexpr void list_extents(sentence& s, const indices<R>& x) {
  s << "[";
  for (int i = 0; i < R; ++i) {
    if (i > 0) s << ", ";
    s << extent_text{x[i]};
  }
  s << "]";
}

// The sentence for a clash known to the compiler. Numbers come first: clang shows about 33 characters of a text.
// `aligns`: both shapes have both names, in another order.
constexpr sentence clash_sentence(index axis, index left, index right, bool aligns = false) {
  sentence s;
  s << "dim " << axis << ": " << extent_text{left} << " vs " << extent_text{right};
  if (aligns)
    s << "; bl::align(a, b) brings axes of the same names together";
  else if (is_named(left) != is_named(right))
    s << "; bl::named<...>(x) names a size, which is checked then";
  else
    s << "; The size of tensor a (" << extent_text{left} << ") must match the size of tensor b (" << extent_text{right}
      << ") at non-singleton dimension " << axis;
  return s;
}
template <index Axis, index Left, index Right, bool Aligns = false>
inline constexpr auto clash_text =
    fit<clash_sentence(Axis, Left, Right, Aligns).n>(clash_sentence(Axis, Left, Right, Aligns));

template <int R>
constexpr bool has_extent(const indices<R>& x, index e) {
  for (int i = 0; i < R; ++i)
    if (x[i] == e) return true;
  return false;
}

// The first step of the fold at which extents clash.
template <class Known, class S, class... Rest>
constexpr auto first_clash() {
  constexpr auto step = broadcast_static(Known::static_extents, S::static_extents);
  if constexpr (step.axis >= 0)
    return fixed_array<index, 4>{{step.axis, step.left, step.right,
                                  is_named(step.left) && is_named(step.right) &&
                                      has_extent(Known::static_extents, step.right) &&
                                      has_extent(S::static_extents, step.left)}};
  else
    return first_clash<shape_from<step.extents>, Rest...>();
}

}  // namespace detail

namespace errors_md {
// What a call with shapes that cannot broadcast "returns": a type whose name says what is wrong.
template <auto Text, class... Shapes>
struct shapes_do_not_broadcast;
}  // namespace errors_md

// Shapes that are not already known to be incompatible.
template <class... S>
concept broadcastable = sizeof...(S) == 0 || detail::broadcast_of<std::remove_cvref_t<S>...>::ok;

namespace detail {

template <bool Ok, class... S>
struct explain_clash {
  using type = void;
};
template <class... S>
struct explain_clash<false, S...> {
  static constexpr auto c = first_clash<S...>();
  using type = errors_md::shapes_do_not_broadcast<clash_text<c.v[0], c.v[1], c.v[2], c.v[3] != 0>, S...>;
};

// The type that says why the shapes do not broadcast, or void if they may. As the last template parameter of a deleted
// overload, it is printed by compilers.
template <class... S>
using why_not_broadcastable = typename explain_clash<broadcastable<S...>, S...>::type;

}  // namespace detail
}  // namespace broadloom
