// where as a function of three operands of one type: whether the first is not zero decides.
#pragma once

#include <broadloom/broadloom.hpp>

struct where_true {
  template <class M, class X, class Y>
  constexpr auto operator()(const M& m, const X& x, const Y& y) const {
    return broadloom::where(broadloom::cast<bool>(m), x, y);
  }
};
