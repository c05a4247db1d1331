// Binding: the leaves of a tree, from left to right, as pointers for compiled code. The pointers are valid during the
// call.
#pragma once

#include <new>

#include <broadloom/expr/deferred.hpp>
#include <broadloom/plan/bound_lets.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/program.hpp>

namespace broadloom::detail {

static_assert(max_operands == runtime::first_stage - 1);

template <class T>
inline runtime::leaf_array* bind_leaves(const scalar<T>& e, runtime::leaf_array* to) {
  *to = {&e.value(), nullptr, nullptr, 0, dtype_of<T>, true, nullptr, 0};
  return to + 1;
}
template <leaf E>
inline runtime::leaf_array* bind_leaves(const E& e, runtime::leaf_array* to) {
  *to = {e.data(), e.shape().data(), e.layout().data(), rank_of<E>, dtype_of<typename E::value_type>, false, nullptr,
         0};
  return to + 1;
}
// Marks a leaf whose source, of type S, is bound after all leaves.
template <class S>
inline constexpr runtime::source unbound_source{};
template <deferred_leaf E>
inline runtime::leaf_array* bind_leaves(const E& e, runtime::leaf_array* to) {
  *to = {&e.source(),
         e.shape().data(),
         e.layout().data(),
         rank_of<E>,
         dtype_of<typename E::value_type>,
         false,
         &unbound_source<typename E::source_type>,
         e.offset()};
  return to + 1;
}
template <class F, class Shape, class... Args>
inline runtime::leaf_array* bind_leaves(const map<F, Shape, Args...>& e, runtime::leaf_array* to) {
  return unpack(e.args(), [to](const Args&... a) {
    auto* next = to;
    ((next = bind_leaves(a, next)), ...);
    return next;
  });
}

// Leaves that are scalars, or row-major with no more axes than the output.
template <class E, int Rank>
inline constexpr bool has_unplanned_form = __is_same(typename E::layout_type, row_major) && rank_of<E> <= Rank;
template <deferred_leaf E, int Rank>
inline constexpr bool has_unplanned_form<E, Rank> = false;
template <class T, int Rank>
inline constexpr bool has_unplanned_form<scalar<T>, Rank> = true;
template <class F, class S, class... Args, int Rank>
inline constexpr bool has_unplanned_form<map<F, S, Args...>, Rank> = (has_unplanned_form<Args, Rank> && ...);

// Lists such leaves, from left to right, with extents as assign_unplanned expects them. Extents are copied, so that
// compilers need not keep the tree in memory.
template <int Rank, class T>
[[gnu::always_inline]] inline void list_unplanned(const scalar<T>& e, const index* out, runtime::slot*& to,
                                                  index*& extents) {
  *to++ = {&e.value(), 0};
  for (int i = 0; i < Rank; ++i) *extents++ = out[i];
}
template <int Rank, leaf E>
[[gnu::always_inline]] inline void list_unplanned(const E& e, const index*, runtime::slot*& to, index*& extents) {
  *to++ = {e.data(), -1};
  for (int i = rank_of<E>; i < Rank; ++i) *extents++ = 1;
  for (int i = 0; i < rank_of<E>; ++i) *extents++ = e.shape()[i];
}
template <int Rank, class F, class S, class... Args>
[[gnu::always_inline]] inline void list_unplanned(const map<F, S, Args...>& e, const index* out, runtime::slot*& to,
                                                  index*& extents) {
  unpack(e.args(),
         [&](const Args&... a) __attribute__((always_inline)) { (list_unplanned<Rank>(a, out, to, extents), ...); });
}

template <class Source>
bool same_source(const void* a, const void* b) {
  return static_cast<const Source*>(a)->same(*static_cast<const Source*>(b));
}

// A source as compiled code sees it, for files with these native vectors. Specialised for sources that are programs.
template <class Source, int Native>
struct bound_source {
  runtime::source value;

  bound_source(const Source& s, bound_lets&) : value{} {
    value.name = Source::name();
    value.node = &s;
    value.same = same_source<Source>;
    value.type = dtype_of<typename Source::value_type>;
    value.extents = s.shape().data();
    value.rank = Source::shape_type::axes_count;
    value.evaluate = [](const void* node, void* to, const runtime::options& o) {
      static_cast<const Source*>(node)->template evaluate<Native>(static_cast<typename Source::value_type*>(to), o);
    };
    if constexpr (requires { s.reads(nullptr, nullptr); })
      value.reads = [](const void* node, const void* low, const void* high) {
        return static_cast<const Source*>(node)->reads(low, high);
      };
    if constexpr (requires { s.row_hint(); })
      if (const index hint = s.row_hint(); hint >= 0) {
        value.row_hint = hint;
        value.evaluate_rows = [](const void* node, index first, index last, void* to, const runtime::options& o) {
          static_cast<const Source*>(node)->template evaluate_rows<Native>(
              first, last, static_cast<typename Source::value_type*>(to), o);
        };
      }
  }
};

template <class S, int Native>
concept binds_itself = requires(const S& s, bound_lets& lets) { s.template bind<Native>(lets); };

// All sources of one type in a tree, in the order of its leaves; equal ones are bound once.
template <class S, int Native, int Count>
struct sources_of_type {
  sources_of_type(runtime::leaf_array* leaves, int count, bound_lets& lets) {
    try {
      for (int k = 0; k < count; ++k)
        if (leaves[k].from == &unbound_source<S>) leaves[k].from = bind(*static_cast<const S*>(leaves[k].data), lets);
    } catch (...) {
      release();
      throw;
    }
  }
  sources_of_type(const sources_of_type&) = delete;
  sources_of_type& operator=(const sources_of_type&) = delete;
  ~sources_of_type() { release(); }

 private:
  using bound = bound_source<S, Native>;
  struct slot {
    alignas(bound) unsigned char memory[sizeof(bound)];
  };

  const runtime::source* bind(const S& s, bound_lets& lets) {
    for (int i = 0; i < used_; ++i)
      if (nodes_[i]->same(s)) return &at(i).value;
    nodes_[used_] = &s;
    ::new (static_cast<void*>(slots_[used_].memory)) bound(s, lets);
    return &at(used_++).value;
  }
  bound& at(int i) { return *__builtin_launder(reinterpret_cast<bound*>(slots_[i].memory)); }
  void release() {
    while (used_ > 0) at(--used_).~bound();
  }

  slot slots_[Count];
  const S* nodes_[Count];
  int used_ = 0;
};
// A tree shared by copies of a `let` is bound where it is found first.
template <class S, int Native, int Count>
  requires binds_itself<S, Native>
struct sources_of_type<S, Native, Count> {
  sources_of_type(runtime::leaf_array* leaves, int count, bound_lets& lets) {
    for (int k = 0; k < count; ++k)
      if (leaves[k].from == &unbound_source<S>)
        leaves[k].from = static_cast<const S*>(leaves[k].data)->template bind<Native>(lets);
  }
};
// A single source: the most frequent case.
template <class S, int Native>
  requires(!binds_itself<S, Native>)
struct sources_of_type<S, Native, 1> {
  sources_of_type(runtime::leaf_array* leaves, int, bound_lets& lets)
      : bound_(*static_cast<const S*>(next(leaves)->data), lets) {
    next(leaves)->from = &bound_.value;
  }

 private:
  static runtime::leaf_array* next(runtime::leaf_array* at) {
    while (at->from != &unbound_source<S>) ++at;
    return at;
  }
  bound_source<S, Native> bound_;
};

// The types of a tree's sources, each once with its number, in the order of their first leaves.
template <class S, int Count>
struct counted_source {};
template <class... Counted>
struct source_list {
  template <class S>
  static constexpr bool has = false;
};
template <class... S, int... N>
struct source_list<counted_source<S, N>...> {
  template <class T>
  static constexpr bool has = (__is_same(S, T) || ...);
  template <class T>
  using with = source_list<counted_source<S, N>..., counted_source<T, 1>>;
  template <class T>
  using with_another = source_list<counted_source<S, N + __is_same(S, T)>...>;
};
template <class List, class... More>
struct sources_of {
  using type = List;
};
template <class List, class E, class... More>
struct sources_of<List, E, More...> : sources_of<List, More...> {};
template <class List, deferred_leaf E, class... More>
struct sources_of<List, E, More...> : sources_of<typename List::template with<typename E::source_type>, More...> {};
template <class List, deferred_leaf E, class... More>
  requires(List::template has<typename E::source_type>)
struct sources_of<List, E, More...>
    : sources_of<typename List::template with_another<typename E::source_type>, More...> {};
template <class List, class F, class Shape, class... Args, class... More>
struct sources_of<List, map<F, Shape, Args...>, More...> : sources_of<List, Args..., More...> {};

template <int Native, class List>
struct bound_sources;
template <int Native>
struct bound_sources<Native, source_list<>> {
  bound_sources(runtime::leaf_array*, int, bound_lets&) {}
};
template <int Native, class S, int Count, class... Rest>
struct bound_sources<Native, source_list<counted_source<S, Count>, Rest...>> {
  sources_of_type<S, Native, Count> first;
  bound_sources<Native, source_list<Rest...>> rest;

  bound_sources(runtime::leaf_array* leaves, int count, bound_lets& lets)
      : first(leaves, count, lets), rest(leaves, count, lets) {}
};

// All leaves of a tree. It refers to the tree and to itself, and is not copied.
template <class E, int Native>
struct bound_tree {
  static constexpr int count = operand_limit<operand_count<E>>::count;
  runtime::leaf_array leaves[count];

  explicit bound_tree(const E& e) { bind_leaves(e, leaves); }
  bound_tree(const E& e, bound_lets&) : bound_tree(e) {}
  bound_tree(const bound_tree&) = delete;
  bound_tree& operator=(const bound_tree&) = delete;
};
template <class E, int Native>
  requires(deferred_count<E> > 0)
struct bound_tree<E, Native> {
  static constexpr int count = operand_limit<operand_count<E>>::count;
  runtime::leaf_array leaves[count];
  bound_lets lets;  // of the whole evaluation
  bound_sources<Native, typename sources_of<source_list<>, E>::type> sources;

  explicit bound_tree(const E& e) : sources((bind_leaves(e, leaves), leaves), count, lets) {}
  // A tree that is read by a source of another tree: it uses the lets of the whole evaluation.
  bound_tree(const E& e, bound_lets& whole) : sources((bind_leaves(e, leaves), leaves), count, whole) {}
  bound_tree(const bound_tree&) = delete;
  bound_tree& operator=(const bound_tree&) = delete;
};

template <class Out>
inline runtime::target_array bind_output(const Out& out) {
  return {out.data(), out.shape().data(), out.layout().data(), rank_of<Out>, dtype_of<typename Out::value_type>};
}

}  // namespace broadloom::detail
