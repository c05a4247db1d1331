// Prefetches the rows that are read next, a few cache lines with each piece of the current computation.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

class row_prefetcher {
 public:
  // An array whose rows are contiguous, `bytes` each, from `data` on.
  void add(const void* data, index bytes) {
    for (int k = 0; k < count_; ++k)
      if (list_[k].data == data) return;
    if (count_ < max_ranges) list_[count_++] = {static_cast<const std::byte*>(data), bytes, nullptr, nullptr, 1};
  }
  // The next rows are [first, first + rows). `elements` elements are computed before they are needed.
  void expect(index first, index rows, index elements) {
    for (int k = 0; k < count_; ++k) {
      range& x = list_[k];
      x.at = x.data + first * x.row;
      x.end = x.at + rows * x.row;
      const index lines = rows * x.row / line + 1;
      x.elements = elements < lines ? 1 : elements / lines;
    }
  }
  // Prefetches what is due while the next n elements are computed.
  void prefetch(index n) { prefetch(n, 0); }
  // The same, except that the caller prefetches the next `lines` cache lines of the first array, from the returned
  // address on. Null if fewer are left: then all of them have been prefetched.
  const std::byte* take(index n, index lines) {
    if (count_ == 0 || list_[0].at == nullptr || list_[0].end - list_[0].at < lines * line) {
      prefetch(n);
      return nullptr;
    }
    const std::byte* const at = list_[0].at;
    list_[0].at += lines * line;
    prefetch(n, 1);
    return at;
  }

 private:
  void prefetch(index n, int from) {
    for (int k = from; k < count_; ++k) {
      range& x = list_[k];
      const std::byte* const last = x.at + (n + x.elements - 1) / x.elements * line;
      const std::byte *at = x.at, *const end = last < x.end ? last : x.end;
      for (; end - at >= 8 * line; at += 8 * line)
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) __builtin_prefetch(at + j * line, 0, 2);
      for (; at < end; at += line) __builtin_prefetch(at, 0, 2);
      x.at = at;
    }
  }

  static constexpr int max_ranges = 4;
  static constexpr index line = 64;  // of the caches
  struct range {
    const std::byte* data;
    index row;
    const std::byte *at, *end;
    index elements;  // computed for each cache line that is prefetched
  };
  range list_[max_ranges] = {};
  int count_ = 0;
};

}  // namespace broadloom::runtime
