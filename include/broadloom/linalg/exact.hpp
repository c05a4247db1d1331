// Whether a matrix of small whole numbers is singular, exactly: elimination in floating numbers leaves rounding errors
// where a pivot is 0.
#pragma once

#include <cstdint>
#include <initializer_list>

#include <broadloom/core/index.hpp>

namespace broadloom::detail {

inline constexpr index max_exact_size = 16;

// Whether the determinant is 0 modulo a prime below 2^31, by elimination. `a` has the residues and is overwritten.
constexpr bool is_singular_modulo(std::uint64_t prime, std::uint64_t (&a)[max_exact_size][max_exact_size], index n) {
  for (index k = 0; k < n; ++k) {
    index p = k;
    while (p < n && a[p][k] == 0) ++p;
    if (p == n) return true;
    for (index j = k; j < n && p != k; ++j) {
      const std::uint64_t x = a[k][j];
      a[k][j] = a[p][j];
      a[p][j] = x;
    }
    std::uint64_t inverse = 1, power = a[k][k];
    for (std::uint64_t e = prime - 2; e != 0; e >>= 1, power = power * power % prime)
      if ((e & 1) != 0) inverse = inverse * power % prime;
    for (index i = k + 1; i < n; ++i) {
      const std::uint64_t f = prime - a[i][k] * inverse % prime;
      for (index j = k; j < n; ++j) a[i][j] = (a[i][j] + f * a[k][j]) % prime;
    }
  }
  return false;
}

// Of the n x n elements get(i, j). False where one is no whole number, and for determinants that two primes do not
// decide: where the product of the rows' lengths is beyond 2^61, or there are more than max_exact_size rows.
template <class Get>
constexpr bool is_singular_of_integers(index n, const Get& get) {
  if (n > max_exact_size) return false;
  double bound = 1;  // of the determinant's square (Hadamard)
  for (index i = 0; i < n; ++i) {
    double sum = 0;
    for (index j = 0; j < n; ++j) {
      const double x = static_cast<double>(get(i, j));
      if (!(x >= -2147483648.0 && x <= 2147483648.0) || static_cast<double>(static_cast<std::int64_t>(x)) != x)
        return false;
      sum += x * x;
    }
    bound *= sum;
  }
  if (!(bound <= 0x1p122)) return false;
  for (const std::int64_t prime : {2147483647, 2147483629}) {
    std::uint64_t a[max_exact_size][max_exact_size] = {};
    for (index i = 0; i < n; ++i)
      for (index j = 0; j < n; ++j)
        a[i][j] = static_cast<std::uint64_t>((static_cast<std::int64_t>(get(i, j)) % prime + prime) % prime);
    if (!is_singular_modulo(static_cast<std::uint64_t>(prime), a, n)) return false;
  }
  return true;
}

// The first of n pivots that may be what rounding left of 0, or n. The first pivot tells how large the elements are.
template <class T, class Pivot>
constexpr index first_lost_pivot(index n, const Pivot& pivot) {
  constexpr T part = sizeof(T) == 4 ? T(0x1p-9) : T(0x1p-30);
  const T limit = part * pivot(0);
  for (index k = 1; k < n; ++k) {
    const T p = pivot(k);
    if (p * p <= limit * limit) return k;
  }
  return n;
}

}  // namespace broadloom::detail
