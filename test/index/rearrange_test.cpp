// tile, repeat, roll, pad, rot90, triu, tril, diag and their like: tables of PyTorch and NumPy.
#include "cases.hpp"

#include <complex>
#include <cstdint>

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

bl::index number(const line& l) { return std::stol(l.parameter); }

}  // namespace

BOOST_AUTO_TEST_SUITE(index_rearrange)

BOOST_AUTO_TEST_CASE(lists_along_axes_give_what_pytorch_and_numpy_give) {
  each_array("tile", 20, [](const line& l, const auto& x) {
    constexpr int R = rank_of<decltype(x)>;
    const auto n = list_of(l.parameter);
    if constexpr (R == 1)
      return l.result().is(bl::tile(x, n[0])) && l.result().is(bl::repeat(x, n[0]));
    else if constexpr (R == 2)
      return l.result().is(bl::tile(x, n[0], n[1]));
    else
      return l.result().is(bl::tile(x, n[0], n[1], n[2]) + 0.0);
  });
  each_array("repeat_interleave", 20,
             [](const line& l, const auto& x) { return l.result().is(bl::repeat_interleave(x, number(l), l.axis)); });
  each_array("repeat_each", 20, [](const line& l, const auto& x) {
    return l.result().is(bl::repeat_interleave(x, l.arrays[1].as<std::int64_t, 1>(), l.axis));
  });
  each_array("roll", 20, [](const line& l, const auto& x) { return l.result().is(bl::roll(x, number(l), l.axis)); });
  each_array("roll_flat", 24, [](const line& l, const auto& x) { return l.result().is(bl::roll(x, number(l))); });
  each_array("roll_two", 24, [](const line& l, const auto& x) {
    const auto n = list_of(l.parameter);
    return l.result().is(bl::roll(x, {n[0], n[1]}, {n[2], n[3]}));
  });
}

BOOST_AUTO_TEST_CASE(pad_gives_what_numpy_gives) {
  const auto with = [](const char* name, int least, bl::padding how) {
    each_array(name, least, [&](const line& l, const auto& x) {
      const auto n = list_of(l.parameter);
      return l.result().is(bl::pad(x, {n[0], n[1], n[2], n[3]}, how, static_cast<double>(l.axis)));
    });
  };
  with("pad_constant", 40, bl::padding::constant);
  with("pad_replicate", 20, bl::padding::replicate);
  with("pad_reflect", 20, bl::padding::reflect);
  with("pad_circular", 20, bl::padding::circular);
}

BOOST_AUTO_TEST_CASE(parts_of_matrices_give_what_pytorch_gives) {
  const auto matrices = [](const char* name, int least, auto f) {
    each_array(name, least, [&](const line& l, const auto& x) {
      constexpr int R = rank_of<decltype(x)>;
      if constexpr (R >= 2)
        return f(l, x);
      else
        return false;
    });
  };
  matrices("triu", 14, [](const line& l, const auto& x) {
    return l.result().is(bl::triu(x, number(l))) && l.result().is(bl::triu(x + 0.0, number(l)) * 1.0);
  });
  matrices("tril", 14, [](const line& l, const auto& x) { return l.result().is(bl::tril(x, number(l))); });
  matrices("rot90", 14, [](const line& l, const auto& x) { return l.result().is(bl::rot90(x, number(l))); });
  each_array("diag", 6, [](const line& l, const auto& x) {
    constexpr int R = rank_of<decltype(x)>;
    if constexpr (R <= 2)
      return l.result().is(bl::diag(x, number(l)));
    else
      return false;
  });
  matrices("diag_embed", 12, [](const line& l, const auto& x) {
    const auto n = list_of(l.parameter);
    if constexpr (rank_of<decltype(x)> == 2)
      return l.result().is(bl::diag_embed(x, n[0], n[1], n[2]));
    else
      return false;
  });
}

BOOST_AUTO_TEST_CASE(large_rearrangements_in_expressions_are_the_same_for_any_number_of_threads) {
  const auto x = numbered<float>(bl::dshape<2>(300, 400));
  const auto rolled = bl::roll(x, 37, 1) * 2.f + bl::triu(x, 5) - bl::roll(x, -1, 0);
  const auto one = bl::eval(rolled, bl::seq);
  int wrong = 0;
  for (bl::index a = 0; a < 300; ++a)
    for (bl::index b = 0; b < 400; ++b)
      wrong += one(a, b) != x(a, (b + 400 - 37) % 400) * 2.f + (b - a >= 5 ? x(a, b) : 0.f) - x((a + 1) % 300, b);
  BOOST_TEST(wrong == 0);
  for (int threads : {2, 3, 8}) BOOST_TEST(equal(bl::eval(rolled, bl::par.threads(threads)), one));
  BOOST_TEST(equal(bl::eval(bl::roll(x, 3, 1).T()), bl::eval(bl::transpose(bl::eval(bl::roll(x, 3, 1))))));
}

BOOST_AUTO_TEST_CASE(grids_and_products) {
  each_order("meshgrid", 2, [](const line& l) {
    const auto a = l.arrays[0].as<double, 1>(), b = l.arrays[1].as<double, 1>();
    const auto grids = bl::meshgrid(a, b);
    const auto& [first, second] = grids;
    return l.axis == 0 ? l.result().is(first) : l.result().is(second);
  });
  each_order("meshgrid_xy", 2, [](const line& l) {
    const auto grids = bl::meshgrid(bl::indexing::xy, l.arrays[0].as<double, 1>(), l.arrays[1].as<double, 1>());
    return l.axis == 0 ? l.result().is(boost::hana::at_c<0>(grids)) : l.result().is(boost::hana::at_c<1>(grids));
  });
  each_order("cartesian_prod", 1, [](const line& l) {
    return l.result().is(bl::cartesian_prod(l.arrays[0].as<double, 1>(), l.arrays[1].as<double, 1>()));
  });
}

BOOST_AUTO_TEST_CASE(pairs_of_amounts_are_pads_of_each_axis_from_the_first) {
  bl::dtensor<int, 3> x(2, 3, 4);
  bl::assign(x, bl::reshape(bl::arange<int>(24), 2, 3, 4));
  const bl::dtensor<int, 3> wanted = bl::pad(x, {5, 6, 3, 4, 1, 2}), padded = bl::pad(x, {{1, 2}, {3, 4}, {5, 6}});
  BOOST_TEST(bl::array_equal(padded, wanted));
  BOOST_TEST(padded(1, 3, 5) == 0);
  BOOST_TEST(padded(2, 5, 8) == 23);
  const bl::dtensor<int, 3> cut = bl::pad(x, {{0, 1}, {1, 2}, {-1, 0}}, bl::padding::reflect);
  BOOST_TEST(bl::array_equal(cut, bl::dtensor<int, 3>(bl::pad(x, {-1, 0, 1, 2, 0, 1}, bl::padding::reflect))));
  const bl::dtensor<int, 1> y = bl::pad(x(0, 0), {{1, 2}}, bl::padding::constant, 7);
  BOOST_TEST(bl::array_equal(y, bl::tensor{7, 0, 1, 2, 3, 7, 7}));
}

BOOST_AUTO_TEST_CASE(amounts_that_do_not_fit_are_refused) {
  const bl::dtensor<float, 2> x(2, 3);
  BOOST_TEST(text_of<bl::shape_error>([&] { bl::pad(x, {3, 0}, bl::padding::reflect); })
                 .rfind("Padding size should be less than the corresponding input dimension, but got: padding (3, 0) "
                        "at dimension 1",
                        0) == 0u);
  BOOST_TEST(text_of<bl::shape_error>([&] {
               bl::pad(x, {4, 0}, bl::padding::circular);
             }).rfind("Padding value causes wrapping", 0) == 0u);
  BOOST_TEST(text_of<bl::shape_error>([&] {
               bl::pad(x, {-2, -2});
             }).rfind("The input size 3, plus negative padding", 0) == 0u);
  BOOST_TEST(
      text_of<bl::shape_error>([&] { bl::pad(x, {1, 2, 3}); }).rfind("Padding length must be divisible by 2", 0) == 0u);
  BOOST_TEST(text_of<bl::shape_error>([&] { bl::tile(x, -1); }) != "");
  BOOST_TEST(text_of<bl::shape_error>([&] { bl::repeat_interleave(x, bl::index_array{1, 2, 3}, 0); }) != "");
}

BOOST_AUTO_TEST_CASE(a_number_pads_every_axis_and_tile_takes_braces) {
  const bl::dtensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(bl::array_equal(bl::pad(x, 1), bl::pad(x, {1, 1, 1, 1})));
  BOOST_TEST(bl::array_equal(bl::pad(x, 1, bl::padding::reflect), bl::pad(x, {1, 1, 1, 1}, bl::padding::reflect)));
  BOOST_TEST(
      bl::array_equal(bl::pad(x, 2, bl::padding::constant, 7), bl::pad(x, {2, 2, 2, 2}, bl::padding::constant, 7)));
  BOOST_TEST(bl::array_equal(bl::tile(x, {2, 1, 3}), bl::tile(x, 2, 1, 3)));
  BOOST_TEST(bl::array_equal(bl::repeat(x, {2, 1, 3}), bl::tile(x, 2, 1, 3)));
}

BOOST_AUTO_TEST_CASE(parts_have_names_where_their_number_is_known) {
  bl::tensor<int, bl::shape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};
  auto [first, second] = bl::unbind(x);
  second(0) = first(2);
  BOOST_TEST(x(1, 0) == 3);
  static_assert(std::tuple_size_v<decltype(bl::unbind(x, 1_c))> == 3);
  bl::dtensor<int, 2> m(x);
  int sum = 0, n = 0;
  for (auto row : bl::rows(m)) {
    sum += row(1);
    row = ++n;
  }
  BOOST_TEST(sum == 7);
  BOOST_TEST(bl::array_equal(m, bl::dtensor<int, 2>{{1, 1, 1}, {2, 2, 2}}));
}

BOOST_AUTO_TEST_CASE(a_list_of_arrays_has_a_cartesian_product) {
  const bl::dtensor<int, 1> a{1, 2}, b{3, 4, 5}, c{6};
  BOOST_TEST(bl::array_equal(bl::cartesian_prod(std::vector{a, b, c}), bl::cartesian_prod(a, b, c)));
  BOOST_TEST(bl::cartesian_prod(std::vector{a, bl::dtensor<int, 1>(0)}).shape()[0] == 0);
}

// Elements of all sizes, in memory, computed, and apart from each other; more rows than one list has.
BOOST_AUTO_TEST_CASE(tuples_have_each_element_of_each_list) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    for (const bl::index n : {1, 2, 3, 40})
      for (const bl::index m : {0, 1, 5, 33}) {
        bl::dtensor<T, 1> a(n), b(2 * m);
        for (bl::index i = 0; i < n; ++i) a(i) = static_cast<T>(static_cast<float>(i + 1));
        for (bl::index i = 0; i < 2 * m; ++i) b(i) = static_cast<T>(static_cast<float>(50 + i));
        const auto every_second = b(bl::range(0, bl::none, 2));
        const auto pairs = bl::cartesian_prod(a, every_second);
        const auto triples = bl::cartesian_prod(every_second, a, bl::flip(a, 0));
        bl::index wrong = 0;
        for (bl::index i = 0; i < n; ++i)
          for (bl::index j = 0; j < m; ++j) {
            wrong += pairs(i * m + j, 0) != a(i) || pairs(i * m + j, 1) != b(2 * j);
            for (bl::index k = 0; k < n; ++k) {
              const bl::index at = (j * n + i) * n + k;
              wrong += triples(at, 0) != b(2 * j) || triples(at, 1) != a(i) || triples(at, 2) != a(n - 1 - k);
            }
          }
        BOOST_TEST((wrong == 0 && pairs.shape()[0] == n * m && triples.shape()[0] == n * n * m));
      }
  };
  check(std::uint8_t{});
  check(std::int16_t{});
  check(float{});
  check(double{});
  check(std::complex<double>{});
}

BOOST_AUTO_TEST_CASE(triangles_of_ones_are_those_of_their_definition) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    for (const bl::index n : {0, 1, 5, 40})
      for (const bl::index m : {0, 1, 7, 33})
        for (const bl::index shift : {-50, -2, 0, 1, 50}) {
          const bl::dtensor<T, 2> r = bl::tri<T>(n, m, shift);
          bl::index wrong = 0;
          for (bl::index i = 0; i < n; ++i)
            for (bl::index j = 0; j < m; ++j) wrong += r(i, j) != static_cast<T>(j - i <= shift ? 1 : 0);
          BOOST_TEST((wrong == 0 && r.shape()[0] == n && r.shape()[1] == m));
        }
  };
  check(bool{});
  check(float{});
  check(std::int64_t{});
  const bl::dtensor<float, 2> x = bl::where(bl::tri<bool>(3, 4, 1), bl::full<float>(bl::dshape<2>(3, 4), 2), -1.f);
  BOOST_TEST(bl::array_equal(x, bl::dtensor<float, 2>{{2, 2, -1, -1}, {2, 2, 2, -1}, {2, 2, 2, 2}}));
}

BOOST_AUTO_TEST_SUITE_END()
