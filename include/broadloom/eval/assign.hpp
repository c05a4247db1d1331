// The only door from a tree to a loop: assign(out, e, policy). Checks, binds the leaves, runs the program.
#pragma once

#include <broadloom/core/native.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/eval/assignable.hpp>
#include <broadloom/eval/calls.hpp>
#include <broadloom/eval/code.hpp>
#include <broadloom/eval/few.hpp>
#include <broadloom/eval/policy.hpp>
#include <broadloom/eval/scalar_barriers.hpp>
#include <broadloom/eval/serial.hpp>
#include <broadloom/eval/simd/static_kernel.hpp>
#include <broadloom/eval/straight.hpp>
#include <broadloom/plan/bind.hpp>
#include <broadloom/plan/unplanned.hpp>
#include <broadloom/plan/unplanned_leaves.hpp>
// Without them an array of rank 0 is its number in x + 1. broadloom.hpp includes them last.
#ifndef BROADLOOM_OPERATORS_COME_LAST
#include <broadloom/fn/operators.hpp>
#endif

namespace broadloom {

namespace detail {

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

// Own elements (enable_element) are evaluated by loops of their operators, on threads: own_loop<Out, E>::assign(out, e,
// how), of eval/own_loop.hpp.
template <class Out, class E>
struct own_loop;

// Whether an output and a tree are row-major as far as the compiler knows: then the library's doors take leaves as they
// stand, if all ramps are in memory.
template <class Out, class E>
inline constexpr bool goes_unplanned_in_memory =
    __is_same(typename Out::layout_type, row_major) && has_unplanned_form<E, rank_of<Out>> &&
    !own_element<typename Out::value_type> && !reads_own<E>;
template <class Out, class E>
inline constexpr bool goes_unplanned = goes_unplanned_in_memory<Out, E> && ramp_count<E> == 0;

template <int Native, class Out, class E, writing How>
inline constexpr runtime::unplanned_form form_of_assignment =
    runtime::form_of(program_code<typename program_of<E, typename Out::value_type>::type, Native>::value,
                     dtype_of<typename Out::value_type>, rank_of<Out>, E::shape_type::axes_count,
                     operand_limit<operand_count<E>>::count, How, listed_leaves_of<E, rank_of<Out>>());

// By a plan. Inlined, so that a tree built in the call need not be in memory.
template <int Native, writing How, class Out, class E>
[[gnu::always_inline]] inline void assign_planned(const Out& out, const E& e, const runtime::options& how) {
  check_fits(How, out.shape(), e.shape());
  check_writable(out.layout(), out.shape());
  using code = program_code<typename program_of<E, typename Out::value_type>::type, Native, false>;
  const whole_tree<E, Native> bound(e);
  runtime::assign(bind_output(out), bound.leaves, bound.count, code::value, how);
}

// A leaf that is the whole of a source, which can write its elements to such an output itself: joined parts, or few
// elements.
template <int Native, class Out, class E>
concept writes_itself = !is_by_element(Native) && deferred_leaf<E> && __is_same(typename E::layout_type, row_major) &&
                        __is_same(typename E::shape_type, typename E::source_type::shape_type) &&
                        requires(const Out& out, const E& e, const runtime::options& how) {
                          e.source().template assign_to<Native>(out, how);
                        };

// What cannot write itself to an output now is evaluated first, by the source.
template <int Native, class Out, class E>
concept needs_no_plan = writes_itself<Native, Out, E> && E::source_type::needs_no_plan;

template <int Native, writing How, class Out, class E>
void assign_after_scalars(const Out& out, const E& e, const runtime::options& how);

template <int Native, writing How, class Out, class E>
BROADLOOM_INLINE void assign_with_straight(const Out& out, const E& e, const runtime::options& how);
template <int Native, writing How, class Out, class E>
void assign_with_few(const Out& out, const E& e, const runtime::options& how);

// `out` is a writable leaf, `e` a node whose shape fits. Inlined, so that a tree built in the call need not be in
// memory.
template <int Native, writing How = writing::copy, class Out, class E>
[[gnu::always_inline]] constexpr void assign_node(const Out& out, const E& e, const runtime::options& how) {
  if constexpr (writes_once_only<Out>)
    static_assert(is_one_to_one<typename Out::layout_type, typename Out::shape_type>,
                  "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                  "location [errors.md#output-shows-elements-twice]");
  constexpr bool own = own_element<typename Out::value_type> || reads_own<E>, plain = is_by_element(Native) || own;
  constexpr bool by_element = Out::shape_type::is_static, straight = static_form < Out, E, plain ? 0 : Native > ::ok;
  if constexpr (straight_count<E> > 0 && !plain)
    if (!(by_element && __builtin_is_constant_evaluated())) {
      check_fits(How, out.shape(), e.shape());
      check_writable(out.layout(), out.shape());
      return assign_with_straight<Native, How>(out, e, how);
    }
  if (straight || plain || has_calls<E> || (by_element && __builtin_is_constant_evaluated())) {
    check_fits(How, out.shape(), e.shape());
    check_writable(out.layout(), out.shape());
  }
  if constexpr (has_calls<E>)
    if (!__builtin_is_constant_evaluated() && !calls_have_shape(e, out.shape()))
      return assign_node<Native, How>(out, with_calls_evaluated<Native>(e, how), how);
  if constexpr (by_element)
    if (__builtin_is_constant_evaluated()) return assign_serially(out, e);
  if constexpr (!plain && map_node<E> && few_count<E> > 0 && !has_calls<E>)
    if (all_few(e)) return assign_with_few<Native, How>(out, e, how);
  if constexpr (writes_itself < plain ? 0 : Native, Out, E >)
    if (e.offset() == 0 && e.shape() == e.source().shape()) {
      check_fits(How, out.shape(), e.shape());
      check_writable(out.layout(), out.shape());
      if (e.source().template assign_to<Native>(out, how)) return;
    }
  if constexpr (needs_no_plan<(plain ? 0 : Native), Out, E>)
    e.source().template assign_beside<Native, How>(out, e, how);
  else if constexpr (own)
    own_loop<Out, E>::assign(out, e, how);
  else if constexpr (plain)
    assign_by_element(out, e);
  else if constexpr (scalar_barrier_count<E> > 0 && reads_scalar_barriers<E> && !has_calls<E>)
    assign_after_scalars<Native, How>(out, e, how);
  else if constexpr (straight)
    assign_static<static_form<Out, E, Native>>(out.data(), e, typename static_form<Out, E, Native>::whole_vectors{});
  else if constexpr (goes_unplanned_in_memory<Out, E>) {
    if constexpr (ramp_count<E> > 0)
      if (!has_ramps_in_memory(e)) return assign_planned<Native, How>(out, e, how);
    constexpr const runtime::unplanned_form& form = form_of_assignment<Native, Out, E, How>;
    BROADLOOM_LIST_LEAVES(rank_of<Out>, E, out.shape(), e)
    constexpr runtime::unplanned_place at = runtime::place_of(form);
    runtime::unplanned_assign[at.rank][at.count](leaves, extents, out.data(), form, how);
  } else
    assign_planned<Native, How>(out, e, how);
}

// Sources of e are computed into local arrays first, but one that is the whole tree and can write to `out` itself.
template <class Out, class E>
inline constexpr bool writes_straight = false;
template <class Out, deferred_leaf E>
  requires requires { requires E::source_type::writes_at_last; }
inline constexpr bool writes_straight<Out, E> =
    __is_same(typename Out::layout_type, row_major) && __is_same(typename E::layout_type, row_major) &&
    __is_same(typename Out::shape_type, typename E::source_type::shape_type) &&
    __is_same(typename E::shape_type, typename E::source_type::shape_type) &&
    __is_same(typename Out::value_type, typename E::value_type);
template <int Native, writing How, class Out, class E>
BROADLOOM_INLINE void assign_with_straight(const Out& out, const E& e, const runtime::options& how) {
  if constexpr (writes_straight<Out, E>) return e.source().template straight<Native>(out.data(), how);
  straight_room<E> room;
  using form = static_form<Out, typename with_straight_of<E>::type, Native, max_row_vectors>;
  if constexpr (goes_by_rows<form> && !has_calls<E>)
    assign_by_rows<form, 0>(out.data(), with_straight<Native>(e, room, how));
  else
    assign_node<Native, How>(out, with_straight<Native>(e, room, how), how);
}

template <int Native, writing How, class Out, class E>
void assign_with_few(const Out& out, const E& e, const runtime::options& how) {
  check_fits(How, out.shape(), e.shape());
  check_writable(out.layout(), out.shape());
  few_room<E> room;
  assign_node<Native, How>(out, with_few<Native>(e, room, how), how);
}

// The barriers that e reads have one element each: they are computed first.
template <int Native, writing How, class Out, class E>
void assign_after_scalars(const Out& out, const E& e, const runtime::options& how) {
  check_fits(How, out.shape(), e.shape());
  check_writable(out.layout(), out.shape());
  scalar_memo_of<E> memo;
  assign_node<Native, How>(out, with_scalars<Native>(e, how, memo), how);
}

template <int Native, class E>
typename calls_evaluated<E>::type with_calls_evaluated(const E& e, const runtime::options& how) {
  using result = typename calls_evaluated<E>::type;
  if constexpr (__is_same(result, E))
    return e;
  else if constexpr (requires { E::function_type::is_call; }) {
    using T = typename E::value_type;
    check_count(E::function_type::name(), e.shape());
    const auto bytes = static_cast<std::size_t>(e.shape().size()) * sizeof(T);
    T* const data = static_cast<T*>(runtime::allocate(bytes));
    const shared_handle owner(shared_block_of(data, bytes));
    const view<T, typename E::shape_type, row_major> to(data, e.shape(), {});
    unpack(e.args(), [&](const auto&... a) {
      using alone = map<typename E::function_type, typename E::shape_type,
                        typename calls_evaluated<std::remove_cvref_t<decltype(a)>>::type...>;
      assign_node<Native>(to, alone(e.function(), e.shape(), with_calls_evaluated<Native>(a, how)...), how);
    });
    return result(owner, data, e.shape(), {});
  } else
    return unpack(e.args(), [&](const auto&... a) {
      return result(e.function(), e.shape(), with_calls_evaluated<Native>(a, how)...);
    });
}

// item() of an expression.
template <class E, int Native>
struct evaluated_item {
  static value_of<E> of(const E& e) {
    value_of<E> x{};
    assign_node<Native>(view<value_of<E>, shape_of<E>, row_major>(&x, e.shape(), {}), e, runtime::options{});
    return x;
  }
};

// The only element of a barrier: computed where it is asked for, without an assignment to an output of one element. An
// operand of static shape has shorter ways.
template <deferred_leaf E, int Native>
  requires(!is_by_element(Native) && is_scalar_barrier<E> && straight_count<E> == 0 && !own_element<value_of<E>> &&
           !reads_own<E> && !writes_itself<Native, view<value_of<E>, shape_of<E>, row_major>, E>)
struct evaluated_item<E, Native> {
  static value_of<E> of(const E& e) {
    scalar_memo_of<E> memo;
    return e.source().template scalar_value<Native>(runtime::options{}, memo);
  }
};

// An output in a file (io/hdf5.hpp), which has passes of its own and takes the whole policy.
template <class Out>
concept written_in_passes = requires { typename std::remove_cvref_t<Out>::passes_tag; };

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
    if constexpr (detail::written_in_passes<Out>)
      out.template write_by<Native>(static_cast<E&&>(e), p);
    else
      p.run([&] {
        if constexpr (detail::place_like<Out>)
          out.template write<Native>(static_cast<E&&>(e), p.options());
        else if constexpr (array<E>)
          detail::assign_node<Native>(to, detail::as_node(static_cast<E&&>(e)), p.options());
        else
          detail::assign_node<Native>(to, detail::argument<detail::value_of<decltype(to)>>(e), p.options());
      });
  }
  template <class Out, array E, class Error = typename detail::assignment_check<Out&, E>::error>
    requires(!detail::assignable_from<Out&, E>)
  Error operator()(Out&&, E&&, const policy& = par) const = delete;
} assign{};

}  // namespace broadloom
