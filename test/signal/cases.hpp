// Reads the tables of functions on signals, and compares with them in f64 and f32.
#pragma once

#include <array>
#include <complex>

#include <broadloom/signal.hpp>

#include "index/cases.hpp"

namespace signal_cases {

namespace bl = broadloom;
using index_cases::array_text;
using index_cases::line;
using index_cases::list_of;
using index_cases::rank_of;

// An array of R axes, of complex elements where the table has their parts on one axis more.
template <class T, int R>
auto read_array(const array_text& a) {
  bl::detail::indices<R> x{};
  for (int i = 0; i < R; ++i) x[i] = a.extents[static_cast<std::size_t>(i)];
  bl::dtensor<T, R> r(bl::dshape<R>::unchecked(x));
  for (bl::index i = 0; i < r.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if constexpr (bl::detail::is_complex_type<T>)
      r.data()[i] = T(static_cast<typename T::value_type>(a.elements[2 * k]),
                      static_cast<typename T::value_type>(a.elements[2 * k + 1]));
    else
      r.data()[i] = static_cast<T>(a.elements[k]);
  }
  return r;
}

// Extents are the table's, and elements but for `places` units of the last place of the largest one.
template <class X>
bool near(const array_text& wanted, const X& x, double places = 24) {
  const auto r = bl::eval(x);
  using T = typename decltype(r)::value_type;
  using real = bl::detail::real_of<T>;
  constexpr int rank = rank_of<decltype(r)>;
  constexpr bool parts = bl::detail::is_complex_type<T>;
  if (wanted.rank() != rank + parts) return false;
  for (int i = 0; i < rank; ++i)
    if (r.shape()[i] != wanted.extents[static_cast<std::size_t>(i)]) return false;
  double largest = 1;
  for (const double e : wanted.elements) largest = std::max(largest, std::abs(e));
  const double most = places * static_cast<double>(std::numeric_limits<real>::epsilon()) * largest;
  const auto* const flat = reinterpret_cast<const real*>(r.data());
  for (std::size_t i = 0; i < wanted.elements.size(); ++i) {
    const auto e = static_cast<double>(flat[i]);
    if (!(std::abs(e - wanted.elements[i]) <= most) && !(e == wanted.elements[i]) &&
        !(e != e && wanted.elements[i] != wanted.elements[i]))
      return false;
  }
  return true;
}

}  // namespace signal_cases
