// Which elements are among others: isin; and the same as a 0 or 1 for each class: one_hot. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/index/sort.hpp>

namespace broadloom {

namespace detail {

// For each of n elements whether it is one of `count` sorted ones, or is none of them.
BROADLOOM_API void find_members(const void* x, index n, const void* sorted, index count, dtype type, bool invert,
                                bool* to);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_class(index x, index classes) {
  throw_error(error_kind::bad_class, {x, classes});
}

// Elements in ascending order, in memory of their own.
template <class T, int Native, class E>
dtensor<T, 1> sorted_elements(const E& e) {
  const memory<E, Native> m(e, runtime::options{}, {true, {}});
  const index n = e.shape().size();
  dtensor<T, 1> r(n);
  dtensor<index, 1> order(n);
  sort_lines({m.data(), compiled_dtype<T>(), 1, n, 1}, {0, n, false, true, false}, r.data(), order.data(),
             runtime::options{});
  return r;
}

}  // namespace detail

// isin(x, others, invert = false): for each element of x whether others has it, as bool of x's shape. Elements are
// compared in their common type; NaN is in nothing (NumPy's and PyTorch's isin). n log m.
inline constexpr struct isin_t {
  template <array X, array Y, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x, Y&& others, detail::plain_flag invert = false) const {
    using T = detail::arithmetic_type<promoted<X, Y>>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order [errors.md#complex-order]");
    const auto e = detail::argument<T>(static_cast<X&&>(x));
    const auto o = detail::argument<T>(static_cast<Y&&>(others));
    using node = std::remove_const_t<decltype(e)>;
    const auto sorted = detail::sorted_elements<T, Native>(o);
    const detail::memory<node, Native> m(e, runtime::options{}, {true, {}});
    using own = detail::shape_of<node>;
    auto r = detail::deduced_tensor<bool, own>::uninitialised(own::unchecked(m.form().extents));
    detail::find_members(m.data(), r.size(), sorted.data(), sorted.size(), detail::compiled_dtype<T>(), invert,
                         r.data());
    return r;
  }
} isin{};

// one_hot(x, classes): x's shape with an axis of `classes` behind, i64: 1 at the index that an element of x names, 0
// elsewhere; one_hot(x): as many classes as the largest element needs. A constant (4_c) is a static extent. Throws
// index_error for an element below 0 or not below `classes`, and for no elements without classes (PyTorch's one_hot).
inline constexpr struct one_hot_t {
  template <array X, detail::integer_like N = index>
    requires(is_integer(dtype_of<detail::value_of<detail::node_of<X>>>))
  auto operator()(X&& x, N count = N(-1)) const {
    const auto e = detail::argument<index>(static_cast<X&&>(x));
    using node = std::remove_const_t<decltype(e)>;
    const detail::memory<node, BROADLOOM_NATIVE> m(e, runtime::options{}, {true, {}});
    constexpr int rank = detail::rank_of<node>;
    const index n = e.shape().size();
    index low = 0, high = -1, classes = static_cast<index>(count);
    for (index i = 0; i < n; ++i) {
      low = m.data()[i] < low ? m.data()[i] : low;
      high = m.data()[i] > high ? m.data()[i] : high;
    }
    if (low < 0) detail::throw_bad_class(low, classes);
    if (classes == -1) classes = n == 0 ? -1 : detail::checked_add("one_hot", high, 1);
    if (classes < 0 || high >= classes || (n == 0 && classes == 0)) detail::throw_bad_class(high, classes);
    detail::indices<rank + 1> extents{};
    for (int a = 0; a < rank; ++a) extents[a] = m.form().extents[a];
    extents[rank] = classes;
    constexpr auto known = [] {
      detail::indices<rank + 1> r{};
      for (int a = 0; a < rank; ++a) r[a] = detail::shape_of<node>::static_extents[a];
      r[rank] = detail::extent_of<N>();
      return r;
    }();
    using own = detail::shape_from<known>;
    detail::check_count("one_hot", extents.v, rank + 1);
    detail::deduced_tensor<index, own> r(own::unchecked(extents));
    for (index i = 0; i < n; ++i) r.data()[i * classes + m.data()[i]] = 1;
    return r;
  }
} one_hot{};

}  // namespace broadloom
