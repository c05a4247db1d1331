// LAPACK over stacks: column-major work memory with integers beside it, and the sizes that its workspace queries give.
#pragma once

#include <algorithm>
#include <limits>

#include "lapacke.hpp"
#include "stack.hpp"

namespace broadloom::runtime {

inline constexpr int column_major = LAPACK_COL_MAJOR;

inline int whole(index n) { return static_cast<int>(n); }
template <class T>
int asked(T answer) {
  const auto size = real_part(answer);
  return static_cast<int>(size * (1 + 4 * std::numeric_limits<float>::epsilon())) + 1;
}

// Memory for numbers of type T, used for real numbers; how many T hold so many real numbers.
template <class T>
real_of<T>* parts(T* memory) {
  return reinterpret_cast<real_of<T>*>(memory);
}
template <class T>
index room_for(index real_numbers) {
  return is_complex_type<T> ? (real_numbers + 1) / 2 : real_numbers;
}

inline double spectral_cost(index m, index n) { return 20 * cube(std::max(m, n)); }

inline constexpr int not_finite = -1000;  // in place of LAPACK's info

// Fails with info 0 if elements are not finite, else with LAPACK's info.
inline int reported(int info) { return info == not_finite ? 0 : info < 0 ? -info : info; }

// Calls body(memory, number) for all core arrays. A result other than 0 is a failure.
template <class T, class Body>
void each_matrix(const stack_call& c, double cost, index elements, index integers, failure what, const Body& body) {
  first_failure failed;
  const index count = c.count(), block = block_of(cost);
  work_memory<T> all(elements, blocks_of(count, block), c.how);
  work_memory<int> all_numbers(integers, blocks_of(count, block), c.how);
  in_blocks(count, block, c.how, [&](index first, index last) {
    const typename work_memory<T>::slot memory(all);
    const work_memory<int>::slot numbers(all_numbers);
    for (index number = first; number < last; ++number)
      if (const int info = body(memory.data(), numbers.data(), number); info != 0)
        return failed.record(number, reported(info));
  });
  failed.raise(c, what);
}

}  // namespace broadloom::runtime
