// A parameter that is true or false. It takes bool alone: of a text or a number C++ would make true, silently.
#pragma once

#include <broadloom/core/compiler.hpp>

namespace broadloom {

namespace errors_md {
// What a call with anything else names.
struct write_true_or_false;
struct write_true_for_the_right_side_or_false_for_the_left;
struct write_true_for_the_upper_triangle_or_false_for_the_lower;
struct write_true_for_descending_order_as_every_sort_is_stable;
struct write_true_for_the_largest_or_false_for_the_smallest;
struct write_true_to_multiply_by_the_transpose;
}  // namespace errors_md

namespace detail {

// Says: what is to be written instead of something else.
template <class Says>
class flag {
 public:
  template <class B>
    requires(__is_same(B, bool))
  constexpr flag(B x) : value_(x) {}
  template <class B, class Error = Says>
    requires(!__is_same(B, bool))
  flag(const B&) = delete;
  template <class Other>
  constexpr flag(const flag<Other>& x) : value_(x) {}
  constexpr operator bool() const { return value_; }

 private:
  bool value_;
};

using plain_flag = flag<errors_md::write_true_or_false>;
using right_flag = flag<errors_md::write_true_for_the_right_side_or_false_for_the_left>;
using upper_flag = flag<errors_md::write_true_for_the_upper_triangle_or_false_for_the_lower>;
using descending_flag = flag<errors_md::write_true_for_descending_order_as_every_sort_is_stable>;
using largest_flag = flag<errors_md::write_true_for_the_largest_or_false_for_the_smallest>;
using transposed_flag = flag<errors_md::write_true_to_multiply_by_the_transpose>;

}  // namespace detail
}  // namespace broadloom
