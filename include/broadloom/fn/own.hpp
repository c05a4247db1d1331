// Functions of own elements (enable_element): operators of the program's type, and functions that argument-dependent
// lookup finds.
#pragma once

#include <broadloom/fn/catalogue.hpp>

// Apart from namespace broadloom, where the names are objects, which would end the lookup.
namespace broadloom_own_elements {

#define BROADLOOM_NAME(NAME, ...) void NAME();
#define BROADLOOM_UNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY_OPERATOR(...)
#define BROADLOOM_COMPARISON(...)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_NAME

template <class T>
  requires requires(const T& x) { -x; }
constexpr auto neg(const T& x) {
  return -x;
}
template <class T>
  requires requires(const T& x) { +x; }
constexpr auto positive(const T& x) {
  return +x;
}

#define BROADLOOM_NAME(NAME, ...)                                              \
  struct NAME##_by_lookup {                                                    \
    template <class T, class... More>                                          \
      requires requires(const T& x, const More&... more) { NAME(x, more...); } \
    static constexpr auto of(const T& x, const More&... more) {                \
      return NAME(x, more...);                                                 \
    }                                                                          \
  };
#define BROADLOOM_UNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY_OPERATOR(...)
#define BROADLOOM_COMPARISON(...)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_NAME

}  // namespace broadloom_own_elements

namespace broadloom::detail {

#define BROADLOOM_NAME(NAME, ...) \
  template <>                     \
  struct own_call<lanes::NAME##_f> : broadloom_own_elements::NAME##_by_lookup {};
#define BROADLOOM_OPERATOR(NAME, OP)                        \
  template <>                                               \
  struct own_call<lanes::NAME##_f> {                        \
    template <class T>                                      \
      requires requires(const T& x, const T& y) { x OP y; } \
    static constexpr auto of(const T& x, const T& y) {      \
      return x OP y;                                        \
    }                                                       \
  };
#define BROADLOOM_UNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_TERNARY(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP1(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_STRIP2(NAME, ...) BROADLOOM_NAME(NAME)
#define BROADLOOM_BINARY_OPERATOR(NAME, RULE, COST, OP, ...) BROADLOOM_OPERATOR(NAME, OP)
#define BROADLOOM_COMPARISON(NAME, OP, ...) BROADLOOM_OPERATOR(NAME, OP)
#include <broadloom/fn/catalogue.def>
#include <broadloom/fn/undefine.hpp>
#undef BROADLOOM_NAME
#undef BROADLOOM_OPERATOR

}  // namespace broadloom::detail
