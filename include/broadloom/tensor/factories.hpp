// Making arrays: zeros, ones, full, arange, linspace, eye, rand, randn.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/shape/braced.hpp>
#include <broadloom/tensor/eval.hpp>
#include <broadloom/tensor/generator.hpp>

namespace broadloom {

namespace errors_md {
// rand<float>(2, 3)
struct write_the_generator_first_as_in_rand_of_g_and_extents;
// rand<float>(bl::generator(0), 2, 3)
struct write_a_generator_with_a_name_bl_generator_g_0;
// zeros<int>(amax(k) + 1)
struct write_extents_as_numbers_zeros_amax_k_item;
// full<T>(2, 3, x)
struct write_the_extents_in_braces_full_2_3_x;
// full<float>({2, 3})
struct write_the_value_too_or_zeros_or_ones;
}  // namespace errors_md

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_step() { throw_error(error_kind::bad_step, {}); }

// The number of elements of arange; throws when the step does not lead from start to stop. Of integers it is exact.
BROADLOOM_API index arange_size(double start, double stop, double step);
BROADLOOM_API index arange_size(index start, index stop, index step);
BROADLOOM_API index arange_size(std::size_t start, std::size_t stop, std::size_t step);

// first + i * step and linspace's elements, compiled: the same bits with a caller's flags, whatever they are.
// To n elements of f32 or f64: from `first` by steps, or to the last one.
BROADLOOM_API void fill_arange(bool f64, void* to, index n, double first, double step);
BROADLOOM_API void fill_linspace(bool f64, void* to, index n, double start, double stop);

template <class T>
void fill_with(T* data, index n, T x) {
  for (index i = 0; i < n; ++i) data[i] = x;
}

}  // namespace detail

namespace detail {
// What zeros and the like say of a result, a text or a fraction where they want a number.
struct extents_are_numbers {
  template <class... N, class = std::enable_if_t<(!integer_like<N> || ...)>>
  errors_md::write_extents_as_numbers_zeros_amax_k_item operator()(const N&...) const;
};
}  // namespace detail

// empty<T>(5, n, 4_c), empty<T>({5, n}), empty<T>(shape): elements not initialised. Constants become static extents,
// except in braces. Throws shape_error for negative extents.
template <element T>
struct empty_t : detail::extents_are_numbers {
  using extents_are_numbers::operator();
  template <detail::integer_like... N>
  constexpr auto operator()(N... n) const {
    return (*this)(make_shape(n...));
  }
  template <detail::axis_list L>
  constexpr auto operator()(const L& extents) const {
    return detail::unpack_list(extents, *this);
  }
  template <shape_type S>
  constexpr auto operator()(const S& s) const {
    return tensor<T, S>::uninitialised(s);
  }
  template <int R>
  constexpr auto operator()(detail::braced_extents<R> s) const {
    return (*this)(detail::braced_shape<R>(s));
  }
};
template <element T>
inline constexpr empty_t<T> empty{};

// zeros<T>(extents...), zeros<T>({extents...}) and zeros<T>(shape).
template <element T>
struct zeros_t : detail::extents_are_numbers {
  using extents_are_numbers::operator();
  template <detail::integer_like... N>
  constexpr auto operator()(N... n) const {
    return (*this)(make_shape(n...));
  }
  template <detail::axis_list L>
  constexpr auto operator()(const L& extents) const {
    return detail::unpack_list(extents, *this);
  }
  template <shape_type S>
  constexpr auto operator()(const S& s) const {
    return tensor<T, S>(s);
  }
  template <int R>
  constexpr auto operator()(detail::braced_extents<R> s) const {
    return (*this)(detail::braced_shape<R>(s));
  }
};
template <element T>
inline constexpr zeros_t<T> zeros{};

// full(shape, x), full({extents...}, x): every element x, of x's type; full<T>(shape, x) of T.
template <class T = void, shape_type S, class X>
constexpr auto full(const S& s, X x) {
  using to = std::conditional_t<std::is_void_v<T>, X, T>;
  auto r = tensor<to, S>::uninitialised(s);
  if constexpr (detail::number_scalar<X>)
    r = detail::number_as<to>(x);
  else
    r = static_cast<to>(x);
  return r;
}
template <class T = void, int R, class X>
constexpr auto full(detail::braced_extents<R> s, X x) {
  return full<T>(detail::braced_shape<R>(s), x);
}

// full<T>({extents...})
template <class T = void, int R>
errors_md::write_the_value_too_or_zeros_or_ones full(detail::braced_extents<R>);
// full<T>(2, 3, x)
template <class T = void, detail::integer N, detail::number_scalar... X>
  requires(sizeof...(X) > 0)
errors_md::write_the_extents_in_braces_full_2_3_x full(N, X...);

// ones<T>(extents...), ones<T>({extents...}) and ones<T>(shape).
template <element T>
struct ones_t : detail::extents_are_numbers {
  using extents_are_numbers::operator();
  template <detail::integer_like... N>
  constexpr auto operator()(N... n) const {
    return (*this)(make_shape(n...));
  }
  template <detail::axis_list L>
  constexpr auto operator()(const L& extents) const {
    return detail::unpack_list(extents, *this);
  }
  template <shape_type S>
  constexpr auto operator()(const S& s) const {
    return full<T>(s, T(1));
  }
  template <int R>
  constexpr auto operator()(detail::braced_extents<R> s) const {
    return (*this)(detail::braced_shape<R>(s));
  }
};
template <element T>
inline constexpr ones_t<T> ones{};

namespace detail {

// arange of constants: a static extent.
template <class T, index Start, index Stop, index Step>
constexpr auto static_arange() {
  constexpr bool leads = Step != 0 && (Step > 0 ? Start <= Stop : Start >= Stop);
  static_assert(leads, "arange: the step is 0, or leads away from stop [errors.md#constant-arange]");
  constexpr index n = leads ? (Stop - Start + Step - (Step > 0 ? 1 : -1)) / (leads ? Step : 1) : 0;
  tensor<T, shape<n>> r;
  for (index i = 0; i < n; ++i) r.data()[i] = static_cast<T>(Start + i * Step);
  return r;
}

}  // namespace detail

// arange<T>(stop), arange<T>(start, stop, step = 1): start, start + step, ... before stop, element i being start + i *
// step. Integers may be given for every T, and are counted exactly; of constants, arange<int>(3_c), the extent is
// static. Throws shape_error when the step is 0 or leads away from stop (PyTorch's rule), or when the elements cannot
// be counted.
template <element T>
struct arange_t : detail::refuses_other_arguments<arange_t<T>> {
  static constexpr detail::text call{"arange<T>(start, stop, step)"};
  using detail::refuses_other_arguments<arange_t>::operator();
  template <detail::constant N>
  constexpr auto operator()(N) const {
    return detail::static_arange<T, 0, N::value, 1>();
  }
  template <detail::constant N, detail::constant M, detail::constant S = boost::hana::integral_constant<index, 1>>
  constexpr auto operator()(N, M, S = {}) const {
    return detail::static_arange<T, N::value, M::value, S::value>();
  }
  auto operator()(T stop) const { return (*this)(T(0), stop); }
  auto operator()(T start, T stop, T step = T(1)) const {
    constexpr bool whole = std::is_integral_v<T>;
    using wide = std::conditional_t<!whole, double, std::conditional_t<std::is_signed_v<T>, index, std::size_t>>;
    return of(static_cast<wide>(start), static_cast<wide>(stop), static_cast<wide>(step));
  }
  template <detail::integer... N>
    requires(std::is_floating_point_v<T> && sizeof...(N) > 0 && sizeof...(N) < 4)
  auto operator()(N... n) const {
    constexpr int given = sizeof...(N);
    const double x[] = {static_cast<double>(n)...};
    return of(given > 1 ? x[0] : 0, x[given > 1], given > 2 ? x[given - 1] : 1);
  }

 private:
  template <class W>
  static auto of(W start, W stop, W step) {
    const index n = detail::arange_size(start, stop, step);
    auto r = dtensor<T, 1>::uninitialised(dshape<1>(n));
    if constexpr (std::is_integral_v<T>) {  // modulo 2^64: i * step alone may be out of range
      auto x = static_cast<std::size_t>(start);
      for (index i = 0; i < n; ++i, x += static_cast<std::size_t>(step)) r.data()[i] = static_cast<T>(x);
    } else {
      detail::fill_arange(sizeof(T) == 8, r.data(), n, static_cast<T>(start), static_cast<T>(step));
    }
    return r;
  }
};
// Elements of 16 bits are those of arange<float>, rounded.
template <element T>
  requires detail::is_half_type<T>
struct arange_t<T> {
  auto operator()(float stop) const { return of(stop); }
  auto operator()(float start, float stop, float step = 1) const { return of(start, stop, step); }
  template <detail::integer_like... N>
    requires(sizeof...(N) > 0 && sizeof...(N) < 4)
  auto operator()(N... n) const {
    return of(n...);
  }

 private:
  template <class... N>
  static auto of(N... n) {
    const auto wide = arange_t<float>{}(n...);
    auto r = tensor<T, std::remove_cvref_t<decltype(wide.shape())>>::uninitialised(wide.shape());
    for (index i = 0; i < wide.size(); ++i) r.data()[i] = static_cast<T>(wide.data()[i]);
    return r;
  }
};
template <element T>
inline constexpr arange_t<T> arange{};

// linspace<T>(start, stop, n): n evenly spaced values with both ends, symmetric as PyTorch computes it. n may be a
// constant. linspace<T>(start, stop, n, false): without the last end, start + i * (stop - start) / n (NumPy's
// endpoint).
template <element T>
struct linspace_t : detail::refuses_other_arguments<linspace_t<T>> {
  static constexpr detail::text call{"linspace<T>(start, stop, n)"};
  using detail::refuses_other_arguments<linspace_t>::operator();
  auto operator()(T start, T stop, index n) const { return of(start, stop, dshape<1>(n)); }
  template <detail::constant N>
  constexpr auto operator()(T start, T stop, N n) const {
    return of(start, stop, make_shape(n));
  }
  template <detail::integer_like N>
  auto operator()(T start, T stop, N n, detail::plain_flag endpoint) const {
    auto r = (*this)(start, stop, n);
    if constexpr (detail::floating_element<T>)
      if (!endpoint && r.size() > 0)
        detail::fill_arange(sizeof(T) == 8, r.data(), r.size(), start, (stop - start) / static_cast<T>(r.size()));
    return r;
  }

 private:
  template <class S>
  static constexpr auto of(T start, T stop, const S& s) {
    constexpr bool fits = detail::floating_element<T>;
    static_assert(fits,
                  "linspace gives floating numbers: write cast<T>(linspace<double>(start, stop, n)) "
                  "[errors.md#linspace-of-integers]");
    auto r = tensor<T, S>::uninitialised(s);
    const index n = s[0];
    if (!__builtin_is_constant_evaluated()) {
      if constexpr (fits) detail::fill_linspace(sizeof(T) == 8, r.data(), n, start, stop);
      return r;
    }
    const T step = n > 1 ? (stop - start) / static_cast<T>(n - 1) : T(0);
    for (index i = 0; i < n; ++i) {
      const T up = static_cast<T>(i), down = static_cast<T>(n - 1 - i);
      r.data()[i] = up < down || n == 1 ? start + step * up : stop - step * down;
    }
    return r;
  }
};
template <element T>
  requires detail::is_half_type<T>
struct linspace_t<T> {
  template <detail::integer_like N>
  auto operator()(float start, float stop, N n, detail::plain_flag endpoint = true) const {
    const auto wide = linspace_t<float>{}(start, stop, n, endpoint);
    auto r = tensor<T, std::remove_cvref_t<decltype(wide.shape())>>::uninitialised(wide.shape());
    for (index i = 0; i < n; ++i) r.data()[i] = static_cast<T>(wide.data()[i]);
    return r;
  }
};
template <element T>
inline constexpr linspace_t<T> linspace{};

// eye<T>(n), eye<T>(n, m): ones on the diagonal of an (n, n) or (n, m) array of zeros.
template <element T>
struct eye_t : detail::refuses_other_arguments<eye_t<T>> {
  static constexpr detail::text call{"eye<T>(n, m)"};
  using detail::refuses_other_arguments<eye_t>::operator();
  template <detail::integer_like N>
  constexpr auto operator()(N n) const {
    return (*this)(n, n);
  }
  template <detail::integer_like N, detail::integer_like M>
  constexpr auto operator()(N n, M m) const {
    auto r = zeros<T>(n, m);
    diagonal(r) = T(1);
    return r;
  }
};
template <element T>
inline constexpr eye_t<T> eye{};

namespace detail {

struct generator_first {
  template <class N, class... M, class = std::enable_if_t<!__is_same(N, generator)>>
  errors_md::write_the_generator_first_as_in_rand_of_g_and_extents operator()(const N&, const M&...) const;
  template <int R, class... M>
  errors_md::write_the_generator_first_as_in_rand_of_g_and_extents operator()(braced_extents<R>, const M&...) const;
  template <class... M>
  errors_md::write_a_generator_with_a_name_bl_generator_g_0 operator()(const generator&&, const M&...) const;
  template <int R>
  errors_md::write_a_generator_with_a_name_bl_generator_g_0 operator()(const generator&&, braced_extents<R>) const;
};

template <class T, auto Fill>
struct random_t : generator_first, refuses_other_arguments<random_t<T, Fill>> {
  static constexpr text call{"rand<T>(g, {2, 3})"};
  using generator_first::operator(), refuses_other_arguments<random_t>::operator();
  template <shape_type S>
  auto operator()(generator& g, const S& s) const {
    auto r = tensor<T, S>::uninitialised(s);
    Fill(r.data(), r.size(), g.seed(), g.draw(r.size()), 0);
    return r;
  }
  template <int R>
  auto operator()(generator& g, braced_extents<R> s) const {
    return (*this)(g, braced_shape<R>(s));
  }
  template <integer_like... N>
  auto operator()(generator& g, N... n) const {
    return (*this)(g, make_shape(n...));
  }
};

template <class T>
using filler = void (*)(T*, index, std::uint64_t, std::uint64_t, int);

// Of elements of 16 bits: tensor/half_random.hpp.
template <class T, bool Normal>
struct half_random;
template <class T>
struct uniform_random : random_t<T, static_cast<filler<T>>(&runtime::fill_uniform)> {};
template <class T>
struct normal_random : random_t<T, static_cast<filler<T>>(&runtime::fill_normal)> {};
template <class T>
  requires is_half_type<T>
struct uniform_random<T> : half_random<T, false> {};
template <class T>
  requires is_half_type<T>
struct normal_random<T> : half_random<T, true> {};

}  // namespace detail

// rand<T>(gen, shape), rand<T>(gen, 2, n): uniform in [0, 1). The values depend on the generator's seed and position,
// never on threads.
template <element T>
  requires(std::is_floating_point_v<T> || detail::is_half_type<T>)
inline constexpr detail::uniform_random<T> rand{};
// randn<T>(gen, shape), randn<T>(gen, 2, n): standard normal.
template <element T>
  requires(std::is_floating_point_v<T> || detail::is_half_type<T>)
inline constexpr detail::normal_random<T> randn{};

}  // namespace broadloom
