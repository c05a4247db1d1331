// Reductions of contiguous rows in one go, without a plan, as planning is most of what a small one takes.
#include "contiguous.hpp"

#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/simd/row_reduce_kernel.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/plan/unplanned.hpp>
#include <broadloom/reduce/whole.hpp>

#include "../base/scope.hpp"
#include "../maths/find.hpp"
#include "../move/vectors.hpp"
#include "empty.hpp"
#include "reducer.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

using limits::reducing::max_sequence_elements;
using limits::reducing::strips_of_piece;
using limits::reducing::strips_together;
using limits::reducing::unplanned_columns_elements;
using limits::reducing::unplanned_elements;
using limits::reducing::unplanned_rows_elements;

constexpr int max_inputs = max_short_inputs;
constexpr index max_summed_rows = 64;
constexpr index max_product_elements = strips_together * strip_length;  // added up interleaved: first-level cache
static_assert(unplanned_elements / piece_length <= strips_together);
// Headers, sums beside functions, and programs cut sequences at the same elements: the bits of sums follow from it.
static_assert(limits::strip == detail::strip_elements && limits::strip == summed_strip);

// Rows of a program that is not a copy, by its own kernel: some at a time, or one of many strips.
[[gnu::noinline]] bool reduce_computed_rows(const stage& only, const slot* inputs, index rows, index n, unsigned by_row,
                                            const row_reduce_kernel* kernel, const reduce_kernels& k, isa level,
                                            reduction op, bool has_ramps, unsigned shared, void* to) {
  if (only.input_count > max_inputs || n > unplanned_elements || k.parts != 1) return false;
  if (only.kind != stage_kind::compute) return false;
  if (rows > 1 && may_be_short_rows(only, n, by_row | shared, k, level)) {
    reduce_short_rows(only, inputs, rows, n, by_row, k, level, to, shared);
    return true;
  }
  if (rows == 1 && n <= max_product_elements && !has_ramps)
    if (product_sum* const sum = find_product_sum(op, only, inputs, level); sum != nullptr) {
      sum(inputs[0].data, only.input_count > 1 ? inputs[1].data : nullptr, n, to);
      return true;
    }
  if (kernel == nullptr || kernel->run[static_cast<int>(level)] == nullptr) return false;
  const auto run = kernel->run[static_cast<int>(level)];
  const int size = size_of(only.type);
  alignas(64) std::byte room[max_inputs * row_room], lanes[before_lanes + strips_of_piece * 64],
      partial[strips_together * 8];
  std::byte* const found = lanes + before_lanes;
  slot here[max_inputs];
  index pitch[max_inputs];
  for (int j = 0; j < only.input_count; ++j) {
    here[j] = inputs[j];
    const index own = (by_row >> j & 1) != 0 ? 1 : inputs[j].advance != 0 && (shared >> j & 1) == 0 ? n : 0;
    pitch[j] = own * size_of(only.input_types[j]);
  }
  const auto next_rows = [&](index count) {
    for (int j = 0; j < only.input_count; ++j) here[j].data = moved(here[j].data, count * pitch[j]);
  };
  const index strips = divide_up(n, strip_length);
  auto* out = static_cast<std::byte*>(to);
  if (strips <= strips_together) {
    const index together = strips_together / strips;
    for (index left = rows; left > 0; left -= together) {
      const index some = smaller(together, left);
      reduce_rows(run, only, here, pitch, some, n, k, room, found);
      join_strips(k, found, some, strips, size, partial, out);
      if (left > together) next_rows(together);
      out += some * size;
    }
    return true;
  }
  for (index r = 0; r < rows; ++r, out += size) {
    slot part[max_inputs];
    for (int j = 0; j < only.input_count; ++j) part[j] = here[j];
    for (index first = 0; first < n; first += piece_length) {
      const index m = smaller(piece_length, n - first);
      reduce_rows(run, only, part, pitch, 1, m, k, room, found);
      k.strips(found, divide_up(m, strip_length), partial + first / piece_length * size);
      advance(only, part, m);
    }
    k.tree(partial, divide_up(n, piece_length), 1, out);
    next_rows(1);
  }
  return true;
}

// One contiguous row.
void reduce_row(const reduce_kernels& k, const void* x, index n, void* to) {
  if (k.one != nullptr) return k.one(x, n, to);
  alignas(16) std::byte parts[16];
  k.sequences(x, 1, n, 0, parts, nullptr);
  k.finish(parts, 1, 1, to);
}

// Rows of integers that are added up in i64, contiguous all.
bool reduce_widened_rows(const stage& only, const slot* inputs, index rows, index n, widening_sum* sum, void* to) {
  const int size = size_of(only.input_types[0]);
  const void* from[2] = {inputs[0].data, nullptr};
  for (int j = 0; j < only.input_count; ++j) {
    if (inputs[j].advance == 0) return false;
    from[j] = inputs[j].data;
  }
  for (index r = 0; r < rows; ++r) {
    static_cast<std::int64_t*>(to)[r] = sum(from[0], from[1], n);
    for (const void*& x : from)
      if (x != nullptr) x = static_cast<const std::byte*>(x) + n * size;
  }
  return true;
}

// `rows` contiguous rows of n elements. The inputs of the stage are scalars (advance 0) or contiguous, too, or of one
// number for each row (advance 0 and a bit of `by_row`), or of one row for all (a bit of `shared`), or ramps that
// kernels count.
bool reduce_contiguous_rows(const stage& only, const slot* inputs, index rows, index n, unsigned by_row,
                            const row_reduce_kernel* kernel, reduction op, void* to, bool has_ramps = false,
                            unsigned shared = 0) {
  const isa level = active_isa();
  if (widening_sum* const sum = find_widening(op, only, level); sum != nullptr)
    return !has_ramps && shared == 0 && reduce_widened_rows(only, inputs, rows, n, sum, to);
  const reduce_kernels* const found = find_kernels(op, only.type, level);
  if (found == nullptr) return false;
  const reduce_kernels& k = *found;
  if (!only.copies || has_ramps)
    return reduce_computed_rows(only, inputs, rows, n, by_row, kernel, k, level, op, has_ramps, shared, to);
  if (inputs[0].advance == 0 || shared != 0) return false;
  const auto* const x = static_cast<const std::byte*>(inputs[0].data);
  const index pitch = n * size_of(only.type);
  if (k.position != nullptr) {
    for (index r = 0; r < rows; ++r) k.one(x + r * pitch, n, static_cast<index*>(to) + r);
  } else if (k.finish == nullptr) {
    k.sequences(x, rows, n, pitch, to, nullptr);
  } else {
    if (rows != 1) return false;
    reduce_row(k, x, n, to);
  }
  return true;
}

// A strip of a program, over its leaves in order: evaluated on the stack first.
[[gnu::noinline]] void reduce_strip(const stage& only, const slot* leaves, index n, const reduce_kernels& k,
                                    accuracy maths, void* to) {
  alignas(64) std::byte strip[strip_length * 8];
  if (only.kind == stage_kind::compute) {
    run_disjoint(only, leaves, strip, n, static_cast<int>(active_isa()));
  } else {
    slot inputs[2];
    alignas(64) std::byte splats[2 * sizeof strip];
    for (int j = 0; j < only.input_count; ++j) inputs[j] = leaves[j];
    run_strip(only, inputs, strip, n, maths, splats, sizeof strip);
  }
  reduce_row(k, strip, n, to);
}

}  // namespace

[[gnu::noinline]] void reduce_planned(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                      reduction how, const options& o) {
  const program& code = *form.code;
  const int rank = form.rank, count = form.count;
  small_array<operand, 8> operands(static_cast<std::size_t>(count));
  small_array<index, 64> strides(static_cast<std::size_t>(count * rank + 1));
  const index* own = extents + rank;
  for (int k = 0; k < count; ++k, own += rank) {
    index* const steps = strides.data() + k * rank;
    index step = 1;
    for (int i = rank - 1; i >= 0; --i) {
      steps[i] = own[i] == 1 && extents[i] != 1 ? 0 : step;
      step *= own[i];
    }
    const bool is_scalar = leaves[k].advance == 0;
    operands[k] = {leaves[k].data, steps, dtype{}, is_scalar, false, nullptr};
  }
  for (int s = 0; s < code.stage_count; ++s)
    for (int j = 0; j < code.stages[s].input_count; ++j)
      if (const int k = code.stages[s].inputs[j]; k < first_stage) operands[k].type = code.stages[s].input_types[j];
  reduce({rank, extents, to, nullptr, form.result, operands.data(), count, code, o},
         rank == 32 ? ~0u : (1u << rank) - 1, how, {nullptr, nullptr, form.rows});
}

namespace {

bool is_one_stage(const program& code) { return code.stage_count == 1 && code.stages[0].input_count <= max_inputs; }

// Elements of rows that are reduced without a plan.
index most_in_rows(const stage& only) { return only.copies ? unplanned_elements : unplanned_rows_elements; }

// Whether the reduced axes of few elements are the last ones: `rows` rows of n elements.
bool are_rows(const index* extents, index rank, unsigned reduced, index most, index& rows, index& n) {
  index i = rank;
  n = rows = 1;
  for (; i > 0 && ((reduced >> (i - 1) & 1) != 0 || extents[i - 1] == 1); --i) n *= extents[i - 1];
  for (; i > 0; --i) {
    if ((reduced >> (i - 1) & 1) != 0 && extents[i - 1] != 1) return false;
    rows *= extents[i - 1];
  }
  return rows * n <= most;
}

// Whether the leaf is a row-major array of the elements' extents.
bool has_all_elements(const leaf_array& x, const source& s) {
  if (x.is_scalar || x.strides != nullptr || x.rank != s.in_rank) return false;
  for (int i = 0; i < x.rank; ++i)
    if (x.extents[i] != s.in_extents[i]) return false;
  return true;
}

// Whether the leaf is a number, or an array of one number for each row: with 1 for the reduced axes.
bool is_one_of_each_row(const leaf_array& x, const source& s) {
  if (x.is_scalar) return true;
  if (x.strides != nullptr || x.rank > s.in_rank) return false;
  for (int i = s.in_rank, j = x.rank; i-- > 0;) {
    const index own = j > 0 ? x.extents[--j] : 1;
    if (own != ((s.reduced >> i & 1) != 0 ? 1 : s.in_extents[i])) return false;
  }
  return true;
}

// Whether the leaf is a row-major array of the elements of one row.
bool is_one_row(const leaf_array& x, const source& s) {
  if (x.is_scalar || x.strides != nullptr || x.rank > s.in_rank) return false;
  for (int i = s.in_rank, j = x.rank; i-- > 0;) {
    const index own = j > 0 ? x.extents[--j] : 1;
    if (own != ((s.reduced >> i & 1) != 0 ? s.in_extents[i] : 1)) return false;
  }
  return true;
}

// What the rows of a source read: numbers, arrays of all elements, of one number for each row, and of one row for all,
// and ramps.
bool bind_rows(const source& s, const leaf_array* leaves, index rows, slot* inputs, unsigned& by_row, unsigned& shared,
               bool& has_ramps) {
  const stage& only = s.code->stages[0];
  by_row = shared = 0;
  has_ramps = false;
  for (int j = 0; j < only.input_count; ++j) {
    const leaf_array& x = leaves[only.inputs[j]];
    inputs[j] = {x.data, x.is_scalar ? 0 : -1};
    if (x.from != nullptr) {
      const bool is_row = x.rank == 1 && is_one_row(x, s);
      if (x.from != &any_ramp || !(is_row || has_all_elements(x, s)) || !takes_ramps(only, x.type) ||
          !counts_exactly(x.type, x.offset, x.extents[0]))
        return false;
      inputs[j] = {moved(nullptr, x.offset * size_of(x.type)), ramp_advance};
      has_ramps = true;
      if (is_row) shared |= 1U << j;
      continue;
    }
    if (x.is_scalar || has_all_elements(x, s)) continue;
    if (is_one_row(x, s)) {
      shared |= 1U << j;
      continue;
    }
    if (!is_one_of_each_row(x, s)) return false;
    inputs[j].advance = 0;
    if (rows > 1) by_row |= 1U << j;
  }
  return true;
}

constexpr index columns_bytes = limits::small_barriers::max_bytes;  // of lanes, on the stack

// The kernels where the first axes of an array are reduced, `rows` of few elements; else null.
const reduce_kernels* find_columns(const source& s, const leaf_array* leaves, index& rows, index& columns) {
  const stage& only = s.code->stages[0];
  if (!only.copies || leaves[only.inputs[0]].from != nullptr || !has_all_elements(leaves[only.inputs[0]], s))
    return nullptr;
  rows = columns = 1;
  int i = 0;
  for (; i < s.in_rank && ((s.reduced >> i & 1) != 0 || s.in_extents[i] == 1); ++i) rows *= s.in_extents[i];
  for (; i < s.in_rank; ++i) {
    if ((s.reduced >> i & 1) != 0 && s.in_extents[i] != 1) return nullptr;
    columns *= s.in_extents[i];
  }
  if (rows * columns > unplanned_columns_elements || rows * columns == 0 ||
      smaller(rows, 64 / size_of(only.type)) * columns * size_of(only.type) > columns_bytes)
    return nullptr;
  const reduce_kernels* const k = find_kernels(s.how, only.type, active_isa());
  return k != nullptr && k->finish == nullptr && k->position == nullptr ? k : nullptr;
}

// A strip of these, combined as the elements of one column would be.
void reduce_strip_of_columns(const reduce_kernels& k, const std::byte* x, index rows, index columns, index size,
                             std::byte* to) {
  const index lanes = 64 / size, there = smaller(rows, lanes), line = lanes * columns * size;
  alignas(64) std::byte sums[columns_bytes];
  const std::byte* from = sums;
  if (rows < 2 * lanes)
    std::memcpy(sums, x, static_cast<std::size_t>(there * columns * size));
  else
    from = x;
  const std::byte* at = x + line;
  for (index left = rows - lanes; left > 0;) {
    const index groups = left < lanes ? 1 : smaller(8, left / lanes);
    const void* next[8];
    for (index g = 0; g < groups; ++g, at += line) next[g] = at;
    k.rows(sums, from, next, static_cast<int>(groups), smaller(lanes, left) * columns);
    from = sums;
    left -= groups * lanes;
  }
  if (there == 1) std::memcpy(to, sums, static_cast<std::size_t>(columns * size));
  for (index half = lanes / 2; half > 0; half /= 2)
    if (there > half) {
      const void* const upper = sums + half * columns * size;
      k.rows(half == 1 ? to : sums, sums, &upper, 1, smaller(half, there - half) * columns);
    }
}

bool reduce_columns(const source& s, const leaf_array* leaves, void* to) {
  index rows, columns;
  const reduce_kernels* const k = find_columns(s, leaves, rows, columns);
  if (k == nullptr) return false;
  const stage& only = s.code->stages[0];
  const index size = size_of(only.type), row = columns * size;
  const auto* x = static_cast<const std::byte*>(leaves[only.inputs[0]].data);
  if (rows <= strip_length) {
    reduce_strip_of_columns(*k, x, rows, columns, size, static_cast<std::byte*>(to));
    return true;
  }
  // Rows of more than one strip have fewer than 16 columns, whose whole strips are at most 16, and the last one is not.
  alignas(64) std::byte partial[2 * (unplanned_columns_elements / strip_length) * 8];
  const index strips = divide_up(rows, strip_length);
  for (index i = 0; i < strips; ++i, x += strip_length * row)
    reduce_strip_of_columns(*k, x, smaller(strip_length, rows - i * strip_length), columns, size, partial + i * row);
  k->tree(partial, strips, columns, to);
  return true;
}

// Elements that are no strip, or none.
[[gnu::noinline]] void reduce_long(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                   reduction how, const options& o) {
  const stage& only = *form.code->stages;
  index n = 1;
  for (int i = 0; i < form.rank; ++i) n *= extents[i];
  if (n == 0) return fill_empty(to, 1, form.result, how);
  const bool is_widened = find_widening(how, only, active_isa()) != nullptr;
  if (o.threads == 1 && n <= max_sequence_elements && form.code->stage_count == 1 && only.copies &&
      only.input_count == 1 && form.count == 1 && leaves[0].advance != 0 && !is_widened) {
    const reduce_kernels& k = *find_kernels(how, only.type, active_isa());
    if (k.one != nullptr && k.finish == nullptr && k.position == nullptr) return k.one(leaves[0].data, n, to);
  }
  if ((is_widened && n > unplanned_elements) || form.code->stage_count != 1 || only.copies ||
      only.input_count != form.count || !reduce_contiguous_rows(only, leaves, 1, n, 0, form.rows, how, to))
    reduce_planned(leaves, extents, to, form, how, o);
}

}  // namespace

bool reduce_row_of_leaves(const stage& only, const slot* leaves, index n, const row_reduce_kernel* kernel, reduction op,
                          void* to) {
  return reduce_contiguous_rows(only, leaves, 1, n, 0, kernel, op, to);
}

bool reduce_contiguous(const problem& p, unsigned reduced, reduction op, const row_reduce_kernel* rows_kernel) {
  const stage& only = p.code.stages[0];
  index rows, n;
  if (!is_one_stage(p.code) || !are_rows(p.extents, p.rank, reduced, most_in_rows(only), rows, n)) return false;
  slot inputs[max_inputs];
  bool has_ramps = false;
  for (int j = 0; j < only.input_count; ++j) {
    const operand& x = p.operands[only.inputs[j]];
    inputs[j] = {x.data, x.is_scalar ? 0 : -1};
    if (x.at != nullptr) return false;
    if (x.is_ramp) {
      const index first = static_cast<index>(reinterpret_cast<std::uintptr_t>(x.data)) / size_of(x.type);
      if (!takes_ramps(only, x.type) || !counts_exactly(x.type, first, rows * n)) return false;
      inputs[j].advance = ramp_advance;
      has_ramps = true;
    }
    index step = 1;
    for (index a = p.rank; a-- > 0 && !x.is_scalar;) {
      if (p.extents[a] == 1) continue;
      if (x.strides[a] != step) return false;
      step *= p.extents[a];
    }
  }
  return reduce_contiguous_rows(only, inputs, rows, n, 0, rows_kernel, op, p.out, has_ramps);
}

bool reduce_leaves(const source& s, const leaf_array* leaves, void* to) {
  const stage& only = s.code->stages[0];
  index rows, n;
  if (s.how == reduction::none || s.at != nullptr || !is_one_stage(*s.code)) return false;
  if (!are_rows(s.in_extents, s.in_rank, s.reduced, most_in_rows(only), rows, n)) return reduce_columns(s, leaves, to);
  slot inputs[max_inputs];
  unsigned by_row, shared;
  bool has_ramps;
  if (n * rows == 0 || !bind_rows(s, leaves, rows, inputs, by_row, shared, has_ramps)) return false;
  return reduce_contiguous_rows(only, inputs, rows, n, by_row, s.rows, s.how, to, has_ramps, shared);
}

bool reduces_leaves(const source& s) {
  index rows, n;
  slot inputs[max_inputs];
  unsigned by_row, shared;
  bool has_ramps;
  if (s.how == reduction::none || s.at != nullptr || !is_one_stage(*s.code)) return false;
  const stage& only = s.code->stages[0];
  const isa level = active_isa();
  const reduce_kernels* const k = find_kernels(s.how, only.type, level);
  if (k == nullptr || k->finish != nullptr || find_widening(s.how, only, level) != nullptr) return false;
  if (!are_rows(s.in_extents, s.in_rank, s.reduced, most_in_rows(only), rows, n))
    return find_columns(s, s.leaves, rows, n) != nullptr;
  if (n * rows == 0 || !bind_rows(s, s.leaves, rows, inputs, by_row, shared, has_ramps)) return false;
  if (only.copies && !has_ramps) return inputs[0].advance != 0 && shared == 0;
  if (only.kind != stage_kind::compute || k->parts != 1) return false;
  return (rows > 1 && may_be_short_rows(only, n, by_row | shared, *k, level)) ||
         (s.rows != nullptr && s.rows->run[static_cast<int>(level)] != nullptr);
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
  const stage copy{stage_kind::compute, type, 0, 1, nullptr, &type, nullptr, true, arithmetic::other};
  const slot input{elements, -1};
  index rows, n;
  are_rows(s.in_extents, s.in_rank, s.reduced, unplanned_rows_elements, rows, n);
  reduce_contiguous_rows(copy, &input, rows, n, 0, nullptr, s.how, to);
}

bool sums_all(const source& s, const leaf_array* leaves, const void* elements) {
  if (s.how != reduction::sum || s.code->stage_count != 1 || !s.code->stages[0].copies) return false;
  const leaf_array& x = leaves[s.code->stages[0].inputs[0]];
  return x.data == elements && has_all_elements(x, s);
}

bool map_and_sum_leaves(const source& s, const program& code, const leaf_array* leaves, accuracy maths, void* elements,
                        void* to) {
  const stage &first = code.stages[0], &last = code.stages[code.stage_count - 1];
  index rows, n;
  if (s.how != reduction::sum || last.kind != stage_kind::strip1 || code.stage_count > 2) return false;
  if (!are_rows(s.in_extents, s.in_rank, s.reduced, unplanned_rows_elements, rows, n) || n > strip_length ||
      rows > max_summed_rows)
    return false;
  // Several short rows are fewer vectors where they are one sequence.
  if (n == 0 || (rows != 1 && n * size_of(last.type) < 64)) return false;
  const leaf_array *x = &leaves[first.inputs[0]], *by = nullptr;
  before how = before::nothing;
  if (code.stage_count == 2) {
    if ((first.known != arithmetic::minus && first.known != arithmetic::times) || last.inputs[0] != first_stage)
      return false;
    if (first.type != last.type || first.input_types[0] != last.type || first.input_types[1] != last.type) return false;
    how = first.known == arithmetic::minus ? before::minus : before::times;
    by = &leaves[first.inputs[1]];
    if (how == before::times && !has_all_elements(*x, s)) {
      by = x;
      x = &leaves[first.inputs[1]];
    }
    if (!is_one_of_each_row(*by, s)) return false;
  }
  if (!has_all_elements(*x, s)) return false;
  const index by_pitch = by == nullptr || by->is_scalar ? 0 : 1;
  alignas(64) std::byte lanes[max_summed_rows * 64];
  const auto run = [&]<class T>(strip_sums<T> loop) {
    const auto* const from = static_cast<const T*>(x->data);
    if (loop == nullptr) return false;
    loop({from, n, by == nullptr ? from : static_cast<const T*>(by->data), by_pitch, static_cast<T*>(elements), n,
          reinterpret_cast<T*>(lanes), from, 0},
         rows, n);
    join_strips(*find_kernels(reduction::sum, last.type, active_isa()), lanes, rows, 1, size_of(last.type), nullptr,
                static_cast<std::byte*>(to));
    return true;
  };
  const auto f = static_cast<maths1>(last.function);
  return last.type == dtype::f32 ? run(find_sums_f32(f, how, maths)) : run(find_sums_f64(f, how, maths));
}

namespace {

// A strip that the program's kernel evaluates on the stack first. As run_disjoint, but by the kernel's loop for inputs
// that all advance: 8 to 15 % fewer instructions.
[[gnu::noinline]] void reduce_computed_strip(const slot* leaves, const index* extents, void* to,
                                             const whole_reduction& form, const reduce_kernels& k, int level) {
  const stage& only = *form.code->stages;
  const index n = extents[0];
  alignas(64) std::byte strip[strip_length * 8];
  if ((n & (only.code->lanes[level] - 1)) == 0)
    only.code->run[level](leaves, strip, n, kernel_mode::dense);
  else
    run_disjoint_with_tail(only, leaves, strip, n, level);
  k.one(strip, n, to);
}

// A row of some strips, by the program's own kernel.
[[gnu::noinline]] void reduce_computed_row(const slot* leaves, const index* extents, void* to,
                                           const whole_reduction& form, const reduce_kernels& k, int level) {
  const index n = extents[0];
  alignas(64) std::byte room[2 * row_room], lanes[before_lanes + strips_together * 64];
  std::byte* const found = lanes + before_lanes;
  static constexpr index pitch[2] = {};  // there is no other row
  reduce_rows(form.rows->run[level], *form.code->stages, leaves, pitch, 1, n, k, room, found);
  k.strips(found, divide_up(n, strip_length), to);
}

[[gnu::noinline]] void reduce_others(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                     reduction how, const options& o) {
  const program& code = *form.code;
  const stage& only = *code.stages;
  const int rank = form.rank, count = form.count;
  index n = 1;
  for (int i = 0; i < rank; ++i) n *= extents[i];
  for (int i = 0; i < count * rank && n > 0; ++i)
    if (extents[rank + i] != extents[i]) return reduce_planned(leaves, extents, to, form, how, o);
  if (n > (only.copies ? unplanned_elements : strip_length) || n == 0 || code.stage_count != 1 ||
      only.input_count != count || count > max_flat_inputs)
    return reduce_long(leaves, extents, to, form, how, o);
  if (widening_sum* const sum = find_widening(how, only, active_isa());
      sum != nullptr && reduce_widened_rows(only, leaves, 1, n, sum, to))
    return;
  const reduce_kernels& k = *find_kernels(how, only.type, active_isa());
  if (only.copies && leaves[0].advance != 0) return reduce_row(k, leaves[0].data, n, to);
  reduce_strip(only, leaves, n, k, maths_in_force(o), to);
}

// Sums of integers that are widened as they are added; their other reductions are as everywhere.
[[gnu::noinline]] void reduce_integers(const slot* leaves, const index* extents, void* to, const whole_reduction& form,
                                       reduction how, const options& o) {
  const stage& only = *form.code->stages;
  widening_sum* const sum = find_widening(how, only, active_isa());
  if (sum == nullptr || !reduce_widened_rows(only, leaves, 1, extents[0], sum, to))
    reduce_others(leaves, extents, to, form, how, o);
}

}  // namespace

// An expression of one or two arrays of one axis and of equal extents: there are as few checks as may be, and no call
// but the last one.
void reduce_whole(const slot* leaves, const index* extents, void* to, const whole_reduction& form, reduction how,
                  const options& o) {
  const stage& only = *form.code->stages;
  const int count = form.count;
  const index n = extents[0];
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (form.rank != 1 || count > 2 || only.input_count != count || form.code->stage_count != 1 || extents[1] != n ||
      extents[count] != n || n <= 0 || n > unplanned_elements || only.kind != stage_kind::compute ||
      level > isa::v4)  // not detected yet
    return reduce_others(leaves, extents, to, form, how, o);
  if (only.known == arithmetic::widened || only.known == arithmetic::widened_times)
    return reduce_integers(leaves, extents, to, form, how, o);
  const reduce_kernels* const k = find_kernels(how, only.type, level);
  if (k == nullptr || k->one == nullptr) return reduce_others(leaves, extents, to, form, how, o);
  if (n <= strip_length) return reduce_computed_strip(leaves, extents, to, form, *k, static_cast<int>(level));
  const row_reduce_kernel* const rows = form.rows;
  if (n > strips_together * strip_length || rows == nullptr || rows->run[static_cast<int>(level)] == nullptr)
    return reduce_others(leaves, extents, to, form, how, o);
  reduce_computed_row(leaves, extents, to, form, *k, static_cast<int>(level));
}

namespace {

// As the two below, which jump to them.
[[gnu::noinline]] void reduce_listed_array(const void* x, index n, void* to, const whole_reduction& form, reduction how,
                                           const options& o) {
  const slot leaf{x, -1};
  const index extents[] = {n, n};
  reduce_whole(&leaf, extents, to, form, how, o);
}
[[gnu::noinline]] void sum_listed_products(const void* x, const void* y, index n, void* to, index other,
                                           const whole_reduction& form, const options& o) {
  const slot leaves[] = {{x, -1}, {y, form.by_number ? 0 : -1}};
  const index all = n == 1 ? other : n, extents[] = {all, n, form.by_number ? all : other};
  reduce_whole(leaves, extents, to, form, reduction::sum, o);
}

}  // namespace

// Of what most calls reduce, checks take longer than a few elements do: there are as few as may be, in as few
// registers, as saving them takes longer than the checks do, and kernels are called with what was passed.
void reduce_array(const void* x, index n, void* to, const whole_reduction& form, reduction how, const options& o) {
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (n > 0 && n <= unplanned_elements && level <= isa::v4) {
    const reduce_kernels* const k = find_kernels(how, form.computed, level);
    if (k != nullptr && k->one != nullptr) return k->one(x, n, to);
  }
  reduce_listed_array(x, n, to, form, how, o);
}

void sum_products(const void* x, const void* y, index n, void* to, index other, const whole_reduction& form,
                  const options& o) {
  const auto level = static_cast<isa>(__atomic_load_n(&isa_in_force, __ATOMIC_RELAXED));
  if (n == other && n > 0 && n <= max_product_elements && level <= isa::v4)
    if (product_sum* const sum = products_of(form.term, form.computed, level); sum != nullptr) return sum(x, y, n, to);
  sum_listed_products(x, y, n, to, other, form, o);
}

}  // namespace broadloom::runtime
