// pointwise(f, a, b, ...): a user's callable as a node of a tree, called once for each element of the operands' common
// shape.
#pragma once

#include <broadloom/fn/function.hpp>

namespace broadloom {

// N elements that are passed in memory, so that a function of them may be compiled with any flags and need not be
// inlined.
template <class T, int N>
class pack {
 public:
  using value_type = T;

  constexpr pack() = default;
  constexpr explicit pack(T x) {
    for (T& e : v_) e = x;
  }
  constexpr pack(const pack& o) {
    for (int i = 0; i < N; ++i) v_[i] = o.v_[i];
  }
  constexpr pack& operator=(const pack& o) {
    for (int i = 0; i < N; ++i) v_[i] = o.v_[i];
    return *this;
  }
  static constexpr int size() { return N; }
  constexpr T& operator[](int i) { return v_[i]; }
  constexpr const T& operator[](int i) const { return v_[i]; }

  // f of each element, or of each element of two.
  template <class F>
  friend constexpr auto each(const F& f, const pack& x) {
    pack<std::remove_cvref_t<decltype(f(x[0]))>, N> r;
    for (int i = 0; i < N; ++i) r[i] = f(x[i]);
    return r;
  }
  template <class F, class U>
  friend constexpr auto each(const F& f, const pack& x, const pack<U, N>& y) {
    pack<std::remove_cvref_t<decltype(f(x[0], y[0]))>, N> r;
    for (int i = 0; i < N; ++i) r[i] = f(x[i], y[i]);
    return r;
  }

#define BROADLOOM_PACK(OP)                                                                        \
  friend constexpr auto operator OP(const pack& x, const pack& y) {                               \
    return each([](T a, T b) { return static_cast<decltype(result_of(a OP b))>(a OP b); }, x, y); \
  }                                                                                               \
  friend constexpr auto operator OP(const pack& x, T y) { return x OP pack(y); }                  \
  friend constexpr auto operator OP(T x, const pack& y) { return pack(x) OP y; }
  BROADLOOM_PACK(+)
  BROADLOOM_PACK(-)
  BROADLOOM_PACK(*)
  BROADLOOM_PACK(/)
  BROADLOOM_PACK(<)
  BROADLOOM_PACK(>)
#undef BROADLOOM_PACK

 private:
  // Arithmetic keeps the type, comparisons give bool.
  static bool result_of(bool);
  template <class U>
  static T result_of(U);

  T v_[N];
};

// The number of elements in a pack for callables that take packs.
inline constexpr int pack_size = 16;

namespace detail {

// A callable as a leaf of a tree: a scalar for the planner, an address for the loop that calls it.
template <class F>
struct function_value {
  F f;
};
template <class F>
inline constexpr int dtype_code<function_value<F>> = static_cast<int>(dtype::u8);

// Whether a callable also has strip(x, to, n) for n elements in memory or, of several elements, strip(x, y, advances of
// x and y, to, n): all elements (-1), or one for all (0).
template <class F>
inline constexpr bool takes_strips = false;

template <class T>
struct pack_element {
  using type = void;
};
template <class T, int N>
struct pack_element<broadloom::pack<T, N>> {
  using type = T;
};

// The type of F's result for elements of types T: called with single elements if it takes these, else with packs.
template <class F, class... T>
struct call_result {
  using type = void;
};
template <class F, class... T>
  requires requires(const F& f, const T&... x) { f(x...); }
struct call_result<F, T...> {
  using type = std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<const T&>()...))>;
  static constexpr int size = 1;
};
template <class F, class... T>
  requires(!requires(const F& f, const T&... x) { f(x...); }) &&
          requires(const F& f, const broadloom::pack<T, pack_size>&... x) { f(x...); }
struct call_result<F, T...> {
  using given = decltype(std::declval<const F&>()(std::declval<const broadloom::pack<T, pack_size>&>()...));
  using type = typename pack_element<std::remove_cvref_t<given>>::type;
  static constexpr int size = pack_size;
};

// Whether a parameter of type P accepts an element of type T unchanged: P holds all values of T, by the rules of
// promotion, or is no element type, so that its own conversion decides.
template <class T, class P>
constexpr bool holds() {
  using plain = std::remove_cvref_t<P>;
  if constexpr (!element<T> || !element<plain>)
    return true;
  else
    return promote_strong(dtype_of<T>, dtype_of<plain>) == static_cast<int>(dtype_of<plain>);
}
// The same for all parameters of a callable with one signature; overloaded ones choose by the elements' types.
template <class F, class... T>
struct takes_elements {
  static constexpr bool value = true;
};
template <class... T>
struct for_elements {
  template <class... P>
  static constexpr bool held_by() {
    if constexpr (sizeof...(P) == sizeof...(T))
      return (holds<T, P>() && ...);
    else
      return true;
  }
};
template <class R, class... P, class... T>
struct takes_elements<R (*)(P...), T...> {
  static constexpr bool value = for_elements<T...>::template held_by<P...>();
};
template <class R, class... P, class... T>
struct takes_elements<R (*)(P...) noexcept, T...> : takes_elements<R (*)(P...), T...> {};
template <class C, class R, class... P>
auto signature_of(R (C::*)(P...) const) -> R (*)(P...);
template <class C, class R, class... P>
auto signature_of(R (C::*)(P...) const noexcept) -> R (*)(P...);
template <class F, class... T>
  requires requires { signature_of(&F::operator()); }
struct takes_elements<F, T...> : takes_elements<decltype(signature_of(&F::operator())), T...> {};

template <class F, class... T>
struct pointwise_f {
  static constexpr bool is_strip = true;  // it is a stage of its own
  static constexpr bool is_call = true;
  static constexpr int size = call_result<F, T...>::size;
  using callable = function_value<F>;
  template <class...>
  using result = typename call_result<F, T...>::type;
  static constexpr const char* name() { return "pointwise"; }
  static constexpr auto scalar(const callable& c, const T&... x) {
    if constexpr (size == 1)
      return c.f(x...);
    else
      return c.f(broadloom::pack<T, pack_size>(x)...)[0];
  }
};

}  // namespace detail

// f of the elements of the operands, which broadcast together; nothing is promoted, and a parameter that cannot hold
// the elements, int for floats, is refused by the compiler. f is copied into the tree and
// called as const, from several threads at once unless the evaluation is bl::seq; what it throws arrives at the caller,
// once. It takes single elements, or, when it does not, packs of pack_size elements, the last of which may be repeated
// to fill a pack up.
inline constexpr struct pointwise_t {
#if defined(__clang__)
  template <class F, detail::referred... A>
    requires(sizeof...(A) > 0) && detail::shapes_fit<A&...>
  constexpr auto operator()(F f, A&... a BROADLOOM_LIFETIMEBOUND) const {
    return make<F, typename detail::element_of_argument<A&>::type...>(static_cast<F&&>(f), a...);
  }
#endif
  template <class F, operand... A>
    requires detail::any_array<A...> && detail::shapes_fit<A...>
  constexpr auto operator()(F f, A&&... a) const {
    return make<F, typename detail::element_of_argument<A>::type...>(static_cast<F&&>(f), static_cast<A&&>(a)...);
  }
  template <class F, operand... A, class Error = detail::shapes_error<A...>>
    requires detail::any_array<A...> && (!detail::shapes_fit<A...>)
  Error operator()(F, A&&...) const BROADLOOM_REFUSED;

 private:
  template <class F, class... T, class... A>
  static constexpr auto make(F&& f, A&&... a) {
    using result = typename detail::call_result<std::remove_cvref_t<F>, T...>::type;
    constexpr bool returns = element<result>;
    static_assert(returns,
                  "pointwise: the callable must take one element of each operand, and return an element; a lambda "
                  "without mutable [errors.md#pointwise-callable]");
    constexpr bool held = detail::takes_elements<std::remove_cvref_t<F>, T...>::value;
    static_assert(!returns || held,
                  "say cast<T>(x) of the operand: pointwise converts nothing, and the callable takes an element "
                  "type that cannot hold the operand's [errors.md#pointwise-conversion]");
    if constexpr (returns && held)
      return detail::make_map(detail::pointwise_f<std::remove_cvref_t<F>, T...>{},
                              scalar(detail::function_value<std::remove_cvref_t<F>>{static_cast<F&&>(f)}),
                              detail::argument<T>(static_cast<A&&>(a))...);
    else
      return scalar(0.f);
  }
} pointwise{};

}  // namespace broadloom
