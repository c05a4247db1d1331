// The errors that headers of functions on signals throw.
#include <string>

#include <broadloom/core/error.hpp>

#include "errors.hpp"
#include "list_text.hpp"

namespace broadloom::detail {

void raise_empty_line(const char* call, const shape_view& a, const shape_view& v) {
  throw shape_error(std::string(a.extents[0] == 0 ? "a" : "v") + " cannot be empty\n  in " + call + ": " +
                    list(a.extents, 1, '(', ')') + ", " + list(v.extents, 1, '(', ')'));
}

void raise_uneven_windows(index n, index step, int axis, const shape_view& x) {
  throw shape_error("windows every " + std::to_string(step) + " elements do not end within " + std::to_string(n) +
                    "\n  in fold_windows: axis " + std::to_string(axis) + " of " + list(x.extents, x.rank, '(', ')'));
}

void raise_transform_length(const char* call, index n, int axis, const shape_view& x) {
  throw shape_error("Invalid number of data points (" + std::to_string(n) + ") specified\n  in " + call + ": axis " +
                    std::to_string(axis) + " of " + list(x.extents, x.rank, '(', ')'));
}

}  // namespace broadloom::detail
