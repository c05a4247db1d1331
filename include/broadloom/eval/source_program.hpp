// Sources that are programs: the bound tree over which such a program runs, and the program as data.
#pragma once

#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/deferred.hpp>

namespace broadloom::detail {

// The tree over which a source's program runs. Callables that are not called once for each of its elements are replaced
// by their results.
template <class E, int Native>
struct bound_input {
  bound_tree<E, Native> tree;
  bound_input(const E& e, bound_lets& lets) : tree(e, lets) {}
  const runtime::leaf_array* leaves() const { return tree.leaves; }
  int count() const { return tree.count; }
  template <class T>
  const runtime::program* code() const {
    return &program_code<typename program_of<E, T>::type, Native, false>::value;
  }
};
template <class E, int Native>
  requires has_calls<E>
struct bound_input<E, Native> {
  using called_first = typename calls_evaluated<E>::type;
  bound_tree<E, Native> tree;
  const called_first* evaluated = nullptr;
  const bound_tree<called_first, Native>* evaluated_tree = nullptr;

  bound_input(const E& e, bound_lets& lets) : tree(e, lets) {
    if (calls_have_shape(e, e.shape())) return;
    evaluated = new called_first(with_calls_evaluated<Native>(e, runtime::options{}));
    evaluated_tree = new bound_tree<called_first, Native>(*evaluated, lets);
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
    return evaluated_tree != nullptr ? &program_code<typename program_of<called_first, T>::type, Native, false>::value
                                     : &program_code<typename program_of<E, T>::type, Native, false>::value;
  }
};

// A source that is a program over the elements of `e`, of type T.
template <class T, class Source, class Input>
void describe_program(runtime::source& to, const Source& s, const Input& input, const index* in_extents, int in_rank,
                      unsigned reduced, runtime::reduction how) {
  to.name = Source::name();
  to.node = &s;
  to.same = same_source<Source>;
  to.type = compiled_dtype<typename Source::value_type>();
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

}  // namespace broadloom::detail
