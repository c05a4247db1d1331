// Parts of matrices: triu, tril, diag, diag_embed. Stacks of matrices over leading axes. Lazy.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/index/grid.hpp>
#include <broadloom/index/join.hpp>
#include <broadloom/tensor/iota.hpp>

namespace broadloom {

namespace detail {

// Makes rows [first, first + rows) of a stack's matrices zero outside the triangle: column - row >= shift for the upper
// one,
// <= shift for the lower one. Rows are counted through the whole stack.
BROADLOOM_API void clear_triangle(void* data, int size, index first, index rows, index height, index columns,
                                  index shift, bool upper, int threads);

template <bool Upper, class X>
class triangle {
 public:
  using value_type = value_of<X>;
  using shape_type = shape_of<X>;
  static constexpr int rank = rank_of<X>;
  static constexpr bool single_elements = has_single_elements<X>;

  // All diagonals beyond a corner are one.
  constexpr triangle(const X& x, index shift)
      : x_(x), shift_(clamped(shift, -x.shape()[rank - 2], x.shape()[rank - 1])) {}

  static constexpr const char* name() { return Upper ? "triu" : "tril"; }
  constexpr const shape_type& shape() const { return x_.shape(); }
  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    const index across = at[R - 1] - at[R - 2];
    return (Upper ? across >= shift_ : across <= shift_) ? x_.element(at) : value_type{};
  }
  template <class F>
  auto with_trees(const F& f) const {
    return triangle<Upper, decltype(f(x_))>(f(x_), shift_);
  }
  bool same(const triangle& o) const { return shift_ == o.shift_ && same_tree(x_, o.x_); }
  bool reads(const void* low, const void* high) const { return may_read(x_, low, high); }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    write<Native>(to, leading_axis(x_.shape()), 0, x_.shape()[leading_axis(x_.shape())], how);
  }
  template <int Native>
  void evaluate_rows(index first, index last, value_type* to, const runtime::options& how) const
    requires(deferred_count<X> == 0)
  {
    write<Native>(to, leading_axis(x_.shape()), first, last, how);
  }
  index row_hint() const
    requires(deferred_count<X> == 0)
  {
    return 0;
  }

 private:
  template <int Native>
  void write(value_type* to, int lead, index first, index last, const runtime::options& how) const {
    auto extents = x_.shape().extents();
    const index height = extents[rank - 2], columns = extents[rank - 1];
    extents[lead] = last - first;
    evaluate_part<Native>(to, extents, row_major_strides(extents),
                          edit_axes<narrow_edit>(x_, index{lead}, first, last - first), how);
    index rows = 1, before = first;
    for (int a = 0; a < rank - 1; ++a) rows *= extents[a];
    for (int a = lead + 1; a < rank - 1; ++a) before *= extents[a];
    if (lead == rank - 1)  // one row, read in parts
      clear_triangle(to, sizeof(value_type), 0, 1, 1, last - first, shift_ - first, Upper, how.threads);
    else
      clear_triangle(to, sizeof(value_type), before, rows, height, columns, shift_, Upper, how.threads);
  }

  X x_;
  index shift_;
};

template <text Name>
struct matrix_rule {
  template <array X>
  static constexpr sentence fault() {
    sentence s;
    if (rank_of<node_of<X>> < 2) s << Name.c << ": input tensor must have at least 2 dimensions";
    return s;
  }
};
template <bool Upper, text Name>
struct triangle_function {
  template <array X>
    requires accepted<matrix_rule<Name>, X>
  constexpr auto operator()(X&& x, index shift = 0) const {
    using node = captured<X>;
    return deferred<triangle<Upper, node>>(triangle<Upper, node>(capture(static_cast<X&&>(x)), shift));
  }
  template <array X, class Error = refusal<matrix_rule<Name>, X>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, index = 0) const = delete;
};

// The extents of x with its last axis on a diagonal of two new ones; n: their extent.
template <int R>
constexpr indices<R + 1> diagonal_extents(const indices<R>& x, index n, int first, int second) {
  indices<R + 1> e{};
  for (int a = 0, from = 0; a <= R; ++a) e[a] = a == first || a == second ? n : x[from++];
  return e;
}
// As far as the compiler knows them, of a shift and axes that are constants or not.
template <class Shape, class N, class A, class B>
constexpr auto known_diagonal_extents() {
  constexpr int rank = Shape::axes_count + 1;
  index n = Shape::static_extents[rank - 2];
  if constexpr (constant<N>) {
    constexpr index shift = N::value;
    if (!is_dyn(n) && __builtin_add_overflow(n, shift < 0 ? -shift : shift, &n)) n = dyn;
  } else
    n = dyn;
  common_extents<rank> r;
  for_each_axis<A>(rank, [&](int first) {
    for_each_axis<B>(rank, [&](int second) {
      if (first != second) r.add(diagonal_extents(Shape::static_extents, n, first, second));
    });
  });
  return r.extents;
}

// Zeros with x's last axis on a diagonal.
template <class X, class Shape>
class diagonals {
 public:
  static constexpr int rank = rank_of<X> + 1;
  using value_type = value_of<X>;
  using shape_type = Shape;
  static constexpr bool single_elements = has_single_elements<X>;

  constexpr diagonals(const X& x, index shift, int first, int second)
      : x_(x), shift_(shift), first_(first), second_(second) {
    const index away = shift < 0 ? checked_sub(name(), 0, shift) : shift;
    const index n = checked_add(name(), x.shape()[rank - 2], away);
    shape_ = shape_type::unchecked(diagonal_extents(x.shape().extents(), n, first, second));
  }

  static constexpr const char* name() { return "diag_embed"; }
  constexpr const shape_type& shape() const { return shape_; }
  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    if (at[second_] - at[first_] != shift_) return value_type{};
    indices<rank - 1> from{};
    for (int a = 0, to = 0; a < rank; ++a)
      if (a != first_ && a != second_) from[to++] = at[a];
    from[rank - 2] = shift_ < 0 ? at[second_] : at[first_];
    return x_.element(from);
  }
  template <class F>
  auto with_trees(const F& f) const {
    return diagonals<decltype(f(x_)), Shape>(f(x_), shift_, first_, second_);
  }
  bool same(const diagonals& o) const {
    return shift_ == o.shift_ && first_ == o.first_ && second_ == o.second_ && same_tree(x_, o.x_);
  }
  bool reads(const void* low, const void* high) const { return may_read(x_, low, high); }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    runtime::zero_elements(static_cast<void*>(to), static_cast<std::size_t>(shape_.size()) * sizeof(value_type),
                           how.threads);
    const view<value_type, shape_type> whole(to, shape_);
    assign_node<Native>(diagonal(whole, shift_, first_, second_), x_, how);
  }

 private:
  X x_;
  index shift_;
  int first_, second_;
  shape_type shape_ = shape_type::unchecked({});
};

}  // namespace detail

// triu(x, shift = 0): zero below the diagonal that lies `shift` above the main one; tril: zero above it (PyTorch's).
inline constexpr detail::triangle_function<true, "triu"> triu{};
inline constexpr detail::triangle_function<false, "tril"> tril{};

// tri<T>(n, m = n, shift = 0): ones where column - row <= shift, zeros elsewhere: tril of ones (NumPy's tri). Of bool
// it is the mask of a lower triangle; that of the upper one is !tri<bool>(n, m, shift - 1). Constants are static
// extents.
template <element T>
struct tri_t {
  template <detail::integer_like N>
  constexpr auto operator()(N n) const {
    return (*this)(n, n);
  }
  template <detail::integer_like N, detail::integer_like M>
  constexpr auto operator()(N n, M m, index shift = 0) const {
    return tril(lazy_full<T>(make_shape(n, m), 1), shift);
  }
};
template <element T>
inline constexpr tri_t<T> tri{};

// diag_embed(x, shift = 0, first = -2, second = -1): matrices of zeros with x's last axis on a diagonal (PyTorch's
// diag_embed).
inline constexpr struct diag_embed_t {
  template <array X, detail::integer_like N = boost::hana::integral_constant<index, 0>,
            detail::integer_like A = boost::hana::integral_constant<index, -2>,
            detail::integer_like B = boost::hana::integral_constant<index, -1>>
    requires(detail::rank_of<detail::node_of<X>> > 0)
  constexpr auto operator()(X&& x, N shift = {}, A first = {}, B second = {}) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    constexpr int rank = detail::rank_of<decltype(e)> + 1;
    const int a = detail::normal_axis(static_cast<index>(first), rank, "diag_embed"),
              b = detail::normal_axis(static_cast<index>(second), rank, "diag_embed");
    if (a == b) detail::refuse("diagonal dimensions cannot be identical", "diag_embed", e.shape());
    using shape = detail::shape_from<detail::known_diagonal_extents<detail::shape_of<decltype(e)>, N, A, B>()>;
    using source = detail::diagonals<std::remove_const_t<decltype(e)>, shape>;
    return deferred<source>(source(e, static_cast<index>(shift), a, b));
  }
} diag_embed{};

// diag(x, shift = 0): of an array of rank 1 the matrix with it on a diagonal, of a matrix its diagonal, a view
// (PyTorch's diag).
inline constexpr struct diag_t {
  template <array X, detail::integer_like N = boost::hana::integral_constant<index, 0>>
    requires(detail::rank_of<detail::node_of<X>> == 1 || detail::rank_of<detail::node_of<X>> == 2)
  constexpr auto operator()(X&& x, N shift = {}) const {
    if constexpr (detail::rank_of<detail::node_of<X>> == 1)
      return diag_embed(static_cast<X&&>(x), shift);
    else
      return diagonal(static_cast<X&&>(x), shift);
  }
} diag{};

}  // namespace broadloom
