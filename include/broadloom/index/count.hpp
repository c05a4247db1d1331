// Counting and searching: unique, searchsorted, bucketize, bincount, histc; and running extremes: cummax, cummin. They
// evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/index/sort.hpp>

namespace broadloom {

// What unique gives: sorted values, for each element of the input the place of its value, and how often each value
// occurs.
template <class Values, class Inverse>
struct unique_result {
  Values values;
  Inverse inverse;
  dtensor<index, detail::rank_for<1, Values>> counts;
};

namespace detail {

// Returns how many values differ: fills values, which ascend, inverse and counts with n places.
BROADLOOM_API index find_unique(const void* x, dtype type, index n, void* values, index* inverse, index* counts);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_negative_count(index x) {
  throw_error(error_kind::negative_count, {x});
}
BROADLOOM_API void count_positions(const index* x, index n, const void* weights, dtype type, void* to, index bins);
BROADLOOM_API index largest_position(const index* x, index n);
// The edges of so many parts of equal width of [low, high].
BROADLOOM_API void fill_edges(double* to, index count, double low, double high);
BROADLOOM_API void fill_bins(const void* x, dtype type, index n, void* to, index bins, double low, double high);
BROADLOOM_API void running_min_max(const lines_of& x, bool largest, void* values, index* indices);
// The values' extents; those before the last one are the edges' too where these have as many axes.
template <class Edges, class Values>
constexpr auto searched_extents() {
  auto r = Values::static_extents;
  if constexpr (Edges::axes_count == Values::axes_count)
    for (int a = 0; a < Values::axes_count - 1; ++a)
      if (is_dyn(r[a])) r[a] = Edges::static_extents[a];
  return r;
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_search_shapes(const shape_view& edges,
                                                                       const shape_view& values) {
  throw_error(error_kind::search_shapes, {&edges, &values});
}
// A sorter, where there is one, puts the edges in order; throws index_error for an entry that is no index of its row.
BROADLOOM_API void search_lines(const void* edges, const index* sorter, index edge_count, bool one_row,
                                const void* values, index rows, index columns, dtype type, bool right, index* to);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_sorter_shape(const shape_view& edges,
                                                                      const shape_view& sorter) {
  throw_error(error_kind::sorter_shape, {&edges, &sorter});
}

}  // namespace detail
namespace errors_md {
// unique(x, axis), which <broadloom/sets.hpp> defines.
template <class X, class A>
struct unique_along_an_axis_is_in_sets_hpp;
}  // namespace errors_md

// unique(x): {values, inverse, counts} of all elements; values ascend, values[inverse] is x (PyTorch's unique). Each
// NaN is a value of its own. unique(x, axis), with <broadloom/sets.hpp>: of the slices along the axis, ordered by their
// first elements that differ; inverse has one axis. Throws shape_error for slices without elements.
inline constexpr struct unique_t : detail::refuses_other_arguments<unique_t> {
  static constexpr detail::text call{"unique(x)"};
  using refuses_other_arguments::operator();
  template <array X, detail::integer_like A>
  auto operator()(X&& x, A axis) const {
    return errors_md::unique_along_an_axis_is_in_sets_hpp<X, A>::of(detail::capture(static_cast<X&&>(x)), axis);
  }
  template <array X, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x) const {
    using element_type = detail::value_of<detail::node_of<X>>;
    const auto e = detail::ordered(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    using T = detail::value_of<node>;
    using own = detail::shape_of<node>;
    static_assert(detail::has_order<node>, "complex numbers have no order [errors.md#complex-order]");
    const detail::memory<node, Native> m(e, runtime::options{}, {true, {}});
    const index n = e.shape().size();
    dtensor<index, detail::rank_for<1, X>> counts(n);
    dtensor<T, 1> values(n);
    auto place_of = detail::deduced_tensor<index, own>::uninitialised(own::unchecked(m.form().extents));
    const index count =
        detail::find_unique(m.data(), detail::compiled_dtype<T>(), n, values.data(), place_of.data(), counts.data());
    const auto first = [&]<class E>(const dtensor<E, 1>& whole) {
      auto r = dtensor<E, 1>::uninitialised(dshape<1>(count));
      if (count > 0)
        runtime::copy_elements(static_cast<void*>(r.data()), whole.data(), static_cast<std::size_t>(count) * sizeof(E));
      return r;
    };
    return unique_result<dtensor<element_type, 1>, tensor<index, own>>{
        detail::with_values_of<element_type>(first(values)), static_cast<tensor<index, own>&&>(place_of),
        first(counts)};
  }
} unique{};

// searchsorted(edges, values, right = false): for each value the place where it would be put into ascending edges,
// before equal ones or, with right, after them. edges have one axis, or all axes of values but for the last one's
// extent. searchsorted(edges, values, sorter, right = false): edges in any order and the indices (argsort's) that sort
// them, of their shape; throws index_error for one out of bounds (PyTorch's searchsorted, NumPy's sorter). i64.
inline constexpr struct searchsorted_t : detail::refuses_other_arguments<searchsorted_t> {
  static constexpr detail::text call{"searchsorted(sorted, x)"};
  using refuses_other_arguments::operator();
  template <array E, array V, int Native = BROADLOOM_NATIVE>
  auto operator()(E&& edges, V&& values, detail::right_flag right = false) const {
    return search<Native>(static_cast<E&&>(edges), static_cast<V&&>(values), nullptr, right);
  }
  template <array E, array V, array S, int Native = BROADLOOM_NATIVE>
    requires detail::are_positions<S>
  auto operator()(E&& edges, V&& values, S&& sorter, detail::right_flag right = false) const {
    constexpr int rank = detail::rank_of<detail::node_of<S>>;
    static_assert(rank == detail::rank_of<detail::node_of<E>>,
                  "boundaries and sorter have the same shape [errors.md#sorter-and-edges]");
    const dtensor<index, rank> order(cast<index>(static_cast<S&&>(sorter)));
    const auto e = detail::as_node(edges);
    for (int a = 0; a < rank; ++a)
      if (order.shape()[a] != e.shape()[a])
        detail::throw_sorter_shape({e.shape().data(), rank}, {order.shape().data(), rank});
    return search<Native>(static_cast<E&&>(edges), static_cast<V&&>(values), order.data(), right);
  }

 private:
  template <int Native, class E, class V>
  static auto search(E&& edges, V&& values, const index* sorter, bool right) {
    using T = detail::arithmetic_type<promoted<E, V>>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order [errors.md#complex-order]");
    const auto b = detail::argument<T>(static_cast<E&&>(edges));
    const auto v = detail::argument<T>(static_cast<V&&>(values));
    using edge_node = std::remove_const_t<decltype(b)>;
    using value_node = std::remove_const_t<decltype(v)>;
    constexpr int rank = detail::rank_of<value_node>, edge_rank = detail::rank_of<edge_node>;
    static_assert(edge_rank == 1 || edge_rank == rank,
                  "boundaries have one axis, or as many as the values [errors.md#sorter-and-edges]");
    const detail::memory<edge_node, Native> em(b, runtime::options{}, {true, {}});
    const detail::memory<value_node, Native> vm(v, runtime::options{}, {true, {}});
    using result =
        detail::shape_from<detail::searched_extents<detail::shape_of<edge_node>, detail::shape_of<value_node>>()>;
    auto r = detail::deduced_tensor<index, result>::uninitialised(result::unchecked(vm.form().extents));
    const index n = em.form().extents[edge_rank - 1],
                columns = rank == 0 ? 1 : vm.form().extents[rank == 0 ? 0 : rank - 1];
    constexpr bool one_row = edge_rank == 1;
    if constexpr (!one_row)
      for (int a = 0; a < rank - 1; ++a)
        if (em.form().extents[a] != vm.form().extents[a])
          detail::throw_search_shapes({em.form().extents.v, edge_rank}, {vm.form().extents.v, rank});
    if (r.size() > 0)
      detail::search_lines(em.data(), sorter, n, one_row, vm.data(), r.size() / columns, columns,
                           detail::compiled_dtype<T>(), right, r.data());
    return r;
  }
} searchsorted{};

// bucketize(values, edges, right = false) = searchsorted(edges, values, right) with edges of one axis (PyTorch's
// bucketize).
inline constexpr struct bucketize_t {
  template <array V, array E>
    requires(detail::rank_of<detail::node_of<E>> == 1)
  auto operator()(V&& values, E&& edges, detail::right_flag right = false) const {
    return searchsorted(static_cast<E&&>(edges), static_cast<V&&>(values), right);
  }
} bucketize{};

// bincount(x, minlength = 0): how often each number 0, 1, ... occurs in an array of rank 1 of integers; bincount(x,
// weights, minlength = 0): the sum of their weights, as f64 unless these are f32. Throws shape_error for a negative
// number or minlength, and for bins that cannot be counted (NumPy's and PyTorch's bincount).
inline constexpr struct bincount_t : detail::refuses_other_arguments<bincount_t> {
  static constexpr detail::text call{"bincount(cast<int>(x), minlength)"};
  using detail::refuses_other_arguments<bincount_t>::operator();
  template <array X, int Native = BROADLOOM_NATIVE>
    requires(is_integer(dtype_of<detail::value_of<detail::node_of<X>>>) && detail::rank_of<detail::node_of<X>> == 1)
  auto operator()(X&& x, index minlength = 0) const {
    const auto e = detail::argument<index>(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    const detail::memory<node, Native> p(e, runtime::options{}, {true, {}});
    const index bins = bin_count(p, minlength);
    dtensor<index, detail::rank_for<1, X>> r(bins);
    detail::count_positions(p.data(), p.form().extents[0], nullptr, dtype::i64, r.data(), bins);
    return r;
  }
  template <array X, array W, int Native = BROADLOOM_NATIVE>
    requires(is_integer(dtype_of<detail::value_of<detail::node_of<X>>>) && detail::rank_of<detail::node_of<X>> == 1 &&
             detail::rank_of<detail::node_of<W>> == 1)
  auto operator()(X&& x, W&& weights, index minlength = 0) const {
    using T = std::conditional_t<__is_same(detail::value_of<detail::node_of<W>>, float), float, double>;
    const auto e = detail::argument<index>(static_cast<X&&>(x));
    const auto f = detail::argument<T>(static_cast<W&&>(weights));
    if (f.shape()[0] != e.shape()[0])
      detail::refuse("weights should have the same length as input", "bincount", e.shape(), f.shape());
    using position_node = std::remove_const_t<decltype(e)>;
    using weight_node = std::remove_const_t<decltype(f)>;
    const detail::memory<position_node, Native> p(e, runtime::options{}, {true, {}});
    const detail::memory<weight_node, Native> w(f, runtime::options{}, {true, {}});
    const index bins = bin_count(p, minlength);
    dtensor<T, 1> r(bins);
    detail::count_positions(p.data(), p.form().extents[0], w.data(), detail::compiled_dtype<T>(), r.data(), bins);
    return r;
  }

 private:
  template <class List>
  static index bin_count(const List& p, index minlength) {
    const dshape<1> shape(p.form().extents[0]);
    if (minlength < 0) detail::refuse("minlength should be >= 0", "bincount", shape);
    const index n = detail::checked_add("bincount", detail::largest_position(p.data(), shape[0]), 1);
    return n > minlength ? n : minlength;
  }
} bincount{};

// histc(x, bins = 100, low = 0, high = 0): how many elements fall in each of `bins` equal parts of [low, high], whose
// last one has its upper end; where both are equal, of [smallest, largest]. Of floating elements, in their type
// (PyTorch's histc).
inline constexpr struct histc_t {
  template <array X, detail::integer_like N = boost::hana::integral_constant<index, 100>, int Native = BROADLOOM_NATIVE>
    requires(is_floating(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x, N count = {}, double low = 0, double high = 0) const {
    using own = detail::value_of<detail::node_of<X>>;
    const auto e = detail::ordered(static_cast<X&&>(x));
    const index bins = static_cast<index>(count);
    using node = std::remove_const_t<decltype(e)>;
    using T = detail::value_of<node>;
    if (bins <= 0) detail::refuse("bins must be > 0", "histc", e.shape());
    if (low > high) detail::refuse("max must be larger than min", "histc", e.shape());
    const detail::memory<node, Native> m(e, runtime::options{}, {true, {}});
    using result = shape<detail::extent_of<N>()>;
    detail::deduced_tensor<T, result> r(result::unchecked({{bins}}));
    detail::fill_bins(m.data(), detail::compiled_dtype<T>(), e.shape().size(), r.data(), bins, low, high);
    return detail::with_values_of<own>(static_cast<decltype(r)&&>(r));
  }
} histc{};

namespace detail {

template <bool Largest>
struct running_min_max_function {
  template <array X, integer_like A, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, A axis) const {
    const auto e = ordered(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    using s = shape_of<node>;
    return with_values_of<value_of<node_of<X>>>(
        with_lines<Native>(Largest ? "cummax" : "cummin", e, axis, runtime::options{}, [&](const lines_of& lines, int) {
          const auto shape = e.shape();
          values_and_indices<deduced_tensor<value_of<node>, s>, deduced_tensor<index, s>> r{
              tensor<value_of<node>, s>::uninitialised(shape), tensor<index, s>::uninitialised(shape)};
          running_min_max(lines, Largest, r.values.data(), r.indices.data());
          return r;
        }));
  }
};

}  // namespace detail

// cummax(x, axis), cummin(x, axis): the largest or smallest so far along the axis, {values, indices}; of equal ones the
// last, and NaN stays once it is met (PyTorch's).
inline constexpr detail::running_min_max_function<true> cummax{};
inline constexpr detail::running_min_max_function<false> cummin{};

}  // namespace broadloom
