// Where a mask or an array is not zero: nonzero, argwhere, and where of one argument. They evaluate: how many there are
// decides their shapes.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/index/operand.hpp>
#include <broadloom/tensor/mask.hpp>

namespace broadloom {

// Positions, i64: index_array{0, 2, 1} is an argument of slice and of the call syntax, as any array of i32 or i64 is.
using index_array = dtensor<index, 1>;

namespace detail {

// The indices of what is not zero: to[k * step + axis] for the k-th of them, or, where `apart`, to[axis * step + k].
BROADLOOM_API void write_nonzero(const void* data, dtype type, const index* extents, int rank, index* to, index step,
                                 bool apart);

template <int Native, class X, class F>
auto with_nonzero(X&& x, F f) {
  const auto node = capture(static_cast<X&&>(x));
  const memory<std::remove_const_t<decltype(node)>, Native> m(node, runtime::options{}, {true, {}});
  const auto& extents = m.form().extents;
  constexpr int rank = rank_of<decltype(node)>;
  constexpr dtype type = compiled_dtype<value_of<decltype(node)>>();
  const index n = count_nonzero_elements(m.data(), type, dshape<rank>::unchecked(extents).size());
  return f(n,
           [&](index* to, index step, bool apart) { write_nonzero(m.data(), type, extents.v, rank, to, step, apart); });
}

}  // namespace detail

// nonzero(x): the indices of x's elements that are not zero, in row-major order, one a row: (n, rank) of i64 (PyTorch's
// nonzero, NumPy's argwhere).
inline constexpr struct nonzero_t {
  template <array X, int Native = BROADLOOM_NATIVE>
  auto operator()(X&& x) const {
    return detail::with_nonzero<Native>(static_cast<X&&>(x), [](index n, auto write) {
      constexpr int rank = detail::rank_of<detail::node_of<X>>;
      auto r = tensor<index, shape<dyn, rank>>::uninitialised(shape<dyn, rank>(n));
      write(r.data(), rank, false);
      return r;
    });
  }
} nonzero{};
inline constexpr nonzero_t argwhere{};

namespace detail {

// where(mask) of one argument: an index array for each axis, as a tuple (fn/composite.hpp declares the object).
template <array M>
struct where_one {
  template <int Native = BROADLOOM_NATIVE>
  static auto of(M&& m) {
    return with_nonzero<Native>(static_cast<M&&>(m), [](index n, auto write) {
      constexpr int rank = rank_of<node_of<M>>;
      using list = dtensor<index, rank_for<1, M>>;
      fixed_array<list, rank> r{};
      if constexpr (rank == 1) {
        r[0] = list::uninitialised(dshape<rank_for<1, M>>(n));
        write(r[0].data(), n, true);
        return r;
      }
      auto rows = dtensor<index, rank_for<2, M>>::uninitialised(dshape<rank_for<2, M>>(rank, n));
      write(rows.data(), n, true);
      for (int a = 0; a < rank; ++a) {
        r[a] = list::uninitialised(dshape<rank_for<1, M>>(n));
        runtime::copy_elements(r[a].data(), rows.data() + a * n, static_cast<std::size_t>(n) * sizeof(index));
      }
      return r;
    });
  }
};

}  // namespace detail
}  // namespace broadloom
