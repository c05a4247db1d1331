// gufunc<"(n),(n)->()">(f): any function of core arrays, applied over loop axes that broadcast, in parallel.
#pragma once

#include <tuple>

#include <broadloom/eval/scheduler.hpp>
#include <broadloom/linalg/eager.hpp>

namespace broadloom {

namespace detail {

// How many axes an argument's core array has.
constexpr int core_rank(const core_signature& s, const core_binding& b, int argument) {
  int n = 0;
  for (int k = 0; k < s.arguments[argument].rank; ++k) n += !b.missing[s.arguments[argument].sizes[k]];
  return n;
}
// Its static extents.
template <core_signature S, core_binding B, int Argument>
constexpr auto core_axes() {
  indices<core_rank(S, B, Argument)> r{};
  int at = 0;
  for (int k = 0; k < S.arguments[Argument].rank; ++k)
    if (const int id = S.arguments[Argument].sizes[k]; !B.missing[id]) r[at++] = B.sizes[id];
  return r;
}
template <class F, core_binding B, int Argument>
using core_shape = shape_from<core_axes<F::signature::parsed, B, Argument>()>;

// The signature with the callable.
template <text Signature, class Callable>
struct user_function : core_function {
  using signature = core<Signature>;
  using rule = rule_core_any;
  Callable callable;

  static constexpr const char* name() { return "gufunc"; }
  constexpr explicit user_function(const Callable& f) : callable(f) {}
  bool operator==(const user_function&) const = delete;
};

// What one call gets and gives, for operands of T whose shapes are bound as B.
template <class F, class T, core_binding B>
struct core_call {
  static constexpr const core_signature& s = F::signature::parsed;
  template <int At>
  using input = view<const T, core_shape<F, B, At>, dyn_strides<core_shape<F, B, At>::axes_count>>;

  template <class Callable, int... At>
  static auto returned(sequence<At...>) {
    if constexpr (std::is_invocable_v<const Callable&, input<At>...>)
      return std::type_identity<std::invoke_result_t<const Callable&, input<At>...>>{};
    else
      return std::type_identity<void>{};
  }
};

template <class R, class T>
struct returned_element {
  using type = std::remove_cvref_t<R>;
};
template <class T>
struct returned_element<void, T> {
  using type = T;
};
template <array R, class T>
struct returned_element<R, T> {
  using type = value_of<node_of<R>>;
};

// A user's function of given operands: how compiled loops call it.
template <class U, class T, core_binding B>
struct bound_function : core_function {
  using signature = typename U::signature;
  using rule = rule_core_any;
  using call_type = core_call<U, T, B>;
  static constexpr const core_signature& s = signature::parsed;
  using callable_type = decltype(U::callable);
  using returns = typename decltype(call_type::template returned<callable_type>(make_sequence<s.inputs>{}))::type;
  // It gives its only result back, or writes to views of all of them.
  static constexpr bool gives = !std::is_void_v<returns>;
  static_assert(
      !gives || s.outputs == 1,
      "a function with several outputs writes to views of them, its last arguments [errors.md#gufunc-outputs]");
  using element_type = typename returned_element<returns, T>::type;
  template <class, int>
  using result = element_type;
  template <class... R>
  using results = std::tuple<R...>;

  callable_type callable;
  static constexpr const char* name() { return U::name(); }
  constexpr explicit bound_function(const callable_type& f) : callable(f) {}
  bool operator==(const bound_function&) const = delete;

  void run(const runtime::stack_call& c) const {
    const index count = c.count();
    if (count == 0) return;
    struct context {
      const bound_function& f;
      const runtime::stack_call& c;
      index block;
    };
    index work = 1;  // elements a call touches
    for (int i = 0; i < s.sizes; ++i) work = saturated_mul(work, c.sizes[i] < 1 ? 1 : c.sizes[i]);
    const index block = work >= 4096 ? 1 : 4096 / work;
    context k{*this, c, block};
    runtime::parallel_for((count + block - 1) / block, c.how.threads,
                          [](void* p, index first, index last) {
                            const context& x = *static_cast<const context*>(p);
                            const index total = x.c.count(), stop = last * x.block < total ? last * x.block : total;
                            for (index i = first * x.block; i < stop; ++i)
                              x.f.call(x.c, i, make_sequence<s.inputs>{}, make_sequence<s.outputs>{});
                          },
                          &k);
  }

 private:
  template <int At>
  static auto input_view(const runtime::stack_call& c, index number) {
    using shape_type = core_shape<U, B, At>;
    constexpr int rank = shape_type::axes_count;
    const runtime::stack_input& in = c.inputs[At];
    index offset = 0;
    for (int i = c.loop_rank - 1; i >= 0; --i) {
      offset += number % c.loop[i] * in.loop[i];
      number /= c.loop[i];
    }
    indices<rank> extents{};
    dyn_strides<rank> strides{};
    int at = 0;
    for (int k = 0; k < s.arguments[At].rank; ++k)
      if (!B.missing[s.arguments[At].sizes[k]]) {
        extents[at] = c.sizes[s.arguments[At].sizes[k]];
        strides.s[at++] = in.core[k];
      }
    return view<const T, shape_type, dyn_strides<rank>>(static_cast<const T*>(in.data) + offset,
                                                        shape_type::unchecked(extents), strides);
  }
  template <int O>
  static auto output_view(const runtime::stack_call& c, index number) {
    using shape_type = core_shape<U, B, s.inputs + O>;
    indices<shape_type::axes_count> extents{};
    index size = 1;
    int at = 0;
    for (int k = 0; k < s.arguments[s.inputs + O].rank; ++k) {
      const int id = s.arguments[s.inputs + O].sizes[k];
      if (B.missing[id]) continue;
      extents[at++] = c.sizes[id];
      size *= c.sizes[id];
    }
    return view<element_type, shape_type, row_major>(static_cast<element_type*>(c.outputs[O]) + number * size,
                                                     shape_type::unchecked(extents), {});
  }
  template <int... At, int... O>
  void call(const runtime::stack_call& c, index number, sequence<At...>, sequence<O...>) const {
    if constexpr (!gives)
      callable(input_view<At>(c, number)..., output_view<O>(c, number)...);
    else if constexpr (array<returns>)
      assign(output_view<0>(c, number), callable(input_view<At>(c, number)...), seq);
    else
      *output_view<0>(c, number).data() = callable(input_view<At>(c, number)...);
  }
};

template <text Signature, class Callable>
struct gufunc_object {
  using function = user_function<Signature, Callable>;
  function f;

  template <array... A, int Native = BROADLOOM_NATIVE>
    requires stackable<function, A...>
  auto operator()(A&&... a) const {
    using T = compute_type<function, A...>;
    using typed = bound_function<function, T, static_binding<function, shape_of<node_of<A>>...>>;
    if constexpr (function::signature::parsed.outputs == 1)
      return defer(typed(f.callable), static_cast<A&&>(a)...);
    else
      return run_now<Native>(typed(f.callable), static_cast<A&&>(a)...);
  }
  template <array... A, class Error = stacked_error<function, A...>>
    requires(!stackable<function, A...> && sizeof...(A) == function::signature::parsed.inputs)
  Error operator()(A&&...) const = delete;
};

}  // namespace detail

// gufunc<"(n),(n)->()">(f)(a, b): f of each pair of core arrays, the last axes as the signature says; axes before them
// broadcast, and the result has them before its own core axes. f gets views of its operands and either returns its
// result (a number for
// "()", an array or expression otherwise) or writes to views of its results, which come after the operands; a
// function with several results must. With one result the call is lazy; with several it gives a std::tuple of tensors.
// f is called from several threads at once. Operands are converted to their common type. Throws shape_error where core
// sizes differ or loop axes do not broadcast; static ones that do do not compile (NumPy's generalised ufuncs).
template <detail::text Signature>
struct gufunc_t {
  template <class F>
  constexpr auto operator()(const F& f) const {
    return detail::gufunc_object<Signature, F>{detail::user_function<Signature, F>(f)};
  }
};
template <detail::text Signature>
inline constexpr gufunc_t<Signature> gufunc{};

}  // namespace broadloom
