// The tensor that a call makes of its own accord: its type is the result's, and it must not be too large for the stack.
#pragma once

#include <broadloom/shape/shape.hpp>

namespace broadloom {

namespace detail {

// A static tensor has its elements inside. One that a user declares is his to place; one whose type was deduced would
// silently lie on the stack, of which a thread may have 512 KiB.
inline constexpr index largest_deduced = 256 * 1024;  // bytes

template <class T, class Shape>
constexpr bool may_lie_on_the_stack() {
  if constexpr (Shape::is_static) {
    const index n = checked_size(Shape::static_extents.v, Shape::axes_count);
    return n >= 0 && n <= largest_deduced / static_cast<index>(sizeof(T));
  } else
    return true;
}

// The tensor of a call that has several results, or is no expression.
template <class T, class Shape>
struct deduced {
  static_assert(may_lie_on_the_stack<T, Shape>(),
                "more than 256 KiB on the stack: make this static result of dynamic arrays, bl::dtensor<T, rank> "
                "[errors.md#over_256_KiB_on_the_stack_write_the_type_or_use_dtensor]");
  using type = tensor<T, Shape>;
};
template <class T, class Shape>
using deduced_tensor = typename deduced<T, Shape>::type;

}  // namespace detail

namespace errors_md {
// The shape of a static result that is too large for the stack and whose type was left to the compiler.
template <class Shape>
struct over_256_KiB_on_the_stack_write_the_type_or_use_dtensor;
}  // namespace errors_md

template <class E, class Shape>
class tensor<E, errors_md::over_256_KiB_on_the_stack_write_the_type_or_use_dtensor<Shape>> {
 public:
  template <class X>
  tensor(X&&) = delete;
};

namespace detail {

template <class T, class Shape>
using deduced_shape = std::conditional_t<may_lie_on_the_stack<T, Shape>(), Shape,
                                         errors_md::over_256_KiB_on_the_stack_write_the_type_or_use_dtensor<Shape>>;

}  // namespace detail
}  // namespace broadloom
