// The errors of indexing when shapes or indices do not fit: PyTorch's sentence if it has one, then the call.
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/index/advanced.hpp>
#include <broadloom/index/choose.hpp>
#include <broadloom/index/grid.hpp>
#include <broadloom/index/scatter_broadcast.hpp>

#include "../base/list_text.hpp"

namespace broadloom::detail {

namespace {

std::string line(const char* call, const shape_view* shapes, int count) {
  std::string s = std::string("\n  ") + call + "(";
  for (int i = 0; i < count; ++i) s += (i > 0 ? ", " : "") + list(shapes[i]);
  return s + ")";
}

}  // namespace

void throw_indexing(const char* sentence, const char* call, const shape_view* shapes, int count) {
  throw shape_error(sentence + line(call, shapes, count));
}

void throw_equal_axes(index first, index second) {
  throw shape_error("expected rotation dims to be different, but got dim0 = " + std::to_string(first) +
                    " and dim1 = " + std::to_string(second) + "\n  in rot90");
}

void throw_empty_axis(const char* call, const shape_view& positions, int axis) {
  throw index_error("cannot take positions of shape " + list(positions) + " from an empty axis: dimension " +
                    std::to_string(axis) + " has size 0\n  in " + call);
}

void throw_narrow_wrap(const char* call, index n, int axis) {
  throw index_error("positions of i32 do not reach around dimension " + std::to_string(axis) + " of size " +
                    std::to_string(n) + ": use i64\n  in " + call);
}

void throw_index_larger(const shape_view& self, const shape_view& position, int axis, int at) {
  const shape_view both[] = {self, position};
  throw shape_error("Size does not match at dimension " + std::to_string(at) + " expected index " + list(position) +
                    " to be smaller than self " + list(self) + " apart from dimension " + std::to_string(axis) +
                    line("gather", both, 2));
}

void throw_scatter_shapes(const shape_view& self, const shape_view& position, const shape_view& source, int axis) {
  const shape_view all[] = {self, position, source};
  std::string s = "Expected index " + list(position) + " to be smaller than self " + list(self) +
                  " apart from dimension " + std::to_string(axis);
  if (source.rank > 0) s += " and to be smaller size than src " + list(source);
  throw shape_error(s + line("scatter", all, source.rank > 0 ? 3 : 2));
}

void throw_scatter_undefined(int axis, const shape_view& self, const shape_view& position, const shape_view& source) {
  const shape_view all[] = {self, position, source};
  throw shape_error("scatter_broadcast: neither the index nor the source has axis " + std::to_string(axis) +
                    ": how many elements go there is not defined" + line("scatter_broadcast", all, 3));
}

void check_position_shapes(const shape_view* shapes, int count) {
  std::string all;
  bool fit = true;
  for (int i = 0; i < count; ++i) {
    all += (i > 0 ? ", " : "") + list(shapes[i]);
    for (int j = 0; j < i; ++j)
      for (index k = 1; k <= shapes[i].rank && k <= shapes[j].rank; ++k) {
        const index a = shapes[i].extents[shapes[i].rank - k], b = shapes[j].extents[shapes[j].rank - k];
        fit = fit && (a == b || a == 1 || b == 1);
      }
  }
  if (!fit)
    throw shape_error("shape mismatch: indexing tensors could not be broadcast together with shapes " + all +
                      line("slice", shapes, count));
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
                      " cannot be broadcast to indexing result of shape " + list(result) + line("slice", both, 2));
}

void throw_index_count(const char* call, index positions, index extent, int axis) {
  const std::string end = std::string(call) == "index_copy_" ? "" : ", for dim: " + std::to_string(axis);
  throw shape_error(std::string(call) + "(): Number of indices (" + std::to_string(positions) +
                    ") should be equal to source.size(dim)" + (end.empty() ? " (" : ": (") + std::to_string(extent) +
                    ")" + end + "\n  in " + call + " along axis " + std::to_string(axis));
}

void throw_slice_shapes(const char* call, const shape_view& self, const shape_view& source, int axis) {
  const shape_view both[] = {self, source};
  const auto slice = [&](const shape_view& x) {
    std::string s;
    for (int i = 0; i < x.rank; ++i)
      if (i != axis) s += (s.empty() ? "" : " ") + std::to_string(x.extents[i]);
    return s;
  };
  throw shape_error(std::string(call) +
                    "(): Source/destination tensor must have same slice shapes. Destination slice shape: " +
                    slice(self) + " at dimension " + std::to_string(axis) +
                    " and source slice shape: " + slice(source) + " at dimension 0." + line(call, both, 2));
}

}  // namespace broadloom::detail
