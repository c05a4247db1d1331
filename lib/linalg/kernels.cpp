// Chooses the kernels of linear algebra.
#include "kernels.hpp"

#include <complex>

#include <broadloom/core/isa.hpp>

#include "lanes.hpp"

namespace broadloom::runtime {

extern const product_kernels<float> products_f32_base;
extern const product_kernels<double> products_f64_base;
extern const product_kernels<std::complex<float>> products_c64_base;
extern const product_kernels<std::complex<double>> products_c128_base;
extern const factor_kernels<std::complex<float>> factors_c64;
extern const factor_kernels<std::complex<double>> factors_c128;
extern const lane_kernels<float> lanes_f32_base;
extern const lane_kernels<double> lanes_f64_base;
extern const factor_kernels<float> factors_f32_base;
extern const factor_kernels<double> factors_f64_base;

#if defined(__x86_64__)
extern const product_kernels<float> products_f32_v3, products_f32_v4;
extern const product_kernels<double> products_f64_v3, products_f64_v4;
extern const product_kernels<std::complex<float>> products_c64_v3;
extern const product_kernels<std::complex<double>> products_c128_v3;
extern const lane_kernels<float> lanes_f32_v3, lanes_f32_v4;
extern const lane_kernels<double> lanes_f64_v3, lanes_f64_v4;
extern const factor_kernels<float> factors_f32_v3;
extern const factor_kernels<double> factors_f64_v3;
extern const product_tiles<float> tiles_f32_v3, tiles_f32_v4;
extern const product_tiles<double> tiles_f64_v3, tiles_f64_v4;
#endif

// Factorisations and complex products gain too little from vectors wider than v3's to be compiled again for v4.
// Factorisations of complex matrices are compiled once.
#if defined(__x86_64__)
namespace {

template <class Table>
const Table& chosen(const Table& base, const Table& v3, const Table& v4) {
  const isa level = active_isa();
  return level == isa::v4 ? v4 : level == isa::v3 ? v3 : base;
}
template <class Tiles>
const Tiles* tiles_of(const Tiles& v3, const Tiles& v4) {
  return active_isa() == isa::base ? nullptr : &chosen(v3, v3, v4);
}

}  // namespace
#else
#define chosen(base, v3, v4) base
#define tiles_of(v3, v4) nullptr
#endif

#define BROADLOOM_KERNELS(table, name, type, ...) \
  template <>                                     \
  const table<type>& name<type>() noexcept {      \
    return __VA_ARGS__;                           \
  }
BROADLOOM_KERNELS(product_kernels, products, float, chosen(products_f32_base, products_f32_v3, products_f32_v4))
BROADLOOM_KERNELS(product_kernels, products, double, chosen(products_f64_base, products_f64_v3, products_f64_v4))
BROADLOOM_KERNELS(product_kernels, products, std::complex<float>,
                  chosen(products_c64_base, products_c64_v3, products_c64_v3))
BROADLOOM_KERNELS(product_kernels, products, std::complex<double>,
                  chosen(products_c128_base, products_c128_v3, products_c128_v3))
BROADLOOM_KERNELS(lane_kernels, lanes, float, chosen(lanes_f32_base, lanes_f32_v3, lanes_f32_v4))
BROADLOOM_KERNELS(lane_kernels, lanes, double, chosen(lanes_f64_base, lanes_f64_v3, lanes_f64_v4))
BROADLOOM_KERNELS(factor_kernels, factors, float, chosen(factors_f32_base, factors_f32_v3, factors_f32_v3))
BROADLOOM_KERNELS(factor_kernels, factors, double, chosen(factors_f64_base, factors_f64_v3, factors_f64_v3))
BROADLOOM_KERNELS(factor_kernels, factors, std::complex<float>, factors_c64)
BROADLOOM_KERNELS(factor_kernels, factors, std::complex<double>, factors_c128)

#define BROADLOOM_TILES(type, ...)                    \
  template <>                                         \
  const product_tiles<type>* tiles<type>() noexcept { \
    return __VA_ARGS__;                               \
  }
BROADLOOM_TILES(float, tiles_of(tiles_f32_v3, tiles_f32_v4))
BROADLOOM_TILES(double, tiles_of(tiles_f64_v3, tiles_f64_v4))
BROADLOOM_TILES(std::complex<float>, nullptr)
BROADLOOM_TILES(std::complex<double>, nullptr)

}  // namespace broadloom::runtime
