// The node of a reduction: a tree, the axes that are combined, and how. It is computed once, before what reads it.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/eval/let.hpp>
#include <broadloom/eval/simd/gather_reduce_kernel.hpp>
#include <broadloom/eval/simd/pair_reduce_kernel.hpp>
#include <broadloom/eval/straight_input.hpp>
#include <broadloom/plan/pair_term.hpp>
#include <broadloom/reduce/combine.hpp>
#include <broadloom/reduce/options.hpp>
#include <broadloom/reduce/reduced_extents.hpp>
#include <broadloom/reduce/whole_tree.hpp>

namespace broadloom::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_nothing_to_reduce(const char* function, const index* extents,
                                                                           index rank, unsigned bits, bool all) {
  throw_error(error_kind::nothing_to_reduce, {function, extents, rank, bits, all});
}

// Few elements of static shape, and arithmetic alone: computed in place faster than planned.
template <class E>
inline constexpr bool is_plain_arithmetic = !deferred_leaf<E>;
template <class F, class Shape, class... Args>
inline constexpr bool is_plain_arithmetic<map<F, Shape, Args...>> =
    !F::is_strip && !staged<F> && !requires { F::is_call; } && (is_plain_arithmetic<Args> && ...);
template <class Op, class E, class Shape>
class reduced {
  static_assert(!is_complex(dtype_of<typename E::value_type>),
                "complex numbers have no order: reduce real(z), imag(z) or abs(z) [errors.md#complex-order]");
  static_assert(!is_half_type<typename E::value_type>,
                "elements of 16 bits are reduced as f32: cast<float>(x) [errors.md#half-float-nodes]");

 public:
  using value_type = typename Op::template result<typename E::value_type>;
  using shape_type = Shape;
  using tree_type = E;
  static constexpr const char* name() { return Op::name(); }
  static constexpr bool is_scalar_barrier = is_one_element<Shape> && !has_calls<E> && reads_scalar_barriers<E>;
  // Whether the compiler knows which axes are gone: they became 1, or there are fewer.
  static constexpr bool names_axes = [] {
    bool named = Shape::axes_count != rank_of<E>;
    for (int i = 0; i < Shape::axes_count; ++i)
      named = named || (Shape::static_extents[i] == 1 && shape_of<E>::static_extents[i] != 1);
    return named;
  }();

  // The elements of both shapes have been counted.
  constexpr reduced(const E& e, const Shape& s, unsigned bits, runtime::reduction how)
      : e_(e), shape_(s), bits_(bits), how_(how) {}
  // One member after the other, as nodes of sources: see deferred.
  constexpr reduced(const reduced& o) noexcept(std::is_nothrow_copy_constructible_v<E>)
      : e_(o.e_), shape_(o.shape_), bits_(o.bits_), how_(o.how_) {}
  constexpr reduced(reduced&& o) noexcept(std::is_nothrow_move_constructible_v<E>)
      : e_(static_cast<E&&>(o.e_)), shape_(o.shape_), bits_(o.bits_), how_(o.how_) {}
  constexpr reduced& operator=(const reduced&) = default;

  constexpr const E& tree() const { return e_; }
  constexpr const Shape& shape() const { return shape_; }
  constexpr unsigned bits() const { return bits_; }
  constexpr runtime::reduction how() const { return how_; }
  template <class F>
  auto with_trees(const F& f) const {
    return reduced<Op, decltype(f(e_)), Shape>(f(e_), shape_, bits_, how_);
  }
  constexpr bool same(const reduced& o) const { return bits_ == o.bits_ && how_ == o.how_ && same_tree(e_, o.e_); }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }

  template <int Native, class Out>
    requires(is_small_static<typename E::shape_type> && is_small_static<Shape> && is_plain_arithmetic<E> &&
             __is_same(typename Out::shape_type, Shape))
  bool assign_to(const Out& out, const runtime::options&) const {
    constexpr int rank = Shape::axes_count;
    constexpr int n = [] {
      index count = 1;
      for (int i = 0; i < rank; ++i) count *= Shape::static_extents[i];
      return static_cast<int>(count);
    }();
    value_type copy[n];  // out may be an operand
    const auto each = [&](const auto& visit) {
      indices<rank> at{};
      for (int k = 0; k < n; ++k) {
        visit(k, at);
        for (int i = rank - 1; i >= 0; --i) {
          if (++at[i] < Shape::static_extents[i]) break;
          at[i] = 0;
        }
      }
    };
    each([&](int k, const indices<rank>& at) { copy[k] = element(at); });
    const auto strides = out.strides();
    each([&](int k, const indices<rank>& at) {
      out.data()[offset_of(out.shape().extents(), strides, at)] = cast_f<typename Out::value_type>::scalar(copy[k]);
    });
    return true;
  }

  // Whether results that left the range are computed again, by repair_range(): those of Op and of a tree whose elements
  // can be read one by one.
  static constexpr bool checks_range = requires { Op::is_checked; } && reads_single_elements<E> && !has_calls<E>;

  // Few elements of static operands to one, straight-line.
  static constexpr bool is_straight = [] {
    if constexpr (is_one_element<Shape> && is_small_static<typename E::shape_type>)
      return is_straight_operand<E> && requires { Op::combines_two; };
    else
      return false;
  }();
  template <int Native>
  BROADLOOM_INLINE void straight(value_type* to, const runtime::options& how) const {
    constexpr int n = static_cast<int>(static_size<typename E::shape_type>);
    const straight_input<Native, E> in(e_, how);
    using leaf = typename straight_input<Native, E>::leaf_type;
    using element_type = typename E::value_type;
    if constexpr (combines_in_vectors<Op, n, element_type>() && static_step<leaf, typename E::shape_type, n>(0) == 1)
      *to = combine_vectors<Op, n>(in.data() + static_offset<leaf, typename E::shape_type>(0));
    else {
      element_type x[n];
      [&]<int... At>(sequence<At...>) __attribute__((always_inline)) {
        ((x[At] = in.data()[static_offset<leaf, typename E::shape_type>(At)]), ...);
      }(make_sequence<n>{});
      *to = combine_few<Op, n>(x);
    }
    if constexpr (checks_range)
      if (!Op::is_plain(*to)) [[unlikely]] {
        const reduced own(*this);  // a copy, so that this needs no memory where the sum is plain
        *to = repaired_whole(own.e_, own, *to);
      }
  }

  // All elements to one.
  template <int Native, class Memo>
  value_type scalar_value(const runtime::options& how, Memo& memo) const {
    if constexpr (is_small_static<typename E::shape_type> && is_plain_arithmetic<E>)
      return element(indices<Shape::axes_count>{});
    else if constexpr (is_unplanned<E> && !requires { Op::is_checked; })
      return unplanned_whole<Native>(e_, how);  // at once: compilers copy a tree for each function it is inlined into
    else if constexpr (scalar_barrier_count<E> > 0)
      return checked_whole<Native>(with_scalars<Native>(e_, how, memo), how);
    else
      return checked_whole<Native>(e_, how);
  }

  // `count` results from number `first` on, in row-major order.
  static void repair_range(const void* node, index first, index count, void* to) {
    const reduced& own = *static_cast<const reduced*>(node);
    value_type* const results = static_cast<value_type*>(to);
    for (index k = 0; k < count; ++k) {
      if (!Op::left_range(results[k], own.how_)) continue;
      indices<Shape::axes_count> at{};
      index rest = first + k;
      for (int i = Shape::axes_count - 1; i >= 0; --i) {
        at[i] = rest % own.shape_[i];
        rest /= own.shape_[i];
      }
      results[k] = own.repaired(at, results[k]);
    }
  }

  template <int R>
  constexpr value_type element(const indices<R>& own) const {
    return with_sequence(own, [this](index n, const auto& coordinates) -> value_type {
      const auto get = [&](index at) { return e_.element(coordinates(at)); };
      if constexpr (checks_range) {
        const value_type x = sequence_value(n, get);
        if (!__builtin_is_constant_evaluated() && Op::left_range(x, how_)) [[unlikely]]
          return Op::in_range(x, e_, n, coordinates);
        return x;
      } else
        return sequence_value(n, get);
    });
  }

 private:
  template <class Get>
  constexpr value_type sequence_value(index n, const Get& get) const {
    if constexpr (requires { Op::template one<typename E::value_type>(n, get, how_); })
      return Op::template one<typename E::value_type>(n, get, how_);
    else
      return Op::template one<typename E::value_type>(n, get);
  }
  // f(n, place) of the n elements that one result is of: element i of them is at place(i) in the tree.
  template <int R, class F>
  constexpr auto with_sequence(const indices<R>& own, const F& f) const {
    constexpr int rank = rank_of<E>, out = Shape::axes_count;
    indices<rank> first{};
    index n = 1;
    int kept = 0, from = 0;
    for (int i = 0; i < rank; ++i) kept += (bits_ >> i & 1) == 0;
    for (int i = 0; i < rank; ++i) {
      if ((bits_ >> i & 1) != 0)
        n *= e_.shape()[i];
      else {  // reduced axes are gone, or those that are left stand at the end
        const int to = kept == out ? from++ : i - (rank - out);
        if (to >= 0) first[i] = own[to];  // always, which compilers do not see
      }
    }
    return f(n, [&](index at) {
      indices<rank> x = first;
      for (int i = rank - 1; i >= 0; --i)
        if ((bits_ >> i & 1) != 0) {
          x[i] = at % e_.shape()[i];
          at /= e_.shape()[i];
        }
      return x;
    });
  }
  [[gnu::noinline]] value_type repaired(const indices<Shape::axes_count>& at, value_type sum) const {
    return with_sequence(at, [&](index n, const auto& coordinates) { return Op::in_range(sum, e_, n, coordinates); });
  }
  template <int Native, class Tree>
  value_type checked_whole(const Tree& tree, const runtime::options& how) const {
    const value_type x = whole<Native>(tree, how);
    if constexpr (requires { Op::is_checked; } && !has_calls<Tree>)
      if (!Op::is_plain(x)) [[unlikely]]
        return repaired_whole(tree, *this, x);
    return x;
  }
  template <class Tree>
  [[gnu::noinline, gnu::cold]] static value_type repaired_whole(const Tree& tree, const reduced& of, value_type sum) {
    const reduced<Op, Tree, Shape> own(tree, of.shape_, of.bits_, of.how_);
    reduced<Op, Tree, Shape>::repair_range(&own, 0, 1, &sum);
    return sum;
  }
  template <class Tree>
  static constexpr bool is_unplanned = has_unplanned_form<Tree, rank_of<E>> && ramp_count<Tree> == 0;
  // The same of e_ as it is now, which reads no barrier. What is not row-major is planned.
  template <int Native, class Tree>
  value_type whole(const Tree& tree, const runtime::options& how) const {
    if constexpr (!has_unplanned_form<Tree, rank_of<E>>)
      return planned_whole<Native>(tree, how);
    else if constexpr (ramp_count<Tree> > 0)
      return has_ramps_in_memory(tree) ? unplanned_whole<Native>(tree, how) : planned_whole<Native>(tree, how);
    else
      return unplanned_whole<Native>(tree, how);
  }
  template <int Native, class Tree>
  value_type unplanned_whole(const Tree& tree, const runtime::options& how) const {
    return reduce_unplanned<Op, typename E::value_type, Native>(tree, e_.shape(), how_, how);
  }
  template <int Native, class Tree>
  value_type planned_whole(const Tree& tree, const runtime::options& how) const {
    value_type x;
    const deferred<reduced<Op, Tree, Shape>> all(reduced<Op, Tree, Shape>(tree, shape_, bits_, how_));
    assign_planned<Native, writing::copy>(view<value_type, Shape, row_major>(&x, shape_, {}), all, how);
    return x;
  }

  E e_;
  [[no_unique_address]] Shape shape_;
  unsigned bits_;
  runtime::reduction how_;
};

template <class Op, class E, class Shape, int Native>
struct bound_source<reduced<Op, E, Shape>, Native> {
  // The library has kernels for it.
  static constexpr bool contracts =
      Op::how == runtime::reduction::sum && pairs_up<E> && pair_term_of<E> != runtime::pair_term::other;

  bound_input<E, Native> input;
  runtime::source value{};

  bound_source(const reduced<Op, E, Shape>& s, bound_lets& lets) : input(s.tree(), lets) {
    describe_program<typename E::value_type>(value, s, input, s.tree().shape().data(), rank_of<E>, s.bits(), s.how());
    if constexpr (contracts)
      value.term = pair_term_of<E>;
    else if constexpr (pairs_up<E> && !has_calls<E> && is_lane_wise<Op>)
      value.tile = tile_of<Op, tile_form_of<E>.rows, typename program_of<E, typename E::value_type>::type, Native>;
    if constexpr (reads_at_positions<E> && !has_calls<E> && is_lane_wise<Op>)
      value.lines = gather_reduce_loop_of<Op, typename program_of<E, typename E::value_type>::type, Native>;
    if constexpr (reduced<Op, E, Shape>::checks_range) value.repair = &reduced<Op, E, Shape>::repair_range;
    if constexpr (!has_calls<E> && (is_lane_wise<Op> || combines_truth<Op>))
      value.rows = row_reduce_loop_of<Op, typename program_of<E, typename E::value_type>::type, Native>;
    if constexpr (requires { Op::needs_no_power(s.tree()); } && !has_calls<E>)
      if (Op::needs_no_power(s.tree())) Op::template describe_without_power<Native>(s.tree(), value);
  }
};

// Builds the node. Throws shape_error where Op has no value for no elements.
template <class Op, class E, class... O>
constexpr auto make_reduced_by(runtime::reduction how, const E& e, const O&... o) {
  using in = typename E::shape_type;
  constexpr int rank = in::axes_count;
  const auto axes = reduced_axes<rank>(Op::name(), o...);
  using axes_type = std::remove_cvref_t<decltype(axes)>;
  constexpr int out = keeps_axes<O...> ? rank : rank - named_axes<rank, O...>;
  static_assert(rank <= 32, "an array of at most 32 axes [errors.md#too-many-axes]");
  using shape_type = shape_from<reduced_static_extents<in, axes_type, out>()>;
  // A copy, so that e need not be in memory for the message: it would be written in two pieces and read as one.
  const auto extents = e.shape().extents();
  if constexpr (!Op::has_empty) {
    bool none = false;
    for (int i = 0; i < rank; ++i) none = none || ((axes.bits() >> i & 1) != 0 && extents[i] == 0);
    if (none) throw_nothing_to_reduce(Op::name(), extents.v, rank, axes.bits(), !(names_axes<O> || ...));
  }
  const auto shape = shape_type::unchecked(reduced_extents<out>(extents, axes.bits()));
  check_count(Op::name(), e.shape());
  check_count(Op::name(), shape);
  return deferred<reduced<Op, E, shape_type>>(checked_source{}, e, shape, axes.bits(), how);
}
template <class Op, class E, class... O>
constexpr auto make_reduced(const E& e, const O&... o) {
  return make_reduced_by<Op>(Op::how, e, o...);
}

}  // namespace broadloom::detail
