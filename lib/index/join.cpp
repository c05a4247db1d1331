// The errors of joining and splitting, and the sizes of the parts of a split.
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/index/split.hpp>
#include <broadloom/index/stack.hpp>

#include "../base/list_text.hpp"

namespace broadloom::detail {

namespace {

broadloom::list<index> split_sizes(index extent, index size) {
  if (size < 0 || (size == 0 && extent > 0))
    throw shape_error(
        "split expects split_size be non-negative, and positive for a dimension that is not empty, but got "
        "split_size=" +
        std::to_string(size) + "\n  in split of extent " + std::to_string(extent));
  broadloom::list<index> r;
  if (extent == 0) {
    r.push_back(0);
    return r;
  }
  const index parts = (extent - 1) / size + 1;
  check_count("split", &parts, 1);
  r.reserve(static_cast<std::size_t>(parts));
  for (index left = extent; left > 0; left -= size < left ? size : left) r.push_back(left < size ? left : size);
  return r;
}

broadloom::list<index> chunk_sizes(index extent, index count) {
  if (count <= 0)
    throw shape_error("chunk expects `chunks` to be greater than 0, got: " + std::to_string(count) +
                      "\n  in chunk of extent " + std::to_string(extent));
  if (extent == 0) {
    check_count("chunk", &count, 1);
    return std::vector<index>(static_cast<std::size_t>(count), 0);
  }
  return split_sizes(extent, (extent - 1) / count + 1);
}

}  // namespace

broadloom::list<index> part_sizes(index extent, index n, bool by_count) {
  return by_count ? chunk_sizes(extent, n) : split_sizes(extent, n);
}

void check_split(const broadloom::list<index>& sizes, index extent) {
  index sum = 0;
  std::string all;
  bool negative = false;
  bool over = false;
  for (index n : sizes) {
    over = over || __builtin_add_overflow(sum, n, &sum);
    negative = negative || n < 0;
    all += (all.empty() ? "" : ", ") + std::to_string(n);
  }
  if (over || sum != extent || negative)
    throw shape_error("split_with_sizes expects split_sizes to sum exactly to " + std::to_string(extent) +
                      ", but got split_sizes=[" + all + "]\n  in split");
}

}  // namespace broadloom::detail
