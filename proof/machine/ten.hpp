// Ten expressions in one program, evaluated and added up: their sizes have names, or only the run knows them.
#pragma once

#include <broadloom/broadloom.hpp>

#include <cstdio>

namespace bl = broadloom;
using namespace bl::literals;

template <bl::index B, bl::index F>
int run_ten() {
  bl::tensor<float, bl::shape<B, F>> x(29, 131), y(29, 131), o(29, 131);
  bl::tensor<float, bl::shape<F, B>> turned(131, 29);
  bl::tensor<float, bl::shape<F>> row(131);
  bl::tensor<float, bl::shape<B>> column(29);
  const auto fill = [](auto& t, float step) {
    for (bl::index i = 0; i < t.size(); ++i) t.data()[i] = step * static_cast<float>(i % 101) - 3;
  };
  fill(x, 0.37f);
  fill(y, 0.11f);
  fill(row, 0.23f);
  double sum = 0;
  const auto evaluate = [&](auto& to, const auto& e) {
    bl::assign(to, e, bl::seq);
    for (bl::index i = 0; i < to.size(); ++i) sum += static_cast<double>(to.data()[i]) * static_cast<double>(i % 7 + 1);
  };
  evaluate(o, x + row);
  evaluate(o, x * y + x);
  evaluate(o, bl::exp(x) - row);
  evaluate(o, bl::addcmul(x, y, row));
  evaluate(o, bl::where(x > row, x, 0.f));
  evaluate(o, x / bl::sum(x, 1_c, bl::keepdim));
  evaluate(o, bl::softmax(x, 1_c));
  evaluate(turned, bl::transpose(x) + 1);
  evaluate(o, bl::clamp(x, -1, 1) * row);
  evaluate(column, bl::mean(bl::square(x - y), 1_c));
  std::printf("%.17g\n", sum);
  return 0;
}
