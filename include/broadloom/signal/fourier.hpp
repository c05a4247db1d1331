// Discrete Fourier transforms of any length, over any axes: fft, ifft, rfft, irfft, hfft, ihfft, and those of two and
// more axes.
#pragma once

#include <complex>

#include <broadloom/expr/axis_op.hpp>
#include <broadloom/expr/slice.hpp>
#include <broadloom/signal/filtered.hpp>
#include <broadloom/signal/fourier_call.hpp>
#include <broadloom/signal/frequencies.hpp>

namespace broadloom {

// Which way is divided by the number of elements: the inverse one, both by its root, or the forward one.
enum class fft_norm : unsigned char { backward, ortho, forward };

namespace detail {

BROADLOOM_API double transform_scale(index n, bool inverse, fft_norm norm);

using runtime::fourier_kind;

enum class fft_kind : unsigned char { fft, ifft, rfft, irfft, hfft, ihfft };
constexpr fourier_kind kind_of(fft_kind t) {
  return t == fft_kind::fft || t == fft_kind::ifft     ? fourier_kind::complex
         : t == fft_kind::rfft || t == fft_kind::ihfft ? fourier_kind::to_half
                                                       : fourier_kind::from_half;
}
constexpr bool is_inverse(fft_kind t) { return t == fft_kind::ifft || t == fft_kind::irfft || t == fft_kind::ihfft; }

template <fft_kind K>
struct fourier_f {
  int axis;
  index n;
  double scale;

  constexpr bool operator==(const fourier_f&) const = default;
  static constexpr const char* name() {
    constexpr const char* names[] = {"fft", "ifft", "rfft", "irfft", "hfft", "ihfft"};
    return names[static_cast<int>(K)];
  }
  void run(const runtime::signal_operand* x, void* to, const index*, const runtime::options& how) const {
    runtime::fourier(
        {x->data, x->type, x->rank, axis, x->extents, x->strides, to, n, kind_of(K), is_inverse(K), scale, how});
  }
};

// The element type in which one of T is transformed: floating numbers of 16 bits in f32, integers as by sqrt.
template <class T>
using transformed_type = arithmetic_type<floating_type<T>>;

// The length of a transform of an axis of `extent`, and the extent of its result; either of them perhaps dyn.
template <fft_kind K, class N>
constexpr index length_of(N n, index extent) {
  if constexpr (integer_like<N>)
    return static_cast<index>(n);
  else if constexpr (kind_of(K) == fourier_kind::from_half)
    return is_dyn(extent) ? dyn : 2 * (extent - 1);
  else
    return extent;
}
template <fft_kind K>
constexpr index transformed_extent(index n) {
  return kind_of(K) == fourier_kind::to_half && !is_dyn(n) ? n / 2 + 1 : n;
}
// The shape of the result as the compiler knows it.
template <fft_kind K, class E, class A, class N>
constexpr auto transformed_extents() {
  using own = shape_of<E>;
  constexpr int rank = own::axes_count;
  common_extents<rank> r;
  for_each_axis<A>(rank, [&](int a) {
    auto x = own::static_extents;
    index n = dyn;
    if constexpr (constant<N>)
      n = N::value;
    else if constexpr (__is_same(N, all_t))
      n = length_of<K>(all, x[a]);
    x[a] = !is_dyn(n) && n < 1 ? dyn : transformed_extent<K>(n);
    r.add(x);
  });
  return r.extents;
}

template <fft_kind K, class E, class N, class A>
constexpr auto transformed(const E& e, N n, A axis, fft_norm norm) {
  using F = fourier_f<K>;
  constexpr int rank = rank_of<E>;
  static_assert(rank > 0, "a Fourier transform wants an array of at least one axis [errors.md#transform-operands]");
  if constexpr (constant<A>)
    static_assert(is_axis(A::value, rank),
                  "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
  const int a = normal_axis(static_cast<index>(axis), rank, F::name());
  auto x = e.shape().extents();
  const index length = length_of<K>(n, x[a]);
  if (length < 1) throw_transform_length(F::name(), length, a, {e.shape().data(), rank});
  x[a] = transformed_extent<K>(length);
  using T = value_of<E>;
  using result = std::conditional_t<kind_of(K) == fourier_kind::from_half, real_of<T>, std::complex<real_of<T>>>;
  using shape = shape_from<transformed_extents<K, E, A, N>()>;
  return filter<result>(F{a, length, transform_scale(length, is_inverse(K), norm)}, shape::unchecked(x), e);
}

template <fft_kind K, class X>
constexpr auto transform_argument(X&& x) {
  using T = value_of<node_of<X>>;
  static_assert(
      kind_of(K) != fourier_kind::to_half || !is_complex(dtype_of<T>),
      "rfft and ihfft expect a real input array: take fft of complex elements [errors.md#transform-operands]");
  return argument<transformed_type<T>>(static_cast<X&&>(x));
}

template <fft_kind K>
struct transform_function : refuses_other_arguments<transform_function<K>> {
  static constexpr text call{"fft(x, n, axis, norm)"};
  using refuses_other_arguments<transform_function<K>>::operator();
  template <array X>
  constexpr auto operator()(X&& x, fft_norm norm = fft_norm::backward) const {
    return (*this)(static_cast<X&&>(x), all, integer_constant<-1>{}, norm);
  }
  template <array X, extent_or_all N>
  constexpr auto operator()(X&& x, N n, fft_norm norm = fft_norm::backward) const {
    return (*this)(static_cast<X&&>(x), n, integer_constant<-1>{}, norm);
  }
  template <array X, extent_or_all N, integer_like A>
  constexpr auto operator()(X&& x, N n, A axis, fft_norm norm = fft_norm::backward) const {
    return transformed<K>(transform_argument<K>(static_cast<X&&>(x)), n, axis, norm);
  }
};

// The transforms of several axes: the axis that halves first or last, the others by fft or ifft.
struct all_lengths {
  constexpr all_t operator[](int) const { return {}; }
};
template <fft_kind K, class Axes>
struct transform_of_axes : refuses_other_arguments<transform_of_axes<K, Axes>> {
  static constexpr text call{"fftn(x, lengths, axes<0, 1>, norm)"};
  using refuses_other_arguments<transform_of_axes<K, Axes>>::operator();
  template <array X>
  constexpr auto operator()(X&& x, fft_norm norm = fft_norm::backward) const {
    return along(static_cast<X&&>(x), all_lengths{}, default_axes<X>(), norm);
  }
  template <array X, index... A>
  constexpr auto operator()(X&& x, axes_t<A...> axes, fft_norm norm = fft_norm::backward) const {
    return along(static_cast<X&&>(x), all_lengths{}, axes, norm);
  }
  // Lengths, one for each axis.
  template <array X, class S, index... A>
    requires(is_shape<S> || axis_list<S>)
  constexpr auto operator()(X&& x, const S& lengths, axes_t<A...> axes, fft_norm norm = fft_norm::backward) const {
    return along(static_cast<X&&>(x), lengths, axes, norm);
  }
  template <array X, class S>
    requires(is_shape<S> || axis_list<S>)
  constexpr auto operator()(X&& x, const S& lengths, fft_norm norm = fft_norm::backward) const {
    if constexpr (__is_same(Axes, void)) {
      static_assert(
          length_count<S>() >= 0,
          "the number of lengths must be known to the compiler: std::array, shape [errors.md#transform-operands]");
      return along(static_cast<X&&>(x), lengths, last_axes(make_sequence<static_cast<int>(length_count<S>())>{}), norm);
    } else
      return along(static_cast<X&&>(x), lengths, Axes{}, norm);
  }

 private:
  template <class S>
  static constexpr index length_count() {
    if constexpr (is_shape<S>)
      return S::axes_count;
    else
      return container_extent<S>();
  }
  template <int... At>
  static constexpr auto last_axes(sequence<At...>) {
    return axes_t<(At - static_cast<index>(sizeof...(At)))...>{};
  }
  template <class X>
  static constexpr auto default_axes() {
    if constexpr (__is_same(Axes, void))
      return last_axes(make_sequence<rank_of<node_of<X>>>{});
    else
      return Axes{};
  }
  // The length of axis number At.
  template <int At, class S>
  static constexpr auto length(const S& s) {
    if constexpr (__is_same(S, all_lengths))
      return all;
    else if constexpr (is_shape<S>) {
      if constexpr (!is_dyn(S::static_extents[At]))
        return integer_constant<S::static_extents[At]>{};
      else
        return s[At];
    } else
      return static_cast<index>(s.data()[At]);
  }
  template <class X, class S, index... A>
  static constexpr auto along(X&& x, const S& s, axes_t<A...> axes, fft_norm norm) {
    constexpr int rank = rank_of<node_of<X>>, count = sizeof...(A);
    static_assert(count > 0, "a Fourier transform wants at least one axis [errors.md#transform-operands]");
    static_assert((is_axis(A, rank) && ...),
                  "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
    unsigned bits = 0;
    ((bits = add_axis(bits, A, rank, "fftn")), ...);
    if constexpr (!__is_same(S, all_lengths))
      static_assert(length_count<S>() == count || length_count<S>() == dyn,
                    "when given, axes and lengths must have the same number [errors.md#transform-operands]");
    if constexpr (kind_of(K) == fourier_kind::complex)
      return others<K, 0, count>(transform_argument<K>(static_cast<X&&>(x)), s, axes, norm);
    else {
      constexpr index last = axes_t<A...>::values[count - 1];
      if constexpr (kind_of(K) == fourier_kind::to_half) {
        const auto half = transformed<K>(transform_argument<K>(static_cast<X&&>(x)), length<count - 1>(s),
                                         integer_constant<last>{}, norm);
        return others<is_inverse(K) ? fft_kind::ifft : fft_kind::fft, 0, count - 1>(half, s, axes, norm);
      } else
        return transformed<K>(others<is_inverse(K) ? fft_kind::ifft : fft_kind::fft, 0, count - 1>(
                                  transform_argument<K>(static_cast<X&&>(x)), s, axes, norm),
                              length<count - 1>(s), integer_constant<last>{}, norm);
    }
  }
  template <fft_kind Each, int At, int Count, class E, class S, class Axes_>
  static constexpr auto others(const E& e, const S& s, Axes_ axes, fft_norm norm) {
    if constexpr (At == Count)
      return e;
    else
      return others<Each, At + 1, Count>(
          transformed<Each>(e, length<At>(s), integer_constant<Axes_::values[At]>{}, norm), s, axes, norm);
  }
};

}  // namespace detail

// fft(x, n = all, axis = -1, norm = fft_norm::backward): the transform X[k] = sum over j < n of x[j] exp(-2 pi i j k /
// n) along an axis; x is cut off at n elements or filled up with zeros, and `all` stands for its extent: fft(x, all,
// 0). ifft: with exp(+2 pi i j k / n), divided by n. Complex elements as x's precision; wide integers as f64.
// Shape: x's with n on the axis; constants (8_c) are static. norm says where to divide by n. Any n takes n log n
// operations. Lazy. Throws index_error for a wrong axis, shape_error for n < 1 (torch.fft).
inline constexpr detail::transform_function<detail::fft_kind::fft> fft{};
inline constexpr detail::transform_function<detail::fft_kind::ifft> ifft{};

// rfft(x, n = all, axis = -1, norm): the first n / 2 + 1 elements of fft of real x; the others are their conjugates.
// irfft(x, n = all, axis = -1, norm): the way back, n real elements; n is 2 (extent - 1) unless given, and imaginary
// parts that must be 0 are taken for it. hfft and ihfft: the same for a signal whose transform is real: hfft(x, n)
// gives n real elements, ihfft(x, n) n / 2 + 1 complex ones (torch.fft).
inline constexpr detail::transform_function<detail::fft_kind::rfft> rfft{};
inline constexpr detail::transform_function<detail::fft_kind::irfft> irfft{};
inline constexpr detail::transform_function<detail::fft_kind::hfft> hfft{};
inline constexpr detail::transform_function<detail::fft_kind::ihfft> ihfft{};

// fftn(x, norm), fftn(x, axes<0, 2>, norm), fftn(x, lengths, axes<0, 2>, norm): the transforms along all axes, or
// these, with a length for each, a shape or an array: fftn(x, shape<4, 8>{}, axes<0, 1>); lengths alone belong to the
// last axes. rfftn and ihfftn halve the last of the axes, irfftn and hfftn double it. fft2 and its like: axes<-2, -1>
// unless given.
inline constexpr detail::transform_of_axes<detail::fft_kind::fft, void> fftn{};
inline constexpr detail::transform_of_axes<detail::fft_kind::ifft, void> ifftn{};
inline constexpr detail::transform_of_axes<detail::fft_kind::rfft, void> rfftn{};
inline constexpr detail::transform_of_axes<detail::fft_kind::irfft, void> irfftn{};
inline constexpr detail::transform_of_axes<detail::fft_kind::hfft, void> hfftn{};
inline constexpr detail::transform_of_axes<detail::fft_kind::ihfft, void> ihfftn{};
inline constexpr detail::transform_of_axes<detail::fft_kind::fft, axes_t<-2, -1>> fft2{};
inline constexpr detail::transform_of_axes<detail::fft_kind::ifft, axes_t<-2, -1>> ifft2{};
inline constexpr detail::transform_of_axes<detail::fft_kind::rfft, axes_t<-2, -1>> rfft2{};
inline constexpr detail::transform_of_axes<detail::fft_kind::irfft, axes_t<-2, -1>> irfft2{};
inline constexpr detail::transform_of_axes<detail::fft_kind::hfft, axes_t<-2, -1>> hfft2{};
inline constexpr detail::transform_of_axes<detail::fft_kind::ihfft, axes_t<-2, -1>> ihfft2{};

}  // namespace broadloom
