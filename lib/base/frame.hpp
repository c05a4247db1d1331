// Scratch memory of one running block. Taken from the thread's arena and given back in reverse order.
#pragma once

#include <cstddef>

namespace broadloom::runtime {

// Rounds up to whole cache lines, and adds room for one more vector.
constexpr std::size_t with_room(std::size_t bytes) { return (bytes + 127) & ~std::size_t{63}; }

// Whether this thread has an arena. The first call makes it.
bool has_arena() noexcept;

class frame {
 public:
  explicit frame(std::size_t bytes);  // throws std::bad_alloc
  ~frame();
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
  std::size_t bytes_;
  bool own_;
};

}  // namespace broadloom::runtime
