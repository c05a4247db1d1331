// Products by tiles for AVX2 and FMA.
#define BROADLOOM_LEVEL v3
#include "tile_kernels.hpp"

namespace broadloom::runtime {

extern const product_tiles<float> tiles_f32_v3;
extern const product_tiles<double> tiles_f64_v3;
constinit const product_tiles<float> tiles_f32_v3 = v3::tile_code<float>::table;
constinit const product_tiles<double> tiles_f64_v3 = v3::tile_code<double>::table;

}  // namespace broadloom::runtime
