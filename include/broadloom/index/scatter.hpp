// The scatter family: elements written to positions along one axis. Duplicates resolve as in a serial loop over the
// index in row-major order, for any number of threads; nothing is written when a position is out of bounds.
#pragma once

#include <broadloom/fn/composite.hpp>
#include <broadloom/index/gather.hpp>
#include <broadloom/index/written.hpp>
#include <broadloom/reduce/statistics.hpp>
#include <broadloom/tensor/factories.hpp>

namespace broadloom {

namespace detail {

template <text Name>
struct scatter_rule {
  template <array Out, integer_like A, array I, operand S>
  static constexpr sentence fault() {
    sentence s;
    using x = shape_of<node_of<Out>>;
    using i = shape_of<node_of<I>>;
    constexpr int rank = x::axes_count == 0 ? 1 : x::axes_count;
    if (!output_fits<Out>(s) || !positions_fit<I>(s, Name.c) || !source_fits<Out, S>(s, Name.c)) return s;
    if (!same_axes<Out, I>) {
      s << "Index tensor must have the same number of dimensions as self tensor";
      return s;
    }
    if constexpr (array<S>)
      if (!same_axes<S, I>) {
        s << "Index tensor must have the same number of dimensions as src tensor";
        return s;
      }
    if (!axis_fits<A>(s, rank)) return s;
    smaller_index<Out, I, A>(s);
    if constexpr (array<S>) {
      using v = shape_of<node_of<S>>;
      if constexpr (v::axes_count == i::axes_count)
        for (int a = 0; a < i::axes_count && s.n == 0; ++a) {
          const index n = v::static_extents[a], m = i::static_extents[a];
          if (n == dyn || m == dyn || m <= n) continue;
          s << "dim " << a << ": " << m << " vs " << n << "; Expected index ";
          list_extents(s, i::static_extents);
          s << " to be smaller size than src ";
          list_extents(s, v::static_extents);
        }
    }
    return s;
  }
};

template <int Native, text Name, class Out, class I, class S>
void scatter_elements(Out& out, index axis, I&& i, S&& source, runtime::update what) {
  const auto to = at_least_one_axis(as_node(out));
  const auto at = at_least_one_axis(capture(static_cast<I&&>(i)));
  constexpr int rank = rank_of<decltype(to)>;
  const int a = normal_axis(axis, rank);
  const auto write = [&](const auto& origin) {
    const auto& x = to.shape();
    const auto& p = at.shape();
    const auto& s = origin.shape();
    bool fits = true;
    for (int k = 0; k < rank; ++k)
      fits = fits && (k == a || p[k] <= x[k]) && (rank_of<decltype(origin)> == 0 || p[k] <= s[k]);
    if (!fits) throw_scatter_shapes({x.data(), rank}, {p.data(), rank}, {s.data(), rank_of<decltype(origin)>}, a);
    write_elements<Native>(along_kind<false, Name>{a}, p, to, origin, what, runtime::options{}, at);
  };
  if constexpr (array<S>)
    write(at_least_one_axis(capture(static_cast<S&&>(source))));
  else
    write(argument<value_of<decltype(to)>>(source));
}

template <text Name, runtime::update What>
struct scatter_function {
  template <array Out, integer_like A, array I, operand S, int Native = BROADLOOM_NATIVE>
    requires accepted<scatter_rule<Name>, Out, A, I, S>
  decltype(auto) operator()(Out&& out, A axis, I&& i, S&& source) const {
    scatter_elements<Native, Name>(out, static_cast<index>(axis), static_cast<I&&>(i), static_cast<S&&>(source), What);
    return static_cast<Out&&>(out);
  }
  template <array Out, integer_like A, array I, operand S, class Error = refusal<scatter_rule<Name>, Out, A, I, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, I&&, S&&) const = delete;
};

// f(x, ...) = a copy of x after f_(copy, ...).
template <class F>
struct on_copy {
  template <array X, class... A>
  auto operator()(X&& x, A&&... a) const {
    auto r = eval(capture(static_cast<X&&>(x)));
    F{}(r, static_cast<A&&>(a)...);
    return r;
  }
};

}  // namespace detail

// scatter_(out, axis, index, source): out[index[i][j]][j] = source[i][j] for axis 0, and so on. The index (i32 or i64)
// has as many axes as out and source, at most out's extents off the axis, and at most source's. source: an array of
// out's type, or a number. Where positions meet, the last one in row-major order stays. Throws shape_error, and
// index_error for a position that is negative or too large; nothing is written then (PyTorch's scatter_). scatter_add_
// adds. Without the underscore: in a copy.
inline constexpr detail::scatter_function<"scatter", runtime::update::put> scatter_{};
inline constexpr detail::scatter_function<"scatter_add", runtime::update::add> scatter_add_{};
inline constexpr detail::on_copy<detail::scatter_function<"scatter", runtime::update::put>> scatter{};
inline constexpr detail::on_copy<detail::scatter_function<"scatter_add", runtime::update::add>> scatter_add{};

namespace detail {

// What scatter_reduce_ does with elements that meet; `none` for what is no such reduction.
enum class meeting : unsigned char { none, added, multiplied, averaged, largest, smallest };
template <class R>
inline constexpr meeting meeting_of = meeting::none;
template <>
inline constexpr meeting meeting_of<reduce_function<sum_r>> = meeting::added;
template <>
inline constexpr meeting meeting_of<reduce_function<prod_r>> = meeting::multiplied;
template <>
inline constexpr meeting meeting_of<mean_t> = meeting::averaged;
template <>
inline constexpr meeting meeting_of<reduce_function<amax_r>> = meeting::largest;
template <>
inline constexpr meeting meeting_of<reduce_function<amin_r>> = meeting::smallest;

// What changes nothing when it meets x.
template <class T>
constexpr T neutral_of(meeting m) {
  if (m == meeting::multiplied) return T(1);
  if (m != meeting::largest && m != meeting::smallest) return T(0);
  const bool high = m == meeting::smallest;
  if constexpr (__is_same(T, bool))
    return high;
  else if constexpr (std::is_floating_point_v<T>)
    return high ? static_cast<T>(__builtin_huge_val()) : -static_cast<T>(__builtin_huge_val());
  else {
    using U = std::make_unsigned_t<T>;
    constexpr T least = T(-1) < T(0) ? static_cast<T>(U(1) << (sizeof(T) * 8 - 1)) : T(0);
    return high ? static_cast<T>(~least) : least;
  }
}

}  // namespace detail

// scatter_reduce_(out, axis, index, source, amax, include_self = true): as scatter_, and elements that meet in one
// place are brought together by sum, prod, mean, amax or amin; with include_self, out's own element too. mean divides
// what was summed by how many came together, and rounds integers down (PyTorch's scatter_reduce_). NaN wins in amax and
// amin.
inline constexpr struct scatter_reduce_in_place_t {
  using rule = detail::scatter_rule<"scatter_reduce">;
  template <array Out, detail::integer_like A, array I, array S, class R, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, A, I, S> && (detail::meeting_of<R> != detail::meeting::none)
  decltype(auto) operator()(Out&& out, A axis, I&& i, S&& source, const R&, bool include_self = true) const {
    using T = detail::value_of<detail::node_of<Out>>;
    using detail::meeting;
    constexpr meeting how = detail::meeting_of<R>;
    const auto to = detail::as_node(out);
    const auto at = eval(detail::capture(i));
    const auto elements = eval(detail::capture(source));
    const auto along = static_cast<index>(axis);
    const auto run = [&](auto& x, const auto& s, runtime::update what) {
      detail::scatter_elements<Native, "scatter_reduce">(x, along, at, s, what);
    };
    if (!include_self) run(to, detail::neutral_of<T>(how), runtime::update::put);
    run(to, elements,
        how == meeting::multiplied ? runtime::update::mul
        : how == meeting::largest  ? runtime::update::amax
        : how == meeting::smallest ? runtime::update::amin
                                   : runtime::update::add);
    if constexpr (how == meeting::averaged && !__is_same(T, bool)) {
      auto count = full<T>(to.shape(), include_self ? T(1) : T(0));
      run(count, T(1), runtime::update::add);
      if constexpr (std::is_floating_point_v<T>)
        assign(to, to / maximum(count, T(1)));
      else
        assign(to, floor_divide(to, maximum(count, T(1))));
    }
    return static_cast<Out&&>(out);
  }
  template <array Out, detail::integer_like A, array I, array S, class R,
            class Error = detail::refusal<rule, Out, A, I, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, I&&, S&&, const R&, bool = true) const = delete;
} scatter_reduce_{};
inline constexpr detail::on_copy<scatter_reduce_in_place_t> scatter_reduce{};

namespace detail {

struct put_along_rule {
  template <array Out, array I, operand S, integer_like A>
  static constexpr sentence fault() {
    sentence s;
    if (!output_fits<Out>(s) || !positions_fit<I>(s, "put_along_dim") || !source_fits<Out, S>(s, "put_along_dim"))
      return s;
    if (rank_of<node_of<Out>> != rank_of<node_of<I>>)
      s << "put_along_dim(): input and indices should have the same number of dimensions, but got "
        << rank_of<node_of<Out>> << " dimensions for input, and " << rank_of<node_of<I>> << " dimensions for indices";
    else
      axis_fits<A>(s, rank_of<node_of<Out>>);
    return s;
  }
};

}  // namespace detail

// put_along_dim(out, index, source, axis): out at the positions along the axis becomes source. The index is expanded to
// out's extents off the axis and source to the index's; negative positions count from the end (NumPy's put_along_axis).
inline constexpr struct put_along_dim_t {
  template <array Out, array I, operand S, detail::integer_like A, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<detail::put_along_rule, Out, I, S, A>
  decltype(auto) operator()(Out&& out, I&& i, S&& source, A axis) const {
    const auto to = detail::as_node(out);
    const auto at = detail::capture(static_cast<I&&>(i));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(to)>);
    auto x = to.shape().extents();
    x[a] = at.shape()[a];
    const auto target = dshape<detail::rank_of<decltype(to)>>::unchecked(x);
    const auto expanded = expand(at, target);
    using kind = detail::along_kind<true, "put_along_dim">;
    if constexpr (array<S>)
      detail::write_elements<Native>(kind{a}, target, to, expand(detail::capture(static_cast<S&&>(source)), target),
                                     runtime::update::put, runtime::options{}, expanded);
    else
      detail::write_elements<Native>(kind{a}, target, to, detail::argument<detail::value_of<decltype(to)>>(source),
                                     runtime::update::put, runtime::options{}, expanded);
    return static_cast<Out&&>(out);
  }
  template <array Out, array I, operand S, detail::integer_like A,
            class Error = detail::refusal<detail::put_along_rule, Out, I, S, A>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, I&&, S&&, A) const = delete;
} put_along_dim{};
inline constexpr put_along_dim_t put_along_axis{};

namespace detail {

struct scatter_broadcast_rule {
  template <array Out, integer_like A, array I, operand S>
  static constexpr sentence fault() {
    sentence s;
    if (!output_fits<Out>(s) || !positions_fit<I>(s, "scatter_broadcast") ||
        !source_fits<Out, S>(s, "scatter_broadcast") || !broadcast_ranks_fit<Out, I, A>(s, "scatter_broadcast"))
      return s;
    constexpr int source = [] {
      if constexpr (array<S>)
        return rank_of<node_of<S>>;
      else
        return 0;
    }();
    constexpr int rank = rank_of<node_of<Out>>;
    if (source > rank)
      s << "scatter_broadcast: a source of " << source << " axes for an output of " << rank
        << "; it has at most as many";
    else if constexpr (constant<A>)
      if (!reaches(rank, rank_of<node_of<I>>, static_axis<A>(rank)) && !reaches(rank, source, static_axis<A>(rank)))
        s << "scatter_broadcast: neither the index nor the source has axis " << static_axis<A>(rank)
          << ": how many elements go there is not defined";
    return s;
  }
};

[[noreturn]] void throw_scatter_undefined(int axis, const shape_view& self, const shape_view& position,
                                          const shape_view& source);

}  // namespace detail

// scatter_broadcast_(out, axis, index, source): scatter_ with index and source expanded to out's extents off the axis,
// ones being put before their axes. Along the axis there are as many elements as the one that has the axis says; where
// both have it, extents are equal or 1. Where neither has it the result is not defined, and the call is refused: by the
// compiler when the axis is a constant, else by shape_error. The rule is that of the notes on broadcasting from which
// PyTorch's came.
inline constexpr struct scatter_broadcast_in_place_t {
  template <array Out, detail::integer_like A, array I, operand S, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<detail::scatter_broadcast_rule, Out, A, I, S>
  decltype(auto) operator()(Out&& out, A axis, I&& i, S&& source) const {
    const auto to = detail::as_node(out);
    using T = detail::value_of<decltype(to)>;
    const auto at = detail::capture(static_cast<I&&>(i));
    constexpr int n = detail::rank_of<decltype(to)>, r = detail::rank_of<decltype(at)>;
    const int a = detail::normal_axis(static_cast<index>(axis), n);
    const auto write = [&](const auto& origin) {
      constexpr int m = detail::rank_of<decltype(origin)>;
      const bool of_index = detail::reaches(n, r, a), of_source = detail::reaches(n, m, a);
      if (!of_index && !of_source)
        detail::throw_scatter_undefined(a, {to.shape().data(), n}, {at.shape().data(), r}, {origin.shape().data(), m});
      const index p = of_index ? at.shape().extents()[a - (n - r)] : 1,
                  q = of_source ? origin.shape().extents()[a - (n - m)] : 1;
      auto x = to.shape().extents();
      x[a] = p == 1 ? q : p;
      const auto target = dshape<n>::unchecked(x);
      const auto positions = expand(at, target);
      using kind = detail::along_kind<false, "scatter_broadcast">;
      if constexpr (expression<decltype(origin)> && !__is_same(std::remove_cvref_t<decltype(origin)>, scalar<T>))
        detail::write_elements<Native>(kind{a}, target, to, expand(origin, target), runtime::update::put,
                                       runtime::options{}, positions);
      else
        detail::write_elements<Native>(kind{a}, target, to, origin, runtime::update::put, runtime::options{},
                                       positions);
    };
    if constexpr (array<S>)
      write(detail::capture(static_cast<S&&>(source)));
    else
      write(detail::argument<T>(source));
    return static_cast<Out&&>(out);
  }
  template <array Out, detail::integer_like A, array I, operand S,
            class Error = detail::refusal<detail::scatter_broadcast_rule, Out, A, I, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, I&&, S&&) const = delete;
} scatter_broadcast_{};
inline constexpr detail::on_copy<scatter_broadcast_in_place_t> scatter_broadcast{};

}  // namespace broadloom
