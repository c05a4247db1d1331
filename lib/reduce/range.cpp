// A program over a range of its elements, in row-major order of its axes in any order: the range is cut into boxes,
// each of which is one evaluation.
#include <broadloom/reduce/own.hpp>

#include "../plan/bound.hpp"
#include "../run/run.hpp"

namespace broadloom::runtime {

void execute(const problem& p);

namespace {

class ranges {
 public:
  ranges(const ordered_program& p, const options& how)
      : p_(p),
        how_(how),
        extents_(static_cast<std::size_t>(p.rank)),
        steps_(static_cast<std::size_t>(p.rank)),
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
    index n = 1;
    for (int a = p.rank - 1; a >= 0; --a) {
      extents_[a] = p.extents[p.order[a]];
      steps_[a] = n;  // elements from one index of the axis to the next
      n *= extents_[a];
    }
  }

  void run(index first, index last, char* to) {
    for (int a = 0; a < p_.rank; ++a) {
      first_[a] = 0;
      box_[a] = 1;
    }
    cut(0, first, last, to);
  }

 private:
  // The indices before `axis` are fixed; elements [first, last) of what is left.
  void cut(int axis, index first, index last, char* to) {
    if (first >= last) return;
    if (axis == p_.rank) return evaluate(to);
    const index step = steps_[axis], size = size_of(p_.type);
    const index low = first / step, high = last / step;  // the whole indices are [low', high)
    const auto fixed = [&](index at, index begin, index end) {
      first_[axis] = at;
      box_[axis] = 1;
      cut(axis + 1, begin, end, to);
      to += (end - begin) * size;
    };
    index whole = low;
    if (first % step != 0) {
      const index end = low == high ? last - low * step : step;
      fixed(low, first - low * step, end);
      if (low == high) return;
      ++whole;
    }
    if (whole < high) {
      first_[axis] = whole;
      box_[axis] = high - whole;
      for (int a = axis + 1; a < p_.rank; ++a) {
        first_[a] = 0;
        box_[a] = extents_[a];
      }
      evaluate(to);
      to += (high - whole) * step * size;
    }
    if (last % step != 0) fixed(high, 0, last - high * step);
  }

  void evaluate(char* to) {
    index n = 1;
    for (int a = p_.rank - 1; a >= 0; --a) {
      out_[a] = n;
      n *= box_[a];
    }
    for (int k = 0; k < p_.leaf_count; ++k) {
      const leaf_array& x = p_.leaves[k];
      const char* data = static_cast<const char*>(x.data);
      if (!x.is_scalar)
        for (int a = 0; a < p_.rank; ++a) data += first_[a] * strides_[k * p_.rank + a] * size_of(x.type);
      operands_[k] = {data, strides_.data() + k * p_.rank, x.type, x.is_scalar, nullptr};
    }
    execute({p_.rank, box_.data(), to, out_.data(), p_.type, operands_.data(), p_.leaf_count, *p_.code, how_});
  }

  const ordered_program& p_;
  options how_;
  small_array<index, 8> extents_, steps_, first_, box_, out_;
  small_array<index, 48> strides_;
  small_array<operand, 8> operands_;
};

}  // namespace

void evaluate_range(const ordered_program& p, index first, index last, void* to, const options& how) {
  ranges(p, how).run(first, last, static_cast<char*>(to));
}

}  // namespace broadloom::runtime
