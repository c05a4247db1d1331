// PyTorch's other names of functions of the catalogue.
#pragma once

#include <broadloom/fn/complex.hpp>

namespace broadloom {

#define BROADLOOM_ALIAS(NAME, FUNCTION) \
  inline constexpr FUNCTION##_t NAME{}; \
  inline constexpr detail::in_place<FUNCTION##_t> NAME##_{};
BROADLOOM_ALIAS(absolute, abs)
BROADLOOM_ALIAS(negative, neg)
BROADLOOM_ALIAS(arccos, acos)
BROADLOOM_ALIAS(arcsin, asin)
BROADLOOM_ALIAS(arctan, atan)
BROADLOOM_ALIAS(arctan2, atan2)
BROADLOOM_ALIAS(arccosh, acosh)
BROADLOOM_ALIAS(arcsinh, asinh)
BROADLOOM_ALIAS(arctanh, atanh)
BROADLOOM_ALIAS(subtract, sub)
BROADLOOM_ALIAS(multiply, mul)
BROADLOOM_ALIAS(divide, div)
BROADLOOM_ALIAS(true_divide, div)
BROADLOOM_ALIAS(clip, clamp)
BROADLOOM_ALIAS(fix, trunc)
BROADLOOM_ALIAS(greater, gt)
BROADLOOM_ALIAS(greater_equal, ge)
BROADLOOM_ALIAS(less, lt)
BROADLOOM_ALIAS(less_equal, le)
BROADLOOM_ALIAS(not_equal, ne)
#undef BROADLOOM_ALIAS

}  // namespace broadloom
