// Arrays in HDF5 files for tests: numbers that are drawn, written, and compared bit for bit.
#pragma once

#include <broadloom/io/hdf5.hpp>
#include <cstring>
#include <random>
#include <string>

namespace bl = broadloom;

template <class T, class S>
bool same_bits(const bl::tensor<T, S>& a, const bl::tensor<T, S>& b) {
  return a.shape() == b.shape() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0);
}

inline std::mt19937_64 engine(20261124);
inline bl::index drawn(bl::index n) { return static_cast<bl::index>(engine() % static_cast<std::uint64_t>(n)); }

template <class T, class... N>
auto numbers(N... n) {
  bl::dtensor<T, sizeof...(N)> x(n...);
  for (bl::index i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<T>(static_cast<double>(drawn(20000) - 10000) * 0.037);
  return x;
}

template <class T, class S>
void write_set(const std::string& file, const bl::tensor<T, S>& x, const bl::hdf5::layout& how = {}) {
  auto y = bl::hdf5::create<T>(file, "/x", x.shape(), how);
  bl::assign(y, x);
}

inline constexpr std::size_t KiB = 1024;
