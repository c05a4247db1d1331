// Elements written to positions among all elements: put_; and slices that meet at listed positions along an axis:
// index_reduce_.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/index_lists.hpp>
#include <broadloom/index/scatter_reduce.hpp>
#include <broadloom/index/update.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_put_counts(index positions, index values) {
  throw_error(error_kind::put_counts, {positions, values});
}

// Positions of one axis, as index arrays for each axis of an array of rank R.
template <int R, class Index>
fixed_array<dtensor<index, 1>, R> unraveled(const Index& at, const index* extents, const char* call) {
  const dtensor<index, 1> positions(cast<index>(at));
  const index n = positions.size();
  fixed_array<dtensor<index, 1>, R> r{};
  fixed_array<index*, R> to{};
  for (int a = 0; a < R; ++a) {
    r[a] = dtensor<index, 1>::uninitialised(dshape<1>(n));
    to[a] = r[a].data();
  }
  unravel_positions(positions.data(), n, extents, R, {.negative = true}, call, to.v);
  return r;
}

struct put_rule {
  template <array Out, array Index, operand S>
  static constexpr sentence fault() {
    sentence s;
    if (!output_fits<Out>(s) || !positions_fit<Index>(s, "put_") || !source_fits<Out, S>(s, "put_")) return s;
    return s;
  }
};

}  // namespace detail

// put_(out, index, values, accumulate = false): out's elements at these positions among all its elements in row-major
// order become values' elements, in order; with accumulate, these are added, once for each time a position occurs.
// Negative positions count from the end. The index (i32 or i64) and the values may have any shapes, and as many
// elements; values have out's type, or are one number. Where positions meet, the last value stays. Throws shape_error,
// and index_error for a position out of bounds; nothing is written then (PyTorch's put_). put(x, ...): in a copy.
inline constexpr struct put_in_place_t {
  using rule = detail::put_rule;
  template <array Out, array Index, operand S, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, Index, S>
  decltype(auto) operator()(Out&& out, Index&& i, S&& values, detail::plain_flag accumulate = false) const {
    const auto to = detail::at_least_one_axis(detail::as_node(out));
    constexpr int rank = detail::rank_of<decltype(to)>;
    const auto at = reshape(detail::capture(static_cast<Index&&>(i)), index{-1});
    if constexpr (array<S>) {
      const index n = detail::as_node(values).shape().size();
      if (n != at.shape()[0]) detail::throw_put_counts(at.shape()[0], n);
      write<Native, rank>(to, at, reshape(detail::capture(static_cast<S&&>(values)), index{-1}), accumulate);
    } else
      write<Native, rank>(to, at, static_cast<S&&>(values), accumulate);
    return static_cast<Out&&>(out);
  }
  template <array Out, array Index, operand S, class Error = detail::refusal<rule, Out, Index, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, Index&&, S&&, bool = false) const = delete;

 private:
  template <int Native, int Rank, class Out, class Index, class S>
  static void write(const Out& to, const Index& at, const S& values, bool accumulate) {
    constexpr auto by = [](bool adds) { return adds ? runtime::update::add : runtime::update::overwrite; };
    // Elements one behind the other are an array of one axis, whose positions are the indices.
    if constexpr (requires { requires __is_same(typename Out::layout_type, row_major); }) {
      using T = typename Out::element_type;
      const index size = to.shape().size();
      const auto positions = cast<index>(at);
      using node = std::remove_const_t<decltype(positions)>;
      // Where they lie, but for positions that this writes over.
      const runtime::extent_of_memory written =
          runtime::memory_of(to.data(), to.shape().data(), to.strides().v, Rank, sizeof(T));
      const detail::memory<node, Native> m(positions, runtime::options{}, {true, written});
      const index n = positions.shape().size();
      detail::unravel_positions(m.data(), n, to.shape().data(), Rank, {.negative = true}, "put_", nullptr);
      slice(view<T, dshape<1>, row_major>(to.data(), dshape<1>(size)),
            view<const index, dshape<1>, row_major>(m.data(), dshape<1>(n)))
          .template write<Native>(values, runtime::options{}, by(accumulate));
      return;
    }
    const auto each = detail::unraveled<Rank>(at, to.shape().data(), "put_");
    [&]<int... A>(detail::sequence<A...>) {
      slice(to, each[A]...).template write<Native>(values, runtime::options{}, by(accumulate));
    }(detail::make_sequence<Rank>{});
  }
} put_{};
inline constexpr detail::on_copy<put_in_place_t> put{};

// index_reduce_(out, axis, index, source, amax, include_self = true): as index_add_, with the slices that meet at a
// position combined by prod, mean, amax, amin or sum; with include_self, out's own slice too. mean divides what was
// summed by how many slices came together, and rounds integers down. NaN wins in amax and amin (PyTorch's
// index_reduce_, which has no sum). index_reduce(x, ...): in a copy.
inline constexpr struct index_reduce_in_place_t {
  using rule = detail::index_update_rule<"index_reduce_">;
  template <array Out, detail::integer_like A, array Index, array S, class R, int Native = BROADLOOM_NATIVE>
    requires detail::accepted<rule, Out, A, Index, S> && (detail::meeting_of<R> != detail::meeting::none)
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S&& source, const R&,
                            detail::plain_flag include_self = true) const {
    using combined = detail::combination<detail::meeting_of<R>, detail::value_of<detail::node_of<Out>>>;
    const auto along = static_cast<index>(axis);
    const auto to = detail::as_node(out);
    if (!combined::divides && include_self) {
      detail::update_slices<Native, "index_reduce_", false>(to, along, i, source, combined::what);
      return static_cast<Out&&>(out);
    }
    detail::check_writable(to.layout(), to.shape());
    const auto at = eval(detail::capture(i));
    const auto slices = eval(detail::capture(source));
    combined::in_copy(to, slices, include_self, [&](auto& x, const auto& s, runtime::update by) {
      detail::update_slices<Native, "index_reduce_", false>(x, along, at, s, by);
    });
    return static_cast<Out&&>(out);
  }
  template <array Out, detail::integer_like A, array Index, array S, class R,
            class Error = detail::refusal<rule, Out, A, Index, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, Index&&, S&&, const R&, bool = true) const = delete;
} index_reduce_{};
inline constexpr detail::on_copy<index_reduce_in_place_t> index_reduce{};

}  // namespace broadloom
