// Rows that go through loops two at a time. The last loop runs a turn behind the others and between them, so that its
// streaming stores overlap their arithmetic. A value of which there is one for each row is splat into a vector of 64
// bytes.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include <broadloom/plan/problem.hpp>

#include "../base/prefetch.hpp"
#include "../maths/quotients.hpp"
#include "../reduce/kernels.hpp"

namespace broadloom::runtime {

class row_line {
 public:
  // What lies, for row r, r steps of bytes behind `data`; or for the r-th row of a run, (r & mask) steps behind `at` in
  // the scratch.
  struct place {
    const std::byte* data;
    std::size_t at;
    index mask, step;
    bool is_value;  // an element spread over a vector
  };
  using input_list = std::vector<std::pair<place, index>>;  // with what a slot has as `advance`
  using row_reduce_fn = std::remove_cvref_t<decltype(row_reduce_kernel::run[0])>;

  static place scalar(const void* x) { return {static_cast<const std::byte*>(x), 0, 0, 0, false}; }
  static place rows(const void* x, index step) { return {static_cast<const std::byte*>(x), 0, -1, step, false}; }
  place value();  // for the results of one loop

  // Steps, one behind the other: the reduction of a row of n elements, or of what a program gives for it; a kernel over
  // values; an element spread. Results of `size` bytes are values.
  void reduce(const place& x, index n, const reduce_kernels& k, int size, const place& to);
  void reduce(const input_list& in, row_reduce_fn kernel, index n, const reduce_kernels& k, int size, const place& to);
  void compute_value(const input_list& in, const stage& st, const place& to);
  void splat(const place& x, int size, const place& to);
  // Those added from now on are a turn behind.
  void turn() { turns_at_ = steps_.size(); }
  // The last one: a kernel over a row, or quotients of a row and a value.
  void compute_row(const input_list& in, kernel_fn kernel, index n, kernel_mode mode, const place& to);
  template <class T>
  void divide(const input_list& in, quotients<T> loop, index n, bool streaming, const place& to);

  std::size_t scratch_bytes() const { return scratch_bytes_; }

  // Rows [first, end) of `all`. Memory is asked for: the next row while one is computed.
  void run(index first, index end, index all, std::byte* scratch, row_prefetcher& prefetcher) const;

 private:
  enum class kind : unsigned char { reduction, reduced_program, value, row, quotients_f32, quotients_f64, element };
  struct step {
    kind does;
    kernel_mode mode;
    int size;
    index n;
    bool same_size;  // all that a value is computed of is of its size
    std::size_t first_input, inputs;
    place to;
    const reduce_kernels* sums;
    kernel_fn run;
    row_reduce_fn run_rows;
    quotients<float> divide_f32;
    quotients<double> divide_f64;
    std::size_t room, found, partial;
  };
  // Of a run: the inputs, and last the output, of each step.
  struct resolved {
    std::byte* data;
    index mask, step, advance;
    std::byte* at(index r) const { return data + (r & mask) * step; }
  };
  class runner;

  step& add(kind does, const input_list& in, index n, int size, const place& to);
  std::size_t reserve(std::size_t bytes);
  static bool is_long(const step& s) { return s.does == kind::reduction || s.does == kind::reduced_program; }

  static constexpr index together = 2, kept = 2 * together;  // rows, and those whose values stay
  std::size_t turns_at_ = 0;
  index prefetched_ = 0;
  std::vector<step> steps_;
  input_list inputs_;
  std::size_t scratch_bytes_ = 0, max_inputs_ = 1;
};

}  // namespace broadloom::runtime
