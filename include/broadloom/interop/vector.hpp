// to_vector(x): the elements of an array or an expression as a std::vector.
#pragma once

#include <vector>

#include <broadloom/tensor/factories.hpp>

namespace broadloom {

// to_vector(x), to_vector(x, policy): the elements in row-major order, whatever the rank; an expression is evaluated
// straight into the vector.
inline constexpr struct to_vector_t {
  template <array X>
  auto operator()(X&& x, const policy& p = par) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    using T = detail::value_of<decltype(e)>;
    if constexpr (__is_same(T, bool)) {  // whose vector has no elements in memory
      const dtensor<bool, detail::rank_of<decltype(e)>> r(e, p);
      return std::vector<bool>(r.begin(), r.end());
    } else {
      std::vector<T> r(static_cast<std::size_t>(e.shape().size()));
      assign(from(r.data(), e.shape()), e, p);
      return r;
    }
  }
} to_vector{};

}  // namespace broadloom
