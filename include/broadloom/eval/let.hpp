// let(e): a part of an expression with a name of its own, computed once however often it is used, as in
// auto t = let(f(M)); t * t.
#pragma once

#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/deferred.hpp>

namespace broadloom {

namespace detail {

// A number no other `let` of this program has; 0 in constant expressions.
index next_let() noexcept;

template <class E>
class computed {
 public:
  using value_type = typename E::value_type;
  using shape_type = typename E::shape_type;
  static constexpr const char* name() { return "let"; }

  constexpr explicit computed(const E& e) : e_(e), id_(__builtin_is_constant_evaluated() ? 0 : next_let()) {}

  constexpr const E& tree() const { return e_; }
  constexpr const shape_type& shape() const { return e_.shape(); }
  template <int R>
  constexpr value_type element(const indices<R>& at) const {
    return e_.element(at);
  }
  // Copies of one `let` are the same, and so are two of equal functions of equal arrays.
  constexpr bool same(const computed& o) const { return (id_ != 0 && id_ == o.id_) || same_tree(e_, o.e_); }
  bool reads(const void* low, const void* high) const { return may_read(e_, low, high); }

 private:
  E e_;
  index id_;
};

template <class E>
inline constexpr bool is_reduction<computed<E>> = is_of_reductions<E>;
template <class E>
inline constexpr bool is_reduction_of_any_axes<computed<E>> = reduces_any_axes<E>;

// The tree that a source's program runs over, with the results of callables in their place where they are not called
// once for each of its elements.
template <class E, int Native>
struct bound_input {
  bound_tree<E, Native> tree;
  explicit bound_input(const E& e) : tree(e) {}
  const runtime::leaf_array* leaves() const { return tree.leaves; }
  int count() const { return tree.count; }
  template <class T>
  const runtime::program* code() const {
    return &program_code<typename program_of<E, T>::type, Native>::value;
  }
};
template <class E, int Native>
  requires has_calls<E>
struct bound_input<E, Native> {
  using called_first = typename calls_evaluated<E>::type;
  bound_tree<E, Native> tree;
  const called_first* evaluated = nullptr;
  const bound_tree<called_first, Native>* evaluated_tree = nullptr;

  explicit bound_input(const E& e) : tree(e) {
    if (calls_have_shape(e, e.shape())) return;
    evaluated = new called_first(with_calls_evaluated<Native>(e, runtime::options{}));
    evaluated_tree = new bound_tree<called_first, Native>(*evaluated);
  }
  bound_input(const bound_input&) = delete;
  bound_input& operator=(const bound_input&) = delete;
  ~bound_input() {
    delete evaluated_tree;
    delete evaluated;
  }
  const runtime::leaf_array* leaves() const { return evaluated_tree != nullptr ? evaluated_tree->leaves : tree.leaves; }
  int count() const { return evaluated_tree != nullptr ? evaluated_tree->count : tree.count; }
  template <class T>
  const runtime::program* code() const {
    return evaluated_tree != nullptr ? &program_code<typename program_of<called_first, T>::type, Native>::value
                                     : &program_code<typename program_of<E, T>::type, Native>::value;
  }
};

// A source that is a program over the elements of `e`, of type T.
template <class T, class Source, class Input>
void describe_program(runtime::source& to, const Source& s, const Input& input, const index* in_extents, int in_rank,
                      unsigned reduced, runtime::reduction how) {
  to.name = Source::name();
  to.node = &s;
  to.same = same_source<Source>;
  to.type = dtype_of<typename Source::value_type>;
  to.extents = s.shape().data();
  to.rank = Source::shape_type::axes_count;
  to.leaves = input.leaves();
  to.leaf_count = input.count();
  to.code = input.template code<T>();
  to.in_extents = in_extents;
  to.in_rank = in_rank;
  to.reduced = reduced;
  to.how = how;
}

template <class E, int Native>
struct bound_source<computed<E>, Native> {
  bound_input<E, Native> input;
  runtime::source value{};

  explicit bound_source(const computed<E>& s) : input(s.tree()) {
    describe_program<typename E::value_type>(value, s, input, s.shape().data(), rank_of<E>, 0,
                                             runtime::reduction::none);
  }
};

// A tree that may be mentioned several times: an array as it is, anything else by `let`.
template <class E>
constexpr auto shared_tree(const E& e) {
  if constexpr (leaf<E>)
    return e;
  else
    return deferred<computed<E>>(computed<E>(e));
}

}  // namespace detail

// let(e): e's shape and type. Two are one, and are computed once in an expression, when one is a copy of the other, or
// when they are equal functions of the same arrays.
inline constexpr struct let_t {
  template <array E>
  constexpr auto operator()(E&& e) const {
    using node = detail::captured<E>;
    return deferred<detail::computed<node>>(detail::computed<node>(detail::capture(static_cast<E&&>(e))));
  }
} let{};

}  // namespace broadloom
