// index_select and take inside loops: rows are read where they lie, with the same bits.
// Build: optimised, not-sanitized (its loops exist only with optimisation)
#include "cases.hpp"

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

}  // namespace

BOOST_AUTO_TEST_SUITE(index_select)

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

// f(rows) has the same bits where rows are read in place and where they were brought together first.
template <class Rows, class F>
bool same_in_place(const Rows& rows, const F& f) {
  bool same = true;
  for (int l = 0; l <= static_cast<int>(bl::runtime::highest_isa()); ++l) {
    bl::set_isa(static_cast<bl::isa>(l));
    const auto together = bl::eval(rows);
    const auto expected = bl::eval(f(together));
    for (int threads : {1, 3}) same = same && equal(bl::eval(f(rows), bl::par.threads(threads)), expected);
  }
  bl::set_isa(bl::runtime::highest_isa());
  return same;
}

BOOST_AUTO_TEST_CASE(rows_that_are_reduced_where_they_lie_have_the_same_bits) {
  for (const bl::index columns : {1, 15, 16, 17, 33, 64, 150})
    for (const bl::index each : {1, 3, 16, 33, 70, 600}) {
      const bl::index bags = each > 100 ? 3 : 9;
      const auto table = bl::eval(bl::sin(numbered<float>(bl::dshape<2>(211, columns))));
      const auto ids = positions<std::int32_t>(bl::dshape<2>(bags, each), -211, 211);
      const auto w = bl::eval(numbered<float>(bl::dshape<3>(bags, each, 1)) * 0.01f - 1.f);
      const auto rows = bl::take(table, ids, 0);
      BOOST_TEST(same_in_place(rows, [&](const auto& r) { return bl::sum(r * w, bl::axes<1>); }),
                 columns << " columns, " << each << " rows");
      BOOST_TEST(same_in_place(rows, [&](const auto& r) { return bl::sum(r, bl::axes<1>); }));
      if (each != 33) continue;
      BOOST_TEST(same_in_place(rows, [&](const auto& r) { return bl::amax(r * 2.f + w, bl::axes<1>); }));
      BOOST_TEST(same_in_place(rows, [&](const auto& r) { return bl::sum(r * w, bl::axes<2>); }));
      BOOST_TEST(same_in_place(rows, [&](const auto& r) { return bl::sum(r * w); }));
      BOOST_TEST(same_in_place(
          rows, [&](const auto& r) { return bl::mean(r, bl::axes<1>) + bl::mean(r, bl::axes<1>) * 2.f; }));
    }
}

// What reads views of a selection, and of selections of which not every kind can be read where it lies, has the
// elements that it has of an array.

BOOST_AUTO_TEST_CASE(views_of_selections_have_the_elements_of_views_of_arrays) {
  const auto table = numbered<float>(bl::dshape<3>(30, 6, 32));
  const auto flat = numbered<float>(bl::dshape<2>(40, 40));
  const auto ids = positions<std::int32_t>(bl::dshape<1>(17), 0, 30),
             others = positions<std::int32_t>(bl::dshape<1>(17), 0, 6);
  const auto wide = positions<std::int32_t>(bl::dshape<1>(33), 0, 40);
  const auto equal = [](const auto& selection, const auto& f, const char* what) {
    const auto array = bl::eval(selection);
    const auto found = bl::eval(f(selection)), expected = bl::eval(f(array));
    BOOST_TEST((found.shape() == expected.shape()), what);
    BOOST_TEST(bool(bl::all(found == expected)), what);
  };
  const auto taken = bl::take(table, ids, 0);
  const bl::range_t every = bl::range(bl::none, bl::none, 2), back = bl::range(bl::none, bl::none, -1);
  equal(taken, [&](const auto& x) { return bl::slice(x, bl::all, every) * 2.f; }, "every other row");
  equal(taken, [&](const auto& x) { return bl::slice(x, every, back) * 2.f; }, "rows backwards");
  equal(taken, [&](const auto& x) { return bl::slice(x, back, bl::range(1, 4)) * 2.f; }, "positions backwards");
  equal(taken, [](const auto& x) { return bl::reshape(x, 17 * 6 * 32) * 2.f; }, "one axis");
  equal(taken, [](const auto& x) { return bl::flip(bl::reshape(x, 17 * 6 * 32), 0) * 2.f; }, "one axis backwards");
  equal(taken, [](const auto& x) { return bl::reshape(x, 17, 6 * 32) * 2.f; }, "two axes as one");
  equal(taken, [](const auto& x) { return bl::flip(bl::reshape(x, 17 * 6, 32), 0) * 2.f; }, "leading axes as one");
  equal(taken, [](const auto& x) { return bl::permute(x, 2, 0, 1) * 2.f; }, "permuted");
  equal(taken, [](const auto& x) { return -bl::sum(x * 2.f, bl::axes<0>); }, "a sum that is not copied");
  equal(bl::take(flat.T(), wide, 0), [](const auto& x) { return x * 2.f; }, "rows that lie across memory");
  equal(bl::take(flat, wide, 1), [](const auto& x) { return x * 2.f; }, "columns");
  equal(bl::slice(table, ids, others), [](const auto& x) { return x * 2.f; }, "two arrays of positions");
  equal(bl::slice(table, ids, others), [](const auto& x) { return bl::sum(x * 2.f, bl::axes<0>); }, "a sum of two");
  equal(bl::pad(flat, {0, 0, 2, 3}, bl::padding::constant, 7.f), [](const auto& x) { return x * 2.f; }, "padded");
  equal(
      bl::pad(flat, {0, 0, 2, 3}, bl::padding::constant, 7.f),
      [](const auto& x) { return bl::sum(x * 2.f, bl::axes<0>); }, "a sum of padded");
}

BOOST_AUTO_TEST_CASE(rows_that_are_summed_where_they_lie_are_no_pass_of_their_own) {
  const auto table = numbered<float>(bl::dshape<2>(100, 32));
  const auto ids = positions<std::int32_t>(bl::dshape<2>(50, 20), 0, 100);
  const auto w = numbered<float>(bl::dshape<3>(50, 20, 1));
  const bl::explanation bag = bl::explain(bl::sum(bl::take(table, ids, 0) * w, bl::axes<1>));
  for (const bl::planned_pass& p : bag.passes) BOOST_TEST(p.name == "sum");
}

BOOST_AUTO_TEST_CASE(views_of_selections_are_reduced_where_they_lie) {
  const auto table = bl::eval(bl::cos(numbered<double>(bl::dshape<3>(50, 6, 40))));
  const auto i = positions<std::int64_t>(bl::dshape<1>(70), 0, 50);
  const auto j = positions<std::int32_t>(bl::dshape<1>(70), 0, 6);
  const bl::range_t some = bl::range(3, 60, 2), few = bl::range(1, 5), part = bl::range(4, 36);
  const auto sum_0 = [](const auto& x) { return bl::sum(x * 2., bl::axes<0>); };
  const auto sum_1 = [](const auto& x) { return bl::sum(x * 2., bl::axes<1>); };
  const auto check = [&](const auto& rows, const auto& view, const char* what) {
    BOOST_TEST(same_in_place(rows, [&](const auto& r) { return sum_0(view(r)); }), what << ", along the first axis");
    BOOST_TEST(same_in_place(rows, [&](const auto& r) { return sum_1(view(r)); }), what << ", along the second axis");
  };
  const auto check_both = [&](const auto& view, const char* what) {
    check(bl::index_select(table, 0, i), view, what);
    check(bl::index_select(table, 1, j), view, what);
  };
  check_both([&](const auto& r) { return bl::slice(r, some, bl::all, part); }, "every other row");
  check(bl::index_select(table, 0, i), [&](const auto& r) { return bl::slice(r, some, few, part); }, "a part");
  check(bl::index_select(table, 1, j), [&](const auto& r) { return bl::slice(r, few, some, part); }, "a part");
  check_both([](const auto& r) { return bl::flip(r, 0); }, "the first axis backwards");
  check_both([](const auto& r) { return bl::flip(r, 1); }, "the second axis backwards");
  check_both([](const auto& r) { return bl::flip(r, 2); }, "the last axis backwards");
  check_both([](const auto& r) { return bl::permute(r, 2, 1, 0); }, "the first axis last");
  const auto all_rows = [&](const auto& r) { return sum_0(bl::reshape(r, -1, 40)); };
  BOOST_TEST(same_in_place(bl::index_select(table, 0, i), all_rows));
  BOOST_TEST(same_in_place(bl::index_select(table, 1, j), all_rows));
  // Two arrays of positions, one element of the result for each pair.
  BOOST_TEST(same_in_place(bl::slice(table, i, j), sum_0));
  BOOST_TEST(same_in_place(bl::slice(table, i, j), [&](const auto& r) { return sum_0(r(some, part)); }));
  BOOST_TEST(same_in_place(bl::slice(table, bl::reshape(i, 10, 7), bl::reshape(j, 10, 7)), sum_1));
}

BOOST_AUTO_TEST_CASE(sums_of_selected_rows_may_be_written_to_these_rows) {
  const auto ids = positions<std::int32_t>(bl::dshape<2>(100, 3), 0, 300);
  for (const bl::index columns : {16, 33, 200})
    for (const bl::index shift : {0, 1, 8}) {
      auto flat = numbered<float>(bl::dshape<1>(300 * columns + 8));
      const bl::dview<float, 2> table(flat.data(), bl::dshape<2>(300, columns));
      const bl::dview<float, 2> out(flat.data() + 50 * columns + shift, bl::dshape<2>(100, columns));
      const auto sums = bl::sum(bl::take(table, ids, 0) * 2.f, bl::axes<1>);
      const auto expected = bl::eval(sums);
      bl::assign(out, sums);
      BOOST_TEST(equal(out, expected), columns << " columns, from element " << shift);
    }
}

BOOST_AUTO_TEST_CASE(rows_of_other_types_and_views_are_read_where_they_lie) {
  const auto table = bl::eval(bl::cos(numbered<double>(bl::dshape<3>(50, 6, 40))));
  const auto whole = numbered<std::int32_t>(bl::dshape<2>(97, 200));
  const auto i = positions<std::int64_t>(bl::dshape<1>(70), 0, 50);
  const auto j = positions<std::int64_t>(bl::dshape<1>(70), 0, 6);
  const auto k = positions<std::int64_t>(bl::dshape<1>(70), 0, 40);
  const auto w = bl::eval(numbered<double>(bl::dshape<1>(40)) * 0.25);
  const auto outer = bl::index_select(table, 0, i), middle = bl::index_select(table, 1, j),
             inner = bl::index_select(table, 2, k);
  const auto weighted = [&](const auto& r) { return bl::sum(r * w, bl::axes<0>); };
  BOOST_TEST(same_in_place(outer, weighted));
  BOOST_TEST(same_in_place(middle, weighted));
  const auto wide = bl::eval(numbered<double>(bl::dshape<1>(80)) * 0.25);
  const auto every_other = wide(bl::range(0, 80, 2));
  BOOST_TEST(same_in_place(outer, [&](const auto& r) { return bl::sum(r * every_other, bl::axes<0>); }));
  BOOST_TEST(same_in_place(middle, [&](const auto& r) { return bl::sum(r * bl::flip(w, 0), bl::axes<1>); }));
  BOOST_TEST(same_in_place(middle, [&](const auto& r) { return bl::sum(r * w, bl::axes<1>); }));
  BOOST_TEST(same_in_place(inner, [&](const auto& r) { return bl::sum(r + 1., bl::axes<2>); }));
  BOOST_TEST(same_in_place(inner, [&](const auto& r) { return r * 2. + 1.; }));
  BOOST_TEST(same_in_place(outer, [&](const auto& r) { return r * w - 3.; }));
  BOOST_TEST(same_in_place(middle, [&](const auto& r) { return bl::exp(r) * w; }));
  // views of what is selected
  BOOST_TEST(
      same_in_place(outer, [&](const auto& r) { return r(bl::range(3, 60, 2), bl::all, bl::range(4, 36)) * 2.; }));
  BOOST_TEST(same_in_place(outer, [&](const auto& r) { return bl::flip(r, 0) * 2. + bl::flip(r, 2); }));
  BOOST_TEST(same_in_place(outer, [&](const auto& r) { return bl::permute(r, 1, 0, 2) * w; }));
  BOOST_TEST(same_in_place(outer, [&](const auto& r) { return bl::permute(r, 2, 1, 0) * 2.; }));
  BOOST_TEST(same_in_place(outer, [&](const auto& r) { return bl::unsqueeze(r, 1) * bl::unsqueeze(w, 0); }));
  // sums in another type, rows longer than a block, a table that is a view
  const auto m = positions<std::int32_t>(bl::dshape<2>(8, 20), 0, 97);
  const auto sums = [](const auto& r) { return bl::sum(r * 3, bl::axes<1>); };
  BOOST_TEST(same_in_place(bl::take(whole, m, 0), sums));
  BOOST_TEST(same_in_place(bl::take(whole(bl::all, bl::range(5, 190)), m, 0), sums));
  BOOST_TEST(same_in_place(bl::take(whole(bl::all, bl::range(0, 200, 3)), m, 0), sums));
  BOOST_TEST(same_in_place(bl::take(whole, m, 0), [](const auto& r) { return r * 2 + 1; }));
  // what is written to may be what is read
  auto own = bl::eval(whole + 0);
  const bl::index_array turned{96, 0, 1, 95};
  const auto expected = bl::eval(bl::index_select(own, 0, turned) * 2);
  own(bl::range(0, 4), bl::all) = bl::index_select(own, 0, turned) * 2;
  BOOST_TEST(equal(bl::eval(own(bl::range(0, 4), bl::all) + 0), expected));
}

BOOST_AUTO_TEST_SUITE_END()
