// LAPACK over stacks: column-major work memory with integers beside it, and the sizes that its workspace queries give.
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>

#include "lapacke.hpp"
#include "stack.hpp"

namespace broadloom::runtime {

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

// Arguments that LAPACK's functions have for complex numbers only (memory for real ones), or for real numbers only.
template <class A>
struct only_complex {
  A value;
};
template <class A>
struct only_real {
  A value;
};
// Clang before 17 deduces no arguments of aggregates by itself.
template <class A>
only_complex(A) -> only_complex<A>;
template <class A>
only_real(A) -> only_real<A>;
template <class T, class A>
auto argument_of(A a) {
  return std::tuple(a);
}
template <class T, class A>
auto argument_of(only_complex<A> a) {
  if constexpr (is_complex_type<T>)
    return std::tuple(a.value);
  else
    return std::tuple();
}
template <class T, class A>
auto argument_of(only_real<A> a) {
  if constexpr (is_complex_type<T>)
    return std::tuple();
  else
    return std::tuple(a.value);
}
// Calls a function of LAPACK for elements of type T.
template <class T, class F, class... A>
int run_lapack(const F& f, A... a) {
  return std::apply(f, std::tuple_cat(argument_of<T>(a)...));
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
