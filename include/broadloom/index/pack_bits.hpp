// Truths as the bits of bytes: packbits, unpackbits. They evaluate.
#pragma once

#include <utility>

#include <broadloom/core/api.hpp>
#include <broadloom/fn/operators.hpp>
#include <broadloom/tensor/eval.hpp>
#include <broadloom/tensor/flatten.hpp>
#include <broadloom/tensor/mask.hpp>

namespace broadloom {

// Which bit of a byte is the first: the highest or the lowest one (NumPy's names).
enum class bit_order : unsigned char { big, little };

namespace detail {

// Eight elements of each line to a byte, the last byte filled with zeros; and back.
BROADLOOM_API void pack_bits(const bool* x, index outer, index n, index inner, bit_order order, std::uint8_t* to);
BROADLOOM_API void unpack_bits(const std::uint8_t* x, index outer, index n, index inner, index count, bit_order order,
                               std::uint8_t* to);

// The row-major elements and their shape, with the numbers of lines before and behind an axis, and a result of another
// extent there.
template <class T, class E, class A, class F>
auto with_axis_of(const E& e, A axis, const char* call, const F& f) {
  constexpr int rank = rank_of<E>;
  static_assert(rank > 0, "an array of at least one axis [errors.md#too-few-axes]");
  const auto s = dshape<rank>::unchecked(e.shape().extents());
  dtensor<T, rank> own;
  const T* const x = elements_as(e, s, own);
  const int a = normal_axis(static_cast<index>(axis), rank, call);
  index outer = 1, inner = 1;
  for (int i = 0; i < a; ++i) outer *= s[i];
  for (int i = a + 1; i < rank; ++i) inner *= s[i];
  return f(x, s, a, outer, inner);
}

}  // namespace detail

// packbits(x, axis, order = bit_order::big): eight elements along the axis, whether they are not 0, as the bits of a
// u8; the last byte is filled with zeros. packbits(x): of all elements, of rank 1 (NumPy's packbits).
inline constexpr struct packbits_t {
  template <array X, detail::integer_like A>
  auto operator()(X&& x, A axis, bit_order order = bit_order::big) const {
    const auto e = [&] {
      auto given = detail::capture(static_cast<X&&>(x));
      if constexpr (detail::bool_array<X>)
        return given;
      else
        return ne(std::move(given), 0);
    }();
    return detail::with_axis_of<bool>(e, axis, "packbits",
                                      [&]<class S>(const bool* b, const S& s, int a, index before, index behind) {
                                        auto extents = s.extents();
                                        const index n = extents[a];
                                        extents[a] = (n + 7) / 8;
                                        auto r = tensor<std::uint8_t, S>::uninitialised(S::unchecked(extents));
                                        detail::pack_bits(b, before, n, behind, order, r.data());
                                        return r;
                                      });
  }
  template <array X>
  auto operator()(X&& x, bit_order order = bit_order::big) const {
    return (*this)(flatten(detail::capture(static_cast<X&&>(x))), index{0}, order);
  }
} packbits{};

// unpackbits(x, axis, order = bit_order::big, count = -1): the bits of u8 elements as u8 of 0 and 1, eight for each
// along the axis, or the first `count` of them, zeros behind the last one. unpackbits(x): of all elements, of rank 1
// (NumPy's unpackbits).
inline constexpr struct unpackbits_t {
  template <array X, detail::integer_like A>
    requires(__is_same(detail::value_of<detail::node_of<X>>, std::uint8_t))
  auto operator()(X&& x, A axis, bit_order order = bit_order::big, index count = -1) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    return detail::with_axis_of<std::uint8_t>(
        e, axis, "unpackbits", [&]<class S>(const std::uint8_t* b, const S& s, int a, index before, index behind) {
          auto extents = s.extents();
          const index n = extents[a];
          extents[a] = count < 0 ? n * 8 : count;
          detail::check_count("unpackbits", S::unchecked(extents));
          auto r = tensor<std::uint8_t, S>::uninitialised(S::unchecked(extents));
          detail::unpack_bits(b, before, n, behind, extents[a], order, r.data());
          return r;
        });
  }
  template <array X>
    requires(__is_same(detail::value_of<detail::node_of<X>>, std::uint8_t))
  auto operator()(X&& x, bit_order order = bit_order::big) const {
    return (*this)(flatten(detail::capture(static_cast<X&&>(x))), index{0}, order);
  }
} unpackbits{};

}  // namespace broadloom
