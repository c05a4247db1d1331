#include "windows.hpp"

#include <cstdint>

#include <broadloom/core/dtype.hpp>

namespace broadloom::runtime {

namespace {

// Elements that are read, from which two reductions take less time than one; and how many times fewer they must read.
// f32, (512, 512), one thread: windows of 4 x 4 take 0.6 of the time, 9 x 9 0.3, 18 x 18 0.03.
constexpr index least_elements = 16384;
constexpr double least_gain = 1.75;

bool takes_any_order(reduction op) {
  return op == reduction::amax || op == reduction::amin || op == reduction::nanmax || op == reduction::nanmin;
}

bool is_reduced(unsigned reduced, index axis) { return (reduced >> axis & 1U) != 0; }

// Bytes of the first one's results.
index bytes_of_results(const index* extents, index rank, unsigned reduced, window_axes w, dtype type) {
  index n = size_of(type);
  for (index i = 0; i < rank; ++i)
    if (i == w.kept)
      n *= extents[i] + extents[w.reduced] - 1;
    else if (!is_reduced(reduced, i))
      n *= extents[i];
  return n;
}

template <class Bits>
bool any_is(const void* at, index n, index stride, Bits mask, Bits wanted) {
  const Bits* x = static_cast<const Bits*>(at);
  Bits found = 0;
  if (stride == 1)  // loops of a constant length are made vectors
    for (constexpr index some = 64 / sizeof(Bits); n >= some; n -= some, x += some)
      for (index i = 0; i < some; ++i) found |= static_cast<Bits>((x[i] & mask) == wanted);
  for (index i = 0; i < n; ++i, x += stride) found |= static_cast<Bits>((*x & mask) == wanted);
  return found != 0;
}

// Whether an element equals `wanted` where `mask` has bits.
template <class Bits>
bool any_is(const void* at, const index* extents, const index* strides, index rank, Bits mask, Bits wanted) {
  if (rank == 1) return any_is(at, extents[0], strides[0], mask, wanted);
  for (index i = 0; i < extents[0]; ++i)
    if (any_is(static_cast<const Bits*>(at) + i * strides[0], extents + 1, strides + 1, rank - 1, mask, wanted))
      return true;
  return false;
}

// The operand's axes, those of one step together: each element once.
index distinct_axes(const problem& p, index* extents, index* strides) {
  index rank = 0;
  for (index i = 0; i < p.rank; ++i) {
    const index stride = p.operands[0].strides[i];
    if (stride == 0 || p.extents[i] == 1) continue;
    index k = 0;
    while (k < rank && strides[k] != stride) ++k;
    if (k == rank) {
      extents[k] = 1;
      strides[k] = stride;
      ++rank;
    }
    extents[k] += p.extents[i] - 1;
  }
  if (rank == 0) extents[rank++] = strides[0] = 1;
  return rank;
}

template <class Bits>
bool has_both_zeros_of(const problem& p, const void* results, index count) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  if (!any_is<Bits>(results, count, 1, static_cast<Bits>(~sign), 0)) return false;
  small_array<index, 16> extents(p.rank + 1), strides(p.rank + 1);
  const index rank = distinct_axes(p, extents.data(), strides.data());
  return any_is<Bits>(p.operands[0].data, extents.data(), strides.data(), rank, static_cast<Bits>(~Bits{}), sign);
}

}  // namespace

window_axes find_overlapping_windows(const problem& p, unsigned reduced, reduction op) {
  window_axes best{-1, -1};
  if (!takes_any_order(op) || p.rank < 3 || p.operand_count != 1 || p.code.stage_count != 1) return best;
  const operand& x = p.operands[0];
  const stage& only = p.code.stages[0];
  if (!only.copies || x.is_scalar || x.is_ramp || x.at != nullptr || x.type != only.type || x.type != p.out_type)
    return best;
  double all = 1, length = 1, gain = least_gain;
  for (index i = 0; i < p.rank; ++i) {
    all *= static_cast<double>(p.extents[i]);
    if (is_reduced(reduced, i)) length *= static_cast<double>(p.extents[i]);
  }
  if (all < static_cast<double>(least_elements)) return best;
  for (index r = 0; r < p.rank; ++r) {
    if (!is_reduced(reduced, r) || p.extents[r] == 1 || x.strides[r] == 0) continue;
    const auto own = static_cast<double>(p.extents[r]);
    for (index k = 0; k < p.rank; ++k) {
      if (is_reduced(reduced, k) || p.extents[k] == 1 || x.strides[k] != x.strides[r]) continue;
      const auto windows = static_cast<double>(p.extents[k]);
      const double here = length / (length / own * (windows + own - 1) / windows + own);
      if (here < gain) continue;
      gain = here;
      best = {k, r};
    }
  }
  return best;
}

split_windows::split_windows(const problem& p, unsigned reduced, window_axes w)
    : reduced_(reduced),
      extents_(static_cast<std::size_t>(2 * p.rank)),
      strides_(static_cast<std::size_t>(p.rank)),
      memory_(bytes_of_results(p.extents, p.rank, reduced, w, p.out_type)) {
  index* const covered = extents_.data();
  index* const windows = covered + p.rank;
  index step = 1;  // of the first one's results, which are row-major
  for (index i = p.rank - 1; i >= 0; --i) {
    const bool is_kept = !is_reduced(reduced, i);
    covered[i] = i == w.kept ? p.extents[i] + p.extents[w.reduced] - 1 : i == w.reduced ? 1 : p.extents[i];
    windows[i] = is_kept || i == w.reduced ? p.extents[i] : 1;
    strides_[i] = step;
    if (is_kept) step *= covered[i];
  }
  strides_[w.reduced] = strides_[w.kept];
  first_ = second_ = p;
  first_.extents = covered;
  first_.out = memory_.data();
  second_.extents = windows;
  second_.operands = &results_;
  results_ = {memory_.data(), strides_.data(), p.out_type, false, false, nullptr};
}

bool split_windows::has_both_zeros() const {
  if (!is_floating(second_.out_type)) return false;
  index results = 1;
  for (index i = 0; i < second_.rank; ++i)
    if (!is_reduced(reduced_, i)) results *= second_.extents[i];
  switch (size_of(second_.out_type)) {
    case 2: return has_both_zeros_of<std::uint16_t>(first_, second_.out, results);
    case 4: return has_both_zeros_of<std::uint32_t>(first_, second_.out, results);
    default: return has_both_zeros_of<std::uint64_t>(first_, second_.out, results);
  }
}

}  // namespace broadloom::runtime
