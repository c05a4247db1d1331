// Memory for elements, freed at the end of the scope.
#pragma once

#include <broadloom/core/index.hpp>
#include <broadloom/core/storage.hpp>

namespace broadloom::runtime {

class memory_block {
 public:
  explicit memory_block(index bytes)
      : bytes_(static_cast<std::size_t>(bytes)), data_(allocate(bytes_)) {}  // throws std::bad_alloc
  ~memory_block() { deallocate(data_, bytes_); }
  memory_block(const memory_block&) = delete;
  memory_block& operator=(const memory_block&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

}  // namespace broadloom::runtime
