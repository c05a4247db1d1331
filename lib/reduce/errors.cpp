// The errors of reductions, in PyTorch's words where it has them.
#include <cstdio>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/reduce/reduce.hpp>

namespace broadloom::detail {

void throw_repeated_axis(index axis, const char* call) {
  throw index_error("dim " + std::to_string(axis) + " appears multiple times in the list of dims" +
                    (call == nullptr ? std::string() : std::string("\n  in ") + call));
}

void throw_nothing_to_reduce(const char* function, const index* extents, index rank, unsigned bits, bool all) {
  const std::string name = std::string(function) + "(): ";
  if (all)
    throw shape_error(name +
                      "Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
                      "the 'dim' argument.");
  for (index i = 0; i < rank; ++i)
    if ((bits >> i & 1) != 0 && extents[i] == 0)
      throw shape_error(name + "Expected reduction dim " + std::to_string(i) + " to have non-zero size.");
  throw shape_error(name + "no elements to reduce");
}

void throw_no_norm(double order, const index* extents, index rank, unsigned bits, bool all) {
  char number[32];
  std::snprintf(number, sizeof number, "%g", order);
  const std::string begin = std::string("linalg.vector_norm cannot compute the ") + number + " norm on ";
  const std::string end = " and the operation does not have an identity";
  if (all) throw shape_error(begin + "an empty tensor because the operation does not have an identity");
  for (index i = 0; i < rank; ++i)
    if ((bits >> i & 1) != 0 && extents[i] == 0)
      throw shape_error(begin + "the dimension " + std::to_string(i) + " because this dimension is empty" + end);
  throw shape_error(begin + "no elements");
}

void throw_not_a_sum_to(const index* to, index to_rank, const index* from, index rank) {
  const auto list = [](const index* n, index count) {
    std::string s;
    for (index i = 0; i < count; ++i) s += (i == 0 ? "" : ", ") + std::to_string(n[i]);
    return s;
  };
  throw shape_error("size {[" + list(to, to_rank) + "]} is not expandable to size {[" + list(from, rank) +
                    "]}.\n  in sum_to");
}

}  // namespace broadloom::detail
