// The broadcasting rule (PyTorch's and NumPy's): align at the last axis; equal extents stay, 1 gives way, else an
// error. Extents with names meet their own name and a static 1.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/shape/static_broadcast.hpp>

namespace broadloom {

namespace detail {

// One operand of a failed call, for the message.
struct shape_view {
  const index* extents;
  index rank;
  const index* known = nullptr;  // static extents, for names; null: there are none
};
// The static extents of a shape with names in it; null where there are none.
template <class S>
inline constexpr const index* names_of = nullptr;
template <class S>
inline constexpr bool has_names = false;
template <index... E>
inline constexpr bool has_names<shape<E...>> = (is_named(E) || ...);
template <class S>
  requires has_names<S>
inline constexpr const index* names_of<S> = S::static_extents.v;
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_broadcastable(const char* function,
                                                                           const shape_view* shapes, int count) {
  throw_error(error_kind::not_broadcastable, {function, shapes, count});
}

// Fills in the result's extents, or throws shape_error naming the function.
BROADLOOM_API void broadcast_extents(const char* function, const shape_view* shapes, int count, index* result,
                                     index rank);

// One condition without loops: every function that builds or evaluates a tree has several of these, and compilers
// unroll late.
template <int... At>
[[gnu::always_inline]] constexpr index different_bits(sequence<At...>, const index* a, const index* b) {
  return (index{0} | ... | (a[At] ^ b[At]));
}
template <class R, class... S>
[[gnu::always_inline]] constexpr bool same_extents([[maybe_unused]] const R& first, const S&... s) {
  return (index{0} | ... | different_bits(make_sequence<R::axes_count>{}, first.data(), s.data())) == 0;
}

// Sizes of one axis of the result, 1 or dyn so far; false where they do not meet. A size with a name meets its own, and
// others have a static 1 there.
template <class R, class S, int At>
constexpr bool meet_axis(indices<R::axes_count>& r, const S& s) {
  constexpr int at = R::axes_count - S::axes_count + At;
  const index x = s[At];
  index& y = r[at];
  if constexpr (!is_named(R::static_extents[at])) {
    const bool ok = (x == y) | (x == 1) | (y == 1);
    y = y == 1 ? x : y;
    return ok;
  } else if constexpr (is_named(S::static_extents[At])) {
    const bool ok = (x == y) | (y == dyn);
    y = x;
    return ok;
  } else
    return true;
}

// The general case, compiled once for each set of shape types. By value: a node whose address is not taken needs no
// memory. GCC is told that no memory is written: then it still knows what it has read of tensors before the call, such
// as that their extents are those of the tree.
#if defined(__clang__)
#define BROADLOOM_WRITES_NOTHING  // clang's attribute also says that nothing is thrown
#else
#define BROADLOOM_WRITES_NOTHING [[gnu::pure]]
#endif
template <class R, class... S>
[[gnu::noinline]] BROADLOOM_WRITES_NOTHING indices<R::axes_count> broadcast_general(const char* function, S... s) {
  constexpr int rank = R::axes_count;
  indices<rank> r{};
  bool ok = true;
  if constexpr (has_names<R>) {
    for (int i = 0; i < rank; ++i) r[i] = is_named(R::static_extents[i]) ? dyn : 1;
    const auto meet = [&r, &ok]<class One>(const One& one) {
      [&]<int... At>(sequence<At...>) {
        ((ok = ok & meet_axis<R, One, At>(r, one)), ...);
      }(make_sequence<One::axes_count>{});
    };
    (meet(s), ...);
  } else {
    for (index& x : r) x = 1;
    const auto meet = [&r, &ok](const auto& one) {
      constexpr int own = std::remove_cvref_t<decltype(one)>::axes_count;
      for (int i = 0; i < own; ++i) {
        const index x = one[i];
        index& y = r[rank - own + i];
        ok = ok & ((x == y) | (x == 1) | (y == 1));
        y = y == 1 ? x : y;
      }
    };
    (meet(s), ...);
  }
  if (!ok) {
    const shape_view views[] = {{s.data(), S::axes_count, names_of<S>}...};
    throw_not_broadcastable(function, views, sizeof...(S));
  }
  return r;
}
#undef BROADLOOM_WRITES_NOTHING

template <class R, class... S>
constexpr R broadcast_in_constant(const char* function, const S&... s) {
  const shape_view views[] = {{s.data(), S::axes_count, names_of<S>}...};
  constexpr int rank = R::axes_count;
  indices<rank> r{};
  for (int i = 0; i < rank; ++i) r[i] = is_named(R::static_extents[i]) ? dyn : 1;
  for (const shape_view& v : views)
    for (index k = 1; k <= v.rank; ++k) {
      index& x = r[rank - k];
      if (!is_named(R::static_extents[rank - k]))
        x = broadcast_axis(x, v.extents[v.rank - k]);
      else if (v.known != nullptr && is_named(v.known[v.rank - k]))
        x = x == dyn || x == v.extents[v.rank - k] ? v.extents[v.rank - k] : clash;
      if (x == clash) throw_not_broadcastable(function, views, sizeof...(S));
    }
  return R::unchecked(r);
}

// The result's shape from the operands' run-time extents. Throws shape_error, which names the function, if they do not
// broadcast.
template <class R, class S, class... More>
constexpr R broadcast_checked(const char* function, const S& s, const More&... more) {
  if constexpr (R::is_static && S::is_static && (More::is_static && ...))
    return R{};
  else {
    if constexpr (__is_same(S, R) && (__is_same(More, R) && ...))  // the most frequent case: equal shapes
      if (same_extents(s, more...)) return s;
    if (__builtin_is_constant_evaluated()) return broadcast_in_constant<R>(function, s, more...);
    const auto r = broadcast_general<R>(function, s, more...);
    BROADLOOM_USED(r[0]);  // else the call, and its error with it, would be left out where nobody reads the shape
    return R::unchecked(r);
  }
}

}  // namespace detail

// The shape that the given shapes broadcast to, keeping all static knowledge.
// Throws shape_error if dynamic extents do not broadcast; static ones that do not are a compile error.
inline constexpr struct broadcast_t {
  template <shape_type... S>
    requires broadcastable<S...>
  constexpr auto operator()(const S&... s) const {
    if constexpr (sizeof...(S) == 0)
      return shape<>{};
    else
      return detail::broadcast_checked<typename detail::broadcast_of<S...>::type>("broadcast", s...);
  }
  template <shape_type... S, class Error = detail::why_not_broadcastable<S...>>
    requires(!broadcastable<S...>)
  Error operator()(const S&...) const = delete;
} broadcast{};

}  // namespace broadloom
