// Broadloom's functions as calls on arrays given as pointer, type, shape and strides: one form for every function,
// element types and ranks that are compared with PyTorch. Small files make them, one driver runs them.
#pragma once

#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "pytorch.hpp"

namespace reference {

namespace bl = broadloom;
using bl::dtype;
using bl::index;

// What a call gives, from operands (the first is the destination of an in-place form, whose elements it changes).
using call = void (*)(const operand* in, const double* numbers, int count, answer& out);

// run, in_place: null where the call does not compile.
struct form {
  std::string name;
  std::string pytorch;  // the name of what it is compared with
  std::vector<bl::dtype> types;
  std::vector<int> ranks;
  call run, in_place;
  int numbers = 0;                                // how many may be given
  bool weak_last = false;                         // the last operand is a C++ number
  bool out_of_place = true, in_place_too = true;  // which forms there are
};

// Filled before main by the files with forms.
std::vector<form>& forms();

template <class T, int R>
using array_view = bl::view<T, bl::dshape<R>>;

template <class T, int R>
array_view<T, R> view_of(const operand& x) {
  bl::detail::indices<R> extents{}, strides{};
  for (int i = 0; i < R; ++i) {
    extents[i] = x.shape[static_cast<std::size_t>(i)];
    strides[i] = x.strides[static_cast<std::size_t>(i)];
  }
  return array_view<T, R>(static_cast<T*>(const_cast<void*>(x.data)), bl::dshape<R>::unchecked(extents),
                          bl::dyn_strides<R>{strides});
}
template <class T, int R>
array_view<const T, R> read_view_of(const operand& x) {
  return view_of<const T, R>(x);
}

// Makes room for a result; gives its memory.
void* result_memory(answer& out, bl::dtype type, const bl::index* extents, int rank);

template <class E>
void evaluate(const E& e, answer& out) {
  using T = typename E::value_type;
  const auto shape = e.shape();
  void* const data = result_memory(out, bl::dtype_of<T>, shape.data(), shape.axes_count);
  bl::dshape<E::shape_type::axes_count> plain = bl::dshape<E::shape_type::axes_count>::unchecked(shape.extents());
  bl::assign(array_view<T, E::shape_type::axes_count>(static_cast<T*>(data), plain), e, bl::seq);
}

// f applied to arrays; numbers follow as they are.
template <class F, class Types, class Ranks>
struct on_arrays;
template <class... T>
struct types {};
template <int... R>
struct ranks {};
template <class F, class... T, int... R>
struct on_arrays<F, types<T...>, ranks<R...>> {
  static constexpr bool compiles = requires(const F& f, const array_view<const T, R>&... x) { f(x...); };
  static void run(const operand* in, const double*, int, answer& out) {
    [&]<int... I>(bl::detail::sequence<I...>) {
      evaluate(F{}(read_view_of<T, R>(in[I])...), out);
    }(bl::detail::make_sequence<sizeof...(T)>{});
  }
};
template <class F, class Types, class Ranks>
struct in_place_on_arrays;
template <class F, class T, class... U, int R, int... Q>
struct in_place_on_arrays<F, types<T, U...>, ranks<R, Q...>> {
  static constexpr bool compiles =
      requires(const F& f, array_view<T, R>& o, const array_view<const U, Q>&... x) { f(o, x...); };
  static void run(const operand* in, const double*, int, answer&) {
    [&]<int... I>(bl::detail::sequence<I...>) {
      auto o = view_of<T, R>(in[0]);
      F{}(o, read_view_of<U, Q>(in[I + 1])...);
    }(bl::detail::make_sequence<sizeof...(U)>{});
  }
};

// An array and up to N numbers.
template <class F, class T, int R, int N, bool InPlace>
struct with_numbers {
  using self = std::conditional_t<InPlace, array_view<T, R>, const array_view<const T, R>>;
  template <int... I>
  static constexpr bool takes(bl::detail::sequence<I...>) {
    return requires(const F& f, self& x) { f(x, (I, 0.0)...); };
  }
  static constexpr bool compiles = takes(bl::detail::make_sequence<N>{});
  template <int... I>
  static void give(self& x, const double* numbers, answer& out, bl::detail::sequence<I...>) {
    if constexpr (InPlace)
      F{}(x, numbers[I]...);
    else
      evaluate(F{}(x, numbers[I]...), out);
  }
  static void run(const operand* in, const double* numbers, int count, answer& out) {
    self x = view_of<std::conditional_t<InPlace, T, const T>, R>(in[0]);
    if constexpr (requires(const F& f) { f(x); })
      if (count == 0) return give(x, numbers, out, bl::detail::make_sequence<0>{});
    give(x, numbers, out, bl::detail::make_sequence<N>{});
  }
};

// Arrays and a number at the end: alpha or value, whole where all arrays are of integers.
template <class F, class Types, class Ranks>
struct with_value;
template <class F, class... T, int... R>
struct with_value<F, types<T...>, ranks<R...>> {
  using number = std::conditional_t<(std::is_floating_point_v<T> || ...), double, std::int64_t>;
  static constexpr bool compiles = requires(const F& f, const array_view<const T, R>&... x, number v) { f(x..., v); };
  static void run(const operand* in, const double* numbers, int, answer& out) {
    [&]<int... I>(bl::detail::sequence<I...>) {
      evaluate(F{}(read_view_of<T, R>(in[I])..., static_cast<number>(numbers[0])), out);
    }(bl::detail::make_sequence<sizeof...(T)>{});
  }
};
template <class F, class Types, class Ranks>
struct in_place_with_value;
template <class F, class T, class... U, int R, int... Q>
struct in_place_with_value<F, types<T, U...>, ranks<R, Q...>> {
  using number = typename with_value<F, types<T, U...>, ranks<R, Q...>>::number;
  static constexpr bool compiles =
      requires(const F& f, array_view<T, R>& o, const array_view<const U, Q>&... x, number v) { f(o, x..., v); };
  static void run(const operand* in, const double* numbers, int, answer&) {
    [&]<int... I>(bl::detail::sequence<I...>) {
      auto o = view_of<T, R>(in[0]);
      F{}(o, read_view_of<U, Q>(in[I + 1])..., static_cast<number>(numbers[0]));
    }(bl::detail::make_sequence<sizeof...(U)>{});
  }
};

// An array and a C++ number as second operand.
template <class F, class T, int R, class Number, bool InPlace>
struct with_weak {
  using self = std::conditional_t<InPlace, array_view<T, R>, const array_view<const T, R>>;
  static constexpr bool compiles = requires(const F& f, self& x, Number v) { f(x, v); };
  static void run(const operand* in, const double*, int, answer& out) {
    self x = view_of<std::conditional_t<InPlace, T, const T>, R>(in[0]);
    const Number v = *static_cast<const Number*>(in[1].data);
    if constexpr (InPlace)
      F{}(x, v);
    else
      evaluate(F{}(x, v), out);
  }
};

template <class Call>
constexpr call if_it_compiles() {
  if constexpr (Call::compiles)
    return Call::run;
  else
    return nullptr;
}

// Adds a form. Its types and ranks are those of `operands` operands.
struct kinds {
  const bl::dtype* types;
  const int* ranks;
  int operands;
};
void add(const char* name, const char* pytorch, kinds of, call run, call in_place, int numbers = 0,
         bool weak_last = false);
void add_only(bool out_of_place, const char* name, kinds of, call run, int numbers = 0);

template <class Types, class Ranks>
struct kinds_of;
template <class... T, int... R>
struct kinds_of<types<T...>, ranks<R...>> {
  static constexpr bl::dtype type_list[] = {bl::dtype_of<T>...};
  static constexpr int rank_list[] = {R...};
  static constexpr kinds value{type_list, rank_list, sizeof...(T)};
};

template <class F, class G, class... T, int... R>
void add_form(const char* name, types<T...>, ranks<R...>, const char* pytorch = nullptr) {
  add(name, pytorch, kinds_of<types<T...>, ranks<R...>>::value,
      if_it_compiles<on_arrays<F, types<T...>, ranks<R...>>>(),
      if_it_compiles<in_place_on_arrays<G, types<T...>, ranks<R...>>>());
}

template <class F, class G, int N, class T, int R>
void add_form_with_numbers(const char* name, types<T>, ranks<R>) {
  add(name, nullptr, kinds_of<types<T>, ranks<R>>::value, if_it_compiles<with_numbers<F, T, R, N, false>>(),
      if_it_compiles<with_numbers<G, T, R, N, true>>(), N);
}

// With alpha or value.
template <class F, class G, class... T, int... R>
void add_form_with_value(const char* name, types<T...>, ranks<R...>) {
  add(name, nullptr, kinds_of<types<T...>, ranks<R...>>::value,
      if_it_compiles<with_value<F, types<T...>, ranks<R...>>>(),
      if_it_compiles<in_place_with_value<G, types<T...>, ranks<R...>>>(), 1);
}

template <class F, class G, class T, int R, class Number>
void add_form_with_weak(const char* name) {
  add(name, nullptr, kinds_of<types<T, Number>, ranks<R, 0>>::value,
      if_it_compiles<with_weak<F, T, R, Number, false>>(), if_it_compiles<with_weak<G, T, R, Number, true>>(), 0, true);
}

using all_types = types<bool, std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
template <int I, class List>
struct type_at;
template <int I, class T, class... U>
struct type_at<I, types<T, U...>> : type_at<I - 1, types<U...>> {};
template <class T, class... U>
struct type_at<0, types<T, U...>> {
  using type = T;
};
template <int I>
using nth_type = typename type_at<I, all_types>::type;
inline constexpr int type_count = 8;

template <int N, class Visit>
void each(Visit visit) {
  [&]<int... I>(bl::detail::sequence<I...>) { (visit.template operator()<I>(), ...); }(bl::detail::make_sequence<N>{});
}

// The element type in which a function's ranks are varied: f32, or i32 where it is for integers only.
template <class F, int N>
using plain_type =
    std::conditional_t<N == 1   ? std::is_invocable_v<F, array_view<const float, 2>>
                       : N == 2 ? std::is_invocable_v<F, array_view<const float, 2>, array_view<const float, 2>>
                                : true,
                       float, std::int32_t>;

// The covering design. Of one operand: every type at rank 2, and every rank.
template <class F, class G>
void unary(const char* name) {
  each<type_count>([&]<int I>() { add_form<F, G>(name, types<nth_type<I>>{}, ranks<2>{}); });
  each<6>([&]<int R>() { add_form<F, G>(name, types<plain_type<F, 1>>{}, ranks<R>{}); });
}
template <class F, class G, int N>
void parameters(const char* name) {
  each<type_count>([&]<int I>() { add_form_with_numbers<F, G, N>(name, types<nth_type<I>>{}, ranks<2>{}); });
  each<6>([&]<int R>() { add_form_with_numbers<F, G, N>(name, types<plain_type<F, 1>>{}, ranks<R>{}); });
}
// Whether all that there is is compared, or a part that is quick to build.
inline constexpr bool whole_set = BROADLOOM_REFERENCE_WHOLE;
inline constexpr bool few_forms = BROADLOOM_REFERENCE_FEW;

// Which of the pairs of types: all, or as many as there are types, so that each occurs in either place, and functions
// of neighbouring numbers have different ones.
template <bool All, int Number>
constexpr int pair_of_types(int i) {
  return All ? i : i * type_count + (i + Number) % type_count;
}
template <bool All>
inline constexpr int pair_count = All ? type_count * type_count : type_count;

// Of two: every pair of types at rank 2, or some; each function meets every rank of either operand, all functions
// together every pair of ranks.
template <class F, class G, int Number, bool All>
void binary(const char* name) {
  each<pair_count<All>>([&]<int I>() {
    constexpr int pair = pair_of_types<All, Number>(I);
    add_form<F, G>(name, types<nth_type<pair / type_count>, nth_type<pair % type_count>>{}, ranks<2, 2>{});
  });
  // C++ numbers.
  each<3>([&]<int I>() {
    using T = std::conditional_t<I == 0, std::uint8_t, std::conditional_t<I == 1, float, std::int32_t>>;
    if constexpr (All || I % 2 == Number % 2) {
      add_form_with_weak<F, G, T, 2, std::int64_t>(name);
      add_form_with_weak<F, G, T, 2, double>(name);
    }
  });
  using T = plain_type<F, 2>;
  each<6>([&]<int R>() {
    if constexpr (All || R % 3 == Number % 3) add_form<F, G>(name, types<T, T>{}, ranks<R, (R + Number) % 6>{});
  });
}
// Of three: every pair of types in any two places, or some; every pair of ranks in the last two.
template <class F, class G, int Number, bool All>
void ternary(const char* name) {
  each<pair_count<All>>([&]<int I>() {
    constexpr int pair = pair_of_types<All, Number>(I), a = pair / type_count, b = pair % type_count;
    add_form<F, G>(name, types<nth_type<a>, nth_type<b>, nth_type<(a + b) % type_count>>{}, ranks<2, 2, 2>{});
  });
  each<36>([&]<int I>() {
    if constexpr (All || I % 6 == Number % 6)
      add_form<F, G>(name, types<float, float, float>{}, ranks<I / 6, I % 6, (I / 6 + I + Number) % 6>{});
  });
}

// One form of each function: of its plain type, or where the number is odd of two widths of it; the ranks of the
// operands are other ones for each function, and all ranks up to 3 meet each other.
template <class F, class G, int Number, int Operands>
void few(const char* name) {
  using T = plain_type<F, Operands>;
  using wide = std::conditional_t<std::is_same_v<T, float>, double, std::int64_t>;
  using U = std::conditional_t<Number % 2 == 0, T, wide>;
  constexpr int r = Number / 2 % 4, q = Number / 8 % 4, p = (r + q + 1) % 4;
  if constexpr (Operands == 1)
    add_form<F, G>(name, types<U>{}, ranks<r>{});
  else if constexpr (Operands == 2)
    add_form<F, G>(name, types<U, T>{}, ranks<r, q>{});
  else
    add_form<F, G>(name, types<U, T, T>{}, ranks<r, q, p>{});
}
template <class F, class G, int N, int Number>
void few_parameters(const char* name) {
  add_form_with_numbers<F, G, N>(name, types<plain_type<F, 1>>{}, ranks<Number / 2 % 4>{});
}

// Of complex numbers: of each width, and with each other and with others.
template <class F, class G>
void complex_unary(const char* name) {
  add_form<F, G>(name, types<std::complex<float>>{}, ranks<2>{});
  add_form<F, G>(name, types<std::complex<double>>{}, ranks<2>{});
}
template <class F, class G>
void complex_binary(const char* name) {
  using c64 = std::complex<float>;
  using c128 = std::complex<double>;
  add_form<F, G>(name, types<c64, c64>{}, ranks<2, 2>{});
  add_form<F, G>(name, types<c64, c128>{}, ranks<2, 1>{});
  add_form<F, G>(name, types<c64, double>{}, ranks<2, 2>{});
  add_form<F, G>(name, types<float, c64>{}, ranks<1, 2>{});
  add_form<F, G>(name, types<c128, std::int32_t>{}, ranks<2, 0>{});
  add_form_with_weak<F, G, c64, 2, double>(name);
}
template <class F, class G>
void complex_ternary(const char* name) {
  using c64 = std::complex<float>;
  add_form<F, G>(name, types<c64, c64, c64>{}, ranks<2, 2, 2>{});
  add_form<F, G>(name, types<c64, c64, float>{}, ranks<2, 1, 2>{});
}

}  // namespace reference
