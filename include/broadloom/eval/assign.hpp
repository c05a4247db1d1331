// The only door from a tree to a loop: assign(out, e, policy). Checks the shapes, binds the leaves, runs the program.
#pragma once

#include <broadloom/core/error.hpp>
#include <broadloom/core/native.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/eval/calls.hpp>
#include <broadloom/eval/code.hpp>
#include <broadloom/eval/policy.hpp>
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

using runtime::writing;
[[noreturn]] void throw_does_not_fit(writing how, const shape_view& out, const shape_view& result);

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

// No two indices share an element because of a stride of 0, as far as the compiler knows.
template <class L, class S>
inline constexpr bool is_one_to_one = [] {
  constexpr auto strides = L{}.strides(S{});
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

// The tree as data for compiled code: as little as can be is compiled for each expression.
template <int Native, writing How, class Out, class E>
inline void assign_at_run_time(const Out& out, const E& e, const runtime::options& how) {
  using code = program_code<typename program_of<E, typename Out::value_type>::type, Native>;
  constexpr int rank = rank_of<Out>, count = operand_count<E>;
  if constexpr (__is_same(typename Out::layout_type, row_major) && is_alike<E, rank>) {
    static_assert(count < runtime::first_stage, "this expression has too many operands; evaluate a part of it first");
    static constexpr runtime::alike_form form =
        runtime::form_of(code::value, dtype_of<typename Out::value_type>, rank, E::shape_type::axes_count, count, How);
    runtime::slot leaves[count];
    index extents[rank * (1 + count) + 1];
    auto* to = leaves;
    auto* next = extents;
    for (int i = 0; i < rank; ++i) *next++ = out.shape()[i];
    list_alike<rank>(e, extents, to, next);
    constexpr auto* assign = rank == 1   ? runtime::assign_line
                             : rank == 2 ? runtime::assign_plane
                                         : runtime::assign_alike;
    assign(leaves, extents, out.data(), form, how);
  } else {
    check_fits(How, out.shape(), e.shape());
    check_writable(out.layout(), out.shape());
    const bound_tree<E, Native> bound(e);
    runtime::assign(bind_output(out), bound.leaves, bound.count, code::value, how);
  }
}

template <int Native, class E>
typename calls_evaluated<E>::type with_calls_evaluated(const E& e, const runtime::options& how);

// A leaf that shows all of a source which can write its elements to such an output: parts each to its place, or few of
// them where they stand.
template <int Native, class Out, class E>
concept writes_itself = deferred_leaf<E> && __is_same(typename E::layout_type, row_major) &&
                        __is_same(typename E::shape_type, typename E::source_type::shape_type) &&
                        requires(const Out& out, const E& e, const runtime::options& how) {
                          e.source().template assign_to<Native>(out, how);
                        };

// `out` is a writable leaf, `e` a node whose shape fits.
template <int Native, writing How = writing::copy, class Out, class E>
constexpr void assign_node(const Out& out, const E& e, const runtime::options& how) {
  if constexpr (writes_once_only<Out>)
    static_assert(
        is_one_to_one<typename Out::layout_type, typename Out::shape_type>,
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location");
  constexpr bool by_element = Out::shape_type::is_static, straight = straight_form<Out, E, Native>::ok;
  if (straight || has_calls<E> || (by_element && __builtin_is_constant_evaluated())) {
    check_fits(How, out.shape(), e.shape());
    check_writable(out.layout(), out.shape());
  }
  if constexpr (has_calls<E>)
    if (!__builtin_is_constant_evaluated() && !calls_have_shape(e, out.shape()))
      return assign_node<Native, How>(out, with_calls_evaluated<Native>(e, how), how);
  if constexpr (by_element)
    if (__builtin_is_constant_evaluated()) return assign_serially(out, e);
  if constexpr (writes_itself<Native, Out, E>)
    if (e.offset() == 0 && e.shape() == e.source().shape()) {
      check_fits(How, out.shape(), e.shape());
      check_writable(out.layout(), out.shape());
      if (e.source().template assign_to<Native>(out, how)) return;
    }
  if constexpr (straight)
    assign_straight<Native>(out, e);
  else
    assign_at_run_time<Native, How>(out, e, how);
}

template <int Native, class E>
typename calls_evaluated<E>::type with_calls_evaluated(const E& e, const runtime::options& how) {
  using result = typename calls_evaluated<E>::type;
  if constexpr (__is_same(result, E))
    return e;
  else if constexpr (requires { E::function_type::is_call; }) {
    using T = typename E::value_type;
    const auto bytes = static_cast<std::size_t>(e.shape().size()) * sizeof(T);
    T* const data = static_cast<T*>(runtime::allocate(bytes));
    shared_block* block = nullptr;
    try {
      block = make_shared_block(data, bytes);
    } catch (...) {
      runtime::deallocate(data, bytes);
      throw;
    }
    const shared_handle owner(block);
    const view<T, typename E::shape_type, row_major> to(data, e.shape(), {});
    boost::hana::unpack(e.args(), [&](const auto&... a) {
      using alone = map<typename E::function_type, typename E::shape_type,
                        typename calls_evaluated<std::remove_cvref_t<decltype(a)>>::type...>;
      assign_node<Native>(to, alone(e.function(), e.shape(), with_calls_evaluated<Native>(a, how)...), how);
    });
    return result(owner, data, e.shape(), {});
  } else
    return boost::hana::unpack(e.args(), [&](const auto&... a) {
      return result(e.function(), e.shape(), with_calls_evaluated<Native>(a, how)...);
    });
}

}  // namespace detail

// What an assignment that is refused "returns": types whose names say why.
template <auto Text, class Output, class Result>
struct output_does_not_fit;
template <auto Text, class Output>
struct output_is_not_writable;
template <auto Text, class Output, class Result>
struct result_type_does_not_fit;

namespace detail {

template <class Node>
inline constexpr bool writable_node = false;
template <class T, class S, class L>
inline constexpr bool writable_node<view<T, S, L>> = !std::is_const_v<T>;
template <class Out>
inline constexpr bool writable = false;
template <array Out>
inline constexpr bool writable<Out> = writable_node<node_of<Out>>;
// Places that are no view of memory, such as those that arrays of positions select (index/advanced.hpp), write
// themselves.
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

// Whether E may be written to Out; `error` is void, or says why not.
template <class Out, class E>
constexpr auto assignment_error_of() {
  if constexpr (!array<E>)
    return static_cast<void*>(nullptr);
  else if constexpr (!writable<Out>)
    return static_cast<output_is_not_writable<text{"the output must be writable"}, std::remove_reference_t<Out>>*>(
        nullptr);
  else {
    using o = shape_of<node_of<Out>>;
    using s = shape_of<node_of<E>>;
    constexpr dtype from = dtype_of<value_of<node_of<E>>>, to = dtype_of<value_of<node_of<Out>>>;
    if constexpr (!castable(from, to))
      return static_cast<result_type_does_not_fit<cast_text<from, to>, value_of<node_of<Out>>, value_of<node_of<E>>>*>(
          nullptr);
    else if constexpr (!fits_statically<o, s>())
      return static_cast<output_does_not_fit<growth_text<o, s>, o, s>*>(nullptr);
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

// In-place forms come here: x += y, add_(x, y).
template <int Native, class Out, class E>
constexpr void assign_in_place(Out& out, const E& e) {
  if constexpr (place_like<Out>)
    out.template write<Native>(e, runtime::options{});
  else
    assign_node<Native, writing::in_place>(as_node(out), e, runtime::options{});
}

}  // namespace detail

// Evaluates e into out: broadcasts e to out's shape, which never changes, and converts elements to out's type.
// out: a tensor or a writable view; e: an array, an expression or a number. Throws shape_error when e does not
// broadcast to out or when out's elements overlap.
inline constexpr struct assign_t {
  template <class Out, operand E, int Native = BROADLOOM_NATIVE>
    requires(detail::writable<Out&> && detail::assignable_from<Out&, E>)
  constexpr void operator()(Out&& out, E&& e, const policy& p = par) const {
    decltype(auto) to = detail::as_node(out);
    if constexpr (detail::place_like<Out>)
      out.template write<Native>(static_cast<E&&>(e), p.options());
    else if constexpr (array<E>)
      detail::assign_node<Native>(to, detail::as_node(static_cast<E&&>(e)), p.options());
    else
      detail::assign_node<Native>(to, detail::argument<detail::value_of<decltype(to)>>(e), p.options());
  }
  template <class Out, array E, class Error = typename detail::assignment_check<Out&, E>::error>
    requires(!detail::assignable_from<Out&, E>)
  Error operator()(Out&&, E&&, const policy& = par) const = delete;
} assign{};

}  // namespace broadloom
