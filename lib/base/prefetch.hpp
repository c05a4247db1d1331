// Memory that is read behind what is computed now: some of it is asked for with each row, so that it comes meanwhile.
#pragma once

#include <cstddef>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

class row_prefetcher {
 public:
  // Of so many lines one is asked for: where hardware follows, it brings the others.
  explicit row_prefetcher(index every = 1) : step_(every * line) {}

  // Rows from `data` on follow one another without gaps, `bytes` each.
  void add(const void* data, index bytes) {
    for (int k = 0; k < count_; ++k)
      if (list_[k].data == data) return;
    if (count_ < max_ranges) list_[count_++] = {static_cast<const std::byte*>(data), bytes, nullptr, nullptr, 1};
  }
  // `rows` rows from number `first` on come next, and so many elements are computed before.
  void expect(index first, index rows, index elements) {
    for (int k = 0; k < count_; ++k) {
      range& x = list_[k];
      x.at = x.data + first * x.row;
      x.end = x.at + rows * x.row;
      const index lines = rows * x.row / line + 1;
      x.elements = elements < lines ? 1 : elements / lines;
    }
  }
  // While the next n elements are computed.
  void prefetch(index n) { prefetch(n, 0); }
  // The same, but for the next `lines` lines of the first array: these the caller asks for, from there on. Null where
  // there are not so many: then nothing is left to ask for.
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
      for (; end - at >= 8 * step_; at += 8 * step_)
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) __builtin_prefetch(at + j * step_, 0, 2);
      for (; at < end; at += step_) __builtin_prefetch(at, 0, 2);
      x.at = at;
    }
  }

  static constexpr int max_ranges = 4;
  static constexpr index line = 64;  // of the caches
  struct range {
    const std::byte* data;
    index row;
    const std::byte *at, *end;
    index elements;  // that are computed meanwhile for each line
  };
  range list_[max_ranges] = {};
  int count_ = 0;
  index step_;  // bytes
};

}  // namespace broadloom::runtime
