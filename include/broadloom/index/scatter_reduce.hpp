// scatter_reduce_: elements that meet at a position are added, multiplied, averaged or compared.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/index/scatter.hpp>
#include <broadloom/reduce/statistics.hpp>
#include <broadloom/tensor/factories.hpp>

namespace broadloom {

namespace detail {

// What scatter_reduce_ does with elements that meet; `none` for what is no such reduction.
enum class meeting : unsigned char { none, added, multiplied, averaged, largest, smallest };
template <class R>
inline constexpr meeting meeting_of = meeting::none;
template <>
inline constexpr meeting meeting_of<reduce_function<sum_r>> = meeting::added;
template <>
inline constexpr meeting meeting_of<reduce_function<prod_r>> = meeting::multiplied;
template <>
inline constexpr meeting meeting_of<mean_t> = meeting::averaged;
template <>
inline constexpr meeting meeting_of<reduce_function<amax_r>> = meeting::largest;
template <>
inline constexpr meeting meeting_of<reduce_function<amin_r>> = meeting::smallest;

// What changes nothing when it meets x.
template <class T>
constexpr T identity_of(meeting m) {
  if (m == meeting::multiplied) return T(1);
  if (m != meeting::largest && m != meeting::smallest) return T(0);
  [[maybe_unused]] const bool high = m == meeting::smallest;
  if constexpr (is_complex_type<T>)
    return T(0);  // has no extremes
  else if constexpr (__is_same(T, bool))
    return high;
  else if constexpr (is_floating(dtype_of<T>))
    return high ? static_cast<T>(__builtin_huge_val()) : -static_cast<T>(__builtin_huge_val());
  else {
    using U = std::make_unsigned_t<T>;
    constexpr T least = T(-1) < T(0) ? static_cast<T>(U(1) << (sizeof(T) * 8 - 1)) : T(0);
    return high ? static_cast<T>(~least) : least;
  }
}

// How elements of type T that meet are combined: by one update, or by the passes of `in_copy`.
template <meeting How, class T>
struct combination {
  static_assert(!is_complex(dtype_of<T>) || (How != meeting::largest && How != meeting::smallest),
                "complex numbers have no order [errors.md#complex-order]");
  static_assert(!is_complex(dtype_of<T>) || How != meeting::averaged,
                "a mean of complex numbers is not defined here [errors.md#complex-order]");
  static constexpr bool divides = How == meeting::averaged && !__is_same(T, bool);
  static constexpr runtime::update what = How == meeting::multiplied ? runtime::update::mul
                                          : How == meeting::largest  ? runtime::update::amax
                                          : How == meeting::smallest ? runtime::update::amin
                                                                     : runtime::update::add;

  // By run(array, source, update), on a copy of `to`, which is written when the last pass has found nothing wrong.
  template <class To, class S, class Run>
  static void in_copy(const To& to, const S& source, bool include_self, const Run& run) {
    auto result = eval(to);
    if (!include_self) run(result, identity_of<T>(How), runtime::update::overwrite);
    run(result, source, what);
    if constexpr (divides) {
      auto count = full<T>(to.shape(), include_self ? T(1) : T(0));
      run(count, T(1), runtime::update::add);
      if constexpr (is_floating(dtype_of<T>))
        assign(to, result / maximum(count, T(1)));
      else
        assign(to, floor_divide(result, maximum(count, T(1))));
    } else
      assign(to, result);
  }
};

template <bool Copy>
struct scatter_reduce_function {
  using rule = scatter_rule<"scatter_reduce">;
  template <array Out, integer_like A, array Index, array S, class R, int Native = BROADLOOM_NATIVE>
    requires accepted<rule, Out, A, Index, S> && (meeting_of<R> != meeting::none)
  decltype(auto) operator()(Out&& out, A axis, Index&& i, S&& source, const R&, plain_flag include_self = true) const {
    using combined = combination<meeting_of<R>, value_of<node_of<Out>>>;
    const auto to = as_node(out);
    const auto along = static_cast<index>(axis);
    if (!combined::divides && include_self) {
      scatter_elements<Native, "scatter_reduce", Copy>(to, along, i, source, combined::what);
      return static_cast<Out&&>(out);
    }
    check_writable(to.layout(), to.shape());
    const auto at = eval(capture(i));
    const auto elements = eval(capture(source));
    const auto whole = at_least_one_axis(to);
    check_scatter_shapes(whole, at_least_one_axis(capture(at)), at_least_one_axis(capture(elements)),
                         normal_axis(along, rank_of<decltype(whole)>, "scatter_reduce"));
    combined::in_copy(to, elements, include_self, [&](auto& x, const auto& s, runtime::update by) {
      scatter_elements<Native, "scatter_reduce", true>(x, along, at, s, by);
    });
    return static_cast<Out&&>(out);
  }
  template <array Out, integer_like A, array Index, array S, class R, class Error = refusal<rule, Out, A, Index, S>>
    requires(!std::is_void_v<Error>)
  Error operator()(Out&&, A, Index&&, S&&, const R&, bool = true) const = delete;
};

}  // namespace detail

// scatter_reduce_(out, axis, index, source, amax, include_self = true): as scatter_, and elements that meet in one
// place are combined by sum, prod, mean, amax or amin; with include_self, out's own element too. mean divides
// what was summed by how many came together, and rounds integers down (PyTorch's scatter_reduce_). NaN wins in amax and
// amin.
inline constexpr detail::scatter_reduce_function<false> scatter_reduce_{};
inline constexpr detail::on_copy<detail::scatter_reduce_function<true>> scatter_reduce{};

}  // namespace broadloom
