// let(x): an operand with a name of its own, which may be mentioned many times and kept: auto t = let(f(M)); t * t.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/constant.hpp>
#include <broadloom/eval/shared_let.hpp>
#include <broadloom/fn/promote.hpp>

namespace broadloom {

namespace detail {

// A `let` that holds its tree.
template <class E>
class computed {
 public:
  using value_type = typename E::value_type;
  using shape_type = typename E::shape_type;
  static constexpr const char* name() { return "let"; }
  static constexpr bool single_elements = leaf<E> && has_single_elements<E>;  // an array in another order
  using tree_type = E;
  static constexpr bool is_scalar_barrier = is_one_element<shape_type> && !has_calls<E> && reads_scalar_barriers<E>;

  constexpr explicit computed(const E& e) : e_(e), id_(__builtin_is_constant_evaluated() ? 0 : next_let()) {}

  constexpr const E& tree() const { return e_; }
  constexpr index let_id() const { return id_; }
  serial_memo::key key() const { return {id_, nullptr}; }
  template <class F>
  auto with_trees(const F& f) const {
    return computed<std::remove_cvref_t<decltype(f(e_))>>(f(e_));
  }
  constexpr const shape_type& shape() const { return e_.shape(); }
  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    return e_.element(at);
  }
  // Two `let`s are the same if one is a copy of the other, or if they are equal functions of equal arrays.
  constexpr bool same(const computed& o) const { return (id_ != 0 && id_ == o.id_) || same_tree(e_, o.e_); }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }
  template <int Native, class Memo>
  value_type scalar_value(const runtime::options& how, Memo& memo) const {
    value_type x;
    assign_node<Native>(view<value_type, shape_type, row_major>(&x, shape(), {}), with_scalars<Native>(e_, how, memo),
                        how);
    return x;
  }

 private:
  E e_;
  index id_;
};

template <class E>
inline constexpr bool is_reduction<computed<E>> = is_of_reductions<E>;
template <class E>
inline constexpr bool is_reduction_of_any_axes<computed<E>> = reduces_any_axes<E>;

template <class E, int Native>
struct bound_source<computed<E>, Native> {
  bound_input<E, Native> input;
  runtime::source value{};
  bound_lets::held found;

  bound_source(const computed<E>& s, bound_lets& lets) : input(s.tree(), lets), found{&value, s.let_id(), nullptr} {
    describe_program<typename E::value_type>(value, s, input, s.shape().data(), rank_of<E>, 0,
                                             runtime::reduction::none);
    lets.keep(found);
  }
};

// Whether an element of a tree costs no more than one of each of its leaves, also where a `let` holds a part of it.
template <class E>
inline constexpr bool reads_single_elements = has_single_elements<E>;
template <class F, class Shape, class... Args>
inline constexpr bool reads_single_elements<map<F, Shape, Args...>> = (reads_single_elements<Args> && ...);
template <class E, class Shape, class Layout>
inline constexpr bool reads_single_elements<deferred<computed<E>, Shape, Layout>> = reads_single_elements<E>;

// Whether a `let` holds E whatever its size, so that its type shows the tree: headers that evaluate leaves in their own
// way, such as rows of files or of ranks, look for these through a `let`. Such a leaf, or the source of a deferred one,
// has `static constexpr bool shows_tree = true`; a source with a `tree_type` passes on what its tree says.
template <class E>
inline constexpr bool shows_tree = requires { requires E::shows_tree; };
template <class F, class Shape, class... Args>
inline constexpr bool shows_tree<map<F, Shape, Args...>> = (shows_tree<Args> || ...);
template <deferred_leaf E>
inline constexpr bool shows_tree<E> = [] {
  using source = typename E::source_type;
  if constexpr (requires { source::shows_tree; })
    return source::shows_tree;
  else if constexpr (requires { typename source::tree_type; })
    return shows_tree<typename source::tree_type>;
  else
    return false;
}();

// A tree of at most this many bytes is held by each copy of its `let`, without memory of its own: std of an array with
// four axes has this size. Larger trees are shared: copies of copies would grow without bound, and a callable's results
// are to exist once.
inline constexpr int max_held_bytes = 512;
template <class E>
inline constexpr bool holds_tree = !has_calls<E> && (sizeof(E) <= max_held_bytes || shows_tree<E>);
template <class E>
using let_source = std::conditional_t<holds_tree<E>, computed<E>,
                                      shared_let<value_of<E>, shape_of<E>, is_of_reductions<E>, reduces_any_axes<E>>>;
template <int Native, class E>
constexpr let_source<E> make_let(const E& e) {
  if constexpr (__is_same(let_source<E>, computed<E>))
    return computed<E>(e);
  else
    return let_source<E>::template of<Native>(e);
}

// What is mentioned many times as it is: an array where it lies, and a `let`. (A static array that is larger is
// shared.)
template <class E>
inline constexpr bool is_let_source = false;
template <class E>
inline constexpr bool is_let_source<computed<E>> = true;
template <class T, class Shape, bool OfReductions, bool OfAnyAxes>
inline constexpr bool is_let_source<shared_let<T, Shape, OfReductions, OfAnyAxes>> = true;
template <class E>
inline constexpr bool needs_no_let = leaf<E> && sizeof(E) <= max_held_bytes;
template <deferred_leaf E>
inline constexpr bool needs_no_let<E> = is_let_source<typename E::source_type>;

// A tree that may be mentioned several times: a leaf as it is, anything else as a `let`.
template <class E, int Native = BROADLOOM_NATIVE>
constexpr auto shared_tree(const E& e) {
  if constexpr (leaf<E>)
    return e;
  else
    return deferred<let_source<E>>(make_let<Native>(e));
}

}  // namespace detail

// let(x): x's shape and type, to be mentioned many times and kept. An expression is computed once, however often it is
// mentioned; two are one when one is a copy of the other, or when they are equal functions of the same arrays. Its size
// does not grow with the expression it names. An array with a name is referred to, as everywhere, and a temporary one
// is owned, and shared by all that mention it; neither is copied. A number or a constant is itself.
inline constexpr struct let_t {
#if defined(__clang__)
  template <detail::referred E, int Native = BROADLOOM_NATIVE>
  constexpr auto operator()(E& e BROADLOOM_LIFETIMEBOUND) const {
    return of<Native>(e);
  }
  template <expression E, int Native = BROADLOOM_NATIVE>
  constexpr auto operator()(E e BROADLOOM_LIFETIMEBOUND) const {
    return of<Native>(static_cast<E&&>(e));
  }
  template <array E, int Native = BROADLOOM_NATIVE>
    requires(!expression<E>)
#else
  template <array E, int Native = BROADLOOM_NATIVE>
#endif
  constexpr auto operator()(E&& e) const {
    return of<Native>(static_cast<E&&>(e));
  }
  template <class T>
    requires detail::number_scalar<T> || detail::constant<T>
  constexpr T operator()(T x) const {
    return x;
  }

 private:
  template <int Native, class E>
  static constexpr auto of(E&& e) {
    using node = detail::captured<E>;
    if constexpr (detail::needs_no_let<node>)
      return detail::capture(static_cast<E&&>(e));
    else
      return deferred<detail::let_source<node>>(detail::make_let<Native>(detail::capture(static_cast<E&&>(e))));
  }
} let{};

}  // namespace broadloom
