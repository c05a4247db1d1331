// Splats: vectors of one element each, which a kernel reads if all elements of a row share one. Each vector is written
// by one store, from which the kernel's load can be forwarded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <broadloom/core/index.hpp>

#include "../base/vectors.hpp"

namespace broadloom::runtime {

namespace detail {

template <int Bytes, class T>
inline void splat_elements(std::byte* to, const std::byte* from, index count) {
  using vector = vec<T, Bytes>;
#pragma GCC unroll 4
  for (index k = 0; k < count; ++k, to += Bytes, from += sizeof(T)) {
    T x;
    std::memcpy(&x, from, sizeof x);
    const vector all = x - vector{};
    std::memcpy(to, &all, Bytes);
  }
}

// Elements [0, count) of `size` bytes, each to a vector of `Bytes` bytes.
template <int Bytes>
inline void splat_to(std::byte* to, const std::byte* from, int size, index count) {
  if (size == 4) return splat_elements<Bytes, std::uint32_t>(to, from, count);
  if (size == 8) return splat_elements<Bytes, std::uint64_t>(to, from, count);
  if (size == 1) return splat_elements<Bytes, std::uint8_t>(to, from, count);
  if (size == 2) return splat_elements<Bytes, std::uint16_t>(to, from, count);
  for (index k = 0; k < count; ++k, from += size)
    for (int at = 0; at < Bytes; at += size, to += size) std::memcpy(to, from, 16);
}

}  // namespace detail

void splat_v3(std::byte* to, const std::byte* from, int size, index count);  // 32 bytes
void splat_v4(std::byte* to, const std::byte* from, int size, index count);  // 64 bytes

// One element to a vector of the level in force. It may lie where that is written.
void splat_vector(std::byte* to, const std::byte* from, int size);

}  // namespace broadloom::runtime
