// Shared ownership of heap elements inside expression trees: immutable, counted, freed by compiled code.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/storage.hpp>

#include <cstddef>

namespace broadloom::detail {

struct shared_block {
  void* data;
  std::size_t bytes;
  int owners;
  void (*release)(void*);  // null: the memory is freed by runtime::deallocate
};

// Takes over memory from runtime::allocate. When it cannot allocate its block it throws and the caller keeps the
// memory.
BROADLOOM_API shared_block* make_shared_block(void* data, std::size_t bytes);
// The same, and frees the memory when it throws. Without try, which -fno-exceptions refuses.
inline shared_block* shared_block_of(void* data, std::size_t bytes) {
  struct guard {
    void* data;
    std::size_t bytes;
    ~guard() {
      if (data != nullptr) runtime::deallocate(data, bytes);
    }
  } unfinished{data, bytes};
  shared_block* const block = make_shared_block(data, bytes);
  unfinished.data = nullptr;
  return block;
}
// Takes over any object: `release` is called with it once. When it cannot allocate its block it throws and the caller
// keeps the object.
BROADLOOM_API shared_block* make_shared_owner(void* object, void (*release)(void*));
BROADLOOM_API void release_shared_block(shared_block*) noexcept;

class shared_handle {
 public:
  explicit shared_handle(shared_block* b) noexcept : block_(b) {}
  shared_handle(const shared_handle& o) noexcept : block_(o.block_) {
    if (block_ != nullptr) __atomic_fetch_add(&block_->owners, 1, __ATOMIC_RELAXED);
  }
  shared_handle(shared_handle&& o) noexcept : block_(o.block_) { o.block_ = nullptr; }
  shared_handle& operator=(const shared_handle&) = delete;
  ~shared_handle() {
    if (block_ != nullptr && __atomic_fetch_sub(&block_->owners, 1, __ATOMIC_ACQ_REL) == 1)
      release_shared_block(block_);
  }

 private:
  shared_block* block_;
};

}  // namespace broadloom::detail
