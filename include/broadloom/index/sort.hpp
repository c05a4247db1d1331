// Ordering along an axis: sort, argsort, topk, kthvalue, median, quantile, msort. They evaluate. Sorting is stable; NaN
// counts as larger than every number (PyTorch's rule), so it comes last when ascending.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/ordered_lines.hpp>
#include <broadloom/tensor/reshape.hpp>

namespace broadloom {

// sort(x, axis = -1, descending = false): {values, indices}; equal elements keep their order (PyTorch's stable sort).
inline constexpr struct sort_t : detail::takes_axis_names<sort_t> {
  static constexpr detail::text call{"sort(x, axis, descending)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like A = detail::last_axis, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, A axis = {}, detail::descending_flag descending = false, const policy& how = par) const {
    const index n = detail::line_length("sort", x, static_cast<index>(axis));
    return detail::sorted_part<detail::whole_line, Native>(static_cast<X&&>(x), axis, 0, n, descending, true, false,
                                                           how.options());
  }
} sort{};

// argsort(x, axis = -1, descending = false): the indices alone, i64.
inline constexpr struct argsort_t : detail::takes_axis_names<argsort_t> {
  static constexpr detail::text call{"argsort(x, axis, descending)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like A = detail::last_axis, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, A axis = {}, detail::descending_flag descending = false, const policy& how = par) const {
    const auto e = detail::ordered(static_cast<X&&>(x));
    return detail::with_lines<Native>("argsort", e, axis, how.options(), [&](const detail::lines_of& lines, int) {
      const auto shape = e.shape();
      auto r = detail::deduced_tensor<index, std::remove_cvref_t<decltype(shape)>>::uninitialised(shape);
      detail::sort_lines(lines, {0, lines.extent, descending, true, false}, nullptr, r.data(), how.options());
      return r;
    });
  }
} argsort{};

// topk(x, k, axis = -1, largest = true, sorted = true): the k largest or smallest, {values, indices}, in order. Throws
// shape_error unless 0 <= k <= extent (PyTorch's topk; among equal elements those that come first).
inline constexpr struct topk_t : detail::takes_axis_names<topk_t> {
  static constexpr detail::text call{"topk(x, k, axis, largest)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like K, detail::integer_like A = detail::last_axis, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, K count, A axis = {}, detail::largest_flag largest = true, detail::plain_flag sorted = true,
                  const policy& how = par) const {
    const index n = detail::line_length("topk", x, static_cast<index>(axis)), k = static_cast<index>(count);
    if (k < 0 || k > n) detail::throw_k_out_of_range("selected index k out of range", "topk", k, n);
    return detail::sorted_part<detail::extent_of<K>(), Native>(static_cast<X&&>(x), axis, 0, k, largest, sorted, false,
                                                               how.options());
  }
} topk{};

// kthvalue(x, k, axis = -1): the k-th smallest, counted from 1, {values, indices} without the axis (PyTorch's
// kthvalue).
inline constexpr struct kthvalue_t : detail::takes_axis_names<kthvalue_t> {
  static constexpr detail::text call{"kthvalue(x, k, axis)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like A = detail::last_axis, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, index k, A axis = {}, const policy& how = par) const {
    const index n = detail::line_length("kthvalue", x, static_cast<index>(axis));
    if (k < 1 || k > n) detail::throw_k_out_of_range("kthvalue(): selected number k out of range", "kthvalue", k, n);
    return detail::sorted_part<detail::no_axis, Native>(static_cast<X&&>(x), axis, k - 1, 1, false, true, false,
                                                        how.options());
  }
} kthvalue{};

// median(x, axis): the middle element, the lower one of two, {values, indices} without the axis; NaN if there is one.
// median(x): of all elements (PyTorch's median). Throws shape_error for no elements.
inline constexpr struct median_t : detail::takes_axis_names<median_t> {
  static constexpr detail::text call{"median(x, axis)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like A, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, A axis, const policy& how = par) const {
    const index n = detail::line_length("median", x, static_cast<index>(axis));
    if (n == 0) detail::throw_k_out_of_range("median(): Expected reduction dim to have non-zero size", "median", 0, n);
    return detail::sorted_part<detail::no_axis, Native>(static_cast<X&&>(x), axis, (n - 1) / 2, 1, false, true, true,
                                                        how.options());
  }
  template <array X, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x) const {
    using own = detail::value_of<detail::node_of<X>>;
    const auto e = detail::ordered(static_cast<X&&>(x));
    using T = detail::value_of<decltype(e)>;
    static_assert(detail::has_order<decltype(e)>, "complex numbers have no order [errors.md#complex-order]");
    const detail::memory<std::remove_const_t<decltype(e)>, Native> m(e, runtime::options{}, {true, {}});
    const index n = e.shape().size();
    if (n == 0) detail::throw_k_out_of_range("median(): Expected reduction dim to have non-zero size", "median", 0, n);
    tensor<T, shape<>> r;
    index at = 0;
    detail::sort_lines({m.data(), detail::compiled_dtype<T>(), 1, n, 1}, {(n - 1) / 2, 1, false, true, true}, r.data(),
                       &at, runtime::options{});
    return detail::with_values_of<own>(static_cast<decltype(r)&&>(r));
  }
} median{};

// How quantile reads between two elements.
enum class interpolation : unsigned char { linear, lower, higher, nearest, midpoint };

namespace detail {

BROADLOOM_API void quantile_lines(const lines_of& x, const double* q, index count, interpolation between, void* to,
                                  index step);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_quantile(double q) {
  throw_error(error_kind::bad_quantile, {q});
}

// Numbers in braces as an array.
template <int N>
constexpr auto in_braces(const double (&q)[N]) {
  tensor<double, shape<N>> r;
  for (int i = 0; i < N; ++i) r.data()[i] = q[i];
  return r;
}

}  // namespace detail

// quantile(x, q, axis, interpolation::linear): of floating elements, q in [0, 1]: a number, which takes the axis away,
// or an array of rank 1 or {0.25, 0.75}, whose axis comes first. quantile(x, q): of all elements (PyTorch's quantile).
// NaN if there is one.
inline constexpr struct quantile_t : detail::takes_axis_names<quantile_t> {
  static constexpr detail::text call{"quantile(x, q, axis)"};
  using takes_axis_names::operator();
  template <array X, class Q, detail::integer_like A, int Native = BROADLOOM_NATIVE>
    requires std::is_convertible_v<Q, double>
  auto operator()(X&& x, Q given, A axis, interpolation between = interpolation::linear) const {
    const double q = static_cast<double>(given);
    const auto e = detail::ordered(static_cast<X&&>(x));
    return detail::with_values_of<detail::value_of<detail::node_of<X>>>(
        detail::with_lines<Native>("quantile", e, axis, runtime::options{}, [&](const detail::lines_of& lines, int a) {
          const auto shape = detail::line_shape<A, detail::no_axis>(e.shape(), a, 1);
          auto r = detail::deduced_tensor<detail::value_of<decltype(e)>,
                                          std::remove_const_t<decltype(shape)>>::uninitialised(shape);
          run(lines, &q, 1, between, r.data(), lines.outer * lines.inner);
          return r;
        }));
  }
  template <array X, array Q, detail::integer_like A, int Native = BROADLOOM_NATIVE>
    requires(detail::rank_of<detail::node_of<Q>> == 1)
  auto operator()(X&& x, Q&& q, A axis, interpolation between = interpolation::linear) const {
    const auto e = detail::ordered(static_cast<X&&>(x));
    const dtensor<double, detail::rank_for<1, Q>> each(cast<double>(static_cast<Q&&>(q)));
    return detail::with_values_of<detail::value_of<detail::node_of<X>>>(
        detail::with_lines<Native>("quantile", e, axis, runtime::options{}, [&](const detail::lines_of& lines, int a) {
          const auto rest = detail::line_shape<A, detail::no_axis>(e.shape(), a, 1);
          using own = std::remove_const_t<decltype(rest)>;
          using result = detail::shape_from<detail::with_leading(
              own::static_extents, detail::shape_of<detail::node_of<Q>>::static_extents[0])>;
          auto r = detail::deduced_tensor<detail::value_of<decltype(e)>, result>::uninitialised(
              result::unchecked(detail::with_leading(rest.extents(), each.size())));
          run(lines, each.data(), each.size(), between, r.data(), lines.outer * lines.inner);
          return r;
        }));
  }
  template <array X, class Q>
  auto operator()(X&& x, Q&& q) const {
    return (*this)(reshape(detail::capture(static_cast<X&&>(x)), index{-1}), static_cast<Q&&>(q),
                   detail::integer_constant<0>{});
  }
  template <array X, int N, class... O>
  auto operator()(X&& x, const double (&q)[N], O... o) const {
    return (*this)(static_cast<X&&>(x), detail::in_braces(q), o...);
  }

 private:
  template <class T>
  static void run(const detail::lines_of& lines, const double* q, index count, interpolation between, T* to,
                  index step) {
    static_assert(std::is_floating_point_v<T>,
                  "quantile() input tensor must be either float or double dtype [errors.md#quantiles-of-integers]");
    for (index k = 0; k < count; ++k)
      if (!(q[k] >= 0 && q[k] <= 1)) detail::throw_bad_quantile(q[k]);
    if (lines.extent == 0) detail::throw_k_out_of_range("quantile() input tensor must be non-empty", "quantile", 0, 0);
    detail::quantile_lines(lines, q, count, between, to, step);
  }
} quantile{};

}  // namespace broadloom
