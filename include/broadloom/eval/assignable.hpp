// Whether a result may be written to an output: what the compiler sees of it, and the checks that are left for the run.
#pragma once

#include <broadloom/core/error.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/capture.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace errors_md {
// What a refused assignment "returns": types whose names say why.
template <auto Text, class Output, class Result>
struct output_does_not_fit;
template <auto Text, class Output>
struct output_is_not_writable;
template <auto Text, class Output, class Result>
struct result_type_does_not_fit;
template <auto Text, class Tensor, class Result>
struct value_does_not_fit;
}  // namespace errors_md

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_overlapping_output() {
  throw_error(error_kind::overlapping_output, {});
}

// The result of shape S may be written to an output of shape O without changing it.
template <class O, class S>
constexpr bool fits_statically() {
  if (S::axes_count > O::axes_count) return false;
  for (int k = 1; k <= S::axes_count; ++k) {
    const index s = S::static_extents[S::axes_count - k], o = O::static_extents[O::axes_count - k];
    if (s != 1 && !may_become(s, o)) return false;
  }
  return true;
}

template <class O, class S>
constexpr sentence growth_sentence() {
  sentence s;
  s << "output with shape ";
  list_extents(s, O::static_extents);
  s << " doesn't match the broadcast shape ";
  if constexpr (broadcastable<O, S>)
    list_extents(s, broadcast_of<O, S>::type::static_extents);
  else
    list_extents(s, S::static_extents);
  return s;
}
template <class O, class S>
inline constexpr auto growth_text = fit<growth_sentence<O, S>().n>(growth_sentence<O, S>());

using runtime::writing;
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_does_not_fit(writing how, const shape_view& out,
                                                                      const shape_view& result) {
  throw_error(error_kind::does_not_fit, {static_cast<int>(how), &out, &result});
}

// The run-time part of the check.
template <class O, class S>
constexpr void check_fits(writing how, const O& o, const S& s) {
  if constexpr (!(O::is_static && S::is_static)) {
    if constexpr (__is_same(O, S))  // most often
      if (same_extents(o, s)) return;
    bool ok = S::axes_count <= O::axes_count;
    for (int k = 1; k <= S::axes_count && k <= O::axes_count; ++k) {
      const index x = s[S::axes_count - k];
      ok = ok && (x == o[O::axes_count - k] || x == 1);
    }
    if (!ok) throw_does_not_fit(how, {o.data(), O::axes_count}, {s.data(), S::axes_count});
  }
}

// As far as the compiler knows, no stride of 0 lets two indices share an element.
template <class L, class S>
inline constexpr bool is_one_to_one = [] {
  constexpr auto strides = L{}.strides(S{});
  for (index n : S::static_extents)
    if (n == 0) return true;
  for (int i = 0; i < S::axes_count; ++i)
    if (strides[i] == 0 && S::static_extents[i] > 1) return false;
  return true;
}();

template <class Out>
inline constexpr bool writes_once_only =
    Out::shape_type::is_static && Out::layout_type::template is_static<typename Out::shape_type>;

template <class L, class S>
constexpr void check_writable(const L& layout, const S& shape) {
  if constexpr (!__is_same(L, row_major)) {
    const auto strides = layout.strides(shape);
    bool shared = false, empty = false;
    for (int i = 0; i < S::axes_count; ++i) {
      shared = shared || (strides[i] == 0 && shape[i] > 1);
      empty = empty || shape[i] == 0;
    }
    if (shared && !empty) throw_overlapping_output();
    if (shared) check_count("assign", shape);  // an expanded output without elements
  }
}

template <class Node>
inline constexpr bool writable_node = false;
template <class T, class S, class L>
inline constexpr bool writable_node<view<T, S, L>> = !std::is_const_v<T>;
template <class Out>
inline constexpr bool writable = false;
template <array Out>
inline constexpr bool writable<Out> = writable_node<node_of<Out>>;
// Outputs that are no view of memory write themselves: for example elements selected by index arrays, of
// index/advanced.hpp.
template <class Out>
concept place_like = requires { typename std::remove_cvref_t<Out>::place_tag; };
template <array Out>
  requires place_like<Out>
inline constexpr bool writable<Out> = true;

// An in-place result must be castable to the output's kind: a floating result does not go into integers (PyTorch's
// rule).
constexpr bool castable(dtype from, dtype to) { return category(from) <= category(to); }

constexpr sentence cast_sentence(dtype from, dtype to) {
  sentence s;
  s << "result type can't be cast from " << to_string(from) << " to " << to_string(to);
  return s;
}
template <dtype From, dtype To>
inline constexpr auto cast_text = fit<cast_sentence(From, To).n>(cast_sentence(From, To));

// An array that is not writable is const; anything else is an expression.
template <class Out>
inline constexpr bool is_leaf = false;
template <array Out>
inline constexpr bool is_leaf<Out> = leaf<node_of<Out>>;
template <bool IsLeaf>
inline constexpr auto unwritable_text = text{"the output must be writable"};
template <>
inline constexpr auto unwritable_text<true> =
    text{"array is const, or windows, which overlap: the output must be writable"};

// Whether E may be written to Out; `error` is void, or says why not.
template <class Out, class E>
constexpr auto assignment_error_of() {
  if constexpr (!writable<Out>)
    return static_cast<errors_md::output_is_not_writable<unwritable_text<is_leaf<Out>>, std::remove_reference_t<Out>>*>(
        nullptr);
  else if constexpr (!array<E>)
    return static_cast<void*>(nullptr);
  else {
    using o = shape_of<node_of<Out>>;
    using s = shape_of<node_of<E>>;
    constexpr dtype from = dtype_of<value_of<node_of<E>>>, to = dtype_of<value_of<node_of<Out>>>;
    if constexpr (!castable(from, to) || !own_converts<value_of<node_of<E>>, value_of<node_of<Out>>>)
      return static_cast<
          errors_md::result_type_does_not_fit<cast_text<from, to>, value_of<node_of<Out>>, value_of<node_of<E>>>*>(
          nullptr);
    else if constexpr (!fits_statically<o, s>())
      return static_cast<errors_md::output_does_not_fit<growth_text<o, s>, o, s>*>(nullptr);
    else
      return static_cast<void*>(nullptr);
  }
}
template <class Out, class E>
struct assignment_check {
  using error = std::remove_pointer_t<decltype(assignment_error_of<Out, E>())>;
};

template <class Out, class E>
inline constexpr bool assignable_from = std::is_void_v<typename assignment_check<Out, E>::error>;

// Whether a result of shape S may be all of a tensor whose type has shape O.
template <class O, class S>
constexpr sentence replacement_sentence() {
  sentence s;
  s << "bl::assign(o, e) broadcasts; `=` replaces the value, and ";
  if constexpr (O::axes_count != S::axes_count)
    s << "rank " << S::axes_count << " is not " << O::axes_count;
  else
    for (int i = 0; i < O::axes_count; ++i) {
      const index o = O::static_extents[i], x = S::static_extents[i];
      if (!may_become(x, o)) {
        s << "extent " << extent_text{x} << " of axis " << i << " is not " << extent_text{o};
        break;
      }
    }
  return s;
}
template <class O, class S>
inline constexpr auto replacement_text = fit<replacement_sentence<O, S>().n>(replacement_sentence<O, S>());

// Whether E may be the new value of a tensor of T with shape O; `error` is void, or says why not.
template <class T, class O, class E>
constexpr auto replacement_error_of() {
  if constexpr (!array<E>)
    return static_cast<void*>(nullptr);
  else {
    using s = shape_of<node_of<E>>;
    constexpr dtype from = dtype_of<value_of<node_of<E>>>, to = dtype_of<T>;
    if constexpr (!castable(from, to) || !own_converts<value_of<node_of<E>>, T>)
      return static_cast<errors_md::result_type_does_not_fit<cast_text<from, to>, T, value_of<node_of<E>>>*>(nullptr);
    else if constexpr (!std::is_constructible_v<O, s>)
      return static_cast<errors_md::value_does_not_fit<replacement_text<O, s>, O, s>*>(nullptr);
    else
      return static_cast<void*>(nullptr);
  }
}
template <class T, class O, class E>
struct replacement_check {
  using error = std::remove_pointer_t<decltype(replacement_error_of<T, O, E>())>;
};

}  // namespace detail

}  // namespace broadloom
