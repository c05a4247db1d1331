// The formulas of geometry over runs of core arrays, of one instruction-set level.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

inline constexpr int max_formula_inputs = 4;
// `count` core arrays at constant steps, in elements: of an operand `step` from one to the next (0: one for all),
// core[0] and core[1] along its axes. Results are contiguous.
template <class T>
struct formula_run {
  const T* in[max_formula_inputs];
  index step[max_formula_inputs], core[max_formula_inputs][2];
  T* to;
  index count;
};
template <class T>
struct formula_kernels {
  void (*const* run)(const formula_run<T>&);
};

BROADLOOM_REAL_LEVELS(v3, formula_kernels, geometry_formulas)

}  // namespace broadloom::runtime
