// Warnings of compat, and the errors of strict.
#include <cstdio>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/fn/strict.hpp>
#include <broadloom/tensor/compat.hpp>

namespace broadloom {

namespace compat {

broadcast_warning_t broadcast_warning;

namespace {

void write_to_stderr(const char* text) { std::fprintf(stderr, "broadloom warning: %s\n", text); }

warning_handler handler = write_to_stderr;

void warn(const char* text) { __atomic_load_n(&handler, __ATOMIC_ACQUIRE)(text); }

}  // namespace

warning_handler set_warning_handler(warning_handler h) {
  return __atomic_exchange_n(&handler, h != nullptr ? h : write_to_stderr, __ATOMIC_ACQ_REL);
}

namespace detail {

bool note_shapes(const char* function, const shape_view* shapes, int count) {
  index rank = 0;
  for (int i = 0; i < count; ++i) rank = shapes[i].rank > rank ? shapes[i].rank : rank;
  bool broadcasts = true, differ = false, equal_counts = true;
  for (index k = 1; k <= rank; ++k) {
    index common = 1;
    for (int i = 0; i < count; ++i) {
      const index n = k <= shapes[i].rank ? shapes[i].extents[shapes[i].rank - k] : 1;
      if (n == 1) continue;
      broadcasts = broadcasts && (common == 1 || common == n);
      common = n;
    }
  }
  index first = -1;
  int reference = -1;
  for (int i = 0; i < count; ++i) {
    if (shapes[i].rank == 0) continue;
    index n = 1;
    for (index k = 0; k < shapes[i].rank; ++k) n *= shapes[i].extents[k];
    if (reference < 0) {
      reference = i;
      first = n;
      continue;
    }
    equal_counts = equal_counts && n == first;
    bool same = shapes[i].rank == shapes[reference].rank;
    for (index k = 0; same && k < shapes[i].rank; ++k) same = shapes[i].extents[k] == shapes[reference].extents[k];
    differ = differ || !same;
  }
  if (broadcasts) {
    if (broadcast_warning.enabled && differ && equal_counts)
      warn(
          "self and other do not have the same shape, but are broadcastable, and have the same number of elements.\n"
          "Changing behavior in a backwards incompatible manner to broadcasting rather than viewing as 1-dimensional.");
    return true;
  }
  if (!equal_counts) broadloom::detail::throw_not_broadcastable(function, shapes, count);
  warn(
      "self and other not broadcastable, but have the same number of elements.  "
      "Falling back to deprecated pointwise behavior.");
  return false;
}

}  // namespace detail
}  // namespace compat

namespace detail {}  // namespace detail
}  // namespace broadloom
