// The errors of reductions, in PyTorch's words where it has them; of operands that a program asked to be strict about,
// of parameters of random numbers, and of tensors that changed.
#include <cstdio>
#include <stdexcept>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/plan/stage.hpp>

#include "errors.hpp"
#include "list_text.hpp"
#include "small_array.hpp"
#include "tensor_extent.hpp"

namespace broadloom {

namespace detail {

void raise_repeated_axis(index axis, const char* call) {
  throw index_error("dim " + std::to_string(axis) + " appears multiple times in the list of dims" +
                    (call == nullptr ? std::string() : std::string("\n  in ") + call));
}

void raise_nothing_to_reduce(const char* function, const index* extents, index rank, unsigned bits, bool all) {
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

void raise_no_norm(double order, const index* extents, index rank, unsigned bits, bool all) {
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

void raise_not_a_sum_to(const index* to, index to_rank, const index* from, index rank) {
  const auto list = [](const index* n, index count) {
    std::string s;
    for (index i = 0; i < count; ++i) s += (i == 0 ? "" : ", ") + std::to_string(n[i]);
    return s;
  };
  throw shape_error("size {[" + list(to, to_rank) + "]} is not expandable to size {[" + list(from, rank) +
                    "]}.\n  in sum_to");
}

void raise_run_time_one(const shape_view* shapes, int count, int operand, index axis) {
  std::string s = "strict: axis " + std::to_string(axis) + " of operand " + std::to_string(operand) +
                  " would be expanded, and has size 1 in this run only; shapes";
  for (int i = 0; i < count; ++i) {
    s += " (";
    for (index k = 0; k < shapes[i].rank; ++k) s += (k > 0 ? ", " : "") + std::to_string(shapes[i].extents[k]);
    s += ")";
  }
  throw shape_error(s);
}

void raise_two_sided(const shape_view* shapes, int count) {
  std::string s = "strict: more than one operand would be expanded; shapes";
  for (int i = 0; i < count; ++i) {
    s += " (";
    for (index k = 0; k < shapes[i].rank; ++k) s += (k > 0 ? ", " : "") + std::to_string(shapes[i].extents[k]);
    s += ")";
  }
  throw shape_error(s);
}

}  // namespace detail

namespace runtime {

void raise_tensor_changed(const slot* leaves, int count, const index* extents, int rank) {
  // Other leaves, numbers and ramps among them, have none.
  const auto rank_of_tensor = [&](int k) {
    const index own = -1 - leaves[k].advance;
    return own > 0 && own <= rank ? static_cast<int>(own) : 0;
  };
  int k = 0;
  for (; k < count - 1; ++k) {
    const int own = rank_of_tensor(k);
    bool same = true;
    for (int i = 0; i < own; ++i) same = same && extent_at(leaves[k].data, i) == extents[(k + 2) * rank - own + i];
    if (!same) break;
  }
  const int own = rank_of_tensor(k);
  small_array<index, 16> now(static_cast<std::size_t>(own));
  for (int i = 0; i < own; ++i) now[i] = extent_at(leaves[k].data, i);
  detail::raise_shape_changed(extents + (k + 2) * rank - own, now.data(), own);
}

void raise_empty_range(const char* function, double low, double high) {
  throw std::invalid_argument(std::string(function) + ": there are no integers of this type in [" +
                              detail::digits_of(low) + ", " + detail::digits_of(high) +
                              "), or not all are of this type");
}

}  // namespace runtime

}  // namespace broadloom
