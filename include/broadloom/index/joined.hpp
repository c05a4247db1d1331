// What a join computes: each part where it belongs, whole or a range of rows at a time.
#pragma once

#include <broadloom/expr/views.hpp>
#include <broadloom/index/operand.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::detail {

// The first axis with more than one index, along which results are computed in parts; 0 if there is none.
template <class Shape>
constexpr int leading_axis(const Shape& s) {
  for (int a = 0; a < Shape::axes_count; ++a)
    if (s[a] != 1) return a;
  return 0;
}
// Writes node e, or its indices [start, start + length) along an axis, to row-major or strided memory.
template <int Native, class T, int R, class E>
void evaluate_part(T* to, const indices<R>& extents, const indices<R>& strides, const E& e,
                   const runtime::options& how) {
  assign_node<Native>(view<T, dshape<R>>(to, dshape<R>::unchecked(extents), dyn_strides<R>{strides}), e, how);
}

template <int Native, class T, class Node, int R>
void join_part(T* to, const geometry<R>& whole, const Node& part, int axis, index at, int lead, index first, index last,
               const runtime::options& how) {
  // part's indices along the axis are [at, at + its extent) of the whole; along `lead` only [first, last) is wanted,
  // written from `to` on
  auto extents = part.shape().extents();
  index start = first, length = last - first, place = 0;
  if (lead == axis) {
    const index from = first > at ? first : at, end = last < at + extents[axis] ? last : at + extents[axis];
    if (end <= from) return;
    start = from - at;
    length = end - from;
    place = (from - first) * whole.strides[axis];
  } else
    place = at * whole.strides[axis];
  extents[lead] = length;
  for (int a = 0; a < R; ++a)
    if (extents[a] == 0) return;
  evaluate_part<Native>(to + place, extents, whole.strides, edit_axes<narrow_edit>(part, index{lead}, start, length),
                        how);
}

// Whether a row-major array of these extents, but for a last one of 1 instead of `count`, is every count-th element of
// a row-major output. `rows`: how many it has.
inline bool are_by_turns(const index* extents, const index* to, const index* strides, int rank, int count,
                         index& rows) {
  rows = 1;
  if (extents[rank - 1] != count || to[rank - 1] != 1) return false;
  for (int a = rank - 1; a-- > 0;) {
    if (extents[a] == 1) continue;
    if (strides[a] != rows || to[a] != rows * count) return false;
    rows *= extents[a];
  }
  return true;
}
inline constexpr index least_interleaved = 64;  // rows
inline void copy_by_turns(void* to, const runtime::leaf_array* from, int count, index rows, dtype type,
                          const runtime::options& how) {
  runtime::intention parts[4];
  for (int c = 0; c < count; ++c) parts[c] = {{to, &rows, nullptr, 1, type}, from + c, 1, nullptr};
  runtime::assign_all(parts, count, how);
}

template <class T, class Shape, class... P>
class joined {
 public:
  using value_type = T;
  using shape_type = Shape;
  static constexpr int rank = Shape::axes_count;
  static constexpr bool single_elements = (has_single_elements<P> && ...);

  constexpr joined(int axis, const Shape& s, const P&... parts) : parts_(parts...), shape_(s), axis_(axis) {}

  static constexpr const char* name() { return "cat"; }
  constexpr const Shape& shape() const { return shape_; }
  template <int R>
  constexpr T element(indices<R> at) const {
    T r{};
    bool found = false;
    each([&](const auto& p) {
      if (found) return;
      const index n = p.shape()[axis_];
      if (at[axis_] < n) {
        r = cast_f<T>::scalar(p.element(at));
        found = true;
      } else
        at[axis_] -= n;
    });
    return r;
  }
  template <class F>
  auto with_trees(const F& f) const {
    return detail::unpack(parts_,
                          [&](const P&... p) { return joined<T, Shape, decltype(f(p))...>(axis_, shape_, f(p)...); });
  }
  bool same(const joined& o) const {
    return axis_ == o.axis_ && [&]<int... N>(sequence<N...>) {
      return (same_tree(boost::hana::at_c<N>(parts_), boost::hana::at_c<N>(o.parts_)) && ...);
    }(make_sequence<sizeof...(P)>{});
  }
  bool reads(const void* low, const void* high) const {
    bool any = false;
    each([&](const auto& p) { any = any || may_read(p, low, high); });
    return any;
  }
  template <int Native>
  void evaluate(T* to, const runtime::options& how) const {
    const int lead = leading_axis(shape_);
    write<Native>(to, lead, 0, rank == 0 ? 1 : shape_[lead], how);
  }
  // Writes every part to its place in an output of this shape; false where a part may read what it would overwrite.
  template <int Native, class S, class Layout>
    requires(S::axes_count == rank)
  bool assign_to(const view<T, S, Layout>& out, const runtime::options& how) const {
    if (!writes_to(out)) return false;
    const geometry<rank> whole{out.shape().extents(), out.strides(), 0};
    const int lead = leading_axis(shape_);
    write<Native>(out.data(), whole, lead, 0, shape_[lead], how);
    return true;
  }
  template <class Out>
  bool writes_to(const Out& out) const {
    const geometry<rank> whole{out.shape().extents(), out.strides(), 0};
    const auto memory = runtime::memory_of(out.data(), whole.extents.v, whole.strides.v, rank, sizeof(T));
    return whole.extents == shape_.extents() && !reads(memory.low, memory.high);
  }
  template <int Native>
  void evaluate_rows(index first, index last, T* to, const runtime::options& how) const
    requires((deferred_count<P> == 0) && ...)
  {
    write<Native>(to, leading_axis(shape_), first, last, how);
  }
  index row_hint() const
    requires((deferred_count<P> == 0) && ...)
  {
    return 0;
  }

 private:
  template <class F>
  constexpr void each(F f) const {
    detail::unpack(parts_, [&](const P&... p) { (f(p), ...); });
  }
  template <int Native>
  void write(T* to, int lead, index first, index last, const runtime::options& how) const {
    geometry<rank> whole{shape_.extents(), {}, 0};
    whole.extents[lead] = last - first;
    whole.strides = row_major_strides(whole.extents);
    write<Native>(to, whole, lead, first, last, how);
  }
  // An element of each of two or four arrays in memory by turns, which are written together.
  template <class E>
  static constexpr bool in_memory = leaf<E> && dtype_of<T> != dtype::own && requires(const E& e) {
    requires __is_same(decltype(e.data()), const T*) || __is_same(decltype(e.data()), T*);
    e.strides();
  };
  static constexpr bool may_interleave = (sizeof...(P) == 2 || sizeof...(P) == 4) && rank > 1 && sizeof(T) <= 8 &&
                                         (in_memory<P> && ...);
  bool interleave(T* to, const geometry<rank>& whole, int lead, index first, const runtime::options& how) const {
    runtime::leaf_array from[sizeof...(P)]{};
    index rows = 0;
    int c = 0;
    bool fits = axis_ == rank - 1 && lead < axis_;
    each([&](const auto& p) {
      const auto strides = p.strides();
      fits = fits && p.shape()[rank - 1] == 1 &&
             are_by_turns(whole.extents.v, whole.strides.v, strides.v, rank, static_cast<int>(sizeof...(P)), rows);
      from[c++].data = p.data() + first * strides[lead];
    });
    if (!fits || rows < least_interleaved) return false;
    copy_by_turns(to, from, static_cast<int>(sizeof...(P)), rows, dtype_of<T>, how);
    return true;
  }
  template <int Native>
  void write(T* to, const geometry<rank>& whole, int lead, index first, index last, const runtime::options& how) const {
    if constexpr (may_interleave && !is_by_element(Native))
      if (interleave(to, whole, lead, first, how)) return;
    index at = 0;
    each([&](const auto& p) {
      join_part<Native>(to, whole, p, axis_, at, lead, first, last, how);
      at += p.shape()[axis_];
    });
  }

  boost::hana::basic_tuple<P...> parts_;
  [[no_unique_address]] Shape shape_;
  int axis_;
};

}  // namespace broadloom::detail
