// Running sums and products along one axis: cumsum, cumprod.
#pragma once

#include <broadloom/reduce/sums.hpp>

namespace broadloom {

namespace detail {

// PyTorch's order: one element after the other, whatever the number of threads.
template <class Op, class E>
class scanned {
 public:
  using value_type = typename E::value_type;
  using shape_type = typename E::shape_type;
  static constexpr const char* name() { return __is_same(Op, sum_r) ? "cumsum" : "cumprod"; }

  constexpr scanned(const E& e, int axis) : e_(e), axis_(axis) {}

  constexpr const E& tree() const { return e_; }
  constexpr int axis() const { return axis_; }
  constexpr const shape_type& shape() const { return e_.shape(); }
  template <class F>
  auto with_trees(const F& f) const {
    return scanned<Op, decltype(f(e_))>(f(e_), axis_);
  }
  constexpr bool same(const scanned& o) const { return axis_ == o.axis_ && same_tree(e_, o.e_); }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <int R>
  constexpr value_type element(indices<R> at) const {
    if constexpr (R == 0)
      return e_.element(at);
    else {
      const index last = at[axis_];
      at[axis_] = 0;
      value_type x = e_.element(at);
      while (at[axis_] < last) {
        ++at[axis_];
        x = Op::on(x, e_.element(at));
      }
      return x;
    }
  }
  // All elements, each from the one before it.
  void write_serially(value_type* to) const {
    const auto strides = row_major_strides(e_.shape().extents());
    for_each_index(e_.shape(), [&](index k, const auto& at) {
      const value_type x = e_.element(at);
      if constexpr (shape_type::axes_count == 0)
        to[k] = x;
      else
        to[k] = at[axis_] == 0 ? x : Op::on(to[k - strides[axis_]], x);
    });
  }

 private:
  E e_;
  int axis_;
};

template <class Op, class E, int Native>
struct bound_source<scanned<Op, E>, Native> {
  bound_input<E, Native> input;
  runtime::source value{};

  bound_source(const scanned<Op, E>& s, bound_lets& lets) : input(s.tree(), lets) {
    const auto how = __is_same(Op, sum_r) ? runtime::reduction::running_sum : runtime::reduction::running_product;
    describe_program<typename E::value_type>(value, s, input, s.shape().data(), rank_of<E>,
                                             rank_of<E> == 0 ? 0 : 1u << s.axis(), how);
  }
};

template <class Op>
struct scan_function : takes_axis_names<scan_function<Op>> {
  static constexpr text call{"cumsum(x, axis)"};
  using takes_axis_names<scan_function>::operator();
#if defined(__clang__)
  template <referred A, class Axis, class... O>
    requires(integer_like<Axis> && (is_of_type<O> && ...))
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, Axis axis, const O&... o) const {
    return (*this)(capture(a), axis, o...);
  }
#endif
  template <array A, class Error = errors_md::which_axis_write_it_after_the_array>
  Error operator()(A&&) const BROADLOOM_REFUSED;
  template <array A, class Axis, class... O>
    requires(integer_like<Axis> && (is_of_type<O> && ...))
  constexpr auto operator()(A&& a, Axis axis, const O&...) const {
    auto e = reduce_argument<Op, A, O...>(static_cast<A&&>(a));
    constexpr int rank = rank_of<decltype(e)>;
    if constexpr (constant<Axis>)
      static_assert(is_reduced_axis(Axis::value, rank),
                    "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
    using T = value_of<decltype(e)>;
    auto x = argument<arithmetic_type<T>>(static_cast<decltype(e)&&>(e));
    using E = decltype(x);
    using node = scanned<Op, E>;
    const int along = normal_axis(static_cast<index>(axis), countable(rank), node::name());
    if constexpr (reads_own<E>)
      return own_reduction<Op, E>::running(x, along);
    else if constexpr (is_complex_reduction<Op, E>)
      return complex_reduction<Op, E>::running(x, along);
    else if constexpr (is_half_type<T>)
      return rounded_to<T>(deferred<node>(node(x, along)));
    else
      return deferred<node>(node(x, along));
  }
};

}  // namespace detail

// cumsum(x, axis), cumprod(x, axis): element i is the sum (product) of elements 0 ... i along the axis, added one after
// the other. Shape: x's. bool and integers give i64; of_type<T> converts first. Throws index_error for an axis out of
// range.
inline constexpr detail::scan_function<detail::sum_r> cumsum{};
inline constexpr detail::scan_function<detail::prod_r> cumprod{};

}  // namespace broadloom
