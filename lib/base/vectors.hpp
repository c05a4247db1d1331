// Vectors of so many bytes, for loops that are written for the width of a level.
#pragma once

#include <broadloom/core/lane_types.hpp>

namespace broadloom::runtime {

template <class T, int Bytes>
using vec = typename detail::vec_type<T, Bytes / static_cast<int>(sizeof(T))>::type;
// The same where it lies in memory, at any address, whatever the type of what is there.
template <class T, int Bytes>
using vec_in_memory = typename detail::vec_type<T, Bytes / static_cast<int>(sizeof(T))>::in_memory;

// The same in an array of T, at any element: what is stored by it changes no object of another type. Stores of
// vec_in_memory may, so that GCC reads addresses and sizes again after each: products of stacks take 5 % longer.
template <class T, int Bytes>
struct array_vec {
  typedef T type __attribute__((vector_size(Bytes), aligned(sizeof(T))));
};
template <class T, int Bytes>
using vec_in_array = typename array_vec<T, Bytes>::type;

// Each number as another type, in a vector of as many.
template <class To, class From>
[[gnu::always_inline]] inline To converted(From v) {
  return __builtin_convertvector(v, To);
}

}  // namespace broadloom::runtime
