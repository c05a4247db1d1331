// The kernels for stacks of small matrices, for every processor.
#define BROADLOOM_LEVEL base
#define BROADLOOM_LANE_BYTES 16
#include "lanes.hpp"
namespace broadloom::runtime {
extern const lane_kernels<float> lanes_f32_base;
extern const lane_kernels<double> lanes_f64_base;
}  // namespace broadloom::runtime
#include "batch_kernels.hpp"
