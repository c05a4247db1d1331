// The tail of a loop is one more vector that overlaps the others: it is computed first, before any input is
// overwritten, and stored last; where nothing is, kernels that overlap take it in one call. Loops shorter than a vector
// use the narrower vectors of lower levels. Kernels are exact or rounded once, so every level gives the same bits.
#include "vectors.hpp"
#include "../maths/find.hpp"

#include <cstdint>
#include <cstring>

#include <broadloom/core/maths.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "copy.hpp"
#include "small_copy.hpp"

namespace broadloom::runtime {

namespace {

// count elements, fewer than a vector of 16 bytes, and the last one until it is full.
template <class T>
void copy_and_fill(std::byte* to, const std::byte* from, index count, index lanes) {
  for (index i = 0; i < lanes; ++i) {
    T x;
    std::memcpy(&x, from + (i < count ? i : count - 1) * static_cast<index>(sizeof x), sizeof x);
    std::memcpy(to + i * static_cast<index>(sizeof x), &x, sizeof x);
  }
}
void copy_and_fill(std::byte* to, const std::byte* from, int size, index count, index lanes) {
  switch (size) {
    case 1: return copy_and_fill<std::uint8_t>(to, from, count, lanes);
    case 2: return copy_and_fill<std::uint16_t>(to, from, count, lanes);
    case 4: return copy_and_fill<std::uint32_t>(to, from, count, lanes);
    default: return copy_and_fill<std::uint64_t>(to, from, count, lanes);
  }
}

}  // namespace

void run_vectors_with_tail(const stage& st, const slot* slots, void* to, index n, kernel_mode mode, int level,
                           slot* spare_slots, std::byte* spare) {
  const kernel& k = *st.code;
  while (level > 0 && k.lanes[level] > n) --level;
  const index lanes = k.lanes[level], rest = n & (lanes - 1);
  const int size = size_of(st.type);
  if (rest == 0) return k.run[level](slots, to, n, mode == kernel_mode::streamed ? kernel_mode::any : mode);
  auto* const out = static_cast<std::byte*>(to);
  const kernel_mode cached = mode == kernel_mode::streamed ? kernel_mode::any : mode;
  if (n > lanes) {
    for (int j = 0; j < st.input_count; ++j)
      spare_slots[j] = {moved(slots[j].data, (slots[j].advance & (n - lanes)) * size_of(st.input_types[j])),
                        slots[j].advance};
    alignas(64) std::byte last[64];
    k.run[level](spare_slots, last, lanes, cached);
    k.run[level](slots, to, n - rest, mode);
    copy_small(out + (n - rest) * size, last + (lanes - rest) * size, static_cast<std::size_t>(rest * size));
    return;
  }
  // Fewer elements than the narrowest vector: copied, padded with the last element. Ramps run on.
  for (int j = 0; j < st.input_count; ++j) {
    spare_slots[j] = slots[j];
    if (slots[j].advance == 0 || slots[j].advance == ramp_advance) continue;
    std::byte* const copy = spare + j * 16;
    copy_and_fill(copy, static_cast<const std::byte*>(slots[j].data), size_of(st.input_types[j]), n, lanes);
    spare_slots[j].data = copy;
  }
  std::byte* const result = spare + st.input_count * 16;
  k.run[level](spare_slots, result, lanes, cached);
  copy_small(out, result, static_cast<std::size_t>(n * size));
}

[[gnu::noinline]] void run_vectors_with_tail(const stage& st, const slot* slots, void* to, index n, kernel_mode mode,
                                             int level) {
  slot spare_slots[max_flat_inputs];
  alignas(16) std::byte spare[spare_bytes(max_flat_inputs)];
  run_vectors_with_tail(st, slots, to, n, mode, level, spare_slots, spare);
}

namespace {

// The end is one more vector that overlaps the others.
[[gnu::noinline]] void run_with_last(const stage& only, const slot* inputs, void* out, index n, int level) {
  const kernel& code = *only.code;
  const index lanes = code.lanes[level];
  slot last[max_flat_inputs];
  shift(last, inputs, only, n - lanes);
  code.run[level](inputs, out, n & -lanes, kernel_mode::any);
  code.run[level](last, static_cast<std::byte*>(out) + (n - lanes) * size_of(only.type), lanes, kernel_mode::any);
}

// n elements that are no whole number of vectors of any level, or of many short ones only.
[[gnu::noinline]] void run_with_tail(const stage& only, const slot* inputs, void* out, index n, int level) {
  while (level > 0 && only.code->lanes[level] > n) --level;
  if (n < only.code->lanes[level]) return run_vectors_with_tail(only, inputs, out, n, kernel_mode::any, level);
  run_with_last(only, inputs, out, n, level);
}

}  // namespace

void run_disjoint(const stage& only, const slot* inputs, void* out, index n, int level) {
  const kernel& code = *only.code;
  if ((n & (code.lanes[level] - 1)) == 0) return code.run[level](inputs, out, n, kernel_mode::any);
  run_disjoint_with_tail(only, inputs, out, n, level);
}

void run_disjoint_with_tail(const stage& only, const slot* inputs, void* out, index n, int level) {
  const kernel& code = *only.code;
  for (int narrow = level - 1; narrow >= 0 && n < 4 * code.lanes[narrow]; --narrow)
    if ((n & (code.lanes[narrow] - 1)) == 0) return code.run[narrow](inputs, out, n, kernel_mode::any);
  run_with_tail(only, inputs, out, n, level);
}

void run_dense_with_tail(const stage& only, const slot* inputs, void* out, index n, int level) {
  const kernel& code = *only.code;
  if (code.overlaps && level > 0) {
    if (n >= code.lanes[1]) return code.run[n < code.lanes[level] ? 1 : level](inputs, out, n, kernel_mode::dense);
    if ((n & (code.lanes[0] - 1)) == 0) return code.run[0](inputs, out, n, kernel_mode::any);
    if (n > code.lanes[0]) return run_with_last(only, inputs, out, n, 0);
  }
  run_disjoint_with_tail(only, inputs, out, n, level);
}

namespace {

template <class T>
void run_strip_of(const stage& st, const slot* slots, void* to, index n, accuracy maths) {
  T* const out = static_cast<T*>(to);
  const auto input = [slots](int j) { return static_cast<const T*>(slots[j].data); };
  if (st.kind == stage_kind::strip1)
    map1(static_cast<maths1>(st.function), maths, input(0), out, n);
  else
    map2(static_cast<maths2>(st.function), maths, input(0), input(1), out, n);
}

template <class T>
bool run_power(strip1<T> loop, const void* x, void* to, index n) {
  if (loop == nullptr) return false;
  loop(static_cast<const T*>(x), static_cast<T*>(to), n);
  return true;
}

// Powers whose exponent is one scalar, such as 2.
bool run_simple_power(const stage& st, const slot* slots, void* to, index n, accuracy maths) {
  if (st.kind != stage_kind::strip2 || static_cast<maths2>(st.function) != maths2::pow) return false;
  if (slots[0].advance == 0 || slots[1].advance != 0) return false;
  if (st.type == dtype::f32)
    return run_power(find_power(*static_cast<const float*>(slots[1].data), maths).f32, slots[0].data, to, n);
  return run_power(find_power(*static_cast<const double*>(slots[1].data), maths).f64, slots[0].data, to, n);
}

}  // namespace

void run_strip(const stage& st, slot* slots, void* to, index n, accuracy maths, std::byte* splats,
               std::size_t splat_bytes) {
  if (run_simple_power(st, slots, to, n, maths)) return;
  for (int j = 0; j < st.input_count; ++j) {
    if (slots[j].advance != 0) continue;
    std::byte* const all = splats + static_cast<std::size_t>(j) * splat_bytes;
    splat(all, slots[j].data, size_of(st.type), n);
    slots[j].data = all;
  }
  if (st.type == dtype::f32)
    run_strip_of<float>(st, slots, to, n, maths);
  else
    run_strip_of<double>(st, slots, to, n, maths);
}

}  // namespace broadloom::runtime
