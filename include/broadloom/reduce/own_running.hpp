// The source of cumsum and cumprod of own elements (enable_element).
#pragma once

#include <broadloom/eval/own_loop.hpp>

namespace broadloom::detail {

// The running form: each line is one after the other, lines are on several threads.
template <class Fold, class E>
class own_running {
 public:
  using value_type = typename E::value_type;
  using shape_type = typename E::shape_type;
  using own_elements_tag = void;
  static constexpr const char* name() { return Fold::running_name(); }
  static constexpr int rank = rank_of<E>;

  constexpr own_running(const E& e, int axis) : e_(e), axis_(axis) {}
  constexpr const shape_type& shape() const { return e_.shape(); }
  constexpr bool same(const own_running& o) const { return axis_ == o.axis_ && same_tree(e_, o.e_); }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <class F>
  auto with_trees(const F& f) const {
    return own_running<Fold, decltype(f(e_))>(f(e_), axis_);
  }
  template <int R>
  value_type element(indices<R> at) const {
    if constexpr (R == 0)
      return e_.element(at);
    else {
      const index last = at[axis_];
      at[axis_] = 0;
      value_type x = e_.element(at);
      while (at[axis_] < last) {
        ++at[axis_];
        set_anew(x, Fold::on(x, e_.element(at)));
      }
      return x;
    }
  }
  void write_tree(value_type* to, serial_memo& memo) const {
    const auto tree = serial_operand(e_, memo);
    const auto extents = e_.shape().extents();
    const index n = e_.shape().size();
    write_own<rank>(to, extents, row_major_strides(extents), n,
                    own_operand<std::remove_const_t<decltype(tree)>, rank>(tree), memo.threads);
    if constexpr (rank > 0) {
      const index length = extents[axis_], inner = row_major_strides(extents)[axis_];
      if (n == 0 || length == 1) return;
      in_own_blocks(n / length, own_block / length + 1, n, memo.threads, [&](index first, index last) {
        for (index i = first; i < last;) {
          // lines side by side
          const index column = i % inner, count = last - i < inner - column ? last - i : inner - column;
          value_type* line = to + i / inner * inner * length + column;
          for (index k = 1; k < length; ++k, line += inner)
            for (index c = 0; c < count; ++c) put_element(line + inner + c, Fold::on(line[c], line[inner + c]));
          i += count;
        }
      });
    }
  }

 private:
  E e_;
  int axis_;
};
}  // namespace broadloom::detail
