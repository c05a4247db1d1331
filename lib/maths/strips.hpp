// Strip loops over a vector function, and corrections of the lanes that it gets wrong. Everything is a template on a
// pack of one level, so that no two levels share a function; for the same reason the standard library is not used.
#pragma once

#include "floats.hpp"
#include "gelu_by_erfc.hpp"
#include "own.hpp"
#include "own_quick.hpp"
#include "simple_powers.hpp"
#include "summed.hpp"
#include "table.hpp"

namespace broadloom::runtime {

// Our own functions that leave arguments to single numbers by their result.
template <maths1 F, maths_source Source>
inline constexpr bool is_repaired = F == maths1::lgamma && Source == maths_source::own;

// The lanes of r = f(x) for which SLEEF 3.5.1, or our own function, is wrong.
template <maths1 F, maths_source Source, class Pack>
inline unsigned wrong_lanes([[maybe_unused]] const typename Pack::element* x, [[maybe_unused]] typename Pack::value r) {
  using s = lane_checks<Pack>;
  if constexpr (is_repaired<F, Source>) {
    // Next to zeros: of floats 2^-49 is cancelled there.
    return s::small_but_not_zero(Pack::splat(0x1p-10F), r);
  } else if constexpr (Source != maths_source::sleef) {
    return 0;
  } else if constexpr (F == maths1::log1p) {
    // SLEEF gives infinity for large arguments, and 0 for subnormal ones.
    return Pack::less(s::either(1e37, 1e306), Pack::load(x)) |
           s::small_but_not_zero(s::either(1.2e-38, 2.3e-308), Pack::load(x));
  } else if constexpr (F == maths1::exp) {
    // SLEEF gives infinity just below the logarithm of the largest number.
    const unsigned infinite = s::infinite(r);
    return infinite == 0 ? 0 : infinite & Pack::less(Pack::load(x), s::either(88.73, 709.79));
  } else if constexpr (F == maths1::asinh || F == maths1::acosh) {
    // SLEEF gives infinity if the square overflows, and 0 for the smallest number.
    return Pack::less(s::either(1e18, 1e153), Pack::abs(Pack::load(x))) |
           s::small_but_not_zero(s::either(1.2e-38, 2.3e-308), Pack::load(x));
  } else if constexpr (F == maths1::tan) {
    // SLEEF gives 0 for the smallest number.
    return s::small_but_not_zero(s::either(1.2e-38, 2.3e-308), Pack::load(x));
  } else if constexpr (F == maths1::sinh || F == maths1::cosh) {
    // SLEEF gives infinity if exp(x) overflows, even if half of it does not.
    return s::between(s::either(88.0, 709.0), Pack::abs(Pack::load(x)), s::either(90.0, 711.0));
  } else if constexpr (F == maths1::erfc) {
    // Results near the subnormals are rounded twice.
    return s::between(s::either(9.0, 26.0), Pack::load(x), s::either(10.1, 27.3));
  } else if constexpr (F == maths1::gelu) {
    // The same, of doubles.
    return s::between(Pack::splat(-39), Pack::load(x), Pack::splat(-36));
  } else if constexpr (F == maths1::lgamma) {
    // For negative arguments the error is absolute, not relative: of doubles 0.57 units where the result is 1/4.
    // Infinite for large ones.
    return (Pack::less(Pack::load(x), s::either(0, 0)) & Pack::less(Pack::abs(r), s::either(__builtin_inf(), 0.25))) |
           Pack::less(s::either(4e36, 2e305), Pack::load(x));
  } else if constexpr (F == maths1::tgamma) {
    // Inaccurate if the result is nearly subnormal, and +0 instead of -0 below.
    return Pack::less(Pack::load(x), s::either(-30.0, -165.0));
  } else {
    return 0;
  }
}

template <maths2 F, maths_source Source, class Pack>
inline unsigned wrong_lanes([[maybe_unused]] const typename Pack::element* x,
                            [[maybe_unused]] const typename Pack::element* y, [[maybe_unused]] typename Pack::value r) {
  using s = lane_checks<Pack>;
  if constexpr (F == maths2::fmod) {
    // Quotients that are too large, division by infinity, and by 0.
    const auto b = Pack::abs(Pack::load(y));
    return Pack::less(s::either(0x1p28, 0x1p51) * b, Pack::abs(Pack::load(x))) | s::infinite(b);
  } else if constexpr (Source != maths_source::sleef) {
    return 0;
  } else if constexpr (F == maths2::pow) {
    // SLEEF gives infinity just below the largest number, so an infinite power of finite numbers is computed again.
    const unsigned infinite = s::infinite(r);
    return infinite == 0 ? 0 : infinite & ~(s::infinite(Pack::load(x)) | s::infinite(Pack::load(y)));
  } else if constexpr (F == maths2::atan2 || F == maths2::hypot) {
    // Without FMA, results near the subnormals are rounded twice.
    return !Pack::has_fma ? s::small_but_not_zero(s::either(1e-36, 1e-306), r) : 0u;
  } else {
    return 0;
  }
}

template <maths1 F, class Pack>
[[gnu::noinline]] void repair(const typename Pack::element* x, typename Pack::element* r, unsigned lanes) {
  for (index k = 0; k < Pack::width; ++k)
    if (lanes >> k & 1u) r[k] = exact(F, x[k]);
}

template <maths2 F, class Pack>
[[gnu::noinline]] void repair(const typename Pack::element* x, const typename Pack::element* y,
                              typename Pack::element* r, unsigned lanes) {
  for (index k = 0; k < Pack::width; ++k)
    if (lanes >> k & 1u) r[k] = exact(F, x[k], y[k]);
}

// Another library's function is called through a register. Compilers would call it through memory, which costs up to a
// twentieth of libmvec's time for a vector.
template <maths_source Source, class Function>
inline Function kept(Function f) {
  if constexpr (Source != maths_source::own) __asm__("" : "+r"(f));
  return f;
}

// One pack. `out` may be x or y, so corrections go through a buffer. `kept`: the function, as kept() returns it.
template <maths1 F, maths_source Source, class Pack, auto Function, auto Rest>
inline void call(const typename Pack::element* x, typename Pack::element* out,
                 [[maybe_unused]] decltype(Function) kept = Function) {
  typename Pack::value r;
  if constexpr (Source == maths_source::own)
    r = Function(Pack::load(x));
  else
    r = kept(Pack::load(x));
  if constexpr (Source == maths_source::own && is_limited<F, Pack, Function>()) {
    if (const unsigned lanes = beyond_limits<F, Pack>(Pack::load(x)); lanes != 0) [[unlikely]] {
      typename Pack::element buffer[Pack::width];
      Pack::store(buffer, r);
      beyond<Pack, Rest>(x, buffer, lanes);
      r = Pack::load(buffer);
    }
  } else if (const unsigned lanes = wrong_lanes<F, Source, Pack>(x, r); lanes != 0) [[unlikely]] {
    typename Pack::element buffer[Pack::width];
    Pack::store(buffer, r);
    repair<F, Pack>(x, buffer, lanes);
    r = Pack::load(buffer);
  }
  Pack::store(out, r);
}

template <maths2 F, maths_source Source, class Pack, auto Function>
[[gnu::always_inline]] inline void call(const typename Pack::element* x, const typename Pack::element* y,
                                        typename Pack::element* out,
                                        [[maybe_unused]] decltype(Function) kept = Function) {
  typename Pack::value r;
  [[maybe_unused]] unsigned simple = 0;
  if constexpr (F == maths2::pow) {
    simple = simple_powers<Pack>::lanes(Pack::load(y));
    if (simple == simple_powers<Pack>::all && simple_powers<Pack>::of_all(Pack::load(x), Pack::load(y), r))
      return Pack::store(out, r);
  }
  if constexpr (Source == maths_source::own)
    r = Function(Pack::load(x), Pack::load(y));
  else
    r = kept(Pack::load(x), Pack::load(y));
  if (const unsigned lanes = wrong_lanes<F, Source, Pack>(x, y, r); lanes != 0) [[unlikely]] {
    typename Pack::element buffer[Pack::width];
    Pack::store(buffer, r);
    repair<F, Pack>(x, y, buffer, lanes);
    r = Pack::load(buffer);
  }
  if constexpr (F == maths2::pow)
    if (simple != 0) [[unlikely]] {
      typename Pack::element buffer[Pack::width];
      Pack::store(buffer, r);
      simple_powers<Pack>::of_some(x, y, buffer, simple);
      r = Pack::load(buffer);
    }
  Pack::store(out, r);
}

// Body and tail run the same vector code, so an element's value does not depend on its position. The tail is padded
// with its last element: no slower path, and no exception flag that the strip does not raise anyway. It is a function
// of its own, so that its memory and masks take no register from the body.
template <maths1 F, maths_source Source, class Pack, auto Function, auto Rest>
[[gnu::noinline]] void run_tail1(const typename Pack::element* x, typename Pack::element* out, index n) {
  using first = first_lanes<Pack>;
  if constexpr (Source == maths_source::own && !is_repaired<F, Source>) {
    first::store(out, with_number<F, Pack, Function, Rest, before::nothing>(first::load(x, n), Pack::splat(0)), n);
  } else {
    typename Pack::element tail[Pack::width];
    Pack::store(tail, first::load(x, n));
    call<F, Source, Pack, Function, Rest>(tail, tail);
    first::store(out, Pack::load(tail), n);
  }
}
// Flattened: a function that is used at several places would be called, and load its constants for each vector.
template <maths1 F, maths_source Source, class Pack, auto Function, auto Rest>
[[gnu::flatten]] void run_strip1(const typename Pack::element* x, typename Pack::element* out, index n) {
  constexpr index width = Pack::width;
  index i = 0;
  const auto function = kept<Source>(Function);
  for (; i + width <= n; i += width) call<F, Source, Pack, Function, Rest>(x + i, out + i, function);
  if (i < n) run_tail1<F, Source, Pack, Function, Rest>(x + i, out + i, n - i);
}

template <maths2 F, maths_source Source, class Pack, auto Function>
[[gnu::noinline]] void run_tail2(const typename Pack::element* x, const typename Pack::element* y,
                                 typename Pack::element* out, index n) {
  using first = first_lanes<Pack>;
  typename Pack::element tail_x[Pack::width], tail_y[Pack::width];
  Pack::store(tail_x, first::load(x, n));
  Pack::store(tail_y, first::load(y, n));
  call<F, Source, Pack, Function>(tail_x, tail_y, tail_x);
  first::store(out, Pack::load(tail_x), n);
}
template <maths2 F, maths_source Source, class Pack, auto Function>
void run_strip2(const typename Pack::element* x, const typename Pack::element* y, typename Pack::element* out,
                index n) {
  constexpr index width = Pack::width;
  index i = 0;
  const auto function = kept<Source>(Function);
  for (; i + width <= n; i += width) call<F, Source, Pack, Function>(x + i, y + i, out + i, function);
  if (i < n) run_tail2<F, Source, Pack, Function>(x + i, y + i, out + i, n - i);
}

// Powers with one scalar exponent.
template <maths_source Source, class Pack, auto Function, int Which>
void run_power(const typename Pack::element* x, typename Pack::element* out, index n) {
  using element = typename Pack::element;
  constexpr index width = Pack::width;
  element by[width];
  for (index k = 0; k < width; ++k) by[k] = static_cast<element>(simple_exponents[Which]);
  for (index i = 0; i < n; i += width) {
    typename Pack::value r;
    if (n - i >= width && simple_powers<Pack>::template one<Which>(Pack::load(x + i), r)) [[likely]]
      Pack::store(out + i, r);
    else
      run_strip2<maths2::pow, Source, Pack, Function>(x + i, by, out + i, n - i < width ? n - i : width);
  }
}

consteval const char* name_of(maths_source s) {
  return s == maths_source::sleef     ? (BROADLOOM_SLEEF ? "sleef" : "libm")
         : s == maths_source::libmvec ? "libmvec"
                                      : "broadloom";
}

// Rest is SLEEF's function, for arguments beyond the limit of our own.
template <maths1 F, maths_source Source, class Pack, auto Function, auto Rest = Function>
consteval maths_entry<strip1<typename Pack::element>> entry1() {
  if constexpr (Source == maths_source::own && is_summed<F, Pack>) {
    maths_entry<strip1<typename Pack::element>> e{&run_strip1<F, Source, Pack, Function, Rest>,
                                                  name_of(Source),
                                                  {&run_summed<F, Pack, Function, Rest, before::nothing>}};
    // Logarithms of differences and products are not summed often enough to be worth their compile time.
    if constexpr (F != maths1::log && F != maths1::log1p) {
      e.summed[static_cast<int>(before::minus)] = &run_summed<F, Pack, Function, Rest, before::minus>;
      e.summed[static_cast<int>(before::times)] = &run_summed<F, Pack, Function, Rest, before::times>;
    }
    return e;
  } else {
    return {&run_strip1<F, Source, Pack, Function, Rest>, name_of(Source)};
  }
}

template <maths2 F, maths_source Source, class Pack, auto Function, auto = Function>
consteval maths_entry<strip2<typename Pack::element>> entry2() {
  if constexpr (F == maths2::pow)
    return {&run_strip2<F, Source, Pack, Function>,
            name_of(Source),
            {&run_power<Source, Pack, Function, 0>, &run_power<Source, Pack, Function, 1>,
             &run_power<Source, Pack, Function, 2>, &run_power<Source, Pack, Function, 3>,
             &run_power<Source, Pack, Function, 4>, &run_power<Source, Pack, Function, 5>}};
  else
    return {&run_strip2<F, Source, Pack, Function>, name_of(Source)};
}

}  // namespace broadloom::runtime
