// `view = x` writes elements, whatever array x is, named or not, and whether or not x converts to the view's type.
#include <array>
#include <broadloom/broadloom.hpp>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

using view = bl::view<float, bl::dshape<1>>;

// From x as an lvalue, a constant and a temporary, to a view that is named, constant and a temporary.
template <class X>
void writes_from(const X& of) {
  int writes = 0;
  const auto check = [&](const auto& write) {
    float memory[3] = {0, 0, 0};
    write(view(memory, bl::dshape<1>(3)));
    for (int i = 0; i < 3; ++i) BOOST_TEST(memory[i] == static_cast<float>(i + 1));
    ++writes;
  };
  X x = of;
  check([&](view to) { to = x; });
  check([&](view to) { to = of; });
  check([&](view to) { to = X(of); });
  check([&](const view to) { to = x; });
  check([&](const view to) { to = of; });
  check([&](const view to) { to = X(of); });
  check([&](const view& to) { bl::slice(to, bl::all) = x; });
  check([&](const view& to) { bl::slice(to, bl::all) = of; });
  BOOST_TEST(writes == 8);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_view_sources)

BOOST_AUTO_TEST_CASE(a_view_is_written_from_every_kind_of_array) {
  const bl::dtensor<float, 1> dynamic{1, 2, 3};
  writes_from(dynamic);
  writes_from(bl::tensor<float, bl::shape<3>>{1, 2, 3});
  writes_from(bl::dtensor<int, 1>{1, 2, 3});
  writes_from(std::vector<float>{1, 2, 3});
  writes_from(std::array<float, 3>{1, 2, 3});
  writes_from(dynamic * 1);
  writes_from(dynamic(bl::range(0, 3)));
  static_assert(std::is_copy_assignable_v<view> && !std::is_move_assignable_v<bl::view<const float, bl::dshape<1>>>);
}

BOOST_AUTO_TEST_SUITE_END()
