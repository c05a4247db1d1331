// Positions of extremes.
#include "reducer.hpp"

#include "../eval/frame.hpp"
#include "../memory_block.hpp"

namespace broadloom::runtime {

// The position of the first extreme of each sequence.
void reducer::run_positions() const {
  const bool direct = lies_in_line();
  const index segments = divide_up(length_, segment_length);
  const memory_block values(results_ * segments * size_), places(results_ * segments * 8);
  index* const at = reinterpret_cast<index*>(places.data());
  each_segment([&](index t, const index* origin, index first, index n, box_plans& plan) {
    std::byte* const value = values.data() + t * size_;
    at[t] = -1;
    if (direct) return kernels_->position(plain_at(origin) + first * size_, n, first, value, at + t);
    const frame f(static_cast<std::size_t>(n * size_));
    evaluate_part(origin, first, n, 0, 0, f.data(), plan);
    kernels_->position(f.data(), n, first, value, at + t);
  });
  for (index i = 0; i < results_; ++i) {
    index place = -1;
    alignas(16) std::byte best[16];
    kernels_->position(values.data() + i * segments * size_, segments, 0, best, &place);
    static_cast<index*>(p_.out)[i] = at[i * segments + place];
  }
}

}  // namespace broadloom::runtime
