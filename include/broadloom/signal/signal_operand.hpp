// An operand of a function on signals, as compiled code takes it.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/shape/broadcast.hpp>

namespace broadloom {

namespace runtime {

struct signal_operand {
  const void* data = nullptr;
  dtype type{};
  int rank = 0;
  const index* extents = nullptr;
  const index* strides = nullptr;
};

}  // namespace runtime

namespace detail {

inline constexpr int max_signal_axes = 3;

}  // namespace detail
}  // namespace broadloom
