// Functions on core arrays, stacked over loop axes: the node that holds the operands of a lazy one.
#pragma once

#include <broadloom/eval/scheduler.hpp>
#include <broadloom/linalg/core_function.hpp>
#include <broadloom/linalg/materialized.hpp>

namespace broadloom {
namespace detail {

// F for rows [first, last) of its result.
template <class F>
struct rows_of_function : F {
  index first, last;
  constexpr rows_of_function(index from, index to) : first(from), last(to) {}
  void run(const runtime::stack_call& c) const { F::run_rows(c, first, last); }
};

template <class F, class Shape, class... Args>
class stacked {
 public:
  using value_type = typename F::template result<typename first_of<Args...>::type::value_type, 0>;
  using shape_type = Shape;
  static constexpr bool shows_tree = (detail::shows_tree<Args> || ...);

  constexpr stacked(const F& f, const Shape& s, Args... args) : args_(static_cast<Args&&>(args)...), shape_(s), f_(f) {}

  static constexpr const char* name() { return F::name(); }
  constexpr const Shape& shape() const { return shape_; }
  constexpr const auto& args() const { return args_; }
  constexpr const F& function() const { return f_; }

  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    return detail::unpack(args_, [&](const Args&... a) -> value_type {
      if constexpr (requires { F::constant(at, a...); })
        if (__builtin_is_constant_evaluated()) return F::constant(at, a...);
      if constexpr (requires { F::one(at, a...); })
        return F::one(at, a...);
      else {
        tensor<value_type, Shape> all = tensor<value_type, Shape>::uninitialised(shape_);
        evaluate<BROADLOOM_NATIVE>(all.data(), runtime::options{});
        return all.data()[offset_of(shape_.extents(), row_major::strides(shape_), at)];
      }
    });
  }
  bool same(const stacked& o) const {
    if constexpr (!requires { f_ == o.f_; })
      return this == &o;
    else
      return f_ == o.f_ && [&]<int... I>(sequence<I...>) {
        return (same_tree(boost::hana::at_c<I>(args_), boost::hana::at_c<I>(o.args_)) && ...);
      }(make_sequence<sizeof...(Args)>{});
  }
  // Whether it reads memory in [low, high) while it writes results.
  bool reads(const void* low, const void* high) const {
    if constexpr (by_rows)
      if constexpr (!lies_in_memory<typename first_of<Args...>::type>)
        if (block_hint() >= 0 && may_read(boost::hana::at_c<0>(args_), low, high)) return true;
    return detail::unpack(args_, [&](const Args&... a) { return (operand_reads(a, low, high) || ...); });
  }
  // Few elements are computed where they stand; false where they cannot be.
  template <int Native, class Out>
    requires(__is_same(typename Out::shape_type, Shape) &&
             requires(const Out& out, const Args&... a) { F::few(out, a...); })
  bool assign_to(const Out& out, const runtime::options&) const {
    return detail::unpack(args_, [&](const Args&... a) { return F::few(out, a...); });
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    if constexpr (by_rows && !of_a_row)
      if constexpr (!lies_in_memory<typename first_of<Args...>::type>)
        if (const index hint = block_hint(); hint > 0) return evaluate_blocks<Native>(hint, to, how);
    detail::unpack(args_, [&](const Args&... a) {
      void* const outputs[] = {to};
      run_stacked<Native>(f_, checked_binding<F>(a.shape()...), outputs, how, a...);
    });
  }

  // The right operand is a column that the result does not show, or the left one such a row.
  static constexpr bool by_vector = sizeof...(Args) == 2 && [] {
    int last = 0;
    ((last = rank_of<Args>), ...);
    return last == 1;
  }();
  static constexpr bool of_a_row = sizeof...(Args) == 2 && !by_vector && rank_of<typename first_of<Args...>::type> == 1;

  // A block of indices of the result's leading axis by itself - rows, matrices of a stack, columns of the only row -
  // where F can and the operands lie in memory: what reads the result reads it from cache. The left operand may be a
  // tree, if the leading axis is its own: it is evaluated a block at a time too.
  static constexpr bool by_rows = [] {
    if constexpr (requires { F::row_hint(nullptr, 0, index{}, false); } && sizeof...(Args) == 2)
      return []<class A, class B>(std::type_identity<void(A, B)>) {
        constexpr int rank = Shape::axes_count;
        constexpr bool own = by_vector || of_a_row || rank == 2 || rank_of<A> == rank;
        return (of_a_row ? rank == 1 : rank_of<A> >= 2) && lies_in_memory<B> &&
               (lies_in_memory<A> || (own && deferred_count<A> == 0));
      }(std::type_identity<void(Args...)>{});
    else
      return false;
  }();
  // Short vectors are computed at once, by several threads.
  index row_hint() const
    requires by_rows
  {
    constexpr index least = 1 << 17;
    const bool vectors = by_vector || of_a_row || shows_column();
    return vectors && shape_.size() < least ? -1 : block_hint();
  }
  // How much of the leading axis is computed at a time, and of a tree evaluated.
  index block_hint() const
    requires by_rows
  {
    const auto& left = boost::hana::at_c<0>(args_).shape();
    constexpr int rank = Shape::axes_count, left_rank = std::remove_cvref_t<decltype(left)>::axes_count;
    const index depth = left[left_rank - 1];
    const index hint = shows_column() ? F::row_hint(shape_.data(), rank - 1, depth, true)
                                      : F::row_hint(shape_.data(), rank, depth, by_vector || of_a_row);
    if constexpr (lies_in_memory<std::remove_cvref_t<decltype(boost::hana::at_c<0>(args_))>> || of_a_row)
      return hint;
    else {
      // A tree is evaluated for whole groups.
      const int lead = leading_axis();
      if (hint <= 0 || left[lead] != shape_[lead]) return -1;
      const index each = together(), least = hint < 2 ? 2 : hint;
      const index whole = least < each ? each : (least + each / 2) / each * each;
      return whole * 2 > shape_[lead] ? -1 : whole;
    }
  }
  template <int Native>
  void evaluate_rows(index first, index last, value_type* to, const runtime::options& how) const {
    const auto run = [&](index from, index until, const auto&... a) {
      void* const outputs[] = {to};
      run_stacked<Native>(rows_of_function<F>{from, until}, checked_binding<F>(a.shape()...), outputs, how, a...);
    };
    const auto& a = boost::hana::at_c<0>(args_);
    const auto& b = boost::hana::at_c<1>(args_);
    if constexpr (lies_in_memory<std::remove_cvref_t<decltype(a)>> || of_a_row)
      run(first, last, a, b);
    else {
      const int lead = leading_axis();
      const index most = block_hint(), each = together(), all = a.shape()[lead], size = shape_.size() / all;
      for (index i = first; i < last; i += most, to += most * size) {
        const index end = last - i < most ? last : i + most;
        index from = i / each * each, until = (end + each - 1) / each * each;
        if (until > all) until = all;
        // An axis of one index would not lead.
        if (until - from == 1 && from > 0) from -= each;
        if (until - from == 1) until = all < 1 + each ? all : 1 + each;
        const auto block = edit_axes<narrow_edit>(a, index{lead}, from, until - from);
        if constexpr (rank_of<std::remove_cvref_t<decltype(b)>> == Shape::axes_count && Shape::axes_count > 2)
          if (lead < Shape::axes_count - 2 && b.shape()[lead] != 1) {
            run(i - from, end - from, block, edit_axes<narrow_edit>(b, index{lead}, from, until - from));
            continue;
          }
        run(i - from, end - from, block, b);
      }
    }
  }

 private:
  // What only needs a part of the left operand, a tree, at a time.
  template <int Native>
  void evaluate_blocks(index each, value_type* to, const runtime::options& how) const {
    struct context {
      const stacked& all;
      value_type* to;
      index each, count, size;
      runtime::options how;
    } c{*this, to, each, shape_[leading_axis()], 0, how};
    c.size = shape_.size() / c.count;
    c.how.threads = 1;
    runtime::parallel_for((c.count + each - 1) / each, how.threads,
                          [](void* p, index first, index last) {
                            const context& x = *static_cast<const context*>(p);
                            for (index i = first * x.each; i < last * x.each && i < x.count; i += x.each)
                              x.all.template evaluate_rows<Native>(i, i + x.each < x.count ? i + x.each : x.count,
                                                                   x.to + i * x.size, x.how);
                          },
                          &c);
  }
  // The first axis that is not 1, as plans see it.
  int leading_axis() const {
    int i = 0;
    while (i + (by_vector || shows_column() ? 1 : 2) < Shape::axes_count && shape_[i] == 1) ++i;
    return i;
  }
  // A column that the result shows.
  bool shows_column() const {
    constexpr int rank = Shape::axes_count;
    if constexpr (by_vector || of_a_row || rank < 2)
      return false;
    else
      return shape_[rank - 1] == 1;
  }
  // How many indices of the leading axis begin and end where rows that are computed together do, in one tall matrix.
  index together() const {
    const bool column = by_vector || shows_column();
    index each = F::together(column), inner = shape_.size() / shape_[leading_axis()];
    if (!column) inner /= shape_[Shape::axes_count - 1];
    for (; each > 1 && inner % 2 == 0; inner /= 2) each /= 2;
    return each;
  }
  boost::hana::basic_tuple<Args...> args_;
  [[no_unique_address]] Shape shape_;
  [[no_unique_address]] F f_;
};

// The arguments' element types and shapes suit F.
template <class F, class... A>
inline constexpr bool stackable = false;
template <class F, array... A>
  requires(sizeof...(A) == F::signature::parsed.inputs && core_types_fit<typename F::rule, A...>)
inline constexpr bool stackable<F, A...> = static_binding<F, shape_of<node_of<A>>...>.mistake == core_mistake::none;

template <class F, class... A>
struct explain_stacked {
  using type = void;
};
template <class F, array... A>
  requires(sizeof...(A) == F::signature::parsed.inputs && !core_types_fit<typename F::rule, A...>)
struct explain_stacked<F, A...> {
  using type = refused_elements<F, value_of<node_of<A>>...>;
};
template <class F, array... A>
  requires(sizeof...(A) == F::signature::parsed.inputs && core_types_fit<typename F::rule, A...> && !stackable<F, A...>)
struct explain_stacked<F, A...> {
  using type = errors_md::does_not_fit_the_signature<core_text<F, shape_of<node_of<A>>...>, shape_of<node_of<A>>...>;
};
// Why a call is refused; void where it is not.
template <class F, class... A>
using stacked_error = typename explain_stacked<F, A...>::type;

template <class F, class... Args>
constexpr auto defer_nodes(const F& f, Args... args) {
  using shape_type = result_shape<F, 0, typename Args::shape_type...>;
  const core_binding b = checked_binding<F>(args.shape()...);
  if constexpr (requires { f.check(b); }) f.check(b);
  const auto s = result_shape_now<shape_type, F>(b, 0);
  return deferred<stacked<F, shape_type, Args...>>(stacked<F, shape_type, Args...>(f, s, static_cast<Args&&>(args)...));
}

// The arguments' common element type.
template <class F, class... A>
using compute_type =
    typename F::rule::template compute<typename type_of<static_cast<dtype>(promoted_code<A...>)>::type>;

// The lazy result of F with one output. Throws shape_error when core sizes differ or loop axes do not broadcast.
template <class F, array... A>
  requires stackable<F, A...>
constexpr auto defer(const F& f, A&&... a) {
  using T = compute_type<F, A...>;
  if constexpr (is_half_type<T> && requires { typename F::rule::as_f32; })
    return rounded_to<T>(defer_nodes(f, argument<float>(static_cast<A&&>(a))...));
  else
    return defer_nodes(f, argument<T>(static_cast<A&&>(a))...);
}

// The function object of an F without parameters.
template <class F>
struct stacked_function {
  template <array... A>
    requires stackable<F, A...>
  constexpr auto operator()(A&&... a) const {
    return defer(F{}, static_cast<A&&>(a)...);
  }
  template <array... A, class Error = stacked_error<F, A...>>
    requires(!stackable<F, A...> && sizeof...(A) == F::signature::parsed.inputs)
  Error operator()(A&&...) const = delete;
};

}  // namespace detail
}  // namespace broadloom
