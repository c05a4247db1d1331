// A reduction that is the whole tree is computed in the memory of an output of its extents, order and type, unless it
// reads what is written there; others are computed beside it.
#include <broadloom/broadloom.hpp>

#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

constexpr auto columns = bl::axes<0>;
constexpr auto rows = bl::axes<1>;

// Whole numbers, whose sums are exact.
template <class T>
bl::dtensor<T, 2> some(bl::index height, bl::index width) {
  bl::dtensor<T, 2> x(height, width);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 37 % 101 - 50);
  return x;
}
template <class T>
bl::dtensor<T, 1> sums_of_columns(const bl::dtensor<T, 2>& x) {
  bl::dtensor<T, 1> r(x.shape()[1]);
  for (bl::index c = 0; c < r.size(); ++c) {
    r(c) = 0;
    for (bl::index i = 0; i < x.shape()[0]; ++i) r(c) += x(i, c);
  }
  return r;
}

template <class T>
void compare(bl::index height, bl::index width) {
  const auto x = some<T>(height, width);
  const auto expected = sums_of_columns(x);
  const std::string at = std::to_string(height) + " x " + std::to_string(width);
  const auto same = [&](const auto& found, const char* what) {
    BOOST_REQUIRE_MESSAGE(bl::array_equal(found, expected), what << ", " << at);
  };

  bl::dtensor<T, 1> out(width);
  out = bl::sum(x, columns);
  same(out, "an output of its own");
  for (bl::index r = 0; r < height; ++r) {
    auto y = x, z = x;
    bl::assign(y(r), bl::sum(y, columns));
    same(y(r), "a row of the array");
    bl::assign(z(r), bl::sum(z * T{1}, columns));
    same(z(r), "a row of the array, computed");
  }
  auto all = x;
  bl::assign(all, bl::sum(all, columns));
  for (bl::index r = 0; r < height; ++r) same(all(r), "each row of the array");

  bl::dtensor<double, 1> wide(width);
  wide = bl::sum(x, columns);
  same(wide, "another type");
  bl::dtensor<T, 1> strided(2 * width);
  strided = T{7};
  bl::assign(strided(bl::range(0, 2 * width, 2)), bl::sum(x, columns));
  same(strided(bl::range(0, 2 * width, 2)), "every second element");
  BOOST_REQUIRE(bl::all(strided(bl::range(1, 2 * width, 2)) == T{7}).item());

  const auto lazy = bl::sum(x, columns);
  bl::dtensor<T, 1> rest(width - 1), reversed(width);
  rest = lazy(bl::range(1, width));
  BOOST_REQUIRE_MESSAGE(bl::array_equal(rest, expected(bl::range(1, width))), "without the first, " << at);
  rest = lazy(bl::range(0, width - 1));
  BOOST_REQUIRE_MESSAGE(bl::array_equal(rest, expected(bl::range(0, width - 1))), "without the last, " << at);
  bl::assign(out, lazy(bl::range(0, 1)));
  BOOST_REQUIRE_MESSAGE(bl::all(out == expected(0)).item(), "the first for all, " << at);
  reversed = bl::flip(lazy, 0);
  BOOST_REQUIRE_MESSAGE(bl::array_equal(bl::flip(reversed, 0), expected), "reversed, " << at);

  const auto turned = bl::eval(x.T());
  bl::dtensor<T, 1> of_rows(width);
  of_rows = bl::sum(turned, rows);
  same(of_rows, "rows");
  auto column = turned;
  bl::assign(column(bl::all, 0), bl::sum(column, rows));
  same(column(bl::all, 0), "a column of the array");
  of_rows = bl::sum(x.T(), rows);
  same(of_rows, "rows that are columns");
  if (height != width) return;
  column = turned;
  const bl::view<T, bl::dshape<1>, bl::row_major> last(&column(height - 1, 0), bl::dshape<1>(width), {});
  bl::assign(last, bl::sum(column, rows));
  same(last, "sums of rows in the last of them");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(assign_assign)

BOOST_AUTO_TEST_CASE(results_are_those_of_an_output_that_nothing_reads) {
  for (const auto& [height, width] : {std::pair{2, 2}, {3, 40}, {16, 16}, {17, 33}, {40, 40}, {100, 5}, {600, 20}}) {
    compare<float>(height, width);
    compare<double>(height, width);
    compare<std::int64_t>(height, width);
  }
}

BOOST_AUTO_TEST_SUITE_END()
