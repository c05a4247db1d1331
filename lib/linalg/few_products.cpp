// Products of few elements, by the level in force.
#include "few_products.hpp"

#include <broadloom/eval/with.hpp>

namespace broadloom::runtime {

void multiply_few(dtype type, const void* a, const void* b, void* to, const options& how, const few_steps& s) {
  const bool in_order = products_in_order(how);
  if (type == dtype::f32)
    few_products<float>().multiply(static_cast<const float*>(a), static_cast<const float*>(b), static_cast<float*>(to),
                                   in_order, s);
  else
    few_products<double>().multiply(static_cast<const double*>(a), static_cast<const double*>(b),
                                    static_cast<double*>(to), in_order, s);
}

}  // namespace broadloom::runtime
