// Evaluation without the library: one element after the other. What a tree reads that is computed before its loop, such
// as reductions, is computed once and read from memory.
#pragma once

#include <broadloom/core/storage.hpp>
#include <broadloom/eval/calls.hpp>
#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/owned_arrays.hpp>
#include <broadloom/expr/tensor_ref.hpp>
#include <broadloom/fn/arguments.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::detail {

// The elements of lets that an evaluation has computed, by the number or the address that copies of a let share.
class serial_memo {
 public:
  struct key {
    index id;
    const void* tree;
    friend bool operator==(const key&, const key&) = default;
  };

  serial_memo() = default;
  serial_memo(const serial_memo&) = delete;
  serial_memo& operator=(const serial_memo&) = delete;
  ~serial_memo() {
    while (last_ != nullptr) {
      entry* const e = last_;
      last_ = e->before;
      delete e;
    }
  }

  int threads = 1;  // on which sources of own elements are computed (eval/own_loop.hpp)

  template <class A>
  const A* find(const key& k) const {
    for (const entry* e = last_; e != nullptr; e = e->before)
      if (e->of == k) return &static_cast<const entry_of<A>*>(e)->elements;
    return nullptr;
  }
  template <class A>
  void keep(const key& k, const A& elements) {
    last_ = new entry_of<A>(k, last_, elements);
  }

 private:
  struct entry {
    key of;
    entry* before;
    entry(const key& k, entry* b) : of(k), before(b) {}
    virtual ~entry() = default;
  };
  template <class A>
  struct entry_of final : entry {
    A elements;
    entry_of(const key& k, entry* b, const A& x) : entry(k, b), elements(x) {}
  };

  entry* last_ = nullptr;
};

// Memory for the elements of a shape, not initialised, that a tree may own.
template <class T, class Shape>
struct serial_room {
  T* data;
  shared_handle owner;
  Shape shape;

  serial_room(const char* call, const Shape& s) : data(room(call, s)), owner(held(data, s)), shape(s) {}
  shared_array<T, Shape, row_major> elements() const { return {owner, data, shape, {}}; }

 private:
  static std::size_t bytes(const Shape& s) { return static_cast<std::size_t>(s.size()) * sizeof(T); }
  static T* room(const char* call, const Shape& s) {
    check_count(call, s, sizeof(T));
    return static_cast<T*>(runtime::allocate(bytes(s)));
  }
  static shared_block* held(T* data, const Shape& s) { return shared_block_of(data, bytes(s)); }
};

// visit(k, at) for the indices of a shape in row-major order, of which `at` is the k-th.
template <class Shape, class F>
constexpr void for_each_index(const Shape& shape, const F& visit) {
  constexpr int rank = Shape::axes_count;
  const index n = shape.size();
  indices<rank> at{};
  for (index k = 0; k < n; ++k) {
    visit(k, at);
    for (int i = rank - 1; i >= 0; --i) {
      if (++at[i] < shape[i]) break;
      at[i] = 0;
    }
  }
}

// The tree with memory in the place of all that is computed before its loop: `type`, and of(e, memo).
template <class E>
struct serial_tree {
  using type = E;
  static const E& of(const E& e, serial_memo&) { return e; }
};
template <class T, class Shape>
struct serial_tree<tensor_ref<T, Shape>> {
  using type = view<const T, Shape, row_major>;
  static type of(const tensor_ref<T, Shape>& e, serial_memo&) { return {e.data(), e.shape(), {}}; }
};
template <class T, class Whole, class Shape, class Layout>
struct serial_tree<tensor_ref_view<T, Whole, Shape, Layout>> {
  using type = view<const T, Shape, Layout>;
  static type of(const tensor_ref_view<T, Whole, Shape, Layout>& e, serial_memo&) {
    return {e.data(), e.shape(), e.layout()};
  }
};
template <class F, class Shape, class... Args>
struct serial_tree<map<F, Shape, Args...>> {
  using type = map<F, Shape, typename serial_tree<Args>::type...>;
  static type of(const map<F, Shape, Args...>& e, serial_memo& memo) {
    return unpack(e.args(),
                  [&](const Args&... a) { return type(e.function(), e.shape(), serial_tree<Args>::of(a, memo)...); });
  }
};
template <class Source, class Shape, class Layout>
struct serial_tree<deferred<Source, Shape, Layout>> {
  using type = shared_array<typename Source::value_type, Shape, Layout>;
  static type of(const deferred<Source, Shape, Layout>& e, serial_memo& memo) {
    return serial_elements(e.source(), memo).seen_as(e.offset(), e.shape(), e.layout());
  }
};

// A tree that stands in a source: callables in it are called once for each element of their own shapes.
template <class E>
auto serial_operand(const E& e, serial_memo& memo) {
  const auto called = with_calls_evaluated<0>(e, runtime::options{});
  return serial_tree<std::remove_cvref_t<decltype(called)>>::of(called, memo);
}
// Writes all its elements, row-major.
template <class E>
void write_tree(const E& e, typename E::value_type* to, serial_memo& memo) {
  const auto tree = serial_operand(e, memo);
  for_each_index(e.shape(), [&](index k, const auto& at) { to[k] = tree.element(at); });
}

// The same of own elements, each by itself, on threads: eval/own_loop.hpp.
template <class Source>
void write_own_elements(const Source& s, typename Source::value_type* to, int threads);

// Writes all elements of a source, row-major. A source says by with_trees(f) what it is of f(tree) for each of its
// trees; and by write_serially(to) how one element follows from the one before.
template <class Source>
void write_source(const Source& s, typename Source::value_type* to, serial_memo& memo) {
  const auto computed = [&](const auto& e) { return serial_operand(e, memo); };
  if constexpr (requires { s.write_tree(to, memo); })
    s.write_tree(to, memo);
  else if constexpr (requires { s.with_trees(computed); }) {
    const auto of_memory = s.with_trees(computed);
    if constexpr (requires { of_memory.write_serially(to); })
      of_memory.write_serially(to);
    else if constexpr (own_element<typename Source::value_type>)
      write_own_elements(of_memory, to, memo.threads);
    else
      for_each_index(s.shape(), [&](index k, const auto& at) { to[k] = of_memory.element(at); });
  } else if constexpr (own_element<typename Source::value_type>)
    write_own_elements(s, to, memo.threads);
  else
    for_each_index(s.shape(), [&](index k, const auto& at) { to[k] = s.element(at); });
}

template <class Source>
using elements_of = shared_array<typename Source::value_type, typename Source::shape_type, row_major>;
template <class Source>
elements_of<Source> serial_elements(const Source& s, serial_memo& memo) {
  constexpr bool has_key = requires { s.key(); };
  if constexpr (has_key)
    if (const auto* const known = memo.find<elements_of<Source>>(s.key())) return *known;
  const serial_room<typename Source::value_type, typename Source::shape_type> to(Source::name(), s.shape());
  write_source(s, to.data, memo);
  if constexpr (has_key) memo.keep(s.key(), to.elements());
  return to.elements();
}

// As assign_node, whose checks are done. Elements that the tree may read are replaced after the last was computed.
template <class Out, class E>
void assign_by_element(const Out& out, const E& e) {
  using T = typename Out::value_type;
  serial_memo memo;
  const auto shape = out.shape();
  const auto strides = out.strides();
  const auto tree = serial_tree<E>::of(e, memo);
  const auto extents = shape.extents();
  const memory_range own = memory_of(out);
  if (!may_read(tree, own.low, own.high))
    return for_each_index(shape, [&](index, const auto& at) {
      out.data()[offset_of(extents, strides, at)] = cast_f<T>::scalar(tree.element(at));
    });
  const serial_room<T, typename Out::shape_type> copy(nullptr, shape);
  for_each_index(shape, [&](index k, const auto& at) { copy.data[k] = cast_f<T>::scalar(tree.element(at)); });
  for_each_index(shape, [&](index k, const auto& at) { out.data()[offset_of(extents, strides, at)] = copy.data[k]; });
}

}  // namespace broadloom::detail
