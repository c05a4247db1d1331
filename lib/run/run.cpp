// Where the interpreter runs: on one thread or many, and for boxes and rows that are planned once.
#include "run.hpp"

#include <cstdint>

#include <broadloom/core/storage.hpp>

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/thread_end.hpp"
#include "../base/tuned.hpp"
#include "../move/copy.hpp"
#include "../plan/row_strides.hpp"
#include "../plan/steps.hpp"
#include "../plan/work.hpp"
#include "interpreter.hpp"

namespace broadloom::runtime {

int choose_threads(const nest& n, const blocks& b, const program& code, const options& how) {
  if (how.threads == 1 || b.count < 2) return 1;
  const double elements = static_cast<double>(n.size());
  double per_element = 0;  // nanoseconds on one thread
  const auto number = [&n](int k) { return n.list[k].scalar ? n.list[k].base : nullptr; };
  for (int k = 0; k < n.arrays; ++k)
    per_element += n.list[k].scalar || n.list[k].ramp ? 0 : static_cast<double>(n.list[k].size) * limits::work::of_byte;
  for (int s = 0; s < code.stage_count; ++s) per_element += stage_ns(code.stages[s], number);
  if (how.threads == 0 && stays_serial(elements * per_element)) return 1;
  const int most = how.threads == 0 ? max_threads() : how.threads;
  return b.count < most ? static_cast<int>(b.count) : most;
}

void run(const nest& n, const blocks& b, const program& code, const options& how) {
  const interpreter r(n, b, code, how);
  for_ranges(b.count, choose_threads(n, b, code, how), [&](index first, index last) {
    const frame f(r.frame_bytes());
    r.start(f.data());
    r.run(f.data(), first, last);
    if (b.streamed) fence();
  });
}

namespace {

struct spare_memory {
  void* data[8] = {};
  std::size_t bytes[8] = {};
  bool watched = false;
};
constinit thread_local spare_memory kept;

void release_spare_memory(void* of) {
  auto& spare = *static_cast<spare_memory*>(of);
  for (int k = 0; k < 8; ++k)
    if (spare.data[k] != nullptr) deallocate(spare.data[k], spare.bytes[k]);
  spare = {};
}
const thread_end& ending() {
  static const thread_end of_spare_memory(&release_spare_memory);
  return of_spare_memory;
}
[[maybe_unused]] const thread_end& made_early = ending();  // as in base/frame.cpp

bool keep_spare_memory() noexcept { return ending().watch(&kept); }

// Memory of boxes, kept by the thread for the next ones.
class box_memory {
 public:
  explicit box_memory(std::size_t bytes) : bytes_(smallest) {
    while (bytes_ < bytes) bytes_ *= 2;
    int best = -1;
    for (int k = 0; k < 8; ++k)
      if (kept.data[k] != nullptr && kept.bytes[k] >= bytes_ && (best < 0 || kept.bytes[k] < kept.bytes[best]))
        best = k;
    if (best >= 0) {
      data_ = kept.data[best];
      bytes_ = kept.bytes[best];
      kept.data[best] = nullptr;
      return;
    }
    data_ = allocate(bytes_);
  }
  ~box_memory() {
    if (!kept.watched) kept.watched = keep_spare_memory();
    if (bytes_ <= largest && kept.watched)
      for (void*& x : kept.data)
        if (x == nullptr) {
          x = data_;
          kept.bytes[&x - kept.data] = bytes_;
          return;
        }
    deallocate(data_, bytes_);
  }
  box_memory(const box_memory&) = delete;
  box_memory& operator=(const box_memory&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  static constexpr std::size_t smallest = 4096, largest = std::size_t{1} << 17;
  std::size_t bytes_;
  void* data_;
};

}  // namespace

struct box_runner::state {
  explicit state(const problem& p)
      : shifts(static_cast<std::size_t>(p.operand_count + 1)),
        code(p.code),
        nest(p, true),
        r(nest.loops, nest.cutting, code, p.how),
        memory(r.frame_bytes()) {
    const auto& n = nest.loops;
    for (int k = 0; k < n.arrays; ++k)
      shifts[k] = static_cast<index>(reinterpret_cast<std::uintptr_t>(n.list[k].base) -
                                     reinterpret_cast<std::uintptr_t>(k == n.output() ? p.out : p.operands[k].data));
    r.start(memory.data());
  }

  small_array<index, 8> shifts;  // of an array's first element in the order the nest has it
  program code;
  planned_nest nest;
  interpreter r;
  box_memory memory;
};

box_runner::box_runner(const problem& p) : state_(new state(p)) {}
box_runner::~box_runner() { delete state_; }

void box_runner::operator()(const operand* operands, void* out) const {
  const state& s = *state_;
  const int last = s.nest.loops.output();
  for (int k = 0; k < last; ++k) s.r.move(s.memory.data(), k, moved(operands[k].data, s.shifts[k]));
  s.r.move(s.memory.data(), last, static_cast<const std::byte*>(out) + s.shifts[last]);
  s.r.run(s.memory.data(), 0, s.nest.cutting.count);
  if (s.nest.cutting.streamed) fence();
}

namespace {

// Whether a stage before the last gives the same elements for all rows: these are computed once, by others.
bool repeats_stages(const problem& p, int axis) {
  const int last = p.code.stage_count - 1;
  small_array<bool, 16> moves(static_cast<std::size_t>(last));
  find_dependent(p, axis, last, moves.data());
  for (int s = 0; s < last; ++s)
    if (!moves[s]) return true;
  return false;
}

// Whether rows along `axis` are the outermost loop, which runs upwards, and each lies along memory or is one element
// again and again.
bool are_plain_rows(const problem& p, int axis, const row_strides& where) {
  const row_stride out = where[p.operand_count];
  const index n = where.n();
  const auto in_one = [n](const row_stride& x) { return n == 1 ? x.across == 1 : x.along == 1 && x.across == n; };
  bool flat = in_one(out);
  for (int k = 0; k < p.operand_count; ++k) flat = flat && (p.operands[k].is_scalar || in_one(where[k]));
  return where.works() && (flat || (n >= limits::fusing::short_row && out.along == 1 && out.across >= n)) &&
         !repeats_stages(p, axis);
}

}  // namespace

struct row_runner::state {
  state(const problem& p, bool streamed)
      : code(p.code), nest(bound(p, streamed)), r(nest.loops, nest.cutting, code, p.how) {}
  static problem bound(problem p, bool streamed) {
    if (!streamed) p.how.whole_bytes = 0;
    return p;
  }

  program code;
  planned_nest nest;
  interpreter r;
};

row_runner::row_runner(const problem& p, int axis, index most, bool streamed) : most_(most), state_(nullptr) {
  const row_strides where(p, axis, true);
  elements_ = where.side() * where.n();
  if (!are_plain_rows(p, axis, where)) return;
  small_array<index, 8> extents(static_cast<std::size_t>(p.rank));
  for (int i = 0; i < p.rank; ++i) extents[i] = i == axis ? most : p.extents[i];
  problem rows = p;
  rows.extents = extents.data();
  state_ = new state(rows, streamed);
}
row_runner::~row_runner() { delete state_; }

std::size_t row_runner::scratch_bytes() const { return state_->r.frame_bytes(); }

void row_runner::operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                            row_prefetcher* prefetcher) const {
  const nest& n = state_->nest.loops;
  const index leading = n.rank == 0 ? 1 : n.extents[0] / most_ * rows;
  state_->r.run_rows(scratch, operands, out, leading, prefetcher);
}

}  // namespace broadloom::runtime
