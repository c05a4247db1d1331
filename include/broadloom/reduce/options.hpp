// The options of a reduction: axes, keepdim, and the type to compute in, in any order.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/expr/takes_axis_names.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/shape/axes.hpp>

namespace broadloom {

// The reduced axes stay, with extent 1.
inline constexpr struct keepdim_t {
} keepdim{};

// Elements are converted to T before they are combined, and the result is of type T (PyTorch's dtype).
template <element T>
struct of_type_t {};
template <element T>
inline constexpr of_type_t<T> of_type{};

// Elements are converted to T before they are combined, and the result to the type it has without this: sums of floats
// in f64.
template <element T>
struct accumulate_in_t {};
template <element T>
inline constexpr accumulate_in_t<T> accumulate_in{};

// Sums keep the rounding errors of their additions and add them at the end: nearly as if added in twice the precision
// and rounded once, whatever the number of elements.
inline constexpr struct compensated_t {
} compensated{};

namespace detail {

template <class T>
inline constexpr bool is_axes = false;
template <index... A>
inline constexpr bool is_axes<axes_t<A...>> = true;
template <class T>
inline constexpr bool is_of_type = false;
template <class T>
inline constexpr bool is_of_type<of_type_t<T>> = true;

template <class T>
inline constexpr bool is_accumulator = false;
template <class T>
inline constexpr bool is_accumulator<accumulate_in_t<T>> = true;

// One value, which clang does not take apart when it explains what is refused.
template <class T>
inline constexpr bool is_reduce_option = is_axes<T> || is_of_type<T> || is_accumulator<T> || __is_same(T, keepdim_t) ||
                                         __is_same(T, compensated_t) || integer_like<T> || axis_list<T>;
template <class T>
concept reduce_option = is_reduce_option<T>;
// sum(x, true), and options beside it, name keepdim.
template <class A, class... O>
inline constexpr bool wants_keepdim = wants_array_first<A, O...>;
template <array A, class... O>
inline constexpr bool wants_keepdim<A, O...> = (__is_same(O, bool) || ...);

template <class O>
inline constexpr bool names_axes = is_axes<O> || integer_like<O> || axis_list<O>;
template <class... O>
inline constexpr bool is_axis_and_flag = false;
template <class O, class B>
inline constexpr bool is_axis_and_flag<O, B> = (names_axes<O> || is_axis_name<O>) && __is_same(B, bool);

// What reductions F inherit. Those whose second argument is no axis take no flag.
template <class F, bool Flag = true>
struct names_keepdim {
  template <class... O>
  static constexpr bool keeps_by_flag = Flag && is_axis_and_flag<O...>;
  template <class A, class... O, class = std::enable_if_t<wants_keepdim<A, O...> && !(array<A> && keeps_by_flag<O...>)>>
  typename first_argument<A>::error operator()(const A&, const O&...) const;
  template <array A, class O>
    requires(keeps_by_flag<O, bool>)
  constexpr auto operator()(A&& a, const O& axes, keepdim_flag) const {
    return static_cast<const F&>(*this)(static_cast<A&&>(a), axes, keepdim);
  }
  template <array A, int R>
    requires Flag
  constexpr auto operator()(A&& a, braced_extents<R> axes, keepdim_flag) const {
    return static_cast<const F&>(*this)(static_cast<A&&>(a), braced_axes<R>(axes), keepdim);
  }
};

template <class... O>
inline constexpr bool is_compensated = (__is_same(O, compensated_t) || ...);

// For an array of rank 0, axes 0 and -1 are valid, as if it had an axis of extent 1 (PyTorch).
constexpr int countable(int rank) { return rank == 0 ? 1 : rank; }
constexpr bool is_reduced_axis(index axis, int rank) { return is_axis(axis, countable(rank)); }

template <index... A>
constexpr bool axes_are_distinct(int rank) {
  bool seen[33] = {};
  for (index a : indices<sizeof...(A)>{{A...}}) {
    if (!is_reduced_axis(a, rank)) return true;  // said elsewhere
    bool& s = seen[a < 0 ? a + countable(rank) : a];
    if (s) return false;
    s = true;
  }
  return true;
}
constexpr unsigned all_axes(int rank) { return rank >= 32 ? ~0u : (1u << rank) - 1; }

// The reduced axes as a type when all are constants.
template <unsigned Bits>
struct known_axes {
  static constexpr bool is_static = true;
  static constexpr unsigned bits() { return Bits; }
};
// Else those that are constants in the type, and how many more there are; below 0 if it is known at run time only.
template <unsigned Constants, int Others>
struct some_axes {
  static constexpr bool is_static = false;
  static constexpr unsigned constants = Constants;
  static constexpr int others = Others;
  unsigned n;
  constexpr unsigned bits() const { return n; }
};

template <int Rank, class... O>
inline constexpr bool axes_are_known = true;
template <int Rank, class O, class... More>
inline constexpr bool axes_are_known<Rank, O, More...> =
    (!integer<O> && !axis_list<O> && axes_are_known<Rank, More...>);

// The value of the axes among the options; all when none are named.
template <int Rank, class O>
constexpr unsigned option_bits(unsigned bits, const O& o, const char* call = nullptr) {
  if constexpr (is_axes<O>) {
    for (index a : O::values) bits = add_axis(bits, a, countable(Rank), call);
    return bits;
  } else if constexpr (integer_like<O>)
    return add_axis(bits, static_cast<index>(o), countable(Rank), call);
  else if constexpr (axis_list<O>)
    return add_axes(bits, o, countable(Rank), call);
  else
    return bits;
}
template <class... O>
inline constexpr bool keeps_axes = (__is_same(O, keepdim_t) || ...);

// How many axes an option names that are no constants, dyn if it is known at run time only.
template <class O>
constexpr index run_time_axes() {
  if constexpr (axis_list<O>)
    return container_extent<O>();
  else
    return integer<O>;
}
template <class... O>
inline constexpr bool counts_axes = ((run_time_axes<O>() != dyn) && ...);

template <int Rank, class O>
constexpr bool option_is_valid() {
  bool ok = true;
  if constexpr (is_axes<O>) {
    for (index a : O::values) ok = ok && is_reduced_axis(a, Rank);
  } else if constexpr (constant<O>)
    ok = is_reduced_axis(O::value, Rank);
  return ok;
}
template <int Rank, class O>
constexpr bool option_is_distinct() {
  if constexpr (is_axes<O>)
    return [&]<index... A>(axes_t<A...>) { return axes_are_distinct<A...>(Rank); }(O{});
  else
    return true;
}

template <int Rank, class... O>
constexpr auto reduced_axes(const char* call, const O&... o) {
  constexpr bool valid = (option_is_valid<Rank, O>() && ...);
  static_assert(valid, "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
  constexpr bool distinct = (option_is_distinct<Rank, O>() && ...);
  static_assert(distinct, "dim appears multiple times in the list of dims [errors.md#axis-twice]");
  constexpr bool counted = counts_axes<O...> || keeps_axes<O...>;
  static_cast<void>(number_of_axes<counted>{});
  if constexpr (!valid || !distinct || !counted || !(names_axes<O> || ...))
    return known_axes<all_axes(Rank)>{};
  else if constexpr (axes_are_known<Rank, O...>) {
    constexpr unsigned bits = [] {
      unsigned b = 0;
      ((b = option_bits<Rank>(b, O{})), ...);
      return b;
    }();
    // Naming no axis at all names all of them, as in PyTorch.
    return known_axes<bits == 0 || Rank == 0 ? all_axes(Rank) : bits>{};
  } else {
    constexpr unsigned constants = [] {
      unsigned b = 0;
      const auto one = [&]<class T>(const T*) {
        if constexpr (!integer<T> && !axis_list<T>) b = option_bits<Rank>(b, T{});
      };
      (one(static_cast<const O*>(nullptr)), ...);
      return b;
    }();
    unsigned b = 0;
    ((b = option_bits<Rank>(b, o, call)), ...);
    constexpr int others = counts_axes<O...> ? static_cast<int>((0 + ... + run_time_axes<O>())) : -1;
    return some_axes<Rank == 0 ? 0u : constants, others>{Rank == 0 ? 0 : b == 0 ? all_axes(Rank) : b};
  }
}

// How many axes the options name, each integer one.
template <class O>
inline constexpr int axes_in = integer_like<O>;
template <axis_list O>
inline constexpr int axes_in<O> = container_extent<O>() == dyn ? 0 : static_cast<int>(container_extent<O>());
template <index... A>
inline constexpr int axes_in<axes_t<A...>> = sizeof...(A);
template <int Rank, class... O>
inline constexpr int named_axes = (0 + ... + axes_in<O>) == 0 || Rank == 0 ? Rank : (0 + ... + axes_in<O>);

template <class Default, class... O>
struct type_option {
  using type = Default;
};
template <class Default, class T, class... O>
struct type_option<Default, of_type_t<T>, O...> {
  using type = T;
};
template <class Default, class F, class... O>
struct type_option<Default, F, O...> : type_option<Default, O...> {};

// The option for a computation in f32 of elements of 16 bits.
template <class O>
constexpr O f32_option(const O& o) {
  return o;
}
template <class T>
constexpr auto f32_option(const of_type_t<T>&) {
  return of_type_t<arithmetic_type<T>>{};
}
template <class T>
constexpr auto f32_option(const accumulate_in_t<T>&) {
  return accumulate_in_t<arithmetic_type<T>>{};
}

// The type that accumulate_in<T> names, void without it; and the result converted to what it would be without it.
template <class... O>
struct accumulator_option {
  using type = void;
};
template <class T, class... O>
struct accumulator_option<accumulate_in_t<T>, O...> {
  using type = T;
};
template <class F, class... O>
struct accumulator_option<F, O...> : accumulator_option<O...> {};

}  // namespace detail
}  // namespace broadloom
