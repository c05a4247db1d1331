// Contiguous rows, and columns of few elements, reduced without a nest.
#include "contiguous.hpp"

#include <broadloom/core/isa.hpp>
#include <broadloom/reduce/norm_range.hpp>

#include "../base/scope.hpp"
#include "../maths/find.hpp"
#include "../move/splat.hpp"
#include "../move/vectors.hpp"
#include "../plan/contiguous_rows.hpp"
#include "../plan/map_and_sum.hpp"
#include "reducer.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::unplanned_elements;
using limits::reducing::unplanned_rows_elements;

constexpr int max_inputs = max_short_inputs;
constexpr index max_summed_rows = 64;
static_assert(unplanned_elements / piece_length <= max_partial_results);
// Headers, sums beside functions, and programs cut sequences at the same elements: the bits of sums follow from it.
static_assert(limits::strip == broadloom::detail::strip_elements && limits::strip == summed_strip);

// Bytes from one row of input j to the next.
index pitch_of(const stage& only, const slot* inputs, const row_inputs& x, int j) {
  const index own = (x.by_row >> j & 1) != 0 ? 1 : inputs[j].advance != 0 && (x.shared >> j & 1) == 0 ? x.n : 0;
  return own * size_of(only.input_types[j]);
}

// Rows of products, of squares and of absolute values by the library's kernels.
[[gnu::always_inline]] inline void add_product_rows(const stage& only, const slot* inputs, const row_inputs& x,
                                                    const product_kernels& k, void* to) {
  const bool has_two = only.input_count > 1;
  const void* const second = has_two ? inputs[1].data : nullptr;
  if (x.rows == 1) return k.one(inputs[0].data, second, x.n, to);
  k.rows(inputs[0].data, second, x.rows, x.n, pitch_of(only, inputs, x, 0), has_two ? pitch_of(only, inputs, x, 1) : 0,
         to);
}

// Rows by the kernel of their program.
[[gnu::noinline]] void reduce_computed_rows(const stage& only, const slot* inputs, const row_inputs& x,
                                            const row_reduce_kernel& kernel, const reduce_kernels& k, void* to) {
  alignas(64) std::byte room[max_inputs * row_room], lanes[before_lanes + max_lane_bytes],
      partial[max_partial_results * 8];
  slot here[max_inputs];
  index pitch[max_inputs];
  for (int j = 0; j < only.input_count; ++j) {
    here[j] = inputs[j];
    pitch[j] = pitch_of(only, inputs, x, j);
  }
  reduce_kernel_rows(kernel, only, here, pitch, x.rows, x.n, k, {room, lanes + before_lanes, partial},
                     static_cast<std::byte*>(to));
}

// Rows of a program without such a kernel, evaluated first: some at a time, or one a piece of strips at a time.
[[gnu::noinline]] void reduce_evaluated_rows(const stage& only, const slot* inputs, const row_inputs& x,
                                             const reduce_kernels& k, int level, std::byte* to) {
  constexpr index most = 4 * strip_length;
  const index size = size_of(only.type);
  alignas(64) std::byte elements[most * 8], partial[unplanned_elements / most * 8], numbers[max_inputs][64];
  slot here[max_inputs];
  const auto bind = [&](index row, index first) {
    for (int j = 0; j < only.input_count; ++j) {
      const int width = size_of(only.input_types[j]);
      if ((x.numbers >> j & 1) != 0) {
        const auto* const from = static_cast<const std::byte*>(inputs[j].data);
        detail::splat_to<64>(numbers[j], (x.by_row >> j & 1) != 0 ? from + row * width : from, width, 1);
        here[j] = {numbers[j], 0};
        continue;
      }
      const index at = inputs[j].advance == 0 ? 0 : ((x.shared >> j & 1) != 0 ? 0 : row * x.n) + first;
      here[j] = {moved(inputs[j].data, at * width), inputs[j].advance};
    }
  };
  const index together = x.n > most ? 1 : most / x.n, at_once = (x.by_row | x.shared) != 0 ? 1 : together;
  for (index r = 0; r < x.rows; r += together) {
    const index rows = smaller(together, x.rows - r);
    for (index i = 0; i < rows && together > 1; i += at_once) {
      bind(r + i, 0);
      run_disjoint(only, here, elements + i * x.n * size, smaller(at_once, rows - i) * x.n, level);
    }
    if (together > 1) {
      k.sequences(elements, rows, x.n, x.n * size, to + r * size, elements);
      continue;
    }
    const index pieces = divide_up(x.n, most);
    for (index i = 0; i < pieces; ++i) {
      const index n = smaller(most, x.n - i * most);
      bind(r, i * most);
      run_disjoint(only, here, elements, n, level);
      k.sequences(elements, 1, n, 0, pieces == 1 ? to + r * size : partial + i * size, elements);
    }
    if (pieces > 1) k.tree(partial, pieces, 1, to + r * size);
  }
}

// Rows of squares of integers that are added up in i64.
void add_squares_of_integers(const stage& only, const slot* inputs, const row_inputs& x, widening_rows* run, void* to) {
  const int last = only.input_count - 1;
  run(inputs[0].data, inputs[last].data, x.rows, x.n, pitch_of(only, inputs, x, 0), pitch_of(only, inputs, x, last),
      static_cast<std::int64_t*>(to));
}

// Contiguous rows of integers, added up in i64. Long ones gain nothing in batches and go one by one.
void reduce_widened_rows(const stage& only, const slot* inputs, index rows, index n, const widening_kernels& k,
                         void* to) {
  const index pitch = n * size_of(only.input_types[0]);
  const auto* x = static_cast<const std::byte*>(inputs[0].data);
  const auto* y = only.input_count > 1 ? static_cast<const std::byte*>(inputs[1].data) : nullptr;
  if (rows > 1 && n >= k.least_of_rows && n <= k.most_of_rows)
    return k.rows(x, y, rows, n, pitch, pitch, static_cast<std::int64_t*>(to));
  for (index r = 0; r < rows; ++r, x += pitch, y += y == nullptr ? 0 : pitch)
    static_cast<std::int64_t*>(to)[r] = k.one(x, y, n);
}

// Contiguous rows that lie in memory; several of them where these have results of one element.
void reduce_rows_in_memory(const stage& only, const std::byte* x, index rows, index n, const reduce_kernels& k,
                           void* to) {
  const index pitch = n * size_of(only.type);
  if (k.finish != nullptr) return reduce_row(k, x, n, to);
  if (k.position == nullptr) return k.sequences(x, rows, n, pitch, to, nullptr);
  for (index r = 0; r < rows; ++r) k.one(x + r * pitch, n, static_cast<index*>(to) + r);
}

// `way` is one of plan_rows(), and `k` what it was asked.
[[gnu::always_inline]] inline void run_contiguous_rows(const stage& only, const slot* inputs, const row_inputs& x,
                                                       const kernels_of_rows& k, reduction_way way, void* to) {
  if (way.loops == reduction_loops::short_rows)
    return reduce_short_rows(only, inputs, x.rows, x.n, x.by_row, *k.found, k.at, to, x.shared);
  switch (way.input) {
    case reduction_input::widened:
      if (k.widens())
        reduce_widened_rows(only, inputs, x.rows, x.n, *k.sum, to);
      else
        add_squares_of_integers(only, inputs, x, k.squares(inputs), to);
      break;
    case reduction_input::products: add_product_rows(only, inputs, x, *k.products, to); break;
    case reduction_input::kernel: reduce_computed_rows(only, inputs, x, *k.program, *k.found, to); break;
    case reduction_input::scratch:
      reduce_evaluated_rows(only, inputs, x, *k.found, static_cast<int>(k.at), static_cast<std::byte*>(to));
      break;
    default: reduce_rows_in_memory(only, static_cast<const std::byte*>(inputs[0].data), x.rows, x.n, *k.found, to);
  }
}

// False, and nothing done, where plan_rows() has no way.
bool reduce_contiguous_rows(const stage& only, const slot* inputs, const row_inputs& x,
                            const row_reduce_kernel* program, reduction op, void* to, reduction_plan* plan) {
  kernels_of_rows k(only, op, program);
  const reduction_way way = plan_rows(only, inputs, x, k);
  if (plan != nullptr) *plan = plan_of(way, x.rows, x.n);
  if (way.works && plan == nullptr) run_contiguous_rows(only, inputs, x, k, way, to);
  return way.works;
}

}  // namespace

void reduce_row(const reduce_kernels& k, const void* x, index n, void* to) {
  if (k.one != nullptr) return k.one(x, n, to);
  alignas(16) std::byte parts[16];
  k.sequences(x, 1, n, 0, parts, nullptr);
  k.finish(parts, 1, 1, to);
}

bool reduce_row_of_leaves(const stage& only, const slot* leaves, index n, const row_reduce_kernel* kernel, reduction op,
                          void* to, reduction_plan* plan) {
  return reduce_contiguous_rows(only, leaves, {1, n}, kernel, op, to, plan);
}

bool reduce_contiguous(const problem& p, unsigned reduced, reduction op, const row_reduce_kernel* rows_kernel,
                       reduction_plan* plan) {
  const stage& only = p.code.stages[0];
  row_inputs x;
  slot inputs[max_inputs];
  return is_one_stage(p.code) && are_rows(p.extents, p.rank, reduced, most_in_rows(only), x.rows, x.n) &&
         bind_rows(p, inputs, x) && reduce_contiguous_rows(only, inputs, x, rows_kernel, op, p.out, plan);
}

namespace {

[[gnu::noinline]] bool reduce_rows_of_leaves(const source& s, const leaf_array* leaves, index rows, index n, void* to,
                                             reduction_plan* plan) {
  const stage& only = s.code->stages[0];
  row_inputs x{rows, n};
  slot inputs[max_inputs];
  return n * rows != 0 && n * rows <= most_in_rows(only) && bind_rows(s, leaves, inputs, x) &&
         reduce_contiguous_rows(only, inputs, x, s.rows, s.how, to, plan);
}

}  // namespace

namespace {

// The results and the elements of each; axes of one element aside, whether some that are reduced are behind others, and
// some before others. By registers alone, as most of a short call is stores and loads.
[[gnu::always_inline]] inline void cut_axes(const source& s, index& kept, index& reduced, bool& behind, bool& before) {
  kept = reduced = 1;
  behind = before = false;
  for (int i = 0; i < s.in_rank; ++i) {
    const index n = s.in_extents[i];
    if (n == 1) continue;
    if ((s.reduced >> i & 1) != 0) {
      behind |= kept != 1;
      reduced *= n;
    } else {
      before |= reduced != 1;
      kept *= n;
    }
  }
}

inline bool may_reduce_leaves(const source& s) {
  return s.how != reduction::none && s.at == nullptr && is_one_stage(*s.code);
}

}  // namespace

bool reduce_leaves(const source& s, const leaf_array* leaves, void* to, reduction_plan* plan) {
  if (!may_reduce_leaves(s)) return false;
  index kept, reduced;
  bool behind, before;
  cut_axes(s, kept, reduced, behind, before);
  if (!before) return reduce_rows_of_leaves(s, leaves, kept, reduced, to, plan);
  return !behind && reduce_columns(s, leaves, reduced, kept, to, plan);
}

bool rows_of_leaves::plan(const source& s, const leaf_array* leaves) {
  if (!may_reduce_leaves(s)) return false;
  index rows, length;
  bool behind, before;
  cut_axes(s, rows, length, behind, before);
  only_ = s.code->stages;
  x_ = {rows, length};
  const index n = rows * length;
  if (before || n == 0 || n > most_in_rows(*only_) || !bind_rows(s, leaves, inputs_, x_)) return false;
  k_ = kernels_of_rows(*only_, s.how, s.rows);
  if (!k_.exists() || k_.finishes() || k_.widens()) return false;
  way_ = plan_rows(*only_, inputs_, x_, k_);
  return way_.works;
}
void rows_of_leaves::run(void* to) const { run_contiguous_rows(*only_, inputs_, x_, k_, way_, to); }

// As rows_of_leaves::plan(), which is for leaves in memory.
bool reduces_leaves(const source& s) {
  if (s.how == reduction::none || s.leaf_count > max_inputs) return false;
  const stage& only = s.code->stages[0];
  const reduce_kernels* const k = find_kernels(s.how, only.type, active_isa());
  if (k == nullptr || k->finish != nullptr || find_widening(s.how, only, active_isa()) != nullptr) return false;
  leaf_array leaves[max_inputs];  // results of other sources are in memory then
  for (int i = 0; i < s.leaf_count; ++i) {
    leaves[i] = s.leaves[i];
    if (leaves[i].from != &any_ramp) leaves[i].from = nullptr;
  }
  reduction_plan plan;
  return reduce_leaves(s, leaves, nullptr, &plan);
}

bool reduces_rows(const source& s) {
  index rows, n;
  if (s.how == reduction::none || !are_rows(s.in_extents, s.in_rank, s.reduced, unplanned_rows_elements, rows, n) ||
      rows * n == 0)
    return false;
  const reduce_kernels* const k = find_kernels(s.how, s.code->stages[s.code->stage_count - 1].type, active_isa());
  return k != nullptr && k->finish == nullptr;
}

void reduce_rows(const source& s, const void* elements, void* to) {
  const dtype type = s.code->stages[s.code->stage_count - 1].type;
  row_inputs x;
  are_rows(s.in_extents, s.in_rank, s.reduced, unplanned_rows_elements, x.rows, x.n);
  const reduce_kernels& k = *find_kernels(s.how, type, active_isa());
  reduce_rows_in_memory({stage_kind::compute, type, 0, 1, nullptr, &type, nullptr, true, arithmetic::other},
                        static_cast<const std::byte*>(elements), x.rows, x.n, k, to);
}

reduction_plan plan_rows_of(const source& s, bool by_function) {
  const bool indices = s.how == reduction::arg_maximum || s.how == reduction::arg_minimum;
  index rows, n;
  are_rows(s.in_extents, s.in_rank, s.reduced, unplanned_rows_elements, rows, n);
  return plan_of({indices ? reduction_loops::indices : reduction_loops::rows,
                  by_function ? reduction_input::function : reduction_input::scratch},
                 rows, n);
}

bool sums_all(const source& s, const leaf_array* leaves, const void* elements) {
  if (s.how != reduction::sum || s.code->stage_count != 1 || !s.code->stages[0].copies) return false;
  const leaf_array& x = leaves[s.code->stages[0].inputs[0]];
  return x.data == elements && has_all_elements(x, s);
}

namespace {

// Rows of at most a strip, or one longer row of unplanned_rows_elements.
template <class T>
void sum_function_of_rows(strip_sums<T> loop, const T* x, const T* by, index by_pitch, index rows, index n,
                          std::byte* to) {
  const reduce_kernels& k = *find_kernels(reduction::sum, dtype_of<T>, active_isa());
  alignas(64) T dropped[strip_length];
  alignas(64) T lanes[max_summed_rows * 64 / sizeof(T)];
  static_assert(unplanned_rows_elements / strip_length <= max_summed_rows);
  if (n <= strip_length) {
    for (index r = 0; r < rows; r += max_summed_rows) {
      const index some = smaller(max_summed_rows, rows - r);
      loop({x + r * n, n, by + r * by_pitch, by_pitch, dropped, 0, lanes, x, 0}, some, n);
      join_strips(k, reinterpret_cast<const std::byte*>(lanes), some, 1, sizeof(T), nullptr,
                  to + r * static_cast<index>(sizeof(T)));
    }
    return;
  }
  const index whole = n / strip_length, rest = n % strip_length;
  for (index r = 0; r < rows; ++r, x += n, by += by_pitch, to += sizeof(T)) {
    loop({x, strip_length, by, 0, dropped, 0, lanes, x, 0}, whole, strip_length);
    if (rest > 0)
      loop({x + whole * strip_length, 0, by, 0, dropped, 0, lanes + whole * 64 / static_cast<index>(sizeof(T)), x, 0},
           1, rest);
    k.strips(lanes, divide_up(n, strip_length), to);
  }
}

}  // namespace

bool sum_function(const stage& last, before how, const void* x, const void* by, index by_pitch, index rows, index n,
                  accuracy maths, void* to) {
  const auto run = [&]<class T>(strip_sums<T> loop) {
    if (loop != nullptr && to != nullptr)
      sum_function_of_rows(loop, static_cast<const T*>(x), static_cast<const T*>(by), by_pitch, rows, n,
                           static_cast<std::byte*>(to));
    return loop != nullptr;
  };
  const auto f = static_cast<maths1>(last.function);
  return last.type == dtype::f32   ? run(find_sums_f32(f, how, maths))
         : last.type == dtype::f64 ? run(find_sums_f64(f, how, maths))
                                   : false;
}

namespace {

// With `to` null nothing is done.
bool sum_function_of_leaves(const source& s, const leaf_array* leaves, accuracy maths, void* to) {
  const program& code = *s.code;
  const stage& last = code.stages[code.stage_count - 1];
  index rows, n;
  if (s.how != reduction::sum || last.kind != stage_kind::strip1 || last.type != s.type ||
      !are_rows(s.in_extents, s.in_rank, s.reduced, unplanned_rows_elements, rows, n) || rows * n == 0 ||
      (rows != 1 && n * size_of(last.type) < 64))
    return false;
  const auto form =
      find_map_and_sum(code, [&](int k) { return leaves[k].from == nullptr && has_all_elements(leaves[k], s); });
  if (!form.works) return false;
  const leaf_array& by = leaves[form.by];
  const void* const x = leaves[form.x].data;
  if (form.how == before::nothing) return sum_function(last, form.how, x, x, 0, rows, n, maths, to);
  if (by.from != nullptr || !is_one_of_each_row(by, s)) return false;
  return sum_function(last, form.how, x, by.data, by.is_scalar ? 0 : 1, rows, n, maths, to);
}

}  // namespace

bool reduce_function(const source& s, const leaf_array* leaves, accuracy maths, void* to, reduction_plan* plan) {
  if (s.how == reduction::none || s.at != nullptr) return false;
  if (!sum_function_of_leaves(s, leaves, maths, plan == nullptr ? to : nullptr))
    return reduce_function_columns(s, leaves, maths, to, plan);
  if (plan != nullptr) *plan = plan_rows_of(s, true);
  return true;
}

bool map_and_sum_leaves(const source& s, const program& code, const leaf_array* leaves, accuracy maths, void* elements,
                        void* to) {
  const stage& last = code.stages[code.stage_count - 1];
  index rows, n;
  if (s.how != reduction::sum || last.kind != stage_kind::strip1 || code.stage_count > 2) return false;
  if (!are_rows(s.in_extents, s.in_rank, s.reduced, unplanned_rows_elements, rows, n) || n > strip_length ||
      rows > max_summed_rows)
    return false;
  // Several short rows are fewer vectors where they are one sequence.
  if (n == 0 || (rows != 1 && n * size_of(last.type) < 64)) return false;
  const auto form = find_map_and_sum(code, [&](int k) { return has_all_elements(leaves[k], s); });
  if (!form.works) return false;
  const leaf_array *const x = &leaves[form.x], *const by = form.how == before::nothing ? nullptr : &leaves[form.by];
  if (by != nullptr && !is_one_of_each_row(*by, s)) return false;
  const index by_pitch = by == nullptr || by->is_scalar ? 0 : 1;
  alignas(64) std::byte lanes[max_summed_rows * 64];
  const auto run = [&]<class T>(strip_sums<T> loop) {
    const auto* const from = static_cast<const T*>(x->data);
    if (loop == nullptr || to == nullptr) return loop != nullptr;
    loop({from, n, by == nullptr ? from : static_cast<const T*>(by->data), by_pitch, static_cast<T*>(elements), n,
          reinterpret_cast<T*>(lanes), from, 0},
         rows, n);
    join_strips(*find_kernels(reduction::sum, last.type, active_isa()), lanes, rows, 1, size_of(last.type), nullptr,
                static_cast<std::byte*>(to));
    return true;
  };
  const auto f = static_cast<maths1>(last.function);
  return last.type == dtype::f32 ? run(find_sums_f32(f, form.how, maths)) : run(find_sums_f64(f, form.how, maths));
}

namespace {

// Whether all are within the range: the least and the largest tell, sooner than a loop of the program's over each.
template <class T>
bool are_plain(const void* x, index n) {
  using norm = broadloom::detail::norm_squares_r;
  const isa level = active_isa();
  T least, most;
  find_kernels(reduction::amin, dtype_of<T>, level)->one(x, n, &least);
  find_kernels(reduction::amax, dtype_of<T>, level)->one(x, n, &most);
  return norm::is_plain(least) && norm::is_plain(most);
}

}  // namespace

void repair_results(const source& s, index first, index count, void* to) {
  constexpr index few = 16;
  if (s.repair == nullptr) return;
  if (count >= few && s.type == dtype::f32 && are_plain<float>(to, count)) return;
  if (count >= few && s.type == dtype::f64 && are_plain<double>(to, count)) return;
  s.repair_results(first, count, to);
}

}  // namespace broadloom::runtime
