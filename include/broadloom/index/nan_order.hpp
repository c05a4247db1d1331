// Order statistics beside median and quantile: nanmedian, nanquantile, which leave NaN out; percentile, nanpercentile;
// and the most frequent value: most_frequent. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/sort.hpp>
#include <broadloom/tensor/reshape.hpp>

namespace broadloom {

namespace detail {

// The middle one of each line's elements that are not NaN, the lower one of two, and its position.
BROADLOOM_API void nan_median_lines(const lines_of& x, void* values, index* indices);
BROADLOOM_API void nan_quantile_lines(const lines_of& x, const double* q, index count, interpolation between, void* to,
                                      index step);
// The value that each line has most often, the smallest one of several, and its last position.
BROADLOOM_API void most_frequent_lines(const lines_of& x, void* values, index* indices);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_percentile(double q) {
  throw_error(error_kind::bad_percentile, {q});
}

// One value and index for each line.
template <class X, class A, class F>
auto one_of_each_line(X&& x, A axis, const char* call, F f) {
  const auto e = ordered(static_cast<X&&>(x));
  using T = value_of<decltype(e)>;
  return with_values_of<value_of<node_of<X>>>(
      with_lines<BROADLOOM_NATIVE>(call, e, axis, runtime::options{}, [&](const lines_of& lines, int a) {
        if (lines.extent == 0) throw_k_out_of_range("Expected reduction dim to have non-zero size", call, 0, 0);
        const auto shape = line_shape<A, no_axis>(e.shape(), a, 1);
        using s = std::remove_const_t<decltype(shape)>;
        values_and_indices<deduced_tensor<T, s>, deduced_tensor<index, s>> r{tensor<T, s>::uninitialised(shape),
                                                                             tensor<index, s>::uninitialised(shape)};
        f(lines, r.values.data(), r.indices.data());
        return r;
      }));
}

}  // namespace detail

// nanmedian(x, axis): {values, indices} of the middle element of those that are not NaN, the lower one of two; NaN
// where all are. nanmedian(x): of all elements. Throws shape_error for no elements (PyTorch's nanmedian; NumPy's is the
// mean of two).
inline constexpr struct nanmedian_t {
  template <array X, detail::integer_like A>
  auto operator()(X&& x, A axis) const {
    return detail::one_of_each_line(static_cast<X&&>(x), axis, "nanmedian", detail::nan_median_lines);
  }
  template <array X>
  auto operator()(X&& x) const {
    return (*this)(reshape(detail::capture(static_cast<X&&>(x)), index{-1}), detail::integer_constant<0>{}).values;
  }
} nanmedian{};

// most_frequent(x, axis = -1): {values, indices} of the value that occurs most often along the axis, the smallest one
// of several, and where it occurs last. Each NaN is a value of its own (PyTorch's mode; here `mode` has the modes of
// take and choose). Throws shape_error for no elements.
inline constexpr struct most_frequent_t {
  template <array X, detail::integer_like A = detail::last_axis>
  auto operator()(X&& x, A axis = {}) const {
    return detail::one_of_each_line(static_cast<X&&>(x), axis, "most_frequent", detail::most_frequent_lines);
  }
} most_frequent{};

namespace detail {

struct nan_quantile_of {
  template <array X, integer_like A>
  auto operator()(X&& x, double q, A axis, interpolation between) const {
    const auto e = ordered(static_cast<X&&>(x));
    using T = value_of<decltype(e)>;
    static_assert(std::is_floating_point_v<T>,
                  "nanquantile() input tensor must be either float or double dtype [errors.md#quantiles-of-integers]");
    if (!(q >= 0 && q <= 1)) throw_bad_quantile(q);
    return with_values_of<value_of<node_of<X>>>(
        with_lines<BROADLOOM_NATIVE>("nanquantile", e, axis, runtime::options{}, [&](const lines_of& lines, int a) {
          if (lines.extent == 0) throw_k_out_of_range("quantile() input tensor must be non-empty", "nanquantile", 0, 0);
          const auto shape = line_shape<A, no_axis>(e.shape(), a, 1);
          auto r = deduced_tensor<T, std::remove_const_t<decltype(shape)>>::uninitialised(shape);
          nan_quantile_lines(lines, &q, 1, between, r.data(), lines.outer * lines.inner);
          return r;
        }));
  }
  template <array X, array Q, integer_like A>
  auto operator()(X&& x, Q&& q, A axis, interpolation between) const {
    static_assert(rank_of<node_of<Q>> == 1,
                  "the quantiles are a number, or have one axis [errors.md#sorter-and-edges]");
    const auto e = ordered(static_cast<X&&>(x));
    using T = value_of<decltype(e)>;
    static_assert(std::is_floating_point_v<T>,
                  "nanquantile() input tensor must be either float or double dtype [errors.md#quantiles-of-integers]");
    const dtensor<double, rank_for<1, Q>> each(cast<double>(static_cast<Q&&>(q)));
    for (index k = 0; k < each.size(); ++k)
      if (!(each.data()[k] >= 0 && each.data()[k] <= 1)) throw_bad_quantile(each.data()[k]);
    return with_values_of<value_of<node_of<X>>>(
        with_lines<BROADLOOM_NATIVE>("nanquantile", e, axis, runtime::options{}, [&](const lines_of& lines, int a) {
          if (lines.extent == 0) throw_k_out_of_range("quantile() input tensor must be non-empty", "nanquantile", 0, 0);
          const auto rest = line_shape<A, no_axis>(e.shape(), a, 1);
          using own = std::remove_const_t<decltype(rest)>;
          using result = shape_from<with_leading(own::static_extents, shape_of<node_of<Q>>::static_extents[0])>;
          auto r =
              deduced_tensor<T, result>::uninitialised(result::unchecked(with_leading(rest.extents(), each.size())));
          nan_quantile_lines(lines, each.data(), each.size(), between, r.data(), lines.outer * lines.inner);
          return r;
        }));
  }
};

// Percent of a quantile function; without an axis of all elements.
template <class Quantile>
struct percent_of : refuses_other_arguments<percent_of<Quantile>> {
  static constexpr text call{"percentile(x, percent, axis)"};
  using refuses_other_arguments<percent_of>::operator();
  template <array X, number_scalar Q, integer_like A>
  auto operator()(X&& x, Q q, A axis, interpolation between = interpolation::linear) const {
    const auto p = static_cast<double>(q);
    if (!(p >= 0 && p <= 100)) throw_bad_percentile(p);
    return Quantile{}(static_cast<X&&>(x), p / 100, axis, between);
  }
  template <array X, array Q, integer_like A>
  auto operator()(X&& x, Q&& q, A axis, interpolation between = interpolation::linear) const {
    dtensor<double, rank_for<1, Q>> each(cast<double>(static_cast<Q&&>(q)));
    for (index k = 0; k < each.size(); ++k) {
      if (!(each.data()[k] >= 0 && each.data()[k] <= 100)) throw_bad_percentile(each.data()[k]);
      each.data()[k] /= 100;
    }
    return Quantile{}(static_cast<X&&>(x), each, axis, between);
  }
  template <array X, class Q>
  auto operator()(X&& x, Q&& q) const {
    return (*this)(reshape(capture(static_cast<X&&>(x)), index{-1}), static_cast<Q&&>(q), integer_constant<0>{});
  }
  template <array X, int N, class... O>
  auto operator()(X&& x, const double (&q)[N], O... o) const {
    return (*this)(static_cast<X&&>(x), in_braces(q), o...);
  }
};

}  // namespace detail

// nanquantile(x, q, axis, interpolation::linear): as quantile, of elements that are not NaN; NaN where all are.
// nanquantile(x, q): of all elements (PyTorch's).
inline constexpr struct nanquantile_t : private detail::nan_quantile_of {
  template <array X, class Q, detail::integer_like A>
  auto operator()(X&& x, Q&& q, A axis, interpolation between = interpolation::linear) const {
    const detail::nan_quantile_of& f = *this;
    return f(static_cast<X&&>(x), static_cast<Q&&>(q), axis, between);
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
} nanquantile{};

// percentile(x, q, axis, interpolation::linear) = quantile(x, q / 100, axis, ...), q in [0, 100], a number, an array
// of rank 1 or {5, 50, 95}; percentile(x, q): of all elements. nanpercentile: nanquantile's (NumPy's).
inline constexpr detail::percent_of<quantile_t> percentile{};
inline constexpr detail::percent_of<nanquantile_t> nanpercentile{};

}  // namespace broadloom
