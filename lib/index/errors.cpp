// Whether the shapes of indices, and of what is written, fit.
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/index/advanced.hpp>

#include "../base/list_text.hpp"

namespace broadloom::detail {

void check_position_shapes(const shape_view* shapes, int count) {
  bool fit = true;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j)
      for (index k = 1; k <= shapes[i].rank && k <= shapes[j].rank; ++k) {
        const index a = shapes[i].extents[shapes[i].rank - k], b = shapes[j].extents[shapes[j].rank - k];
        fit = fit && (a == b || a == 1 || b == 1);
      }
  if (fit) return;
  std::string all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? ", " : "") + list(shapes[i]);
  throw shape_error("shape mismatch: indexing tensors could not be broadcast together with shapes " + all +
                    call_text("slice", shapes, count));
}

void check_value_shape(const shape_view& value, const shape_view& result) {
  bool fits = value.rank <= result.rank;
  for (index k = 1; k <= value.rank && fits; ++k) {
    const index a = value.extents[value.rank - k];
    fits = a == 1 || a == result.extents[result.rank - k];
  }
  const shape_view both[] = {result, value};
  if (!fits)
    throw shape_error("shape mismatch: value tensor of shape " + list(value) +
                      " cannot be broadcast to indexing result of shape " + list(result) + call_text("slice", both, 2));
}

}  // namespace broadloom::detail
