// The kernels for stacks of small matrices for AVX-512.
#define BROADLOOM_LEVEL v4
#define BROADLOOM_LANE_BYTES 64
#include "lanes.hpp"
namespace broadloom::runtime {
extern const lane_kernels<float> lanes_f32_v4;
extern const lane_kernels<double> lanes_f64_v4;
}  // namespace broadloom::runtime
#include "batch_kernels.hpp"
