// Binding: the leaves of a tree, left to right, as pointers for compiled code. Pointers are formed here and live as
// long as the call.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/program.hpp>

namespace broadloom::detail {

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
// Marks a leaf whose source is bound after all leaves are.
inline constexpr runtime::source unbound_source{};
template <deferred_leaf E>
inline runtime::leaf_array* bind_leaves(const E& e, runtime::leaf_array* to) {
  *to = {&e.source(), e.shape().data(), e.layout().data(), rank_of<E>, dtype_of<typename E::value_type>,
         false,       &unbound_source,  e.offset()};
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

// Leaves that are numbers, or row-major with no more axes than the output.
template <class E, int Rank>
inline constexpr bool is_alike = __is_same(typename E::layout_type, row_major) && rank_of<E> <= Rank;
template <deferred_leaf E, int Rank>
inline constexpr bool is_alike<E, Rank> = false;
template <class T, int Rank>
inline constexpr bool is_alike<scalar<T>, Rank> = true;
template <class F, class S, class... Args, int Rank>
inline constexpr bool is_alike<map<F, S, Args...>, Rank> = (is_alike<Args, Rank> && ...);

// Lists such leaves, left to right, with extents as assign_alike wants them. Extents are copied: compilers then need
// not have the tree itself in memory.
template <int Rank, class T>
[[gnu::always_inline]] inline void list_alike(const scalar<T>& e, const index* out, runtime::slot*& to,
                                              index*& extents) {
  *to++ = {&e.value(), 0};
  for (int i = 0; i < Rank; ++i) *extents++ = out[i];
}
template <int Rank, leaf E>
[[gnu::always_inline]] inline void list_alike(const E& e, const index*, runtime::slot*& to, index*& extents) {
  *to++ = {e.data(), -1};
  for (int i = rank_of<E>; i < Rank; ++i) *extents++ = 1;
  for (int i = 0; i < rank_of<E>; ++i) *extents++ = e.shape()[i];
}
template <int Rank, class F, class S, class... Args>
[[gnu::always_inline]] inline void list_alike(const map<F, S, Args...>& e, const index* out, runtime::slot*& to,
                                              index*& extents) {
  unpack(e.args(),
         [&](const Args&... a) __attribute__((always_inline)) { (list_alike<Rank>(a, out, to, extents), ...); });
}

template <class Source>
bool same_source(const void* a, const void* b) {
  return static_cast<const Source*>(a)->same(*static_cast<const Source*>(b));
}

// A source as compiled code sees it, for files with these native vectors. Sources that are programs specialise it.
template <class Source, int Native>
struct bound_source {
  runtime::source value;

  explicit bound_source(const Source& s) : value{} {
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

// The sources of a tree's deferred leaves, from left to right.
template <class... Sources>
struct source_list {};
template <class List, class... More>
struct sources_of;
template <class... S>
struct sources_of<source_list<S...>> {
  using type = source_list<S...>;
};
template <class... S, class E, class... More>
struct sources_of<source_list<S...>, E, More...> : sources_of<source_list<S...>, More...> {};
template <class... S, deferred_leaf E, class... More>
struct sources_of<source_list<S...>, E, More...> : sources_of<source_list<S..., typename E::source_type>, More...> {};
template <class... S, class F, class Shape, class... Args, class... More>
struct sources_of<source_list<S...>, map<F, Shape, Args...>, More...>
    : sources_of<source_list<S...>, Args..., More...> {};

template <int Native, class List>
struct bound_sources;
template <int Native>
struct bound_sources<Native, source_list<>> {
  explicit bound_sources(runtime::leaf_array*) {}
};
template <int Native, class S, class... Rest>
struct bound_sources<Native, source_list<S, Rest...>> {
  bound_source<S, Native> first;
  bound_sources<Native, source_list<Rest...>> rest;

  explicit bound_sources(runtime::leaf_array* at)
      : first(*static_cast<const S*>(next_unbound(at)->data)), rest(bind_to(next_unbound(at), first.value)) {}

 private:
  static runtime::leaf_array* next_unbound(runtime::leaf_array* at) {
    while (at->from != &unbound_source) ++at;
    return at;
  }
  static runtime::leaf_array* bind_to(runtime::leaf_array* at, const runtime::source& s) {
    at->from = &s;
    return at;
  }
};

// All leaves of a tree. It refers to the tree and to itself, and is not copied.
template <class E, int Native>
struct bound_tree {
  static constexpr int count = operand_count<E>;
  static_assert(count < runtime::first_stage, "this expression has too many operands; evaluate a part of it first");
  runtime::leaf_array leaves[count];

  explicit bound_tree(const E& e) { bind_leaves(e, leaves); }
  bound_tree(const bound_tree&) = delete;
  bound_tree& operator=(const bound_tree&) = delete;
};
template <class E, int Native>
  requires(deferred_count<E> > 0)
struct bound_tree<E, Native> {
  static constexpr int count = operand_count<E>;
  static_assert(count < runtime::first_stage, "this expression has too many operands; evaluate a part of it first");
  runtime::leaf_array leaves[count];
  bound_sources<Native, typename sources_of<source_list<>, E>::type> sources;

  explicit bound_tree(const E& e) : sources((bind_leaves(e, leaves), leaves)) {}
  bound_tree(const bound_tree&) = delete;
  bound_tree& operator=(const bound_tree&) = delete;
};

template <class Out>
inline runtime::target_array bind_output(const Out& out) {
  return {out.data(), out.shape().data(), out.layout().data(), rank_of<Out>, dtype_of<typename Out::value_type>};
}

}  // namespace broadloom::detail
