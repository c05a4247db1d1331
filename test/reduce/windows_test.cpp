// Maxima and minima of windows that overlap, beside the elements of each window one after the other: the same bits,
// with NaN and zeros of both signs, too.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace bl = broadloom;

namespace {

// n: elements of a window, in the last axes.
template <class Op, class T, class Function, class Windows>
void check(const Function& reduced, const Windows& windows, bl::index n) {
  const auto rows = bl::eval(windows);
  const bl::index results = rows.size() / n;
  std::vector<T> expected;
  for (bl::index r = 0; r < results; ++r)
    expected.push_back(
        static_cast<T>(bl::detail::combine<Op, T>(n, [&](bl::index i) { return rows.data()[r * n + i]; })));
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const int threads : {1, 3}) {
      const auto a = bl::eval(reduced(windows), bl::par.threads(threads));
      bool equal = a.size() == results;
      for (bl::index i = 0; equal && i < results; ++i) {
        const T got = a.data()[i], wanted = expected[static_cast<std::size_t>(i)];
        equal = (got != got && wanted != wanted) || std::memcmp(&got, &wanted, sizeof(T)) == 0;
      }
      BOOST_TEST(equal, results << " results of " << n << ", " << threads << " threads");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

template <class Op, class T, class Function>
void check_pictures(const Function& reduced, const bl::dtensor<T, 2>& x) {
  const auto two = [&](const auto& w) { return reduced(w, bl::axes<-2, -1>); };
  const auto three = [&](const auto& w) { return reduced(w, bl::axes<-3, -2, -1>); };
  for (const bl::index k : {3, 6, 18}) {
    const auto squares = bl::windows(bl::windows(x, 0, k), 1, k);
    check<Op, T>(two, squares, k * k);
    check<Op, T>(two, bl::windows(bl::windows(bl::transpose(x), 0, 3), 1, k), 3 * k);
    check<Op, T>(two, bl::windows(bl::windows(bl::flip(x, 1), 0, k), 1, k), k * k);
    check<Op, T>(two, bl::permute(squares, 1, 0, 2, 3), k * k);
  }
  // windows of windows, along one axis twice; those along one axis of two reduced ones
  check<Op, T>(two, bl::windows(bl::windows(x, 0, 9), 0, 7), 63);
  check<Op, T>(three, bl::windows(bl::windows(bl::windows(x, 0, 4), 1, 5), 0, 6), 120);
  check<Op, T>(two, bl::windows(x, 0, 12), 12 * x.extent(1));
}

template <class T>
bl::dtensor<T, 2> picture() {
  bl::dtensor<T, 2> x(44, 47);
  for (bl::index i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<T>(i * 7919 % 101 - (std::is_unsigned_v<T> ? 0 : 50));
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_windows)

BOOST_AUTO_TEST_CASE(windows_of_several_axes_are_combined_as_if_each_were_alone) {
  const auto largest = [](const auto& x, auto axes) { return bl::amax(x, axes); };
  const auto smallest = [](const auto& x, auto axes) { return bl::amin(x, axes); };
  check_pictures<bl::detail::amax_r>(largest, picture<float>());
  check_pictures<bl::detail::amin_r>(smallest, picture<double>());
  check_pictures<bl::detail::amax_r>(largest, picture<std::int32_t>());
  check_pictures<bl::detail::amin_r>(smallest, picture<std::uint8_t>());
}

BOOST_AUTO_TEST_CASE(a_nan_is_in_the_windows_that_cover_it) {
  bl::dtensor<float, 2> x = picture<float>();
  x(20, 31) = x(0, 0) = x(43, 46) = std::numeric_limits<float>::quiet_NaN();
  check_pictures<bl::detail::amax_r>([](const auto& w, auto axes) { return bl::amax(w, axes); }, x);
  check_pictures<bl::detail::combining<bl::runtime::reduction::nanmin>>(
      [](const auto& w, auto axes) { return bl::nanmin(w, axes); }, x);
  x = std::numeric_limits<float>::quiet_NaN();
  x(20, 31) = 1;
  check_pictures<bl::detail::combining<bl::runtime::reduction::nanmax>>(
      [](const auto& w, auto axes) { return bl::nanmax(w, axes); }, x);
}

BOOST_AUTO_TEST_CASE(zeros_of_both_signs_are_those_of_the_whole_order) {
  const auto fill = [](auto& x, bool first, bool last) {
    for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = i * 7919 % 101 < 50 ? 0 : -1;
    for (bl::index i = first ? 0 : x.size() - 1; i < (last ? x.size() : 1); i += 3) x.data()[i] = -0.0F;
  };
  bl::dtensor<float, 2> x(44, 47);
  bl::dtensor<double, 2> y(44, 47);
  const auto largest = [](const auto& w, auto axes) { return bl::amax(w, axes); };
  fill(x, true, true);
  check_pictures<bl::detail::amax_r>(largest, x);
  fill(x, false, true);  // the last element alone
  check_pictures<bl::detail::amax_r>(largest, x);
  fill(y, true, false);  // the first
  check_pictures<bl::detail::amax_r>(largest, y);
  x = -1;  // the last rows alone
  for (bl::index i = x.size() / 2; i < x.size(); ++i) x.data()[i] = i * 7919 % 101 < 50 ? 0.0F : -0.0F;
  check_pictures<bl::detail::amax_r>(largest, x);
}

BOOST_AUTO_TEST_CASE(sums_of_windows_are_added_in_their_order) {
  check_pictures<bl::detail::sum_r>([](const auto& w, auto axes) { return bl::sum(w, axes); },
                                    bl::dtensor<float, 2>(picture<float>() / 7));
}

BOOST_AUTO_TEST_SUITE_END()
