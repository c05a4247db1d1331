#include "complex_strips.hpp"

#include <broadloom/reduce/complex.hpp>

namespace broadloom::runtime {

void sum_complex_strips(const void* x, index strips, void* to, bool is_f64) {
  complex_strips_of().sum[is_f64 ? 1 : 0](x, strips, to);
}

}  // namespace broadloom::runtime
