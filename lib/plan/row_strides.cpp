// All axes but the last are merged into one if every array is contiguous across them.
#include "row_strides.hpp"

namespace broadloom::runtime {

row_strides::row_strides(const problem& p, int axis, bool with_output)
    : list_(static_cast<std::size_t>(p.operand_count + 1)) {
  const int rank = static_cast<int>(p.rank);
  for (int i = axis + 1; i < rank; ++i)
    if (p.extents[i] != 1) inner_ = i;
  n_ = inner_ < 0 ? 1 : p.extents[inner_];
  int last = axis;  // of the merged axes
  for (int i = axis + 1; i < rank; ++i)
    if (p.extents[i] != 1 && i != inner_) {
      side_ *= p.extents[i];
      last = i;
    }
  const auto place = [&](const index* strides) {
    index step = strides[last];
    const row_stride x{step, inner_ < 0 ? 0 : strides[inner_]};
    for (int i = last; i > axis;) {
      step *= p.extents[i];
      do --i;
      while (i > axis && p.extents[i] == 1);
      works_ = works_ && strides[i] == step;
    }
    return x;
  };
  for (int k = 0; k < p.operand_count; ++k) {
    const operand& x = p.operands[k];
    works_ = works_ && x.at == nullptr && !x.is_ramp;
    list_[k] = x.is_scalar ? row_stride{0, 0} : place(x.strides);
    works_ = works_ && (list_[k].along == 0 || list_[k].along == 1);
  }
  list_[p.operand_count] = with_output ? place(p.out_strides) : row_stride{1, 0};
}

}  // namespace broadloom::runtime
