// gather, take_along_dim, gather_broadcast and choose: the notes' cases by name, tables of PyTorch and NumPy, and what
// must hold.
#include "cases.hpp"

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

}  // namespace

BOOST_AUTO_TEST_SUITE(index_gather)

BOOST_AUTO_TEST_CASE(gather_gives_what_pytorch_gives) {
  each("gather", 30, [](const line& l) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) {
      const auto x = l.arrays[0].as<double, r>();
      ok = l.result().is(bl::gather(x, l.axis, l.arrays[1].as<std::int64_t, r>())) &&
           l.result().is(bl::gather(x, l.axis, l.arrays[1].as<std::int32_t, r>()));
    });
    return ok;
  });
}

BOOST_AUTO_TEST_CASE(take_along_dim_gives_what_numpy_gives) {
  each("take_along_dim", 30, [](const line& l) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) {
      ok = l.result().is(bl::take_along_dim(l.arrays[0].as<double, r>(), l.arrays[1].as<std::int64_t, r>(), l.axis));
    });
    return ok;
  });
}

BOOST_AUTO_TEST_CASE(choose_gives_what_numpy_gives) {
  each("choose", 30, [](const line& l) {
    bool ok = true;
    const auto with = [&](const auto& i, const auto& x) {
      ok = l.result().is(bl::choose(i, x, bl::mode::wrap)) == (l.parameter == "wrap") || l.parameter != "wrap";
      if (l.parameter == "raise") ok = l.result().is(bl::choose(i, x));
      if (l.parameter == "clip") ok = l.result().is(bl::choose(i, x, bl::mode::clip));
    };
    const int i = l.arrays[1].rank();
    if (l.arrays[0].rank() == 2 && i == 1) with(l.arrays[1].as<std::int64_t, 1>(), l.arrays[0].as<double, 2>());
    if (l.arrays[0].rank() == 3 && i == 1) with(l.arrays[1].as<std::int32_t, 1>(), l.arrays[0].as<double, 3>());
    if (l.arrays[0].rank() == 3 && i == 2) with(l.arrays[1].as<std::int64_t, 2>(), l.arrays[0].as<double, 3>());
    return ok;
  });
}

BOOST_AUTO_TEST_CASE(choices_are_separate_arrays_that_broadcast_together_as_in_numpy) {
  each_order("choose_arrays", 72, [](const line& l) {
    bool ok = true;
    with_rank(l.arrays[0].rank(), [&](auto r) {
      const auto i = l.arrays[0].as<std::int64_t, r>();
      const auto a = l.arrays[1].as<double, r>(), b = l.arrays[2].as<double, r>();
      const auto all = bl::choices(a, b, l.arrays[3].as<double, 1>());
      ok = l.result().is(l.parameter == "raise"  ? bl::eval(bl::choose(i, all))
                         : l.parameter == "wrap" ? bl::eval(bl::choose(i, all, bl::mode::wrap))
                                                 : bl::eval(bl::choose(i, all, bl::mode::clip)));
    });
    return ok;
  });
  const bl::dtensor<float, 1> x(2), y(3);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::choices(x, y); })) ==
             "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
}

BOOST_AUTO_TEST_CASE(take_along_dim_without_an_axis_takes_from_all_elements_as_in_numpy) {
  each_array("take_along_flat", 24, [](const line& l, const auto& x) {
    bool ok = true;
    with_rank(l.arrays[1].rank(),
              [&](auto r) { ok = l.result().is(bl::take_along_dim(x, l.arrays[1].as<std::int64_t, r>())); });
    return ok;
  });
  const auto x = numbered<float>(bl::dshape<2>(2, 3));
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::eval(bl::take_along_dim(x, bl::index_array{6})); })) ==
             "index 6 is out of bounds for dimension 0 with size 6");
}

// The notes' cases, dim = i of (x0, ..., xn).
BOOST_AUTO_TEST_CASE(case_i_greater_than_index_dim_expands_with_one_and_squeezes) {
  each("gather_broadcast", 10, [](const line& l) {
    const int x = l.arrays[0].rank(), i = l.arrays[1].rank();
    const auto none = [&] { return l.arrays[1].as<std::int64_t, 0>(); };
    if (x == 2 && i == 0) return l.result().is(bl::gather_broadcast(l.arrays[0].as<double, 2>(), 0_c, none()));
    if (x == 3 && i == 0) return l.result().is(bl::gather_broadcast(l.arrays[0].as<double, 3>(), 0_c, none()));
    if (x == 2 && i == 1)
      return l.result().is(bl::gather_broadcast(l.arrays[0].as<double, 2>(), 0_c, l.arrays[1].as<std::int64_t, 1>()));
    if (x == 3 && i == 1)
      return l.result().is(bl::gather_broadcast(l.arrays[0].as<double, 3>(), 0_c, l.arrays[1].as<std::int64_t, 1>()));
    return l.result().is(bl::gather_broadcast(l.arrays[0].as<double, 3>(), 0_c, l.arrays[1].as<std::int64_t, 2>()));
  });
}

// x = randn(7,3,4), y = zeros((1,3,4)), z = zeros(4): np.choose(y, x).squeeze(0) equals np.choose(z, x).
BOOST_AUTO_TEST_CASE(the_notes_choose_identity_holds) {
  const auto x = numbered<double>(bl::dshape<3>(7, 3, 4));
  const bl::dtensor<bl::index, 3> y(1, 3, 4);
  const bl::dtensor<bl::index, 1> z(4);
  BOOST_TEST(equal(bl::squeeze(bl::choose(y, x), 0), bl::choose(z, x)));
  BOOST_TEST(equal(bl::choose(z, x), bl::gather_broadcast(x, 0_c, z)));
  BOOST_TEST(equal(bl::choose(y, x), bl::gather_broadcast(x, 0_c, y)));
  const auto i = positions<std::int64_t>(bl::dshape<1>(4), 0, 7);
  const auto expanded = bl::expand(i, bl::dshape<3>(1, 3, 4));
  BOOST_TEST(equal(bl::choose(i, x), bl::squeeze(bl::choose(expanded, x), 0)));
  BOOST_TEST(equal(bl::choose(i, x), bl::squeeze(bl::gather(x, 0, expanded), 0)));
}

// tensor.size() == (3,5,7), index.size() == (5,7): prepended ones, (1,5,7) -> (3,5,7).
BOOST_AUTO_TEST_CASE(case_i_at_most_index_dim_below_n_prepends_ones) {
  const auto x = numbered<double>(bl::dshape<3>(3, 5, 7));
  const auto i = positions<std::int64_t>(bl::dshape<2>(5, 7), 0, 5);
  const auto r = bl::eval(bl::gather_broadcast(x, 1_c, i));
  BOOST_TEST((r.shape() == bl::dshape<3>(3, 5, 7)));
  int wrong = 0;
  for (bl::index a = 0; a < 3; ++a)
    for (bl::index b = 0; b < 5; ++b)
      for (bl::index c = 0; c < 7; ++c) wrong += r(a, b, c) != x(a, i(b, c), c);
  BOOST_TEST(wrong == 0);
  BOOST_TEST(equal(r, bl::gather(x, 1, bl::expand(i, bl::dshape<3>(3, 5, 7)))));
  // along the last axis, where the index' extent there is the result's
  const auto j = positions<std::int64_t>(bl::dshape<2>(5, 2), 0, 7);
  BOOST_TEST(equal(bl::gather_broadcast(x, 2_c, j), bl::gather(x, 2, bl::expand(j, bl::dshape<3>(3, 5, 2)))));
}

BOOST_AUTO_TEST_CASE(case_index_dim_equal_n_takes_the_index_extent_at_i) {
  const auto x = numbered<double>(bl::dshape<3>(3, 5, 7));
  for (int axis = 0; axis < 3; ++axis) {
    auto e = x.shape().extents();
    e[axis] = 2;
    const auto i = positions<std::int32_t>(bl::dshape<3>::unchecked(e), 0, 3);
    BOOST_TEST(equal(bl::gather_broadcast(x, axis, i), bl::gather(x, axis, i)));
    const auto thin = positions<std::int32_t>(bl::dshape<3>(1, 1, 1), 0, 3);
    auto one = x.shape().extents();
    one[axis] = 1;
    BOOST_TEST(equal(bl::gather_broadcast(x, axis, thin),
                     bl::gather(x, axis, bl::expand(thin, bl::dshape<3>::unchecked(one)))));
  }
  const bl::dtensor<bl::index, 3> wrong(2, 1, 7);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::gather_broadcast(x, 1, wrong); })) ==
             "The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.  "
             "Target sizes: "
             "[3, 1, 7].  Tensor sizes: [2, 1, 7]");
}

BOOST_AUTO_TEST_CASE(views_and_expressions_are_gathered_from_like_arrays) {
  const auto x = numbered<float>(bl::dshape<2>(6, 9));
  const auto i = positions<std::int64_t>(bl::dshape<2>(9, 6), 0, 6);
  const auto xt = bl::eval(x.T());
  const auto k = bl::eval(bl::remainder(i, std::int64_t{6}));
  BOOST_TEST(equal(bl::gather(x.T(), 1, k), bl::gather(xt, 1, k)));
  BOOST_TEST(
      equal(bl::gather(bl::flip(x, 1).T() + 1.f, 1, k.T().T()), bl::gather(bl::eval(bl::flip(xt, 0) + 1.f), 1, k)));
  BOOST_TEST(equal(bl::transpose(bl::gather(xt, 1, k)) * 2.f + x,
                   bl::eval(bl::transpose(bl::eval(bl::gather(xt, 1, k)))) * 2.f + x));
  BOOST_TEST(bl::gather(xt, 1, k)(3, 2) == xt(3, k(3, 2)));
  // strided results of a result
  const auto g = bl::gather(xt, 1, k);
  BOOST_TEST(equal(bl::slice(g, bl::range(bl::none, bl::none, -2), bl::range(1, bl::end, 3)) + 0.f,
                   bl::slice(bl::eval(g), bl::range(bl::none, bl::none, -2), bl::range(1, bl::end, 3))));
}

BOOST_AUTO_TEST_CASE(an_output_may_be_what_is_read) {
  auto x = numbered<double>(bl::dshape<1>(40000));
  const auto i = positions<std::int64_t>(bl::dshape<1>(40000), 0, 40000);
  const auto want = bl::eval(bl::gather(x, 0, i) + 1.0);
  x = bl::gather(x, 0, i) + 1.0;
  BOOST_TEST(equal(x, want));
  auto y = numbered<double>(bl::dshape<1>(40000));
  y = bl::gather(y, 0, i);
  BOOST_TEST(equal(y, want - 1.0));
}

BOOST_AUTO_TEST_CASE(large_gathers_are_the_same_for_any_number_of_threads) {
  const auto x = numbered<float>(bl::dshape<2>(600, 700));
  for (int axis = 0; axis < 2; ++axis) {
    const auto i = positions<std::int32_t>(bl::dshape<2>(600, 700), 0, 600);
    const auto one = bl::eval(bl::gather(x, axis, i), bl::seq);
    int wrong = 0;
    for (bl::index a = 0; a < 600; ++a)
      for (bl::index b = 0; b < 700; ++b) wrong += one(a, b) != (axis == 0 ? x(i(a, b), b) : x(a, i(a, b)));
    BOOST_TEST(wrong == 0);
    for (int threads : {2, 3, 7}) BOOST_TEST(equal(bl::eval(bl::gather(x, axis, i), bl::par.threads(threads)), one));
    BOOST_TEST(equal(bl::eval(bl::gather(x, axis, i) * 3.f + x, bl::par.threads(3)), one * 3.f + x));
  }
}

BOOST_AUTO_TEST_CASE(results_too_large_for_the_caches_are_read_as_small_ones) {
  const bl::index n = 3600;  // 52 MB, whose rows do not end with a cache line's end
  const auto x = numbered<float>(bl::dshape<2>(n, n + 1));
  bl::dtensor<std::int64_t, 2> i(n, n + 1);
  for (bl::index k = 0; k < i.size(); ++k) i.data()[k] = k * 7919 % n;
  for (int axis = 0; axis < 2; ++axis) {
    const auto g = bl::eval(bl::gather(x, axis, i));
    int wrong = 0;
    for (bl::index a = 0; a < n; ++a)
      for (bl::index b = 0; b <= n; ++b) {
        const bl::index p = i.data()[a * (n + 1) + b];
        wrong += g.data()[a * (n + 1) + b] != (axis == 0 ? x.data()[p * (n + 1) + b] : x.data()[a * (n + 1) + p]);
      }
    BOOST_TEST(wrong == 0);
    const auto again = bl::eval(bl::take_along_dim(x, i - (n + axis), axis) * 2.f);  // from the end, in a loop
    BOOST_TEST(equal(again, g * 2.f));
  }
  i.data()[i.size() / 2] = n + 1;
  auto out = bl::zeros<float>(bl::dshape<2>(n, n + 1));
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { out = bl::gather(x, 1, i); })) ==
             "index 3601 is out of bounds for dimension 1 with size 3601");
  BOOST_TEST(std::count(out.data(), out.data() + out.size(), 0.f) == out.size());
}

BOOST_AUTO_TEST_CASE(a_position_out_of_bounds_is_named_and_nothing_is_written) {
  const auto x = numbered<float>(bl::dshape<2>(5, 3));
  bl::dtensor<std::int64_t, 2> i(2, 3);
  bl::dtensor<float, 2> out(2, 3);
  out = 4.f;
  i(1, 2) = 7;
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { out = bl::gather(x, 0, i); })) ==
             "index 7 is out of bounds for dimension 0 with size 5");
  BOOST_TEST(text_of<bl::index_error>([&] { bl::gather(x, 0, i)(1, 2); }) ==
             "index 7 is out of bounds for dimension 0 with size 5\n  in gather");
  i(1, 2) = -1;
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { out = bl::gather(x, 0, i) * 2.f; })) ==
             "index -1 is out of bounds for dimension 0 with size 5");
  BOOST_TEST(equal(out, bl::full(bl::dshape<2>(2, 3), 4.f)));
  BOOST_TEST(bl::eval(bl::take_along_dim(x, i, 0))(1, 2) == x(4, 2));
  // one among many, in every place of a vector
  for (bl::index n : {1, 15, 16, 17, 100, 70000}) {
    bl::dtensor<std::int32_t, 1> many(n);
    const auto from = numbered<float>(bl::dshape<1>(8));
    for (bl::index at : {bl::index{0}, n / 2, n - 1}) {
      for (std::int32_t wrong : {8, -1, 2147483647, static_cast<std::int32_t>(-2147483647 - 1)}) {
        many.data()[at] = wrong;
        BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::eval(bl::gather(from, 0, many)); })) ==
                   "index " + std::to_string(wrong) + " is out of bounds for dimension 0 with size 8");
        many.data()[at] = 0;
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_fit_are_refused_when_the_expression_is_built) {
  const bl::dtensor<float, 3> x(3, 5, 7);
  const bl::dtensor<std::int64_t, 3> larger(4, 2, 7), clash(2, 2, 7);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::gather(x, 1, larger); })) ==
             "Size does not match at dimension 0 expected index [4, 2, 7] to be smaller than self [3, 5, 7] apart from "
             "dimension 1");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::take_along_dim(x, clash, 1); })) ==
             "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0");
  BOOST_TEST(text_of<bl::index_error>([&] { bl::gather(x, 3, larger); }) ==
             "Dimension out of range (expected to be in range of [-3, 2], but got 3)\n  in gather");
}

BOOST_AUTO_TEST_CASE(an_index_without_elements_may_have_any_rank_and_rank_0_counts_as_1) {
  const bl::dtensor<float, 3> x(3, 5, 7);
  BOOST_TEST((bl::gather(x, 1, bl::tensor<std::int64_t, bl::shape<0>>{}).shape() == bl::shape<0>{}));
  const auto v = numbered<float>(bl::dshape<1>(3));
  const bl::tensor<std::int64_t, bl::shape<>> two(2);
  BOOST_TEST(bl::gather(v, 0, two).item() == 2.f);
  const bl::tensor<float, bl::shape<>> scalar(5.f);
  BOOST_TEST(equal(bl::gather(scalar, 0, bl::dtensor<std::int64_t, 1>(3)), bl::full(bl::dshape<1>(3), 5.f)));
}

BOOST_AUTO_TEST_CASE(static_shapes_stay_static_and_work_in_constant_expressions) {
  constexpr bl::tensor<int, bl::shape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};
  constexpr bl::tensor<std::int64_t, bl::shape<2, 2>> i{{2, 0}, {1, 1}};
  static_assert(std::is_same_v<decltype(bl::gather(x, 1_c, i))::shape_type, bl::shape<2, 2>>);
  static_assert(bl::gather(x, 1_c, i)(0, 0) == 3 && bl::gather(x, 1_c, i)(1, 1) == 5);
  static_assert(std::is_same_v<decltype(bl::take_along_dim(x, i, 1_c))::shape_type, bl::shape<2, 2>>);
  constexpr bl::tensor<int, bl::shape<2, 2>> r(bl::gather(x, 1_c, i) + 1);
  static_assert(r(0, 1) == 2);
}

BOOST_AUTO_TEST_CASE(of_nothing_along_a_reduced_axis) {
  const bl::dtensor<double, 4> x(2, 0, 3, 80);
  const bl::dtensor<std::int64_t, 4> at(2, 0, 3, 80);
  const bl::dtensor<double, 3> sums = bl::sum(bl::positive(bl::gather(x, 3, at)), bl::axes<1>);
  BOOST_TEST(sums.size() == 480);
  BOOST_TEST(!bl::any(sums).item());
}

BOOST_AUTO_TEST_SUITE_END()
