// Slices written to, or added into, listed positions along one axis: index_add_, index_copy_, index_fill_. They do not
// broadcast.
#pragma once

#include <broadloom/index/scatter.hpp>
#include <broadloom/index/select.hpp>

namespace broadloom {

namespace detail {

template <text Name>
struct index_update_rule {
  template <array Out, integer_like A, array Index, operand S>
  static constexpr sentence fault() {
    sentence s;
    if (!output_fits<Out>(s) || !positions_fit<Index>(s, Name.c) || !source_fits<Out, S>(s, Name.c)) return s;
    constexpr int rank = rank_of<node_of<Out>>;
    if (rank_of<node_of<Index>> > 1) {
      s << Name.c << "(): Index should have dimension 1 or 0 (got " << rank_of<node_of<Index>> << ")";
      return s;
    }
    if (!axis_fits<A>(s, rank == 0 ? 1 : rank)) return s;
    if constexpr (array<S>) {
      using x = shape_of<node_of<Out>>;
      using v = shape_of<node_of<S>>;
      if constexpr (x::axes_count != v::axes_count)
        s << Name.c << "(): source has " << v::axes_count << " axes and self " << x::axes_count;
      else if constexpr (constant<A>) {
        constexpr index axis = static_axis<A>(rank);
        constexpr index count = [] {
          if constexpr (rank_of<node_of<Index>> == 0)
            return index{1};
          else
            return shape_of<node_of<Index>>::static_extents[0];
        }();
        for (int a = 0; a < rank && s.n == 0; ++a) {
          const index n = a == axis ? count : x::static_extents[a], m = v::static_extents[a];
          if (!may_equal(n, m))
            s << "dim " << a << ": " << extent_text{m} << " vs " << extent_text{n} << "; " << Name.c
              << "(): source has not the extents of what it is put in";
        }
      }
    }
    return s;
  }
};

template <int Native, text Name, bool Negative, class Out, class Index, class S>
void update_slices(Out& out, index axis, const Index& i, S&& source, runtime::update what) {
  const auto to = at_least_one_axis(as_node(out));
  const auto at = at_least_one_axis(capture(i));
  constexpr int rank = rank_of<decltype(to)>;
  const int a = normal_axis(axis, rank, Name.c);
  auto x = to.shape().extents();
  x[a] = at.shape()[0];
  const auto target = dshape<rank>::unchecked(x);
  const take_kind<Negative, Name> kind{a};
  if constexpr (array<S>) {
    const auto from = at_least_one_axis(capture(static_cast<S&&>(source)));
    const auto& s = from.shape();
    if (s[a] != x[a]) throw_index_count(Name.c, x[a], s[a], a);
    for (int k = 0; k < rank; ++k)
      if (s[k] != x[k]) throw_slice_shapes(Name.c, {to.shape().data(), rank}, {s.data(), rank}, a);
    write_elements<Native>(kind, target, to, from, what, runtime::options{}, at);
  } else
    write_elements<Native>(kind, target, to, argument<value_of<decltype(to)>>(source), what, runtime::options{}, at);
}

}  // namespace detail

// index_add_(out, axis, index, source, alpha = 1): out's slice at index[k] along the axis += alpha * source's slice k,
// for each k in turn. The index (i32 or i64) has one axis; source has out's axes and extents, and as many slices as
// there are positions, or is a number, which each element gets. Throws shape_error, and index_error for a position that
// is negative or too large; nothing is written then (PyTorch's index_add_).
inline constexpr struct index_add_in_place_t : detail::refuses_other_arguments<index_add_in_place_t> {
  static constexpr detail::text call{"index_add_(x, axis, index, source)"};
  using refuses_other_arguments::operator();
  using rule = detail::index_update_rule<"index_add_">;
  template <array Out, detail::integer_like A, array Index, array S, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, A, Index, S>
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S&& source) const {
    detail::update_slices<Native, "index_add_", false>(out, static_cast<index>(axis), i, static_cast<S&&>(source),
                                                       runtime::update::add);
    return static_cast<Out&&>(out);
  }
  template <array Out, detail::integer_like A, array Index, array S, detail::number_scalar N,
            int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, A, Index, S>
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S&& source, N alpha) const {
    using T = detail::value_of<detail::node_of<Out>>;
    return (*this)(static_cast<Out&&>(out), axis, i,
                   cast<T>(mul(static_cast<S&&>(source), detail::number_as<T>(alpha))));
  }
  template <array Out, detail::integer_like A, array Index, detail::number_scalar S, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, A, Index, S>
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S source) const {
    detail::update_slices<Native, "index_add_", false>(out, static_cast<index>(axis), i, source, runtime::update::add);
    return static_cast<Out&&>(out);
  }
  template <array Out, detail::integer_like A, array Index, array S, class... N,
            class Error = detail::refusal<rule, Out, A, Index, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, Index&&, S&&, N...) const BROADLOOM_REFUSED;
} index_add_{};
inline constexpr detail::on_copy<index_add_in_place_t> index_add{};

// index_copy_(out, axis, index, source): out's slice at index[k] = source's slice k, for each k in turn; as index_add_
// otherwise (PyTorch's index_copy_).
inline constexpr struct index_copy_in_place_t : detail::refuses_other_arguments<index_copy_in_place_t> {
  static constexpr detail::text call{"index_copy_(x, axis, index, source)"};
  using refuses_other_arguments::operator();
  using rule = detail::index_update_rule<"index_copy_">;
  template <array Out, detail::integer_like A, array Index, array S, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, A, Index, S>
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S&& source) const {
    detail::update_slices<Native, "index_copy_", false>(out, static_cast<index>(axis), i, static_cast<S&&>(source),
                                                        runtime::update::overwrite);
    return static_cast<Out&&>(out);
  }
  template <array Out, detail::integer_like A, array Index, array S,
            class Error = detail::refusal<rule, Out, A, Index, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, Index&&, S&&) const BROADLOOM_REFUSED;
} index_copy_{};
inline constexpr detail::on_copy<index_copy_in_place_t> index_copy{};

// index_fill_(out, axis, index, value): out's slices at these positions are filled with a number; negative positions
// count from the end (PyTorch's index_fill_).
inline constexpr struct index_fill_in_place_t : detail::refuses_other_arguments<index_fill_in_place_t> {
  static constexpr detail::text call{"index_fill_(x, axis, index, value)"};
  using refuses_other_arguments::operator();
  using rule = detail::index_update_rule<"index_fill_">;
  template <array Out, detail::integer_like A, array Index, detail::number_scalar V, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, A, Index, V>
  decltype(auto) operator()(Out&& out, A axis, Index&& i, V value) const {
    detail::update_slices<Native, "index_fill_", true>(out, static_cast<index>(axis), i, value,
                                                       runtime::update::overwrite);
    return static_cast<Out&&>(out);
  }
  template <array Out, detail::integer_like A, array Index, operand V,
            class Error = detail::refusal<rule, Out, A, Index, V>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, Index&&, V&&) const BROADLOOM_REFUSED;
} index_fill_{};
inline constexpr detail::on_copy<index_fill_in_place_t> index_fill{};

}  // namespace broadloom
