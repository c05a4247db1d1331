// Counted blocks of elements inside expression trees.
#include <broadloom/core/shared.hpp>
#include <broadloom/core/storage.hpp>

namespace broadloom::detail {

shared_block* make_shared_block(void* data, std::size_t bytes) { return new shared_block{data, bytes, 1}; }

void release_shared_block(shared_block* b) noexcept {
  runtime::deallocate(b->data, b->bytes);
  delete b;
}

}  // namespace broadloom::detail
