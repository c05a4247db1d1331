// index_select and take: tables of PyTorch and NumPy, fused reading, bounds.
#include "cases.hpp"

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

}  // namespace

BOOST_AUTO_TEST_SUITE(index_select)

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

// An embedding bag: rows of a table, weighted, in one pass.
BOOST_AUTO_TEST_CASE(rows_of_a_table_are_read_inside_the_loop) {
  const auto table = numbered<float>(bl::dshape<2>(1000, 16));
  const auto ids = positions<std::int32_t>(bl::dshape<2>(300, 8), 0, 1000);
  const auto w = bl::eval(numbered<float>(bl::dshape<3>(300, 8, 1)) * 0.01f);
  const auto e = bl::take(table, ids, 0_c) * w + 1.f;
  static_assert(decltype(e)::shape_type::axes_count == 3);
  const auto r = bl::eval(e);
  int wrong = 0;
  for (bl::index a = 0; a < 300; ++a)
    for (bl::index b = 0; b < 8; ++b)
      for (bl::index c = 0; c < 16; ++c) wrong += r(a, b, c) != table(ids(a, b), c) * w(a, b, 0) + 1.f;
  BOOST_TEST(wrong == 0);
  for (int threads : {1, 2, 5}) BOOST_TEST(equal(bl::eval(e, bl::par.threads(threads)), r));
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
