// Which sums are contractions, and which of them pay off as such.
#include "contraction.hpp"

#include "../base/limits.hpp"
#include "../base/smaller.hpp"

namespace broadloom::runtime {

namespace {

using axis = contraction::axis;

// y comes directly after x in both operands.
bool mergeable(const axis& x, const axis& y) { return x.a == y.extent * y.a && x.b == y.extent * y.b; }

// The term over operands 0 and 1.
pair_term plain(pair_term term) {
  const bool squared = term == pair_term::difference_times_difference || term == pair_term::power_of_difference;
  return squared ? pair_term::squared_difference : term;
}

}  // namespace

std::optional<contraction> find_contraction(const problem& p, unsigned reduced, reduction how, pair_term term) {
  if (term == pair_term::other || how != reduction::sum || p.operand_count < 2) return std::nullopt;
  if (p.out_type != dtype::f32 && p.out_type != dtype::f64) return std::nullopt;
  const operand &x = p.operands[0], &y = p.operands[1];
  if (x.is_scalar || y.is_scalar || x.at != nullptr || y.at != nullptr || x.is_ramp || y.is_ramp) return std::nullopt;
  if (x.type != p.out_type || y.type != p.out_type) return std::nullopt;
  contraction c{};
  c.term = plain(term);
  c.as_written = term;
  if (term == pair_term::difference_times_difference)
    for (int k = 0; k < 2; ++k)
      for (index i = 0; i < p.rank; ++i)
        if (p.operands[k].strides[i] != p.operands[k + 2].strides[i]) return std::nullopt;
  axis kept[contraction::max_axes], sums[contraction::max_axes];
  int kept_count = 0, sum_count = 0;
  for (index i = 0; i < p.rank; ++i) {
    if (p.extents[i] == 1) continue;
    const bool summed = (reduced >> i & 1) != 0;
    axis* const list = summed ? sums : kept;
    int& count = summed ? sum_count : kept_count;
    const axis here{p.extents[i], x.strides[i], y.strides[i], 0};
    if (count > 0 && mergeable(list[count - 1], here)) {
      list[count - 1].extent *= here.extent;
      list[count - 1].a = here.a;
      list[count - 1].b = here.b;
    } else
      list[count++] = here;
  }
  if (sum_count > 1) return std::nullopt;
  c.along = sum_count == 1 ? sums[0] : axis{1, 0, 0, 0};
  index out = 1;
  for (int i = kept_count - 1; i >= 0; --i) {
    kept[i].out = out;
    out *= kept[i].extent;
  }
  // The longest axes that only one of the two has.
  int of_x = -1, of_y = -1;
  for (int i = 0; i < kept_count; ++i) {
    int& best = kept[i].b == 0 ? of_x : of_y;
    if ((kept[i].a == 0) == (kept[i].b == 0)) continue;
    if (best < 0 || kept[i].extent >= kept[best].extent) best = i;
  }
  const axis only_x = of_x < 0 ? axis{1, 0, 0, 1} : kept[of_x], only_y = of_y < 0 ? axis{1, 0, 0, 1} : kept[of_y];
  if (of_x < 0 && of_y < 0) return std::nullopt;
  // Columns are contiguous in the result, unless they are too few.
  const bool x_is_wide = of_y < 0 || (of_x >= 0 && only_x.out < only_y.out);
  const index wide = x_is_wide ? only_x.extent : only_y.extent, other = x_is_wide ? only_y.extent : only_x.extent;
  const bool turned = wide < limits::contracting::min_columns && other > wide;
  const bool swapped = x_is_wide != turned;  // x has the columns
  c.a = swapped ? 1 : 0;
  c.b = 1 - c.a;
  c.rows = swapped ? axis{only_y.extent, only_y.b, 0, only_y.out} : only_x;
  c.columns = swapped ? axis{only_x.extent, 0, only_x.a, only_x.out} : only_y;
  if (swapped) c.along = {c.along.extent, c.along.b, c.along.a, 0};
  c.results = 1;
  for (int i = 0; i < kept_count; ++i) {
    if (i == of_x || i == of_y) continue;
    c.others[c.other_count++] = swapped ? axis{kept[i].extent, kept[i].b, kept[i].a, kept[i].out} : kept[i];
    c.results *= kept[i].extent;
  }
  return c;
}

bool same_operands(const contraction& c, const operand* operands) {
  if (c.as_written == pair_term::difference_times_difference)
    return operands[0].data == operands[2].data && operands[1].data == operands[3].data;
  if (c.as_written == pair_term::power_of_difference)
    return operands[2].type == dtype::f32 ? *static_cast<const float*>(operands[2].data) == 2
                                          : *static_cast<const double*>(operands[2].data) == 2;
  return true;
}

bool pays(const contraction& c, dtype type) {
  using namespace limits::contracting;
  const double vectors = static_cast<double>(c.along.extent * size_of(type)) / limits::line_bytes;
  const auto rows = static_cast<double>(c.rows.extent), columns = static_cast<double>(c.columns.extent);
  const auto high = static_cast<double>(round_up(c.rows.extent, tile_height));
  const auto wide = static_cast<double>(round_up(c.columns.extent, limits::line_bytes / size_of(type)));
  const double tiles =
      high * wide * (of_tile + vectors * of_tile_vector) + wide * (of_packed + vectors * of_packed_vector);
  return tiles < rows * columns * (of_single + vectors * of_single_vector);
}

index contracted_rows(index bytes_of_row) {
  using namespace limits::contracting;
  const index rows = block_bytes / (bytes_of_row + 1);
  return rows < few_rows_of_block ? few_rows_of_block : rows < rows_of_block ? rows : rows_of_block;
}

}  // namespace broadloom::runtime
