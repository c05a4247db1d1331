// The only door from a tree to a loop: assign(out, e, policy). Checks the shapes, binds the leaves, runs the program.
#pragma once

#include <broadloom/core/error.hpp>
#include <broadloom/eval/code.hpp>
#include <broadloom/eval/policy.hpp>
#include <broadloom/eval/simd/native.hpp>
#include <broadloom/eval/simd/straight.hpp>
#include <broadloom/plan/bind.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace detail {

[[noreturn]] void throw_overlapping_output();

// The result of shape S may be written to an output of shape O without changing it.
template <class O, class S>
constexpr bool fits_statically() {
  if (S::axes_count > O::axes_count) return false;
  for (int k = 1; k <= S::axes_count; ++k) {
    const index s = S::static_extents[S::axes_count - k], o = O::static_extents[O::axes_count - k];
    if (s != dyn && o != dyn && s != o && s != 1) return false;
  }
  return true;
}

template <class O, class S>
constexpr sentence growth_sentence() {
  sentence s;
  const auto list = [&s]<int R>(const indices<R>& x) {
    s << "[";
    for (int i = 0; i < R; ++i) {
      if (i > 0) s << ", ";
      if (x[i] == dyn)
        s << "?";
      else
        s << x[i];
    }
    s << "]";
  };
  s << "output with shape ";
  list(O::static_extents);
  s << " doesn't match the broadcast shape ";
  if constexpr (broadcastable<O, S>)
    list(broadcast_of<O, S>::type::static_extents);
  else
    list(S::static_extents);
  return s;
}
template <class O, class S>
inline constexpr auto growth_text = fit<growth_sentence<O, S>().n>(growth_sentence<O, S>());

// Which sentence a result that does not fit is refused with: an in-place function's output may not grow, and what is copied
// into an output is expanded to it.
enum class writing : unsigned char { in_place, copy };

[[noreturn]] void throw_does_not_fit(writing how, const shape_view& out, const shape_view& result);

// The run-time part of the check.
template <class O, class S>
constexpr void check_fits(writing how, const O& o, const S& s) {
  if constexpr (!(O::is_static && S::is_static)) {
    bool ok = S::axes_count <= O::axes_count;
    for (int k = 1; k <= S::axes_count && k <= O::axes_count; ++k) {
      const index x = s[S::axes_count - k];
      ok = ok && (x == o[O::axes_count - k] || x == 1);
    }
    if (!ok) throw_does_not_fit(how, {o.data(), O::axes_count}, {s.data(), S::axes_count});
  }
}

template <class L, class S>
constexpr void check_writable(const L& layout, const S& shape) {
  if constexpr (!__is_same(L, row_major)) {
    const auto strides = layout.strides(shape);
    for (int i = 0; i < S::axes_count; ++i)
      if (strides[i] == 0 && shape[i] > 1) throw_overlapping_output();
  }
}

// Element by element, for constant expressions: a copy of the result first, so that aliasing is right.
template <class Out, class E>
constexpr void assign_serially(const Out& out, const E& e) {
  using T = typename Out::value_type;
  constexpr int rank = rank_of<Out>;
  const auto shape = out.shape();
  const auto strides = out.strides();
  const index n = shape.size();
  if (n == 0) return;
  T* copy = new T[static_cast<std::size_t>(n)];
  indices<rank> at{};
  const auto each = [&](auto visit) {
    at = {};
    for (index k = 0; k < n; ++k) {
      visit(k);
      for (int i = rank - 1; i >= 0; --i) {
        if (++at[i] < shape[i]) break;
        at[i] = 0;
      }
    }
  };
  each([&](index k) { copy[k] = cast_f<T>::scalar(e.element(at)); });
  each([&](index k) { out.data()[offset_of(shape.extents(), strides, at)] = copy[k]; });
  delete[] copy;
}

template <int Native, class Out, class E>
inline void assign_at_run_time(const Out& out, const E& e, const runtime::options& how) {
  using code = program_code<typename program_of<E, typename Out::value_type>::type, Native>;
  const bound_tree<E> bound(e);
  runtime::assign(bind_output(out), bound.leaves, bound.count, code::value, how);
}

// `out` is a writable leaf, `e` a node whose shape fits.
template <int Native, writing How = writing::copy, class Out, class E>
constexpr void assign_node(const Out& out, const E& e, const runtime::options& how) {
  check_fits(How, out.shape(), e.shape());
  check_writable(out.layout(), out.shape());
  if (__builtin_is_constant_evaluated())
    assign_serially(out, e);
  else if constexpr (straight_form<Out, E, Native>::ok)
    assign_straight<Native>(out, e);
  else
    assign_at_run_time<Native>(out, e, how);
}

}  // namespace detail

// What an assignment whose result cannot fit its output "returns".
template <auto Text, class Output, class Result>
struct output_does_not_fit;

namespace detail {

template <class Out, class E>
struct explain_growth {
  using type = void;
};
template <array Out, array E>
  requires(!fits_statically<shape_of<node_of<Out>>, shape_of<node_of<E>>>())
struct explain_growth<Out, E> {
  using type = output_does_not_fit<growth_text<shape_of<node_of<Out>>, shape_of<node_of<E>>>, shape_of<node_of<Out>>,
                                   shape_of<node_of<E>>>;
};
template <class Out, class E>
using growth_error = typename explain_growth<Out, E>::type;

template <class Out, class E>
concept fits = fits_statically<shape_of<node_of<Out>>, shape_of<node_of<E>>>();

// An in-place result must be castable to the output's kind: a floating result does not go into integers.
template <class Out, class E>
concept castable = category(dtype_of<value_of<node_of<E>>>) <= category(dtype_of<value_of<node_of<Out>>>);

template <class Out>
concept writable = array<Out> && requires(Out& o) { as_node(o).data(); requires !std::is_const_v<std::remove_pointer_t<decltype(as_node(o).data())>>; };

// In-place forms come here: x += y, add_(x, y).
template <class Out, class E, int Native = BROADLOOM_NATIVE>
constexpr void assign_in_place(Out& out, const E& e) {
  static_assert(writable<Out>, "the output of an in-place function must be writable");
  if constexpr (writable<Out>) {
    static_assert(castable<Out, const E&>, "result type can't be cast to the output's type");
    static_assert(fits<Out&, const E&>, "the output of an in-place function may not grow to the broadcast shape");
    if constexpr (castable<Out, const E&> && fits<Out&, const E&>)
      assign_node<Native, writing::in_place>(as_node(out), e, runtime::options{});
  }
}

}  // namespace detail

// Evaluates e into out: broadcasts e to out's shape, which never changes, and converts elements to out's type.
// out: a tensor or a writable view. Throws shape_error when e does not broadcast to out or when out's elements overlap.
inline constexpr struct assign_t {
  template <class Out, operand E, int Native = BROADLOOM_NATIVE>
    requires detail::writable<Out> && array<E> && detail::fits<Out&, E>
  constexpr void operator()(Out&& out, E&& e, const policy& p = par) const {
    detail::assign_node<Native>(detail::as_node(out), detail::as_node(static_cast<E&&>(e)), p.options());
  }
  template <class Out, detail::number_scalar T, int Native = BROADLOOM_NATIVE>
    requires detail::writable<Out>
  constexpr void operator()(Out&& out, T x, const policy& p = par) const {
    using to = detail::value_of<decltype(detail::as_node(out))>;
    detail::assign_node<Native>(detail::as_node(out), detail::argument<to>(x), p.options());
  }
  template <class Out, array E, class Error = detail::growth_error<Out&, E>>
    requires detail::writable<Out> && (!detail::fits<Out&, E>)
  Error operator()(Out&&, E&&, const policy& = par) const = delete;
} assign{};

}  // namespace broadloom
