// sum_to against the table.
// Build: unoptimised, seldom
#include <vector>

#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  namespace bl = broadloom;
  int count = 0;
  for (const table::line& l : table::all().lines("sum_to")) {
    if (!table::is_for<T, 2>(l)) continue;
    const auto x = table::all().view<T, 2>(l.view);
    const std::vector<bl::index> to = table::integers(l.parameter);
    count += to.size() < 3;  // more axes than the array has do not compile
    if (to.empty()) table::compare(l, [&] { return bl::sum_to(x, bl::shape<>{}); });
    if (to.size() == 1) table::compare(l, [&] { return bl::sum_to(x, bl::dshape<1>(to[0])); });
    if (to.size() == 2) table::compare(l, [&] { return bl::sum_to(x, bl::dshape<2>(to[0], to[1])); });
  }
  BOOST_TEST(count > 15);
}

// Which static shapes are expansions of which.
namespace bl = broadloom;
template <class From, class To>
concept sums_to = bl::detail::may_sum_to<From, To>();
static_assert(sums_to<bl::shape<2, 3>, bl::shape<1, 3>> && sums_to<bl::shape<2, 3>, bl::shape<>>);
static_assert(sums_to<bl::shape<2, bl::dyn>, bl::shape<5>> && sums_to<bl::shape<2, 3>, bl::dshape<2>>);
static_assert(!sums_to<bl::shape<2, 3>, bl::shape<2>> && !sums_to<bl::shape<3>, bl::shape<1, 3>>);

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_sum_to_table)

BOOST_AUTO_TEST_CASE(of_i32) { check<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
