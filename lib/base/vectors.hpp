// Vectors of so many bytes, for loops that are written for the width of a level.
#pragma once

#include <broadloom/core/lane_types.hpp>

namespace broadloom::runtime {

template <class T, int Bytes>
using vec = typename detail::vec_type<T, Bytes / static_cast<int>(sizeof(T))>::type;
// The same where it lies in memory, at any address, whatever the type of what is there.
template <class T, int Bytes>
using vec_in_memory = typename detail::vec_type<T, Bytes / static_cast<int>(sizeof(T))>::in_memory;

}  // namespace broadloom::runtime
