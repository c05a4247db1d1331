// Compensated sums: the rounding error of each addition is kept, and added at the end.
#pragma once

#include <broadloom/reduce/reduced.hpp>

namespace broadloom {

namespace errors_md {
// What a function that adds nothing up "returns" when it is asked to compensate.
template <class Function>
struct only_sums_are_compensated;
}  // namespace errors_md

namespace detail {

// A sum, and the rounded sum of its rounding errors.
template <class T>
struct two_parts {
  T sum, error;

  constexpr T value() const { return error - error == 0 && error != 0 ? sum + error : sum; }
};

// Knuth's addition: sum + error are a + b, with no condition on which is larger.
struct exactly_added {
  template <class T>
  static constexpr two_parts<T> on(const two_parts<T>& a, const two_parts<T>& b) {
    const T sum = a.sum + b.sum, of_b = sum - a.sum;
    return {sum, (a.error + b.error) + ((a.sum - (sum - of_b)) + (b.sum - of_b))};
  }
  template <class T>
  static constexpr T empty() {
    return {};
  }
};

// The order of plain sums, of floating types; others have nothing to compensate.
struct compensated_r {
  static constexpr bool has_empty = true;
  static constexpr runtime::reduction how = runtime::reduction::compensated_sum;
  static constexpr const char* name() { return "compensated sum"; }
  template <class T>
  using result = T;
  template <class T, class Get>
  static constexpr T one(index n, const Get& get) {
    return combine<exactly_added, two_parts<T>, static_cast<int>(64 / sizeof(T))>(
               n, [&get](index i) { return two_parts<T>{get(i), T{}}; })
        .value();
  }
};

}  // namespace detail
}  // namespace broadloom
