// index_select and take: tables of PyTorch and NumPy, static extents, bounds.
#include "cases.hpp"
#include "thrown.hpp"

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

}  // namespace

BOOST_AUTO_TEST_SUITE(index_select_values)

BOOST_AUTO_TEST_CASE(index_select_gives_what_pytorch_gives) {
  each("index_select", 30, [](const line& l) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) {
      ok = l.result().is(bl::index_select(l.arrays[0].as<double, r>(), l.axis, l.arrays[1].as<std::int64_t, 1>()));
    });
    return ok;
  });
}

BOOST_AUTO_TEST_CASE(take_gives_what_pytorch_and_numpy_give) {
  const auto with_index = [](const line& l, auto f) {
    switch (l.arrays[1].rank()) {
      case 0: return f(l.arrays[1].as<std::int64_t, 0>());
      case 1: return f(l.arrays[1].as<std::int32_t, 1>());
      default: return f(l.arrays[1].as<std::int64_t, 2>());
    }
  };
  each("take", 100, [&](const line& l) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) {
      const auto x = l.arrays[0].as<double, r>();
      ok = with_index(l, [&](const auto& i) {
        return l.result().is(bl::take(x, i)) && l.result().is(bl::take(bl::eval(x.T()).T(), i));
      });
    });
    return ok;
  });
  each("take_axis", 300, [&](const line& l) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) {
      const auto x = l.arrays[0].as<double, r>();
      ok = with_index(l, [&](const auto& i) {
        if (l.parameter == "wrap") return l.result().is(bl::take(x, i, l.axis, bl::mode::wrap));
        if (l.parameter == "clip") return l.result().is(bl::take(x, i, l.axis, bl::mode::clip));
        return l.result().is(bl::take(x, i, l.axis));
      });
    });
    return ok;
  });
}

BOOST_AUTO_TEST_CASE(positions_are_looked_at_where_slices_have_no_elements) {
  bl::dtensor<float, 2> x(3, 0);
  const bl::index_array outside{7}, inside{2}, none = bl::zeros<bl::index>(0);
  BOOST_CHECK_THROW(bl::eval(bl::index_select(x, 0, outside)), bl::index_error);
  BOOST_CHECK_THROW(bl::eval(bl::take(x, outside, 0)), bl::index_error);
  BOOST_CHECK_THROW(bl::eval(x(outside)), bl::index_error);
  BOOST_CHECK_THROW(bl::eval(x(outside, none)), bl::index_error);
  BOOST_CHECK_THROW(bl::index_add_(x, 0, outside, bl::zeros<float>(1, 0)), bl::index_error);
  BOOST_CHECK_THROW(bl::index_copy_(x, 0, outside, bl::zeros<float>(1, 0)), bl::index_error);
  BOOST_CHECK_THROW(bl::index_fill_(x, 0, outside, 1), bl::index_error);
  BOOST_CHECK_THROW(x(outside) = 1.0f, bl::index_error);
  BOOST_CHECK_THROW(bl::index_put_(x, bl::indices(outside), 1.0f), bl::index_error);
  BOOST_TEST((bl::eval(bl::index_select(x, 0, inside)).shape() == bl::dshape<2>(1, 0)));
  BOOST_TEST((bl::eval(bl::index_select(x, 1, none)).shape() == bl::dshape<2>(3, 0)));
  BOOST_TEST((bl::eval(x(inside)).shape() == bl::dshape<2>(1, 0)));
  BOOST_CHECK_NO_THROW(bl::index_fill_(x, 0, inside, 1));
}

BOOST_AUTO_TEST_CASE(an_empty_axis_has_nothing_to_wrap_around_or_to_clip_to) {
  const bl::dtensor<float, 2> x(0, 3);
  const bl::index_array zero{0}, none = bl::zeros<bl::index>(0);
  const auto text = [](const auto& f) { return thrown<bl::index_error>(f); };
  const std::string sentence = "cannot take positions of shape [1] from an empty axis: dimension 0 has size 0\n  in ";
  BOOST_TEST(text([&] { bl::take(x, zero, 0, bl::mode::wrap); }) == sentence + "take");
  BOOST_TEST(text([&] { bl::take(x, zero, 0, bl::mode::clip); }) == sentence + "take");
  BOOST_TEST(text([&] { bl::choose(zero, x, bl::mode::wrap); }) == sentence + "choose");
  BOOST_TEST((bl::eval(bl::take(x, none, 0, bl::mode::wrap)).shape() == bl::dshape<2>(0, 3)));
  BOOST_TEST((bl::eval(bl::take(x, zero, 1, bl::mode::clip)).shape() == bl::dshape<2>(0, 1)));
  const auto far = bl::expand(bl::dtensor<float, 1>{5}, bl::dshape<1>(bl::index(1) << 32));
  BOOST_CHECK_THROW(bl::take(far, bl::dtensor<int, 1>{-1}, 0, bl::mode::wrap), bl::index_error);
  BOOST_TEST(bl::take(far, bl::dtensor<int, 1>{7}, 0, bl::mode::clip)(0) == 5);
}

BOOST_AUTO_TEST_CASE(static_extents_stay_static) {
  const bl::tensor<float, bl::shape<4, 5>> x{};
  const bl::tensor<std::int64_t, bl::shape<2, 3>> i{};
  static_assert(std::is_same_v<decltype(bl::take(x, i, 0_c))::shape_type, bl::shape<2, 3, 5>>);
  static_assert(std::is_same_v<decltype(bl::take(x, i, 1_c))::shape_type, bl::shape<4, 2, 3>>);
  static_assert(std::is_same_v<decltype(bl::take(x, i))::shape_type, bl::shape<2, 3>>);
  static_assert(
      std::is_same_v<decltype(bl::index_select(x, 0_c, bl::dtensor<int, 1>(2)))::shape_type, bl::shape<bl::dyn, 5>>);
  constexpr bl::tensor<int, bl::shape<3>> v{1, 2, 3};
  static_assert(bl::take(v, bl::tensor<int, bl::shape<2>>{-1, 0})(0) == 3);
}

BOOST_AUTO_TEST_CASE(bounds_are_looked_at_before_anything_is_written) {
  const auto x = numbered<float>(bl::dshape<2>(4, 3));
  bl::dtensor<float, 2> out(2, 3);
  const bl::index_array i{0, 4}, negative{-1, 0}, low{-5, 0};
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { out = bl::index_select(x, 0, i) + 1.f; })) ==
             "index 4 is out of bounds for dimension 0 with size 4");
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { out = bl::index_select(x, 0, negative); })) ==
             "index -1 is out of bounds for dimension 0 with size 4");
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { out = bl::take(x, low, 0); })) ==
             "index -5 is out of bounds for dimension 0 with size 4");
  BOOST_TEST(equal(out, bl::zeros<float>(2, 3)));
  out = bl::take(x, negative, 0);
  BOOST_TEST(out(0, 1) == x(3, 1));
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::eval(bl::take(x, bl::index_array{12})); })) ==
             "index 12 is out of bounds for dimension 0 with size 12");
}

BOOST_AUTO_TEST_SUITE_END()
