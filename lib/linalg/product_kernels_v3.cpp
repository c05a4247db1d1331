// The product kernels for AVX2 and FMA.
#define BROADLOOM_LEVEL v3
#define BROADLOOM_TILES
#define BROADLOOM_COMPLEX_KERNELS
#include <complex>

#include "kernels.hpp"
namespace broadloom::runtime {
extern const product_kernels<std::complex<float>> products_c64_v3;
extern const product_kernels<std::complex<double>> products_c128_v3;
extern const product_kernels<float> products_f32_v3;
extern const product_kernels<double> products_f64_v3;
}  // namespace broadloom::runtime
#include "product_kernels.hpp"
