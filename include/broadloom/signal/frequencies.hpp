// The frequencies of the elements of a Fourier transform, and the shift of frequency 0 to the middle.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/rearrange.hpp>
#include <broadloom/tensor/iota.hpp>
#include <broadloom/tensor/tensor.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_transform_length(const char* call, index n, int axis,
                                                                          const shape_view& x) {
  throw_error(error_kind::transform_length, {call, n, axis, &x});
}

template <bool Back>
struct fft_shift : refuses_other_arguments<fft_shift<Back>> {
  static constexpr text call{"fftshift(x, axes<0, 1>)"};
  using refuses_other_arguments<fft_shift<Back>>::operator();
  template <array X>
  constexpr auto operator()(X&& x) const {
    return each(capture(static_cast<X&&>(x)), make_sequence<rank_of<node_of<X>>>{});
  }
  template <array X, index... A>
  constexpr auto operator()(X&& x, axes_t<A...>) const {
    return shifted<A...>(capture(static_cast<X&&>(x)));
  }
  template <array X, integer_like A>
  constexpr auto operator()(X&& x, A axis) const {
    const auto e = capture(static_cast<X&&>(x));
    const index n = e.shape()[normal_axis(static_cast<index>(axis), rank_of<decltype(e)>, "fftshift")];
    return roll(e, Back ? -(n / 2) : n / 2, axis);
  }

 private:
  template <class E, int... At>
  static constexpr auto each(const E& e, sequence<At...>) {
    return shifted<index{At}...>(e);
  }
  template <class E>
  static constexpr auto shifted(const E& e) {
    return e;
  }
  template <index First, index... A, class E>
  static constexpr auto shifted(const E& e) {
    return shifted<A...>(fft_shift{}(e, integer_constant<First>{}));
  }
};

}  // namespace detail

// fftfreq<T = float>(n, d = 1): the frequencies of fft's elements at a distance d of samples: 0, 1, ..., -2, -1 over n
// d. rfftfreq: of rfft's n / 2 + 1 elements (torch.fft, NumPy). Throws shape_error for n < 1.
template <class T = float, detail::integer_like N>
auto fftfreq(N n, double d = 1) {
  const index count = static_cast<index>(n);
  if (count < 1) detail::throw_transform_length("fftfreq", count, 0, {&count, 1});
  using shape = shape<detail::extent_of<N>()>;
  auto r = tensor<T, shape>::uninitialised(shape::unchecked({{count}}));
  const index half = (count + 1) / 2;
  const double step = 1 / (static_cast<double>(count) * d);
  assign(narrow(r.as_view(), 0, index{0}, half), cast<T>(iota<double>(half) * step));
  if (count > 1)
    assign(narrow(r.as_view(), 0, half, count - half),
           cast<T>((iota<double>(count - half) + static_cast<double>(half - count)) * step));
  return r;
}
template <class T = float, detail::integer_like N>
auto rfftfreq(N n, double d = 1) {
  const index count = static_cast<index>(n);
  if (count < 1) detail::throw_transform_length("rfftfreq", count, 0, {&count, 1});
  constexpr index known = detail::extent_of<N>();
  using shape = shape<detail::is_dyn(known) ? dyn : known / 2 + 1>;
  auto r = tensor<T, shape>::uninitialised(shape::unchecked({{count / 2 + 1}}));
  assign(r, cast<T>(iota<double>(count / 2 + 1) * (1 / (static_cast<double>(count) * d))));
  return r;
}

// Other arguments.
namespace detail {
struct fftfreq_call {
  static constexpr text call{"fftfreq(n, d)"};
};
}  // namespace detail
template <class T = float>
errors_md::write_the_arguments_as_in<detail::fftfreq_call::call> fftfreq(const detail::any_argument& = {},
                                                                         const detail::any_argument& = {},
                                                                         const detail::any_argument& = {});
template <class T = float>
errors_md::write_the_arguments_as_in<detail::fftfreq_call::call> rfftfreq(const detail::any_argument& = {},
                                                                          const detail::any_argument& = {},
                                                                          const detail::any_argument& = {});

// fftshift(x), fftshift(x, axis), fftshift(x, axes<0, 1>): x rolled by half of each axis, so that the element of
// frequency 0 is in the middle. ifftshift: back (torch.fft, NumPy).
inline constexpr detail::fft_shift<false> fftshift{};
inline constexpr detail::fft_shift<true> ifftshift{};

}  // namespace broadloom
