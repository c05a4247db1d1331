// Functions on core arrays, stacked over loop axes: the node that holds the operands of a lazy one.
#pragma once

#include <broadloom/eval/scheduler.hpp>
#include <broadloom/linalg/core_function.hpp>
#include <broadloom/linalg/materialized.hpp>

namespace broadloom {
namespace detail {

template <class F, class Shape, class... Args>
class stacked {
 public:
  using value_type = typename F::template result<typename first_of<Args...>::type::value_type, 0>;
  using shape_type = Shape;
  static constexpr bool shows_tree = (detail::shows_tree<Args> || ...);

  template <class... A>
  constexpr stacked(const F& f, const Shape& s, A&&... args) : args_(static_cast<A&&>(args)...), shape_(s), f_(f) {}

  static constexpr const char* name() { return F::name(); }
  constexpr const Shape& shape() const { return shape_; }
  constexpr const auto& args() const { return args_; }
  constexpr const F& function() const { return f_; }

  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    return detail::unpack(args_, [&](const Args&... a) -> value_type {
      if constexpr (requires { f_.constant(at, a...); })
        if (__builtin_is_constant_evaluated()) return f_.constant(at, a...);
      if constexpr (requires { F::one(at, a...); })
        return F::one(at, a...);
      else {
        tensor<value_type, Shape> computed = tensor<value_type, Shape>::uninitialised(shape_);
        evaluate<BROADLOOM_NATIVE>(computed.data(), runtime::options{});
        return computed.data()[offset_of(shape_.extents(), row_major::strides(shape_), at)];
      }
    });
  }
  // Of own elements, which are computed one by one.
  template <class G>
    requires(own_element<value_type>)
  auto with_trees(const G& g) const {
    return detail::unpack(args_, [&](const Args&... a) {
      return stacked<F, Shape, std::remove_cvref_t<decltype(g(a))>...>(f_, shape_, g(a)...);
    });
  }
  bool same(const stacked& o) const {
    if constexpr (!requires { f_ == o.f_; })
      return this == &o;
    else
      return f_ == o.f_ && [&]<int... At>(sequence<At...>) {
        return (same_tree(boost::hana::at_c<At>(args_), boost::hana::at_c<At>(o.args_)) && ...);
      }(make_sequence<sizeof...(Args)>{});
  }
  // Whether it reads memory in [low, high) while it writes results.
  bool reads(const void* low, const void* high) const {
    if constexpr (by_rows)
      if constexpr (!lies_in_memory<typename first_of<Args...>::type>)
        if (block_hint() >= 0 && may_read(boost::hana::at_c<0>(args_), low, high)) return true;
    return detail::unpack(args_, [&](const Args&... a) { return (operand_reads(a, low, high) || ...); });
  }
  // Few elements of static operands are computed straight-line; what F refuses is left to compiled code.
  static constexpr bool is_straight = [] {
    if constexpr (requires { F::template is_straight<Args...>; })
      return F::template is_straight<Args...>;
    else
      return false;
  }();
  // Whether the elements may go to memory that is read.
  static constexpr bool writes_at_last = requires { F::writes_at_last; };
  template <int Native>
  BROADLOOM_INLINE void straight(value_type* to, const runtime::options& how) const {
    const bool done = [&]<int... At>(sequence<At...>) __attribute__((always_inline)) {
      return f_.template straight<Native>(to, how, boost::hana::at_c<At>(args_)...);
    }(make_sequence<sizeof...(Args)>{});
    if (!done) [[unlikely]] {
      constexpr index n = static_size<Shape>;
      if constexpr (n <= 16) {
        // Of copies, so that what is not refused needs no memory.
        const stacked own(*this);
        const runtime::options options = how;
        value_type results[n];
        own.template run_compiled<Native>(results, options);
#pragma GCC unroll 16
        for (index i = 0; i < n; ++i) to[i] = results[i];
      } else
        run_compiled<Native>(to, how);
    }
  }
  template <int Native>
  void evaluate(value_type* to, const runtime::options& how) const {
    if constexpr (is_straight)
      straight<Native>(to, how);
    else if constexpr (may_be_few) {
      if (is_few())
        few<Native>(to, how);
      else
        run_compiled<Native>(to, how);
    } else
      run_compiled<Native>(to, how);
  }
  static constexpr bool is_dynamic_product = sizeof...(Args) == 2 && !is_straight && requires { F::run_rows; };
  // Few elements of operands in memory, their sizes known when the program runs, are computed without compiled code.
  static constexpr bool may_be_few = [] {
    if constexpr (requires { F::template may_be_few<Args...>; })
      return !is_straight && F::template may_be_few<Args...>;
    else
      return false;
  }();
  bool is_few() const
    requires may_be_few
  {
    return F::is_few(boost::hana::at_c<0>(args_).shape(), boost::hana::at_c<1>(args_).shape());
  }
  template <int Native>
  void few(value_type* to, const runtime::options& how) const
    requires may_be_few
  {
    F::template few<Native>(to, how, boost::hana::at_c<0>(args_), boost::hana::at_c<1>(args_));
  }
  // A product of arrays in memory needs no plan: it writes to the output, or is computed beside it first.
  static constexpr bool needs_no_plan = (is_dynamic_product || may_be_few) && (lies_in_memory<Args> && ...);
  template <int Native, class Out>
    requires(needs_no_plan && __is_same(typename Out::layout_type, row_major) &&
             __is_same(typename Out::value_type, value_type) && Out::shape_type::axes_count == Shape::axes_count)
  bool assign_to(const Out& out, const runtime::options& how) const {
    if (!writes_to(out)) return false;
    if constexpr (may_be_few)
      if (is_few()) {
        few<Native>(out.data(), how);
        return true;
      }
    if (shape_.size() != 0) run_compiled<Native>(out.data(), how);
    return true;
  }
  // Of e, a view of this source.
  template <int Native, writing How, class Out, class E>
  [[gnu::noinline]] void assign_beside(const Out& out, const E& e, const runtime::options& how) const {
    scratch_memory room;
    auto* const to =
        static_cast<value_type*>(room.allocate(static_cast<std::size_t>(shape_.size()) * sizeof(value_type)));
    if (shape_.size() != 0) evaluate<Native>(to, how);
    assign_node<Native, How>(
        out, view<const value_type, typename E::shape_type, row_major>(to + e.offset(), e.shape(), {}), how);
  }
  template <class Out>
    requires needs_no_plan
  bool writes_to(const Out& out) const {
    const value_type* const to = out.data();  // null where explain() asks
    return same_extents(out.shape(), shape_) && (to == nullptr || !reads(to, to + shape_.size()));
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
    if constexpr (requires { F::row_hint(nullptr, 0, index{}, false); } && sizeof...(Args) == 2 && !is_straight)
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
    if constexpr (may_be_few)
      if (is_few()) return -1;
    constexpr index least = 1 << 17;
    const bool vectors = by_vector || of_a_row || shows_column();
    return vectors && shape_.size() < least ? -1 : block_hint();
  }
  // How much of the leading axis is computed at a time, and of a tree evaluated.
  index block_hint() const
    requires by_rows
  {
    if constexpr (lies_in_memory<typename first_of<Args...>::type> || of_a_row) {
      const auto& left = boost::hana::at_c<0>(args_).shape();
      constexpr int rank = Shape::axes_count;
      const index depth = left[rank_of<typename first_of<Args...>::type> - 1];
      return shows_column() ? F::row_hint(shape_.data(), rank - 1, depth, true)
                            : F::row_hint(shape_.data(), rank, depth, by_vector || of_a_row);
    } else
      return detail::unpack(args_, [&](const Args&... a) {
        const runtime::stacked_operand operands[] = {operand_of<BROADLOOM_NATIVE>(a)...};
        return runtime::block_hint(as_product(operands));
      });
  }
  template <int Native>
  void evaluate_rows(index first, index last, value_type* to, const runtime::options& how) const {
    detail::unpack(args_, [&](const Args&... a) {
      const runtime::stacked_operand operands[] = {operand_of<Native>(a)...};
      runtime::multiply_rows(as_product(operands), first, last, to, how);
    });
  }

 private:
  // By compiled code.
  template <int Native>
  [[gnu::noinline]] void run_compiled(value_type* to, const runtime::options& how) const {
    if constexpr (by_rows)
      detail::unpack(args_, [&](const Args&... a) {
        const runtime::stacked_operand operands[] = {operand_of<Native>(a)...};
        runtime::multiply(as_product(operands), to, how);
      });
    else
      detail::unpack(args_, [&](const Args&... a) {
        void* const outputs[] = {to};
        run_stacked<Native>(f_, outputs, how, a...);
      });
  }
  runtime::stacked_problem as_product(const runtime::stacked_operand* operands) const {
    return {stacked_code<F, typename first_of<Args...>::type::value_type>, parameters_of(f_), operands, shape_.data(),
            Shape::axes_count};
  }
  // A column that the result shows.
  bool shows_column() const {
    constexpr int rank = Shape::axes_count;
    if constexpr (by_vector || of_a_row || rank < 2)
      return false;
    else
      return shape_[rank - 1] == 1;
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
  using node = deferred<stacked<F, shape_type, Args...>>;
  constexpr bool known = (Args::shape_type::is_static && ...);
  if constexpr (known && !requires(core_binding b) { f.check_shapes(b); })
    return node(checked_source{}, f, shape_type{}, static_cast<Args&&>(args)...);
  if constexpr (requires(index* to) { F::plain_extents(to, args.shape()...); })
    if (indices<shape_type::axes_count> extents{}; F::plain_extents(extents.v, args.shape()...))
      return node(checked_source{}, f, shape_type::unchecked(extents), static_cast<Args&&>(args)...);
  if constexpr (!requires(core_binding b) { f.check_shapes(b); } && !requires { F::extents(0, nullptr); })
    if (!__builtin_is_constant_evaluated()) {
      indices<shape_type::axes_count> extents;
      // Of copies: operands whose extents are plain need no memory.
      [&extents](const auto... s) __attribute__((always_inline)) {
        const shape_view views[] = {{s.data(), rank_of<Args>, names_of<typename Args::shape_type>}...};
        bind_result(extents.v, F::name(), F::signature::str(), F::signature::parsed, views, F::exact);
      }(args.shape()...);
      return node(checked_source{}, f, shape_type::unchecked(extents), static_cast<Args&&>(args)...);
    }
  const core_binding b = checked_binding<F>(args.shape()...);
  if constexpr (requires { f.check_shapes(b); }) f.check_shapes(b);
  const auto s = result_shape_now<shape_type, F>(b, 0);
  return node(stacked<F, shape_type, Args...>(f, s, static_cast<Args&&>(args)...));
}

// The arguments' common element type.
template <class F, class... A>
using compute_type = typename F::rule::template compute<typename common_of<promoted_code<A...>, A...>::type>;

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
#if defined(__clang__)
  template <referred... A>
    requires(sizeof...(A) > 0) && stackable<F, A&...>
  constexpr auto operator()(A&... a BROADLOOM_LIFETIMEBOUND) const {
    return defer(F{}, a...);
  }
#endif
  template <array... A>
    requires stackable<F, A...>
  constexpr auto operator()(A&&... a) const {
    return defer(F{}, static_cast<A&&>(a)...);
  }
  template <array... A, class Error = stacked_error<F, A...>>
    requires(!stackable<F, A...> && sizeof...(A) == F::signature::parsed.inputs)
  Error operator()(A&&...) const BROADLOOM_REFUSED;
  template <class G = F, class... A, class Error = takes_arrays<G>>
    requires takes_others<G, A...>
  Error operator()(const A&...) const BROADLOOM_REFUSED;
};

// item() of what is computed straight-line, where it is asked for: found by its argument's namespace.
template <int Native, class F, class... A>
  requires(stacked<F, shape<>, A...>::is_straight && !is_by_element(Native))
BROADLOOM_INLINE constexpr auto only_element(const deferred<stacked<F, shape<>, A...>>& e) {
  if (__builtin_is_constant_evaluated()) return e.element(indices<0>{});
  typename stacked<F, shape<>, A...>::value_type x{};
  e.source().template straight<Native>(&x, runtime::options{});
  return x;
}
template <int Native, class F, class... A>
  requires(stacked<F, shape<>, A...>::may_be_few && !is_by_element(Native))
BROADLOOM_INLINE constexpr auto only_element(const deferred<stacked<F, shape<>, A...>>& e) {
  if (__builtin_is_constant_evaluated()) return e.element(indices<0>{});
  if (!e.source().is_few()) [[unlikely]] {
    const auto own = e;  // so that others need no memory
    return evaluated_item<deferred<stacked<F, shape<>, A...>>, Native>::of(own);
  }
  typename stacked<F, shape<>, A...>::value_type x{};
  e.source().template few<Native>(&x, runtime::options{});
  return x;
}

}  // namespace detail
}  // namespace broadloom
