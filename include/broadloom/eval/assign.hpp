// The only door from a tree to a loop: assign(out, e, policy). Checks the shapes, binds the leaves, runs the program.
#pragma once

#include <broadloom/core/error.hpp>
#include <broadloom/core/isa.hpp>
#include <broadloom/eval/code.hpp>
#include <broadloom/eval/policy.hpp>
#include <broadloom/eval/simd/native.hpp>
#include <broadloom/eval/simd/straight.hpp>
#include <broadloom/plan/bind.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace detail {

[[noreturn]] void throw_output_would_grow(const index* out, index out_rank, const index* result, index result_rank);
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

// The run-time part of the check.
template <writing How, class O, class S>
constexpr void check_fits(const O& o, const S& s) {
  if constexpr (!(O::is_static && S::is_static)) {
    bool ok = S::axes_count <= O::axes_count;
    for (int k = 1; k <= S::axes_count && k <= O::axes_count; ++k) {
      const index x = s[S::axes_count - k];
      ok = ok && (x == 1 || x == o[O::axes_count - k]);
    }
    if (!ok) {
      const auto a = o.extents();
      const auto b = s.extents();
      if constexpr (How == writing::in_place || S::axes_count > O::axes_count)
        throw_output_would_grow(a.v, a.count, b.v, b.count);
      else
        throw_cannot_expand(b.v, b.count, a.v, a.count);
    }
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

// Short loops over arrays that all lie as the output does need no plan: the kernel is called from here.
inline constexpr index most_flat_elements = 8192;
inline constexpr int most_flat_inputs = 12;

template <class E, int Rank>
inline constexpr bool flat_leaves = __is_same(typename E::layout_type, row_major) && rank_of<E> == Rank;
template <class T, int Rank>
inline constexpr bool flat_leaves<scalar<T>, Rank> = true;
template <class F, class Shape, class... Args, int Rank>
inline constexpr bool flat_leaves<map<F, Shape, Args...>, Rank> = (flat_leaves<Args, Rank> && ...);

// What is left to test at run time. `low` and `high` enclose the output.
struct flat_test {
  const index* extents;
  std::uintptr_t low, high;
  index size;
  runtime::slot* slots;
  int k;
  bool ok;
};
template <int Rank, class T>
BROADLOOM_INLINE void test_flat(const scalar<T>& e, flat_test& t) {
  const auto at = reinterpret_cast<std::uintptr_t>(&e.value());
  t.ok = t.ok && (at >= t.high || at + sizeof(T) <= t.low);
  t.slots[t.k++] = {&e.value(), 0};
}
template <int Rank, leaf E>
BROADLOOM_INLINE void test_flat(const E& e, flat_test& t) {
  using T = typename E::value_type;
  const auto at = reinterpret_cast<std::uintptr_t>(e.data());
  for (int i = 0; i < Rank; ++i) t.ok = t.ok && e.shape()[i] == t.extents[i];
  const bool same = at == t.low && t.high - t.low == static_cast<std::uintptr_t>(t.size) * sizeof(T);
  t.ok = t.ok && (same || at >= t.high || at + static_cast<std::uintptr_t>(t.size) * sizeof(T) <= t.low);
  t.slots[t.k++] = {e.data(), -1};
}
template <int Rank, class F, class Shape, class... Args>
BROADLOOM_INLINE void test_flat(const map<F, Shape, Args...>& e, flat_test& t) {
  [&]<int... I>(sequence<I...>) __attribute__((always_inline)) {
    (test_flat<Rank>(e.template arg<I>(), t), ...);
  }(make_sequence<sizeof...(Args)>{});
}

template <class Code, class Out, class E>
BROADLOOM_INLINE bool assign_flat(const Out& out, const E& e) {
  constexpr int rank = rank_of<Out>;
  constexpr const runtime::stage& st = Code::stages[0];
  if constexpr (Code::value.stage_count != 1 || st.kind != runtime::stage_kind::compute ||
                st.input_count > most_flat_inputs || !flat_leaves<Out, rank> || !flat_leaves<E, rank>) {
    return false;
  } else {
    const auto extents = out.shape().extents();
    index n = 1;
    for (index x : extents) n *= x;  // the array exists, so its size does not overflow
    const auto low = reinterpret_cast<std::uintptr_t>(out.data());
    runtime::slot slots[st.input_count];
    flat_test t{extents.v, low, low + static_cast<std::uintptr_t>(n) * sizeof(typename Out::value_type), n, slots, 0,
                n <= most_flat_elements};
    test_flat<rank>(e, t);
    if (!t.ok) return false;
    constexpr const runtime::kernel& code = *st.code;
    const int level = static_cast<int>(runtime::active_isa());
    if ((n & (code.lanes[level] - 1)) == 0)
      code.run[level](slots, out.data(), n, true);
    else
      runtime::run_flat(st, slots, out.data(), n);
    return true;
  }
}

template <int Native, class Out, class E>
inline void assign_at_run_time(const Out& out, const E& e, const runtime::options& how) {
  constexpr int rank = rank_of<Out>;
  constexpr int count = operand_count<E>;
  static_assert(count < runtime::first_stage, "this expression has too many operands; evaluate a part of it first");
  using code = program_code<typename program_of<E, typename Out::value_type>::type, Native>;
  if (assign_flat<code>(out, e)) return;
  bound_operands<count, rank> bound;
  int k = 0;
  bind_leaves(e, bound, k);
  const auto extents = out.shape().extents();
  const auto strides = out.strides();
  runtime::execute({rank, extents.v, out.data(), strides.v, dtype_of<typename Out::value_type>, bound.list, count,
                    code::value, how});
}

// `out` is a writable leaf, `e` a node whose shape fits.
template <int Native, writing How = writing::copy, class Out, class E>
constexpr void assign_node(const Out& out, const E& e, const runtime::options& how) {
  check_fits<How>(out.shape(), e.shape());
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
    detail::assign_node<Native>(detail::as_node(out), detail::capture(static_cast<E&&>(e)), p.options());
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
