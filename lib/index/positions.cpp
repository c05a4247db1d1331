// Checks index operands against their bounds, once, before anything is read or written.
#include <atomic>
#include <cstdint>
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/index/problem.hpp>

#include "../base/for_each.hpp"
#include "../base/small_array.hpp"
#include "../base/smaller.hpp"
#include "../plan/bound.hpp"
#include "bounds_check.hpp"

namespace broadloom::runtime {

namespace {

// The axes along which a term's indices differ, contiguous ones merged.
struct walk {
  int rank = 0;
  small_array<index, 8> extents, strides;

  walk(const position_term& t, const index* e, int r)
      : extents(static_cast<std::size_t>(r + 1)), strides(static_cast<std::size_t>(r + 1)) {
    for (int i = 0; i < r; ++i) {
      if (e[i] == 1 || t.strides[i] == 0) continue;
      if (rank > 0 && strides[rank - 1] == e[i] * t.strides[i]) {
        extents[rank - 1] *= e[i];
        strides[rank - 1] = t.strides[i];
      } else {
        extents[rank] = e[i];
        strides[rank++] = t.strides[i];
      }
    }
    if (rank == 0) {
      extents[0] = 1;
      strides[0] = 1;
      rank = 1;
    }
  }
  index rows() const {
    index n = 1;
    for (int i = 0; i + 1 < rank; ++i) n *= extents[i];
    return n;
  }
  index offset(index row) const {
    index o = 0;
    for (int i = rank - 2; i >= 0; --i) {
      o += row % extents[i] * strides[i];
      row /= extents[i];
    }
    return o;
  }
};

void look_at(const position_term& t, const walk& w, index first_row, index last_row, index first, index last, index low,
             index high, findings& f) {
  const index s = w.strides[w.rank - 1], size = t.wide ? 8 : 4;
  for (index r = first_row; r < last_row; ++r)
    look(static_cast<const std::byte*>(t.data) + (w.offset(r) + first * s) * size, t.wide, last - first, s, low, high,
         f);
}

index position(const position_term& t, index at) {
  return t.wide ? static_cast<index>(static_cast<const std::int64_t*>(t.data)[at])
                : static_cast<index>(static_cast<const std::int32_t*>(t.data)[at]);
}

[[noreturn]] void throw_first_outside(const position_term& t, const walk& w, index low, index high, const char* call) {
  for (index r = 0; r < w.rows(); ++r)
    for (index c = 0; c < w.extents[w.rank - 1]; ++c) {
      const index x = position(t, w.offset(r) + c * w.strides[w.rank - 1]);
      if (x < low || x > high)
        throw index_error("index " + std::to_string(x) + " is out of bounds for dimension " + std::to_string(t.axis) +
                          " with size " + std::to_string(t.extent) + "\n  in " + call +
                          (low < 0 ? "" : ", where a negative index does not count from the end"));
    }
  throw index_error(std::string("an index changed while ") + call + " looked at it");
}

}  // namespace

constexpr index few_positions = 4096;  // of one axis, which one thread looks at
// This many indices are no longer in the caches when they are read a second time.
constexpr index many_positions = index{1} << 21;

void check_positions(const selection& s, const char* call, const options& how, narrowed_positions* again) {
  for (int k = 0; k < s.term_count; ++k) {
    position_term& t = s.terms[k];
    if (t.segments != nullptr || t.data == nullptr) continue;  // made by the library, or there are none
    const index low = t.negative ? -t.extent : 0;
    const index high = t.extent - 1;
    if (s.rank == 1 && s.extents[0] <= few_positions) {
      findings all;
      look(t.data, t.wide, t.strides[0] == 0 ? 1 : s.extents[0], t.strides[0], low, high, all);
      if ((all.outside & sign_bit) != 0) throw_first_outside(t, walk(t, s.extents, s.rank), low, high, call);
      t.negative = (all.negative & sign_bit) != 0;
      continue;
    }
    const walk w(t, s.extents, s.rank);
    const index columns = w.extents[w.rank - 1], rows = w.rows();
    if (columns == 0 || rows == 0) continue;
    constexpr index block = index{1} << 18;
    const bool narrows = again != nullptr && s.term_count == 1 && rows == 1 && w.strides[0] == 1 && t.wide &&
                         t.extent <= 65536 && columns >= many_positions && can_narrow();
    std::uint16_t* const narrowed = narrows ? again->of_size(columns) : nullptr;
    const index per_block = columns >= block ? index{0} : block / columns;  // rows
    const index pieces = (columns + block - 1) / block;
    const index blocks = per_block > 0 ? (rows + per_block - 1) / per_block : rows * pieces;
    std::atomic<std::uint64_t> outside{0}, negative{0};
    for_ranges(blocks, how.threads, [&](index first, index last) {
      findings own;
      for (index b = first; b < last; ++b) {
        const index c0 = b % pieces * block, c1 = c0 + block < columns ? c0 + block : columns;
        if (narrows)
          narrow(static_cast<const std::int64_t*>(t.data) + c0, c1 - c0, low, t.extent, narrowed + c0, own);
        else if (per_block > 0)
          look_at(t, w, b * per_block, smaller(rows, (b + 1) * per_block), 0, columns, low, high, own);
        else
          look_at(t, w, b / pieces, b / pieces + 1, c0, c1, low, high, own);
      }
      outside.fetch_or(own.outside, std::memory_order_relaxed);
      negative.fetch_or(own.negative, std::memory_order_relaxed);
    });
    if ((outside.load() & sign_bit) != 0) throw_first_outside(t, w, low, high, call);
    t.negative = !narrows && (negative.load() & sign_bit) != 0;
    if (narrows) {
      t.data = narrowed;
      t.narrow = true;
    }
  }
}

extent_of_memory memory_of(const void* data, const index* extents, const index* strides, int rank, int size) {
  const address_range r = addresses_of(data, extents, strides, rank, size);
  return {reinterpret_cast<const unsigned char*>(r.low), reinterpret_cast<const unsigned char*>(r.high)};
}

}  // namespace broadloom::runtime
