// The inputs of a program stage, numbered in the order in which it mentions them: equal loops are compiled once.
#pragma once

#include <broadloom/plan/program.hpp>

namespace broadloom::detail {

// The inputs of a stage in the order in which its program mentions them: slots 0, 1, 2 ...
template <class P>
inline constexpr int input_count = 0;
template <int Id, class T>
inline constexpr int input_count<operand_ref<Id, T>> = 1;
template <int Id, class T>
inline constexpr int input_count<ramp_ref<Id, T>> = 1;
template <int Id, class T>
inline constexpr int input_count<scalar_ref<Id, T>> = 1;
template <int Id, class T>
inline constexpr int input_count<stage_ref<Id, T>> = 1;
template <class F, class... P>
inline constexpr int input_count<call<F, P...>> = (0 + ... + input_count<P>);

// A program stage with its inputs renumbered, so that equal loops are compiled once.
template <int Slot, class T>
struct input {
  using type = T;
};
template <int Slot, class T>
struct ramp_input : input<Slot, T> {};
template <int Slot, class T>
struct scalar_input {
  using type = T;
};

template <int Next, class P>
struct localise;
template <int Next, int Id, class T>
struct localise<Next, operand_ref<Id, T>> {
  using type = input<Next, T>;
};
template <int Next, int Id, class T>
struct localise<Next, ramp_ref<Id, T>> {
  using type = ramp_input<Next, T>;
};
template <int Next, int Id, class T>
struct localise<Next, stage_ref<Id, T>> {
  using type = input<Next, T>;
};
template <int Next, int Id, class T>
struct localise<Next, scalar_ref<Id, T>> {
  using type = scalar_input<Next, T>;
};
template <int Next, class F>
struct localise<Next, call<F>> {
  using type = call<F>;
};
template <int Next, class F, class A>
struct localise<Next, call<F, A>> {
  using type = call<F, typename localise<Next, A>::type>;
};
template <int Next, class F, class A, class B>
struct localise<Next, call<F, A, B>> {
  using type = call<F, typename localise<Next, A>::type, typename localise<Next + input_count<A>, B>::type>;
};
template <int Next, class F, class A, class B, class C>
struct localise<Next, call<F, A, B, C>> {
  using type = call<F, typename localise<Next, A>::type, typename localise<Next + input_count<A>, B>::type,
                    typename localise<Next + input_count<A> + input_count<B>, C>::type>;
};

template <int Next, class F, class A, class B, class C, class D>
struct localise<Next, call<F, A, B, C, D>> {
  static constexpr int b = Next + input_count<A>, c = b + input_count<B>, d = c + input_count<C>;
  using type = call<F, typename localise<Next, A>::type, typename localise<b, B>::type, typename localise<c, C>::type,
                    typename localise<d, D>::type>;
};
template <int Next, class F, class A, class B, class C, class D, class E>
struct localise<Next, call<F, A, B, C, D, E>> {
  static constexpr int b = Next + input_count<A>, c = b + input_count<B>, d = c + input_count<C>,
                       e = d + input_count<D>;
  using type = call<F, typename localise<Next, A>::type, typename localise<b, B>::type, typename localise<c, C>::type,
                    typename localise<d, D>::type, typename localise<e, E>::type>;
};

}  // namespace broadloom::detail
