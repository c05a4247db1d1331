// What compiled code is given for pooling, interpolation, fold and unfold.
#pragma once

#include <cstdint>

#include <broadloom/signal/signal_operand.hpp>

namespace broadloom {

// How interpolate finds an element of the result: the nearest one, linearly between two of each axis, by cubic
// polynomials through four, or the mean of those that it covers.
enum class resampling : unsigned char { nearest, linear, cubic, nearest_exact, area };

namespace runtime {

struct pool_parameters {
  int axes = 1;
  index kernel[detail::max_signal_axes] = {}, stride[detail::max_signal_axes] = {},
        padding[detail::max_signal_axes] = {}, dilation[detail::max_signal_axes] = {1, 1, 1};
  bool maximum = false, ceil_mode = false, count_include_pad = true, adaptive = false;
  index divisor = 0;  // 0: the number of elements
  constexpr bool operator==(const pool_parameters&) const = default;
};
struct interpolation_parameters {
  int axes = 1;
  resampling mode = resampling::nearest;
  bool align_corners = false;
  double scale[detail::max_signal_axes] = {};  // 0: the sizes say it
  constexpr bool operator==(const interpolation_parameters&) const = default;
};
struct fold_parameters {
  index size[2] = {}, kernel[2] = {}, dilation[2] = {1, 1}, padding[2] = {}, stride[2] = {1, 1};
  constexpr bool operator==(const fold_parameters&) const = default;
};

// The extents of the results, in the rank of x; throw shape_error for what cannot be.
BROADLOOM_API void pooled_extents(const char* call, const pool_parameters& p, const detail::shape_view& x, index* to);
BROADLOOM_API void interpolated_extents(const interpolation_parameters& p, const detail::shape_view& x,
                                        const index* sizes, index* to);
BROADLOOM_API void folded_extents(bool back, const fold_parameters& p, const detail::shape_view& x, index* to);

BROADLOOM_API void pool(const pool_parameters& p, const signal_operand& x, void* to, const index* extents,
                        const options& how);
// The largest elements and where they are: row-major positions in the axes that are pooled.
BROADLOOM_API void max_pool(const pool_parameters& p, const signal_operand& x, void* to, std::int64_t* at,
                            const index* extents, const options& how);
BROADLOOM_API void interpolate(const interpolation_parameters& p, const signal_operand& x, void* to,
                               const index* extents, const options& how);
BROADLOOM_API void unfold(const fold_parameters& p, const signal_operand& x, void* to, const options& how);
BROADLOOM_API void fold(const fold_parameters& p, const signal_operand& x, void* to, const options& how);
// The sums of the windows of a line of n elements, one every `step`; x has them on its last axis, their number on
// `axis`.
BROADLOOM_API void fold_windows(int axis, index n, index step, const signal_operand& x, void* to, const options& how);

}  // namespace runtime
}  // namespace broadloom
