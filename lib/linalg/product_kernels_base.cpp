// The product kernels for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_COMPLEX_KERNELS
#include <complex>

#include "kernels.hpp"
namespace broadloom::runtime {
extern const product_kernels<std::complex<float>> products_c64_base;
extern const product_kernels<std::complex<double>> products_c128_base;
extern const product_kernels<float> products_f32_base;
extern const product_kernels<double> products_f64_base;
}  // namespace broadloom::runtime
#include "product_kernels.hpp"
