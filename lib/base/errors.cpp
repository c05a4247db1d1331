// The exceptions and their texts, word for word as PyTorch's where PyTorch has one.
#include <algorithm>
#include <cstdio>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/core/list.hpp>
#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/expects.hpp>
#include <broadloom/expr/slice.hpp>
#include <broadloom/fn/number.hpp>
#include <broadloom/shape/broadcast_shapes.hpp>
#include <broadloom/tensor/factories.hpp>
#include <broadloom/tensor/from.hpp>
#include <broadloom/tensor/tensor.hpp>

#include "errors.hpp"
#include "list_text.hpp"

namespace broadloom {

shape_error::~shape_error() = default;
arithmetic_error::~arithmetic_error() = default;
index_error::~index_error() = default;
linalg_error::~linalg_error() = default;
lifetime_error::~lifetime_error() = default;
io_error::~io_error() = default;

void detail::raise_linalg_error(const char* message) { throw linalg_error(message); }

namespace detail {

namespace {

std::string number_text(index n) { return std::to_string(n); }

// The line that names the call, if it is known.
std::string in_call(const char* call) { return call == nullptr ? "" : std::string("\n  in ") + call; }

// The shapes one below the other, aligned at the last axis, with a mark under the axis counted from the right.
std::string table(const char* function, const shape_view* shapes, int count, index from_right) {
  index rank = 0;
  for (int i = 0; i < count; ++i) rank = shapes[i].rank > rank ? shapes[i].rank : rank;
  std::string s;
  std::size_t mark = 0;
  for (int i = 0; i < count; ++i) {
    std::string line;
    for (index axis = rank; axis >= 1; --axis) {
      std::size_t width = 0;
      for (int j = 0; j < count; ++j)
        if (axis <= shapes[j].rank)
          width = std::max(width, number_text(shapes[j].extents[shapes[j].rank - axis]).size());
      const std::string x = axis <= shapes[i].rank ? number_text(shapes[i].extents[shapes[i].rank - axis]) : "";
      const bool comma = axis > 1 && axis <= shapes[i].rank;
      line += std::string(width - x.size(), ' ') + x;
      if (axis == from_right) mark = line.size();
      line += comma ? ", " : axis > 1 ? "  " : "";
    }
    const std::string name = i == 0 ? std::string(function) + "(" : std::string(std::string(function).size() + 1, ' ');
    s += "\n  " + name + line + (i + 1 < count ? "," : ")");
  }
  return s + "\n  " + std::string(std::string(function).size() + mark, ' ') + "^";
}

}  // namespace

namespace {

[[noreturn]] void throw_outside(dtype t, const std::string& x) {
  const int bits = 8 << ((static_cast<int>(t) - static_cast<int>(is_signed_integer(t) ? dtype::i8 : dtype::u8)));
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  const std::string range = is_signed_integer(t) ? "-" + std::to_string(half) + " to " + std::to_string(half - 1)
                                                 : "0 to " + std::to_string(half - 1 + half);
  throw arithmetic_error("the number " + x + " is outside the range of " + to_string(t) + ", " + range);
}

}  // namespace

void raise_signed_outside(dtype t, std::int64_t x) { throw_outside(t, std::to_string(x)); }
void raise_unsigned_outside(dtype t, std::uint64_t x) { throw_outside(t, std::to_string(x)); }
void raise_number_outside(dtype t, double x) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, "%.17g", x));
  throw_outside(t, text);
}

void raise_no_entry(std::size_t i, std::size_t size) {
  throw index_error("index " + std::to_string(i) + " is out of range for a list of " + std::to_string(size) +
                    " entries");
}

void raise_too_many_entries(std::size_t n) {
  throw shape_error("a list of " + std::to_string(n) + " entries does not fit an index");
}

void raise_negative_extent(const index* extents, index rank) {
  throw shape_error("Trying to create tensor with negative dimension: " + list(extents, rank));
}

void raise_size_overflow(const index* extents, index rank, const char* call) {
  throw shape_error("the size of shape " + list(extents, rank) + " does not fit an index" +
                    (call == nullptr ? "" : std::string("\n  in ") + call));
}

void raise_index_overflow(const char* call, index a, char operation, index b) {
  throw shape_error(std::string(call) + ": " + number_text(a) + " " + operation + " " + number_text(b) +
                    " does not fit an index");
}

void raise_extent_mismatch(index axis, index expected, index given) {
  throw shape_error("the shape's type fixes the extent of axis " + number_text(axis) + " to " + number_text(expected) +
                    ", not " + number_text(given));
}

void raise_two_sizes(index name, index first, index second) {
  throw shape_error(std::string("the size ") + unpacked_name(name).c + " is both " + number_text(first) + " and " +
                    number_text(second) + " in one shape");
}

void raise_not_expected(const char* expected, index name, int argument, int axis, index size, int other, index wanted) {
  const std::string where = "argument " + std::to_string(argument) + ", axis " + std::to_string(axis);
  throw shape_error("expects: " + where + " has size " + number_text(size) + ", not " + number_text(wanted) +
                    (is_named(name)
                         ? std::string(" as ") + unpacked_name(name).c + " in argument " + std::to_string(other)
                         : std::string()) +
                    "\n  expected " + expected);
}

void raise_shape_changed(const index* built, const index* now, index rank) {
  if (now[0] == runtime::extent_of_gone)
    throw lifetime_error("an expression was evaluated after a tensor that it refers to was destroyed");
  bool shapeless = false;
  for (index i = 0; i < rank; ++i) shapeless = shapeless || now[i] < 0;
  throw shape_error("a tensor in this expression had shape " + list(built, rank) + " when it was built and has " +
                    (shapeless ? "no shape" : "shape " + list(now, rank)) + " now");
}

void raise_not_broadcastable(const char* function, const shape_view* shapes, int count) {
  index rank = 0;
  for (int i = 0; i < count; ++i) rank = shapes[i].rank > rank ? shapes[i].rank : rank;
  // PyTorch folds operands from left to right and looks at axes from the last to the first.
  index known[64];
  index* now = rank <= 64 ? known : new index[static_cast<std::size_t>(rank)];
  for (index i = 0; i < rank; ++i) now[i] = 1;
  for (int j = 0; j < count; ++j) {
    for (index k = 1; k <= shapes[j].rank; ++k) {
      const index b = shapes[j].extents[shapes[j].rank - k];
      const index name = shapes[j].known == nullptr ? dyn : shapes[j].known[shapes[j].rank - k];
      index& a = now[rank - k];
      bool meets = a == b || b == 1 || a == 1;
      // Sizes of one name do not give way to each other.
      if (is_named(name))
        for (int i = 0; i < j && meets; ++i)
          if (shapes[i].known != nullptr && shapes[i].rank >= k && shapes[i].known[shapes[i].rank - k] == name) {
            a = shapes[i].extents[shapes[i].rank - k];
            meets = a == b;
          }
      if (meets) {
        a = a == 1 ? b : a;
        continue;
      }
      index reached = 0;  // the rank of the result so far counts the axis from the left
      for (int i = 0; i <= j; ++i) reached = shapes[i].rank > reached ? shapes[i].rank : reached;
      const std::string what = "The size of tensor a (" + number_text(a) + ") must match the size of tensor b (" +
                               number_text(b) + ") at non-singleton dimension " + number_text(reached - k) +
                               (is_named(name) ? std::string("\n  both are called ") + unpacked_name(name).c : "") +
                               table(function, shapes, count, k);
      if (now != known) delete[] now;
      throw shape_error(what);
    }
  }
  if (now != known) delete[] now;
  throw shape_error("shapes do not broadcast" + table(function, shapes, count, 0));
}

void raise_does_not_fit(writing how, const shape_view& out, const shape_view& result) {
  if (how == writing::copy && result.rank <= out.rank)
    throw_cannot_expand(result.extents, result.rank, out.extents, out.rank, "assign");
  throw shape_error("output with shape " + list(out.extents, out.rank) + " doesn't match the broadcast shape " +
                    list(result.extents, result.rank));
}

void raise_cannot_expand(const index* from, index from_rank, const index* to, index to_rank, const char* call) {
  for (index k = 1; k <= from_rank && k <= to_rank; ++k) {
    const index a = to[to_rank - k], b = from[from_rank - k];
    if (a == b || b == 1) continue;
    throw shape_error("The expanded size of the tensor (" + number_text(a) + ") must match the existing size (" +
                      number_text(b) + ") at non-singleton dimension " + number_text(to_rank - k) +
                      ".  Target sizes: " + list(to, to_rank) + ".  Tensor sizes: " + list(from, from_rank) +
                      in_call(call));
  }
  throw shape_error("the number of sizes provided (" + number_text(to_rank) +
                    ") must be greater or equal to the number of dimensions in the tensor (" + number_text(from_rank) +
                    ")" + in_call(call));
}

void raise_overlapping_output() {
  throw shape_error(
      "unsupported operation: more than one element of the written-to tensor refers to a single memory location");
}

void raise_axis_out_of_range(index axis, index rank, const char* call) {
  throw index_error("Dimension out of range (expected to be in range of [" + number_text(-rank) + ", " +
                    number_text(rank - 1) + "], but got " + number_text(axis) + ")" + in_call(call));
}

void raise_index_out_of_bounds(index value, index axis, index extent, const char* call) {
  throw index_error("index " + number_text(value) + " is out of bounds for dimension " + number_text(axis) +
                    " with size " + number_text(extent) + in_call(call));
}

void raise_not_one_element(const index* extents, index rank) {
  throw shape_error("only one element tensors can be converted to scalars, not shape " + list(extents, rank) +
                    in_call("item"));
}

void raise_bad_permutation(const index* axes, index count, index rank, const char* call) {
  throw shape_error("axes " + list(axes, count) + " are not a permutation of the " + number_text(rank) +
                    " axes of the array" + in_call(call));
}

void raise_squeeze(index axis, index extent) {
  throw shape_error("squeeze: axis " + number_text(axis) + " has extent " + number_text(extent) + ", not 1");
}

void raise_narrow(index start, index length, index extent) {
  throw index_error("start (" + number_text(start) + ") + length (" + number_text(length) +
                    ") exceeds dimension size (" + number_text(extent) + ")." + in_call("narrow"));
}

void raise_zero_step() { throw index_error("slice step cannot be zero" + in_call("slice")); }

void raise_shapeless() {
  throw shape_error(
      "this tensor has no shape yet: it was default-constructed or moved from, and nothing was assigned to it");
}

void raise_brace_count(index axis, index expected, index given) {
  throw shape_error("braces at axis " + number_text(axis) + " hold " + number_text(given) + " elements where " +
                    number_text(expected) + " are expected");
}

void raise_bad_step() { throw shape_error("step must be nonzero and lead from start to stop" + in_call("arange")); }

void raise_too_few_elements(index given, const index* extents, index rank) {
  throw shape_error("memory of " + number_text(given) + " elements is too small for shape " + list(extents, rank) +
                    in_call("from"));
}

void transcendental_functions_are_run_time_only() {
  throw std::logic_error("transcendental functions are evaluated at run time only");
}

}  // namespace detail
}  // namespace broadloom
