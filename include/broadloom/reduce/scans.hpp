// Running sums and products along one axis: cumsum, cumprod.
#pragma once

#include <broadloom/reduce/sums.hpp>

namespace broadloom {

namespace detail {

// Replaces each element by the combination of itself and those before it along the middle one of three axes.
void scan(runtime::reduction how, dtype t, void* elements, index outer, index length, index inner,
          const runtime::options& o);

// PyTorch's order: one element after the other, whatever the number of threads.
template <class Op, class E>
class scanned {
 public:
  using value_type = typename E::value_type;
  using shape_type = typename E::shape_type;
  static constexpr const char* name() { return __is_same(Op, sum_r) ? "cumsum" : "cumprod"; }

  constexpr scanned(const E& e, int axis) : e_(e), axis_(axis) {}

  constexpr const shape_type& shape() const { return e_.shape(); }
  constexpr bool same(const scanned& o) const { return axis_ == o.axis_ && same_tree(e_, o.e_); }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <int R>
  constexpr value_type element(indices<R> at) const {
    const index last = at[axis_];
    at[axis_] = 0;
    value_type x = e_.element(at);
    while (at[axis_] < last) {
      ++at[axis_];
      x = Op::on(x, e_.element(at));
    }
    return x;
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& o) const {
    assign_node<Native>(view<value_type, shape_type, row_major>(to, e_.shape(), {}), e_, o);
    index outer = 1, inner = 1;
    constexpr int rank = rank_of<E>;
    for (int i = 0; i < axis_; ++i) outer *= e_.shape()[i];
    for (int i = axis_ + 1; i < rank; ++i) inner *= e_.shape()[i];
    scan(Op::how, dtype_of<value_type>, to, outer, rank == 0 ? 1 : e_.shape()[axis_], inner, o);
  }

 private:
  E e_;
  int axis_;
};

template <class Op>
struct scan_function {
  template <array A, class Axis, class... O>
    requires(integer_like<Axis> && (is_of_type<O> && ...))
  constexpr auto operator()(A&& a, Axis axis, const O&...) const {
    auto e = reduce_argument<Op, A, O...>(static_cast<A&&>(a));
    constexpr int rank = rank_of<decltype(e)>;
    static_assert(rank > 0, "an array with at least one axis");
    if constexpr (constant<Axis>) static_assert(is_axis(Axis::value, rank), "Dimension out of range: an axis must lie in [-rank, rank)");
    using node = scanned<Op, decltype(e)>;
    return deferred<node>(node(e, normal_axis(static_cast<index>(axis), rank)));
  }
};

}  // namespace detail

// cumsum(x, axis), cumprod(x, axis): element i is the sum (product) of elements 0 ... i along the axis, added one after the
// other. Shape: x's. bool and integers give i64; of_type<T> converts first. Throws index_error for an axis out of range.
inline constexpr detail::scan_function<detail::sum_r> cumsum{};
inline constexpr detail::scan_function<detail::prod_r> cumprod{};

}  // namespace broadloom
