// Fills an array with draws, strip by strip, on threads.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>
#include <broadloom/eval/scheduler.hpp>

namespace broadloom::runtime {

// The draws that are made together, from a multiple of this position on: strips that stay in the L1 cache.
inline constexpr int random_strip = 512;
// The number of strips in one block of the parallel loop.
inline constexpr index random_strips_per_block = 16;

template <int Group, class T, class Make>
class strip_fill {
 public:
  strip_fill(T* out, index n, std::uint64_t position, const Make& make)
      : out_(out), n_(n), position_(position), make_(make) {}

  void run(int threads) {
    const index blocks = (strips() + random_strips_per_block - 1) / random_strips_per_block;
    if (blocks == 1)
      run_blocks(this, 0, 1);
    else
      parallel_for(blocks, threads, &run_blocks, this);
  }

 private:
  // Strip s has the positions from (position / strip + s) * strip on. The first and the last strip may lie partly
  // outside the range: whole groups are made there, and only the draws inside are kept.
  void run_strip(index s) const {
    const index offset = static_cast<index>(position_ % random_strip);
    const index first = s * random_strip > offset ? s * random_strip - offset : 0;
    const index end = s * random_strip + random_strip - offset;
    const index last = end < n_ ? end : n_;
    const std::uint64_t place = position_ + static_cast<std::uint64_t>(first);
    const int before = static_cast<int>(place % Group);
    const int count = static_cast<int>(last - first);
    if (before == 0 && count % Group == 0) return make_(out_ + first, count, place);
    T made[random_strip];
    make_(made, (before + count + Group - 1) / Group * Group, place - static_cast<std::uint64_t>(before));
    for (int i = 0; i < count; ++i) out_[first + i] = made[before + i];
  }

  index strips() const {
    return n_ == 0 ? 0 : (static_cast<index>(position_ % random_strip) + n_ - 1) / random_strip + 1;
  }

  static void run_blocks(void* context, index first, index last) {
    const strip_fill& f = *static_cast<const strip_fill*>(context);
    const index all = f.strips(), end = last * random_strips_per_block;
    for (index s = first * random_strips_per_block; s < (end < all ? end : all); ++s) f.run_strip(s);
  }

  T* out_;
  index n_;
  std::uint64_t position_;
  const Make& make_;
};

// out[i] is draw position + i. make(to, count, place) makes draws [place, place + count), at most a strip of them; both
// are multiples of Group.
template <int Group, class T, class Make>
void fill_strips(T* out, index n, std::uint64_t position, int threads, const Make& make) {
  strip_fill<Group, T, Make>(out, n, position, make).run(threads);
}

// Counts of k categories of probabilities p in n trials: binomial draws of what the ones before have left.
void draw_row_of_counts(std::int64_t* out, double n, const double* p, index k, std::uint64_t seed, std::uint64_t place);

}  // namespace broadloom::runtime
