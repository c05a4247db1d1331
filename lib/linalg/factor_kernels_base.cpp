// The factorisation kernels for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_COMPLEX_KERNELS
#include <complex>

#include "kernels.hpp"
namespace broadloom::runtime {
extern const factor_kernels<std::complex<float>> factors_c64;
extern const factor_kernels<std::complex<double>> factors_c128;
extern const factor_kernels<float> factors_f32_base;
extern const factor_kernels<double> factors_f64_base;
}  // namespace broadloom::runtime
#include "factor_kernels.hpp"
