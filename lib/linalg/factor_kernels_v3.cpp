// The factorisation kernels for AVX2 and FMA.
#define BROADLOOM_LEVEL v3
#include "kernels.hpp"
namespace broadloom::runtime {
extern const factor_kernels<float> factors_f32_v3;
extern const factor_kernels<double> factors_f64_v3;
}  // namespace broadloom::runtime
#include "factor_kernels.hpp"
