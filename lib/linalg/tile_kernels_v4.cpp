// Products by tiles for AVX-512.
#define BROADLOOM_LEVEL v4
#include "tile_kernels.hpp"

namespace broadloom::runtime {

extern const product_tiles<float> tiles_f32_v4;
extern const product_tiles<double> tiles_f64_v4;
constinit const product_tiles<float> tiles_f32_v4 = v4::tile_code<float>::table;
constinit const product_tiles<double> tiles_f64_v4 = v4::tile_code<double>::table;

}  // namespace broadloom::runtime
