// Grids and turns, as views: rot90, indices, mgrid, ogrid, meshgrid, cartesian_prod.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/broadcast_tensors.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/index/operand.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_equal_axes(index first, index second) {
  throw_error(error_kind::equal_axes, {first, second});
}

struct turn_edit {
  static constexpr int added = 0;
  static constexpr int axes(int k, int rank) { return k == 0 ? -1 : rank; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R>& to, index k, index first, index second) {
    const int a = normal_axis(first, R), b = normal_axis(second, R);
    if (a == b) return false;
    to = x;
    if (k == known_later && x[a] != x[b]) to[a] = to[b] = dyn;
    if (k != known_later && k % 2 != 0) {
      to[a] = x[b];
      to[b] = x[a];
    }
    return true;
  }
  template <int R>
  static constexpr auto apply(geometry<R> g, index k, index first, index second) {
    if (normal_axis(first, R, "rot90") == normal_axis(second, R, "rot90")) throw_equal_axes(first, second);
    const index turns = modulo(k, 4);
    if (turns == 1 || turns == 2) g = flip_edit::apply<R>(g, second);
    if (turns == 3 || turns == 2) g = flip_edit::apply<R>(g, first);
    return turns % 2 != 0 ? swap_edit::apply<R>(g, first, second) : g;
  }
};

// An array of rank 1 as one of more axes, of which it has the extent of one.
template <int Rank, int Axis>
struct along_op {
  static constexpr bool is_static = true;
  static constexpr int rank(int) { return Rank; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    indices<Rank> r{};
    for (int a = 0; a < Rank; ++a) r[a] = a == Axis ? x[0] : 1;
    return r;
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    geometry<Rank> r{known(g.extents), {}, g.offset};
    r.strides[Axis] = g.strides[0];
    return r;
  }
};

// The indices of an axis of S, with extent 1 along the others.
template <int Axis, class S>
constexpr auto open_indices(const S& s) {
  return transform(along_op<S::axes_count, Axis>{},
                   ramp<index>(shape<S::static_extents[Axis]>::unchecked({{s[Axis]}})));
}

// All tuples of one element of each of `count` contiguous lists, whose elements have `size` bytes, one behind the
// other.
BROADLOOM_API void write_tuples(const void* const* lists, const index* extents, index count, int size, void* to);

}  // namespace detail

// rot90(x, k = 1, first = 0, second = 1): turned k times by 90 degrees from the first axis towards the second; a view
// (PyTorch's rot90). Whether k is odd decides extents: a constant (1_c) keeps static ones. Throws shape_error for equal
// axes.
inline constexpr struct rot90_t {
  template <array X, detail::integer_like N = boost::hana::integral_constant<index, 1>,
            detail::integer_like A = boost::hana::integral_constant<index, 0>,
            detail::integer_like B = boost::hana::integral_constant<index, 1>>
  constexpr auto operator()(X&& x, N k = {}, A first = {}, B second = {}) const {
    return detail::edit_axes<detail::turn_edit>(detail::as_node(static_cast<X&&>(x)), k, first, second);
  }
} rot90{};

// indices<Axis>(shape): of each element of an array of this shape, its index along an axis, which may count from the
// end. It has the shape, static extents included, and no memory (expr/ramp.hpp).
template <int Axis, shape_type S>
constexpr auto indices(const S& s) {
  constexpr int axis = Axis < 0 ? Axis + S::axes_count : Axis;
  constexpr bool has_axis = axis >= 0 && axis < S::axes_count;
  static_assert(has_axis, "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
  if constexpr (has_axis) return expand(detail::open_indices<axis>(s), s);
}

// mgrid(shape): indices<0>, indices<1>, ... of the shape together, to be taken apart: auto [i, j] = mgrid(x.shape()).
// ogrid(shape): the same with extent 1 along all other axes, which broadcast (NumPy's mgrid and ogrid of 0:n, 0:m).
template <bool Open>
struct index_grid_t {
  template <shape_type S>
    requires(S::axes_count > 0)
  constexpr auto operator()(const S& s) const {
    return of(detail::make_sequence<S::axes_count>{}, s);
  }

 private:
  template <int... A, class S>
  static constexpr auto of(detail::sequence<A...>, const S& s) {
    const auto one = [&]<int Axis>(detail::sequence<Axis>) {
      if constexpr (Open)
        return detail::open_indices<Axis>(s);
      else
        return broadloom::indices<Axis>(s);
    };
    return [](auto... grid) {
      return views_together<decltype(grid)...>{boost::hana::basic_tuple<decltype(grid)...>(grid...)};
    }(one(detail::sequence<A>{})...);
  }
};
inline constexpr index_grid_t<false> mgrid{};
inline constexpr index_grid_t<true> ogrid{};

// Which axis of a grid each array runs along: its own (ij, of matrices), or, for the first two, the other's (xy, of
// pictures).
namespace indexing {
inline constexpr struct ij_t {
} ij{};
inline constexpr struct xy_t {
} xy{};
}  // namespace indexing

// meshgrid(a, b, ...): arrays of rank 1 as views that all have the shape of their extents, to be taken apart: auto [x,
// y] = meshgrid(a, b). meshgrid(indexing::xy, a, b, ...): the first two axes in the other order (PyTorch's meshgrid
// with indexing "ij" and "xy"; NumPy's default is xy).
inline constexpr struct meshgrid_t : detail::refuses_other_arguments<meshgrid_t> {
  static constexpr detail::text call{"meshgrid(x, y)"};
  using detail::refuses_other_arguments<meshgrid_t>::operator();
  template <array... X>
    requires(sizeof...(X) > 0 && ((detail::rank_of<detail::node_of<X>> == 1) && ...))
  constexpr auto operator()(X&&... x) const {
    return of<false>(detail::make_sequence<sizeof...(X)>{}, detail::capture(static_cast<X&&>(x))...);
  }
  template <class Indexing, array... X>
    requires(__is_same(Indexing, indexing::ij_t) || __is_same(Indexing, indexing::xy_t)) &&
            (sizeof...(X) > 0 && ((detail::rank_of<detail::node_of<X>> == 1) && ...))
  constexpr auto operator()(Indexing, X&&... x) const {
    return of<__is_same(Indexing, indexing::xy_t)>(detail::make_sequence<sizeof...(X)>{},
                                                   detail::capture(static_cast<X&&>(x))...);
  }

 private:
  // The axis that the array of number `a` among n runs along.
  static constexpr int axis_of(bool crossed, int a, int n) { return crossed && n > 1 && a < 2 ? 1 - a : a; }

  template <bool Crossed, class... N, int... A>
  static constexpr auto grid_extents(detail::sequence<A...>) {
    detail::indices<sizeof...(N)> r{};
    ((r[axis_of(Crossed, A, sizeof...(N))] = detail::shape_of<N>::static_extents[0]), ...);
    return r;
  }
  template <bool Crossed, int... A, class... N>
  static constexpr auto of(detail::sequence<A...>, const N&... nodes) {
    constexpr int rank = sizeof...(N);
    detail::indices<rank> extents{};
    ((extents[axis_of(Crossed, A, rank)] = nodes.shape()[0]), ...);
    constexpr auto known = grid_extents<Crossed, N...>(detail::sequence<A...>{});
    const auto shape = detail::shape_from<known>::unchecked(extents);
    const auto one = [&]<int Axis>(detail::sequence<Axis>, const auto& node) {
      return expand(detail::transform(detail::along_op<rank, Axis>{}, node), shape);
    };
    return [](auto... grid) {
      return views_together<decltype(grid)...>{boost::hana::basic_tuple<decltype(grid)...>(grid...)};
    }(one(detail::sequence<axis_of(Crossed, A, rank)>{}, nodes)...);
  }
} meshgrid{};

// cartesian_prod(a, b, ...): all tuples of the elements of arrays of rank 1, one a row (PyTorch's cartesian_prod).
// cartesian_prod(list): of the arrays in a std::vector or the like.
inline constexpr struct cartesian_prod_t : detail::refuses_other_arguments<cartesian_prod_t> {
  static constexpr detail::text call{"cartesian_prod(x, y)"};
  using detail::refuses_other_arguments<cartesian_prod_t>::operator();
  template <array... X>
    requires(sizeof...(X) > 1 && ((detail::rank_of<detail::node_of<X>> == 1) && ...))
  auto operator()(X&&... x) const {
    using T = promoted<X...>;
    return of<T, BROADLOOM_NATIVE>(detail::argument<T>(static_cast<X&&>(x))...);
  }
  template <class C>
    requires(!array<C> && detail::contiguous_container<C> && array<decltype(*std::declval<const C&>().data())>)
  auto operator()(const C& arrays) const {
    using node = detail::node_of<decltype(*arrays.data())>;
    using T = detail::value_of<node>;
    static_assert(detail::rank_of<node> == 1, "cartesian_prod takes arrays of one axis [errors.md#too-few-axes]");
    const auto count = static_cast<index>(arrays.size());
    index total = 1;
    for (index k = 0; k < count; ++k)
      total = detail::checked_mul("cartesian_prod", total, detail::capture(arrays.data()[k]).shape()[0]);
    const dshape<2> shape(count == 0 ? 0 : total, count);
    detail::check_count("cartesian_prod", shape);
    auto r = dtensor<T, 2>::uninitialised(shape);
    index run = shape[0];  // rows that have the same elements of all before
    for (index k = 0; k < count && shape[0] > 0; ++k) {
      const dtensor<T, 1> x(arrays.data()[k]);
      run /= x.size();
      T* to = r.data() + k;
      for (index i = 0; i < shape[0];)
        for (index own = 0; own < x.size(); ++own)
          for (const index stop = i + run; i < stop; ++i, to += count) *to = x.data()[own];
    }
    return r;
  }

 private:
  template <class T, int Native, class... N>
  static auto of(const N&... nodes) {
    constexpr int count = sizeof...(N);
    const auto shape = boost::hana::at_c<0>(meshgrid(nodes...)).shape();
    detail::check_count("cartesian_prod", shape);
    using grid_shape = std::remove_const_t<decltype(shape)>;
    constexpr index known = [] {
      if constexpr (grid_shape::is_static)
        return grid_shape{}.size();
      else
        return dyn;
    }();
    using result = broadloom::shape<known, count>;
    auto r = detail::deduced_tensor<T, result>::uninitialised(result::unchecked({{shape.size(), count}}));
    detail::memories<Native, N...>(runtime::options{}, {true, {}}, nodes...).visit([&](const auto&... own) {
      const void* const lists[] = {own.data()...};
      detail::write_tuples(lists, shape.extents().v, count, sizeof(T), r.data());
    });
    return r;
  }
} cartesian_prod{};

}  // namespace broadloom
