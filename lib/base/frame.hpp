// Scratch memory of one running block. Taken from the thread's arena and given back in reverse order.
#pragma once

#include <cstddef>

namespace broadloom::runtime {

// Rounds up to whole cache lines, and adds room for one more vector.
constexpr std::size_t with_room(std::size_t bytes) { return (bytes + 127) & ~std::size_t{63}; }

// The distance of strips that a loop reads while it writes another: half pages. Processors compare the last twelve bits
// of addresses first, so that a load waits for a store to the same offset of another page shortly before. With strips a
// page and a cache line apart, Zen 4 takes two to four times as long in every fifth process, as the system places it.
constexpr std::size_t in_half_pages(std::size_t bytes) { return (bytes + 2047) & ~std::size_t{2047}; }

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
