// The errors of indexing, sorting and joining when shapes or indices do not fit: PyTorch's sentence if it has one, then
// the call.
#include <string>

#include <broadloom/core/error.hpp>

#include "errors.hpp"
#include "list_text.hpp"

namespace broadloom::detail {

void raise_indexing(const char* sentence, const char* call, const shape_view* shapes, int count) {
  throw shape_error(sentence + call_text(call, shapes, count));
}

void raise_sorter_shape(const shape_view& edges, const shape_view& sorter) {
  const shape_view both[] = {edges, sorter};
  raise_indexing("searchsorted(): boundary and sorter must have the same size", "searchsorted", both, 2);
}

void raise_negative_count(index x) {
  throw shape_error("bincount only supports 1-d non-negative integral inputs.\n  in bincount: " + std::to_string(x));
}

void raise_search_shapes(const shape_view& edges, const shape_view& values) {
  const shape_view both[] = {edges, values};
  raise_indexing(
      "searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and "
      "input "
      "value tensor must match",
      "searchsorted", both, 2);
}

void raise_equal_axes(index first, index second) {
  throw shape_error("expected rotation dims to be different, but got dim0 = " + std::to_string(first) +
                    " and dim1 = " + std::to_string(second) + "\n  in rot90");
}

void raise_empty_axis(const char* call, const shape_view& positions, int axis) {
  throw index_error("cannot take positions of shape " + list(positions) + " from an empty axis: dimension " +
                    std::to_string(axis) + " has size 0\n  in " + call);
}

void raise_narrow_wrap(const char* call, index n, int axis) {
  throw index_error("positions of i32 do not reach around dimension " + std::to_string(axis) + " of size " +
                    std::to_string(n) + ": use i64\n  in " + call);
}

void raise_index_larger(const shape_view& self, const shape_view& position, int axis, int at) {
  const shape_view both[] = {self, position};
  throw shape_error("Size does not match at dimension " + std::to_string(at) + " expected index " + list(position) +
                    " to be smaller than self " + list(self) + " apart from dimension " + std::to_string(axis) +
                    call_text("gather", both, 2));
}

void raise_scatter_shapes(const shape_view& self, const shape_view& position, const shape_view& source, int axis) {
  const shape_view all[] = {self, position, source};
  std::string s = "Expected index " + list(position) + " to be smaller than self " + list(self) +
                  " apart from dimension " + std::to_string(axis);
  if (source.rank > 0) s += " and to be smaller size than src " + list(source);
  throw shape_error(s + call_text("scatter", all, source.rank > 0 ? 3 : 2));
}

void raise_scatter_undefined(int axis, const shape_view& self, const shape_view& position, const shape_view& source) {
  const shape_view all[] = {self, position, source};
  throw shape_error("scatter_broadcast: neither the index nor the source has axis " + std::to_string(axis) +
                    ": how many elements go there is not defined" + call_text("scatter_broadcast", all, 3));
}

void raise_index_count(const char* call, index positions, index extent, int axis) {
  const std::string end = std::string(call) == "index_copy_" ? "" : ", for dim: " + std::to_string(axis);
  throw shape_error(std::string(call) + "(): Number of indices (" + std::to_string(positions) +
                    ") should be equal to source.size(dim)" + (end.empty() ? " (" : ": (") + std::to_string(extent) +
                    ")" + end + "\n  in " + call + " along axis " + std::to_string(axis));
}

void raise_slice_shapes(const char* call, const shape_view& self, const shape_view& source, int axis) {
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
                    " and source slice shape: " + slice(source) + " at dimension 0." + call_text(call, both, 2));
}

void raise_put_counts(index positions, index values) {
  throw shape_error("put_(): Expected source and index to have the same number of elements, but got source.numel() = " +
                    std::to_string(values) + ", index.numel() = " + std::to_string(positions) + "\n  in put_");
}

void raise_part_shape(const char* call, const shape_view& part, const shape_view& source) {
  throw shape_error("expected src to have a size equal to the slice of self. src size = " + list(source) +
                    ", slice size = " + list(part) + "\n  in " + call);
}

void raise_bad_class(index x, index classes) {
  if (classes < 0)
    throw index_error(x < 0 ? "Class values must be non-negative.\n  in one_hot: the smallest is " + std::to_string(x)
                            : "Can not infer total number of classes from empty tensor.\n  in one_hot");
  if (classes == 0) throw index_error("num_classes should be positive\n  in one_hot");
  throw index_error((x < 0 ? "Class values must be non-negative." : "Class values must be smaller than num_classes.") +
                    std::string("\n  in one_hot: got ") + std::to_string(x) + " of " + std::to_string(classes) +
                    " classes");
}

void raise_bad_order(index n) {
  throw shape_error("order must be non-negative but got " + std::to_string(n) + "\n  in diff");
}

void raise_trapezoid(index points, index extent) {
  throw shape_error("There must be one `x` value for each sample point: " + std::to_string(points) + " for " +
                    std::to_string(extent) + "\n  in trapezoid");
}

void raise_bad_edges(const char* call, const char* sentence) {
  throw shape_error(std::string(sentence) + "\n  in " + call);
}

void raise_join(int axis, index expected, index given, int number) {
  throw shape_error("Sizes of tensors must match except in dimension " + std::to_string(axis) + ". Expected size " +
                    std::to_string(expected) + " but got size " + std::to_string(given) + " for tensor number " +
                    std::to_string(number) + " in the list.\n  in cat along axis " + std::to_string(axis));
}

void raise_stack(const shape_view& first, const shape_view& other, int number) {
  throw shape_error("stack expects each tensor to be equal size, but got " + list(first) + " at entry 0 and " +
                    list(other) + " at entry " + std::to_string(number) + "\n  in stack");
}

void raise_negative_repeats(index count) {
  throw shape_error("Trying to create tensor with negative dimension: repeats can not be negative, got " +
                    std::to_string(count) + "\n  in repeat, tile or repeat_interleave");
}

void raise_too_few_in_source(index given, index wanted) {
  throw shape_error("Number of elements of source < number of ones in mask\nthe source has " + std::to_string(given) +
                    " elements, and " + std::to_string(wanted) + " elements of the mask are set\n  in masked_scatter_");
}

void raise_bad_percentile(double q) {
  throw shape_error("Percentiles must be in the range [0, 100]\n  in percentile: q is " + std::to_string(q));
}

void raise_mask_shape(const shape_view& mask, const shape_view& self, int axis) {
  int a = 0;
  while (a + 1 < mask.rank && mask.extents[a] == self.extents[axis + a]) ++a;
  throw shape_error("The shape of the mask " + list(mask) + " at index " + std::to_string(a) +
                    " does not match the shape of the indexed tensor " + list(self) + " at index " +
                    std::to_string(axis + a) + "\n  in slice");
}

void raise_empty_slices(const char* call, const shape_view& x, int axis) {
  throw shape_error(std::string("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied") +
                    "\n  in " + call + "(" + list(x) + ") along axis " + std::to_string(axis));
}

void raise_k_out_of_range(const char* sentence, const char* call, index k, index extent) {
  throw shape_error(std::string(sentence) + "\n  in " + call + ": k is " + std::to_string(k) + ", and the axis has " +
                    std::to_string(extent) + " elements");
}

void raise_bad_quantile(double q) {
  throw shape_error("quantile() q values must be in the range [0, 1]\n  in quantile: q is " + std::to_string(q));
}

}  // namespace broadloom::detail
