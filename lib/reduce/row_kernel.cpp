// The last elements of rows, fewer than a vector of 64 bytes of results has.
#include "row_kernel.hpp"

#include <broadloom/core/isa.hpp>

#include "../move/splat.hpp"
#include "../move/vectors.hpp"

namespace broadloom::runtime {

namespace {

// Whose lanes are joined together. Rows of 128 floats from memory take 1.15 times as long with 64, in cache 1.03
// with 16.
constexpr index rows_together = 32;

alignas(64) constexpr std::int64_t zeros[64] = {};

// The first `bytes` of 64 at `from`, in place of those at `to`.
void replace_first(std::byte* to, const std::byte* from, index bytes) {
  static constexpr std::uint64_t masks[16] = {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL};
  std::uint64_t old[8], x[8], mask[8];
  std::memcpy(old, to, 64);
  std::memcpy(x, from, 64);
  std::memcpy(mask, reinterpret_cast<const std::byte*>(masks) + 64 - bytes, 64);
  for (int i = 0; i < 8; ++i) old[i] = (old[i] & ~mask[i]) | (x[i] & mask[i]);
  std::memcpy(to, old, 64);
}

// Splats each input that does not advance to a vector.
void splat_numbers(const stage& only, slot* in, void* room) {
  for (int j = 0; j < only.input_count; ++j) {
    if (in[j].advance != 0) continue;
    std::byte* const all = static_cast<std::byte*>(room) + j * row_room;
    detail::splat_to<64>(all, static_cast<const std::byte*>(in[j].data), size_of(only.input_types[j]), 1);
    in[j].data = all;
  }
}

// n elements, fewer than fill the vectors of a kernel.
void evaluate_few(const stage& only, const slot* in, index n, int level, void* room, std::byte* to) {
  const auto inputs = static_cast<std::size_t>(only.input_count);
  small_array<slot, 16> here(inputs), spare_slots(inputs);
  small_array<std::byte, spare_bytes(16)> spare(spare_bytes(only.input_count));
  shift(here.data(), in, only, 0);
  splat_numbers(only, here.data(), room);
  run_vectors(only, here.data(), to, n, kernel_mode::any, level, spare_slots.data(), spare.data());
}

// One row. Its last elements are computed before the others are reduced, so that a processor need not wait for them.
void reduce_row_with_rest(row_kernel_call* run, const stage& only, const slot* in, const reduced_rows& c, index rest,
                          const reduce_kernels& k) {
  const index size = size_of(only.type), whole = c.n - rest;
  const int level = static_cast<int>(active_isa());
  const auto inputs = static_cast<std::size_t>(only.input_count);
  auto* const to = static_cast<std::byte*>(c.to) + whole / strip_length * 64;
  small_array<slot, 16> last(inputs);
  alignas(64) std::byte elements[64];
  const void* from = elements;
  if (whole % strip_length == 0) std::memcpy(to, c.first, 64);
  shift(last.data(), in, only, whole > 0 ? c.n - 64 / size : 0);
  if (whole > 0) {
    splat_numbers(only, last.data(), c.room);
    only.code->run[level](last.data(), elements, 64 / size, kernel_mode::any);
    from = elements + 64 - rest * size;
    reduced_rows now = c;
    now.n = whole;
    run(in, now);
  } else {
    evaluate_few(only, in, rest, level, c.room, elements);
  }
  k.rows(to, to, &from, 1, rest);
}

}  // namespace

// Of many rows the last elements are computed once more with some before them, as a whole vector. Each is reduced with
// the lane that it belongs to, as the kernel reads its lanes from as many elements further in front; what it gives of
// the others is dropped. So no element is copied, and nothing is read that is not of the row.
void reduce_rows_with_rest(row_kernel_call* run, const stage& only, const slot* in, const reduced_rows& c, index rest,
                           const reduce_kernels& k) {
  const index size = size_of(only.type), whole = c.n - rest, further = 64 - rest * size;
  if (c.rows == 1) return reduce_row_with_rest(run, only, in, c, rest, k);
  small_array<slot, 16> now(static_cast<std::size_t>(only.input_count));
  const auto next = [&](index rows) {
    for (int j = 0; j < only.input_count; ++j) now[j].data = moved(now[j].data, rows * c.pitch[j]);
  };
  if (whole == 0) {
    shift(now.data(), in, only, 0);
    reduced_rows one = c;
    one.rows = 1;
    for (index r = 0; r < c.rows; ++r, next(1), one.to = static_cast<std::byte*>(one.to) + c.to_pitch)
      reduce_row_with_rest(run, only, now.data(), one, rest, k);
    return;
  }
  reduced_rows most = c;
  most.n = whole;
  run(in, most);
  auto* last = static_cast<std::byte*>(c.to) + whole / strip_length * 64;
  if (whole % strip_length == 0)
    for (index r = 0; r < c.rows; ++r) std::memcpy(last + r * c.to_pitch, c.first, 64);
  alignas(64) std::byte found[(rows_together + 1) * 64];
  std::memset(found + smaller(rows_together, c.rows) * 64, 0, 64);
  shift(now.data(), in, only, c.n - 64 / size);
  for (index r = 0; r < c.rows; r += rows_together, next(rows_together)) {
    const index some = smaller(rows_together, c.rows - r);
    run(now.data(), {c.pitch, some, 64 / size, last - further, c.to_pitch, c.room, found, 64});
    for (index i = 0; i < some; ++i, last += c.to_pitch) replace_first(last, found + i * 64 + further, rest * size);
  }
}

// A row's last elements are computed as a whole vector, as above; the sums of those that it shares with the vector
// before it are dropped.
void widen_rows(const row_reduce_kernel& kernel, const stage& only, const slot* in, const index* pitch, index rows,
                index n, const reduce_kernels& k, const row_scratch& scratch, void* to, bool together) {
  const auto level = static_cast<int>(active_isa());
  const index lanes = kernel.lanes[level], bytes = 8 * lanes, rest = n % lanes, whole = n - rest;
  const index first = whole == 0 ? 0 : together ? bytes : 64, row = rest == 0 ? first : first + bytes;
  const index step = together ? 0 : row;
  const index most = together ? rows : max_lane_bytes / row;
  std::byte* const sums = scratch.lanes;
  std::byte* const last = sums + first;
  auto* out = static_cast<std::byte*>(to);
  small_array<slot, 16> now(static_cast<std::size_t>(only.input_count));
  if (together) std::memset(sums, 0, static_cast<std::size_t>(row));
  for (index r = 0; r < rows; r += most, out += most * 8) {
    const index some = smaller(most, rows - r);
    const auto run = [&](index from, index count, std::byte* at, const void* identity) {
      shift(now.data(), in, only, from);
      for (int j = 0; j < only.input_count; ++j) now[j].data = moved(now[j].data, r * pitch[j]);
      if (count > 0)
        kernel.run[level](now.data(), {pitch, some, count, together ? at : identity, 0, scratch.room, at, step});
    };
    run(0, whole, sums, nullptr);
    if (whole > 0 && rest > 0) run(n - lanes, lanes, last, zeros);
    for (index i = 0; i < some && whole == 0; ++i) {
      evaluate_few(only, now.data(), rest, level, scratch.room, sums + i * row);
      for (int j = 0; j < only.input_count; ++j) now[j].data = moved(now[j].data, pitch[j]);
    }
    for (index i = 0; i < (together ? 1 : some) && rest > 0; ++i)
      std::memset(last + i * row + (whole > 0 ? 0 : 8 * rest), 0, static_cast<std::size_t>(8 * (lanes - rest)));
    k.sequences(sums, together ? 1 : some, row / 8, row, out, sums);
  }
}

// As many rows at a time as the first-level cache holds: vectors that lie a power of two apart share few of its sets,
// and the last vector, which overlaps the one before it, is to find that one still there.
void widen_columns(const row_reduce_kernel& kernel, const stage& only, const slot* in, const index* pitch, index rows,
                   index columns, std::int64_t* to) {
  const auto level = static_cast<int>(active_isa());
  const index lanes = kernel.lanes[level], bytes = lanes * 8;
  small_array<slot, 16> here(static_cast<std::size_t>(only.input_count));
  small_array<index, 16> next(static_cast<std::size_t>(only.input_count));
  small_array<std::byte, 8 * row_room> room(static_cast<std::size_t>(only.input_count) * row_room);
  index row = 0;
  for (int j = 0; j < only.input_count; ++j) {
    next[j] = in[j].advance == 0 ? 0 : lanes * size_of(only.input_types[j]);
    row += pitch[j];
  }
  const auto run = [&](index first, index count, index column, index vectors, std::int64_t* sums) {
    for (int j = 0; j < only.input_count; ++j) {
      const index at = first * pitch[j] + (in[j].advance == 0 ? 0 : column * size_of(only.input_types[j]));
      here[j] = {moved(in[j].data, at), in[j].advance == 0 ? 0 : step_of_vectors(pitch[j])};
    }
    const void* const before = first > 0 ? sums : zeros;
    kernel.run[level](here.data(),
                      {next.data(), vectors, count * lanes, before, first > 0 ? bytes : 0, room.data(), sums, bytes});
  };
  const index fit = row == 0 ? rows : limits::reducing::cached_bytes / row, band = fit < 2 ? 2 : fit;
  const index rest = columns % lanes;
  alignas(64) std::int64_t last[64];
  for (index r = 0; r < rows; r += band) {
    const index n = smaller(band, rows - r);
    run(r, n, 0, columns / lanes, to);
    if (rest > 0) run(r, n, columns - lanes, 1, last);
  }
  for (index c = 0; c < rest; ++c) to[columns - rest + c] = last[lanes - rest + c];
}

void reduce_kernel_rows(const row_reduce_kernel& kernel, const stage& only, slot* in, const index* pitch, index rows,
                        index n, const reduce_kernels& k, const row_scratch& scratch, std::byte* to) {
  using limits::reducing::strips_together;
  const auto next = [&](index count) {
    for (int j = 0; j < only.input_count; ++j) in[j].data = moved(in[j].data, count * pitch[j]);
  };
  if (kernel.widens) {
    widen_rows(kernel, only, in, pitch, rows, n, k, scratch, to);
    return next(rows);
  }
  row_kernel_call* const run = kernel.run[static_cast<int>(active_isa())];
  const index size = size_of(only.type), strips = divide_up(n, strip_length);
  const bool is_long = strips > strips_together;
  const index together = is_long ? 1 : strips == 1 ? rows_together : strips_together / strips;
  for (index left = rows, some = 0; left > 0; left -= some, to += some * size) {
    some = smaller(together, left);
    for (index first = 0; is_long && first < n; first += piece_length) {
      const index m = smaller(piece_length, n - first);
      reduce_rows(run, only, in, pitch, 1, m, k, scratch.room, scratch.lanes);
      k.strips(scratch.lanes, divide_up(m, strip_length), scratch.partial + first / piece_length * size);
      advance(only, in, m);
    }
    if (is_long) {
      k.tree(scratch.partial, divide_up(n, piece_length), 1, to);
      advance(only, in, -n);
    } else {
      reduce_rows(run, only, in, pitch, some, n, k, scratch.room, scratch.lanes);
      join_strips(k, scratch.lanes, some, strips, static_cast<int>(size), scratch.partial, to);
    }
    next(some);
  }
}

}  // namespace broadloom::runtime
