// A line with some elements at their sorted places, those before not larger and those behind not smaller: partition,
// argpartition; and the order by several keys: lexsort. They evaluate.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/index/gather.hpp>
#include <broadloom/index/sort.hpp>

namespace broadloom {

namespace detail {

// Puts the elements with these numbers of each line where they stand in the sorted line. values or indices is null.
// Throws index_error for a number that is none of the line's; negative ones count from the end.
BROADLOOM_API void partition_lines(const lines_of& x, const index* kth, index count, const char* call, void* values,
                                   index* indices, const runtime::options& how);

template <bool Indices>
struct partition_function {
  template <array X, integer_like A = last_axis>
  auto operator()(X&& x, index kth, A axis = {}, const policy& how = par) const {
    return of(static_cast<X&&>(x), &kth, 1, axis, how);
  }
  template <array X, integer_like A = last_axis>
  auto operator()(X&& x, const list<index>& kth, A axis = {}, const policy& how = par) const {
    return of(static_cast<X&&>(x), kth.data(), static_cast<index>(kth.size()), axis, how);
  }

 private:
  template <class X, class A>
  static auto of(X&& x, const index* kth, index count, A axis, const policy& how) {
    using own = value_of<node_of<X>>;
    const auto e = ordered(static_cast<X&&>(x));
    constexpr const char* call = Indices ? "argpartition" : "partition";
    using T = std::conditional_t<Indices, index, value_of<decltype(e)>>;
    return with_values_of<std::conditional_t<Indices, index, own>>(
        with_lines<BROADLOOM_NATIVE>(call, e, axis, how.options(), [&](const lines_of& lines, int) {
          const auto shape = e.shape();
          auto r = deduced_tensor<T, std::remove_cvref_t<decltype(shape)>>::uninitialised(shape);
          if constexpr (Indices)
            partition_lines(lines, kth, count, call, nullptr, r.data(), how.options());
          else
            partition_lines(lines, kth, count, call, r.data(), nullptr, how.options());
          return r;
        }));
  }
};

}  // namespace detail

// partition(x, k, axis = -1): x with the element of number k, counted from 0 and from the end where negative, where it
// stands in the sorted line, none larger before it and none smaller behind it; the order among these is free.
// partition(x, {j, k}, axis): several elements at once. NaN counts as the largest. argpartition: the indices, i64, that
// bring this about. Throw index_error for a k out of bounds (NumPy's partition).
inline constexpr detail::partition_function<false> partition{};
inline constexpr detail::partition_function<true> argpartition{};

// lexsort(a, b, ...): the indices, i64, that sort by the last key, equal ones by the one before it, and so on, along
// the last axis. Keys have one shape, and types of their own. lexsort(keys, axis = -1): keys are the slices along the
// first axis of one array; the axis is one of a key's. The order is stable, NaN comes last (NumPy's lexsort).
inline constexpr struct lexsort_t {
  template <array X, detail::integer_like A = detail::last_axis>
  auto operator()(X&& keys, A axis = {}) const {
    static_assert(detail::rank_of<detail::node_of<X>> >= 2,
                  "lexsort: keys are slices along the first axis; of one key "
                  "argsort is the order [errors.md#lexsort-keys]");
    const auto e = detail::capture(static_cast<X&&>(keys));
    const index n = e.shape()[0];
    if (n == 0) detail::refuse("need sequence of keys with len > 0 in lexsort", "lexsort", e.shape());
    const auto key = [&](index k) { return select(e, boost::hana::integral_constant<index, 0>{}, k); };
    auto order = argsort(key(0), axis);
    for (index k = 1; k < n; ++k) order = then_by(order, key(k), axis);
    return order;
  }
  template <array X, array... Y>
    requires(sizeof...(Y) > 0)
  auto operator()(X&& first, Y&&... rest) const {
    const auto e = detail::as_node(first);
    const auto same = [&](const auto& key) {
      static_assert(detail::rank_of<decltype(key)> == detail::rank_of<decltype(e)>,
                    "lexsort: all keys need to be the same shape [errors.md#lexsort-keys]");
      for (int a = 0; a < detail::rank_of<decltype(e)>; ++a)
        if (key.shape()[a] != e.shape()[a])
          detail::refuse("all keys need to be the same shape", "lexsort", e.shape(), key.shape());
    };
    (same(detail::as_node(rest)), ...);
    auto order = argsort(static_cast<X&&>(first));
    ((order = then_by(order, detail::capture(static_cast<Y&&>(rest)), detail::last_axis{})), ...);
    return order;
  }

 private:
  template <class O, class K, class A>
  static O then_by(const O& order, const K& key, A axis) {
    return O(gather(order, axis, argsort(gather(key, axis, order), axis)));
  }
} lexsort{};

}  // namespace broadloom
