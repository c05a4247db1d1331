// Copies, masks and maps that write to their first operand: copy_, masked_fill_, masked_scatter_, map_, map2_; and
// masked_select. Sources, masks and operands are expanded to it; it never changes its shape.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace detail {

// How many of n elements are not zero.
BROADLOOM_API index count_nonzero_elements(const void* data, dtype type, index n);
// Row-major elements whose mask is set. All arrays have n elements of `size` bytes, source at least as many as are set.
BROADLOOM_API void gather_set(const bool* mask, index n, const void* from, void* to, int size);
BROADLOOM_API void scatter_set(const bool* mask, index n, const void* from, void* to, int size);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_too_few_in_source(index given, index wanted) {
  throw_error(error_kind::too_few_in_source, {given, wanted});
}

template <class M>
concept bool_array = array<M> && __is_same(value_of<node_of<M>>, bool);

// A node's elements, row-major with that shape: where they are if they lie so, else evaluated into `own`.
template <class E, class Shape, class Own>
const value_of<E>* elements_as(const E& e, const Shape& s, Own& own) {
  if constexpr (leaf<E> && !deferred_leaf<E> && rank_of<E> == Shape::axes_count) {
    if (e.shape() == s && is_row_major(s.extents(), e.strides())) return e.data();
  }
  own = expand(e, s);
  return own.data();
}

template <class Out>
constexpr auto shape_as(Out& out) {
  return as_node(out).shape();
}

}  // namespace detail

namespace errors_md {
// What a masked_fill with an array that has axes for its value "returns".
template <class Shape>
struct value_must_be_a_number_or_of_rank_0;
}  // namespace errors_md

namespace detail {

// A number, or an array of rank 0.
template <class V>
inline constexpr bool is_single = true;
template <array V>
inline constexpr bool is_single<V> = rank_of<node_of<V>> == 0;

// Why masked_fill refuses its arguments; void where it does not.
template <class X, class M, class V>
constexpr auto fill_fault() {
  if constexpr (!is_condition<M>)
    return std::type_identity<errors_md::mask_must_be_of_bool<value_of<node_of<M>>>>{};
  else if constexpr (!is_single<V>)
    return std::type_identity<errors_md::value_must_be_a_number_or_of_rank_0<shape_of<node_of<V>>>>{};
  else
    return std::type_identity<shapes_error<X, M>>{};
}
template <class X, class M, class V>
using fill_error = typename decltype(fill_fault<X, M, V>())::type;

}  // namespace detail

// copy_(out, x): x's elements, converted to out's type (floating numbers lose their fraction in integers).
inline constexpr struct copy_t {
  template <class Out, operand X>
    requires detail::writable<Out>
  constexpr decltype(auto) operator()(Out&& out, X&& x) const {
    using to = detail::value_of<detail::node_of<Out&>>;
    if constexpr (array<X>)
      assign(out, cast<to>(detail::expanded_for("copy_", static_cast<X&&>(x), detail::shape_as(out))));
    else
      assign(out, detail::argument<to>(x));
    return static_cast<Out&&>(out);
  }
} copy_{};

// masked_fill_(out, mask, value): value, converted to out's type, where the mask is set. value: a number or an array of
// rank 0.
inline constexpr struct masked_fill_t : detail::refuses_other_arguments<masked_fill_t> {
  static constexpr detail::text call{"masked_fill_(x, mask, value)"};
  using refuses_other_arguments::operator();
  template <class Out, detail::bool_array M, operand V>
    requires detail::writable<Out> && detail::is_single<V>
  constexpr decltype(auto) operator()(Out&& out, M&& m, V&& value) const {
    using to = detail::value_of<detail::node_of<Out&>>;
    assign(out, where(detail::expanded_for("masked_fill_", static_cast<M&&>(m), detail::shape_as(out)),
                      detail::argument<to>(static_cast<V&&>(value)), out));
    return static_cast<Out&&>(out);
  }
  template <class Out, detail::bool_array M, array V,
            class Error = errors_md::value_must_be_a_number_or_of_rank_0<detail::shape_of<detail::node_of<V>>>>
    requires detail::writable<Out> && (!detail::is_single<V>)
  Error operator()(Out&&, M&&, V&&) const BROADLOOM_REFUSED;
  template <class Out, array M, operand V,
            class Error = errors_md::mask_must_be_of_bool<detail::value_of<detail::node_of<M>>>>
    requires detail::writable<Out> && (!detail::bool_array<M>)
  Error operator()(Out&&, M&&, V&&) const BROADLOOM_REFUSED;
} masked_fill_{};

// masked_scatter_(out, mask, source): where the mask is set, in row-major order, the elements of source one after the
// other. Throws shape_error when source has too few. masked_copy_ is the same.
inline constexpr struct masked_scatter_t {
  template <class Out, detail::bool_array M, array S>
    requires detail::writable<Out> && __is_same
  (detail::value_of<detail::node_of<Out&>>, detail::value_of<detail::node_of<S>>) decltype(auto) operator()(
      Out&& out, M&& m, S&& source) const {
    const auto shape = detail::shape_as(out);
    constexpr int rank = std::remove_cvref_t<decltype(shape)>::axes_count;
    const dtensor<bool, rank> set = detail::expanded_for("masked_scatter_", static_cast<M&&>(m), shape);
    using T = detail::value_of<detail::node_of<Out&>>;
    dtensor<T, rank> r = detail::capture(out);
    const auto values = eval(detail::capture(source));
    const index wanted = detail::count_nonzero_elements(set.data(), dtype::b8, set.size());
    if (values.size() < wanted) detail::throw_too_few_in_source(values.size(), wanted);
    detail::scatter_set(set.data(), set.size(), values.data(), r.data(), sizeof(T));
    assign(out, r);
    return static_cast<Out&&>(out);
  }
  template <class Out, array M, array S,
            class Error = errors_md::mask_must_be_of_bool<detail::value_of<detail::node_of<M>>>>
    requires detail::writable<Out> && (!detail::bool_array<M>)
  Error operator()(Out&&, M&&, S&&) const BROADLOOM_REFUSED;
} masked_scatter_{};
inline constexpr masked_scatter_t masked_copy_{};

// masked_fill(x, mask, value): x, and value, converted to x's type, where the mask is set; both broadcast together.
// value: a number or an array of rank 0.
inline constexpr struct masked_fill_out_t : detail::refuses_other_arguments<masked_fill_out_t> {
  static constexpr detail::text call{"masked_fill(x, mask, value)"};
  using refuses_other_arguments::operator();
  template <array X, detail::bool_array M, operand V>
    requires detail::shapes_fit<X, M> && detail::is_single<V>
  constexpr auto operator()(X&& x, M&& m, V&& value) const {
    using to = detail::value_of<detail::node_of<X>>;
    return where(static_cast<M&&>(m), detail::argument<to>(static_cast<V&&>(value)), static_cast<X&&>(x));
  }
  template <array X, array M, operand V, class Error = detail::fill_error<X, M, V>>
    requires(!std::is_void_v<Error>)
  Error operator()(X&&, M&&, V&&) const BROADLOOM_REFUSED;
} masked_fill{};

// masked_scatter(x, mask, source): as masked_scatter_, of a copy of x in the shape that it and the mask broadcast to.
inline constexpr struct masked_scatter_out_t {
  template <array X, detail::bool_array M, array S>
    requires detail::shapes_fit<X, M>
  auto operator()(X&& x, M&& m, S&& source) const {
    auto r = eval(where(m, x, x));
    masked_scatter_(r, m, static_cast<S&&>(source));
    return r;
  }
  template <array X, array M, array S, class Error = detail::shapes_error<X, M>>
    requires(detail::bool_array<M> && !detail::shapes_fit<X, M>)
  Error operator()(X&&, M&&, S&&) const BROADLOOM_REFUSED;
} masked_scatter{};

// masked_select(x, mask): the elements of x where the mask is set, in row-major order of their common shape, as a
// tensor of rank 1.
inline constexpr struct masked_select_t {
  template <array X, detail::bool_array M>
    requires detail::shapes_fit<X, M>
  auto operator()(X&& x, M&& m) const {
    using T = detail::value_of<detail::node_of<X>>;
    const auto node = detail::capture(static_cast<X&&>(x));
    const auto mask = detail::capture(static_cast<M&&>(m));
    using shape =
        typename detail::broadcast_of<detail::shape_of<decltype(mask)>, detail::shape_of<decltype(node)>>::type;
    const auto common =
        dshape<shape::axes_count>(detail::broadcast_checked<shape>("masked_select", mask.shape(), node.shape()));
    dtensor<bool, shape::axes_count> own_mask;
    dtensor<T, shape::axes_count> own_elements;
    const bool* const set = detail::elements_as(mask, common, own_mask);
    const T* const values = detail::elements_as(node, common, own_elements);
    const index n = common.size(), count = detail::count_nonzero_elements(set, dtype::b8, n);
    auto r = dtensor<T, 1>::uninitialised(dshape<1>(count));
    detail::gather_set(set, n, values, r.data(), sizeof(T));
    return r;
  }
  template <array X, array M, class Error = detail::shapes_error<X, M>>
    requires(detail::bool_array<M> && !detail::shapes_fit<X, M>)
  Error operator()(X&&, M&&) const BROADLOOM_REFUSED;
  template <array X, array M, class Error = errors_md::mask_must_be_of_bool<detail::value_of<detail::node_of<M>>>>
    requires(!detail::bool_array<M>)
  Error operator()(X&&, M&&) const BROADLOOM_REFUSED;
} masked_select{};

// map_(out, x, f): out = f(out, x), element by element; map2_(out, x, y, f): out = f(out, x, y).
inline constexpr struct map_t {
  template <class Out, array X, class F>
    requires detail::writable<Out>
  constexpr decltype(auto) operator()(Out&& out, X&& x, F f, const policy& how = par) const {
    assign(
        out,
        pointwise(static_cast<F&&>(f), out, detail::expanded_for("map_", static_cast<X&&>(x), detail::shape_as(out))),
        how);
    return static_cast<Out&&>(out);
  }
} map_{};
inline constexpr struct map2_t {
  template <class Out, array X, array Y, class F>
    requires detail::writable<Out>
  constexpr decltype(auto) operator()(Out&& out, X&& x, Y&& y, F f, const policy& how = par) const {
    const auto shape = detail::shape_as(out);
    assign(out,
           pointwise(static_cast<F&&>(f), out, detail::expanded_for("map2_", static_cast<X&&>(x), shape),
                     detail::expanded_for("map2_", static_cast<Y&&>(y), shape)),
           how);
    return static_cast<Out&&>(out);
  }
} map2_{};

}  // namespace broadloom
