// Reference-counted blocks of elements inside expression trees.
#include <broadloom/core/shared.hpp>
#include <broadloom/core/storage.hpp>

namespace broadloom::detail {

shared_block* make_shared_block(void* data, std::size_t bytes) { return new shared_block{data, bytes, 1, nullptr}; }

shared_block* make_shared_owner(void* object, void (*release)(void*)) {
  return new shared_block{object, 0, 1, release};
}

void release_shared_block(shared_block* b) noexcept {
  if (b->release != nullptr)
    b->release(b->data);
  else
    runtime::deallocate(b->data, b->bytes);
  delete b;
}

}  // namespace broadloom::detail
