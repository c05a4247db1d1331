// The axes of a reduction, what its plan asks of programs, and its words.
#include "reduction.hpp"

namespace broadloom::runtime {

using namespace limits::reducing;

namespace {

// b comes directly after a in every operand.
bool behind(const loop_axis& a, const loop_axis& b) {
  for (std::size_t k = 0; k < a.steps.size(); ++k)
    if (a.steps[k] != b.extent * b.steps[k]) return false;
  return true;
}

}  // namespace

reduction_nest::reduction_nest(const problem& p, unsigned reduced) {
  for (index i = 0; i < p.rank; ++i) {
    if (p.extents[i] == 1) continue;
    auto& list = (reduced >> i & 1) != 0 ? sequence : kept;
    loop_axis a{p.extents[i], {}};
    for (int k = 0; k < p.operand_count; ++k) a.steps.push_back(p.operands[k].is_scalar ? 0 : p.operands[k].strides[i]);
    if (!list.empty() && behind(list.back(), a)) {
      list.back().extent *= a.extent;
      list.back().steps = a.steps;
    } else
      list.push_back(a);
  }
  for (const loop_axis& a : kept) results *= a.extent;
  for (const loop_axis& a : sequence) length *= a.extent;
  if (sequence.empty()) sequence.push_back({1, std::vector<index>(static_cast<std::size_t>(p.operand_count), 0)});
}

bool may_be_short_rows(const stage& only, index n, unsigned by_row, bool gives_elements, isa level) {
  const index bytes = n * size_of(only.type);
  if (bytes >= (bytes % 64 == 0 ? short_row_bytes : short_row_with_rest_bytes) || only.kind != stage_kind::compute ||
      only.copies || !gives_elements || only.input_count > max_short_inputs ||
      only.code->lanes[static_cast<int>(level)] <= 1)
    return false;
  if (by_row == 0) return true;
  int numbers = 0;
  for (int j = 0; j < only.input_count; ++j) {
    const bool own = (by_row >> j & 1) != 0;
    if (own && size_of(only.input_types[j]) > 8) return false;
    numbers += own ? 1 : 0;
  }
  return numbers <= max_short_by_row;
}

// Whether every operand is contiguous along the columns, or constant, in each row of a sequence.
bool reads_selected_rows(const problem& p, const reduction_nest& n, const reduction_kernels& k) {
  const gather_reduce_kernel* const lines = k.fused.lines;
  if (lines == nullptr || p.code.stage_count != 1 || k.op == reduction::arg_maximum || k.op == reduction::arg_minimum)
    return false;
  if (n.sequence.size() != 1 || n.length > strip_length || n.kept.empty()) return false;
  const loop_axis& across = n.kept.back();
  if (across.extent < lines->lanes[static_cast<int>(k.level)]) return false;
  for (int j = 0; j < p.operand_count; ++j) {
    const operand& x = p.operands[j];
    const index along = across.steps[static_cast<std::size_t>(j)];
    if (x.is_ramp || (along != 0 && along != 1)) return false;
    if (x.at != nullptr && across.steps[static_cast<std::size_t>(x.at->positions)] != 0) return false;
  }
  return true;
}

reduction_plan plan_cached_rows(const problem& p, unsigned reduced, const row_strides& where,
                                const reduction_kernels& k, index most, bool has_function) {
  const stage &only = p.code.stages[0], &last = p.code.stages[p.code.stage_count - 1];
  if (!where.works() || where.inner() < 0 || k.op == reduction::arg_maximum || k.op == reduction::arg_minimum ||
      size_of(last.type) != size_of(p.out_type) || where.n() > segment_length || k.finishes)
    return no_plan();
  for (int i = 0; i < static_cast<int>(p.rank); ++i)
    if (p.extents[i] != 1 && ((reduced >> i & 1) != 0) != (i == where.inner())) return no_plan();
  reduction_way way{reduction_loops::rows, reduction_input::scratch};
  if (p.code.stage_count == 1 && only.copies && !p.operands[only.inputs[0]].is_scalar) {
    way.input = reduction_input::memory;
    way.works = where[only.inputs[0]].along == 1;
  } else if (has_row_kernel(k.fused.rows, k.level) && p.code.stage_count == 1 && where.n() >= 64 / size_of(last.type)) {
    way.input = reduction_input::kernel;
    way.works = k.products_of_rows || !may_be_short_rows(only, where.n(), 0, true, k.level);
  } else if (has_function) {
    way.input = reduction_input::function;
    way.works = where.n() >= limits::fusing::least_function_row;
  }
  return plan_of(way, most * where.side(), where.n());
}

const char* to_string(reduction_loops x) {
  constexpr const char* names[] = {"rows",         "short rows",  "columns", "selected rows",     "tiles",
                                   "turned tiles", "contraction", "indices", "indices of columns"};
  return names[static_cast<int>(x)];
}
const char* to_string(reduction_input x) {
  constexpr const char* names[] = {"read in place",
                                   "evaluated first",
                                   "computed in the same loop",
                                   "computed by the function that adds them up",
                                   "terms as they are reduced",
                                   "widened as they are added"};
  return names[static_cast<int>(x)];
}

}  // namespace broadloom::runtime
