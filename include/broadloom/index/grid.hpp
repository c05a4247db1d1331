// Grids and turns, as views: rot90, meshgrid, cartesian_prod.
#pragma once

#include <broadloom/expr/views.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/index/operand.hpp>

namespace broadloom {

// rot90(x, k = 1, first = 0, second = 1): turned k times by 90 degrees from the first axis towards the second; a view
// (PyTorch's rot90). k is a constant when it is odd or even decides static extents; here the result's extents are
// dynamic.
inline constexpr struct rot90_t {
  template <array X>
  auto operator()(X&& x, index k = 1, index first = 0, index second = 1) const {
    decltype(auto) e = detail::as_node(static_cast<X&&>(x));
    return detail::transform(
        turn_op<detail::rank_of<decltype(e)>>{k, detail::normal_axis(first, detail::rank_of<decltype(e)>),
                                              detail::normal_axis(second, detail::rank_of<decltype(e)>)},
        e);
  }

 private:
  template <int Rank>
  struct turn_op {
    index k;
    int first, second;
    static constexpr bool is_static = false;
    static constexpr int rank(int in) { return in; }
    template <int R>
    static constexpr auto known(const detail::indices<R>&) {
      return detail::all_dyn<R>();
    }
    template <int R>
    constexpr auto operator()(detail::geometry<R> g) const {
      const index turns = (k % 4 + 4) % 4;
      const auto reverse = [&](int a) { g = detail::flip_edit::apply<R>(g, a); };
      if (turns == 2) {
        reverse(first);
        reverse(second);
      } else if (turns != 0) {
        if (turns == 1) reverse(second);
        if (turns == 3) reverse(first);
        g = detail::swap_edit::apply<R>(g, first, second);
      }
      return g;
    }
  };
} rot90{};

// Which axis of a grid each array runs along: its own (ij, of matrices), or, for the first two, the other's (xy, of
// pictures).
namespace indexing {
inline constexpr struct ij_t {
} ij{};
inline constexpr struct xy_t {
} xy{};
}  // namespace indexing

// meshgrid(a, b, ...): arrays of rank 1 as a tuple of views that all have the shape of their extents;
// hana::at_c<0>(...) is the first. meshgrid(indexing::xy, a, b, ...): the first two axes in the other order (PyTorch's
// meshgrid with indexing "ij" and "xy"; NumPy's default is xy).
inline constexpr struct meshgrid_t {
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

  template <bool Crossed, int... A, class... N>
  static constexpr auto of(detail::sequence<A...>, const N&... nodes) {
    constexpr int rank = sizeof...(N);
    detail::indices<rank> extents{};
    ((extents[axis_of(Crossed, A, rank)] = nodes.shape()[0]), ...);
    const auto shape = dshape<rank>::unchecked(extents);
    const auto one = [&]<int Axis>(detail::sequence<Axis>, const auto& node) {
      detail::indices<rank> x{};
      for (int a = 0; a < rank; ++a) x[a] = a == Axis ? node.shape()[0] : 1;
      return expand(detail::transform(along_op<rank, Axis>{}, node), shape);
    };
    return boost::hana::make_basic_tuple(one(detail::sequence<axis_of(Crossed, A, rank)>{}, nodes)...);
  }
  template <int Rank, int Axis>
  struct along_op {
    static constexpr bool is_static = true;
    static constexpr int rank(int) { return Rank; }
    template <int R>
    static constexpr auto known(const detail::indices<R>& x) {
      detail::indices<Rank> r{};
      for (int a = 0; a < Rank; ++a) r[a] = a == Axis ? x[0] : 1;
      return r;
    }
    template <int R>
    constexpr auto operator()(const detail::geometry<R>& g) const {
      detail::geometry<Rank> r{known(g.extents), {}, g.offset};
      r.strides[Axis] = g.strides[0];
      return r;
    }
  };
} meshgrid{};

// cartesian_prod(a, b, ...): all tuples of the elements of arrays of rank 1, one a row (PyTorch's cartesian_prod).
inline constexpr struct cartesian_prod_t {
  template <array... X>
    requires(sizeof...(X) > 1 && ((detail::rank_of<detail::node_of<X>> == 1) && ...))
  auto operator()(X&&... x) const {
    using T = promoted<X...>;
    constexpr int count = sizeof...(X);
    const auto grids = meshgrid(static_cast<X&&>(x)...);
    const auto shape = boost::hana::at_c<0>(grids).shape();
    auto r = dtensor<T, 2>::uninitialised(dshape<2>(shape.size(), count));
    auto strides = detail::row_major_strides(shape.extents());
    for (index& s : strides) s *= count;
    [&]<int... K>(detail::sequence<K...>) {
      (assign(view<T, dshape<count>>(r.data() + K, dshape<count>(shape), dyn_strides<count>{strides}),
              boost::hana::at_c<K>(grids)),
       ...);
    }(detail::make_sequence<count>{});
    return r;
  }
} cartesian_prod{};

}  // namespace broadloom
