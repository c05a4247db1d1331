// Rows are read where they lie, reduced as they are computed, or computed into memory of their own first.
#include "row_reduction.hpp"

#include "../base/extents.hpp"
#include "../base/limits.hpp"

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../plan/contiguous_rows.hpp"
#include "../reduce/reducer.hpp"
#include "../reduce/row_kernel.hpp"

namespace broadloom::runtime {

namespace {

using limits::fusing::prefetch_interval;

}  // namespace

row_reduction::row_reduction(const problem& p, unsigned reduced, reduction op, const fused_kernels& several, int axis,
                             index most)
    : kernels_(nullptr),
      code_(p.code),
      op_(op),
      strides_(static_cast<std::size_t>(p.rank)),
      places_(static_cast<std::size_t>(p.operand_count)) {
  const stage& last = code_.stages[code_.stage_count - 1];
  size_ = size_of(last.type);
  const row_strides where(p, axis, false);
  side_ = where.side();
  n_ = where.n();
  for (int k = 0; k < p.operand_count; ++k) places_[k] = where[k];
  kernels_ = find_kernels(op, last.type, active_isa());
  if (op == reduction::sum && last.kind == stage_kind::strip1 && where.works())
    function_ = std::make_unique<map_and_sum_rows>(p, where);
  // Several strips at once of rows that come from memory take up to 1.7 times as long: prefetchers follow one.
  const bool is_cached = product(p.extents, p.rank) * size_ <= streamed_bytes() / 2;
  if (code_.stage_count == 1 && (n_ <= strip_length || is_cached)) products_ = find_product_rows();
  const reduction_kernels found{
      op,    active_isa(),        several, false, kernels_->parts > 1, kernels_->finish != nullptr, false, 0,
      false, products_ != nullptr};
  plan_ = plan_cached_rows(p, reduced, where, found, most, function_ && function_->works());
  if (plan_.input != reduction_input::function) function_.reset();
  if (plan_.works) plan_.works = arrange(p, several, axis, most);
}

product_rows* row_reduction::find_product_rows() const {
  const stage& only = code_.stages[0];
  small_array<slot, 16> slots(static_cast<std::size_t>(only.input_count));
  for (int j = 0; j < only.input_count; ++j) slots[j] = {nullptr, -places_[only.inputs[j]].along};
  if (only.input_count == 0 || n_ * size_ > max_product_bytes / arrays_of(only, slots.data())) return nullptr;
  return find_products(op_, only, slots.data(), active_isa()).rows;
}

// Memory that each kind of rows takes; false where rows that are evaluated first have no loops.
bool row_reduction::arrange(const problem& p, const fused_kernels& several, int axis, index most) {
  const stage& only = code_.stages[0];
  if (is_plain()) return true;
  const auto reserve = [this](index bytes) {
    const std::size_t at = scratch_bytes_;
    scratch_bytes_ += with_room(static_cast<std::size_t>(bytes));
    return at;
  };
  const index rows = most * side_;
  if (plan_.input == reduction_input::kernel) {
    kernel_ = several.rows;
    if (products_ != nullptr) plan_.input = reduction_input::products;
    reserve(static_cast<index>(only.input_count) * row_room);
    found_at_ = reserve(before_lanes + max_lane_bytes) + before_lanes;
    partial_at_ = reserve((divide_up(n_, piece_length) + max_partial_results) * size_);
    return true;
  }
  if (function_) {
    evaluated_at_ = reserve(n_ * size_);
    found_at_ = reserve(strips(most) * 64);
    partial_at_ = reserve(strips(most) * size_);
    return true;
  }
  evaluated_at_ = reserve(rows * n_ * size_);
  problem whole = p;
  write_row_major(p.extents, p.rank, strides_.data());
  whole.out_strides = strides_.data();
  whole.out_type = code_.stages[code_.stage_count - 1].type;
  loops_ = std::make_unique<row_runner>(whole, axis, most, false);
  if (!loops_->works()) return false;
  scratch_bytes_ += loops_->scratch_bytes();
  return true;
}

void row_reduction::operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                               row_prefetcher* prefetcher) const {
  if (kernel_ != nullptr) return run_kernel(operands, out, rows * side_, scratch, prefetcher);
  if (is_plain()) {
    const int k = code_.stages[0].inputs[0];
    prefetcher->prefetch(rows * prefetched_elements());
    return kernels_->sequences(operands[k], rows * side_, n_, places_[k].across * size_, out, nullptr);
  }
  if (function_) return run_function(operands, out, rows * side_, scratch, prefetcher);
  std::byte* const x = scratch + evaluated_at_;
  (*loops_)(operands, x, rows, x + with_room(static_cast<std::size_t>(rows * side_ * n_ * size_)), prefetcher);
  kernels_->sequences(x, rows * side_, n_, n_ * size_, out, x);
}

void row_reduction::join(const std::byte* lanes, std::byte* out, index rows, std::byte* scratch) const {
  join_strips(*kernels_, lanes, rows * side_, divide_up(n_, strip_length), size_, scratch, out);
}

// Reduced as a function gives them; nobody else reads that.
void row_reduction::run_function(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                                 row_prefetcher* prefetcher) const {
  const index lanes = divide_up(n_, strip_length) * 64;
  for (index r = 0; r < rows; ++r)
    (*function_)(operands, r, 1, scratch + evaluated_at_, n_, scratch + found_at_ + r * lanes, prefetcher);
  join(scratch + found_at_, out, rows / side_, scratch + partial_at_);
}

// Reduced as they are computed.
void row_reduction::run_kernel(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                               row_prefetcher* prefetcher) const {
  const stage& only = code_.stages[0];
  const auto inputs = static_cast<std::size_t>(only.input_count);
  small_array<slot, 16> slots(inputs);
  small_array<index, 16> pitch(inputs);
  for (int j = 0; j < only.input_count; ++j) {
    const int k = only.inputs[j];
    slots[j] = {operands[k], -places_[k].along};
    pitch[j] = places_[k].across * size_of(only.input_types[j]);
  }
  const row_scratch room{scratch, scratch + found_at_, scratch + partial_at_};
  const index at_once = n_ < prefetch_interval ? divide_up(prefetch_interval, n_) : 1;
  for (index r = 0; r < rows; r += at_once) {
    const index some = smaller(at_once, rows - r);
    prefetcher->prefetch(some * n_);
    if (products_ == nullptr) {
      reduce_kernel_rows(*kernel_, only, slots.data(), pitch.data(), some, n_, *kernels_, room, out + r * size_);
      continue;
    }
    const int last = only.input_count - 1;  // one array, or two
    products_(slots[0].data, slots[last].data, some, n_, pitch[0], pitch[last], out + r * size_);
    for (int j = 0; j <= last; ++j) slots[j].data = moved(slots[j].data, some * pitch[j]);
  }
}

}  // namespace broadloom::runtime
