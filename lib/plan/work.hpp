// How long an element takes on one thread, roughly: whether other threads are worth waking depends on it.
#pragma once

#include <broadloom/core/isa.hpp>
#include <broadloom/core/maths.hpp>
#include <broadloom/plan/problem.hpp>

#include "../base/limits.hpp"

namespace broadloom::runtime {

// The times that a function takes what most functions do.
inline double times_of_function(const stage& s) noexcept {
  if (s.kind == stage_kind::strip2) {
    const auto f = static_cast<maths2>(s.function);
    return f == maths2::pow || f == maths2::fmod ? limits::work::pow_times : 1;
  }
  const auto f = static_cast<maths1>(s.function);
  if (f == maths1::lgamma || f == maths1::tgamma) return limits::work::gamma_times;
  return f == maths1::erfc ? limits::work::erfc_times : 1;
}

// Whether a stage is a power with a scalar exponent that has a loop of its own, such as 2. scalar(k): operand k's
// number, null if it is an array.
template <class Scalar>
bool is_simple_power(const stage& s, const Scalar& scalar) noexcept {
  if (s.kind != stage_kind::strip2 || static_cast<maths2>(s.function) != maths2::pow || s.inputs[1] >= first_stage)
    return false;
  const void* const by = scalar(s.inputs[1]);
  if (by == nullptr) return false;
  return s.type == dtype::f64 ? find_power(*static_cast<const double*>(by), accuracy::accurate).f64 != nullptr
                              : find_power(*static_cast<const float*>(by), accuracy::accurate).f32 != nullptr;
}

// Nanoseconds of an element of the stage, beside reading and writing operands.
template <class Scalar>
double stage_ns(const stage& s, const Scalar& scalar) noexcept {
  if (s.kind == stage_kind::compute || is_simple_power(s, scalar)) return limits::work::of_arithmetic;
  const isa level = active_isa() < isa::v4 ? active_isa() : isa::v4;
  return limits::work::of_function[static_cast<int>(level)][s.type == dtype::f64] * times_of_function(s);
}

// Whether it may take any time: a callable, or a function that is called as one, as those of complex numbers are.
inline bool takes_unknown_time(const stage& s) noexcept {
  return s.kind == stage_kind::compute && s.code->lanes[static_cast<int>(active_isa())] == 1;
}

}  // namespace broadloom::runtime
