// The normal form of a tree: a stateless program of numbered operands, as a type. Trees with equal programs run the
// same loop.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/expr/scalar.hpp>
#include <broadloom/fn/function.hpp>
#include <broadloom/plan/subexpressions.hpp>

namespace broadloom {

namespace lanes {
struct div_f;
}  // namespace lanes

namespace detail {

// Leaves of a program: the Id-th operand, a number or an array, and the result of the Id-th stage.
template <int Id, class T>
struct operand_ref {
  using type = T;
};
template <int Id, class T>
struct scalar_ref {
  using type = T;
};
// A ramp that loops count in registers where it has consecutive numbers.
template <int Id, class T>
struct ramp_ref {
  using type = T;
};
template <int Id, class T>
struct stage_ref {
  using type = T;
};
// A function of programs, computed in registers.
template <class F, class... P>
struct call {
  using type = typename F::template result<typename P::type...>;
};

// Stages: a loop over elements, or a strip function.
template <class P>
struct compute_stage {
  using type = typename P::type;
};
template <class F, class... Refs>
struct strip_stage {
  using type = typename F::template result<typename Refs::type...>;
};
// A user's callable: the first of the refs is the callable itself.
template <class F, class... Refs>
struct call_stage {
  using type = typename F::template result<typename Refs::type...>;
};

}  // namespace detail

// The whole program; its last stage gives the result.
template <class... Stages>
struct program {
  static constexpr int stage_count = sizeof...(Stages);
};

namespace detail {

// Root: the whole tree if parts of it may be repeated; else void.
template <class Root, int Next, class... Stages>
struct lowering {
  using root = Root;
  static constexpr int next_operand = Next;
  static constexpr int stage_count = sizeof...(Stages);
  template <class S>
  using push = lowering<Root, Next, Stages..., S>;
  using next = lowering<Root, Next + 1, Stages...>;
  using as_program = program<Stages...>;
};

template <class State, class Ref>
struct lowered {
  using state = State;
  using ref = Ref;
};

template <class State, class E>
struct lower;

template <class State, leaf E>
struct lower<State, E> : lowered<typename State::next, operand_ref<State::next_operand, typename E::value_type>> {};
template <class State, class T, class Own, class Shape, class Layout>
  requires counted_in_registers<T>
struct lower<State, deferred<ramp_source<T, Own>, Shape, Layout>>
    : lowered<typename State::next, ramp_ref<State::next_operand, T>> {};
template <class State, class T>
struct lower<State, scalar<T>> : lowered<typename State::next, scalar_ref<State::next_operand, T>> {};

// The arguments of a strip function must be in memory: operands, or results of stages.
template <class State, class Ref>
struct in_memory : lowered<State, Ref> {};
template <class State, class F, class... P>
struct in_memory<State, call<F, P...>> : lowered<typename State::template push<compute_stage<call<F, P...>>>,
                                                 stage_ref<State::stage_count, typename call<F, P...>::type>> {};

// F with a second operand that all elements of a row share. The same result; loops divide by it faster.
template <class F>
struct by_shared : F {};

// E is the same for neighbours on the last axis of a result of this shape, as far as the compiler can tell: it is a
// number, or its last extent is 1, as `keepdim` leaves it, or may be that.
template <class Shape, class E>
constexpr bool is_shared_in_rows() {
  using own = shape_of<E>;
  if constexpr (Shape::axes_count == 0)
    return false;
  else if constexpr (own::axes_count == 0)
    return true;
  else
    return (own::static_extents[own::axes_count - 1] == 1 ||
            (is_dyn(own::static_extents[own::axes_count - 1]) && reduces_any_axes<E>)) &&
           Shape::static_extents[Shape::axes_count - 1] != 1;
}
template <class F, class Shape, class... Args>
struct function_in_program {
  using type = F;
};
template <class Shape, class A, class B>
  requires(is_shared_in_rows<Shape, B>())
struct function_in_program<lanes::div_f, Shape, A, B> {
  using type = by_shared<lanes::div_f>;
};

template <class...>
struct refs {};

// Parent: the map whose operands these are.
template <class State, class Parent, class Whole, class Done, class... Left>
struct lower_each {
  using state = State;
  using list = Done;
};
template <class State, class Parent, class Whole, class... Done, class E, class... Left>
struct lower_each<State, Parent, Whole, refs<Done...>, E, Left...> {
  using one = lower<State, E>;
  static constexpr bool memory =
      std::is_void_v<Whole> || is_shared_part<Whole, E> || is_repeated_part<typename State::root, Parent, E>;
  using settled = std::conditional_t<memory, in_memory<typename one::state, typename one::ref>, one>;
  using rest = lower_each<typename settled::state, Parent, Whole, refs<Done..., typename settled::ref>, Left...>;
  using state = typename rest::state;
  using list = typename rest::list;
};

template <class State, class F, class Refs>
struct lower_call;
template <class State, class F, class... R>
struct lower_call<State, F, refs<R...>> : lowered<State, call<F, R...>> {};
template <class State, class F, class... R>
  requires(F::is_strip && !requires { F::is_call; })
struct lower_call<State, F, refs<R...>> : lowered<typename State::template push<strip_stage<F, R...>>,
                                                  stage_ref<State::stage_count, typename strip_stage<F, R...>::type>> {
};

template <class State, class F, class... R>
  requires requires { F::is_call; }
struct lower_call<State, F, refs<R...>> : lowered<typename State::template push<call_stage<F, R...>>,
                                                  stage_ref<State::stage_count, typename call_stage<F, R...>::type>> {};

template <class State, class F, class Shape, class... Args>
struct lower<State, map<F, Shape, Args...>> {
  // in_memory for all where Whole is void
  using args = lower_each<State, map<F, Shape, Args...>, std::conditional_t<F::is_strip, void, Shape>, refs<>, Args...>;
  using self =
      lower_call<typename args::state, typename function_in_program<F, Shape, Args...>::type, typename args::list>;
  using state = typename self::state;
  using ref = typename self::ref;
};

// A function in stages: its arguments in memory, then its formulas and strip functions one after the other.
template <class State, class Stages, class Refs>
struct lower_stages;
template <class State, class First, class Strip, class Second, class SecondStrip, class Last, class... R>
struct lower_stages<State, stages_of<First, Strip, Second, SecondStrip, Last>, refs<R...>> {
  using first = in_memory<State, call<First, R...>>;
  using strip = lower_call<typename first::state, Strip, refs<typename first::ref>>;
  using second = in_memory<typename strip::state, call<Second, R..., typename strip::ref>>;
  using second_strip = lower_call<typename second::state, SecondStrip, refs<typename second::ref>>;
  using state = typename second_strip::state;
  using ref = call<Last, R..., typename second_strip::ref>;
};
template <class State, class First, class Strip, class Second, class Last, class... R>
struct lower_stages<State, stages_of<First, Strip, Second, no_f, Last>, refs<R...>> {
  using first = in_memory<State, call<First, R...>>;
  using strip = lower_call<typename first::state, Strip, refs<typename first::ref>>;
  using state = typename strip::state;
  using ref = call<Last, R..., typename strip::ref>;
};
template <class State, class Strip, class Last, class... R>
struct lower_stages<State, stages_after<Strip, Last>, refs<R...>> {
  using strip = lower_call<State, Strip, refs<R...>>;
  using state = typename strip::state;
  using ref = call<Last, R..., typename strip::ref>;
};
template <class State, class F, class Shape, class... Args>
  requires staged<F>
struct lower<State, map<F, Shape, Args...>> {
  using args = lower_each<State, map<F, Shape, Args...>, void, refs<>, Args...>;
  using self = lower_stages<typename args::state, typename F::stages, typename args::list>;
  using state = typename self::state;
  using ref = typename self::ref;
};

// The result must be the last stage's, in the output's type.
template <class Out, class State, class Ref>
struct finish {
  using converted = std::conditional_t<__is_same(typename Ref::type, Out), Ref, call<cast_f<Out>, Ref>>;
  using type = typename State::template push<compute_stage<converted>>::as_program;
};
template <class Out, class State, int Id>
  requires(Id == State::stage_count - 1)
struct finish<Out, State, stage_ref<Id, Out>> {
  using type = typename State::as_program;
};

template <class E, class Out>
struct program_of {
  using root = lower<lowering<repeating_root<E>, 0>, E>;
  using type = typename finish<Out, typename root::state, typename root::ref>::type;
};

}  // namespace detail

// The program that evaluates E. Equal types mean the same loop.
template <class E>
using normal_form_t = typename detail::program_of<detail::captured<E>, detail::value_of<detail::captured<E>>>::type;

}  // namespace broadloom
