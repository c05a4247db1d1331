// All elements to one, where some operands are one row for all of them, as in sum(square(a - row)).
#include "rows_of_all.hpp"

#include <broadloom/core/isa.hpp>

#include "../plan/contiguous_rows.hpp"
#include "reducer.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::unplanned_elements;

// Rows of fewer bytes have many calls of the kernel, each of few vectors.
constexpr index min_row_bytes = 256;

// Elements at which strips begin in rows of n, one after the other; the rows are no whole number of strips, nor strips
// of rows.
void reduce_any_rows(row_kernel_call* run, const stage& only, const slot* in, const index* pitch, index rows, index n,
                     const void* identity, void* room, std::byte* lanes) {
  small_array<slot, 16> here(static_cast<std::size_t>(only.input_count));
  for (index at = 0; at < rows * n;) {
    const index r = at / n, c = at % n, begin = at % strip_length, m = smaller(n - c, strip_length - begin);
    std::byte* const to = lanes + at / strip_length * 64;
    for (int j = 0; j < only.input_count; ++j) here[j] = {moved(in[j].data, r * pitch[j]), in[j].advance};
    advance(only, here.data(), c);
    run(here.data(), {pitch, 1, m, begin == 0 ? identity : to, 0, room, to, 64});
    at += m;
  }
}

// Rows of which several fill a strip: first that at the beginning of each strip, then the next of each, and so on.
void reduce_short_rows_of_strips(row_kernel_call* run, const stage& only, const slot* in, const index* pitch,
                                 index rows, index n, const void* identity, void* room, std::byte* lanes) {
  const index together = strip_length / n;
  small_array<slot, 16> here(static_cast<std::size_t>(only.input_count));
  small_array<index, 16> strip_pitch(static_cast<std::size_t>(only.input_count));
  for (int j = 0; j < only.input_count; ++j) {
    here[j] = in[j];
    strip_pitch[j] = together * pitch[j];
  }
  for (index r = 0; r < smaller(together, rows); ++r) {
    run(here.data(), {strip_pitch.data(), divide_up(rows - r, together), n, r == 0 ? identity : lanes, r == 0 ? 0 : 64,
                      room, lanes, 64});
    for (int j = 0; j < only.input_count; ++j) here[j].data = moved(here[j].data, pitch[j]);
  }
}

// Products with a row, or squares of differences from it: both are the same either way round.
products_beside_row* find_products_beside_row(const stage& only, const slot* in, unsigned shared, index n,
                                              reduction how) {
  if (strip_length % n != 0 || only.input_count != 2 || (shared != 1 && shared != 2) || in[0].advance == 0 ||
      in[1].advance == 0)
    return nullptr;
  return find_products(how, only, in, active_isa()).beside_row;
}

}  // namespace

bool are_rows_of_all(const stage& only, index rows, index n, const row_reduce_kernel* kernel, reduction how) {
  const isa level = active_isa();
  if (only.kind != stage_kind::compute || only.copies || only.input_count > max_short_inputs ||
      !has_row_kernel(kernel, level) || rows * n > unplanned_elements)
    return false;
  const index bytes = n * size_of(only.type);
  const reduce_kernels* const k = find_kernels(how, only.type, level);
  const bool fits = kernel->widens ? n >= kernel->lanes[static_cast<int>(level)] : bytes % 64 == 0;
  return bytes >= min_row_bytes && fits && k != nullptr && k->strips != nullptr && k->position == nullptr &&
         find_widening(how, only, level) == nullptr;
}

void reduce_rows_of_all(const stage& only, const slot* in, unsigned shared, index rows, index n,
                        const row_reduce_kernel& kernel, reduction how, void* to) {
  const isa level = active_isa();
  const reduce_kernels& k = *find_kernels(how, only.type, level);
  row_kernel_call* const run = kernel.run[static_cast<int>(level)];
  alignas(64) std::byte room[max_short_inputs * row_room], lanes[unplanned_elements / strip_length * 64];
  index pitch[max_short_inputs];
  for (int j = 0; j < only.input_count; ++j)
    pitch[j] = in[j].advance == 0 || (shared >> j & 1) != 0 ? 0 : n * size_of(only.input_types[j]);
  if (kernel.widens) return widen_rows(kernel, only, in, pitch, rows, n, k, {room, lanes, nullptr}, to, true);
  if (products_beside_row* const add = find_products_beside_row(only, in, shared, n, how)) {
    const int row = shared == 1 ? 0 : 1;
    add(in[1 - row].data, in[row].data, rows, n, lanes);
  } else if (n % strip_length == 0)
    run(in, {pitch, rows, n, k.identity, 0, room, lanes, n / strip_length * 64});
  else if (strip_length % n == 0)
    reduce_short_rows_of_strips(run, only, in, pitch, rows, n, k.identity, room, lanes);
  else
    reduce_any_rows(run, only, in, pitch, rows, n, k.identity, room, lanes);
  k.strips(lanes, divide_up(rows * n, strip_length), to);
}

}  // namespace broadloom::runtime
