// Memory for elements, freed at the end of the scope; it comes from the blocks that are kept for reuse.
#pragma once

#include <new>
#include <vector>

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

// A vector there. Its elements have no value until they get one.
template <class T>
struct block_allocator {
  using value_type = T;
  block_allocator() = default;
  template <class U>
  explicit block_allocator(const block_allocator<U>&) noexcept {}
  T* allocate(std::size_t n) { return static_cast<T*>(runtime::allocate(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) noexcept { runtime::deallocate(p, n * sizeof(T)); }
  template <class U>
  void construct(U* p) noexcept {
    ::new (static_cast<void*>(p)) U;
  }
  bool operator==(const block_allocator&) const = default;
};
template <class T>
using block_vector = std::vector<T, block_allocator<T>>;

}  // namespace broadloom::runtime
