// Reductions of arrays and of expressions in cache, whole, along rows and along columns: the same rows for Broadloom,
// compiled by plain -O2, and for Eigen, compiled by -O3 -march=native. Outputs are there already.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace bench_reduced {

struct row {
  std::string name;
  std::function<void()> run;
};

// Of two arrays of rows x columns and one of a row. f32, f64 or i32.
template <class T>
std::vector<row> rows_of_broadloom(long rows, long columns);
template <class T>
std::vector<row> rows_of_eigen(long rows, long columns);

// The same numbers for both: element i of the first, the second array and the row.
template <class T>
T number(long i, int which) {
  const long n = i * (which == 0 ? 7919 : which == 1 ? 104729 : 31) % 1009;
  return std::is_integral_v<T> ? static_cast<T>(n) : static_cast<T>(n) / T(1009);
}

// Added to elements, their products stay in range; added to those of one array, no element of another is larger.
template <class T>
inline constexpr T half = std::is_integral_v<T> ? T(1) : T(0.5);
template <class T>
inline constexpr T beyond = std::is_integral_v<T> ? T(2000) : T(2);

// A result is used.
inline volatile double used;

}  // namespace bench_reduced
