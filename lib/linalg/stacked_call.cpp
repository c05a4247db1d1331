// Calls of functions on core arrays: trees are evaluated, shapes bound. A product of a tree goes block by block.
#include <broadloom/linalg/stacked_call.hpp>

#include <broadloom/eval/scheduler.hpp>

#include "../base/memory_block.hpp"
#include "../base/small_array.hpp"

namespace broadloom::runtime {

namespace {

index elements_of(const index* extents, int rank) {
  index n = 1;
  for (int i = 0; i < rank; ++i) n *= extents[i];
  return n;
}
void write_strides(const index* extents, int rank, index* to) {
  index step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    to[i] = step;
    step *= extents[i];
  }
}

void bind_operand(stack_input& in, const stacked_operand& x, const detail::core_argument& a, int rank,
                  const detail::core_binding& b) {
  const int loops = x.rank - rank, missing = b.loop_rank - loops;
  in.data = x.data;
  if (x.rank == 2 && loops == 0 && a.rank == 2 &&
      missing == 0) {  // a matrix: without loops whose turns are mispredicted
    in.core[0] = x.strides != nullptr ? x.strides[0] : x.extents[1];
    in.core[1] = x.strides != nullptr ? x.strides[1] : 1;
    in.core[2] = in.core[3] = 0;
    return;
  }
  for (int i = 0; i < missing; ++i) in.loop[i] = 0;
  index step = 1;
  int core = a.rank;
  for (int i = x.rank - 1; i >= 0; --i) {
    const index stride = x.strides != nullptr ? x.strides[i] : step;
    step *= x.extents[i];
    if (i < loops)
      in.loop[missing + i] = x.extents[i] == 1 ? 0 : stride;
    else {
      while (b.missing[a.sizes[--core]]) in.core[core] = 0;
      in.core[core] = stride;
    }
  }
  while (core > 0) in.core[--core] = 0;
  for (int i = a.rank; i < detail::max_core_axes; ++i) in.core[i] = 0;
}

// Operands in memory.
template <class Run>
void call(const stacked_problem& p, const stacked_operand* operands, void* const* outputs, const options& how,
          const Run& run) {
  const detail::core_signature& s = *p.f.parsed;
  detail::shape_view shapes[detail::max_core_arguments];
  for (int k = 0; k < s.inputs; ++k) shapes[k] = {operands[k].extents, operands[k].rank};
  const detail::core_binding b = detail::bind_core(s, shapes, p.f.exact);
  if (b.mistake != detail::core_mistake::none) detail::throw_core_mistake(p.f.name, p.f.signature, b, shapes, s.inputs);
  stack_input inputs[detail::max_core_arguments];
  for (int k = 0; k < s.inputs; ++k) bind_operand(inputs[k], operands[k], s.arguments[k], b.ranks[k], b);
  index sizes[detail::max_core_sizes];
  for (int i = 0; i < detail::max_core_sizes; ++i) sizes[i] = i >= s.sizes || b.missing[i] ? 1 : b.sizes[i];
  run(stack_call{p.f.name, p.f.type, b.loop_rank, b.loop, sizes, inputs, outputs, p.parameters, how});
}

// The elements of trees.
class evaluated_trees {
 public:
  evaluated_trees() = default;
  evaluated_trees(const evaluated_trees&) = delete;
  evaluated_trees& operator=(const evaluated_trees&) = delete;
  ~evaluated_trees() {
    while (count_ > 0) {
      --count_;
      deallocate(all_[count_].data, all_[count_].bytes);
    }
  }
  void* allocate(std::size_t bytes) {
    void* const data = runtime::allocate(bytes);
    all_[count_++] = {data, bytes};
    return data;
  }

 private:
  struct block {
    void* data;
    std::size_t bytes;
  } all_[detail::max_core_arguments];
  int count_ = 0;
};

// Calls it with the operands, of which trees are evaluated first.
template <class Run>
void evaluate_and_call(const stacked_problem& p, void* const* outputs, const options& how, const Run& run) {
  const int count = p.f.parsed->inputs;
  bool trees = false;
  for (int k = 0; k < count; ++k) trees = trees || p.operands[k].write != nullptr;
  if (!trees) return call(p, p.operands, outputs, how, run);
  evaluated_trees memory;
  stacked_operand operands[detail::max_core_arguments];
  for (int k = 0; k < count; ++k) {
    stacked_operand& x = operands[k] = p.operands[k];
    if (x.write == nullptr) continue;
    void* const to = memory.allocate(static_cast<std::size_t>(elements_of(x.extents, x.rank) * size_of(p.f.type)));
    x.write(x.tree, to, {-1, 0, 0}, how);
    x.data = to;
  }
  call(p, operands, outputs, how, run);
}

bool by_vector(const stacked_problem& p) { return p.operands[1].rank == 1; }
bool of_a_row(const stacked_problem& p) { return !by_vector(p) && p.operands[0].rank == 1; }
// A column that the result shows.
bool shows_column(const stacked_problem& p) {
  return !by_vector(p) && !of_a_row(p) && p.rank >= 2 && p.extents[p.rank - 1] == 1;
}
bool goes_by_blocks(const stacked_problem& p) { return p.operands[0].write != nullptr && !of_a_row(p); }

// The first axis that is not 1, as plans see it.
int leading_axis(const stacked_problem& p) {
  int i = 0;
  while (i + (by_vector(p) || shows_column(p) ? 1 : 2) < p.rank && p.extents[i] == 1) ++i;
  return i;
}
// How many indices of the leading axis begin and end where rows that are computed together do, in one tall matrix.
index together(const stacked_problem& p) {
  const bool column = by_vector(p) || shows_column(p);
  index each = p.f.together(column), inner = elements_of(p.extents, p.rank) / p.extents[leading_axis(p)];
  if (!column) inner /= p.extents[p.rank - 1];
  for (; each > 1 && inner % 2 == 0; inner /= 2) each /= 2;
  return each;
}

// Rows [first, last) of the product of a block of the tree, indices [from, until) of axis `lead`.
void multiply_block(const stacked_problem& p, int lead, index from, index until, index first, index last, void* to,
                    const options& how) {
  const stacked_operand &a = p.operands[0], &b = p.operands[1];
  const axis_range part{lead, from, until - from};
  small_array<index, 48> room(static_cast<std::size_t>(a.rank + 2 * b.rank));
  index *const left = room.data(), *const right = left + a.rank, *const strides = right + b.rank;
  for (int i = 0; i < a.rank; ++i) left[i] = i == lead ? part.count : a.extents[i];
  for (int i = 0; i < b.rank; ++i) right[i] = b.extents[i];
  write_strides(right, b.rank, strides);
  if (b.strides != nullptr)
    for (int i = 0; i < b.rank; ++i) strides[i] = b.strides[i];
  const memory_block block(elements_of(left, a.rank) * size_of(p.f.type));
  a.write(a.tree, block.data(), part, how);
  stacked_operand operands[] = {{block.data(), left, nullptr, a.rank, nullptr, nullptr},
                                {b.data, right, strides, b.rank, nullptr, nullptr}};
  // A stack of right operands goes along.
  if (b.rank == p.rank && p.rank > 2 && lead < p.rank - 2 && right[lead] != 1) {
    right[lead] = part.count;
    operands[1].data = static_cast<const char*>(b.data) + from * strides[lead] * size_of(p.f.type);
  }
  void* const outputs[] = {to};
  call(p, operands, outputs, how, [&](const stack_call& c) { p.f.run_rows(c, first, last); });
}

}  // namespace

void run(const stacked_problem& p, void* const* outputs, const options& how) {
  evaluate_and_call(p, outputs, how, p.f.run);
}

index block_hint(const stacked_problem& p) {
  const index* const left = p.operands[0].extents;
  const index depth = left[p.operands[0].rank - 1];
  const index hint = shows_column(p) ? p.f.row_hint(p.extents, p.rank - 1, depth, true)
                                     : p.f.row_hint(p.extents, p.rank, depth, by_vector(p));
  if (hint <= 0) return -1;
  // A tree is evaluated for whole groups.
  const int lead = leading_axis(p);
  if (left[lead] != p.extents[lead]) return -1;
  const index each = together(p), least = hint < 2 ? 2 : hint;
  const index whole = least < each ? each : (least + each / 2) / each * each;
  return whole * 2 > p.extents[lead] ? -1 : whole;
}

void multiply_rows(const stacked_problem& p, index first, index last, void* to, const options& how) {
  if (!goes_by_blocks(p)) {
    void* const outputs[] = {to};
    return evaluate_and_call(p, outputs, how, [&](const stack_call& c) { p.f.run_rows(c, first, last); });
  }
  const int lead = leading_axis(p);
  const index most = block_hint(p), each = together(p), all = p.operands[0].extents[lead];
  const index bytes = elements_of(p.extents, p.rank) / all * size_of(p.f.type);
  char* next = static_cast<char*>(to);
  for (index i = first; i < last; i += most, next += most * bytes) {
    const index end = last - i < most ? last : i + most;
    index from = i / each * each, until = (end + each - 1) / each * each;
    if (until > all) until = all;
    // An axis of one index would not lead.
    if (until - from == 1 && from > 0) from -= each;
    if (until - from == 1) until = all < 1 + each ? all : 1 + each;
    multiply_block(p, lead, from, until, i - from, end - from, next, how);
  }
}

void multiply(const stacked_problem& p, void* to, const options& how) {
  const index each = goes_by_blocks(p) ? block_hint(p) : -1;
  if (each <= 0) {
    void* const outputs[] = {to};
    return run(p, outputs, how);
  }
  struct context {
    const stacked_problem& p;
    char* to;
    index each, count, bytes;
    options how;
  } c{p, static_cast<char*>(to), each, p.extents[leading_axis(p)], 0, how};
  c.bytes = elements_of(p.extents, p.rank) / c.count * size_of(p.f.type);
  c.how.threads = 1;
  parallel_for((c.count + each - 1) / each, how.threads,
               [](void* object, index first, index last) {
                 const context& x = *static_cast<const context*>(object);
                 for (index i = first * x.each; i < last * x.each && i < x.count; i += x.each)
                   multiply_rows(x.p, i, i + x.each < x.count ? i + x.each : x.count, x.to + i * x.bytes, x.how);
               },
               &c);
}

}  // namespace broadloom::runtime
