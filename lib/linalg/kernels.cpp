// Which kernels of linear algebra are in force.
#include "kernels.hpp"

#include <broadloom/core/isa.hpp>

namespace broadloom::runtime {

extern const product_kernels<float> products_f32_base;
extern const product_kernels<double> products_f64_base;
extern const factor_kernels<float> factors_f32_base;
extern const factor_kernels<double> factors_f64_base;

#if defined(__x86_64__)
extern const product_kernels<float> products_f32_v3, products_f32_v4;
extern const product_kernels<double> products_f64_v3, products_f64_v4;
extern const factor_kernels<float> factors_f32_v3;
extern const factor_kernels<double> factors_f64_v3;
#endif

// Factorisations gain too little from wider vectors than v3's to be compiled once more.
#if defined(__x86_64__)
namespace {

template <class Table>
const Table& chosen(const Table& base, const Table& v3, const Table& v4) {
  const isa level = active_isa();
  return level == isa::v4 ? v4 : level == isa::v3 ? v3 : base;
}

}  // namespace

template <>
const product_kernels<float>& products<float>() noexcept {
  return chosen(products_f32_base, products_f32_v3, products_f32_v4);
}
template <>
const product_kernels<double>& products<double>() noexcept {
  return chosen(products_f64_base, products_f64_v3, products_f64_v4);
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
const product_kernels<float>& products<float>() noexcept {
  return products_f32_base;
}
template <>
const product_kernels<double>& products<double>() noexcept {
  return products_f64_base;
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

}  // namespace broadloom::runtime
