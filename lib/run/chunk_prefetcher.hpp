// Prefetches what the next chunk of a program reads and writes, a few cache lines of each array before each stage.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

#include "../base/limits.hpp"
#include "../base/smaller.hpp"
#include "../plan/blocks.hpp"

namespace broadloom::runtime {

class chunk_prefetcher {
 public:
  // An array that begins here, `bytes` of which are a chunk.
  void add(const std::byte* data, index bytes, int stages) {
    for (int k = 0; k < count_; ++k)
      if (list_[k].chunk == data) return;
    if (count_ < max_arrays)
      list_[count_++] = {data, data, bytes, divide_up(bytes, stages * limits::line_bytes) * limits::line_bytes};
  }
  // The stages of a chunk begin; `next`: there is another one behind it, as long.
  void begin(bool next) {
    if (!next) count_ = 0;
    for (int k = 0; k < count_; ++k) list_[k].now = list_[k].chunk += list_[k].bytes;
  }
  void prefetch() {
    for (int k = 0; k < count_; ++k)
      for (const std::byte* const end = list_[k].now + list_[k].of_stage; list_[k].now < end;
           list_[k].now += limits::line_bytes)
        __builtin_prefetch(list_[k].now, 0, 3);
  }

 private:
  static constexpr int max_arrays = max_prefetched_lines;  // each has one at least
  struct array {
    const std::byte *chunk, *now;
    index bytes, of_stage;
  };
  array list_[max_arrays];
  int count_ = 0;
};

}  // namespace broadloom::runtime
