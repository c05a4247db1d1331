// bit_cast<T>: the bits of the elements as elements of another type.
#pragma once

#include <broadloom/core/copy_elements.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/tensor/deduced.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bits_left(const index* extents, index rank, index from,
                                                                   index to) {
  throw_error(error_kind::bits_left, {extents, rank, from, to});
}

// The extents in elements of another size.
template <int R>
constexpr indices<R> recounted(indices<R> x, index from, index to) {
  if (from != to && R > 0) {
    index& n = x[R > 0 ? R - 1 : 0];
    if (!is_dyn(n)) n = n * from / to;
  }
  return x;
}

}  // namespace detail

// bit_cast<std::uint32_t>(x): a copy of the elements whose bits are read as another type's. Of another size the last
// axis is longer or shorter, in the machine's order of bytes; it must be there, and its bytes be so many that elements
// are whole, else shape_error. Not to bool (NumPy's and PyTorch's view(dtype), which share memory; C++ allows no two
// types for it).
template <element T>
struct bit_cast_t {
  template <array X>
  auto operator()(X&& x) const {
    using node = detail::node_of<X>;
    using given = detail::value_of<node>;
    using own = detail::shape_of<node>;
    constexpr int rank = own::axes_count;
    constexpr bool fits = !__is_same(T, bool) && (sizeof(T) == sizeof(given) || rank > 0);
    static_assert(fits,
                  "bit_cast: not to bool, and to elements of another size only with a last axis "
                  "[errors.md#bit-cast]");
    constexpr index old_size = sizeof(given), new_size = sizeof(T);
    const tensor<given, own> source(static_cast<X&&>(x));
    auto extents = source.shape().extents();
    if constexpr (old_size < new_size && rank > 0)
      if (extents[rank - 1] * old_size % new_size != 0) detail::throw_bits_left(extents.v, rank, old_size, new_size);
    extents = detail::recounted<rank>(extents, old_size, new_size);
    using shape = detail::shape_from<detail::recounted<rank>(own::static_extents, old_size, new_size)>;
    auto r = detail::deduced_tensor<T, shape>::uninitialised(shape::unchecked(extents));
    if (r.size() > 0)
      runtime::copy_elements(static_cast<void*>(r.data()), source.data(),
                             static_cast<std::size_t>(source.size()) * sizeof(given));
    return r;
  }
};
template <element T>
inline constexpr bit_cast_t<T> bit_cast{};

}  // namespace broadloom
