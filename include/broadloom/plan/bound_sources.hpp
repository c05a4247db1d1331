// Binding of sources, which are the leaves of a tree that are computed before it: each once, for the whole evaluation.
#pragma once

#include <new>
#include <type_traits>

#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/plan/bound_lets.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::detail {

// Marks a leaf whose source, of type S, is bound after all leaves.
template <class S>
inline constexpr runtime::source unbound_source{};

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
    value.type = compiled_dtype<typename Source::value_type>();
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

// A source that its copies hold, too: it is bound where it is found first, perhaps in another tree.
template <class S>
concept has_copies = requires(const S& s) { s.let_id(); };

// All sources of one type in a tree, in the order of its leaves; equal ones are bound once.
template <class S, int Native, int Count>
struct sources_of_type {
  sources_of_type(runtime::leaf_array* leaves, int count, bound_lets& lets) {
    // What was bound goes if another binding throws; no try, so that -fno-exceptions compiles this.
    struct guard {
      sources_of_type* bound;
      ~guard() {
        if (bound != nullptr) bound->release();
      }
    } unfinished{this};
    for (int k = 0; k < count; ++k)
      if (leaves[k].from == &unbound_source<S>) leaves[k].from = bind(*static_cast<const S*>(leaves[k].data), lets);
    unfinished.bound = nullptr;
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
    if constexpr (has_copies<S>)
      if (const runtime::source* const known = lets.find(s.let_id()); known != nullptr) return known;
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
  requires(!binds_itself<S, Native> && !has_copies<S>)
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
// The same where another tree may have bound it.
template <class S, int Native>
  requires(!binds_itself<S, Native> && has_copies<S>)
struct sources_of_type<S, Native, 1> {
  sources_of_type(runtime::leaf_array* leaves, int, bound_lets& lets) {
    while (leaves->from != &unbound_source<S>) ++leaves;
    const S& s = *static_cast<const S*>(leaves->data);
    leaves->from = lets.find(s.let_id());
    if (leaves->from != nullptr) return;
    ::new (static_cast<void*>(memory_)) bound(s, lets);
    leaves->from = &__builtin_launder(reinterpret_cast<bound*>(memory_))->value;
    used_ = true;
  }
  sources_of_type(const sources_of_type&) = delete;
  sources_of_type& operator=(const sources_of_type&) = delete;
  ~sources_of_type() {
    if constexpr (!std::is_trivially_destructible_v<bound>)
      if (used_) __builtin_launder(reinterpret_cast<bound*>(memory_))->~bound();
  }

 private:
  using bound = bound_source<S, Native>;
  alignas(bound) unsigned char memory_[sizeof(bound)];
  bool used_ = false;
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
template <class List, class T, class Own, class Shape, class Layout, class... More>
struct sources_of<List, deferred<ramp_source<T, Own>, Shape, Layout>, More...> : sources_of<List, More...> {};
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

}  // namespace broadloom::detail
