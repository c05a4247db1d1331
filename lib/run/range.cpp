// A program over a range of its elements, or a tile of them, in row-major order of its axes in any order: what is asked
// for is cut into boxes, each of which is one evaluation.
#include <broadloom/reduce/own.hpp>

#include "../plan/bound.hpp"
#include "../plan/boxes.hpp"
#include "run.hpp"

namespace broadloom::runtime {

namespace {

class ranges {
 public:
  ranges(const ordered_program& p, const tile_of_program& tile, const options& how)
      : p_(p),
        tile_(tile),
        how_(how),
        extents_(static_cast<std::size_t>(p.rank)),
        first_(static_cast<std::size_t>(p.rank)),
        box_(static_cast<std::size_t>(p.rank)),
        out_(static_cast<std::size_t>(p.rank)),
        strides_(static_cast<std::size_t>(p.leaf_count * p.rank)),
        operands_(static_cast<std::size_t>(p.leaf_count)) {
    small_array<index, 48> own(static_cast<std::size_t>(p.rank));
    for (int k = 0; k < p.leaf_count; ++k) {
      bind_strides(p.leaves[k], own.data(), p.rank);
      for (int a = 0; a < p.rank; ++a) strides_[k * p.rank + a] = own[p.order[a]];
    }
    for (int a = 0; a < p_.rank; ++a) extents_[a] = p.extents[p.order[a]];
  }

  void run(char* to) {
    const index size = size_of(p_.type), columns = tile_.end_column - tile_.column;
    cut(0, tile_.leading, tile_.first, tile_.last - tile_.first, [&](index rows) {
      char* box = to;
      cut(tile_.leading, p_.rank, tile_.column, columns, [&](index n) {
        evaluate(box);
        box += n * size;
      });
      to += rows * columns * size;
    });
  }

 private:
  // Boxes that make up flat indices [first, first + n) of axes [axis, end).
  template <class Each>
  void cut(int axis, int end, index first, index n, const Each& each) {
    each_box(extents_.data() + axis, end - axis, first, n, first_.data() + axis, box_.data() + axis, each);
  }

  void evaluate(char* to) {
    index n = 1;
    for (int a = p_.rank - 1; a >= 0; --a) {
      if (a == tile_.leading - 1) n = tile_.end_column - tile_.column;
      out_[a] = n;
      n *= box_[a];
    }
    for (int k = 0; k < p_.leaf_count; ++k) {
      const leaf_array& x = p_.leaves[k];
      index at = x.offset;
      if (!x.is_scalar)
        for (int a = 0; a < p_.rank; ++a) at += first_[a] * strides_[k * p_.rank + a];
      operands_[k] = {moved(x.data, at * size_of(x.type)),
                      strides_.data() + k * p_.rank,
                      x.type,
                      x.is_scalar,
                      x.from == &any_ramp,
                      nullptr};
    }
    execute({p_.rank, box_.data(), to, out_.data(), p_.type, operands_.data(), p_.leaf_count, *p_.code, how_});
  }

  const ordered_program& p_;
  const tile_of_program& tile_;
  options how_;
  small_array<index, 8> extents_, first_, box_, out_;
  small_array<index, 48> strides_;
  small_array<operand, 8> operands_;
};

}  // namespace

void evaluate_range(const ordered_program& p, index first, index last, void* to, const options& how) {
  evaluate_tile(p, {p.rank, first, last, 0, 1}, to, how);
}

void evaluate_tile(const ordered_program& p, const tile_of_program& tile, void* to, const options& how) {
  ranges(p, tile, how).run(static_cast<char*>(to));
}

bool is_nearer(const ordered_program& p, int a, int b) noexcept {
  small_array<index, 32> strides(static_cast<std::size_t>(p.rank));
  int votes = 0;
  for (int k = 0; k < p.leaf_count; ++k) {
    bind_strides(p.leaves[k], strides.data(), p.rank);
    const index of_a = strides[a] < 0 ? -strides[a] : strides[a], of_b = strides[b] < 0 ? -strides[b] : strides[b];
    if (of_a != 0 && of_b != 0 && of_a != of_b) votes += of_a < of_b ? 1 : -1;
  }
  return votes >= 0;
}

}  // namespace broadloom::runtime
