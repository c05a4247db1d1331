// Binding: the leaves of a tree, from left to right, as pointers for compiled code. The pointers are valid during the
// call.
#pragma once

#include <new>

#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/tensor_ref.hpp>
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

// Lists such leaves, from left to right, of which the first is number At, with extents as assign_unplanned expects
// them: the output's are there. Extents are copied, so that compilers need not keep the tree in memory. Returns bits
// that are set where a tensor no longer has the extents that it had when the tree was built. Not found: what is listed
// already gets the tensors themselves instead of their elements, for the error.
template <int... I>
[[gnu::always_inline]] inline void copy_extents(sequence<I...>, index* to, const index* from) {
  ((to[I] = from[I]), ...);
}
template <int... I>
[[gnu::always_inline]] inline void fill_ones(sequence<I...>, [[maybe_unused]] index* to) {
  ((to[I] = 1), ...);
}
template <int Rank, int At, class T>
[[gnu::always_inline]] inline index list_unplanned(const scalar<T>& e, runtime::slot* leaves, index* extents,
                                                   bool found) {
  if (!found) return 0;
  leaves[At] = {&e.value(), 0};
  copy_extents(make_sequence<Rank>{}, extents + (At + 1) * Rank, extents);
  return 0;
}
template <int Rank, int At, leaf E>
[[gnu::always_inline]] inline index list_unplanned(const E& e, runtime::slot* leaves, index* extents, bool found) {
  constexpr int leading = Rank - rank_of<E>;
  if (!found) return 0;
  index* const own = extents + (At + 1) * Rank;
  fill_ones(make_sequence<leading>{}, own);
  copy_extents(make_sequence<rank_of<E>>{}, own + leading, e.shape().data());
  leaves[At] = {e.data(), -1};
  return 0;
}
template <int Rank, int At, class T, class Shape>
[[gnu::always_inline]] inline index list_unplanned(const tensor_ref<T, Shape>& e, runtime::slot* leaves, index* extents,
                                                   bool found) {
  constexpr int leading = Rank - Shape::axes_count;
  const tensor_elements<T, Shape>& now = e.elements();
  if (!found) {
    leaves[At] = {&now, runtime::advance_of_tensor(Shape::axes_count)};
    return 0;
  }
  index* const own = extents + (At + 1) * Rank;
  fill_ones(make_sequence<leading>{}, own);
  copy_extents(make_sequence<Shape::axes_count>{}, own + leading, e.shape().data());
  leaves[At] = {now.data, -1};
  return different_bits(make_sequence<Shape::axes_count>{}, now.shape.data(), own + leading);
}
template <int Rank, int At, class F, class S, class... Args>
[[gnu::always_inline]] inline index list_unplanned(const map<F, S, Args...>& e, runtime::slot* leaves, index* extents,
                                                   bool found);

template <int Rank, int At, class A>
[[gnu::always_inline]] inline index list_operands(const operands<A>& x, runtime::slot* leaves, index* extents,
                                                  bool found) {
  return list_unplanned<Rank, At>(x.first, leaves, extents, found);
}
template <int Rank, int At, class A, class B>
[[gnu::always_inline]] inline index list_operands(const operands<A, B>& x, runtime::slot* leaves, index* extents,
                                                  bool found) {
  return list_unplanned<Rank, At>(x.first, leaves, extents, found) |
         list_unplanned<Rank, At + operand_count<A>>(x.second, leaves, extents, found);
}
template <int Rank, int At, class A, class B, class C, class... More>
[[gnu::always_inline]] inline index list_operands(const operands<A, B, C, More...>& x, runtime::slot* leaves,
                                                  index* extents, bool found) {
  constexpr int second = At + operand_count<A>, third = second + operand_count<B>, rest = third + operand_count<C>;
  index changed = list_unplanned<Rank, At>(x.first, leaves, extents, found) |
                  list_unplanned<Rank, second>(x.second, leaves, extents, found) |
                  list_unplanned<Rank, third>(x.third, leaves, extents, found);
  if constexpr (sizeof...(More) > 0) changed |= list_operands<Rank, rest>(x.rest, leaves, extents, found);
  return changed;
}
template <int Rank, int At, class F, class S, class... Args>
[[gnu::always_inline]] inline index list_unplanned(const map<F, S, Args...>& e, [[maybe_unused]] runtime::slot* leaves,
                                                   [[maybe_unused]] index* extents, [[maybe_unused]] bool found) {
  if constexpr (sizeof...(Args) > 0)
    return list_operands<Rank, At>(e.args(), leaves, extents, found);
  else
    return 0;
}
// The output's extents and all leaves. Throws shape_error if a tensor no longer has the shape that it had when the tree
// was built.
template <int Rank, class Shape, class E>
[[gnu::always_inline]] inline void list_all_unplanned(const Shape& out, const E& e, runtime::slot* leaves,
                                                      index* extents) {
  copy_extents(make_sequence<Rank>{}, extents, out.data());
  if (list_unplanned<Rank, 0>(e, leaves, extents, true) != 0) [[unlikely]] {
    list_unplanned<Rank, 0>(e, leaves, extents, false);
    runtime::throw_tensor_changed(leaves, operand_count<E>, extents, Rank);
  }
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
