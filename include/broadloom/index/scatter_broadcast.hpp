// put_along_dim and scatter_broadcast_: writing with an index and a source that broadcast.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/scatter.hpp>

namespace broadloom {

namespace detail {

struct put_along_rule {
  template <array Out, array Index, operand S, integer_like A>
  static constexpr sentence fault() {
    sentence s;
    if (!output_fits<Out>(s) || !positions_fit<Index>(s, "put_along_dim") || !source_fits<Out, S>(s, "put_along_dim"))
      return s;
    if (rank_of<node_of<Out>> != rank_of<node_of<Index>>)
      s << "put_along_dim(): input and indices should have the same number of dimensions, but got "
        << rank_of<node_of<Out>> << " dimensions for input, and "
        << rank_of<node_of<Index>> << " dimensions for indices";
    else
      axis_fits<A>(s, rank_of<node_of<Out>>);
    return s;
  }
};

}  // namespace detail

// put_along_dim(out, index, source, axis): out at the positions along the axis becomes source. The index is expanded to
// out's extents off the axis and source to the index's; negative positions count from the end (NumPy's put_along_axis).
inline constexpr struct put_along_dim_t {
  template <array Out, array Index, operand S, detail::integer_like A, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<detail::put_along_rule, Out, Index, S, A>
  decltype(auto) operator()(Out&& out, Index&& i, S&& source, A axis) const {
    const auto to = detail::as_node(out);
    const auto at = detail::capture(static_cast<Index&&>(i));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(to)>, "put_along_dim");
    auto x = to.shape().extents();
    x[a] = at.shape()[a];
    const auto target = dshape<detail::rank_of<decltype(to)>>::unchecked(x);
    const auto expanded = detail::expanded_for("put_along_dim", at, target);
    using kind = detail::along_kind<true, "put_along_dim">;
    if constexpr (array<S>)
      detail::write_elements<Native>(
          kind{a}, target, to, detail::expanded_for("put_along_dim", detail::capture(static_cast<S&&>(source)), target),
          runtime::update::overwrite, runtime::options{}, expanded);
    else
      detail::write_elements<Native>(kind{a}, target, to, detail::argument<detail::value_of<decltype(to)>>(source),
                                     runtime::update::overwrite, runtime::options{}, expanded);
    return static_cast<Out&&>(out);
  }
  template <array Out, array Index, operand S, detail::integer_like A,
            class Error = detail::refusal<detail::put_along_rule, Out, Index, S, A>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, Index&&, S&&, A) const = delete;
} put_along_dim{};
inline constexpr put_along_dim_t put_along_axis{};

namespace detail {

struct scatter_broadcast_rule {
  template <array Out, integer_like A, array Index, operand S>
  static constexpr sentence fault() {
    sentence s;
    if (!output_fits<Out>(s) || !positions_fit<Index>(s, "scatter_broadcast") ||
        !source_fits<Out, S>(s, "scatter_broadcast") || !broadcast_ranks_fit<Out, Index, A>(s, "scatter_broadcast"))
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
      if (!reaches(rank, rank_of<node_of<Index>>, static_axis<A>(rank)) && !reaches(rank, source, static_axis<A>(rank)))
        s << "scatter_broadcast: neither the index nor the source has axis " << static_axis<A>(rank)
          << ": how many elements go there is not defined";
    return s;
  }
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_scatter_undefined(int axis, const shape_view& self,
                                                                           const shape_view& position,
                                                                           const shape_view& source) {
  throw_error(error_kind::scatter_undefined, {axis, &self, &position, &source});
}

template <bool Copy>
struct scatter_broadcast_function {
  template <array Out, integer_like A, array Index, operand S, int Native = BROADLOOM_NATIVE>
    requires accepted<scatter_broadcast_rule, Out, A, Index, S>
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S&& source) const {
    const auto to = as_node(out);
    using T = value_of<decltype(to)>;
    const auto at = capture(static_cast<Index&&>(i));
    constexpr int n = rank_of<decltype(to)>, r = rank_of<decltype(at)>;
    const int a = normal_axis(static_cast<index>(axis), n, "scatter_broadcast");
    const auto write = [&](const auto& origin) {
      constexpr int m = rank_of<decltype(origin)>;
      const bool of_index = reaches(n, r, a), of_source = reaches(n, m, a);
      if (!of_index && !of_source)
        throw_scatter_undefined(a, {to.shape().data(), n}, {at.shape().data(), r}, {origin.shape().data(), m});
      const index p = of_index ? at.shape().extents()[a - (n - r)] : 1,
                  q = of_source ? origin.shape().extents()[a - (n - m)] : 1;
      auto x = to.shape().extents();
      x[a] = p == 1 ? q : p;
      const auto target = dshape<n>::unchecked(x);
      const auto positions = expanded_for("scatter_broadcast", at, target);
      using kind = along_kind<false, "scatter_broadcast">;
      if constexpr (expression<decltype(origin)> && !__is_same(std::remove_cvref_t<decltype(origin)>, scalar<T>))
        write_elements<Native, Copy>(kind{a}, target, to, expanded_for("scatter_broadcast", origin, target),
                                     runtime::update::overwrite, runtime::options{}, positions);
      else
        write_elements<Native, Copy>(kind{a}, target, to, origin, runtime::update::overwrite, runtime::options{},
                                     positions);
    };
    if constexpr (array<S>)
      write(capture(static_cast<S&&>(source)));
    else
      write(argument<T>(source));
    return static_cast<Out&&>(out);
  }
  template <array Out, integer_like A, array Index, operand S,
            class Error = refusal<scatter_broadcast_rule, Out, A, Index, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, Index&&, S&&) const = delete;
};

}  // namespace detail

// scatter_broadcast_(out, axis, index, source): scatter_ with index and source expanded to out's extents off the axis,
// ones being put before their axes. Along the axis there are as many elements as the one that has the axis says; where
// both have it, extents are equal or 1. Where neither has it the result is not defined, and the call is refused: by the
// compiler when the axis is a constant, else by shape_error. The rule is that of the notes on broadcasting from which
// PyTorch's came.
inline constexpr detail::scatter_broadcast_function<false> scatter_broadcast_{};
inline constexpr detail::on_copy<detail::scatter_broadcast_function<true>> scatter_broadcast{};

}  // namespace broadloom
