// Rows of a program reduced by its own kernel, of any length: the kernel takes whole vectors of 64 bytes of results.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/plan/source.hpp>
#include <broadloom/plan/stage.hpp>

#include <cstddef>
#include <cstring>

#include "reducer.hpp"

namespace broadloom::runtime {

using row_kernel_call = void(const slot*, const reduced_rows&);

// As reduce_rows, where the last `rest` elements of a row fill no vector.
void reduce_rows_with_rest(row_kernel_call* run, const stage& only, const slot* in, const reduced_rows& c, index rest,
                           const reduce_kernels& k);

// Lanes of strips, 64 bytes each, as reduce_rows writes them: there are 64 bytes more in front of them.
inline constexpr index before_lanes = 64;

// Writes the lanes of the strips of `rows` rows of n elements to `to`, 64 bytes each, row by row; the before_lanes
// bytes in front of them are overwritten. `room` has row_room bytes for each input of the stage.
inline void reduce_rows(row_kernel_call* run, const stage& only, const slot* in, const index* pitch, index rows,
                        index n, const reduce_kernels& k, void* room, std::byte* to) {
  const reduced_rows all{pitch, rows, n, k.identity, 0, room, to, divide_up(n, strip_length) * 64};
  const index rest = n & (64 / size_of(only.type) - 1);
  if (rest == 0) return run(in, all);
  std::memcpy(to - before_lanes, k.identity, before_lanes);
  reduce_rows_with_rest(run, only, in, all, rest, k);
}

// Scratch of reduce_kernel_rows: row_room bytes for each input; lanes of strips, with before_lanes bytes in front; and
// elements: max_partial_results, or one for each piece of a long row.
inline constexpr index max_lane_bytes = limits::reducing::strips_of_piece * 64;
inline constexpr index max_partial_results = limits::reducing::strips_together;
struct row_scratch {
  void* room;
  std::byte *lanes, *partial;
};
// Each of `rows` rows of n elements to one element: some rows at a time, strips_together strips of them, or one longer
// row, piece after piece. `in` is moved behind them.
void reduce_kernel_rows(const row_reduce_kernel& kernel, const stage& only, slot* in, const index* pitch, index rows,
                        index n, const reduce_kernels& k, const row_scratch& scratch, std::byte* to);

// The sums of columns of `rows` rows by a kernel that widens; columns fill a vector. Inputs are rows that begin an even
// number of bytes apart, 0 where all rows are one, or numbers.
void widen_columns(const row_reduce_kernel& kernel, const stage& only, const slot* in, const index* pitch, index rows,
                   index columns, std::int64_t* to);

// As reduce_kernel_rows, by a kernel that widens; with `together` all rows to one element. Of one element, lanes are
// 1024 bytes.
void widen_rows(const row_reduce_kernel& kernel, const stage& only, const slot* in, const index* pitch, index rows,
                index n, const reduce_kernels& k, const row_scratch& scratch, void* to, bool together = false);

}  // namespace broadloom::runtime
