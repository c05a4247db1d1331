// sum_to(x, shape): the adjoint of expansion, which a gradient of broadcasting needs.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/reduce/sums.hpp>

namespace broadloom {

namespace detail {

template <class From, class To>
constexpr bool may_sum_to() {
  if (To::axes_count > From::axes_count) return false;
  for (int k = 1; k <= To::axes_count; ++k) {
    const index f = From::static_extents[From::axes_count - k], t = To::static_extents[To::axes_count - k];
    if (t != 1 && !may_become(f, t)) return false;
  }
  return true;
}

// The extents of the result; an extent of 1 stays.
template <class From, class To>
constexpr auto summed_to_extents() {
  auto r = To::static_extents;
  for (int k = 1; k <= To::axes_count; ++k)
    if (From::static_extents[From::axes_count - k] == 1) r[To::axes_count - k] = 1;
  return r;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_a_sum_to(const index* to, index to_rank, const index* from,
                                                                      index rank) {
  throw_error(error_kind::not_a_sum_to, {to, to_rank, from, rank});
}

// Axes in front that `to` does not have are gone; the others keep their places.
template <class From, class To>
constexpr unsigned sum_to_bits(const From& from, const To& to) {
  constexpr int rank = From::axes_count, gone = rank - To::axes_count;
  unsigned bits = 0;
  for (int i = 0; i < rank; ++i)
    if (i < gone || (to[i - gone] == 1 && from[i] != 1)) bits |= 1u << i;
  return bits;
}

}  // namespace detail

// The array of that shape whose expansion x could be: x summed along every axis that `shape` lacks or where its extent
// is 1. Throws shape_error when x's shape is not an expansion of `shape`.
inline constexpr struct sum_to_t {
  template <array A, shape_type S>
  constexpr auto operator()(A&& a, const S& to) const {
    using T = detail::sum_type<detail::value_of<detail::node_of<A>>>;
    if constexpr (detail::is_half_type<T>)
      return detail::rounded_to<T>((*this)(detail::argument<float>(static_cast<A&&>(a)), to));
    else
      return summed(detail::argument<T>(static_cast<A&&>(a)), to);
  }
  template <array A, int R>
  constexpr auto operator()(A&& a, detail::braced_extents<R> to) const {
    return (*this)(static_cast<A&&>(a), detail::braced_shape<R>(to));
  }

 private:
  template <class E, shape_type S>
  static constexpr auto summed(const E& e, const S& to) {
    using own_shape = detail::shape_of<E>;
    constexpr bool fits = detail::may_sum_to<own_shape, S>();
    static_assert(
        fits, "sum_to: the array's shape is not an expansion of the shape it is to be summed to [errors.md#sum-to]");
    if constexpr (fits) {
      const auto own = e.shape().extents();
      constexpr int rank = own_shape::axes_count, gone = rank - S::axes_count;
      for (int i = gone; i < rank; ++i)
        if (to[i - gone] != 1 && to[i - gone] != own[i])
          detail::throw_not_a_sum_to(to.extents().v, S::axes_count, own.v, rank);
      using shape = detail::shape_from<detail::summed_to_extents<own_shape, S>()>;
      detail::check_count("sum_to", e.shape());
      using node = detail::reduced<detail::sum_r, E, shape>;
      return deferred<node>(
          node(e, shape::unchecked(to.extents()), detail::sum_to_bits(e.shape(), to), runtime::reduction::sum));
    }
  }
} sum_to{};

}  // namespace broadloom
