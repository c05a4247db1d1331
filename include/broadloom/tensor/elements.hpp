// What a tensor is made of: elements on the heap, and elements from nested braces.
#pragma once

#include <initializer_list>

#include <broadloom/core/api.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/expr/tensor_ref.hpp>

namespace broadloom::detail {

[[noreturn]] BROADLOOM_API void throw_shapeless();
[[noreturn]] BROADLOOM_API void throw_brace_count(index axis, index expected, index given);

template <class E, int Rank>
struct braces {
  using type = std::initializer_list<typename braces<E, Rank - 1>::type>;
};
template <class E>
struct braces<E, 0> {
  using type = E;
};

// Extents of a nested brace list; every inner list must be as long as its neighbours.
template <int Axis, int Rank, class L>
constexpr void measure(indices<Rank>& extents, const L& l, bool first) {
  const index n = static_cast<index>(l.size());
  if (first)
    extents[Axis] = n;
  else if (extents[Axis] != n)
    throw_brace_count(Axis, extents[Axis], n);
  if constexpr (Axis + 1 < Rank)
    for (const auto& inner : l) {
      measure<Axis + 1>(extents, inner, first);
      first = false;
    }
}
template <int Axis, int Rank, class L, class E>
constexpr void copy_braces(E*& to, const L& l) {
  for (const auto& x : l) {
    if constexpr (Axis + 1 < Rank)
      copy_braces<Axis + 1, Rank>(to, x);
    else
      *to++ = x;
  }
}

// The elements of a dynamic tensor, which allocates and frees them.
template <class E, class Shape>
struct heap_elements : tensor_elements<E, Shape> {
  [[gnu::noinline]] void allocate(const Shape& s) {
    check_count(nullptr, s, sizeof(E));
    const index n = s.size();
    this->data = static_cast<E*>(runtime::allocate(static_cast<std::size_t>(n) * sizeof(E)));
    this->size = n;
    this->shape = s;
  }
  void release() noexcept {
    runtime::deallocate(this->data, static_cast<std::size_t>(this->size) * sizeof(E));
    forget();
  }
  // Without elements and without a shape.
  void forget() noexcept { static_cast<tensor_elements<E, Shape>&>(*this) = {}; }
};

}  // namespace broadloom::detail
