// Rows through a function of lib/maths, with a number of each row before it where the program says so, and meanwhile
// what their sums are made of.
#pragma once

#include <cstddef>

#include "../base/prefetch.hpp"
#include "../maths/find.hpp"
#include "../plan/row_strides.hpp"

namespace broadloom::runtime {

class map_and_sum_rows {
 public:
  // Rows as `where` has them.
  map_and_sum_rows(const problem& p, const row_strides& where);

  // False for other programs, for functions that have no such loop, and where rows do not lie along memory.
  bool works() const { return works_; }
  index elements() const { return n_; }  // of a row

  // Rows [first, first + rows), of which row 0 of each operand lies there, to rows `out_pitch` elements apart, and the
  // lanes of the sums of each of their strips to `lanes`. Meanwhile memory is prefetched.
  void operator()(const std::byte* const* operands, index first, index rows, std::byte* out, index out_pitch,
                  std::byte* lanes, row_prefetcher* prefetcher) const;

 private:
  template <class T>
  void run(strip_sums<T> loop, const std::byte* const* operands, index first, index rows, std::byte* out,
           index out_pitch, std::byte* lanes, row_prefetcher* prefetcher) const;

  bool works_ = false;
  int x_ = 0, by_ = 0;  // operands
  index n_, x_pitch_ = 0, by_pitch_ = 0;
  strip_sums<float> run_f32_ = nullptr;
  strip_sums<double> run_f64_ = nullptr;
};

}  // namespace broadloom::runtime
