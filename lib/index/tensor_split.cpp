// Where the parts of an axis begin and end, for tensor_split and the like.
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/index/tensor_split.hpp>

namespace broadloom::detail {

list<index> tensor_split_sizes(index extent, index count) {
  if (count <= 0)
    throw shape_error("number of sections must be larger than 0, got " + std::to_string(count) + "\n  in tensor_split");
  list<index> sizes;
  sizes.reserve(static_cast<std::size_t>(count));
  for (index k = 0; k < count; ++k) sizes.push_back(extent / count + (k < extent % count ? 1 : 0));
  return sizes;
}

list<index> tensor_split_sizes(index extent, const list<index>& ends, list<index>& starts) {
  // a position as a slice has it: from the end where it is negative, and inside
  const auto inside = [&](index p) {
    if (p < 0) p += extent;
    return p < 0 ? 0 : p > extent ? extent : p;
  };
  list<index> sizes;
  sizes.reserve(ends.size() + 1);
  starts.reserve(ends.size() + 1);
  index first = 0;
  for (std::size_t k = 0; k <= ends.size(); ++k) {
    const index last = k < ends.size() ? inside(ends[k]) : extent;
    starts.push_back(first);
    sizes.push_back(last > first ? last - first : 0);
    first = last;
  }
  return sizes;
}

void check_even_split(index extent, index count, int axis, const char* call) {
  if (count > 0 && extent % count == 0) return;
  throw shape_error(std::string(call) + " attempted to split along dimension " + std::to_string(axis) +
                    ", but the size of the dimension " + std::to_string(extent) +
                    " is not divisible by the split_size " + std::to_string(count) + "!");
}

}  // namespace broadloom::detail
