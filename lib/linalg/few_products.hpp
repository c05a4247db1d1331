// Products of few elements.
#pragma once

#include <broadloom/linalg/few_products.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

template <class T>
struct few_product_kernels {
  void (*multiply)(const T* a, const T* b, T* to, bool fixed_order, const few_steps& s);
};
BROADLOOM_REAL_LEVELS(all, few_product_kernels, few_products)

}  // namespace broadloom::runtime
