// Functions of static arrays in constant expressions and at run time: the compiler's bits are the processor's.
#pragma once

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>

#include "where_true.hpp"

namespace law {

namespace bl = broadloom;

// Numbers whose sums, products and quotients are finite: constant expressions know no infinity and no NaN.
template <class T>
constexpr T number(int i) {
  if constexpr (std::is_same_v<T, bool>) {
    return i % 3 == 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr T list[] = {T(0.1), T(-3), T(1e-12), T(7.25), T(-0.3), T(1e14), T(2), T(-1e-9), T(0.5), T(123456.7)};
    return list[i % 10];
  } else {
    using limits = std::numeric_limits<T>;
    constexpr T list[] = {T(1),   T(-3), limits::max(), T(7),  limits::min() == T(0) ? T(5) : limits::min(),
                          T(100), T(2),  T(-1),         T(50), T(77)};
    return list[i % 10];
  }
}

template <class T, bl::index Rows, bl::index Columns>
struct operands {
  bl::tensor<T, bl::shape<Rows, 1>> x;
  bl::tensor<T, bl::shape<Columns>> y;
  bl::tensor<T, bl::shape<Rows, Columns>> z;

  constexpr operands() {
    for (int i = 0; i < Rows; ++i) x.data()[i] = number<T>(i);
    for (int i = 0; i < Columns; ++i) y.data()[i] = number<T>(i + 3);
    for (int i = 0; i < Rows * Columns; ++i) z.data()[i] = number<T>(i * 7 + 1);
  }
  template <class F>
  constexpr auto apply(const F& f) const {
    if constexpr (std::is_same_v<T, bool> && std::is_same_v<F, bl::div_t>)
      return f(x, y == y);  // constant expressions do not divide by zero
    else if constexpr (requires { typename F::function_type::rule::counts; })
      return f(x, y & (8 * sizeof(T) - 1));  // nor shift by what is no count
    else if constexpr (requires { f(x, y, z); })
      return f(x, y, z);
    else if constexpr (requires { f(x, y); })
      return f(x, y);
    else
      return f(z);
  }
  template <class F>
  constexpr auto evaluate(const F& f) const {
    return bl::eval(apply(f));
  }
};

// NaNs equal NaNs, everything else is equal bit for bit.
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

template <class T, bl::index Rows, bl::index Columns>
operands<T, Rows, Columns> unknown_to_the_compiler() {
  operands<T, Rows, Columns> o;
  __asm__ volatile("" : : "r"(&o) : "memory");
  return o;
}

// Ten rows of nine, element by element; the laws of whole loops compare these with their elements.
template <class T, class F>
bool elements_agree(F f) {
  constexpr auto by_compiler = operands<T, 10, 9>().evaluate(F{});
  const auto o = unknown_to_the_compiler<T, 10, 9>();
  const auto e = o.apply(f);
  bool right = true;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 9; ++j) right = right && same(e(i, j), by_compiler(i, j));
  return right;
}

// So few elements that the evaluation is written out in place.
template <class T, class F>
bool small_arrays_agree(F f) {
  constexpr auto by_compiler = operands<T, 3, 2>().evaluate(F{});
  const auto o = unknown_to_the_compiler<T, 3, 2>();
  const auto r = o.evaluate(f);
  bool right = true;
  for (int i = 0; i < 6; ++i) right = right && same(r.data()[i], by_compiler.data()[i]);
  return right;
}

template <class F, class T>
concept defined_for =
    requires(const operands<T, 1, 1>& o, F f) { f(o.x, o.y, o.z); } ||
    requires(const operands<T, 1, 1>& o, F f) { f(o.x, o.y); } || requires(const operands<T, 1, 1>& o, F f) { f(o.x); };

template <class T, class F>
void check_function(const char* name, F f) {
  if constexpr (defined_for<F, T>) {
    using function = typename decltype(operands<T, 1, 1>().apply(f))::function_type;
    if constexpr (!function::is_strip) {  // transcendental functions are run-time only
      BOOST_TEST(elements_agree<T>(f), name << " of " << bl::to_string(bl::dtype_of<T>) << ", element by element");
      BOOST_TEST(small_arrays_agree<T>(f), name << " of " << bl::to_string(bl::dtype_of<T>) << ", a small array");
    }
  }
}

template <class T>
void check_catalogue() {
#define BROADLOOM_UNARY(NAME, ...) check_function<T>(#NAME, bl::NAME);
#define BROADLOOM_BINARY(NAME, ...) check_function<T>(#NAME, bl::NAME);
#define BROADLOOM_BINARY_OPERATOR(NAME, ...) check_function<T>(#NAME, bl::NAME);
#define BROADLOOM_COMPARISON(NAME, ...) check_function<T>(#NAME, bl::NAME);
#define BROADLOOM_TERNARY(NAME, ...) check_function<T>(#NAME, bl::NAME);
#define BROADLOOM_STRIP1(NAME, ...) check_function<T>(#NAME, bl::NAME);
#define BROADLOOM_STRIP2(NAME, ...) check_function<T>(#NAME, bl::NAME);
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
  check_function<T>("where", where_true{});
}

}  // namespace law
