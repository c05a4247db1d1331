// All elements to one, where some operands are one row for all of them, as in sum(square(a - row)).
#include "rows_of_all.hpp"

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../move/materialize.hpp"
#include "../plan/contiguous_rows.hpp"
#include "reducer.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::unplanned_elements;

// Bytes of a shared row that is repeated until a whole strip can begin at each of its elements.
constexpr index repeated_bytes = 3 * strip_length * 8 + 64;
static_assert(overwritten <= 64);

// Rows that are longer than a strip and no whole number of strips: a strip that spans the end of a row is reduced in
// two parts.
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

// The inputs, of which those that all rows share are repeated. Rows are shorter than a strip.
void repeat_rows(const stage& only, const slot* in, unsigned shared, index rows, index n, std::byte* repeated,
                 slot* to) {
  const index count = smaller(rows, strip_length % n == 0 ? strip_length / n : divide_up(strip_length + n - 1, n));
  for (int j = 0; j < only.input_count; ++j) {
    to[j] = in[j];
    if ((shared >> j & 1) == 0) continue;
    const int size = size_of(only.input_types[j]);
    materialize_rows(repeated, in[j].data, size, count, n, 1, n);
    to[j].data = repeated;
    repeated += repeated_bytes;
  }
}

// Where the strips of all elements begin in inputs of which some are repeated rows of n elements.
class strips_beside_rows {
 public:
  strips_beside_rows(const stage& only, const slot* in, unsigned shared, index n) : only_(only), in_(in), n_(n) {
    for (int j = 0; j < only.input_count; ++j) {
      is_repeated_[j] = in[j].advance != 0 && (shared >> j & 1) != 0;
      pitch_[j] = in[j].advance == 0 || is_repeated_[j] ? 0 : strip_length * size_of(only.input_types[j]);
    }
  }
  // How many of so many strips begin at the same element of a row.
  index together(index strips) const { return strip_length % n_ == 0 ? strips : 1; }
  const index* pitch() const { return pitch_; }
  const slot* at(index strip) {
    for (int j = 0; j < only_.input_count; ++j) {
      const index first = strip * strip_length, here = is_repeated_[j] ? first % n_ : in_[j].advance == 0 ? 0 : first;
      here_[j] = {moved(in_[j].data, here * size_of(only_.input_types[j])), in_[j].advance};
    }
    return here_;
  }

 private:
  const stage& only_;
  const slot* in_;
  index n_;
  bool is_repeated_[max_short_inputs];
  index pitch_[max_short_inputs];
  slot here_[max_short_inputs];
};

// Strips of `all` elements beside repeated rows of n, each to its lanes.
void reduce_strips(row_kernel_call* run, const stage& only, strips_beside_rows& strips, index all,
                   const reduce_kernels& k, void* room, std::byte* lanes) {
  const index whole = all / strip_length;
  for (index s = 0, some = 0; s < whole; s += some) {
    some = strips.together(whole - s);
    run(strips.at(s), {strips.pitch(), some, strip_length, k.identity, 0, room, lanes + s * 64, 64});
  }
  if (all % strip_length == 0) return;
  alignas(64) std::byte last[before_lanes + 64];
  reduce_rows(run, only, strips.at(whole), strips.pitch(), 1, all % strip_length, k, room, last + before_lanes);
  std::memcpy(lanes + whole * 64, last + before_lanes, 64);
}

// Products with a row, or squares of differences from it: both are the same either way round. Rows are whole vectors of
// 64 bytes, and a whole number of them fills a strip.
products_beside_row* find_products_beside_row(const stage& only, const slot* in, unsigned shared, index n,
                                              reduction how) {
  if (strip_length % n != 0 || n * size_of(only.type) % 64 != 0 || only.input_count != 2 ||
      (shared != 1 && shared != 2) || in[0].advance == 0 || in[1].advance == 0)
    return nullptr;
  return find_products(how, only, in, active_isa()).beside_row;
}

// Integers, in any order: as many rows at a time as fill a strip, then the others.
void widen_strips(const row_reduce_kernel& kernel, const stage& only, const slot* in, const index* pitch, index rows,
                  index n, const reduce_kernels& k, const row_scratch& scratch, void* to) {
  const index together = smaller(rows, strip_length / n), whole = rows / together;
  index strip_pitch[max_short_inputs];
  slot rest[max_short_inputs];
  for (int j = 0; j < only.input_count; ++j) {
    strip_pitch[j] = together * pitch[j];
    rest[j] = {moved(in[j].data, whole * strip_pitch[j]), in[j].advance};
  }
  widen_rows(kernel, only, in, strip_pitch, whole, together * n, k, scratch, to, true);
  if (rows % together == 0) return;
  std::uint64_t sums[2];
  widen_rows(kernel, only, rest, pitch, 1, rows % together * n, k, scratch, &sums[1]);
  std::memcpy(&sums[0], to, sizeof sums[0]);
  sums[0] += sums[1];
  std::memcpy(to, &sums[0], sizeof sums[0]);
}

}  // namespace

bool are_rows_of_all(const stage& only, index rows, index n, const row_reduce_kernel* kernel, reduction how) {
  const isa level = active_isa();
  if (only.kind != stage_kind::compute || only.copies || only.input_count > max_short_inputs ||
      !has_row_kernel(kernel, level) || rows * n > unplanned_elements)
    return false;
  const reduce_kernels* const k = find_kernels(how, only.type, level);
  const bool fits = n <= strip_length || kernel->widens || n * size_of(only.type) % 64 == 0;
  return fits && k != nullptr && k->strips != nullptr && k->position == nullptr &&
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
  const row_scratch scratch{room, lanes, nullptr};
  if (products_beside_row* const add = find_products_beside_row(only, in, shared, n, how)) {
    const int row = shared == 1 ? 0 : 1;
    add(in[1 - row].data, in[row].data, rows, n, lanes);
  } else if (n < strip_length) {
    slot repeated[max_short_inputs];
    const frame f(static_cast<std::size_t>(__builtin_popcount(shared)) * repeated_bytes);
    repeat_rows(only, in, shared, rows, n, f.data(), repeated);
    if (kernel.widens) return widen_strips(kernel, only, repeated, pitch, rows, n, k, scratch, to);
    strips_beside_rows strips(only, repeated, shared, n);
    reduce_strips(run, only, strips, rows * n, k, room, lanes);
  } else if (kernel.widens)
    return widen_rows(kernel, only, in, pitch, rows, n, k, scratch, to, true);
  else if (n % strip_length == 0)
    run(in, {pitch, rows, n, k.identity, 0, room, lanes, n / strip_length * 64});
  else
    reduce_any_rows(run, only, in, pitch, rows, n, k.identity, room, lanes);
  k.strips(lanes, divide_up(rows * n, strip_length), to);
}

}  // namespace broadloom::runtime
