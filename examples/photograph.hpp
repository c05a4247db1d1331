// What the demonstration knows of a photograph before it starts: channel means and deviations, a palette, coordinates.
#pragma once

#include <cstdint>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "png.hpp"

namespace example {

namespace bl = broadloom;

inline constexpr int palette_size = 8;

// An array of shape (h, w, c) kept as c planes, as PyTorch keeps images; of any other rank, row by row. The loops of an
// evaluation follow the memory, whatever the order of the axes.
template <class T, class Shape>
auto planes(T* data, const Shape& shape) {
  if constexpr (Shape::axes_count == 3)
    return bl::view<T, Shape>(data, shape, bl::dyn_strides<3>{{shape[1], 1, shape[0] * shape[1]}});
  else
    return bl::from(data, shape);
}

// The arrays a pipeline combines. Extents that any photograph has are static, the others are known at run time.
struct photograph {
  explicit photograph(const picture& p);
  photograph(const photograph&) = delete;
  photograph& operator=(const photograph&) = delete;

  std::vector<std::uint8_t> memory;                                     // three planes
  bl::view<const std::uint8_t, bl::shape<bl::dyn, bl::dyn, 3>> pixels;  // (h, w, 3), rows from the top
  bl::tensor<float, bl::shape<3>> mean;                                 // of each channel
  bl::tensor<float, bl::shape<3>> deviation;              // standard deviation of each channel, at least 1
  bl::tensor<float, bl::shape<3>> spread;                 // deviations and means nearer to each other:
  bl::tensor<float, bl::shape<3>> level;                  // what a white balance makes of them
  bl::tensor<float, bl::shape<palette_size, 3>> palette;  // the colours that stand for the photograph best
  bl::tensor<float, bl::shape<bl::dyn, 1, 1>> y;          // (h, 1, 1), -1 at the top to 1 at the bottom
  bl::tensor<float, bl::shape<bl::dyn, 1>> x;             // (w, 1), -1 at the left to 1 at the right
};

// The picture whose pixels lie in planes at `data`.
picture to_picture(const std::uint8_t* data, bl::index height, bl::index width, bl::index channels);
// The picture whose pixels are the palette's colours of these numbers.
picture paint(const std::int32_t* numbers, const bl::tensor<float, bl::shape<palette_size, 3>>& palette,
              bl::index height, bl::index width);

}  // namespace example
