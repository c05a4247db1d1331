// Scratch memory of one running block: taken from the thread's own arena and given back in reverse order.
#pragma once

#include <cstddef>

namespace broadloom::runtime {

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
