// A formula of geometry as a function on core arrays: straight-line code where sizes are static and there is one core
// array, compiled code that takes one in each lane for stacks of them.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/eval/straight_input.hpp>
#include <broadloom/geometry/formulas_by_vectors.hpp>
#include <broadloom/geometry/transform_formulas.hpp>
#include <broadloom/linalg/stacked.hpp>

namespace broadloom {

namespace runtime {

// Formula `number` of detail::formulas, of f32 or f64.
BROADLOOM_API void run_formula(const stack_call& call, int number);

}  // namespace runtime

namespace detail {

template <class F>
struct stacked_formula : core_function {
  using rule = rule_floats;
  using signature = typename F::signature;
  static constexpr const char* name() { return F::name(); }
  static constexpr bool writes_at_last = true;
  static void run(const runtime::stack_call& c) { runtime::run_formula(c, formulas::number_of<F>); }

  template <class... A>
  static constexpr bool is_straight = [] {
    int at = 0;
    return ((shape_of<A>::is_static && rank_of<A> == signature::parsed.arguments[at++].rank) && ...);
  }();
  template <int Native, class T, class... A>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A&... a) {
    if constexpr (has_vectors<T, A...> && (is_row_major<straight_input<Native, A>> && ...))
      by_vectors(F{}, straight_input<Native, A>(a, how).data()..., to);
    else
      [&]<int... At>(sequence<At...>) __attribute__((always_inline)) {
        of_numbers(to, in_registers<Native, core_numbers<F>(At)>(a, how)...);
      }(make_sequence<sizeof...(A)>{});
    return true;
  }
  template <class... A, int R>
  static constexpr auto one(const indices<R>& at, const A&... a) {
    using T = value_of<typename first_of<A...>::type>;
    constexpr int rank = signature::parsed.arguments[sizeof...(A)].rank, count = core_numbers<F>(sizeof...(A));
    T all[count] = {};
    [&]<int... At>(sequence<At...>) {
      of_numbers(all, core_at<At, R - rank>(at, a)...);
    }(make_sequence<sizeof...(A)>{});
    return all[rank == 0 ? 0 : rank == 1 ? at[R - 1] : at[R - 2] * (count == 9 ? 3 : 4) + at[R - 1]];
  }

 private:
  template <class T, int N>
  struct numbers {
    lane_number<T> v[N];
  };
  template <class T, class... A>
  static constexpr bool has_vectors = requires(const value_of<A>*... p, T* to) { by_vectors(F{}, p..., to); };
  // Elements one after the other.
  template <class Input>
  static constexpr bool is_row_major = [] {
    using shape_type = typename Input::leaf_type::shape_type;
    constexpr auto s = typename Input::leaf_type::layout_type{}.strides(shape_type{});
    index step = 1;
    bool is = true;
    for (int i = s.count - 1; i >= 0; --i) {
      is = is && s[i] == step;
      step *= shape_type::static_extents[i];
    }
    return is;
  }();
  template <class T, class... X>
  BROADLOOM_INLINE static constexpr void of_numbers(T* to, const X&... x) {
    constexpr int count = core_numbers<F>(sizeof...(X));
    lane_number<T> r[count];
    F::compute(x.v..., r);
    // No loop: compilers keep it, and the numbers in memory.
    [&]<int... At>(sequence<At...>)
        __attribute__((always_inline)) { ((to[At] = r[At].v), ...); }(make_sequence<count>{});
  }
  template <int Native, int N, class A>
  BROADLOOM_INLINE static auto in_registers(const A& a, const runtime::options& how) {
    numbers<value_of<A>, N> r;
    const straight_input<Native, A> in(a, how);
    using leaf = typename straight_input<Native, A>::leaf_type;
    constexpr auto strides = typename leaf::layout_type{}.strides(typename leaf::shape_type{});
    constexpr int columns = rank_of<A> == 2 ? static_cast<int>(shape_of<A>::static_extents[rank_of<A> - 1]) : 1;
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) {
      index at = 0;
      if constexpr (rank_of<A> == 1) at = i * strides[0];
      if constexpr (rank_of<A> == 2) at = i / columns * strides[0] + i % columns * strides[1];
      r.v[i] = lane_number<value_of<A>>(in.data()[at]);
    }
    return r;
  }
  // The core array of an operand that belongs to an element of the result.
  template <int At, int Loops, class A, int R>
  static constexpr auto core_at(const indices<R>& at, const A& a) {
    constexpr int rank = rank_of<A>, core = signature::parsed.arguments[At].rank, loops = rank - core;
    indices<rank> x{};
    for (int i = 0; i < loops; ++i) x[i] = a.shape()[i] == 1 ? 0 : at[Loops - loops + i];
    constexpr int count = core_numbers<F>(At), columns = count == 9 ? 3 : 4;
    numbers<value_of<A>, count> r;
    for (int k = 0; k < count; ++k) {
      if constexpr (core == 1) x[rank - 1] = k;
      if constexpr (core == 2) {
        x[rank - 2] = k / columns;
        x[rank - 1] = k % columns;
      }
      r.v[k] = lane_number<value_of<A>>(a.element(x));
    }
    return r;
  }
};

template <class F>
using geometric_function = stacked_function<stacked_formula<F>>;

// What has the type of the elements beside it: an array, or a number as an array of rank 0.
template <class T, class X>
constexpr auto beside(X&& x) {
  if constexpr (array<X>)
    return shared_tree(capture(static_cast<X&&>(x)));
  else
    return tensor<T, shape<>>(static_cast<T>(x));
}
template <class X>
concept array_or_number = array<X> || number_scalar<std::remove_cvref_t<X>>;

}  // namespace detail

}  // namespace broadloom
