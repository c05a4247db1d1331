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

}  // namespace

template <>
const product_tiles<float>* tiles<float>() noexcept {
  return active_isa() == isa::base ? nullptr : &chosen(tiles_f32_v3, tiles_f32_v3, tiles_f32_v4);
}
template <>
const product_tiles<double>* tiles<double>() noexcept {
  return active_isa() == isa::base ? nullptr : &chosen(tiles_f64_v3, tiles_f64_v3, tiles_f64_v4);
}
template <>
const product_kernels<float>& products<float>() noexcept {
  return chosen(products_f32_base, products_f32_v3, products_f32_v4);
}
template <>
const product_kernels<double>& products<double>() noexcept {
  return chosen(products_f64_base, products_f64_v3, products_f64_v4);
}
template <>
const product_kernels<std::complex<float>>& products<std::complex<float>>() noexcept {
  return chosen(products_c64_base, products_c64_v3, products_c64_v3);
}
template <>
const product_kernels<std::complex<double>>& products<std::complex<double>>() noexcept {
  return chosen(products_c128_base, products_c128_v3, products_c128_v3);
}
template <>
const lane_kernels<float>& lanes<float>() noexcept {
  return chosen(lanes_f32_base, lanes_f32_v3, lanes_f32_v4);
}
template <>
const lane_kernels<double>& lanes<double>() noexcept {
  return chosen(lanes_f64_base, lanes_f64_v3, lanes_f64_v4);
}
template <>
const factor_kernels<float>& factors<float>() noexcept {
  return chosen(factors_f32_base, factors_f32_v3, factors_f32_v3);
}
template <>
const factor_kernels<double>& factors<double>() noexcept {
  return chosen(factors_f64_base, factors_f64_v3, factors_f64_v3);
}
#else
template <>
const product_tiles<float>* tiles<float>() noexcept {
  return nullptr;
}
template <>
const product_tiles<double>* tiles<double>() noexcept {
  return nullptr;
}
template <>
const product_kernels<float>& products<float>() noexcept {
  return products_f32_base;
}
template <>
const product_kernels<double>& products<double>() noexcept {
  return products_f64_base;
}
template <>
const product_kernels<std::complex<float>>& products<std::complex<float>>() noexcept {
  return products_c64_base;
}
template <>
const product_kernels<std::complex<double>>& products<std::complex<double>>() noexcept {
  return products_c128_base;
}
template <>
const lane_kernels<float>& lanes<float>() noexcept {
  return lanes_f32_base;
}
template <>
const lane_kernels<double>& lanes<double>() noexcept {
  return lanes_f64_base;
}
template <>
const factor_kernels<float>& factors<float>() noexcept {
  return factors_f32_base;
}
template <>
const factor_kernels<double>& factors<double>() noexcept {
  return factors_f64_base;
}
#endif

template <>
const product_tiles<std::complex<float>>* tiles<std::complex<float>>() noexcept {
  return nullptr;
}
template <>
const product_tiles<std::complex<double>>* tiles<std::complex<double>>() noexcept {
  return nullptr;
}
template <>
const factor_kernels<std::complex<float>>& factors<std::complex<float>>() noexcept {
  return factors_c64;
}
template <>
const factor_kernels<std::complex<double>>& factors<std::complex<double>>() noexcept {
  return factors_c128;
}

}  // namespace broadloom::runtime
