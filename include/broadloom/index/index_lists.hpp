// Lists of indices: tril_indices, triu_indices, combinations; and positions among all elements as an index for each
// axis and back: unravel_index, ravel_multi_index. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/index/advanced.hpp>
#include <broadloom/index/choose.hpp>
#include <broadloom/index/select.hpp>

namespace broadloom {

namespace detail {

// How many elements a matrix has in its triangle, and their indices: rows at to, columns at to + count.
BROADLOOM_API index triangle_count(const char* call, index rows, index columns, index shift, bool upper);
BROADLOOM_API void list_triangle(index rows, index columns, index shift, bool upper, index count, index* to);

// How many combinations of `taken` of n things there are; throws shape_error for a negative number or too many.
BROADLOOM_API index combination_count(index n, index taken, bool with_replacement);
BROADLOOM_API void list_combinations(index n, index taken, bool with_replacement, index count, index* to);

// For each of n positions among all elements of an array, its index along each axis, to[axis][k]; how they count:
// negative ones from the end, and with the first axis the fastest one. Throws index_error that names the call where a
// position is out of bounds. `to` may be null: then only this is found out.
struct position_rule {
  bool negative = false, by_columns = false;
};
BROADLOOM_API void unravel_positions(const index* positions, index n, const index* extents, int rank,
                                     position_rule rule, const char* call, index* const* to);
// What is done with an index out of bounds along an axis.
enum class outside : unsigned char { raise, wrap, clip };
// to[k] *= extent, += the k-th index: called for one axis after the other. The first one's indices are `to` itself.
BROADLOOM_API void ravel_axis(const index* at, index n, index extent, int axis, outside how, index* to);

template <bool Upper>
struct triangle_indices {
  auto operator()(index rows, index columns, index shift = 0) const {
    const index n = triangle_count(Upper ? "triu_indices" : "tril_indices", rows, columns, shift, Upper);
    auto r = tensor<index, shape<2, dyn>>::uninitialised(shape<2, dyn>(n));
    list_triangle(rows, columns, shift, Upper, n, r.data());
    return r;
  }
};

}  // namespace detail

// tril_indices(rows, columns, shift = 0), triu_indices: the indices of the elements that tril and triu keep, in
// row-major order: (2, n) of i64, rows before columns. Throw shape_error for negative extents (PyTorch's).
inline constexpr detail::triangle_indices<false> tril_indices{};
inline constexpr detail::triangle_indices<true> triu_indices{};

// combinations(x, r = 2, with_replacement = false): all ways to take r of x's elements, of rank 1, in their order: (n,
// r). A constant r (3_c) is a static extent. Throws shape_error for a negative r and where n cannot be counted
// (PyTorch's combinations, itertools').
inline constexpr struct combinations_t {
  template <array X, detail::integer_like N = boost::hana::integral_constant<index, 2>>
    requires(detail::rank_of<detail::node_of<X>> == 1)
  auto operator()(X&& x, N r = {}, detail::plain_flag with_replacement = false) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    const index n = e.shape()[0], taken = static_cast<index>(r);
    const index count = detail::combination_count(n, taken, with_replacement);
    using own = shape<dyn, detail::extent_of<N>()>;
    const auto s = own::unchecked({{count, taken}});
    detail::check_count("combinations", s);
    auto at = tensor<index, own>::uninitialised(s);
    detail::list_combinations(n, taken, with_replacement, count, at.data());
    return eval(take(e, at));
  }
} combinations{};

// Elements counted with the first axis the fastest (NumPy's order "F").
inline constexpr struct column_major_t {
} column_major{};

// unravel_index(index, shape): positions among all elements of an array of this shape in row-major order (i32 or i64,
// any shape) as indices along each of its axes: an array of index arrays, i64 of the positions' shape. They are
// arguments of slice, and are taken apart: auto [i, j] = unravel_index(...). unravel_index(index, shape, column_major):
// positions in that order. Throws index_error for a negative position and one too large (NumPy's unravel_index). Of one
// number: its indices, numbers of type index.
inline constexpr struct unravel_index_t {
  template <detail::integer Index, shape_type S>
  auto operator()(Index position, const S& s) const {
    return of_one(static_cast<index>(position), s, false);
  }
  template <detail::integer Index, shape_type S>
  auto operator()(Index position, const S& s, column_major_t) const {
    return of_one(static_cast<index>(position), s, true);
  }
  template <class Index, int R>
    requires(detail::integer<std::remove_cvref_t<Index>> || array<Index>)
  auto operator()(Index&& positions, detail::braced_extents<R> s) const {
    return (*this)(static_cast<Index&&>(positions), detail::braced_shape<R>(s));
  }
  template <class Index, int R>
    requires(detail::integer<std::remove_cvref_t<Index>> || array<Index>)
  auto operator()(Index&& positions, detail::braced_extents<R> s, column_major_t order) const {
    return (*this)(static_cast<Index&&>(positions), detail::braced_shape<R>(s), order);
  }
  template <array Index, shape_type S>
  auto operator()(Index&& positions, const S& s) const {
    return of(static_cast<Index&&>(positions), s, false);
  }
  template <array Index, shape_type S>
  auto operator()(Index&& positions, const S& s, column_major_t) const {
    return of(static_cast<Index&&>(positions), s, true);
  }

 private:
  template <class S>
  static auto of_one(index position, const S& s, bool by_columns) {
    constexpr int rank = std::remove_cvref_t<S>::axes_count;
    detail::fixed_array<index, rank> r{};
    detail::fixed_array<index*, rank> to{};
    for (int a = 0; a < rank; ++a) to[a] = &r[a];
    detail::unravel_positions(&position, 1, s.data(), rank, {.by_columns = by_columns}, "unravel_index", to.v);
    return r;
  }
  template <class Index, class S>
  static auto of(Index&& positions, const S& s, bool by_columns) {
    static_assert(detail::are_positions<Index>, "unravel_index: an index is of i32 or i64 [errors.md#index-type]");
    constexpr int rank = std::remove_cvref_t<S>::axes_count;
    const auto e = detail::argument<index>(static_cast<Index&&>(positions));
    using node = std::remove_const_t<decltype(e)>;
    using own = detail::shape_of<node>;
    const detail::memory<node, BROADLOOM_NATIVE> m(e, runtime::options{}, {true, {}});
    const auto form = own::unchecked(m.form().extents);
    detail::fixed_array<detail::deduced_tensor<index, own>, rank> r{};
    detail::fixed_array<index*, rank> to{};
    for (int a = 0; a < rank; ++a) {
      r[a] = detail::deduced_tensor<index, own>::uninitialised(form);
      to[a] = r[a].data();
    }
    detail::unravel_positions(m.data(), form.size(), s.data(), rank, {.by_columns = by_columns}, "unravel_index", to.v);
    return r;
  }
} unravel_index{};

namespace detail {

// What follows the shape: nothing, a mode, column_major, or both in this order.
template <class... O>
inline constexpr bool ravel_options = sizeof...(O) == 0;
template <bounds_mode M>
inline constexpr bool ravel_options<M> = true;
template <>
inline constexpr bool ravel_options<column_major_t> = true;
template <bounds_mode M>
inline constexpr bool ravel_options<M, column_major_t> = true;

template <class Index>
inline constexpr bool is_index = integer<Index>;
template <array Index>
inline constexpr bool is_index<Index> = are_positions<const Index&>;

}  // namespace detail

// ravel_multi_index(indices(i, j, ...), shape, mode::raise): the positions among all elements, in row-major order, of
// the elements at these indices along each axis, which broadcast together: i64. What unravel_index gives may stand for
// indices(...). An index out of bounds, also a negative one, throws index_error; with mode::wrap and mode::clip it is
// brought inside. With column_major as the last argument positions count in that order (NumPy's ravel_multi_index). Of
// numbers, ravel_multi_index({1, 2}, {3, 4}): their position, a number of type index.
inline constexpr struct ravel_multi_index_t {
  template <class... Index, shape_type S, class... O>
    requires detail::ravel_options<O...>
  auto operator()(const detail::index_list<const Index*...>& at, const S& s, O...) const {
    return detail::unpack(at.all, [&](const Index*... i) { return of<O...>(s, *i...); });
  }
  template <class T, int N, shape_type S, class... O>
    requires detail::ravel_options<O...>
  auto operator()(const detail::fixed_array<T, N>& at, const S& s, O...) const {
    return [&]<int... A>(detail::sequence<A...>) { return of<O...>(s, at.v[A]...); }(detail::make_sequence<N>{});
  }
  template <int N, shape_type S, class... O>
    requires detail::ravel_options<O...>
  index operator()(detail::braced_extents<N> at, const S& s, O... o) const {
    detail::fixed_array<index, N> each{};
    for (int k = 0; k < N; ++k) each[k] = at[k];
    return (*this)(each, s, o...);
  }
  template <class At, int R, class... O>
  auto operator()(const At& at, detail::braced_extents<R> s, O... o) const {
    return (*this)(at, detail::braced_shape<R>(s), o...);
  }
  template <int N, int R, class... O>
  index operator()(detail::braced_extents<N> at, detail::braced_extents<R> s, O... o) const {
    return (*this)(at, detail::braced_shape<R>(s), o...);
  }

 private:
  template <class... O, class S, class... Index>
  static auto of(const S& s, const Index&... i) {
    static_assert(sizeof...(Index) == std::remove_cvref_t<S>::axes_count,
                  "parameter multi_index must be a sequence of length of the shape [errors.md#multi-index-length]");
    static_assert((detail::is_index<Index> && ...),
                  "ravel_multi_index: an index is of i32 or i64 [errors.md#index-type]");
    constexpr detail::outside how = (__is_same(O, mode::wrap_t) || ...)   ? detail::outside::wrap
                                    : (__is_same(O, mode::clip_t) || ...) ? detail::outside::clip
                                                                          : detail::outside::raise;
    constexpr int last = int(sizeof...(Index)) - 1;
    constexpr bool by_columns = (__is_same(O, column_major_t) || ...);
    detail::check_count("ravel_multi_index", s);
    if constexpr ((detail::integer<Index> && ...)) {
      const index each[] = {static_cast<index>(i)...};
      index r = 0;
      for (int k = 0; k <= last; ++k) {
        const int axis = by_columns ? last - k : k;
        if (k == 0) r = each[axis];
        detail::ravel_axis(k == 0 ? &r : &each[axis], 1, s[axis], axis, how, &r);
      }
      return r;
    } else {
      const auto form = broadcast(detail::argument<index>(i).shape()...);
      using own = std::remove_cvref_t<decltype(form)>;
      auto r = detail::deduced_tensor<index, own>::uninitialised(form);
      constexpr int first = by_columns ? last : 0;
      int axis = 0;
      const auto expanded = [&](const auto& x) {  // the first axis' into the result
        if (axis++ == first) {
          assign(r, x);
          return dtensor<index, own::axes_count>();
        }
        auto each = dtensor<index, own::axes_count>::uninitialised(form);
        assign(each, x);
        return each;
      };
      const detail::fixed_array<dtensor<index, own::axes_count>, sizeof...(Index)> each{{expanded(i)...}};
      for (int k = 0; k <= last; ++k) {
        const int at = by_columns ? last - k : k;
        detail::ravel_axis(k == 0 ? r.data() : each[at].data(), r.size(), s[at], at, how, r.data());
      }
      return r;
    }
  }
} ravel_multi_index{};

}  // namespace broadloom
