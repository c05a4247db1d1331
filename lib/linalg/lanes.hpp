// Small matrices by the lane: one matrix of a stack in each lane of a vector. The functions of an instruction-set
// level, and how a stack is cut into groups for them.
#pragma once

#include "../base/level.hpp"
#include "stack.hpp"

namespace broadloom::runtime {

// Matrices up to these sizes are computed by the lane.
inline constexpr index max_lane_lu = 8, max_lane_cholesky = 16, max_lanes = 16;

// An operand of a group: the address of each lane's matrix, and its strides.
template <class T>
struct lane_matrices {
  const T* at[max_lanes];
  index row_stride, col_stride;
};

// Each function reads and writes `lanes` matrices; results are row-major. `info` gets 0 or LAPACK's number for each.
template <class T>
struct lane_kernels {
  int lanes;
  // x with a x = b, by LU with row pivots. Info: the first zero on the diagonal of u. A null b is the identity matrix:
  // x is the inverse.
  void (*solve)(const lane_matrices<T>& a, const lane_matrices<T>* b, T* const* x, index n, index cols, int* info);
  void (*determinant)(const lane_matrices<T>& a, T* const* to, index n);
  // l with l l' = a, from a's lower triangle, or u with u' u = a from its upper one. Info: the order of the first
  // leading minor that is not positive.
  void (*cholesky)(const lane_matrices<T>& a, T* const* to, index n, bool upper, int* info);
  // x with l l' x = b.
  void (*cholesky_solve)(const lane_matrices<T>& b, const lane_matrices<T>& factor, T* const* x, index n, index cols,
                         bool upper);
  // Products of consecutive matrices: c (rows x cols) = alpha a (rows x depth) b (depth x cols); cols 2 ... 8, depth 1
  // ... 8; b has contiguous rows, c is contiguous.
  struct run {
    T* c;
    const T *a, *b;
    index a_step, a_row, a_col, b_step, b_row, rows, depth, cols, count;
    T alpha;
  };
  void (*multiply)(const run& r);
  // c[i] += alpha x[i], rounded once where the level can.
  void (*add)(T* c, const T* x, index n, T alpha);
  // The contiguous rows of a, times one b; depth and cols 1 ... 8 and not above `lanes`. Null if this level gains
  // nothing.
  void (*multiply_rows)(T* c, const T* a, index rows, index depth, index cols, const T* b, index b_row, T alpha);
};

BROADLOOM_REAL_LEVELS(all, lane_kernels, lanes)

// The offsets of an operand's core arrays, one after the other.
class loop_walk {
 public:
  void start(const stack_call& c, const stack_input& in, index number) {
    c_ = &c;
    in_ = &in;
    for (int i = c.loop_rank - 1; i >= 0; --i) {
      at_[i] = number % c.loop[i];
      number /= c.loop[i];
      offset_ += at_[i] * in.loop[i];
    }
  }
  // Where the next `count` core arrays of `data` are.
  template <class T>
  void take(const T** to, const T* data, index count) {
    const int last = c_->loop_rank - 1;
    if (last < 0) {
      for (index l = 0; l < count; ++l) to[l] = data + offset_;
      return;
    }
    const index step = in_->loop[last];
    for (index l = 0; l < count;) {
      const index left = c_->loop[last] - at_[last], n = count - l < left ? count - l : left;
      const T* const from = data + offset_;
      for (index i = 0; i < n; ++i) to[l + i] = from + i * step;
      l += n;
      offset_ += n * step;
      at_[last] += n;
      for (int i = last; at_[i] == c_->loop[i]; --i) {
        offset_ -= c_->loop[i] * in_->loop[i];
        at_[i] = 0;
        if (i == 0) break;
        offset_ += in_->loop[i - 1];
        ++at_[i - 1];
      }
    }
  }

 private:
  const stack_call* c_ = nullptr;
  const stack_input* in_ = nullptr;
  index at_[detail::max_loop_axes] = {};
  index offset_ = 0;
};

// Calls body(kernels, inputs, results, info) for groups of matrices; results have `size` elements each. Lanes beyond
// the end of the stack repeat its last matrix and write to a dummy.
template <class T, int Inputs, class Body>
void each_group(const stack_call& c, double operations, index size, failure what, const Body& body) {
  const lane_kernels<T>& k = lanes<T>();
  const index width = k.lanes, count = c.count();
  first_failure failed;
  const index groups = (count + width - 1) / width;
  const index block = block_of(operations);
  work_memory<T> all(size, blocks_of(groups, block), c.how);
  in_blocks(groups, block, c.how, [&](index first, index last) {
    const typename work_memory<T>::slot spare(all);
    lane_matrices<T> in[Inputs];
    T* to[max_lanes];
    int info[max_lanes] = {};
    loop_walk walks[Inputs];
    for (int i = 0; i < Inputs; ++i) {
      walks[i].start(c, c.inputs[i], first * width);
      in[i].row_stride = c.inputs[i].core[0];
      in[i].col_stride = c.inputs[i].core[1];
    }
    for (index group = first; group < last; ++group) {
      const index begin = group * width, active = count - begin < width ? count - begin : width;
      T* const results = static_cast<T*>(c.outputs[0]) + begin * size;
      for (index l = 0; l < active; ++l) to[l] = results + l * size;
      for (int i = 0; i < Inputs; ++i) walks[i].take(in[i].at, static_cast<const T*>(c.inputs[i].data), active);
      for (index l = active; l < width; ++l) {
        to[l] = spare.data();
        for (int i = 0; i < Inputs; ++i) in[i].at[l] = in[i].at[active - 1];
      }
      body(k, in, to, info);
      int any = 0;
      for (int l = 0; l < max_lanes; ++l) any |= info[l];
      if (c.info == nullptr && any == 0) continue;
      for (index l = 0; l < active; ++l)
        if (c.info != nullptr)
          c.info[begin + l] = info[l];
        else if (info[l] != 0)
          return failed.record(begin + l, info[l]);
    }
  });
  failed.raise(c, what);
}

}  // namespace broadloom::runtime
