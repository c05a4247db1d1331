// Distinct slices along an axis: unique(x, axis); runs of equal neighbours: unique_consecutive. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/count.hpp>
#include <broadloom/index/select.hpp>

namespace broadloom {

namespace detail {

// The order of n rows of `width` elements, by their first elements that differ; NaN last, equal rows as they come.
BROADLOOM_API void sort_rows(const void* x, dtype type, index n, index width, index* order);
// Rows in that order (null: as they are) in runs of equal ones: starts[r] is the first row of run r, inverse[row] its
// run, counts[r] its length. Returns how many there are. Of single elements as they are, all four may be null.
BROADLOOM_API index find_runs(const void* x, dtype type, index n, index width, const index* order, index* starts,
                              index* inverse, index* counts);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_empty_slices(const char* call, const shape_view& x, int axis) {
  throw_error(error_kind::empty_slices, {call, &x, axis});
}

// Without a branch: a run's value is written again while it lasts, where it has the first one's bits, and its length.
template <class T>
void write_runs(const T* x, index n, T* values, index* inverse, index* counts) {
  T first = n > 0 ? x[0] : T();
  for (index k = 0, run = 0, begin = 0; k < n; ++k) {
    const bool begins = k > 0 && !(x[k] == x[k - 1]);
    run += begins;
    begin = begins ? k : begin;
    first = begins ? x[k] : first;
    values[run] = first;
    inverse[k] = run;
    counts[run] = k + 1 - begin;
  }
}

inline dtensor<index, 1> leading_part(const dtensor<index, 1>& whole, index n) {
  auto r = dtensor<index, 1>::uninitialised(dshape<1>(n));
  if (n > 0) runtime::copy_elements(r.data(), whole.data(), static_cast<std::size_t>(n) * sizeof(index));
  return r;
}

template <class E, class A>
  requires is_half_type<value_of<E>>
auto distinct_slices(const char* call, const E& e, A axis, bool sorted) {
  auto r = distinct_slices(call, argument<float>(e), axis, sorted);
  auto values = with_values_of<value_of<E>>(static_cast<decltype(r.values)&&>(r.values));
  return unique_result<decltype(values), dtensor<index, 1>>{static_cast<decltype(values)&&>(values),
                                                            static_cast<dtensor<index, 1>&&>(r.inverse),
                                                            static_cast<dtensor<index, 1>&&>(r.counts)};
}
template <class E, class A>
auto distinct_slices(const char* call, const E& e, A axis, bool sorted) {
  using T = value_of<E>;
  static_assert(has_order<E>, "complex numbers have no order [errors.md#complex-order]");
  constexpr int rank = rank_of<E>;
  static_assert(rank > 0, "unique along an axis expects an array of at least one axis [errors.md#too-few-axes]");
  const int a = normal_axis(static_cast<index>(axis), rank, call);
  const dtensor<T, rank> rows(movedim(e, index{a}, index{0}));
  const index n = rows.shape()[0];
  index width = 1;
  for (int k = 1; k < rank; ++k) width *= rows.shape()[k];
  if (width == 0 && n > 0) throw_empty_slices(call, {e.shape().data(), rank}, a);
  const auto list = [](index length) { return dtensor<index, 1>::uninitialised(dshape<1>(length)); };
  auto order = list(sorted ? n : 0), starts = list(n), counts = list(n), inverse = list(n);
  if (sorted) sort_rows(rows.data(), compiled_dtype<T>(), n, width, order.data());
  const index count = find_runs(rows.data(), compiled_dtype<T>(), n, width, sorted ? order.data() : nullptr,
                                starts.data(), inverse.data(), counts.data());
  using own = shape_with<A, shape_of<E>, dyn>;
  const auto form = with_extent<A, dyn>(e.shape(), a, count);
  auto values = tensor<T, own>::uninitialised(form);
  assign(values, movedim(index_select(rows, index{0}, leading_part(starts, count)), index{0}, index{a}));
  return unique_result<tensor<T, own>, dtensor<index, 1>>{
      static_cast<tensor<T, own>&&>(values), static_cast<dtensor<index, 1>&&>(inverse), leading_part(counts, count)};
}

}  // namespace detail

namespace errors_md {
template <array X, detail::integer_like A>
struct unique_along_an_axis_is_in_sets_hpp<X, A> {
  template <class E>
  static auto of(const E& e, A axis) {
    return detail::distinct_slices("unique", e, axis, true);
  }
};
}  // namespace errors_md

// unique_consecutive(x): {values, inverse, counts} of runs of equal neighbours among all elements in row-major order;
// unique_consecutive(x, axis): of equal neighbouring slices along the axis. inverse says for each element or slice in
// which run it is. A NaN is equal to nothing (PyTorch's unique_consecutive).
inline constexpr struct unique_consecutive_t {
  template <array X, detail::integer_like A>
  auto operator()(X&& x, A axis) const {
    return detail::distinct_slices("unique_consecutive", detail::capture(static_cast<X&&>(x)), axis, false);
  }
  template <array X>
  auto operator()(X&& x) const {
    using element_type = detail::value_of<detail::node_of<X>>;
    const auto e = detail::ordered(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    using T = detail::value_of<node>;
    using own = detail::shape_of<node>;
    static_assert(detail::has_order<node>, "complex numbers have no order [errors.md#complex-order]");
    const detail::memory<node, BROADLOOM_NATIVE> m(e, runtime::options{}, {true, {}});
    const auto form = own::unchecked(m.form().extents);
    const index n = form.size();
    auto back = detail::deduced_tensor<index, own>::uninitialised(form);
    // Counted first, so that the results are written in one pass.
    const index count =
        detail::find_runs(m.data(), detail::compiled_dtype<T>(), n, 1, nullptr, nullptr, nullptr, nullptr);
    auto values = dtensor<T, 1>::uninitialised(dshape<1>(count));
    auto counts = dtensor<index, 1>::uninitialised(dshape<1>(count));
    detail::write_runs(m.data(), n, values.data(), back.data(), counts.data());
    return unique_result<dtensor<element_type, 1>, tensor<index, own>>{
        detail::with_values_of<element_type>(static_cast<dtensor<T, 1>&&>(values)),
        static_cast<tensor<index, own>&&>(back), static_cast<dtensor<index, 1>&&>(counts)};
  }
} unique_consecutive{};

}  // namespace broadloom
