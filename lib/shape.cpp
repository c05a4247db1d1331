// Shapes whose rank is known at run time only, and how many elements a range has.
#include <algorithm>
#include <cmath>
#include <string>

#include <broadloom/shape/broadcast.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>
#include <broadloom/tensor/factories.hpp>

namespace broadloom::detail {

index arange_size(double start, double stop, double step) {
  const double n = std::ceil((stop - start) / step);
  if (step == 0 || !(n >= 0)) throw_bad_step();
  if (n > 9.0e18) throw shape_error("arange: too many elements");
  return static_cast<index>(n);
}

std::vector<index> broadcast_extents(const std::span<const index>* shapes, std::size_t count) {
  std::size_t rank = 0;
  for (std::size_t j = 0; j < count; ++j) {
    rank = std::max(rank, shapes[j].size());
    for (index e : shapes[j])
      if (e < 0) throw_negative_extent(shapes[j].data(), static_cast<index>(shapes[j].size()));
  }
  std::vector<index> r(rank, 1);
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t k = 1; k <= shapes[j].size(); ++k) {
      const index z = broadcast_axis(r[rank - k], shapes[j][shapes[j].size() - k]);
      if (z == clash) {
        std::vector<shape_view> views;
        for (std::size_t i = 0; i < count; ++i) views.push_back({shapes[i].data(), static_cast<index>(shapes[i].size())});
        throw_not_broadcastable("broadcast_shapes", views.data(), static_cast<int>(count));
      }
      r[rank - k] = z;
    }
  return r;
}

}  // namespace broadloom::detail
