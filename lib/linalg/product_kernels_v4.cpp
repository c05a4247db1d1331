// The product kernels for AVX-512.
#define BROADLOOM_LEVEL v4
#define BROADLOOM_TILES
#include "kernels.hpp"
namespace broadloom::runtime {
extern const product_kernels<float> products_f32_v4;
extern const product_kernels<double> products_f64_v4;
}  // namespace broadloom::runtime
#include "product_kernels.hpp"
