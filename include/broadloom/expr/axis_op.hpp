// View operations on axes given as numbers, and what the compiler knows of their results.
#pragma once

#include <broadloom/expr/transform.hpp>
#include <broadloom/shape/axes.hpp>

namespace broadloom::detail {

// An axis or an amount: part of the type if it is a constant, else a number.
template <class N>
struct number {
  static constexpr bool is_static = false;
  index n;
  constexpr operator index() const { return n; }
};
template <constant N>
struct number<N> {
  static constexpr bool is_static = true;
  constexpr number() = default;
  constexpr explicit number(N) {}
  constexpr operator index() const { return N::value; }
};
template <integer_like N>
constexpr auto as_number(N n) {
  if constexpr (constant<N>)
    return number<N>{};
  else
    return number<index>{static_cast<index>(n)};
}
template <class N>
using number_of = decltype(as_number(std::declval<N>()));

constexpr bool is_axis(index axis, int rank) { return axis >= -rank && axis < rank; }

// Operations on axes given as numbers. `Edit` is a small class with
//   static constexpr int added                                  axes more in the result
//   static constexpr int axes(int k, int rank)                  its number k is one of so many axes; -1: it is no axis
//   template <int R> static constexpr auto apply(geometry<R>, index...)
// and, where extents depend on numbers that are no axes, or not every axis will do,
//   template <int R> static constexpr bool known(indices<R>, indices<R + added>& to, index...)
//                                                               extents from extents, either of them perhaps dyn and
//                                                               numbers known_later; false: such a call throws
template <class Edit, class... N>
struct axis_op {
  boost::hana::basic_tuple<N...> n;

  static constexpr bool is_static = (N::is_static && ...);
  static constexpr int rank(int in) { return in + Edit::added; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    constexpr int count = sizeof...(N);
    if constexpr (is_static)
      return Edit::template apply<R>(geometry<R>{x, {}, 0}, index{N{}}...).extents;
    else {
      common_extents<R + Edit::added> r;
      const indices<count> constants{{value_or_0<N>()...}};
      constexpr bool given[] = {N::is_static...};
      indices<count> axes{};
      for (int k = 0; k < count; ++k) axes[k] = Edit::axes(k, R);
      for_each_choice<count>(constants, given, axes, [&](const indices<count>& a) {
        [&]<int... K>(sequence<K...>) { add<R>(r, x, a[K]...); }(make_sequence<count>{});
      });
      return r.extents;
    }
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    return detail::unpack(n, [&](const N&... a) { return Edit::template apply<R>(g, index{a}...); });
  }

 private:
  template <class Index>
  static constexpr index value_or_0() {
    if constexpr (Index::is_static)
      return index{Index{}};
    else
      return 0;
  }
  template <int R, class... Index>
  static constexpr void add(common_extents<R + Edit::added>& r, const indices<R>& x, Index... a) {
    if constexpr (requires(indices<R + Edit::added>& to) { Edit::template known<R>(x, to, a...); }) {
      indices<R + Edit::added> to{};
      if (Edit::template known<R>(x, to, a...)) r.add(to);
    } else
      r.add(Edit::template apply<R>(geometry<R>{x, {}, 0}, a...).extents);
  }
};

// Axes known to the compiler are checked by it.
template <class Edit, int Rank, class... N>
constexpr bool axes_are_valid() {
  bool ok = Rank + Edit::added >= 0;
  int k = 0;
  const auto one = [&]<class Index>(const Index*) {
    if constexpr (Index::is_static)
      ok = ok && (Edit::axes(k, Rank) < 0 || is_axis(index{Index{}}, Edit::axes(k, Rank)));
    ++k;
  };
  (one(static_cast<const N*>(nullptr)), ...);
  return ok;
}

template <class Edit, class E, class... N>
constexpr auto edit_axes(const E& e, N... n) {
  constexpr bool ok = axes_are_valid<Edit, rank_of<E>, number_of<N>...>();
  static_assert(ok, "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
  if constexpr (ok)
    return transform(axis_op<Edit, number_of<N>...>{boost::hana::basic_tuple<number_of<N>...>(as_number(n)...)}, e);
  else
    return e;
}

}  // namespace broadloom::detail
