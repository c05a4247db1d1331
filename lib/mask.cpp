// Elements under a mask, one after the other.
#include <cstring>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/tensor/mask.hpp>

namespace broadloom::detail {

index count_set(const bool* mask, index n) {
  index count = 0;
  for (index i = 0; i < n; ++i) count += mask[i] ? 1 : 0;
  return count;
}

void gather_set(const bool* mask, index n, const void* from, void* to, int size) {
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  for (index i = 0; i < n; ++i)
    if (mask[i]) {
      std::memcpy(target, source + i * size, static_cast<std::size_t>(size));
      target += size;
    }
}

void scatter_set(const bool* mask, index n, const void* from, void* to, int size) {
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  for (index i = 0; i < n; ++i)
    if (mask[i]) {
      std::memcpy(target + i * size, source, static_cast<std::size_t>(size));
      source += size;
    }
}

void throw_too_few_in_source(index given, index wanted) {
  throw shape_error("Number of elements of source < number of ones in mask\nthe source has " + std::to_string(given) +
                    " elements, and " + std::to_string(wanted) + " elements of the mask are set");
}

}  // namespace broadloom::detail
