// The frame of the programs whose machine code is compared: the same operands, one expression, evaluated and added up.
#pragma once

#include <broadloom/broadloom.hpp>

#include <cstdio>

namespace bl = broadloom;

// Three shapes that expand into each other, and a last axis that is no multiple of any vector width.
template <class Expression, class C, class A, class B, class O>
int run(Expression expression, C& c, A& a, B& b, O& o) {
  const auto fill = [](auto& x, float step) {
    for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = step * static_cast<float>(i % 101) - 3;
  };
  fill(c, 0.37f);
  fill(a, 0.11f);
  fill(b, 0.23f);
  for (int repeat = 0; repeat < 8; ++repeat) bl::assign(o, expression(c, a, b), bl::seq);
  double sum = 0;
  for (bl::index i = 0; i < o.size(); ++i) sum += static_cast<double>(o.data()[i]) * static_cast<double>(i % 7 + 1);
  std::printf("%.17g\n", sum);
  return 0;
}

template <class Expression>
int run(Expression expression) {
  bl::dtensor<float, 3> c(29, 1, 131), a(1, 23, 131), b(29, 23, 1), o(29, 23, 131);
  return run(expression, c, a, b, o);
}

// The same where the type says which axes have extent 1; I, J and K are the extents of the result in the types.
template <bl::index I, bl::index J, bl::index K, class Expression>
int run_typed(Expression expression) {
  bl::tensor<float, bl::shape<I, 1, K>> c(29, 131);
  bl::tensor<float, bl::shape<1, J, K>> a(23, 131);
  bl::tensor<float, bl::shape<I, J, 1>> b(29, 23);
  bl::tensor<float, bl::shape<I, J, K>> o(29, 23, 131);
  return run(expression, c, a, b, o);
}
