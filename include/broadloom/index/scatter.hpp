// scatter_ and scatter_add_: elements written to positions along one axis. Duplicates resolve as in a serial loop over
// the index in row-major order, for any number of threads; nothing is written when a position is out of bounds.
#pragma once

#include <broadloom/index/gather.hpp>
#include <broadloom/index/scatter_write.hpp>

namespace broadloom {

namespace detail {

template <text Name>
struct scatter_rule {
  template <array Out, integer_like A, array Index, operand S>
  static constexpr sentence fault() {
    sentence s;
    using x = shape_of<node_of<Out>>;
    using i = shape_of<node_of<Index>>;
    constexpr int rank = x::axes_count == 0 ? 1 : x::axes_count;
    if (!output_fits<Out>(s) || !positions_fit<Index>(s, Name.c) || !source_fits<Out, S>(s, Name.c)) return s;
    if (!same_axes<Out, Index>) {
      s << "Index tensor must have the same number of dimensions as self tensor";
      return s;
    }
    if constexpr (array<S>)
      if (!same_axes<S, Index>) {
        s << "Index tensor must have the same number of dimensions as src tensor";
        return s;
      }
    if (!axis_fits<A>(s, rank)) return s;
    smaller_index<Out, Index, A>(s);
    if constexpr (array<S>) {
      using v = shape_of<node_of<S>>;
      if constexpr (v::axes_count == i::axes_count)
        for (int a = 0; a < i::axes_count && s.n == 0; ++a) {
          const index n = v::static_extents[a], m = i::static_extents[a];
          if (is_dyn(n) || is_dyn(m) || m <= n) continue;
          s << "dim " << a << ": " << m << " vs " << n << "; Expected index ";
          list_extents(s, i::static_extents);
          s << " to be smaller size than src ";
          list_extents(s, v::static_extents);
        }
    }
    return s;
  }
};

// The index is at most as large as the output off the axis, and as the source, which may be a number.
template <class Out, class Index, class S>
void check_scatter_shapes(const Out& to, const Index& at, const S& source, int axis) {
  constexpr int rank = rank_of<Out>;
  const auto& x = to.shape();
  const auto& p = at.shape();
  const auto& s = source.shape();
  bool fits = true;
  for (int k = 0; k < rank; ++k) fits = fits && (k == axis || p[k] <= x[k]) && (rank_of<S> == 0 || p[k] <= s[k]);
  if (!fits) throw_scatter_shapes({x.data(), rank}, {p.data(), rank}, {s.data(), rank_of<S>}, axis);
}

template <int Native, text Name, bool Partial, class Out, class Index, class S>
void scatter_elements(Out& out, index axis, Index&& i, S&& source, runtime::update what) {
  const auto to = at_least_one_axis(as_node(out));
  const auto at = at_least_one_axis(capture(static_cast<Index&&>(i)));
  constexpr int rank = rank_of<decltype(to)>;
  const int a = normal_axis(axis, rank, Name.c);
  const auto write = [&](const auto& origin) {
    check_scatter_shapes(to, at, origin, a);
    write_elements<Native, Partial>(along_kind<false, Name>{a}, at.shape(), to, origin, what, runtime::options{}, at);
  };
  if constexpr (array<S>)
    write(at_least_one_axis(capture(static_cast<S&&>(source))));
  else
    write(argument<value_of<decltype(to)>>(source));
}

// In place, or in a Copy that nobody sees if the function throws.
template <text Name, runtime::update What, bool Copy = false>
struct scatter_function : refuses_other_arguments<scatter_function<Name, What, Copy>> {
  static constexpr text call{"scatter_(x, axis, index, source)"};
  using refuses_other_arguments<scatter_function>::operator();
  template <array Out, integer_like A, array Index, operand S, int Native = BROADLOOM_NATIVE>
    requires accepted<scatter_rule<Name>, Out, A, Index, S>
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S&& source) const {
    scatter_elements<Native, Name, Copy>(out, static_cast<index>(axis), static_cast<Index&&>(i),
                                         static_cast<S&&>(source), What);
    return static_cast<Out&&>(out);
  }
  template <array Out, integer_like A, array Index, operand S,
            class Error = refusal<scatter_rule<Name>, Out, A, Index, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, Index&&, S&&) const BROADLOOM_REFUSED;
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
inline constexpr detail::scatter_function<"scatter", runtime::update::overwrite> scatter_{};
inline constexpr detail::scatter_function<"scatter_add", runtime::update::add> scatter_add_{};
inline constexpr detail::on_copy<detail::scatter_function<"scatter", runtime::update::overwrite, true>> scatter{};
inline constexpr detail::on_copy<detail::scatter_function<"scatter_add", runtime::update::add, true>> scatter_add{};

}  // namespace broadloom
