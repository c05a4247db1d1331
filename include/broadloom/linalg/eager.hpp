// Functions on core arrays with several results, which are computed at once.
#pragma once

#include <broadloom/linalg/stacked.hpp>

namespace broadloom {
namespace detail {

// The members of a struct of results, as compiled code takes them.
template <int Count, class Results>
fixed_array<void*, Count> places_of(Results& r) {
  static_assert(Count >= 2 && Count <= 4);
  if constexpr (Count == 2) {
    auto& [a, b] = r;
    return {{a.data(), b.data()}};
  } else if constexpr (Count == 3) {
    auto& [a, b, c] = r;
    return {{a.data(), b.data(), c.data()}};
  } else {
    auto& [a, b, c, d] = r;
    return {{a.data(), b.data(), c.data(), d.data()}};
  }
}

template <class F, int Output, class... Args>
using result_tensor = deduced_tensor<typename F::template result<typename first_of<Args...>::type::value_type, Output>,
                                     result_shape<F, Output, typename Args::shape_type...>>;

template <int Native, class F, int... Output, class... Args>
auto run_nodes(sequence<Output...>, const F& f, const Args&... args) {
  const core_binding b = checked_binding<F>(args.shape()...);
  using results = typename F::template results<result_tensor<F, Output, Args...>...>;
  results r{result_tensor<F, Output, Args...>::uninitialised(
      result_shape_now<result_shape<F, Output, typename Args::shape_type...>, F>(b, Output))...};
  const auto places = places_of<sizeof...(Output)>(r);
  run_stacked<Native>(f, places.v, runtime::options{}, args...);
  return r;
}

// The results of F with several outputs, computed now.
template <int Native, class F, array... A>
  requires stackable<F, A...>
auto run_now(const F& f, A&&... a) {
  return run_nodes<Native>(make_sequence<F::signature::parsed.outputs>{}, f,
                           argument<compute_type<F, A...>>(static_cast<A&&>(a))...);
}

// The same of an F with several results, which runs at once.
template <class F>
struct eager_function {
  template <array... A, int Native = BROADLOOM_NATIVE>
    requires stackable<F, A...>
  auto operator()(A&&... a) const {
    return run_now<Native>(F{}, static_cast<A&&>(a)...);
  }
  template <array... A, class Error = stacked_error<F, A...>>
    requires(!stackable<F, A...> && sizeof...(A) == F::signature::parsed.inputs)
  Error operator()(A&&...) const BROADLOOM_REFUSED;
  template <class G = F, class... A, class Error = takes_arrays<G>>
    requires takes_others<G, A...>
  Error operator()(const A&...) const BROADLOOM_REFUSED;
};

}  // namespace detail
}  // namespace broadloom
