// Ramps that kernels count have the values of arrays of the same numbers.
// Build: optimised (its loops exist only with optimisation)
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

struct level_restored {
  bl::isa before = bl::runtime::active_isa();
  ~level_restored() { bl::set_isa(before); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_ramp_counted)

// Assignments of one loop list a ramp as a number that their kernel counts from: every number of elements around whole
// vectors, from any first one, into the same shape, another one, a view, and an operand itself.
BOOST_AUTO_TEST_CASE(assignments_without_a_plan_count) {
  const level_restored restored;
  const auto of_type = [&]<class T>(T) {
    for (const bl::isa level : bl::runtime::every_isa) {
      if (bl::set_isa(level) != level) continue;
      for (const bl::index n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 129, 1023, 4095}) {
        for (const bl::index first : {bl::index{0}, bl::index{1}, 4096 - n}) {
          const auto ramp = bl::slice(bl::iota<T>(4096), bl::range(first, first + n));
          bl::dtensor<T, 1> r = bl::dtensor<T, 1>(bl::dshape<1>{n}), x = bl::cast<T>(bl::iota<int>(n, 3, 7));
          for (bl::index i = 0; i < n; ++i) r(i) = static_cast<T>(first + i);
          const bl::dtensor<T, 1> product = x * r, chosen = bl::where(r < T(60), x, T(1));
          bl::dtensor<T, 1> same = bl::dtensor<T, 1>(bl::dshape<1>{n}), other, from{T(5)}, in_place = x;
          same = x * ramp;
          other = ramp * x;
          from = from * ramp;
          in_place = in_place * ramp;
          bl::dtensor<T, 1> view = bl::dtensor<T, 1>(bl::dshape<1>{n + 2});
          view(bl::range(1, n + 1)) = x * ramp;
          const bool right = bl::all(same == product).item() && bl::all(other == product).item() &&
                             bl::all(from == r * T(5)).item() && bl::all(in_place == product).item() &&
                             bl::all(view(bl::range(1, n + 1)) == product).item();
          same = bl::where(ramp < T(60), x, T(1));
          BOOST_TEST((right && bl::all(same == chosen).item()), bl::to_string(bl::dtype_of<T>)
                                                                    << ", " << n << " from " << first);
        }
      }
    }
  };
  of_type(float{});
  of_type(std::int16_t{});
}

BOOST_AUTO_TEST_CASE(extents_that_do_not_fit_are_refused) {
  bl::dtensor<float, 1> x{1, 2, 3}, o{0, 0, 0};
  const auto product = x * bl::iota<float>(3);
  o = product;
  BOOST_TEST(o(2) == 6);
  BOOST_CHECK_THROW((o(bl::range(0, 2)) = product), bl::shape_error);
  x = bl::ones<float>(4);
  BOOST_CHECK_THROW(o = product, bl::shape_error);
  BOOST_CHECK_THROW((o(bl::range(0, 3)) = product), bl::shape_error);
  BOOST_CHECK_THROW(o = bl::ones<float>(2) * bl::iota<float>(3), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
