// argmax and argmin.
#include "reducer.hpp"

#include "../base/frame.hpp"
#include "../base/memory_block.hpp"

namespace broadloom::runtime {

// The index of the first minimum or maximum of each sequence.
void reducer::run_positions() const {
  const bool direct = lies_in_line();
  const index segments = divide_up(length_, segment_length);
  auto* const out = static_cast<index*>(p_.out);
  // The minimum or maximum of a segment, and its index.
  const auto look = [&](const index* origin, index first, index n, box_plans& plan, void* best, index* at) {
    *at = -1;
    if (direct) return kernels_->position(plain_at(origin) + first * size_, n, first, best, at);
    const frame f(static_cast<std::size_t>(n * size_));
    evaluate_part(origin, first, n, 0, 0, f.data(), plan);
    kernels_->position(f.data(), n, first, best, at);
  };
  if (segments == 1)
    return each_segment([&](index t, const index* origin, index first, index n, box_plans& plan) {
      alignas(16) std::byte best[16];
      look(origin, first, n, plan, best, out + t);
    });
  const memory_block values(results_ * segments * size_), places(results_ * segments * 8);
  auto* const at = reinterpret_cast<index*>(places.data());
  each_segment([&](index t, const index* origin, index first, index n, box_plans& plan) {
    look(origin, first, n, plan, values.data() + t * size_, at + t);
  });
  for (index i = 0; i < results_; ++i) {
    index place = -1;
    alignas(16) std::byte best[16];
    kernels_->position(values.data() + i * segments * size_, segments, 0, best, &place);
    out[i] = at[i * segments + place];
  }
}

}  // namespace broadloom::runtime
