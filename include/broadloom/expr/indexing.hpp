// What every node of the tree has as members: elements by their indices, size and rank, iterators, lazy views.
#pragma once

#include <broadloom/core/native.hpp>
#include <broadloom/core/text.hpp>
#include <broadloom/expr/expression.hpp>
#include <broadloom/expr/iterator.hpp>

namespace broadloom {

namespace errors_md {
// What asking an expression for an element "returns" where it would be computed
// with all that a reduction, a product or a `let` is made of, once for each
// element.
template <auto Text, class Element>
struct elements_are_read_after_eval;
}  // namespace errors_md

namespace detail {

// Elements may be read of what computes single ones, and, in constant
// expressions, of all static shapes.
template <class E>
inline constexpr bool may_read_elements = has_single_elements<E> || shape_of<E>::is_static || rank_of<E> == 0;
inline constexpr text element_text{
    "bl::eval(e)(i, j): an element by itself would compute a reduction, "
    "product or let anew"};
[[gnu::error(
    "bl::eval(e)(i, j): only constant expressions compute an element "
    "by itself behind a barrier [errors.md#elements_are_read_after_eval]")]] void
an_element_by_itself();
// Why e(i, j) is refused, where it is.
template <class E, class... Index>
struct element_refusal {
  using error = errors_md::elements_are_read_after_eval<element_text, value_of<E>>;
};
template <class E, class... Index>
  requires(sizeof...(Index) > rank_of<E>)
struct element_refusal<E, Index...> {
  using error = errors_md::more_indices_than_axes<sizeof...(Index), rank_of<E>>;
};

// Gives a node of elements of type V and so many axes e(i, j), e.size(), e.rank(), iterators and the lazy views as
// members.
template <class Self, class V, int Axes>
struct indexing : refused_uses<Self, Axes> {
  // The element at these indices, one per axis; negative ones count from the
  // end. Throws index_error outside the shape. What reads the result of a
  // reduction, a product or another barrier is evaluated first, eval(e)(i, j):
  // an element by itself does not compile, but in a constant expression, of a
  // static shape. Fewer indices than axes: the part of `e` there, slice(e,
  // i...), with the other axes whole.
  template <class... Index, int Native = BROADLOOM_NATIVE>
    requires(all_numbers<Index...> && (sizeof...(Index) == Axes ? may_read_elements<Self> : sizeof...(Index) < Axes))
  [[gnu::always_inline]] constexpr auto operator()(Index... i) const {
    if constexpr (sizeof...(Index) < Axes)
      return called_slice<Index...>::at(self(), i...);
    else if constexpr (Axes == 0)
      return item<Native>();
    else {
      if constexpr (!has_single_elements<Self>)
        if (!__builtin_is_constant_evaluated()) an_element_by_itself();
      static_assert(are_inside<shape_of<Self>, Index...>(),
                    "a constant index is outside of its axis [errors.md#constant-index]");
      return self().element(checked_indices(self().shape(), indices<sizeof...(Index)>{{static_cast<index>(i)...}}));
    }
  }
  template <class... Index, class Error = typename element_refusal<Self, Index...>::error>
    requires(all_numbers<Index...> &&
             (sizeof...(Index) > Axes || (sizeof...(Index) == Axes && !may_read_elements<Self>)))
  Error operator()(Index...) const = delete;
  // slice(e, i...): ranges, arrays of positions and masks among the indices.
  template <class... Index>
    requires(!all_numbers<Index...>)
  constexpr auto operator()(Index&&... i) const {
    return called_slice<Index...>::of(self(), static_cast<Index&&>(i)...);
  }
  // The only element of a node of size 1: what eval gives. Throws shape_error
  // where there are more or none.
  template <int Native = BROADLOOM_NATIVE>
  [[gnu::always_inline]] constexpr auto item() const {
    return only_element<Native>(self());
  }
  // A node of rank 0 is its number where one is wanted, float m = bl::mean(x): what item() gives. From there on C++'s
  // own conversions apply, and their warnings.
  [[gnu::always_inline]] constexpr operator V() const
    requires(Axes == 0)
  {
    return item();
  }
  static constexpr index rank() { return Axes; }
  constexpr index size() const { return self().shape().size(); }
  // The elements in row-major order: random access, contiguous where the type says that they lie so. An expression is
  // evaluated first: for (float x : bl::eval(e)).
  template <class S = Self>
    requires has_memory<S>
  constexpr auto begin() const {
    return iterator_at(self(), 0);
  }
  template <class S = Self>
    requires has_memory<S>
  constexpr auto end() const {
    return iterator_at(self(), size());
  }
  using refused_uses<Self, Axes>::begin;
  using refused_uses<Self, Axes>::end;
  // All axes in reverse order (NumPy's .T).
  constexpr auto T() const { return reversed_axes(self()); }

 private:
  constexpr const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace detail
}  // namespace broadloom
