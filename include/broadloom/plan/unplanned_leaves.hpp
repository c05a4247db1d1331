// The leaves of a tree that is evaluated without a plan: addresses and extents, listed on the stack from left to right.
#pragma once

#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/expr/scalar.hpp>
#include <broadloom/expr/tensor_ref.hpp>
#include <broadloom/plan/unplanned.hpp>

namespace broadloom::detail {

// Leaves that are scalars, or row-major with no more axes than the output. A ramp is one where it is in memory, which
// has_ramps_in_memory() says of a tree.
template <class E, int Rank>
inline constexpr bool has_unplanned_form = __is_same(typename E::layout_type, row_major) && rank_of<E> <= Rank;
template <deferred_leaf E, int Rank>
inline constexpr bool has_unplanned_form<E, Rank> =
    is_ramp<E> && __is_same(typename E::layout_type, row_major) && rank_of<E> <= Rank;
template <class T, int Rank>
inline constexpr bool has_unplanned_form<scalar<T>, Rank> = true;
template <class F, class S, class... Args, int Rank>
inline constexpr bool has_unplanned_form<map<F, S, Args...>, Rank> = (has_unplanned_form<Args, Rank> && ...);

template <int... Axis>
[[gnu::always_inline]] inline void copy_extents(sequence<Axis...>, index* to, const index* from) {
  ((to[Axis] = from[Axis]), ...);
}
template <int... Axis>
[[gnu::always_inline]] inline void fill_ones(sequence<Axis...>, [[maybe_unused]] index* to) {
  ((to[Axis] = 1), ...);
}

// Lists such leaves, from left to right, of which the first is number At, with extents as an assign_fn expects
// them: the output's are there. Extents are copied, so that compilers need not keep the tree in memory. Returns bits
// that are set where a tensor no longer has the extents that it had when the tree was built. Not found: what is listed
// already gets the tensors themselves instead of their elements, for the error.
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
  if constexpr (is_ramp<E>)
    leaves[At] = {elements_of_ramp(e), Rank == 1 ? runtime::consecutive_advance : -1};
  else
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
// Functions of one and two operands need none of the above: each function that all of a tree is inlined into costs
// compilers a copy of it.
template <int Rank, int At, class F, class S, class... Args>
[[gnu::always_inline]] inline index list_unplanned(const map<F, S, Args...>& e, [[maybe_unused]] runtime::slot* leaves,
                                                   [[maybe_unused]] index* extents, [[maybe_unused]] bool found) {
  if constexpr (sizeof...(Args) == 0)
    return 0;
  else if constexpr (sizeof...(Args) == 1)
    return list_unplanned<Rank, At>(e.args().first, leaves, extents, found);
  else if constexpr (sizeof...(Args) == 2)
    return list_unplanned<Rank, At>(e.args().first, leaves, extents, found) |
           list_unplanned<Rank, At + operand_count<std::remove_cvref_t<decltype(e.args().first)>>>(
               e.args().second, leaves, extents, found);
  else
    return list_operands<Rank, At>(e.args(), leaves, extents, found);
}
// Whether all leaves are numbers of up to 8 bytes, whole dynamic tensors of the output's rank, or ramps that kernels
// count, and which are numbers and ramps.
template <class E, int Rank>
inline constexpr bool is_listed = false;
template <class T, int Rank>
inline constexpr bool is_listed<scalar<T>, Rank> = sizeof(T) <= sizeof(runtime::listed_leaf);
template <class T, class Own, class Shape, int Rank>
inline constexpr bool is_listed<deferred<ramp_source<T, Own>, Shape, row_major>, Rank> =
    Rank == 1 && Shape::axes_count == 1 && counted_in_registers<T>;
template <class T, class Shape, int Rank>
inline constexpr bool is_listed<tensor_ref<T, Shape>, Rank> = Shape::axes_count == Rank && Shape::dyn_count == Rank;
template <class F, class S, class... Args, int Rank>
inline constexpr bool is_listed<map<F, S, Args...>, Rank> = (is_listed<Args, Rank> && ...);
template <class E>
struct leaf_bits {
  static constexpr void add(runtime::listed_leaves& to, int& at) {
    if (is_ramp<E>) to.ramps = static_cast<unsigned short>(to.ramps | 1u << at);
    ++at;
  }
};
template <class T>
struct leaf_bits<scalar<T>> {
  static constexpr void add(runtime::listed_leaves& to, int& at) {
    to.numbers = static_cast<unsigned short>(to.numbers | 1u << at++);
  }
};
template <class F, class S, class... Args>
struct leaf_bits<map<F, S, Args...>> {
  static constexpr void add(runtime::listed_leaves& to, int& at) { (leaf_bits<Args>::add(to, at), ...); }
};
template <class E, int Rank>
constexpr runtime::listed_leaves listed_leaves_of() {
  if constexpr (operand_count<E> < 1 || operand_count<E> > runtime::max_flat_inputs || !is_listed<E, Rank>)
    return {false, 0, 0};
  else {
    runtime::listed_leaves r{true, 0, 0};
    int at = 0;
    leaf_bits<E>::add(r, at);
    return r;
  }
}

// Lists them from left to right. Throws shape_error if a tensor no longer has the shape that it had when the tree was
// built. By one function a node: each function that all of a tree is inlined into costs compilers a copy of it.
template <int At, class T>
[[gnu::always_inline]] inline void list_as_they_are(const scalar<T>& e, runtime::listed_leaf* leaves) {
  __builtin_memcpy(leaves[At].number, &e.value(), sizeof(T));
}
template <int At, class T, class Shape>
[[gnu::always_inline]] inline void list_as_they_are(const tensor_ref<T, Shape>& e, runtime::listed_leaf* leaves) {
  e.data();
  leaves[At].tensor = &e.elements();
}
// A ramp is made at three leaves of its own in front of the others.
template <int At, class T, class Own, class Shape, class Layout>
[[gnu::always_inline]] inline void list_as_they_are(const deferred<ramp_source<T, Own>, Shape, Layout>& e,
                                                    runtime::listed_leaf* leaves) {
  leaves[At].tensor = new (static_cast<void*>(leaves - 3 * (At + 1))) runtime::listed_ramp{
      reinterpret_cast<const void*>(e.offset() * static_cast<index>(sizeof(T))), e.shape()[0], e.shape()[0]};
}
template <int At, class F, class S, class... Args>
[[gnu::always_inline]] inline void list_as_they_are(const map<F, S, Args...>& e, runtime::listed_leaf* leaves);
template <int At>
[[gnu::always_inline]] inline void list_more(const operands<>&, runtime::listed_leaf*) {}
template <int At, class A, class... More>
[[gnu::always_inline]] inline void list_more(const operands<A, More...>& x, runtime::listed_leaf* leaves) {
  list_as_they_are<At>(x.first, leaves);
  if constexpr (sizeof...(More) >= 1) {
    constexpr int second = At + operand_count<A>;
    list_as_they_are<second>(x.second, leaves);
    if constexpr (sizeof...(More) >= 2) {
      constexpr int third = second + operand_count<std::remove_cvref_t<decltype(x.second)>>;
      list_as_they_are<third>(x.third, leaves);
      if constexpr (sizeof...(More) >= 3)
        list_more<third + operand_count<std::remove_cvref_t<decltype(x.third)>>>(x.rest, leaves);
    }
  }
}
template <int At, class F, class S, class... Args>
[[gnu::always_inline]] inline void list_as_they_are(const map<F, S, Args...>& e, runtime::listed_leaf* leaves) {
  if constexpr (sizeof...(Args) == 1 || sizeof...(Args) == 2) {
    list_as_they_are<At>(e.args_.first, leaves);
    if constexpr (sizeof...(Args) == 2)
      list_as_they_are<At + operand_count<std::remove_cvref_t<decltype(e.args_.first)>>>(e.args_.second, leaves);
  } else
    list_more<At>(e.args_, leaves);
}

// Whether a tree of one or two leaves reads arrays of one axis, of which the second may be a number.
template <class E>
inline constexpr bool reads_plain_rows = leaf<E> && rank_of<E> == 1;
template <class F, class S, class A>
inline constexpr bool reads_plain_rows<map<F, S, A>> = reads_plain_rows<A>;
template <class F, class S, class A, class B>
inline constexpr bool reads_plain_rows<map<F, S, A, B>> = reads_plain_rows<A> && reads_plain_rows<B>;
template <class F, class S, class A, class T>
inline constexpr bool reads_plain_rows<map<F, S, A, scalar<T>>> = reads_plain_rows<A>;
template <class E>
inline constexpr bool reads_number = false;
template <class T>
inline constexpr bool reads_number<scalar<T>> = true;
template <class F, class S, class... Args>
inline constexpr bool reads_number<map<F, S, Args...>> = (reads_number<Args> || ...);

// Lists their elements, and how many there are; for a number, as many as in the array. Throws shape_error as
// list_as_they_are does.
struct plain_row {
  const void* data;
  index count;
};
template <int At, class T>
[[gnu::always_inline]] inline void list_plain_rows(const scalar<T>& e, plain_row* to) {
  to[At] = {&e.value(), to[0].count};
}
template <int At, leaf E>
[[gnu::always_inline]] inline void list_plain_rows(const E& e, plain_row* to) {
  if constexpr (is_ramp<E>)
    to[At] = {elements_of_ramp(e), e.shape()[0]};
  else
    to[At] = {e.data(), e.shape()[0]};
}
template <int At, class F, class S, class... Args>
[[gnu::always_inline]] inline void list_plain_rows(const map<F, S, Args...>& e, plain_row* to) {
  list_plain_rows<At>(e.args().first, to);
  if constexpr (sizeof...(Args) == 2)
    list_plain_rows<At + operand_count<std::remove_cvref_t<decltype(e.args().first)>>>(e.args().second, to);
}

// The output's extents and all leaves of a tree `E`, in local `leaves` and `extents`. Throws shape_error if a tensor no
// longer has the shape that it had when the tree was built. As a function, it would be one more that all of the tree is
// inlined into.
#define BROADLOOM_LIST_LEAVES(RANK, E, SHAPE, TREE)                                     \
  constexpr int leaf_count = detail::operand_limit<detail::operand_count<E>>::count;    \
  runtime::slot leaves[leaf_count];                                                     \
  index extents[(RANK) * (1 + leaf_count) + 1];                                         \
  if constexpr ((RANK) == 0) extents[0] = 0; /* read by nobody; GCC warns */            \
  detail::copy_extents(detail::make_sequence<RANK>{}, extents, (SHAPE).data());         \
  if (detail::list_unplanned<RANK, 0>(TREE, leaves, extents, true) != 0) [[unlikely]] { \
    detail::list_unplanned<RANK, 0>(TREE, leaves, extents, false);                      \
    runtime::throw_tensor_changed(leaves, leaf_count, extents, RANK);                   \
  }

}  // namespace broadloom::detail
