// The kernels for stacks of small matrices for AVX2 and FMA.
#define BROADLOOM_LEVEL v3
#define BROADLOOM_LANE_BYTES 32
#include "lanes.hpp"
namespace broadloom::runtime {
extern const lane_kernels<float> lanes_f32_v3;
extern const lane_kernels<double> lanes_f64_v3;
}  // namespace broadloom::runtime
#include "batch_kernels.hpp"
