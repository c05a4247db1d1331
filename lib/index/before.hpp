// Elements of a contiguous line that may come before others, which a selection of few looks at closely; and integers of
// 64 bits as differences of 32.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

constexpr index lanes_of_line = 16;
constexpr index block_of_line = 32;

// Which elements of a block may come before a limit, a bit each, and how many blocks without any lie before it.
struct block_found {
  index passed;
  std::uint32_t which;
};
template <class T>
struct before_kernels {
  // The line is dealt to so many lanes, of which each one's first is found: the least, or the greatest if `descending`.
  // n >= lanes_of_line; elements behind the last whole multiple are left out.
  void (*first_of_lanes)(const T* x, index n, bool descending, T* best);
  // The first of so many blocks that has elements before the limit, or, with `equal`, equal to it; NaN count as such.
  block_found (*next_block)(const T* x, index blocks, T limit, bool descending, bool equal);
};

template <class T>
constexpr bool has_before_kernels = false;
template <class T>
const before_kernels<T>& before_code() noexcept;
#define BROADLOOM_BEFORE(T, SUFFIX)                   \
  template <>                                         \
  inline constexpr bool has_before_kernels<T> = true; \
  BROADLOOM_LEVELS_OF(v3, before_kernels, before_code, T, SUFFIX)
BROADLOOM_BEFORE(float, f32)
BROADLOOM_BEFORE(double, f64)
BROADLOOM_BEFORE(std::int32_t, i32)
BROADLOOM_BEFORE(std::int64_t, i64)
#undef BROADLOOM_BEFORE

struct narrow_kernels {
  // Writes x - middle for each of n integers; false, if one of these has no place in 32 bits.
  bool (*narrow)(const std::uint64_t* x, index n, std::uint64_t middle, std::int32_t* to);
};
BROADLOOM_LEVELS(v3, narrow_kernels, narrow_code)

}  // namespace broadloom::runtime
