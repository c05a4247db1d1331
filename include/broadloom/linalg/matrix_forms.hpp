// Matrices of other arrays: transposes mT and adjoint, block_diag, vander; and logdet.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/linalg/solve.hpp>
#include <broadloom/reduce/scans.hpp>
#include <broadloom/tensor/factories.hpp>

namespace broadloom {

namespace detail {

struct logdet_f : lapack_function {
  using signature = core<"(n,n)->()">;
  static constexpr const char* name() { return "logdet"; }
  static void run(const runtime::stack_call& c) {
    runtime::run_stacked(runtime::stack_function::logarithm_of_determinant, c);
  }
};

template <class X>
inline constexpr bool is_stack_of_matrices = rank_of<node_of<X>> >= 2;

}  // namespace detail

// mT(x), matrix_transpose(x): x with its last two axes swapped, a view (torch's x.mT, the array API's
// matrix_transpose). adjoint(x), mH(x): the same, conjugated (torch.adjoint).
inline constexpr struct mT_t {
  template <array X>
  constexpr auto operator()(X&& x) const {
    static_assert(detail::is_stack_of_matrices<X>, "mT: an array of at least two axes [errors.md#too-few-axes-here]");
    return transpose(static_cast<X&&>(x), boost::hana::integral_constant<index, -1>{},
                     boost::hana::integral_constant<index, -2>{});
  }
} mT{};
inline constexpr mT_t matrix_transpose{};
inline constexpr struct adjoint_t {
  template <array X>
  constexpr auto operator()(X&& x) const {
    static_assert(detail::is_stack_of_matrices<X>,
                  "adjoint: an array of at least two axes [errors.md#too-few-axes-here]");
    return detail::matrix_adjoint(detail::capture(static_cast<X&&>(x)));
  }
} adjoint{};
inline constexpr adjoint_t mH{};

// logdet(a): the logarithm of the determinant: (..., n, n) gives (...); NaN where that is negative, -inf of a singular
// matrix; complex for complex elements (torch.logdet).
inline constexpr detail::stacked_function<detail::logdet_f> logdet{};

namespace detail {

// A block's extents: a vector is a row, a number is 1 x 1.
template <class E>
constexpr indices<2> block_extents(const E& s) {
  if constexpr (E::axes_count == 0)
    return {{1, 1}};
  else if constexpr (E::axes_count == 1)
    return {{1, s[0]}};
  else
    return {{s[0], s[1]}};
}
template <class S>
constexpr indices<2> known_block_extents() {
  const auto& x = S::static_extents;
  if constexpr (S::axes_count == 0)
    return {{1, 1}};
  else if constexpr (S::axes_count == 1)
    return {{1, x[0]}};
  else
    return {{x[0], x[1]}};
}
constexpr index sum_of_known(index a, index b) { return is_dyn(a) || is_dyn(b) ? dyn : a + b; }

// Extents with one more behind.
template <int R>
constexpr indices<R + 1> with_last(const indices<R>& x, index n) {
  indices<R + 1> r{};
  for (int a = 0; a < R; ++a) r[a] = x[a];
  r[R] = n;
  return r;
}

// An axis as it is, or backwards.
struct direction_edit {
  static constexpr int added = 0;
  static constexpr int axes(int k, int rank) { return k == 0 ? rank : -1; }
  template <int R>
  static constexpr bool known(const indices<R>& x, indices<R>& to, index, index) {
    to = x;
    return true;
  }
  template <int R>
  static constexpr auto apply(geometry<R> g, index axis, index backwards) {
    return backwards != 0 ? flip_edit::apply<R>(g, axis) : g;
  }
};

}  // namespace detail

// block_diag(a, b, ...): a matrix with these on its diagonal, one after the other, and zeros elsewhere. Arrays have two
// axes at most; a vector is a row, an array without axes 1 x 1. Elements are promoted (torch.block_diag, SciPy's).
// Computed at once.
inline constexpr struct block_diag_t {
  template <array... X>
    requires(sizeof...(X) > 0)
  auto operator()(X&&... x) const {
    static_assert(((detail::rank_of<detail::node_of<X>> <= 2) && ...),
                  "block_diag(): input tensors must have 2 or fewer dimensions [errors.md#other-rank]");
    using T = promoted<X...>;
    constexpr auto known = [] {
      detail::indices<2> r{};
      for (const auto& block : {detail::known_block_extents<detail::shape_of<detail::node_of<X>>>()...})
        for (int i = 0; i < 2; ++i) r[i] = detail::sum_of_known(r[i], block[i]);
      return r;
    }();
    using own = detail::shape_from<known>;
    detail::indices<2> extents{};
    for (const auto& block : {detail::block_extents(detail::as_node(x).shape())...})
      for (int i = 0; i < 2; ++i) extents[i] = detail::checked_add("block_diag", extents[i], block[i]);
    const auto s = own::unchecked(extents);
    detail::check_count("block_diag", s);
    detail::deduced_tensor<T, own> r(s);
    index row = 0, column = 0;
    const auto put = [&](const auto& e) {
      const auto block = detail::block_extents(e.shape());
      const view<T, dshape<2>> target(r.data() + row * extents[1] + column, dshape<2>::unchecked(block),
                                      dyn_strides<2>{{{extents[1], 1}}});
      assign(target, e);
      row += block[0];
      column += block[1];
    };
    (put(detail::capture(static_cast<X&&>(x))), ...);
    return r;
  }
} block_diag{};

// vander(x, n, increasing = false): the powers of x's elements as a last axis: x^(n - 1), ..., x, 1, or with increasing
// 1, x, ...; as many as x's last axis has elements unless n, perhaps a constant, is given: (..., m) gives (..., m, n).
// Integers give i64. Throws shape_error for a negative n (torch.vander; of rank 1 numpy.vander). Lazy.
inline constexpr struct vander_t {
  template <array X, detail::integer_like N>
  constexpr auto operator()(X&& x, N n, detail::plain_flag increasing = false) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    constexpr int rank = detail::rank_of<decltype(e)>;
    static_assert(rank > 0, "vander: an array of at least one axis [errors.md#too-few-axes-here]");
    using node = std::remove_const_t<decltype(e)>;
    using T = detail::value_of<node>;
    using result =
        detail::shape_from<detail::with_last(detail::shape_of<node>::static_extents, detail::extent_of<N>())>;
    const index count = static_cast<index>(n);
    const auto form = result::unchecked(detail::with_last(e.shape().extents(), count));
    if (count < 0) detail::throw_negative_extent(form.data(), rank + 1);
    const auto base = expand(unsqueeze(e, detail::integer_constant<-1>{}), form);
    const auto powers =
        cumprod(where(eq(arange<index>(count), index{0}), static_cast<T>(1), base), detail::integer_constant<-1>{});
    return detail::edit_axes<detail::direction_edit>(powers, detail::integer_constant<-1>{}, index{!increasing});
  }
  template <array X>
  constexpr auto operator()(X&& x) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    return (*this)(e, e.shape()[detail::rank_of<decltype(e)> - 1]);
  }
} vander{};

}  // namespace broadloom
