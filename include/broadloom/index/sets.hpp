// Arrays as sets of their elements: union1d, intersect1d, setdiff1d, setxor1d. They evaluate, in the operands' common
// type, and give ascending values of rank 1. n log n.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/index/sort.hpp>

namespace broadloom {

// What intersect1d gives with indices: common values, and where each of them is first in either operand.
template <class T>
struct intersection_result {
  dtensor<T, 1> values;
  dtensor<index, 1> left, right;
};

inline constexpr struct with_indices_t {
} with_indices{};

namespace detail {

enum class set_operation : unsigned char { unite, intersect, subtract, exclusive };

// Sorts n elements in place and drops what is equal; NaN last and one of them. Returns how many are left. first (null:
// not wanted): the index at which each of them was first.
BROADLOOM_API index keep_distinct(void* x, dtype type, index n, index* first);
// Of two ascending lists of different elements. Returns how many elements were written to `to`, and to left and right
// (null: not wanted) the position of each in its list. NaN is in no intersection.
BROADLOOM_API index combine_sets(set_operation what, const void* a, index na, const void* b, index nb, dtype type,
                                 void* to, index* left, index* right);

template <class T>
dtensor<T, 1> first_elements(dtensor<T, 1>&& whole, index n) {
  if (n == whole.size()) return static_cast<dtensor<T, 1>&&>(whole);
  auto r = dtensor<T, 1>::uninitialised(dshape<1>(n));
  if (n > 0)
    runtime::copy_elements(static_cast<void*>(r.data()), whole.data(), static_cast<std::size_t>(n) * sizeof(T));
  return r;
}

// A copy of all elements, in row-major order.
template <class T, class X>
dtensor<T, 1> all_elements(X&& x) {
  const auto e = argument<T>(static_cast<X&&>(x));
  using node = std::remove_const_t<decltype(e)>;
  auto r = dtensor<T, 1>::uninitialised(dshape<1>(e.shape().size()));
  if (r.size() > 0)
    assign(view<T, dshape<rank_of<node>>>(r.data(), dshape<rank_of<node>>::unchecked(e.shape().extents())), e);
  return r;
}

template <set_operation What>
struct set_function {
  template <array X, array Y>
  auto operator()(X&& x, Y&& y) const {
    using T = arithmetic_type<promoted<X, Y>>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order [errors.md#complex-order]");
    dtensor<T, 1> a = all_elements<T>(static_cast<X&&>(x)), b = all_elements<T>(static_cast<Y&&>(y));
    const index na = keep_distinct(a.data(), compiled_dtype<T>(), a.size(), nullptr),
                nb = keep_distinct(b.data(), compiled_dtype<T>(), b.size(), nullptr);
    auto r = dtensor<T, 1>::uninitialised(dshape<1>(What == set_operation::subtract    ? na
                                                    : What == set_operation::intersect ? (na < nb ? na : nb)
                                                                                       : na + nb));
    const index n = combine_sets(What, a.data(), na, b.data(), nb, compiled_dtype<T>(), r.data(), nullptr, nullptr);
    return with_values_of<promoted<X, Y>>(first_elements(static_cast<dtensor<T, 1>&&>(r), n));
  }
};

}  // namespace detail

// union1d(x, y): values of either array, each once, NaN too. setdiff1d(x, y): those of x that are not in y; NaN is in
// nothing. setxor1d(x, y): those of one array alone; NaN counts as another in each (NumPy's).
inline constexpr detail::set_function<detail::set_operation::unite> union1d{};
inline constexpr detail::set_function<detail::set_operation::subtract> setdiff1d{};
inline constexpr detail::set_function<detail::set_operation::exclusive> setxor1d{};

// intersect1d(x, y): values that both arrays have. intersect1d(x, y, with_indices): {values, left, right}, with the
// position of the first of each in x and in y, among all elements in row-major order (NumPy's return_indices).
inline constexpr struct intersect1d_t : detail::set_function<detail::set_operation::intersect> {
  using set_function::operator();
  template <array X, array Y>
  auto operator()(X&& x, Y&& y, with_indices_t) const {
    using common = promoted<X, Y>;
    using T = detail::arithmetic_type<common>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order [errors.md#complex-order]");
    dtensor<T, 1> a = detail::all_elements<T>(static_cast<X&&>(x)), b = detail::all_elements<T>(static_cast<Y&&>(y));
    dtensor<index, 1> at_a(a.size()), at_b(b.size());
    const index na = detail::keep_distinct(a.data(), detail::compiled_dtype<T>(), a.size(), at_a.data()),
                nb = detail::keep_distinct(b.data(), detail::compiled_dtype<T>(), b.size(), at_b.data());
    const index most = na < nb ? na : nb;
    dtensor<T, 1> values(most);
    dtensor<index, 1> left(most), right(most);
    const index n = detail::combine_sets(detail::set_operation::intersect, a.data(), na, b.data(), nb,
                                         detail::compiled_dtype<T>(), values.data(), left.data(), right.data());
    for (index k = 0; k < n; ++k) {
      left.data()[k] = at_a.data()[left.data()[k]];
      right.data()[k] = at_b.data()[right.data()[k]];
    }
    return intersection_result<common>{
        detail::with_values_of<common>(detail::first_elements(static_cast<dtensor<T, 1>&&>(values), n)),
        detail::first_elements(static_cast<dtensor<index, 1>&&>(left), n),
        detail::first_elements(static_cast<dtensor<index, 1>&&>(right), n)};
  }
} intersect1d{};

}  // namespace broadloom
