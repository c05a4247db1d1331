// The scatter family: PyTorch's table, the notes' cases by name, and a serial loop's result for any number of threads.
// Build: run-by-gcc
#include "cases.hpp"

#include <complex>

#include <broadloom/eval/scheduler.hpp>

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

// Runs an in-place function on a copy of the line's first array; index and source are the next ones.
template <class F>
bool holds(const line& l, F f) {
  bool ok = true;
  with_rank(l.arrays[0].rank(), [&](auto r) {
    auto x = l.arrays[0].as<double, r>();
    const auto source = l.arrays.size() > 3 ? l.arrays[2].as<double, r>() : x;
    f(x, l.arrays[1].as<std::int64_t, r>(), source);
    ok = l.result().is(x);
  });
  return ok;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_scatter)

BOOST_AUTO_TEST_CASE(scatter_reduce_writes_nothing_when_it_throws) {
  const bl::dtensor<float, 1> before{1, 2, 3};
  const bl::index_array at{0, 1, 2}, outside{0, 1, 3};
  const bl::dtensor<float, 1> enough{4, 5, 6}, few{4, 5};
  const auto unchanged = [&](const auto& by, bool with_self) {
    auto x = before;
    BOOST_CHECK_THROW(bl::scatter_reduce_(x, 0, at, few, by, with_self), bl::shape_error);
    BOOST_TEST(equal(x, before));
    BOOST_CHECK_THROW(bl::scatter_reduce_(x, 0, outside, enough, by, with_self), bl::index_error);
    BOOST_TEST(equal(x, before));
  };
  for (const bool with_self : {true, false}) {
    unchanged(bl::sum, with_self);
    unchanged(bl::prod, with_self);
    unchanged(bl::mean, with_self);
    unchanged(bl::amax, with_self);
    unchanged(bl::amin, with_self);
  }
  bl::dtensor<float, 1> one{1};
  const auto shared = bl::from(one.data(), bl::dshape<1>(1));
  const bl::view<float, bl::dshape<1>> thrice(shared.data(), bl::dshape<1>(3), bl::dyn_strides<1>{{{0}}});
  BOOST_CHECK_THROW(bl::scatter_reduce_(thrice, 0, at, enough, bl::mean, false), bl::shape_error);
  BOOST_TEST(one(0) == 1);
}

BOOST_AUTO_TEST_CASE(scatter_and_scatter_add_give_what_pytorch_gives) {
  each("scatter", 30, [](const line& l) {
    return holds(l, [&](auto& x, const auto& i, const auto& s) { bl::scatter_(x, l.axis, i, s); });
  });
  each("scatter_value", 30, [](const line& l) {
    return holds(l, [&](auto& x, const auto& i, const auto&) { bl::scatter_(x, l.axis, i, std::stod(l.parameter)); });
  });
  each("scatter_add", 30, [](const line& l) {
    return holds(l, [&](auto& x, const auto& i, const auto& s) {
      const auto out_of_place = bl::scatter_add(x, l.axis, i, s);
      bl::scatter_add_(x, l.axis, i, s);
      BOOST_TEST(equal(x, out_of_place));
    });
  });
}

BOOST_AUTO_TEST_CASE(scatter_reduce_gives_what_pytorch_gives) {
  each("scatter_reduce", 300, [](const line& l) {
    const std::string name = l.parameter.substr(0, l.parameter.find(','));
    const bool self = l.parameter.back() == '1';
    return holds(l, [&](auto& x, const auto& i, const auto& s) {
      if (name == "sum") bl::scatter_reduce_(x, l.axis, i, s, bl::sum, self);
      if (name == "prod") bl::scatter_reduce_(x, l.axis, i, s, bl::prod, self);
      if (name == "mean") bl::scatter_reduce_(x, l.axis, i, s, bl::mean, self);
      if (name == "amax") bl::scatter_reduce_(x, l.axis, i, s, bl::amax, self);
      if (name == "amin") bl::scatter_reduce_(x, l.axis, i, s, bl::amin, self);
    });
  });
}

BOOST_AUTO_TEST_CASE(put_along_dim_gives_what_numpy_gives) {
  each("put_along_dim", 30, [](const line& l) {
    return holds(l, [&](auto& x, const auto& i, const auto& s) { bl::put_along_dim(x, i, s, l.axis); });
  });
}

// The notes: out is (x0, ..., xj, ..., xn), dim == j. "If either index or source have at least i dimensions ... we
// broadcast them".
BOOST_AUTO_TEST_CASE(scatter_broadcast_where_only_the_index_reaches_the_axis) {
  bl::dtensor<double, 2> out(4, 3);
  const bl::dtensor<std::int64_t, 2> i{{2, 0, 3}, {1, 1, 1}};
  const bl::dtensor<double, 1> s{10, 20, 30};
  auto want = out;
  bl::scatter_(want, 0, i, bl::expand(s, bl::dshape<2>(2, 3)));
  bl::scatter_broadcast_(out, 0, i, s);
  BOOST_TEST(equal(out, want));
  BOOST_TEST(equal(out, bl::dtensor<double, 2>{{0, 20, 0}, {10, 20, 30}, {10, 0, 0}, {0, 0, 30}}));
}

BOOST_AUTO_TEST_CASE(scatter_broadcast_where_only_the_source_reaches_the_axis) {
  bl::dtensor<double, 2> out(4, 3);
  const bl::dtensor<std::int64_t, 1> i{2, 0, 3};
  const bl::dtensor<double, 2> s{{1, 2, 3}, {4, 5, 6}};
  bl::scatter_broadcast_(out, 0, i, s);
  // two elements a column for one place: the last one stays
  BOOST_TEST(equal(out, bl::dtensor<double, 2>{{0, 5, 0}, {0, 0, 0}, {4, 0, 0}, {0, 0, 6}}));
}

BOOST_AUTO_TEST_CASE(scatter_broadcast_where_both_reach_the_axis_broadcasts_both) {
  const auto x = bl::zeros<double>(bl::dshape<3>(2, 4, 3));
  const auto i = positions<std::int64_t>(bl::dshape<2>(2, 3), 0, 4);
  const auto s = numbered<double>(bl::dshape<3>(2, 2, 1));
  const auto target = bl::dshape<3>(2, 2, 3);
  BOOST_TEST(equal(bl::scatter_broadcast(x, 1, i, s), bl::scatter(x, 1, bl::expand(i, target), bl::expand(s, target))));
  const auto one = numbered<double>(bl::dshape<2>(1, 3));
  BOOST_TEST(
      equal(bl::scatter_broadcast(x, 1_c, i, one), bl::scatter(x, 1, bl::expand(i, target), bl::expand(one, target))));
  BOOST_TEST(equal(bl::scatter_broadcast(x, -2, i, 5.0), bl::scatter(x, 1, bl::expand(i, target), 5.0)));
}

BOOST_AUTO_TEST_CASE(scatter_broadcast_where_neither_reaches_the_axis_is_refused) {
  bl::dtensor<double, 2> out(4, 3);
  const bl::dtensor<std::int64_t, 1> i{2, 0, 3};
  const bl::dtensor<double, 1> s{10, 20, 30};
  BOOST_TEST(
      first_line(text_of<bl::shape_error>([&] { bl::scatter_broadcast_(out, 0, i, s); })) ==
      "scatter_broadcast: neither the index nor the source has axis 0: how many elements go there is not defined");
  BOOST_TEST(equal(out, bl::zeros<double>(4, 3)));
}

BOOST_AUTO_TEST_CASE(duplicates_resolve_as_in_a_serial_loop_for_any_number_of_threads) {
  const bl::index rows = 300, columns = 400;
  const auto source = numbered<float>(bl::dshape<2>(rows, columns)) * 0.37f;
  const auto s = bl::eval(source);
  for (bl::scheduler which : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(which);
    for (int axis = 0; axis < 2; ++axis)
      for (bl::index range : {7, 300}) {
        const auto i = positions<std::int32_t>(bl::dshape<2>(rows, columns), 0, range);
        auto put = bl::eval(source), added = put;
        auto want_put = put, want_added = put;
        for (bl::index a = 0; a < rows; ++a)
          for (bl::index b = 0; b < columns; ++b) {
            (axis == 0 ? want_put(i(a, b), b) : want_put(a, i(a, b))) = s(a, b);
            (axis == 0 ? want_added(i(a, b), b) : want_added(a, i(a, b))) += s(a, b);
          }
        bl::scatter_(put, axis, i, s);
        bl::scatter_add_(added, axis, i, s);
        BOOST_TEST(equal(put, want_put));
        BOOST_TEST(equal(added, want_added));
      }
    // one line: places are divided
    for (bl::index range : {1, 3, 90000, 600000}) {
      const auto i = positions<std::int64_t>(bl::dshape<1>(120000), 0, range);
      const bl::view<const float, bl::dshape<1>, bl::row_major> v(s.data(), bl::dshape<1>(120000));
      bl::dtensor<float, 1> sum(range), want(range);
      for (bl::index k = 0; k < 120000; ++k) want(i(k)) += v(k);
      bl::scatter_add_(sum, 0, i, v);
      BOOST_TEST(equal(sum, want));
    }
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

BOOST_AUTO_TEST_CASE(every_element_type_is_added_multiplied_and_compared) {
  const auto with = [](auto zero) {
    using T = decltype(zero);
    const bl::dtensor<std::int32_t, 1> i{0, 1, 0, 2, 0};
    const bl::dtensor<T, 1> s{T(1), T(0), T(1), T(1), T(1)}, x{T(1), T(1), T(0), T(1)};
    const bl::tensor sum = bl::scatter_add(x, 0, i, s);
    const bool flag = std::is_same_v<T, bool>;
    BOOST_TEST((sum(0) == (flag ? T(1) : T(4)) && sum(1) == T(1) && sum(2) == T(1) && sum(3) == T(1)));
    BOOST_TEST(bl::eval(bl::scatter_reduce(x, 0, i, s, bl::prod))(1) == T(0));
    BOOST_TEST(bl::eval(bl::scatter_reduce(x, 0, i, s, bl::amin))(0) == T(1));
    BOOST_TEST(bl::eval(bl::scatter_reduce(x, 0, i, s, bl::amax))(2) == T(1));
    BOOST_TEST(bl::eval(bl::scatter_reduce(x, 0, i, s, bl::amin, false))(1) == T(0));
    BOOST_TEST(bl::eval(bl::scatter_reduce(x, 0, i, s, bl::amax, false))(3) == T(1));
  };
  with(bool{});
  with(std::int8_t{});
  with(std::int16_t{});
  with(std::int32_t{});
  with(std::int64_t{});
  with(std::uint8_t{});
  with(std::uint16_t{});
  with(std::uint32_t{});
  with(std::uint64_t{});
  with(float{});
  with(double{});
}

BOOST_AUTO_TEST_CASE(complex_numbers_are_selected_added_and_multiplied) {
  using c = std::complex<float>;
  const bl::dtensor<c, 1> s{c(1, 2), c(0, -1), c(3, 0)};
  const bl::index_array i{1, 0, 1};
  BOOST_TEST(equal(bl::gather(s, 0, i), bl::dtensor<c, 1>{c(0, -1), c(1, 2), c(0, -1)}));
  BOOST_TEST(equal(bl::scatter_add(bl::zeros<c>(2), 0, i, s), bl::dtensor<c, 1>{c(0, -1), c(4, 2)}));
  BOOST_TEST(equal(bl::scatter_reduce(bl::ones<c>(2), 0, i, s, bl::prod), bl::dtensor<c, 1>{c(0, -1), c(3, 6)}));
  const bl::dtensor<std::complex<double>, 1> z{{0, 0}, {0, 1}, {-0.0, 0}, {2, 0}};
  BOOST_TEST(equal(bl::nonzero(z), bl::dtensor<bl::index, 2>{{1}, {3}}));
}

BOOST_AUTO_TEST_CASE(source_and_index_may_be_views_of_the_output) {
  auto x = numbered<std::int64_t>(bl::dshape<2>(3, 3));
  const auto copy = x;
  const auto i = bl::dtensor<std::int64_t, 2>{{2, 1, 0}, {0, 0, 0}};
  bl::scatter_(x, 0, i, bl::slice(x, bl::range(1, 3)));
  BOOST_TEST(equal(x, bl::scatter(copy, 0, i, bl::eval(bl::slice(copy, bl::range(1, 3))))));
  bl::dtensor<std::int64_t, 1> y{1, 2, 0};
  bl::scatter_(y, 0, y, y);
  BOOST_TEST(equal(y, bl::dtensor<std::int64_t, 1>{0, 1, 2}));
  // a strided output
  bl::dtensor<float, 2> z(3, 4);
  bl::scatter_(z.T(), 1, bl::dtensor<int, 2>{{1}, {2}, {0}, {1}}, 5.f);
  BOOST_TEST(equal(z, bl::dtensor<float, 2>{{0, 0, 5, 0}, {5, 0, 0, 5}, {0, 5, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(nothing_is_written_when_a_position_is_out_of_bounds) {
  bl::dtensor<float, 2> x(3, 4);
  bl::dtensor<std::int64_t, 2> i(3, 4);
  i(2, 3) = 3;
  for (auto f :
       {+[](bl::dtensor<float, 2>& o, const bl::dtensor<std::int64_t, 2>& p) { bl::scatter_(o, 0, p, 1.f); },
        +[](bl::dtensor<float, 2>& o, const bl::dtensor<std::int64_t, 2>& p) { bl::scatter_add_(o, 0, p, 1.f); },
        +[](bl::dtensor<float, 2>& o, const bl::dtensor<std::int64_t, 2>& p) { bl::put_along_dim(o, p, 1.f, 0); },
        +[](bl::dtensor<float, 2>& o, const bl::dtensor<std::int64_t, 2>& p) { bl::scatter_broadcast_(o, 0, p, 1.f); },
        +[](bl::dtensor<float, 2>& o, const bl::dtensor<std::int64_t, 2>& p) {
          bl::scatter_reduce_(o, 0, p, bl::ones<float>(3, 4), bl::amax, false);
        }}) {
    BOOST_TEST(first_line(text_of<bl::index_error>([&] { f(x, i); })) ==
               "index 3 is out of bounds for dimension 0 with size 3");
    BOOST_TEST(equal(x, bl::zeros<float>(3, 4)));
  }
}

BOOST_AUTO_TEST_CASE(nothing_of_many_is_written_when_one_position_is_out_of_bounds) {
  const auto source = numbered<float>(bl::dshape<1>(200000));
  for (bl::index range : {1000, 150000, 600000}) {
    auto i = positions<std::int64_t>(bl::dshape<1>(200000), 0, range);
    const auto before = numbered<float>(bl::dshape<1>(range));
    auto x = before;
    for (bl::index at : {bl::index{0}, bl::index{131071}, bl::index{199999}})
      for (bl::index wrong : {range, bl::index{-1}, bl::index{1} << 62}) {
        const auto kept = i(at);
        i(at) = wrong;
        BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::scatter_add_(x, 0, i, source); })) ==
                   "index " + std::to_string(wrong) + " is out of bounds for dimension 0 with size " +
                       std::to_string(range));
        i(at) = kept;
      }
    BOOST_TEST(equal(x, before));
    // negative positions, a number, and an output with gaps
    const auto from_end = bl::eval(i - range);
    auto put = before, want = before;
    for (bl::index k = 0; k < 200000; ++k) want(i(k)) = source(k);
    put(from_end) = source;
    BOOST_TEST(equal(put, want));
    put(from_end) = 3.f;
    for (bl::index k = 0; k < 200000; ++k) want(i(k)) = 3.f;
    BOOST_TEST(equal(put, want));
    bl::dtensor<float, 1> wide(2 * range);
    bl::scatter_add_(bl::slice(wide, bl::range(bl::none, bl::none, -2)), 0, i, source);
    BOOST_TEST(equal(bl::slice(wide, bl::range(bl::none, bl::none, -2)),
                     bl::scatter_add(bl::zeros<float>(bl::dshape<1>(range)), 0, i, source)));
    BOOST_TEST(bl::count_nonzero(bl::slice(wide, bl::range(0, bl::end, 2))).item() == 0);
  }
}

// The copying forms check indices row by row while they write.
BOOST_AUTO_TEST_CASE(a_copy_is_refused_when_positions_of_many_are_out_of_bounds) {
  const auto check = [](const auto& x, int axis, auto i, const auto& source) {
    const auto before = bl::eval(x);
    auto put = bl::eval(x), added = put, largest = put, mean = put, filled = put;
    bl::scatter_(put, axis, i, source);
    bl::scatter_add_(added, axis, i, source);
    bl::scatter_reduce_(largest, axis, i, source, bl::amax);
    bl::scatter_reduce_(mean, axis, i, source, bl::mean, false);
    bl::scatter_broadcast_(filled, axis, i, 3.f);
    BOOST_TEST(equal(bl::scatter(x, axis, i, source), put));
    BOOST_TEST(equal(bl::scatter_add(x, axis, i, source), added));
    BOOST_TEST(equal(bl::scatter_reduce(x, axis, i, source, bl::amax), largest));
    BOOST_TEST(equal(bl::scatter_reduce(x, axis, i, source, bl::mean, false), mean));
    BOOST_TEST(equal(bl::scatter_broadcast(x, axis, i, 3.f), filled));

    using position = std::remove_reference_t<decltype(*i.data())>;
    const bl::index n = i.size(), extent = x.shape()[axis];
    for (const bl::index first : {bl::index{0}, n / 3, n - 2}) {
      const position kept[]{i.data()[first], i.data()[n - 1]};
      i.data()[first] = static_cast<position>(extent + first);
      i.data()[n - 1] = -1;
      const auto refused = [&](const auto& call) {
        return first_line(text_of<bl::index_error>(call)) ==
               "index " + std::to_string(extent + first) + " is out of bounds for dimension " + std::to_string(axis) +
                   " with size " + std::to_string(extent);
      };
      BOOST_TEST(refused([&] { bl::scatter(x, axis, i, source); }));
      BOOST_TEST(refused([&] { bl::scatter_add(x, axis, i, source); }));
      BOOST_TEST(refused([&] { bl::scatter_reduce(x, axis, i, source, bl::amax); }));
      BOOST_TEST(refused([&] { bl::scatter_reduce(x, axis, i, source, bl::mean, false); }));
      BOOST_TEST(refused([&] { bl::scatter_broadcast(x, axis, i, 3.f); }));
      BOOST_TEST(refused([&] { bl::scatter_reduce_(mean, axis, i, source, bl::mean, false); }));
      i.data()[first] = kept[0];
      i.data()[n - 1] = kept[1];
    }
    BOOST_TEST(equal(x, before));
    BOOST_TEST(equal(mean, bl::scatter_reduce(x, axis, i, source, bl::mean, false)));
  };
  for (const auto which : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(which);
    for (const auto& shape :
         {bl::dshape<2>(5, 63), bl::dshape<2>(5, 64), bl::dshape<2>(30, 1500), bl::dshape<2>(1500, 30)})
      for (int axis = 0; axis < 2; ++axis) {
        const bl::dtensor<float, 2> x = numbered<float>(shape);
        check(x, axis, positions<std::int64_t>(shape, 0, shape[axis]), bl::eval(x * 0.37f));
        check(x, axis, positions<std::int32_t>(shape, 0, shape[axis]), bl::eval(x * 0.37f));
      }
    for (const bl::index extent : {1000, 600000}) {
      const bl::dtensor<float, 1> x = numbered<float>(bl::dshape<1>(extent)),
                                  source = numbered<float>(bl::dshape<1>(100000));
      check(x, 0, positions<std::int64_t>(bl::dshape<1>(100000), 0, extent), source);
    }
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_fit_are_refused) {
  bl::dtensor<float, 2> x(3, 5);
  const bl::dtensor<std::int64_t, 2> i(2, 5), wide(2, 6);
  const bl::dtensor<float, 2> s(1, 5), t(2, 6);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::scatter_(x, 0, i, s); })) ==
             "Expected index [2, 5] to be smaller than self [3, 5] apart from dimension 0 and to be smaller size than "
             "src [1, 5]");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::scatter_(x, 0, wide, t); })) ==
             "Expected index [2, 6] to be smaller than self [3, 5] apart from dimension 0 and to be smaller size than "
             "src [2, 6]");
  BOOST_TEST(
      first_line(text_of<bl::shape_error>([&] {
        bl::dtensor<float, 2> column(3, 1);
        bl::scatter_(bl::expand(column, bl::dshape<2>(3, 5)), 0, i, 1.f);
      })) ==
      "unsupported operation: more than one element of the written-to tensor refers to a single memory location");
}

BOOST_AUTO_TEST_SUITE_END()
