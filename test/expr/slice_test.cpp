// slice is Python's indexing: every start, stop and step of small arrays against Python's own rule, and what several
// arguments do.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bl = broadloom;
using namespace bl::literals;
using bl::dyn;

namespace {

// The indices that Python's range(*slice(start, stop, step).indices(n)) runs through, as its documentation defines it.
std::vector<bl::index> python(bl::index n, std::optional<bl::index> start, std::optional<bl::index> stop,
                              bl::index step) {
  const auto bound = [&](bl::index x) {
    if (x < 0) x += n;
    if (x < 0) return step < 0 ? bl::index(-1) : bl::index(0);
    if (x >= n) return step < 0 ? n - 1 : n;
    return x;
  };
  const bl::index first = start ? bound(*start) : step < 0 ? n - 1 : 0, last = stop ? bound(*stop) : step < 0 ? -1 : n;
  std::vector<bl::index> r;
  for (bl::index i = first; step < 0 ? i > last : i < last; i += step) r.push_back(i);
  return r;
}

template <class V>
std::vector<bl::index> elements(const V& v) {
  std::vector<bl::index> r;
  for (bl::index i = 0; i < v.shape()[0]; ++i) r.push_back(static_cast<bl::index>(v(i)));
  return r;
}

bl::range_t make(std::optional<bl::index> start, std::optional<bl::index> stop, bl::index step) {
  if (start && stop) return bl::range(*start, *stop, step);
  if (start) return bl::range(*start, bl::none, step);
  if (stop) return bl::range(bl::none, *stop, step);
  return bl::range(bl::none, bl::end, step);
}

template <class V>
using shape_of = typename std::remove_cvref_t<V>::shape_type;
using mixed = bl::tensor<int, bl::shape<2, dyn, 4>>;

}  // namespace

static_assert(std::is_same_v<shape_of<decltype(bl::slice(std::declval<mixed&>()))>, bl::shape<2, dyn, 4>>);
static_assert(
    std::is_same_v<shape_of<decltype(bl::slice(std::declval<mixed&>(), bl::all, 0, bl::newaxis))>, bl::shape<2, 1, 4>>);
static_assert(
    std::is_same_v<shape_of<decltype(bl::slice(std::declval<mixed&>(), bl::range(0, 1)))>, bl::shape<dyn, dyn, 4>>);
static_assert(std::is_same_v<shape_of<decltype(bl::slice(std::declval<mixed&>(), 1, 2, 3))>, bl::shape<>>);

BOOST_AUTO_TEST_SUITE(expr_slice)

BOOST_AUTO_TEST_CASE(every_range_takes_the_elements_that_python_takes) {
  int compared = 0;
  for (bl::index n = 0; n <= 6; ++n) {
    const auto x = bl::arange<float>(static_cast<float>(n));
    std::vector<std::optional<bl::index>> bounds{std::nullopt, 100, -100};
    for (bl::index b = -n - 2; b <= n + 2; ++b) bounds.emplace_back(b);
    for (const auto& start : bounds)
      for (const auto& stop : bounds)
        for (const bl::index step : {1, 2, 3, 7, -1, -2, -3, -7}) {
          const auto got = elements(bl::slice(x, make(start, stop, step)));
          const auto wanted = python(n, start, stop, step);
          if (got != wanted)
            BOOST_TEST(got == wanted, "n " << n << " start " << start.value_or(999) << " stop " << stop.value_or(999)
                                           << " step " << step);
          ++compared;
        }
  }
  BOOST_TEST(compared > 10000);
}

BOOST_AUTO_TEST_CASE(extreme_bounds_and_steps_do_not_overflow) {
  const auto x = bl::arange<float>(5.f);
  const bl::index most = std::numeric_limits<bl::index>::max(), least = std::numeric_limits<bl::index>::min();
  BOOST_TEST(elements(bl::slice(x, bl::range(least, most))) == (std::vector<bl::index>{0, 1, 2, 3, 4}));
  BOOST_TEST(elements(bl::slice(x, bl::range(1, most, most))) == (std::vector<bl::index>{1}));
  BOOST_TEST(elements(bl::slice(x, bl::range(most, least, -2))) == (std::vector<bl::index>{4, 2, 0}));
  BOOST_TEST(elements(bl::slice(x, bl::range(3, bl::none, -most))) == (std::vector<bl::index>{3}));
  BOOST_TEST(elements(bl::slice(x, bl::range(bl::none, bl::none, least))) == (std::vector<bl::index>{4}));
}

BOOST_AUTO_TEST_CASE(each_argument_takes_the_next_axis) {
  bl::dtensor<int, 3> x(2, 3, 4);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) x(i, j, k) = 100 * i + 10 * j + k;
  const auto a = bl::slice(x, 1, bl::all, bl::range(1, bl::end, 2));
  BOOST_TEST((bl::slice(x, 1, bl::all(), bl::range(1, bl::end, 2)).data() == a.data()));  // as in xtensor
  BOOST_TEST((x(bl::ellipsis(), bl::newaxis()).shape() == bl::shape<2, 3, 4, 1>{}));
  BOOST_TEST((a.shape() == bl::shape<3, 2>{} && a(2, 1) == 123 && a(0, 0) == 101));
  const auto b = bl::slice(x, bl::newaxis, bl::all, -1, bl::newaxis);
  BOOST_TEST((b.shape() == bl::shape<1, 2, 1, 4>{} && b(0, 1, 0, 3) == 123));
  const auto c = bl::slice(x, bl::range(bl::none, bl::none, -1), bl::range(-2, bl::end));
  BOOST_TEST((c.shape() == bl::shape<2, 2, 4>{} && c(0, 0, 0) == 110 && c(1, 1, 3) == 23));
  BOOST_TEST(bl::slice(x, 1, 2, 3)() == 123);
  BOOST_TEST(bl::slice(x, 1, 2, 3, bl::newaxis)(0) == 123);
  BOOST_TEST(bl::slice(x, 1_c, bl::range(1_c, 3_c))(1, 0) == 120);
  // an ellipsis is as many axes as the others leave over: all, two, one, none
  BOOST_TEST((bl::slice(x, bl::ellipsis, bl::newaxis).shape() == bl::shape<2, 3, 4, 1>{}));
  BOOST_TEST((bl::slice(x, 1, bl::ellipsis).shape() == bl::shape<3, 4>{}));
  BOOST_TEST((bl::slice(x, 1, bl::ellipsis, 2)(1) == 112));
  BOOST_TEST(bl::slice(x, 1, 2, bl::ellipsis, 3)() == 123);
}

BOOST_AUTO_TEST_CASE(a_slice_of_a_slice_and_writing_through_it) {
  auto x = bl::arange<float>(20.f);
  const auto odd = bl::slice(x, bl::range(1, bl::end, 2));
  const auto part = bl::slice(odd, bl::range(8, 2, -3));
  BOOST_TEST(elements(part) == (std::vector<bl::index>{17, 11}));
  part = 0;
  BOOST_TEST((x(17) == 0.f && x(11) == 0.f && x(13) == 13.f && x(12) == 12.f));
  bl::slice(x, 3) = 30;
  BOOST_TEST(x(3) == 30.f);
}

BOOST_AUTO_TEST_CASE(axes_by_the_names_of_their_sizes) {
  constexpr bl::index B = bl::size<"batch">, T = bl::size<"time">;
  bl::tensor<float, bl::shape<B, T, 3>> x(2, 4);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
  const auto same = [](const auto& a, const auto& b) {
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(a)>::shape_type,
                                 typename std::remove_cvref_t<decltype(b)>::shape_type>);
    return bl::array_equal(a, b);
  };
  const auto part = bl::slice(x, "time"_axis = bl::range(1, bl::end, 2), "batch"_axis = -1);
  static_assert(std::is_same_v<decltype(part)::shape_type, bl::shape<dyn, 3>>);
  BOOST_TEST(same(part, bl::slice(x, -1, bl::range(1, bl::end, 2))));
  BOOST_TEST(same(bl::slice(x, "time"_axis = 2), bl::slice(x, bl::all, 2)));
  BOOST_TEST(same(bl::slice(x, "batch"_axis = bl::all), x.as_view()));
  BOOST_TEST(same(bl::slice(x, "time"_axis = bl::range(0_c, 2_c)), bl::slice(x, bl::all, bl::range(0_c, 2_c))));
  // in another order of axes, of expressions, as a call
  const auto turned = bl::transpose_to<"time", "batch">(bl::select(x, 2_c, 0));
  BOOST_TEST(same(bl::slice(turned, "batch"_axis = 1), bl::slice(turned, bl::all, 1)));
  BOOST_TEST(same((x * 2)("batch"_axis = 1, "time"_axis = bl::range(0, 2)), bl::slice(x * 2, 1, bl::range(0, 2))));
  x("time"_axis = 3, "batch"_axis = 0) = -1;
  BOOST_TEST((x(0, 3, 0) == -1 && x(0, 3, 2) == -1 && x(1, 3, 0) == 21 && x(0, 2, 2) == 8));
  BOOST_CHECK_THROW(static_cast<void>(bl::slice(x, "time"_axis = 4)), bl::index_error);
}

BOOST_AUTO_TEST_CASE(indices_outside_and_steps_of_zero_are_refused) {
  const auto x = bl::zeros<float>(2, 3);
  const auto text = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const bl::index_error& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  BOOST_TEST(text([&] { bl::slice(x, 2); }) == "index 2 is out of bounds for dimension 0 with size 2\n  in slice");
  BOOST_TEST(text([&] { bl::slice(x, bl::all, -4); }) ==
             "index -4 is out of bounds for dimension 1 with size 3\n  in slice");
  BOOST_TEST(text([&] { bl::slice(x, bl::range(0, 2, 0)); }) == "slice step cannot be zero\n  in slice");
}

BOOST_AUTO_TEST_SUITE_END()
