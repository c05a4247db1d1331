// Finds the loop of a program's function, and runs it over rows.
#include "map_and_sum_rows.hpp"

#include "../base/scope.hpp"
#include "../plan/map_and_sum.hpp"

namespace broadloom::runtime {

map_and_sum_rows::map_and_sum_rows(const problem& p, const row_strides& where) : n_(where.n()) {
  const stage& last = p.code.stages[p.code.stage_count - 1];
  if (!where.works() || where.inner() < 0) return;
  const auto is_row = [&](int k) { return !p.operands[k].is_scalar && where[k].along == 1; };
  const map_and_sum_form form = find_map_and_sum(p.code, is_row);
  if (!form.works) return;
  x_ = form.x;
  by_ = form.by;
  if (form.how != before::nothing) {
    if (is_row(by_)) return;
    by_pitch_ = p.operands[by_].is_scalar ? 0 : where[by_].across;
  }
  x_pitch_ = where[x_].across;
  const auto f = static_cast<maths1>(last.function);
  if (last.type == dtype::f64)
    run_f64_ = find_sums_f64(f, form.how, maths_in_force(p.how));
  else if (last.type == dtype::f32)
    run_f32_ = find_sums_f32(f, form.how, maths_in_force(p.how));
  works_ = run_f32_ != nullptr || run_f64_ != nullptr;
}

template <class T>
void map_and_sum_rows::run(strip_sums<T> loop, const std::byte* const* operands, index first, index rows,
                           std::byte* out, index out_pitch, std::byte* lanes, row_prefetcher* prefetcher) const {
  const T* const x = reinterpret_cast<const T*>(operands[x_]) + first * x_pitch_;
  const T* const by = reinterpret_cast<const T*>(operands[by_]) + first * by_pitch_;
  constexpr index in_line = 64 / static_cast<index>(sizeof(T));
  const std::byte* const prefetch = prefetcher->take(rows * n_, rows * (n_ / in_line));
  loop({x, x_pitch_, by, by_pitch_, reinterpret_cast<T*>(out), out_pitch, reinterpret_cast<T*>(lanes),
        prefetch != nullptr ? static_cast<const void*>(prefetch) : x, prefetch != nullptr ? 64 : 0},
       rows, n_);
}

void map_and_sum_rows::operator()(const std::byte* const* operands, index first, index rows, std::byte* out,
                                  index out_pitch, std::byte* lanes, row_prefetcher* prefetcher) const {
  if (run_f32_ != nullptr)
    run<float>(run_f32_, operands, first, rows, out, out_pitch, lanes, prefetcher);
  else
    run<double>(run_f64_, operands, first, rows, out, out_pitch, lanes, prefetcher);
}

}  // namespace broadloom::runtime
