// Reads test/data/vocabulary_cases.tsv, and hands each line's first array to a test in two layouts: row-major, and
// transposed.
#pragma once

#include "index/cases.hpp"

namespace vocabulary {

using namespace index_cases;
namespace bl = broadloom;

// Extents are the line's, and elements but for so many units of the last place of the larger one, at least of 1.
template <class X>
bool near(const array_text& wanted, const X& x, double places = 16) {
  const auto r = bl::eval(x);
  if (r.shape().rank() != wanted.rank()) return false;
  for (int i = 0; i < wanted.rank(); ++i)
    if (r.shape()[i] != wanted.extents[static_cast<std::size_t>(i)]) return false;
  for (std::size_t i = 0; i < wanted.elements.size(); ++i) {
    const auto a = static_cast<double>(r.data()[i]);
    const double b = wanted.elements[i];
    if (a == b || (a != a && b != b)) continue;
    if (!(std::abs(a - b) <= places * 2.3e-16 * std::max(1.0, std::abs(b)))) return false;
  }
  return true;
}

template <class F>
void each_vocabulary(const char* function, int least, F test) {
  index_cases::each(
      function, least,
      [&](const line& l) {
        bool ok = true;
        with_rank(l.arrays[0].rank(), [&](auto r) {
          const auto x = l.arrays[0].template as<double, decltype(r)::value>();
          const auto turned = bl::eval(bl::transpose(x));
          ok = test(l, x) && test(l, bl::transpose(turned));
        });
        return ok;
      },
      "test/data/vocabulary_cases.tsv");
}
// Whether a function of arrays of rank R alone holds; others are left out.
template <int R, class X, class F>
bool of_rank(const X& x, F f) {
  if constexpr (rank_of<X> == R)
    return f(x);
  else
    return true;
}

}  // namespace vocabulary
