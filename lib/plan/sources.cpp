// Phases: each source once, those it reads before it. A phase goes by rows where what reads it reads, for each range of
// the leading axis, just that range.
#include "sources.hpp"

#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <broadloom/eval/scheduler.hpp>

#include "../eval/frame.hpp"
#include "../eval/prepared.hpp"
#include "../for_each.hpp"
#include "../memory_block.hpp"
#include "../reduce/reduce.hpp"
#include "../reduce/scan.hpp"
#include "alias.hpp"
#include "bound.hpp"
#include "nest.hpp"
#include "placed.hpp"

namespace broadloom::runtime {

namespace {

constexpr index block_bytes =
    index{1} << 18;            // of all that a block of rows touches: it stays in the second-level cache
constexpr index few_rows = 8;  // results of so many rows, or a multiple, are whole vectors
constexpr double serial_bytes = 1 << 17;

index smaller(index a, index b) { return a < b ? a : b; }

index product(const index* extents, int rank) {
  index n = 1;
  for (int i = 0; i < rank; ++i) n *= extents[i];
  return n;
}

// The first axis that has more than one index, or -1.
int leading(const index* extents, int rank) {
  for (int i = 0; i < rank; ++i)
    if (extents[i] != 1) return i;
  return -1;
}

// The axis of a program's input that is the leading axis of its result, if no reduced axis goes before it; else -1.
int leading_input(const source& s) {
  const int i = leading(s.in_extents, s.in_rank);
  return i < 0 || (s.reduced >> i & 1) != 0 ? -1 : i;
}

bool is_program(const source& s) { return s.evaluate == nullptr; }

struct phase {
  const source* from;
  bool by_rows;
  index size = 1;     // of the result, in elements
  index row = 1;      // elements for one index of the leading axis
  index leads = 1;    // extent of the leading axis
  std::size_t place;  // by rows: of its block, in the thread's scratch; else: in the memory for whole results
};

class schedule {
 public:
  schedule(const target_array& out, const leaf_array* leaves, int count, const options& how)
      : out_(out), leaves_(leaves), count_(count), how_(how) {
    collect(leaves, count);
    row_axis_ = leading(out.extents, out.rank);
    decide();
  }

  const std::vector<phase>& phases() const { return phases_; }
  std::vector<phase>& phases() { return phases_; }
  int threads() const { return threads_; }
  index bytes() const { return bytes_; }  // of all that blocks of rows read and write, each array once
  bool any_rows() const { return any_rows_; }
  int row_axis() const { return row_axis_; }
  index rows_at_once() const { return rows_at_once_; }

  const phase& of(const source* s) const { return phases_[find(s)]; }

 private:
  std::size_t find(const source* s) const {
    std::size_t i = 0;
    while (i < phases_.size() && !(phases_[i].from->same == s->same && s->same(phases_[i].from->node, s->node))) ++i;
    return i;
  }

  void collect(const leaf_array* leaves, int count) {
    for (int k = 0; k < count; ++k) {
      const source* const s = leaves[k].from;
      if (s == nullptr || find(s) < phases_.size()) continue;
      if (is_program(*s)) collect(s->leaves, s->leaf_count);
      phase p{s, true, product(s->extents, s->rank), 1, 1, 0};
      const int lead = leading(s->extents, s->rank);
      if (lead >= 0) {
        p.leads = s->extents[lead];
        p.row = p.size / (p.leads == 0 ? 1 : p.leads);
      }
      p.by_rows = lead >= 0 && (is_program(*s) ? leading_input(*s) >= 0 : s->evaluate_rows != nullptr);
      phases_.push_back(p);
    }
  }

  // Whether range [i, j) of axis `axis` of a reader of these extents reads range [i, j) of the leading axis of what the
  // leaf shows, and nothing else.
  bool reads_by_rows(const leaf_array& x, const phase& p, const index* extents, int rank, int axis) const {
    if (axis < 0 || extents[axis] != p.leads) return false;
    small_array<index, 16> steps(static_cast<std::size_t>(rank));
    bind_strides(x, steps.data(), rank);
    if (steps[axis] != p.row) return false;
    index low = x.offset, high = x.offset;
    for (int i = 0; i < rank; ++i) {
      if (i == axis) continue;
      const index span = (extents[i] - 1) * steps[i];
      (span < 0 ? low : high) += span;
    }
    return low >= 0 && high < p.row;
  }

  void settle(const leaf_array* leaves, int count, const index* extents, int rank, int axis, bool by_rows) {
    for (int k = 0; k < count; ++k) {
      if (leaves[k].from == nullptr) continue;
      phase& p = phases_[find(leaves[k].from)];
      p.by_rows = p.by_rows && by_rows && reads_by_rows(leaves[k], p, extents, rank, axis);
    }
  }

  // The output is, element for element, this array of a program whose rows run along `axis`.
  bool is_output(const leaf_array& x, const index* extents, int rank, int axis) const {
    if (x.data != out_.data || rank != out_.rank || axis != row_axis_ || x.rank != rank) return false;
    small_array<index, 32> steps(static_cast<std::size_t>(2 * rank));
    bind_strides(x, steps.data(), rank);
    bind_strides({out_.data, out_.extents, out_.strides, out_.rank, out_.type, false, nullptr, 0}, steps.data() + rank,
                 rank);
    for (int i = 0; i < rank; ++i)
      if (extents[i] != out_.extents[i] || steps[i] != steps[rank + i]) return false;
    return x.type == out_.type;
  }

  // Rows may be written before others are read only where no other row reads what a row writes.
  bool output_in_the_way() const {
    std::uintptr_t low = 0, high = 0;
    memory_of({out_.data, out_.extents, out_.strides, out_.rank, out_.type, false, nullptr, 0}, low, high);
    const auto overlaps = [&](const leaf_array& x) {
      if (x.from != nullptr) return false;
      std::uintptr_t a = 0, b = 0;
      memory_of(x, a, b);
      return a < high && low < b;
    };
    for (int k = 0; k < count_; ++k)
      if (overlaps(leaves_[k]) && !is_output(leaves_[k], out_.extents, out_.rank, row_axis_)) return true;
    for (const phase& p : phases_) {
      if (!p.by_rows) continue;
      const source& s = *p.from;
      if (is_program(s)) {
        for (int k = 0; k < s.leaf_count; ++k)
          if (overlaps(s.leaves[k]) && !is_output(s.leaves[k], s.in_extents, s.in_rank, leading_input(s))) return true;
      } else if (s.reads(s.node, reinterpret_cast<const void*>(low), reinterpret_cast<const void*>(high))) {
        return true;
      }
    }
    return false;
  }

  void decide() {
    settle(leaves_, count_, out_.extents, out_.rank, row_axis_, true);
    for (std::size_t i = phases_.size(); i-- > 0;) {
      const source& s = *phases_[i].from;
      if (is_program(s)) settle(s.leaves, s.leaf_count, s.in_extents, s.in_rank, leading_input(s), phases_[i].by_rows);
    }
    const index rows = row_axis_ < 0 ? 1 : out_.extents[row_axis_];
    const int threads = how_.threads == 1 ? 1 : how_.threads == 0 ? max_threads() : how_.threads;
    double bytes =
        array_bytes(leaves_, count_) + static_cast<double>(product(out_.extents, out_.rank) * size_of(out_.type));
    index hint = 0;
    for (const phase& p : phases_) {
      if (!p.by_rows) continue;
      any_rows_ = true;
      const source& s = *p.from;
      bytes += static_cast<double>(p.size * size_of(s.type));
      if (is_program(s)) bytes += array_bytes(s.leaves, s.leaf_count);
      if (s.row_hint > hint) hint = s.row_hint;
    }
    // Few long rows are better shared out within each phase.
    if (any_rows_ && (bytes > serial_bytes && rows < 2 * threads && how_.threads != 1)) any_rows_ = false;
    if (any_rows_ && output_in_the_way()) any_rows_ = false;
    if (!any_rows_)
      for (phase& p : phases_) p.by_rows = false;
    bytes_ = unique_bytes();
    threads_ = bytes > serial_bytes ? threads : 1;
    double block = static_cast<double>(bytes_);  // what is read twice is there once
    for (const phase& p : phases_) block += p.by_rows ? static_cast<double>(p.size * size_of(p.from->type)) : 0;
    index at_once = static_cast<index>(static_cast<double>(block_bytes) / (block / static_cast<double>(rows) + 1));
    if (threads_ > 1) at_once = smaller(at_once, (rows + 4 * threads_ - 1) / (4 * threads_));
    if (at_once >= few_rows) at_once = (at_once + few_rows / 2) / few_rows * few_rows;
    if (at_once < hint) at_once = hint;
    if (at_once < 1) at_once = 1;
    if (threads_ > 1 && hint > 0) at_once = smaller(at_once, (rows + threads_ - 1) / threads_);
    rows_at_once_ = smaller(at_once, rows);
  }

  index unique_bytes() const {
    std::vector<const void*> seen;
    index n = product(out_.extents, out_.rank) * size_of(out_.type);
    const auto add = [&](const leaf_array* leaves, int count) {
      for (int k = 0; k < count; ++k) {
        if (leaves[k].is_number || leaves[k].from != nullptr) continue;
        bool known = false;
        for (const void* x : seen) known = known || x == leaves[k].data;
        if (known) continue;
        seen.push_back(leaves[k].data);
        n += product(leaves[k].extents, leaves[k].rank) * size_of(leaves[k].type);
      }
    };
    add(leaves_, count_);
    for (const phase& p : phases_)
      if (p.by_rows && is_program(*p.from)) add(p.from->leaves, p.from->leaf_count);
    return n;
  }

  // What a program reads, each element of an array once.
  static double array_bytes(const leaf_array* leaves, int count) {
    double n = 0;
    for (int k = 0; k < count; ++k)
      if (!leaves[k].is_number && leaves[k].from == nullptr)
        n += static_cast<double>(product(leaves[k].extents, leaves[k].rank) * size_of(leaves[k].type));
    return n;
  }

  const target_array& out_;
  const leaf_array* leaves_;
  int count_;
  const options& how_;
  std::vector<phase> phases_;
  int row_axis_ = -1;
  bool any_rows_ = false;
  index rows_at_once_ = 1;
  int threads_ = 1;
  index bytes_ = 0;
};

std::size_t rounded(index bytes) { return (static_cast<std::size_t>(bytes) + 127) & ~std::size_t{63}; }

// What a reduction of no elements gives; extremes of none are refused when the tree is built.
void fill_empty(void* to, index n, dtype t, reduction how) {
  const auto count = static_cast<std::size_t>(n);
  std::memset(to, how == reduction::all ? 1 : 0, count * static_cast<std::size_t>(size_of(t)));
  if (how != reduction::product) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (t == dtype::f32)
      static_cast<float*>(to)[i] = 1;
    else if (t == dtype::f64)
      static_cast<double*>(to)[i] = 1;
    else
      static_cast<std::int64_t*>(to)[i] = 1;
  }
}

void compute(const source& s, const problem& p, index results) {
  if (results == 0) return;
  if (product(p.extents, static_cast<int>(p.rank)) == 0)
    fill_empty(p.out, results, s.type, s.how);
  else if (s.how == reduction::none)
    execute(p);
  else if (s.how == reduction::running_sum || s.how == reduction::running_product)
    scan(p, s.reduced, s.how);
  else
    reduce(p, s.reduced, s.how, {s.tile, s.lines, s.rows});
}

// A program over the results of phases: the consumer, or a phase. It is run whole, or a block of rows at a time.
class unit {
 public:
  // `whole` is where the phases lie that are computed first.
  unit(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how, int axis,
       const schedule& plan, const std::byte* whole, const positioned* const* at)
      : bound_(out, leaves, count, code, how, at), axis_(axis), places_(static_cast<std::size_t>(count)) {
    for (int k = 0; k < count; ++k) {
      places_[k] = in_memory;
      if (leaves[k].from == nullptr) continue;
      const phase& p = plan.of(leaves[k].from);
      const auto place = static_cast<index>(p.place) + leaves[k].offset * size_of(leaves[k].type);
      if (p.by_rows)
        places_[k] = place;
      else
        bound_.at(k).data = whole + place;
    }
  }

  const problem& whole() const { return bound_.problem; }

  // What one thread plans for blocks of equal size.
  struct block_plan {
    index rows = 0;  // of the blocks; 0: not planned yet, -1: not worth it
    std::optional<prepared> program;
    std::optional<reduction_plan> reduction;
  };

  // Operands in memory, whose rows are read one behind the other.
  void list_rows(coming_rows& coming) const {
    const problem& p = bound_.problem;
    index row = 1;
    for (index i = axis_ + 1; i < p.rank; ++i) row *= p.extents[i];
    for (int k = 0; k < p.operand_count; ++k) {
      const operand& x = p.operands[k];
      if (places_[k] == in_memory && !x.is_number && x.at == nullptr && x.strides[axis_] == row)
        coming.add(x.data, row * size_of(x.type));
    }
  }

  // Computes rows [first, first + n), of `from` or of the consumer (null), what it reads by rows in `scratch`, its
  // output at `out` (null: at that row of the whole output).
  void rows(index first, index n, const std::byte* scratch, void* out, const source* from, index row, block_plan& mine,
            coming_rows* coming) const {
    problem p = bound_.problem;
    small_array<index, 8> extents(static_cast<std::size_t>(p.rank));
    for (index i = 0; i < p.rank; ++i) extents[i] = p.extents[i];
    extents[axis_] = n;
    small_array<operand, 8> operands(static_cast<std::size_t>(p.operand_count));
    for (int k = 0; k < p.operand_count; ++k) {
      operand& x = operands[k] = p.operands[k];
      if (places_[k] != in_memory)
        x.data = scratch + places_[k];
      else if (!x.is_number)
        x.data = static_cast<const std::byte*>(x.data) + first * x.strides[axis_] * size_of(x.type);
    }
    p.extents = extents.data();
    p.operands = operands.data();
    p.out = out != nullptr ? out : static_cast<std::byte*>(p.out) + first * p.out_strides[axis_] * size_of(p.out_type);
    p.how.threads = 1;
    if (mine.rows == 0) {
      make_plan(p, from, n, row, mine);
      if (mine.program) mine.program->ask_for(coming);
    }
    if (mine.rows == n && mine.reduction) return (*mine.reduction)(p.operands, p.out);
    if (mine.rows == n && mine.program) return (*mine.program)(p.operands, p.out);
    if (from != nullptr)
      compute(*from, p, n * row);
    else
      execute(p);
  }

 private:
  static void make_plan(const problem& p, const source* from, index n, index row, block_plan& mine) {
    mine.rows = n;
    if (product(p.extents, static_cast<int>(p.rank)) == 0 || n * row == 0) return;
    if (from == nullptr || from->how == reduction::none) {
      if (decide_aliases(p).any()) return;
      if (!mine.program.emplace(p).works()) mine.program.reset();
    } else if (from->how != reduction::running_sum && from->how != reduction::running_product) {
      if (!mine.reduction.emplace(p, from->reduced, from->how, side_by_side{from->tile, from->lines, from->rows})
               .works())
        mine.reduction.reset();
    }
  }

  static constexpr index in_memory = -1;
  bound_problem bound_;
  int axis_;
  small_array<index, 8> places_;  // in the scratch of a block
};

// What a thread plans, and asks for, while it computes blocks; kept for the next blocks that a thread takes.
struct worker {
  std::deque<unit::block_plan> plans;
  coming_rows coming;
  worker* next;
};
class workers {
 public:
  // `few`: so few blocks that planning is not worth it.
  workers(const std::deque<unit>& units, const unit& consumer, bool few)
      : units_(units), consumer_(consumer), few_(few) {}

  worker& take() {
    const std::lock_guard lock(mutex_);
    if (idle_ != nullptr) {
      worker& x = *idle_;
      idle_ = x.next;
      return x;
    }
    worker& x = all_.emplace_back(worker{std::deque<unit::block_plan>(units_.size() + 1), {}, nullptr});
    if (few_)
      for (unit::block_plan& plan : x.plans) plan.rows = -1;
    for (const unit& u : units_) u.list_rows(x.coming);
    consumer_.list_rows(x.coming);
    return x;
  }
  void put_back(worker& x) {
    const std::lock_guard lock(mutex_);
    x.next = idle_;
    idle_ = &x;
  }

 private:
  const std::deque<unit>& units_;
  const unit& consumer_;
  bool few_;
  std::mutex mutex_;
  std::deque<worker> all_;
  worker* idle_ = nullptr;
};

target_array result_of(const source& s, void* to) { return {to, s.in_extents, nullptr, s.in_rank, s.type}; }

// The consumer is a source's result, as it is, in memory without gaps: computed where it belongs.
bool computed_in_place(const target_array& out, const leaf_array* leaves, int count, const program& code,
                       const options& how) {
  const stage& only = code.stages[0];
  if (code.stage_count != 1 || !only.copies || count != 1 || leaves[0].offset != 0) return false;
  const source& s = *leaves[0].from;
  if (s.type != out.type || product(s.extents, s.rank) != product(out.extents, out.rank)) return false;
  small_array<index, 32> steps(static_cast<std::size_t>(2 * out.rank));
  bind_strides(leaves[0], steps.data(), out.rank);
  bind_strides({out.data, out.extents, out.strides, out.rank, out.type, false, nullptr, 0}, steps.data() + out.rank,
               out.rank);
  index n = 1;
  for (int i = out.rank - 1; i >= 0; --i) {
    if (out.extents[i] != 1 && (steps[i] != n || steps[out.rank + i] != n)) return false;
    n *= out.extents[i];
  }
  const auto low = reinterpret_cast<std::uintptr_t>(out.data);
  const std::uintptr_t high = low + static_cast<std::uintptr_t>(n * size_of(out.type));
  if (!is_program(s)) {
    if (s.reads == nullptr || s.reads(s.node, reinterpret_cast<const void*>(low), reinterpret_cast<const void*>(high)))
      return false;
    s.evaluate(s.node, out.data, how);
    return true;
  }
  for (int k = 0; k < s.leaf_count; ++k) {
    if (s.leaves[k].from != nullptr) return false;
    std::uintptr_t a = 0, b = 0;
    memory_of(s.leaves[k], a, b);
    if (a < high && low < b) return false;
  }
  const bound_problem whole(result_of(s, out.data), s.leaves, s.leaf_count, *s.code, how, s.at);
  compute(s, whole.problem, n);
  return true;
}

}  // namespace

void assign_with_sources(const target_array& out, const leaf_array* leaves, int count, const program& code,
                         const options& how) {
  if (computed_in_place(out, leaves, count, code, how)) return;
  const placed_leaves placed(out, leaves, count);
  if (placed.leaves() != leaves) {
    leaves = placed.leaves();
    count = placed.count();
    if (leaves[0].from != nullptr && computed_in_place(out, leaves, count, code, how)) return;
  }
  schedule plan(out, leaves, count, how);
  std::size_t whole_bytes = 0, scratch_bytes = 0;
  for (phase& p : plan.phases()) {
    std::size_t& used = p.by_rows ? scratch_bytes : whole_bytes;
    p.place = used;
    used += rounded((p.by_rows ? p.row * plan.rows_at_once() : p.size) * size_of(p.from->type));
  }
  const memory_block whole(static_cast<index>(whole_bytes));
  for (const phase& p : plan.phases()) {
    if (p.by_rows) continue;
    const source& s = *p.from;
    std::byte* const to = whole.data() + p.place;
    if (is_program(s))
      compute(s, unit(result_of(s, to), s.leaves, s.leaf_count, *s.code, how, 0, plan, whole.data(), s.at).whole(),
              p.size);
    else if (p.size > 0)
      s.evaluate(s.node, to, how);
  }
  options rows_how = how;
  if (plan.any_rows() && rows_how.whole_bytes < plan.bytes()) rows_how.whole_bytes = plan.bytes();
  const unit consumer(out, leaves, count, code, rows_how, plan.row_axis(), plan, whole.data(), placed.at());
  if (!plan.any_rows()) return execute(consumer.whole());

  std::deque<unit> units;
  for (const phase& p : plan.phases()) {
    const source& s = *p.from;
    if (p.by_rows && is_program(s))
      units.emplace_back(result_of(s, nullptr), s.leaves, s.leaf_count, *s.code, how, leading_input(s), plan,
                         whole.data(), s.at);
  }
  const index all = out.extents[plan.row_axis()], at_once = plan.rows_at_once();
  const index blocks = (all + at_once - 1) / at_once;
  index computed = 1;  // elements for each row
  for (int i = 0; i < out.rank; ++i) computed *= i == plan.row_axis() ? 1 : out.extents[i];
  for (const phase& p : plan.phases()) computed += p.by_rows && p.from->how == reduction::none ? p.row : 0;
  workers all_workers(units, consumer, blocks < 4 * plan.threads());
  for_ranges(blocks, plan.threads(), [&](index first_block, index last_block) {
    const frame f(scratch_bytes);
    worker& here = all_workers.take();
    for (index b = first_block; b < last_block; ++b) {
      const index first = b * at_once, n = smaller(at_once, all - first);
      here.coming.expect(first + n, smaller(at_once, all - first - n), n * computed);
      auto next = units.begin();
      auto mine = here.plans.begin();
      for (const phase& p : plan.phases()) {
        if (!p.by_rows) continue;
        const source& s = *p.from;
        std::byte* const to = f.data() + p.place;
        if (is_program(s))
          (next++)->rows(first, n, f.data(), to, &s, p.row, *mine++, &here.coming);
        else
          s.evaluate_rows(s.node, first, first + n, to, {1, how.maths});
      }
      consumer.rows(first, n, f.data(), nullptr, nullptr, 1, *mine, &here.coming);
    }
    all_workers.put_back(here);
  });
}

void describe_sources(const target_array& out, const leaf_array* leaves, int count, const options& how,
                      explanation& x) {
  bool any = false;
  for (int k = 0; k < count; ++k) any = any || leaves[k].from != nullptr;
  if (!any) return;
  const schedule plan(out, leaves, count, how);
  for (const phase& p : plan.phases()) {
    const source& s = *p.from;
    x.passes.push_back({s.name, std::vector<index>(s.extents, s.extents + s.rank), p.by_rows,
                        (p.by_rows ? p.row * plan.rows_at_once() : p.size) * size_of(s.type)});
  }
  x.rows_at_once = plan.any_rows() ? plan.rows_at_once() : 0;
}

}  // namespace broadloom::runtime
