// The arena of each thread, from which frames are taken. A frame that does not fit is allocated, so evaluations may
// nest.
#include "frame.hpp"

#include <broadloom/core/storage.hpp>

#include <new>

#include "thread_end.hpp"

namespace broadloom::runtime {

namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 19;  // holds a block of all barriers, and the scratch of each

struct arena {
  std::byte* data = nullptr;
  std::size_t used = 0;
};
constinit thread_local arena local;

void release_arena(void* kept) {
  auto& a = *static_cast<arena*>(kept);
  deallocate(a.data, arena_bytes);
  a.data = nullptr;
}

const thread_end& ending() {
  static const thread_end of_arenas(&release_arena);
  return of_arenas;
}
// Registered when the library is loaded: a fork during a later registration would leave it half done in the child.
[[maybe_unused]] const thread_end& made_early = ending();

void make_arena() {
  if (!ending().watch(&local)) throw std::bad_alloc();
  local.data = static_cast<std::byte*>(allocate(arena_bytes));
}

}  // namespace

bool has_arena() noexcept {
  if (local.data != nullptr) return true;
  try {
    make_arena();
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

frame::frame(std::size_t bytes) : data_(nullptr), bytes_((bytes + 63) & ~std::size_t{63}), own_(false) {
  if (bytes_ > arena_bytes - local.used) {
    data_ = static_cast<std::byte*>(allocate(bytes_));
    own_ = true;
    return;
  }
  if (local.data == nullptr) make_arena();
  data_ = local.data + local.used;
  local.used += bytes_;
}

frame::~frame() {
  if (own_)
    deallocate(data_, bytes_);
  else
    local.used -= bytes_;
}

}  // namespace broadloom::runtime
