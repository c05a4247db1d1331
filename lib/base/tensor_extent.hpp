// The elements and extents of a dynamic tensor in memory.
#pragma once

#include <cstddef>
#include <cstring>

#include <broadloom/plan/unplanned.hpp>

namespace broadloom::runtime {

// Read as bytes: the tensor's own type is the program's.
inline void* elements_of_tensor(const void* tensor) {
  void* data;
  std::memcpy(static_cast<void*>(&data), tensor, sizeof data);
  return data;
}
inline index extent_at(const void* tensor, int i) {
  index x;
  const auto* const extents = static_cast<const std::byte*>(tensor) + sizeof(tensor_elements);
  std::memcpy(&x, extents + static_cast<std::size_t>(i) * sizeof x, sizeof x);
  return x;
}

}  // namespace broadloom::runtime
