// std::mdspan, which libc++ has in C++23, as an operand, and a tensor's elements by one.
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/mdspan.hpp>

#include <cstdio>
#include <mdspan>
#include <type_traits>

namespace bl = broadloom;

int main() {
  float memory[6] = {1, 2, 3, 4, 5, 6};
  const std::mdspan<float, std::extents<int, 2, 3>> m(memory);
  bl::tensor doubled = bl::from(m) * 2;
  static_assert(std::is_same_v<decltype(doubled)::shape_type, bl::shape<2, 3>>);
  const auto seen = bl::as_mdspan(doubled.as_view());
  const bool right = doubled(1, 2) == 12 && seen[0, 1] == 4 && seen.data_handle() == doubled.data();
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
