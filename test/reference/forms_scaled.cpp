// add and sub with alpha, div with its roundings, and weak operands: arrays of rank 0 in every pair of types.
#include "form.hpp"

namespace reference {
namespace {

using bl::detail::in_place;

struct div_trunc_t {
  template <class X, class Y>
  auto operator()(X&& x, Y&& y) const -> decltype(bl::div(x, y, bl::rounding::trunc)) {
    return bl::div(x, y, bl::rounding::trunc);
  }
};
struct div_floor_t {
  template <class X, class Y>
  auto operator()(X&& x, Y&& y) const -> decltype(bl::div(x, y, bl::rounding::floor)) {
    return bl::div(x, y, bl::rounding::floor);
  }
};

const bool made = [] {
  each<pair_count<whole_set>>([]<int I>() {
    constexpr int pair = pair_of_types<whole_set, 2>(I);
    using A = nth_type<pair / type_count>;
    using B = nth_type<pair % type_count>;
    if constexpr (pair > 0) {
      add_form_with_value<bl::add_t, in_place<bl::add_t>>("add", types<A, B>{}, ranks<2, 2>{});
      add_form_with_value<bl::sub_t, in_place<bl::sub_t>>("sub", types<A, B>{}, ranks<2, 2>{});
    }
    add_form<bl::add_t, in_place<bl::add_t>>("add", types<A, B>{}, ranks<2, 0>{});
    add_form<bl::add_t, in_place<bl::add_t>>("add", types<A, B>{}, ranks<0, 2>{});
    add_form<bl::add_t, in_place<bl::add_t>>("add", types<A, B>{}, ranks<0, 0>{});
    add_form<bl::eq_t, in_place<bl::eq_t>>("eq", types<A, B>{}, ranks<2, 0>{});
  });
  each<type_count>([]<int I>() {
    using A = nth_type<I>;
    using B = nth_type<(I * 3 + 1) % type_count>;
    add_form<div_trunc_t, in_place<div_trunc_t>>("trunc_divide", types<A, B>{}, ranks<2, 2>{});
    add_form<div_floor_t, in_place<div_floor_t>>("div_floor", types<A, B>{}, ranks<2, 2>{});
    add_form<div_floor_t, in_place<div_floor_t>>("div_floor", types<A, A>{}, ranks<2, 2>{});
  });
  return true;
}();

}  // namespace
}  // namespace reference
